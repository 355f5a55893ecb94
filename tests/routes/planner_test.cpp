// Routes against the mesh and against independent means: clearance of every piece, connectivity of the inflated free space, and
// that no shorter path exists in the corridor.
#include "routes/planner.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "routes/check_route.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

void check_points(const Mesh& mesh, const Route& route, double radius) {
  const std::vector<Place> points = route.flatten(mesh, 1e-3);
  bool kept = true;
  for (std::size_t i = 1; i < points.size(); ++i) {
    // A point on a connection belongs to both layers; the line goes on in the second one's.
    const Place from{points[i - 1].point, points[i].layer};
    kept &= slides(mesh, from, points[i], radius);
  }
  CHECK(kept);
}

/// Components of the part of the axis that is at least `radius` away from obstacles, by union-find over arcs that touch in wide
/// enough nodes: not how the planner searches.
class WideParts {
 public:
  WideParts(const RouteGraph& graph, double radius) : mesh_(graph.mesh()), parent_(mesh_.node_count()) {
    std::iota(parent_.begin(), parent_.end(), 0u);
    for (Index a = 0; a < mesh_.arc_count(); ++a)
      if (graph.arc_clearance(a) >= radius) parent_[root(mesh_.arc(a).from)] = root(mesh_.arc(a).to);
  }
  Index root(Index v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  /// The part a place belongs to: of the end of its arc that is wide enough to be reached; none if neither is.
  Index part_of(const Place& place, double radius) {
    const Retraction on_axis = *retract(mesh_, place);
    const Arc& arc = mesh_.arc(on_axis.arc);
    for (Index v : {arc.from, arc.to})
      if (arc_clearance_between(mesh_, on_axis.arc, on_axis.point, mesh_.node(v).point) >= radius) return root(v);
    return navmesh::none;
  }

 private:
  const Mesh& mesh_;
  std::vector<Index> parent_;
};

/// Independent optimiser: the route as points at most half a metre apart, each pulled towards the middle of its neighbours as
/// long as the radius allows. Triangles so small hold no obstacle that a disc fits around, so the class stays. What length is left.
double pulled_tight(const Mesh& mesh, const Route& route, int rounds) {
  const std::vector<Place> flat = route.flatten(mesh, 1e-3);
  std::vector<Place> points{flat.front()};
  for (std::size_t i = 1; i < flat.size(); ++i) {
    const Vec2 from = flat[i - 1].point, to = flat[i].point;
    const int parts = 1 + int(distance(from, to) / 0.5);
    for (int k = 1; k <= parts; ++k) points.push_back({from + (to - from) * (double(k) / parts), flat[i].layer});
  }
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 1; i + 1 < points.size(); ++i) {
      const Vec2 middle = (points[i - 1].point + points[i + 1].point) / 2;
      for (const double step : {1.0, 0.3, 0.05}) {
        const Place moved{points[i].point + (middle - points[i].point) * step, points[i].layer};
        if (!visible(mesh, points[i - 1], moved, route.radius) || !visible(mesh, moved, points[i + 1], route.radius))
          continue;
        points[i] = moved;
        break;
      }
    }
  }
  double sum = 0;
  for (std::size_t i = 1; i < points.size(); ++i) sum += distance(points[i - 1].point, points[i].point);
  return sum;
}

/// Law 3 of the planner on routes that stay in one layer.
void check_tightness(const World& world, std::uint64_t seed, int count, double radius) {
  Planner planner(world.graph);
  test::Random random(seed);
  Route route;
  for (int i = 0; i < count; ++i) {
    const auto from = free_place(*world.mesh, random, radius);
    const auto to = free_place(*world.mesh, random, radius);
    if (!from || !to) return;
    if (planner.plan({.from = *from, .to = *to, .radius = radius}, route) != NoRoute::found) continue;
    if (std::any_of(route.pieces.begin(), route.pieces.end(),
                    [&](const routes::Piece& p) { return p.layer != from->layer; }))
      continue;
    INFO("from " << from->point.x << "," << from->point.y << "," << from->layer << " to " << to->point.x << ","
                 << to->point.y << " radius " << radius);
    CHECK(pulled_tight(*world.mesh, route, 30) >= route.length - 1e-5);
  }
}

