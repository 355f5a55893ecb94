// Makes surfaces: shrinks free space, grows types, lays them over each other,
// triangulates, joins layers. See surface.hpp.
#pragma once

#include <map>
#include <tuple>
#include <vector>

#include "geometry/triangulation.hpp"
#include "ground/arrangement.hpp"
#include "ground/offset_shapes.hpp"
#include "ground/surface.hpp"

namespace throng::ground {

class SurfaceMaker {
 public:
  SurfaceMaker(const environment::CleanEnvironment& world, const SurfaceRadii& radii);
  [[nodiscard]] Result<Surface> make();

 private:
  using CleanLayer = environment::CleanLayer;
  /// What a layer is made of before it is laid over its neighbours; in fine
  /// units.
  struct LayerShapes {
    OffsetShapes hard;
    std::vector<OffsetShapes> felt;  ///< by type
  };
  /// A layer whose faces are known.
  struct Arranged {
    Arrangement arrangement;
    std::vector<std::int32_t> label;  ///< of faces: a set, or -1 for what is no ground
  };

  [[nodiscard]] GridPoint fine(GridPoint p) const { return {p.x * scale_, p.y * scale_}; }
  [[nodiscard]] double fine_units(double metres) const;
  void choose_scale();
  [[nodiscard]] std::vector<BorderEdge> obstacle_border(std::size_t layer) const;
  [[nodiscard]] std::vector<std::vector<BorderEdge>> type_borders(const CleanLayer& layer) const;
  [[nodiscard]] LayerShapes shapes_of(std::size_t layer) const;
  [[nodiscard]] Index type_of(const std::string& name) const;
  void add_ring(Arrangement& to, std::size_t layer, const geometry::GridRing& ring) const;
  void add_neighbours(Arrangement& to, std::size_t layer) const;
  [[nodiscard]] Arranged arrange(std::size_t layer);
  [[nodiscard]] Index set_of(const std::vector<std::int32_t>& winding);
  /// Points where either layer of a connection meets it, until both agree.
  void arrange_all();
  bool refine_chains();
  [[nodiscard]] std::vector<GridSegment> constraints_of(
      const Arranged& arranged, std::map<std::pair<GridPoint, GridPoint>, std::int32_t>& left) const;
  [[nodiscard]] std::optional<Problem> triangulate_layer(std::size_t layer);
  void join_layers();
  void split_fans();
  void make_edges();
  void order_edges_around_vertices();

  const environment::CleanEnvironment& world_;
  SurfaceRadii radii_;
  std::int32_t scale_ = 1;
  std::vector<LayerShapes> shapes_;
  std::vector<Arranged> arranged_;
  std::vector<std::vector<GridPoint>> chains_;  ///< of connections, from a to b
  std::map<std::vector<Index>, Index> set_numbers_;

  struct Open {
    Index triangle = none;
    int side = 0;
  };
  std::vector<GridPoint> corner_points_;  ///< of triangles, three each
  std::vector<std::tuple<std::size_t, GridPoint, GridPoint, Open>> on_connections_;
  std::map<std::pair<std::size_t, GridPoint>, Index> rim_numbers_;
  Surface made_;
};

}  // namespace throng::ground
