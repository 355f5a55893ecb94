// `shortest` against an oracle that knows boundary edges only, against flow fields, which find distances by another order of search and no
// bounds, and against `short`.
#include <doctest/doctest.h>

#include <cmath>
#include <set>

#include "routes/axis_trace.hpp"
#include "routes/check_route.hpp"
#include "routes/flow_field.hpp"
#include "routes/held_to_oracle.hpp"
#include "routes/planner.hpp"
#include "routes/shortest_finder.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

bool nearly(double a, double b) { return std::abs(a - b) <= 1e-6 * std::max(1.0, b); }

/// The length of the shortest route, checked in every way but for its length; infinite where there is none.
double shortest_length(const World& world, Planner& planner, const navmesh::Place& from, const navmesh::Place& to,
                       double radius) {
  Route shorter, route;
  RouteQuery query{.from = from, .to = to, .radius = radius};
  const NoRoute by_short = planner.plan(query, shorter);
  query.method = RouteMethod::shortest;
  REQUIRE(planner.plan(query, route) == by_short);
  if (by_short != NoRoute::found) return INFINITY;
  check_route(*world.mesh, route, radius);
  CHECK(route.length <= shorter.length + 1e-9);
  CHECK(route.cost == route.length);
  CHECK(topology_of(*world.graph, route));
  return route.length;
}

/// Between random places, against a flow field to each goal.
void compare_with_fields(const World& world, std::uint64_t seed, double radius, int goals, int starts) {
  test::Random random(seed);
  Planner planner(world.graph);
  const auto tiles = std::make_shared<const CorridorTiles>(world.graph);
  for (int g = 0; g < goals; ++g) {
    const auto to = free_place(*world.mesh, random, radius);
    if (!to) return;
    const FlowGoal goal{*to, 0};
    const FlowField field(tiles, {&goal, 1}, radius);
    for (int s = 0; s < starts; ++s) {
      const auto from = free_place(*world.mesh, random, radius);
      if (!from) return;
      INFO("from " << from->point.x << "," << from->point.y << " to " << to->point.x << "," << to->point.y << " radius "
                   << radius);
      const double expected = field.distance(*from, navmesh::locate(*world.mesh, *from).cell);
      const double found = shortest_length(world, planner, *from, *to, radius);
      if (expected == INFINITY || found == INFINITY)
        CHECK(expected == found);
      else
        CHECK(nearly(found, expected));
    }
  }
}

struct OracleBudget {
  int pairs;
  std::size_t most_lines;  ///< that the oracle may look at for one length; nearly all take less than 20,000
};

/// Between random places, against the oracle.
void compare_with_oracle(const World& world, std::uint64_t seed, double radius, const OracleBudget& budget,
                         OracleTally& tally) {
  test::Random random(seed + std::uint64_t(100 * radius));  // other places for each radius
  Planner planner(world.graph);
  test::ShortestOracle oracle(world.clean, radius);
  for (int i = 0; i < budget.pairs; ++i) {
    const auto from = free_place(*world.mesh, random, radius), to = free_place(*world.mesh, random, radius);
    if (!from || !to) return;
    INFO("from " << from->point.x << "," << from->point.y << "," << from->layer << " to " << to->point.x << ","
                 << to->point.y << "," << to->layer << " radius " << radius);
    hold_to_oracle(oracle, *from, *to, shortest_length(world, planner, *from, *to, radius), budget.most_lines, tally);
  }
}

/// Between places that see each other it is the straight line; for others it is longer, and shortest_length() checks the rest.
void compare_with_sight(const World& world, std::uint64_t seed, double radius, int pairs) {
  test::Random random(seed);
  Planner planner(world.graph);
  for (int i = 0; i < pairs; ++i) {
    const auto from = free_place(*world.mesh, random, radius), to = free_place(*world.mesh, random, radius);
    REQUIRE((from && to));
    INFO("from " << from->point.x << "," << from->point.y << " to " << to->point.x << "," << to->point.y);
    const double straight = std::sqrt(squared_length(to->point - from->point));
    const double found = shortest_length(world, planner, *from, *to, radius);
    if (navmesh::visible(*world.mesh, *from, *to, radius)) CHECK(nearly(found, straight));
    CHECK(found >= straight - 1e-9);
  }
}

}  // namespace

TEST_CASE("shortest: the corridor that is longer along the axis may be the shorter one") {
  // A block in a wide room: below it the way is straight but its axis makes a detour into the wide part.
  environment::Environment e = room(60, 40);
  add_block(e, 20, 14, 40, 22);
  const World world = make_world(e);
  Planner planner(world.graph);
  test::Random random(1);
  int shorter = 0;
  for (int i = 0; i < 200; ++i) {
    const auto from = free_place(*world.mesh, random, 0.25);
    const auto to = free_place(*world.mesh, random, 0.25);
    REQUIRE((from && to));
    Route route;
    RouteQuery query{.from = *from, .to = *to, .radius = 0.25};
    REQUIRE(planner.plan(query, route) == NoRoute::found);
    const double by_short = route.length;
    const double length = shortest_length(world, planner, *from, *to, 0.25);
    shorter += length < by_short - 1e-6;
    if (navmesh::visible(*world.mesh, *from, *to, 0.25))
      CHECK(length == doctest::Approx(distance(from->point, to->point)).epsilon(1e-12));
  }
  CHECK(shorter > 0);  // so that the test says something
}

