// Regions of an environment as walkers feel them: along a line, or under a disc that slides along it, which type counts where.
// Jaklin 2016, 2.3, 6.3, 7.2.
//
// Types are numbered in order of their names; `plain` ground is number 0 and weighs 1 unless a table says otherwise.
//
// Laws
// 1. weighted_length(a, b, 0) is the integral of the weight of the region under the point; along a border of two types the smaller
//    weight counts, along an obstacle that of the ground beside it.
// 2. weighted_length(a, b, r) is that of the dearest region that the open disc of radius r overlaps, plain ground included, what
//    lies in obstacles not; touching does not count. It is never below that of the point.
// 3. A line from one layer to another feels each layer's regions up to the connections it crosses, a disc those beyond a connection
//    from a radius before it on. What lies behind a connection that the line does not cross is not felt.
//
// 4. weighted_arc() is the same along an arc of one layer: exact where the arc enters and leaves what is felt. Regions beyond a
//    connection are not felt from an arc.
//
// A disc overlaps a region where its centre is inside or an edge is nearer than the radius, and each edge is near along one
// interval of the line; so unlike Jaklin 2016, 7.2 no triangles are needed.
// Complexity: O(log n + edges of regions near the line). No allocation once buffers have grown.
// Thread-safety: the map is immutable; scratch memory is the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
#include "geometry/box_index.hpp"
#include "navmesh/mesh.hpp"

namespace throng::ground {

/// Rows of weights, one a profile: row * types + type.
struct WeightTable {
  std::size_t types = 1;
  std::vector<double> weights;
  [[nodiscard]] const double* row(std::size_t i) const { return weights.data() + i * types; }
};

/// How deep a disc must reach into a region to feel it, in metres: routes that touch a region graze it to rounding.
inline constexpr double region_touch = 1e-6;

class RegionMap {
 public:
  explicit RegionMap(const environment::CleanEnvironment& environment);

  /// Names of region types; types()[0] is "" for plain ground.
  [[nodiscard]] const std::vector<std::string>& types() const { return types_; }
  [[nodiscard]] bool empty() const { return types_.size() <= 1; }

  /// Where along a line, as a part of it, a type begins (+1) or ceases (-1) to be felt.
  struct Change {
    double t = 0;
    navmesh::Index type = 0;
    int by = 0;
  };
  /// Buffers of one caller.
  struct Scratch {
    std::vector<Change> changes;
    std::vector<double> stops;
    std::vector<int> count;  ///< by type; all 0 between calls
    std::vector<std::uint32_t> near;
    std::vector<std::uint32_t> along;  ///< edges that the line runs along
  };

  /// Length of the line times what is felt along it. `weights` is a row of a table with this map's types. `metres`, where it is not
  /// empty, has a place for each type: the length on which it is the dearest that is felt is added there.
  double weighted_length(const navmesh::Place& from, const navmesh::Place& to, double radius, const double* weights,
                         Scratch& scratch, std::span<double> metres = {}) const;
  /// The same along an arc that begins at `from` and turns around `centre` by `turn` radians, counterclockwise where that is above 0.
  double weighted_arc(const navmesh::Place& from, Vec2 centre, double turn, double radius, const double* weights,
                      Scratch& scratch, std::span<double> metres = {}) const;
  /// The type under a point.
  [[nodiscard]] navmesh::Index type_at(const navmesh::Place& place, Scratch& scratch) const;
  /// Whether any region of any layer may be within `reach` of the point: by boxes, so sometimes without need.
  [[nodiscard]] bool any_near(Vec2 point, double reach) const;

 private:
  using Index = navmesh::Index;
  /// The region lies left of a->b.
  struct Edge {
    Vec2 a, b;
    Index type = 0;
    Index polygon = 0;  ///< into the layer's boxes
    Index beyond = 0;   ///< the type on the other side; none: an obstacle
    [[nodiscard]] bool plain_beyond() const { return beyond == 0; }
  };
  struct LayerRegions {
    std::vector<Edge> edges;
    geometry::BoxIndex edge_index;
    std::vector<geometry::GridBox> boxes;  ///< of polygons
    geometry::BoxIndex box_index;
  };
  struct Line;
  struct Arc;

  [[nodiscard]] geometry::GridBox grid_box(Vec2 min, Vec2 max) const;
  [[nodiscard]] LayerRegions layer_of(const environment::CleanLayer& layer) const;
  void find_far_sides(const environment::CleanLayer& layer, Index number);
  /// Adds what a stretch of the line in one layer feels.
  void feel(Index layer, const Line& line, double from, double to, double radius, const double* weights,
            Scratch& scratch) const;
  void feel_centre(Index layer, const Line& line, double from, double to, const double* weights,
                   Scratch& scratch) const;
  [[nodiscard]] Index centre_type(Index layer, const Line& line, double t, const double* weights,
                                  Scratch& scratch) const;
  void stop_arc_at(const LayerRegions& regions, const Arc& arc, double felt, Scratch& scratch) const;
  [[nodiscard]] Index dearest_at(Index layer, Vec2 point, double felt, const double* weights, Scratch& scratch) const;
  /// visit(layer, from, to) for the stretches of a line that begins in `layer`, cut at the connections it crosses.
  template <class Visit>
  void for_each_stretch(Index layer, const Line& line, Visit&& visit) const;

  geometry::SnapGrid grid_;
  std::vector<std::string> types_;
  std::vector<LayerRegions> layers_;
  std::vector<navmesh::Connection> connections_;
};

}  // namespace throng::ground
