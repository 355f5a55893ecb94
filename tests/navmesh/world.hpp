// Worlds drawn by hand for the tests of building, and what one asks of their meshes.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
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

/// A layer whose free space is one ring on the grid, counterclockwise.
inline void add_layer(CleanEnvironment& world, environment::GridRing ring) {
  environment::CleanLayer& layer = world.layers.emplace_back();
  layer.layer.id = std::to_string(world.layers.size());
  layer.free.emplace_back().outer = std::move(ring);
}

inline navmesh::MeshPtr build(const CleanEnvironment& environment) {
  auto mesh = navmesh::build_mesh(environment);
  REQUIRE_MESSAGE(mesh.ok(), (mesh.ok() ? "" : to_string(mesh.problems()[0])));
  return *mesh;
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
  return std::size_t(
      std::count_if(mesh.nodes.begin(), mesh.nodes.end(), [&](const auto& n) { return n.degree == degree; }));
}

}  // namespace throng::test
