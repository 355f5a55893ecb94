// Everything about the ground of a world that routes share: its regions, and a surface for each size of body, made when first asked for.
//
// Laws
// 1. surface(r, felt) is for bodies of radius r rounded up to whole centimetres, so that drawn radii make few surfaces; it keeps r.
//    Radius 0 is exact.
// 2. Rough points are made once a surface: they do not depend on weights.
// 3. The same world gives the same surfaces, whoever asks first. At most `most_surfaces` are kept, the one not asked for longest goes
//    first; whoever holds one keeps it.
// Thread-safety: any thread may ask; one makes a surface while others who want the same one wait.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "environment/clean/clean.hpp"
#include "ground/region_map.hpp"
#include "ground/surface.hpp"
#include "routes/ground_points.hpp"
#include "routes/route_graph.hpp"
#include "throng/result.hpp"

namespace throng::routes {

/// A surface and the rough points on it.
struct GroundSheet {
  ground::Surface surface;
  SteinerPoints rough;
  explicit GroundSheet(ground::Surface made)
      : surface(std::move(made)), rough(surface, nullptr, {PointPlacement::rough, 0.1}) {}
  GroundSheet(const GroundSheet&) = delete;
  GroundSheet& operator=(const GroundSheet&) = delete;
};
using GroundSheetPtr = std::shared_ptr<const GroundSheet>;

class GroundLandmarks;  // ground_search.hpp

/// A row of weights (ground/kinds.hpp) of the kinds of GroundAtlas::regions().
struct GroundRow {
  std::vector<double> weight;  ///< finite
  std::vector<bool> never;     ///< by kind, left out of the search; empty: none is
  friend bool operator==(const GroundRow&, const GroundRow&) = default;
};

/// Of a row as people have it, where an infinite weight leaves a kind out of the search; that counts twice as much as the dearest other ground
/// where it has to be walked on. Empty: all 1.
[[nodiscard]] GroundRow row_of(std::span<const double> weights, const ground::GroundKinds& kinds);

class GroundAtlas {
 public:
  static constexpr std::size_t most_surfaces = 64, most_rows = 16;

  /// The graph's mesh must be that of the environment.
  GroundAtlas(std::shared_ptr<const environment::CleanEnvironment> world, std::shared_ptr<const RouteGraph> graph);
  ~GroundAtlas();

  [[nodiscard]] const ground::RegionMap& regions() const { return regions_; }
  [[nodiscard]] const navmesh::Mesh& mesh() const { return graph_->mesh(); }
  [[nodiscard]] const std::shared_ptr<const RouteGraph>& graph() const { return graph_; }

  /// `body`: the whole disc feels the ground, else its centre. Problems only where the world is too crowded to be triangulated.
  [[nodiscard]] Result<GroundSheetPtr> sheet(double radius, bool body) const;
  /// Landmarks of a sheet's rough points for a row of weights; those of the rows asked for last are kept. `costs` are the row's.
  [[nodiscard]] std::shared_ptr<const GroundLandmarks> landmarks(const GroundSheetPtr& sheet, const GroundRow& row,
                                                                 const ground::GroundCosts& costs) const;
  /// The radius that surfaces for this one are made for.
  [[nodiscard]] static double radius_class(double radius);

 private:
  struct Entry;
  std::shared_ptr<const environment::CleanEnvironment> world_;
  std::shared_ptr<const RouteGraph> graph_;
  ground::RegionMap regions_;
  mutable std::mutex mutex_;
  mutable std::vector<std::shared_ptr<Entry>> entries_;  ///< the last asked for at the end
  struct Marked;
  mutable std::vector<std::shared_ptr<Marked>> marked_;  ///< the same
};

}  // namespace throng::routes
