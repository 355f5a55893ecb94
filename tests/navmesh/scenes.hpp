// Small worlds for the mesh tests, and an independent, slow way to the same answers.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "environment/clean.hpp"
#include "navmesh/build.hpp"
#include "navmesh/mesh.hpp"

namespace throng::test {

using environment::CleanEnvironment;
using environment::Environment;
using environment::Kind;
using environment::Polygon;
using environment::Ring;

inline Ring box(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

/// A world of one layer, drawn in metres.
class World {
 public:
  explicit World(Ring walkable) {
    environment_.layers.push_back({"ground", {}});
    environment_.features.push_back({.kind = Kind::walkable, .polygons = {{std::move(walkable), {}}}});
  }
  World& obstacle(Ring ring) {
    environment_.features.push_back({.kind = Kind::obstacle, .polygons = {{std::move(ring), {}}}});
    return *this;
  }
  World& wall(environment::Line line) {
    environment_.features.push_back({.kind = Kind::obstacle, .lines = {std::move(line)}});
    return *this;
  }
  World& opening(Ring ring) {
    environment_.features.push_back({.kind = Kind::opening, .polygons = {{std::move(ring), {}}}});
    return *this;
  }
  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] CleanEnvironment clean(double unit = 0) const {
    auto cleaned = environment::clean(environment_, {.unit = unit});
    REQUIRE_MESSAGE(cleaned.ok(), (cleaned.ok() ? "" : to_string(cleaned.problems()[0])));
    return *cleaned;
  }

 private:
  Environment environment_;
};

inline navmesh::MeshPtr build(const CleanEnvironment& environment) {
  auto mesh = navmesh::build_mesh(environment);
  REQUIRE_MESSAGE(mesh.ok(), (mesh.ok() ? "" : to_string(mesh.problems()[0])));
  return *mesh;
}

/// Boundary segments of a layer in metres, connections left out.
struct Wallish {
  Vec2 a, b;
};
inline std::vector<Wallish> boundary_segments(const CleanEnvironment& environment, std::size_t layer) {
  std::vector<Wallish> result;
  const auto add = [&](geometry::GridPoint a, geometry::GridPoint b) {
    for (const auto& c : environment.connections)
      if ((c.a == a && c.b == b && c.left_layer == layer) || (c.b == a && c.a == b && c.right_layer == layer)) return;
    result.push_back({environment.grid.to_world(a), environment.grid.to_world(b)});
  };
  const auto add_ring = [&](const environment::GridRing& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) add(ring[i], ring[(i + 1) % ring.size()]);
  };
  for (const auto& polygon : environment.layers[layer].free) {
    add_ring(polygon.outer);
    for (const auto& hole : polygon.holes) add_ring(hole);
  }
  for (const auto& wall : environment.layers[layer].walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i) add(wall.points[i - 1], wall.points[i]);
  return result;
}

inline double distance_to(const Wallish& s, Vec2 p) {
  const Vec2 d = s.b - s.a;
  const double t = std::clamp(dot(p - s.a, d) / squared_length(d), 0.0, 1.0);
  const Vec2 v = p - (s.a + d * t);
  return std::sqrt(squared_length(v));
}

inline double brute_clearance(const std::vector<Wallish>& boundary, Vec2 p) {
  double best = INFINITY;
  for (const Wallish& s : boundary) best = std::min(best, distance_to(s, p));
  return best;
}

/// Whether p is in the free space of a layer; even-odd over its rings.
inline bool in_free_space(const CleanEnvironment& environment, std::size_t layer, Vec2 p) {
  bool inside = false;
  const auto count = [&](const environment::GridRing& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) {
      const Vec2 a = environment.grid.to_world(ring[i]);
      const Vec2 b = environment.grid.to_world(ring[(i + 1) % ring.size()]);
      if ((a.y > p.y) != (b.y > p.y) && p.x < a.x + (b.x - a.x) * (p.y - a.y) / (b.y - a.y)) inside = !inside;
    }
  };
  for (const auto& polygon : environment.layers[layer].free) {
    count(polygon.outer);
    for (const auto& hole : polygon.holes) count(hole);
  }
  return inside;
}

inline geometry::Box bounds(const navmesh::Mesh& mesh) {
  geometry::Box box{{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
  for (const auto& site : mesh.sites)
    for (const Vec2 p : {site.a, site.b}) {
      box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
      box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
    }
  return box;
}

inline double extent(const navmesh::Mesh& mesh) {
  const geometry::Box box = bounds(mesh);
  return std::max(box.max.x - box.min.x, box.max.y - box.min.y);
}

inline std::size_t vertices_of_degree(const navmesh::Mesh& mesh, navmesh::Index degree) {
  return std::size_t(std::count_if(mesh.nodes.begin(), mesh.nodes.end(), [&](const auto& n) { return n.degree == degree; }));
}

}  // namespace throng::test
