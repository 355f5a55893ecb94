// Alternatives against `shortest`, against each other, and against counts of classes known by hand or by walking all simple paths.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

#include "routes/alternatives_finder.hpp"
#include "routes/axis_trace.hpp"
#include "routes/check_route.hpp"
#include "routes/planner.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

bool nearly(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(1.0, b); }

/// Everything that is promised of one query; the alternatives.
Planner::Alternatives check_query(const World& world, Planner& planner, RouteQuery query, std::size_t count) {
  Planner::Alternatives found;
  const NoRoute verdict = planner.plan_alternatives(query, count, found);
  Route shortest;
  query.method = RouteMethod::shortest;
  REQUIRE(planner.plan(query, shortest) == verdict);
  if (verdict != NoRoute::found) {
    CHECK(found.routes.empty());
    return found;
  }
  CHECK(found.complete);
  REQUIRE(!found.routes.empty());
  REQUIRE(found.routes.size() <= count);
  CHECK(nearly(found.routes.front().length, shortest.length));
  std::set<ChainWord> classes;
  for (std::size_t i = 0; i < found.routes.size(); ++i) {
    const Route& route = found.routes[i];
    check_route(*world.mesh, route, query.radius);
    if (i > 0) CHECK(route.length >= found.routes[i - 1].length - 1e-9);
    CHECK(route.cost == route.length);
    const auto topology = topology_of(*world.graph, route);
    REQUIRE(topology);
    std::set<Index> chains;
    for (const Index directed : topology->chains) chains.insert(directed / 2);
    CHECK(chains.size() == topology->chains.size());  // simple: no chain is walked twice
    classes.insert(topology->chains);
  }
  CHECK(classes.size() == found.routes.size());
  return found;
}

/// All simple ways through tiles, counted one by one: another way of looking for classes, that knows nothing of lengths.
std::size_t count_simple_paths(const CorridorTiles& tiles, double radius, Index at, Index goal,
                               std::vector<char>& passed, std::size_t most) {
  if (at == goal) return 1;
  passed[at] = 1;
  std::size_t count = 0;
  for (const TileGate& gate : tiles.gates(at)) {
    if (count >= most) break;
    if (gate.tile == none || passed[gate.tile] != 0 || !gate.lets_through(radius) || tiles.is_narrow(gate.tile, radius))
      continue;
    count += count_simple_paths(tiles, radius, gate.tile, goal, passed, most - count);
  }
  passed[at] = 0;
  return count;
}

}  // namespace

TEST_CASE("alternatives: around one pillar there are two ways, by hand") {
  environment::Environment e = room(20, 20);
  add_block(e, 6, 6, 14, 12);
  const World world = make_world(e);
  Planner planner(world.graph);
  const auto found = check_query(world, planner, {.from = {{2, 10}, 0}, .to = {{18, 10}, 0}, .radius = 0}, 10);
  REQUIRE(found.routes.size() == 2);
  CHECK(found.routes[0].length == doctest::Approx(2 * std::hypot(4, 2) + 8));
  CHECK(found.routes[1].length == doctest::Approx(2 * std::hypot(4, 4) + 8));
  for (const double radius : {0.25, 1.0, 2.5})
    CHECK(
        check_query(world, planner, {.from = {{3, 10}, 0}, .to = {{17, 10}, 0}, .radius = radius}, 10).routes.size() ==
        2);
  // Too wide for the way below the pillar... there is none narrower than 6 m: above it are 8.
  CHECK(check_query(world, planner, {.from = {{3.5, 16}, 0}, .to = {{16.5, 16}, 0}, .radius = 3.5, .adjust = 3}, 10)
            .routes.size() == 1);
}

TEST_CASE("alternatives: a ring corridor has exactly two, also where both ends are in one stretch of it") {
  environment::Environment e = room(20, 20);
  add_block(e, 2, 2, 18, 18);
  const World world = make_world(e);
  Planner planner(world.graph);
  const auto across = check_query(world, planner, {.from = {{1, 10}, 0}, .to = {{19, 11}, 0}, .radius = 0.25}, 5);
  CHECK(across.routes.size() == 2);
  for (const double to : {8.0, 12.0}) {
    const auto along = check_query(world, planner, {.from = {{1, 10}, 0}, .to = {{1, to}, 0}, .radius = 0.25}, 5);
    REQUIRE(along.routes.size() == 2);
    CHECK(along.routes[0].length == doctest::Approx(2));
    CHECK(along.routes[1].length > 60);
  }
}

TEST_CASE("alternatives: one in a tree of corridors, the count asked for where there are many") {
  environment::Environment e = room(40, 10);
  add_block(e, 10, 0, 11, 8);
  add_block(e, 20, 2, 21, 10);
  const World tree = make_world(e);
  Planner in_tree(tree.graph);
  CHECK(check_query(tree, in_tree, {.from = {{2, 5}, 0}, .to = {{38, 5}, 0}, .radius = 0.3}, 7).routes.size() == 1);
  environment::Environment blocks = room(60, 60);
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 5; ++k) add_block(blocks, 4 + 11 * i, 4 + 11 * k, 10 + 11 * i, 10 + 11 * k);
  const World city = make_world(blocks);
  Planner in_city(city.graph);
  for (const std::size_t count : {1, 3, 20})
    CHECK(check_query(city, in_city, {.from = {{2, 2}, 0}, .to = {{58, 57}, 0}, .radius = 0.3}, count).routes.size() ==
          count);
}

