#include "server/world_pack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "navmesh/arc.hpp"
#include "navmesh/locate.hpp"

namespace throng::server {
namespace {

using environment::CleanEnvironment;
using environment::CleanLayer;
using geometry::GridPolygon;
using navmesh::Index;
using navmesh::Mesh;

/// How far a drawn line may be off the axis, in metres.
constexpr double drawn_within = 0.02;

struct Bounds {
  Vec2 low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Vec2 high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  void take(Vec2 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
};

Bounds bounds_of(const CleanEnvironment& environment) {
  Bounds bounds;
  for (const CleanLayer& layer : environment.layers)
    for (const GridPolygon& polygon : layer.free)
      for (const geometry::GridPoint& p : polygon.outer) bounds.take(environment.grid.to_world(p));
  return bounds.low.x <= bounds.high.x ? bounds : Bounds{{0, 0}, {0, 0}};
}

/// Points of rings, one behind the other.
class RingWriter {
 public:
  RingWriter(const geometry::SnapGrid& grid, Vec2 origin) : grid_(grid), origin_(origin) {}

  Json ring(const std::vector<geometry::GridPoint>& points) {
    Json range{points_.size() / 2, points.size()};
    for (const geometry::GridPoint& p : points) {
      const Vec2 at = grid_.to_world(p) - origin_;
      points_.push_back(float(at.x));
      points_.push_back(float(at.y));
    }
    return range;
  }
  Json polygons(const std::vector<GridPolygon>& polygons) {
    Json list = Json::array();
    for (const GridPolygon& polygon : polygons) {
      Json rings = Json::array({ring(polygon.outer)});
      for (const geometry::GridRing& hole : polygon.holes) rings.push_back(ring(hole));
      list.push_back(std::move(rings));
    }
    return list;
  }
  [[nodiscard]] const std::vector<float>& points() const { return points_; }

 private:
  const geometry::SnapGrid& grid_;
  Vec2 origin_;
  std::vector<float> points_;
};

Json elevation_json(const environment::Elevation& elevation, Vec2 origin) {
  if (!elevation.ramp) return {{"z", elevation.z}};
  const Vec2 from = elevation.from - origin, to = elevation.to - origin;
  return {
      {"from", {from.x, from.y, elevation.z_from}}, {"to", {to.x, to.y, elevation.z_to}}, {"stairs", elevation.stairs}};
}

Json layer_json(const CleanLayer& layer, RingWriter& rings, Vec2 origin) {
  Json walls = Json::array(), regions = Json::array(), areas = Json::array();
  for (const environment::Wall& wall : layer.walls) walls.push_back(rings.ring(wall.points));
  for (const environment::CleanRegion& region : layer.regions)
    regions.push_back({{"type", region.type}, {"polygons", rings.polygons(region.polygons)}});
  for (const environment::CleanArea& area : layer.areas)
    areas.push_back({{"name", area.name}, {"polygons", rings.polygons(area.polygons)}});
  return {{"id", layer.layer.id},
          {"elevation", elevation_json(layer.layer.elevation, origin)},
          {"free", rings.polygons(layer.free)},
          {"walls", std::move(walls)},
          {"regions", std::move(regions)},
          {"areas", std::move(areas)}};
}

/// Gathers the arrays of a mesh.
class MeshPacker {
 public:
  MeshPacker(const Mesh& mesh, Vec2 origin) : mesh_(mesh), origin_(origin), regions_(mesh) {}

  std::string pack() {
    for (Index arc = 0; arc < mesh_.arc_count(); ++arc) add_arc(arc);
    for (const navmesh::Passage& passage : mesh_.all_passages()) add_passage(passage);
    Pack pack;
    pack.array("axis", axis_);
    pack.array("axis_layer", axis_layer_);
    pack.array("cell", cell_);
    pack.array("cell_layer", cell_layer_);
    pack.array("passage", passage_);
    pack.array("passage_layer", passage_layer_);
    pack.array("passage_width", passage_width_);
    pack.array("surface", surface_);
    pack.array("surface_layer", surface_layer_);
    pack.array("surface_region", surface_region_);
    return pack.finish({{"vertices", vertices()},
                        {"edges", mesh_.edge_count()},
                        {"cells", mesh_.cell_count()},
                        {"passages", mesh_.passage_count()},
                        {"regions", mesh_.region_count},
                        {"widest", widest_}});
  }

 private:
  [[nodiscard]] std::size_t vertices() const {
    return std::size_t(std::count_if(mesh_.all_nodes().begin(), mesh_.all_nodes().end(),
                                     [](const navmesh::Node& node) { return node.degree > 0; }));
  }