TEST_CASE("shortest: by hand, over a corner") {
  environment::Environment e = room(20, 20);
  add_block(e, 8, 0, 12, 10);
  const World world = make_world(e);
  Planner planner(world.graph);
  // From (2, 10) to (18, 10), straight over the block's top at distance 1: tangents of length 6 from 6 away, arcs of a unit circle.
  const double length = shortest_length(world, planner, {{2, 10}, 0}, {{18, 10}, 0}, 1);
  const double tangent = std::sqrt(35.0);
  const double arc = std::asin(1.0 / 6);
  CHECK(length == doctest::Approx(2 * tangent + 2 * arc + 4).epsilon(1e-12));
}

TEST_CASE("shortest: passages of a way that turns around two corners which the body just fits between") {
  // The tangent between both circles is a point, on a gate without a width.
  environment::Environment e = room(20, 20);
  add_block(e, 2, 10, 9.5, 12);
  add_block(e, 10.5, 8, 18, 10);
  const World world = make_world(e);
  Planner planner(world.graph);
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  std::size_t through = 0;
  for (int i = 0; i < 500; ++i) {
    const auto from = free_place(*world.mesh, random, 0.5), to = free_place(*world.mesh, random, 0.5);
    REQUIRE((from && to));
    INFO("from " << from->point.x << "," << from->point.y << " to " << to->point.x << "," << to->point.y);
    CHECK(shortest_length(world, planner, *from, *to, 0.5) < INFINITY);
    Route route;
    planner.plan({.from = *from, .to = *to, .radius = 0.5, .method = RouteMethod::shortest}, route);
    const auto topology = topology_of(*world.graph, route);
    REQUIRE(topology);
    std::set<Index> passages;
    for (const Index directed : topology->passages) CHECK(passages.insert(directed / 2).second);
    for (const Piece& piece : route.pieces)
      through += std::abs(piece.to.x - 10) < 1e-6 && std::abs(piece.to.y - 10) < 1e-6;
  }
  CHECK(through > 20);  // so that the test says something
}

TEST_CASE("shortest: the same answer whatever was asked before, for many radii") {
  const World world = example("office");
  Planner used(world.graph);
  test::Random random(7);
  std::vector<RouteQuery> queries;
  for (int i = 0; i < 40; ++i) {
    const double radius = 0.1 + 0.05 * double(random.below(8));
    const auto from = free_place(*world.mesh, random, radius);
    const auto to = free_place(*world.mesh, random, radius);
    if (from && to) queries.push_back({.from = *from, .to = *to, .radius = radius, .method = RouteMethod::shortest});
  }
  for (const RouteQuery& query : queries) {
    Route route, expected;
    Planner fresh(world.graph);
    const NoRoute reason = used.plan(query, route);
    REQUIRE(fresh.plan(query, expected) == reason);
    CHECK(same_route(route, expected));
  }
}

/// What is found hopefully is what a search without a limit finds; how often nothing is, though there is a way.
std::size_t compare_hopes(const World& world, std::uint64_t seed, double radius, int pairs, std::size_t& found) {
  const navmesh::Mesh& mesh = *world.mesh;
  test::Random random(seed);
  ShortestFinder finder(world.graph);
  std::size_t disappointed = 0;
  for (int i = 0; i < pairs; ++i) {
    const auto from = free_place(mesh, random, radius);
    auto to = free_place(mesh, random, radius);
    if (!from || !to) break;
    // Every fourth time close by, most often in the same tile.
    const navmesh::Place beside{from->point + Vec2{0.01, 0.02}, from->layer};
    if (const auto at = navmesh::locate(mesh, beside); i % 4 == 0 && at && at.clearance >= radius) to = beside;
    const ShortestFinder::End start{*from, navmesh::locate(mesh, *from).cell};
    const ShortestFinder::End goal{*to, navmesh::locate(mesh, *to).cell};
    INFO("from " << from->point.x << "," << from->point.y << " to " << to->point.x << "," << to->point.y << " radius "
                 << radius);
    ShortestWay hoped, expected;
    const bool there_is = finder.find(start, goal, radius, unreachable, expected);
    finder.begin(start, goal, radius, std::nullopt);
    const bool is_found = finder.advance(any_number) == SearchStatus::found;
    if (is_found) finder.collect(hoped);
    if (is_found) REQUIRE(there_is);
    if (is_found) CHECK(std::abs(hoped.length - expected.length) <= 1e-9 * std::max(1.0, expected.length));
    found += there_is;
    disappointed += there_is && !is_found;
  }
  return disappointed;
}

TEST_CASE("shortest: what is hoped for is the shortest way, or nothing; and hopes are rarely disappointed") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  std::size_t found = 0, disappointed = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 9, kind));
    // The widest of a class have the worst labels.
    for (const double radius : {0.0, 0.25, 0.49, 0.99, 1.99})
      disappointed += compare_hopes(world, seed, radius, 12, found);
  }
  CHECK(disappointed * 5 <= found);
}

