// Surfaces against their laws: areas by type, neighbours, fans, and what a disc feels by brute force over regions.
#include "ground/surface.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::ground;

namespace {

environment::CleanEnvironment load(const std::string& name) {
  const auto source = environment::read_environment(std::string(THRONG_SOURCE_DIR "/") + name);
  REQUIRE(source.ok());
  auto clean = environment::clean(*source);
  REQUIRE(clean.ok());
  return std::move(clean).value();
}

double area_of(const Surface& surface, const Surface::Triangle& t) {
  const Vec2 a = surface.point(t.vertex[0]), b = surface.point(t.vertex[1]), c = surface.point(t.vertex[2]);
  return cross(b - a, c - a) / 2;
}

}  // namespace

TEST_CASE("surface: areas by type are those of the cleaned regions") {
  for (const char* name : {"experiments/puddle.geojson", "experiments/zigzag.geojson", "experiments/forest.geojson",
                           "experiments/abstract_regions.geojson", "examples/park.geojson"}) {
    INFO(std::string(name));
    const auto world = load(name);
    const auto surface = Surface::make(world, {});
    REQUIRE(surface.ok());
    std::map<std::string, double> mine, theirs;
    for (const auto& t : surface->triangles()) {
      CHECK(area_of(*surface, t) > 0);
      REQUIRE(surface->sets()[t.set].size() == 1);
      mine[surface->types()[surface->sets()[t.set][0]]] += area_of(*surface, t);
    }
    double free = 0;
    for (const auto& layer : world.layers) {
      free += environment::area(layer.free, world.grid);
      for (const auto& region : layer.regions) theirs[region.type] += environment::area(region.polygons, world.grid);
    }
    double all = 0;
    for (const auto& [type, area] : mine) all += area;
    // Where borders of regions cross walls, which they may by two units of the snap grid, the crossing is rounded to a sixteenth of one
    // and bends both; slivers are counted as the ground beside them. Elsewhere areas agree to 1e-9.
    double rims = 0;
    for (const auto& edge : surface->edges()) rims += edge.triangle[1] == none ? edge.length : 0;
    const bool crosses = std::string(name).starts_with("examples");
    const double rounded = crosses ? rims * world.grid.to_metres(1.0) / 16 : 0;
    CHECK(std::abs(all - free) <= 1e-9 * free + rounded);
    CHECK((crosses || surface->absorbed_area() == 0));
    for (const auto& [type, area] : theirs) {
      INFO(type);
      CHECK(std::abs(mine[type] - area) <= 1e-9 * area + (crosses ? rims * world.grid.to_metres(2.0) : 0));
    }
  }
}

TEST_CASE("surface: neighbours are mutual, edges have their triangles, fans are in order") {
  for (const double radius : {0.0, 0.25}) {
    const auto world = load("examples/station.geojson");
    const auto made = Surface::make(world, {radius, radius});
    REQUIRE(made.ok());
    const Surface& surface = *made;
    bool joins_layers = false;
    for (Index t = 0; t < surface.triangles().size(); ++t)
      for (std::size_t i = 0; i < 3; ++i) {
        const auto& triangle = surface.triangles()[t];
        const Index n = triangle.beyond[i];
        const auto& edge = surface.edges()[triangle.edge[i]];
        const Index a = triangle.vertex[(i + 1) % 3], b = triangle.vertex[(i + 2) % 3];
        CHECK(((edge.a == a && edge.b == b) || (edge.a == b && edge.b == a)));
        CHECK((edge.triangle[0] == t || edge.triangle[1] == t));
        if (n == none) continue;
        const auto& other = surface.triangles()[n];
        CHECK((other.beyond[0] == t || other.beyond[1] == t || other.beyond[2] == t));
        joins_layers |= other.layer != triangle.layer;
      }
    CHECK(joins_layers);
    for (Index v = 0; v < surface.vertices().size(); ++v)
      for (const Index e : surface.edges_at(v)) CHECK((surface.edges()[e].a == v || surface.edges()[e].b == v));
  }
}

TEST_CASE("surface: a body's ground is shrunk by its radius and feels what is within it") {
  const auto world = load("experiments/puddle.geojson");
  const double radius = 0.5;
  const auto surface = Surface::make(world, {radius, radius});
  REQUIRE(surface.ok());
  double area = 0;
  for (const auto& t : surface->triangles()) area += area_of(*surface, t);
  CHECK(area == doctest::Approx(99.0 * 49.0).epsilon(1e-4));
  const auto felt_at = [&](Vec2 p) {
    const auto at = surface->locate({p, 0}, 0.01);
    REQUIRE(at);
    std::vector<std::string> names;
    for (const Index type : surface->sets()[surface->triangles()[at->triangle].set])
      names.push_back(surface->types()[type]);
    return names;
  };
  using Names = std::vector<std::string>;
  CHECK(felt_at({10, 7.5}) == Names{"road"});
  CHECK(felt_at({10, 5.4}) == Names{"grass", "road"});
  CHECK(felt_at({10, 4.6}) == Names{"grass", "road"});
  CHECK(felt_at({10, 10.45}) == Names{"forest", "road"});
  CHECK(felt_at({10, 10.6}) == Names{"forest"});
  CHECK(felt_at({50, 28}) == Names{"water"});
}