void check_random_routes(const World& world, std::uint64_t seed, int count, double radius, double clearance) {
  const Mesh& mesh = *world.mesh;
  Planner planner(world.graph);
  WideParts parts(*world.graph, radius - 1e-9);
  test::Random random(seed);
  Route route;
  for (int i = 0; i < count; ++i) {
    const auto from = free_place(mesh, random, radius);
    const auto to = free_place(mesh, random, radius);
    if (!from || !to) return;
    INFO("from " << from->point.x << "," << from->point.y << "," << from->layer << " to " << to->point.x << ","
                 << to->point.y << "," << to->layer << " radius " << radius << " clearance " << clearance);
    const NoRoute reason = planner.plan({.from = *from, .to = *to, .radius = radius, .clearance = clearance}, route);
    const Index part_from = parts.part_of(*from, radius - 1e-9);
    const Index part_to = parts.part_of(*to, radius - 1e-9);
    if (part_from != navmesh::none && part_to != navmesh::none)
      CHECK((reason == NoRoute::found) == (part_from == part_to));
    if (reason != NoRoute::found) continue;
    check_route(mesh, route, radius);
    check_points(mesh, route, radius);
    CHECK(route.length >= distance(from->point, to->point) - 1e-9);
  }
}

}  // namespace

TEST_CASE("short: a line passes two gates but not the corner that reaches in between them") {
  const World world = make_world(environment::random_scene(5487, environment::SceneKind::rotated_rectangles));
  Planner planner(world.graph);
  const RouteQuery query{
      .from = {{23.869878289227554, 55.937478697251755}, 0}, .to = {{41.004, 55.067}, 0}, .radius = 0.25};
  Route route;
  REQUIRE(planner.plan(query, route) == NoRoute::found);
  check_route(*world.mesh, route, query.radius);
}

TEST_CASE("an empty room: straight there") {
  const World world = make_world(room(10, 10));
  Planner planner(world.graph);
  Route route;
  REQUIRE(planner.plan({.from = {{1, 1}, 0}, .to = {{9, 8}, 0}}, route) == NoRoute::found);
  CHECK(route.length == doctest::Approx(std::hypot(8, 7)).epsilon(1e-12));
  CHECK(route.pieces.size() == 1);
}

TEST_CASE("around a block: tangent, arc, tangent, worked out by hand") {
  environment::Environment e = room(20, 20);
  add_block(e, 9, 0, 11, 10);
  const World world = make_world(e);
  Planner planner(world.graph);
  Route route;
  // Symmetric about x = 10, over the corners (9, 10) and (11, 10), at distance 1.
  REQUIRE(planner.plan({.from = {{2, 10}, 0}, .to = {{18, 10}, 0}, .radius = 1}, route) == NoRoute::found);
  const double tangent = std::sqrt(7 * 7 - 1.0);
  const double angle = std::asin(1.0 / 7);
  CHECK(route.length == doctest::Approx(2 * (tangent + angle) + 2).epsilon(1e-12));
  check_route(*world.mesh, route, 1);
  CHECK(route.pieces.size() == 5);
  // With more clearance wanted it keeps that: there is room.
  REQUIRE(planner.plan({.from = {{2, 10}, 0}, .to = {{18, 10}, 0}, .radius = 1, .clearance = 2}, route) ==
          NoRoute::found);
  CHECK(route.pieces[1].radius == doctest::Approx(2));
}

TEST_CASE("more than half a turn around the end of a wall") {
  environment::Environment e = room(100, 40);
  e.features.push_back({.kind = environment::Kind::obstacle, .lines = {{{0, 20}, {90, 20}}}});
  const World world = make_world(e);
  Planner planner(world.graph);
  Route route;
  REQUIRE(planner.plan({.from = {{1, 19.5}, 0}, .to = {{1, 25}, 0}, .radius = 0.25, .clearance = 3}, route) ==
          NoRoute::found);
  check_route(*world.mesh, route, 0.25);
  CHECK(route.length > 178);
}