  void put(std::vector<float>& out, Vec2 p) const {
    out.push_back(float(p.x - origin_.x));
    out.push_back(float(p.y - origin_.y));
  }
  void put(std::vector<float>& out, Vec2 p, double clearance) const {
    put(out, p);
    out.push_back(float(clearance));
  }

  /// Where a cell's boundary goes on the obstacle: the nearest point of its site.
  [[nodiscard]] Vec2 foot(Index cell, Vec2 p) const { return navmesh::nearest_on(mesh_.site(mesh_.site_of(cell)), p); }

  void add_arc(Index arc) {
    const navmesh::ArcCurve curve(mesh_, arc);
    std::vector<Vec2> points{curve.from()};
    curve.flatten(drawn_within, points);
    for (std::size_t i = 1; i < points.size(); ++i) add_stretch(arc, points[i - 1], points[i]);
    for (const Index cell : {2 * arc, 2 * arc + 1}) add_cell_border(cell, curve.from());
  }

  void add_stretch(Index arc, Vec2 a, Vec2 b) {
    const Vec2 middle = (a + b) * 0.5;
    const Index left = 2 * arc;
    const double clearance_a = length(a - foot(left, a)), clearance_b = length(b - foot(left, b));
    put(axis_, a, clearance_a);
    put(axis_, b, clearance_b);
    axis_layer_.push_back(std::uint16_t(navmesh::layer_at(mesh_, left, middle)));
    widest_ = std::max({widest_, clearance_a, clearance_b});
    for (const Index cell : {left, left + 1}) {
      const Vec2 foot_a = foot(cell, a), foot_b = foot(cell, b);
      const Vec2 inside = (middle + (foot_a + foot_b) * 0.5) * 0.5;
      const Index region = regions_.of(mesh_, cell, inside);
      const auto layer = std::uint16_t(navmesh::layer_at(mesh_, cell, inside));
      triangle(a, clearance_a, b, clearance_b, foot_a, region, layer);
      triangle(b, clearance_b, foot_b, 0, foot_a, region, layer);
    }
  }

  void triangle(Vec2 a, double clearance_a, Vec2 b, double clearance_b, Vec2 c, Index region, std::uint16_t layer) {
    put(surface_, a, clearance_a);
    put(surface_, b, clearance_b);
    put(surface_, c, 0);
    surface_region_.insert(surface_region_.end(), 3, region);
    surface_layer_.insert(surface_layer_.end(), 3, layer);
  }

  void add_cell_border(Index cell, Vec2 node) {
    const Vec2 end = foot(cell, node);
    if (node == end) return;
    put(cell_, node);
    put(cell_, end);
    cell_layer_.push_back(std::uint16_t(navmesh::layer_at(mesh_, cell, (node + end) * 0.5)));
  }

  void add_passage(const navmesh::Passage& passage) {
    put(passage_, passage.left);
    put(passage_, passage.right);
    passage_layer_.push_back(std::uint16_t(navmesh::layer_at(mesh_, 2 * passage.arc, passage.point)));
    passage_width_.push_back(float(2 * passage.clearance));
  }

  const Mesh& mesh_;
  Vec2 origin_;
  navmesh::Regions regions_;
  std::vector<float> axis_, cell_, passage_, passage_width_, surface_;
  std::vector<std::uint16_t> axis_layer_, cell_layer_, passage_layer_, surface_layer_;
  std::vector<std::uint32_t> surface_region_;
  double widest_ = 0;
};

}  // namespace

Vec2 origin_of(const CleanEnvironment& environment) {
  const Bounds bounds = bounds_of(environment);
  return {std::round((bounds.low.x + bounds.high.x) / 2), std::round((bounds.low.y + bounds.high.y) / 2)};
}

std::string pack_world(const CleanEnvironment& environment, Vec2 origin) {
  RingWriter rings(environment.grid, origin);
  Json layers = Json::array(), connections = Json::array();
  for (const CleanLayer& layer : environment.layers) layers.push_back(layer_json(layer, rings, origin));
  for (const environment::CleanConnection& c : environment.connections) {
    const Vec2 a = environment.grid.to_world(c.a) - origin, b = environment.grid.to_world(c.b) - origin;
    connections.push_back({a.x, a.y, b.x, b.y, c.left_layer, c.right_layer});
  }
  const Bounds box = bounds_of(environment);
  Pack pack;
  pack.array("points", rings.points());
  return pack.finish(
      {{"origin", {origin.x, origin.y}},
       {"box", {box.low.x - origin.x, box.low.y - origin.y, box.high.x - origin.x, box.high.y - origin.y}},
       {"layers", std::move(layers)},
       {"connections", std::move(connections)}});
}

std::string pack_mesh(const Mesh& mesh, Vec2 origin) { return MeshPacker(mesh, origin).pack(); }

}  // namespace throng::server
