// Which tile holds a place.
#include "routes/corridor_tiles.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

/// A wide round square whose rim has teeth: many small edges of the axis end between two corners far across.
environment::Environment toothed_square(int teeth, double radius) {
  std::string ring;
  for (int i = 0; i <= 2 * teeth; ++i) {
    const double angle = std::numbers::pi * (i % (2 * teeth)) / teeth;
    const double away = i % 2 == 0 ? radius : radius + 3;
    ring +=
        (i == 0 ? "" : ", ") + std::to_string(away * std::cos(angle)) + " " + std::to_string(away * std::sin(angle));
  }
  const auto source = environment::parse_environment("wkt", "POLYGON((" + ring + "))", "toothed square");
  REQUIRE(source);
  return *source;
}

/// No gate of the tile has the place on its other side.
int check_tiles(const World& world, test::Random& random, double radius, int places) {
  const CorridorTiles tiles(world.graph);
  constexpr double rounding = 1e-9;
  int checked = 0;
  for (int i = 0; i < places; ++i) {
    const auto place = free_place(*world.mesh, random, radius);
    if (!place) break;
    CAPTURE(place->point.x);
    CAPTURE(place->point.y);
    const Index tile = tiles.tile_at(navmesh::locate(*world.mesh, *place).cell, place->point, radius);
    for (const TileGate& gate : tiles.gates(tile))
      if (gate.tile != none && gate.lets_through(radius)) CHECK(gate.inside(place->point, radius) >= -rounding);
    ++checked;
  }
  return checked;
}

}  // namespace

TEST_CASE("tiles: a place lies in its tile, in random scenes, on maps and in a wide square") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  int checked = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 5, kind));
    for (const double radius : {0.0, 0.25, 1.0}) checked += check_tiles(world, random, radius, 100);
  }
  for (const std::string& file : map_files({"Sydney_2_1024.poly", "Milan_1_512.poly"})) {
    INFO("file " << file);
    checked += check_tiles(read_world(file), random, 0.25, 5000);
  }
  checked += check_tiles(make_world(toothed_square(300, 100)), random, 0.25, 2000);
  CHECK(checked > 2000);
}

TEST_CASE("shortest: across a wide square it is the straight line") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  const World world = make_world(toothed_square(300, 100));
  Planner planner(world.graph);
  for (int i = 0; i < 200; ++i) {
    const auto place = [&] {
      const double away = random.uniform(0, 95), angle = random.uniform(0, 2 * std::numbers::pi);
      return navmesh::Place{{away * std::cos(angle), away * std::sin(angle)}, 0};
    };
    const RouteQuery query{.from = place(), .to = place(), .radius = 0.25, .method = RouteMethod::shortest};
    Route route;
    REQUIRE(planner.plan(query, route) == NoRoute::found);
    CHECK(route.length == doctest::Approx(std::sqrt(squared_length(query.to.point - query.from.point))));
  }
}