TEST_CASE("no route through the end of a wall where the corridor turns back beside it") {
  // In both scenes a wall's point lies closer to the corner turned around than a few radii.
  struct Case {
    environment::SceneKind kind;
    std::uint64_t seed;
    Place from, to;
  };
  for (const Case& c :
       {Case{environment::all_scene_kinds[11], 20262144, {{17.8091, 46.6858}, 0}, {{30.5306, 12.0432}, 0}},
        Case{environment::all_scene_kinds[14], 20261195, {{5.05151, 15.8944}, 0}, {{7.76163, 14.2988}, 2}}}) {
    const World world = make_world(environment::random_scene(c.seed, c.kind));
    INFO("scene " << environment::name_of(c.kind) << " " << c.seed);
    Planner planner(world.graph);
    Route route;
    REQUIRE(planner.plan({.from = c.from, .to = c.to, .radius = 0.25, .clearance = 0.25}, route) == NoRoute::found);
    check_route(*world.mesh, route, 0.25);
  }
}

TEST_CASE("doors: found exactly when the body fits") {
  environment::Environment e = room(20, 10);
  add_block(e, 9, 0, 11, 4.75);
  add_block(e, 9, 5.25, 11, 10);
  const World world = make_world(e);
  Planner planner(world.graph);
  Route route;
  const RouteQuery query{.from = {{2, 5}, 0}, .to = {{18, 5}, 0}, .radius = 0.25};
  CHECK(planner.plan(query, route) == NoRoute::found);
  check_route(*world.mesh, route, 0.25);
  RouteQuery wide = query;
  wide.radius = 0.2501;
  CHECK(planner.plan(wide, route) == NoRoute::too_narrow);
  CHECK(route.pieces.empty());
}

TEST_CASE("end points that are not valid get a defined answer") {
  environment::Environment e = room(20, 10);
  add_block(e, 9, 0, 11, 10);
  add_block(e, 2, 2, 4, 4);
  const World world = make_world(e);
  Planner planner(world.graph);
  Route route;
  const auto plan = [&](Vec2 from, Vec2 to, double radius) {
    return planner.plan({.from = {from, 0}, .to = {to, 0}, .radius = radius}, route);
  };
  CHECK(plan({1, 1}, {8, 8}, 0.25) == NoRoute::found);
  CHECK(plan({1, 1}, {15, 5}, 0.25) == NoRoute::not_connected);
  CHECK(plan({3, 3.9}, {8, 8}, 0.25) == NoRoute::found);  // inside the block, 10 cm deep
  CHECK(route.start.point.y >= 4.25 - 1e-9);
  CHECK(plan({9.5, 5}, {8, 8}, 0.25) == NoRoute::found);         // moved out to the nearer side
  CHECK(plan({10, 5}, {8, 8}, 0.25) == NoRoute::start_blocked);  // a metre inside, and a radius more is too far
  CHECK(plan({0.1, 5}, {8, 8}, 0.25) == NoRoute::found);         // too near to the wall
  CHECK(route.start.point.x == doctest::Approx(0.25));
  CHECK(plan({-5, 5}, {8, 8}, 0.25) == NoRoute::start_blocked);
  CHECK(plan({8, 8}, {1e300, 5}, 0.25) == NoRoute::goal_blocked);
  CHECK(plan({8, 8}, {NAN, 5}, 0.25) == NoRoute::bad_query);
  CHECK(plan({8, 8}, {7, 7}, -1) == NoRoute::bad_query);
  CHECK(planner.plan({.from = {{8, 8}, 7}, .to = {{7, 7}, 0}}, route) == NoRoute::start_blocked);  // no such layer
  CHECK(plan({8, 8}, {8, 8}, 0.25) == NoRoute::found);                                             // equal
  CHECK(route.length == 0);
  CHECK(plan({6, 5}, {7, 5}, 4) == NoRoute::start_blocked);  // fits nowhere
}

TEST_CASE("medial, left and right keep the radius and their side") {
  environment::Environment e = room(30, 10);
  add_block(e, 10, 0, 20, 3);
  const World world = make_world(e);
  Planner planner(world.graph);
  Route route;
  RouteQuery query{.from = {{2, 5}, 0}, .to = {{28, 5}, 0}, .radius = 0.5, .clearance = 1.5};
  double left_y = 0, right_y = 0, medial_y = 0;
  for (const RouteMethod method : {RouteMethod::medial, RouteMethod::left, RouteMethod::right}) {
    query.method = method;
    REQUIRE(planner.plan(query, route) == NoRoute::found);
    CAPTURE(int(method));
    check_route(*world.mesh, route, 0.5);
    const double y = route.closest({15, 6.5}).point.y;
    (method == RouteMethod::medial ? medial_y : method == RouteMethod::left ? left_y : right_y) = y;
  }
  CHECK(medial_y == doctest::Approx(6.5));
  CHECK(left_y == doctest::Approx(8.5));
  CHECK(right_y == doctest::Approx(4.5));
}