TEST_CASE("shortest: a point gets through a slit of two millimetres, along its wall") {
  // Between two hedges of the example a wall is a tangent of both its ends, to the last digit.
  const World world = example("quarter");
  Planner planner(world.graph);
  const navmesh::Place from{{87.6258, 75.6696}, 0};
  const navmesh::Place to{{27.4398, 4.30305}, 0};
  const FlowGoal goal{to, 0};
  const FlowField field(std::make_shared<const CorridorTiles>(world.graph), {&goal, 1}, 0);
  const double found = shortest_length(world, planner, from, to, 0);
  CHECK(found == doctest::Approx(96.934385951).epsilon(1e-10));
  CHECK(nearly(field.distance(from, navmesh::locate(*world.mesh, from).cell), found));
}

constexpr double all_radii[] = {0, 0.25, 0.5, 1, 2};
constexpr std::initializer_list<const char*> all_maps = {"kaiserslautern.geojson", "Berlin_0_256.poly",
                                                         "Milan_1_512.poly", "Sydney_2_1024.poly"};

TEST_CASE("shortest: random scenes, layered ones too: as long as the oracle says, and as the field says") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  OracleTally tally;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 5, kind));
    for (const double radius : all_radii) {
      compare_with_fields(world, seed, radius, 2, 6);
      compare_with_oracle(world, seed, radius, {8, 20'000}, tally);
    }
  }
  report(tally);
}

TEST_CASE("shortest: on examples, layered ones too, and real maps as long as the oracle says, and as the field says") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const std::string& file : map_files(all_maps)) {
    INFO("file " << file);
    const World world = read_world(file);
    for (const double radius : {0.0, 0.25, 1.0}) compare_with_fields(world, seed, radius, 2, 10);
    compare_with_sight(world, seed, 0.25, 1000);
    // Labels of the largest maps take seconds for each further radius: the long test has those.
    const bool quick = world.clean.vertex_count() < 6000;
    OracleTally tally;
    for (const double radius : all_radii)
      if (quick || (radius != 0.5 && radius != 2)) compare_with_oracle(world, seed, radius, {20, 60'000}, tally);
    report(tally);
  }
}

TEST_CASE("long: shortest routes on examples and real maps, as long as the oracle says") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const std::string& file : map_files(all_maps)) {
    INFO("file " << file);
    const World world = read_world(file);
    OracleTally tally;
    for (const double radius : all_radii) compare_with_oracle(world, seed + 1, radius, {200, 300'000}, tally);
    report(tally);
  }
}

TEST_CASE("long: shortest routes in 500 random scenes") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  OracleTally tally;
  for (std::uint64_t round = 0; round < 500; ++round) {
    const environment::SceneKind kind = environment::all_scene_kinds[round % std::size(environment::all_scene_kinds)];
    INFO("scene " << environment::name_of(kind) << " " << round);
    const World world = make_world(environment::random_scene(seed + 5000 + round, kind));
    for (const double radius : all_radii) {
      compare_with_fields(world, seed ^ round, radius, 2, 10);
      compare_with_oracle(world, seed ^ round, radius, {20, 1'000'000}, tally);
    }
  }
  report(tally);
}

TEST_CASE("shortest routes are the same bits by labels and by the straight line, at once and in portions") {
  test::Random random(77);
  for (const char* scene : {"office", "station", "quarter", "park"}) {
    INFO(scene);
    // One world each: labels belong to a world's graph, and the second must never make any.
    const World labelled = example(scene), bare = example(scene);
    const double radius = 0.24;
    Planner by_labels(labelled.graph), by_line(bare.graph), in_portions(labelled.graph), line_in_portions(bare.graph);
    for (int pair = 0; pair < 20; ++pair) {
      const auto from = free_place(*labelled.mesh, random, radius), to = free_place(*labelled.mesh, random, radius);
      if (!from || !to) continue;
      const RouteQuery query{.from = *from, .to = *to, .radius = radius, .method = RouteMethod::shortest};
      RouteQuery without = query;
      without.by_labels = false;
      Route expected, route;
      const NoRoute verdict = by_labels.plan(query, expected);
      const auto check_same = [&](NoRoute found) {
        REQUIRE(found == verdict);
        CHECK(route.length == expected.length);
        REQUIRE(route.pieces.size() == expected.pieces.size());
        for (std::size_t i = 0; i < route.pieces.size(); ++i) CHECK(route.pieces[i].from == expected.pieces[i].from);
      };
      check_same(by_line.plan(without, route));
      for (auto& [planner, asked] :
           {std::pair<Planner&, const RouteQuery&>{in_portions, query}, {line_in_portions, without}}) {
        NoRoute found = planner.begin(asked);
        if (found == NoRoute::found) {
          SearchStatus status = SearchStatus::running;
          while (status == SearchStatus::running) status = planner.advance(1 + random.below(3));
          found = planner.finish(status == SearchStatus::found, route);
        } else {
          route = {};
        }
        check_same(found);
      }
    }
  }
}