TEST_CASE("alternatives: as many as there are simple ways, where those can be counted") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  int counted = 0;
  for (int round = 0; round < 30; ++round) {
    environment::Environment e = room(30, 30);
    const std::size_t blocks = 1 + random.below(3);
    for (std::size_t i = 0; i < blocks; ++i) {
      const double x = 2 + 9 * double(i), y = random.uniform(2, 20);
      add_block(e, x, y, x + random.uniform(2, 7), y + random.uniform(2, 7));
    }
    const World world = make_world(e);
    const auto tiles = std::make_shared<const CorridorTiles>(world.graph);
    Planner planner(world.graph);
    const double radius = round % 2 == 0 ? 0.25 : 0.6;
    const auto from = free_place(*world.mesh, random, radius), to = free_place(*world.mesh, random, radius);
    if (!from || !to) continue;
    const auto tile_of = [&](const navmesh::Place& place) {
      return tiles->tile_at(navmesh::locate(*world.mesh, place).cell, place.point, radius);
    };
    const Index start = tile_of(*from), goal = tile_of(*to);
    if (start == goal || tiles->is_narrow(start, radius) || tiles->is_narrow(goal, radius)) continue;
    std::vector<char> passed(tiles->size(), 0);
    const std::size_t expected = count_simple_paths(*tiles, radius, start, goal, passed, 60);
    const auto found = check_query(world, planner, {.from = *from, .to = *to, .radius = radius}, 60);
    INFO("round " << round << " from " << from->point.x << "," << from->point.y << " to " << to->point.x << ","
                  << to->point.y);
    CHECK(found.routes.size() == expected);
    ++counted;
  }
  CHECK(counted > 10);
}

TEST_CASE("alternatives: fewer asked for are the first of more") {
  const World world = example("quarter");
  Planner planner(world.graph);
  test::Random random(5);
  for (int i = 0; i < 5; ++i) {
    const auto from = free_place(*world.mesh, random, 0.25), to = free_place(*world.mesh, random, 0.25);
    REQUIRE((from && to));
    Planner::Alternatives few, many;
    const RouteQuery query{.from = *from, .to = *to, .radius = 0.25};
    (void)planner.plan_alternatives(query, 3, few);
    (void)planner.plan_alternatives(query, 6, many);
    REQUIRE(few.routes.size() <= many.routes.size());
    for (std::size_t k = 0; k < few.routes.size(); ++k)
      CHECK(few.routes[k].length == doctest::Approx(many.routes[k].length).epsilon(1e-9));
  }
}

TEST_CASE("alternatives: random scenes, layered ones too") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  int routes = 0, queries = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 11, kind));
    Planner planner(world.graph);
    for (const double radius : {0.0, 0.25, 0.5, 1.0}) {
      for (int i = 0; i < 3; ++i) {
        const auto from = free_place(*world.mesh, random, radius), to = free_place(*world.mesh, random, radius);
        if (!from || !to) continue;
        INFO("from " << from->point.x << "," << from->point.y << " to " << to->point.x << "," << to->point.y
                     << " radius " << radius);
        ++queries;
        routes += int(
            check_query(world, planner, {.from = *from, .to = *to, .radius = radius, .adjust = 0}, 4).routes.size());
      }
    }
  }
  CHECK(routes > queries);
  MESSAGE(routes, " routes of ", queries, " queries");
}

namespace {

void check_map(const std::string& file, int queries) {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  INFO("file " << file);
  test::Random random(seed);
  const World world = read_world(file);
  Planner planner(world.graph);
  for (int i = 0; i < queries; ++i) {
    const auto from = free_place(*world.mesh, random, 0.25), to = free_place(*world.mesh, random, 0.25);
    if (!from || !to) continue;
    INFO("from " << from->point.x << "," << from->point.y << " to " << to->point.x << "," << to->point.y);
    check_query(world, planner, {.from = *from, .to = *to, .radius = 0.25}, 3);
  }
}

}  // namespace

TEST_CASE("alternatives: examples and a real map") {
  for (const std::string& file : map_files({"kaiserslautern.geojson"})) check_map(file, 3);
}

TEST_CASE("long: alternatives on real maps") {
  for (const std::string& file : map_files({"kaiserslautern.geojson", "Berlin_0_256.poly", "Milan_1_512.poly"}))
    check_map(file, 20);
}

TEST_CASE("alternatives: no way, nothing asked for") {
  const World world = make_world(room(10, 10));
  Planner planner(world.graph);
  Planner::Alternatives found;
  CHECK(planner.plan_alternatives({.from = {{5, 5}, 0}, .to = {{50, 5}, 0}}, 3, found) == NoRoute::goal_blocked);
  CHECK(found.routes.empty());
  CHECK(planner.plan_alternatives({.from = {{5, 5}, 0}, .to = {{6, 5}, 0}}, 0, found) == NoRoute::found);
  CHECK(found.routes.empty());
  CHECK(planner.plan_alternatives({.from = {{5, 5}, 0}, .to = {{6, 5}, 0}, .radius = NAN}, 3, found) ==
        NoRoute::bad_query);
}