TEST_CASE("given routes are lines through their points, refused where they come too near") {
  environment::Environment e = room(20, 10);
  add_block(e, 9, 0, 11, 5);
  const World world = make_world(e);
  const auto good = given_route(*world.mesh, {{{1, 1}, 0}, {{8, 6}, 0}, {{12, 6}, 0}, {{19, 1}, 0}}, 0.5);
  REQUIRE(good.ok());
  CHECK(good->pieces.size() == 3);
  const auto bad = given_route(*world.mesh, {{{1, 1}, 0}, {{19, 1}, 0}}, 0.5);
  REQUIRE(!bad.ok());
  CHECK(bad.problems()[0].place.find("line 1") != std::string::npos);
  CHECK(!given_route(*world.mesh, {{{1, 1}, 0}}, 0.5).ok());
}

TEST_CASE("a route with several corners cannot be pulled tighter") {
  environment::Environment e = room(40, 20);
  add_block(e, 8, 0, 10, 12);
  add_block(e, 18, 6, 21, 20);
  add_block(e, 28, 0, 29, 15);
  const World world = make_world(e);
  Planner planner(world.graph);
  Route route;
  REQUIRE(planner.plan({.from = {{2, 3}, 0}, .to = {{38, 3}, 0}, .radius = 0.5}, route) == NoRoute::found);
  CHECK(pulled_tight(*world.mesh, route, 400) >= route.length - 1e-6);
  // The optimiser does find what there is to find: the way along the axis is much longer.
  REQUIRE(planner.plan({.from = {{2, 3}, 0}, .to = {{38, 3}, 0}, .radius = 0.5, .method = RouteMethod::medial},
                       route) == NoRoute::found);
  CHECK(pulled_tight(*world.mesh, route, 400) < route.length - 0.5);
}

TEST_CASE("random scenes: short routes cannot be pulled tighter") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 3, kind));
    for (const double radius : {0.25, 0.5}) check_tightness(world, seed, 4, radius);
  }
}

TEST_CASE("long: short routes in 100 random scenes cannot be pulled tighter") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t round = 0; round < 100; ++round) {
    const environment::SceneKind kind = environment::all_scene_kinds[round % std::size(environment::all_scene_kinds)];
    INFO("scene " << environment::name_of(kind) << " " << round);
    const World world = make_world(environment::random_scene(seed + 3000 + round, kind));
    for (const double radius : {0.25, 0.5}) check_tightness(world, seed ^ round, 10, radius);
  }
}

TEST_CASE("random scenes: the radius is kept, and a route is found exactly when one exists") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t round = 0; round < 3; ++round) {
    for (const environment::SceneKind kind : environment::all_scene_kinds) {
      INFO("scene " << environment::name_of(kind) << " " << round);
      const World world = make_world(environment::random_scene(seed + round, kind));
      for (const double radius : {0.0, 0.25, 0.5, 1.0, 2.0})
        check_random_routes(world, seed ^ round, 6, radius, radius);
      check_random_routes(world, seed ^ round, 6, 0.25, 0.8);
    }
  }
}

TEST_CASE("long: 200 random scenes") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t round = 0; round < 200; ++round) {
    const environment::SceneKind kind = environment::all_scene_kinds[round % std::size(environment::all_scene_kinds)];
    INFO("scene " << environment::name_of(kind) << " " << round);
    const World world = make_world(environment::random_scene(seed + 1000 + round, kind));
    for (const double radius : {0.0, 0.25, 0.5, 1.0, 2.0}) check_random_routes(world, seed ^ round, 40, radius, radius);
    check_random_routes(world, seed ^ round, 40, 0.25, 0.8);
  }
}

TEST_CASE("real maps and examples") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (const std::string& file :
       map_files({"kaiserslautern.geojson", "Berlin_0_256.poly", "Milan_1_512.poly", "Sydney_2_1024.poly"})) {
    INFO("file " << file);
    const World world = read_world(file);
    for (const double radius : {0.0, 0.25, 0.5, 1.0, 2.0}) check_random_routes(world, seed, 40, radius, radius);
    check_random_routes(world, seed, 40, 0.25, 0.5);
  }
}
