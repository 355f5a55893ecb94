#include "support/cut_plan.hpp"

#include <doctest/doctest.h>

#include <string>

#include "geometry/grid_point.hpp"

namespace throng::test {

using environment::CleanEnvironment;
using environment::Environment;
using environment::Kind;
using environment::Ring;
using geometry::GridPoint;

namespace {

CleanEnvironment cleaned(const Environment& source) {
  auto result = environment::clean(source);
  REQUIRE_MESSAGE(result.ok(), (result.ok() ? "" : to_string(result.problems()[0])));
  return *result;
}

/// Every stretch of border that two layers have in common, one this way and one that way, becomes a connection.
void connect_common_edges(const CleanEnvironment& world, Environment& source) {
  struct Edge {
    std::size_t layer;
    GridPoint a, b;
  };
  std::vector<Edge> edges;
  for (std::size_t layer = 0; layer < world.layers.size(); ++layer)
    for (const auto& polygon : world.layers[layer].free) {
      std::vector<environment::GridRing> rings = polygon.holes;
      rings.push_back(polygon.outer);
      for (const auto& ring : rings)
        for (std::size_t i = 0; i < ring.size(); ++i) edges.push_back({layer, ring[i], ring[(i + 1) % ring.size()]});
    }
  for (const Edge& e : edges)
    for (const Edge& f : edges) {
      const bool within = geometry::on_segment(f.a, f.b, e.a) && geometry::on_segment(f.a, f.b, e.b);
      const bool same = e.a == f.b && e.b == f.a;
      if (e.layer == f.layer || !within || (same && e.layer > f.layer)) continue;
      source.features.push_back({.kind = Kind::connection,
                                 .layer = e.layer,
                                 .other_layer = f.layer,
                                 .lines = {{world.grid.to_world(e.a), world.grid.to_world(e.b)}}});
    }
}

/// The same by hand, where clean() refuses a connection that ends at thin walls only; not if some edges differ in
/// length.
bool connect_equal_edges(CleanEnvironment& world, const Environment& source) {
  for (const environment::Feature& feature : source.features) {
    if (feature.kind != Kind::connection) continue;
    const GridPoint a = world.grid.snap(feature.lines[0][0]), b = world.grid.snap(feature.lines[0][1]);
    const auto has_edge = [&](std::size_t layer, GridPoint from, GridPoint to) {
      for (const auto& polygon : world.layers[layer].free) {
        std::vector<environment::GridRing> rings = polygon.holes;
        rings.push_back(polygon.outer);
        for (const auto& ring : rings)
          for (std::size_t i = 0; i < ring.size(); ++i)
            if (ring[i] == from && ring[(i + 1) % ring.size()] == to) return true;
      }
      return false;
    };
    if (!has_edge(feature.layer, a, b) || !has_edge(feature.other_layer, b, a)) return false;
    world.connections.push_back({a, b, feature.layer, feature.other_layer});
  }
  return true;
}

}  // namespace

std::optional<Cut> cut_plan(const Environment& plan, const std::vector<Ring>& pieces) {
  Environment parts;
  parts.grid = cleaned(plan).grid;
  for (std::size_t i = 0; i < pieces.size(); ++i) parts.layers.push_back({"part " + std::to_string(i), {}});
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    parts.features.push_back({.kind = Kind::walkable, .layer = i, .polygons = {{pieces[i], {}}}});
    for (environment::Feature feature : plan.features)
      if (feature.kind != Kind::walkable) feature.layer = i, parts.features.push_back(feature);
  }
  Cut result{cleaned(parts), {}};
  connect_common_edges(result.cut, parts);
  const auto connected = environment::clean(parts);
  if (connected)
    result.cut = *connected;
  else if (!connect_equal_edges(result.cut, parts))
    return std::nullopt;
  Environment joined = environment::to_environment(result.cut);
  joined.layers.resize(1);
  std::erase_if(joined.features, [](const environment::Feature& f) { return f.kind == Kind::connection; });
  for (environment::Feature& feature : joined.features) feature.layer = 0;
  result.uncut = cleaned(joined);
  return result;
}

}  // namespace throng::test
