// Makes surfaces: seals the cleaned types, shrinks free space, grows types, lays them over each other, triangulates, joins layers. See
// surface.hpp.
#pragma once

#include <map>
#include <optional>
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
  using Label = std::int32_t;
  /// A border of two types, or of one and an obstacle (`no_ground`), with `left` on its left; in fine units.
  struct TypeBorder {
    GridPoint a, b;
    Label left = 0, right = 0;
  };
  /// What a layer is made of before it is laid over its neighbours; in fine units.
  struct LayerShapes {
    std::vector<TypeBorder> types;
    OffsetShapes hard;
    std::vector<OffsetShapes> felt;  ///< by type
  };
  /// A layer whose faces are known.
  struct Arranged {
    Arrangement arrangement;
    std::vector<Label> label;  ///< of faces: a set or type, or no_ground
  };
  /// Triangles of a layer, each with the label of its face.
  struct Net {
    geometry::Triangulation triangulation;
    std::vector<Label> label;
  };
  /// What the arrangement marks an edge as.
  struct EdgeMarks {
    std::vector<bool> wall;
    std::vector<Index> connection;
  };

  [[nodiscard]] GridPoint fine(GridPoint p) const { return {p.x * scale_, p.y * scale_}; }
  [[nodiscard]] double fine_units(double metres) const;
  void choose_scale();
  [[nodiscard]] Index base_of(std::size_t layer) const;
  void add_free_space(Arrangement& to, std::size_t layer) const;
  void add_ring(Arrangement& to, std::size_t layer, const geometry::GridRing& ring) const;
  void add_walls(Arrangement& to, std::size_t layer) const;
  [[nodiscard]] static EdgeMarks marks_of(const Arrangement& arrangement);
  [[nodiscard]] Result<Net> net_of(const Arranged& arranged) const;

  [[nodiscard]] Result<std::vector<TypeBorder>> sealed_types(std::size_t layer);
  void absorb_slivers(Net& net);
  [[nodiscard]] std::vector<BorderEdge> obstacle_border(std::size_t layer) const;
  [[nodiscard]] Result<LayerShapes> shapes_of(std::size_t layer);
  void add_neighbours(Arrangement& to, std::size_t layer) const;
  [[nodiscard]] Index set_of(const std::vector<std::int32_t>& winding, Index base);
  [[nodiscard]] Arranged arrange(std::size_t layer);
  /// Points where either layer of a connection meets it, until both agree.
  void arrange_all();
  bool refine_chains();

  [[nodiscard]] std::optional<Problem> triangulate_layer(std::size_t layer);
  void number_rims(std::size_t layer);
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
  struct Rim {
    std::size_t layer = 0;
    GridPoint point, centre;
    Index number = none;
  };
  std::vector<GridPoint> corner_points_;  ///< of triangles, three each
  std::vector<std::tuple<Index, GridPoint, GridPoint, Open>> on_connections_;
  std::vector<Rim> rims_;  ///< sorted by layer and point
  Surface made_;
};

}  // namespace throng::ground
