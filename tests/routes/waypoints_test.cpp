// Routes over waypoints: the graphs by hand, and that every line of every route keeps the radius.
#include "routes/waypoints.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "environment/generate/random_scenes.hpp"
#include "following/walker.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::test;

namespace {

/// A room of 20 x 10 m with a block of 4 x 2 m in the middle.
Ground block() {
  environment::Environment e = room(20, 10);
  add_obstacle(e, box(8, 4, 12, 6));
  return make_ground(e);
}

}  // namespace

TEST_CASE(
    "visibility: a point beside every corner, off both walls by the radius, and lines between those that see each "
    "other") {
  const Ground ground = block();
  const WaypointGraph graph(ground.mesh, RouteMethod::visibility, 0.25);
  REQUIRE(graph.points().size() == 8);
  const auto has = [&](Vec2 p) {
    return std::any_of(graph.points().begin(), graph.points().end(),
                       [&](const Place& place) { return distance(place.point, p) < 1e-9; });
  };
  const double off = 0.251;
  for (const Vec2 p : {Vec2{off, off}, Vec2{20 - off, off}, Vec2{20 - off, 10 - off}, Vec2{off, 10 - off}})
    CHECK(has(p));
  for (const Vec2 p :
       {Vec2{8 - off, 4 - off}, Vec2{12 + off, 4 - off}, Vec2{12 + off, 6 + off}, Vec2{8 - off, 6 + off}})
    CHECK(has(p));
  // 28 pairs; hidden are the block's two diagonals, and from each corner of the room the opposite one (the block is in the way) and
  // the block's corner on the far side.
  std::size_t seen = 0;
  for (Index i = 0; i < 8; ++i)
    for (Index j = i + 1; j < 8; ++j)
      seen += navmesh::visible(*ground.mesh, graph.points()[i], graph.points()[j], 0.25);
  CHECK(graph.line_count() == seen);
  CHECK(graph.line_count() == 28 - 2 - 2 - 4);
}

TEST_CASE("visibility: around a block by its corners, straight where the goal is in sight") {
  const Ground ground = block();
  const WaypointGraph graph(ground.mesh, RouteMethod::visibility, 0.25);
  Search search;
  Route route;
  REQUIRE(graph.plan({.from = {{4, 5}, 0}, .to = {{16, 5}, 0}, .radius = 0.25}, search, route) == NoRoute::found);
  const double to_corner = distance({4, 5}, {8 - 0.251, 4 - 0.251});
  CHECK(route.length == doctest::Approx(2 * to_corner + 4.502));
  REQUIRE(graph.plan({.from = {{4, 1}, 0}, .to = {{16, 1}, 0}, .radius = 0.25}, search, route) == NoRoute::found);
  CHECK(route.length == doctest::Approx(12));
  CHECK(search.expansions() == 0);
  CHECK(graph.plan({.from = {{10, 5}, 0}, .to = {{16, 1}, 0}, .radius = 0.25}, search, route) ==
        NoRoute::start_blocked);
  CHECK(graph.plan({.from = {{4, 1}, 0}, .to = {{10, 5}, 0}, .radius = 0.25}, search, route) == NoRoute::goal_blocked);
}

TEST_CASE("visibility: thin walls have a point beside each face of their ends") {
  environment::Environment e = room(20, 10);
  e.features.push_back(
      {.kind = environment::Kind::obstacle, .lines = {{{10, 0}, {10, 6}}}, .number = e.features.size()});
  const Ground ground = make_ground(e);
  const WaypointGraph graph(ground.mesh, RouteMethod::visibility, 0.25);
  Search search;
  Route route;
  REQUIRE(graph.plan({.from = {{5, 1}, 0}, .to = {{15, 1}, 0}, .radius = 0.25}, search, route) == NoRoute::found);
  const double off = 0.251;
  CHECK(route.length == doctest::Approx(2 * distance({5, 1}, {10 - off, 6 + off}) + 2 * off));
}

TEST_CASE("voronoi_sites: two blocks have one line between them, cut at the perimeter") {
  environment::Environment e = room(30, 12);
  add_obstacle(e, box(6, 4, 10, 8));
  add_obstacle(e, box(20, 4, 24, 8));
  const Ground ground = make_ground(e);
  const std::vector<Building> buildings = buildings_of(*ground.mesh);
  REQUIRE(buildings.size() == 2);
  CHECK(voronoi_sites_of(buildings) == std::vector<Vec2>{{8, 6}, {22, 6}});
  const WaypointGraph graph(ground.mesh, RouteMethod::voronoi_sites, 0.25);
  // Four corners of the perimeter and the two ends of the line at x = 15; six lines around and one across.
  CHECK(graph.points().size() == 6);
  CHECK(graph.line_count() == 7);
  Search search;
  Route route;
  REQUIRE(graph.plan({.from = {{4, 6}, 0}, .to = {{26, 6}, 0}, .radius = 0.25}, search, route) == NoRoute::found);
  CHECK(route.length > 26);
}

TEST_CASE("voronoi_sites: a building twice as long as the others has two sites, and no line through it") {
  environment::Environment e = room(60, 40);
  add_obstacle(e, box(5, 5, 15, 13));
  add_obstacle(e, box(5, 25, 15, 33));
  add_obstacle(e, box(25, 15, 47, 23));  // 22 m, the others 10
  const Ground ground = make_ground(e);
  const std::vector<Vec2> sites = voronoi_sites_of(buildings_of(*ground.mesh));
  CHECK(sites.size() == 4);
  const WaypointGraph graph(ground.mesh, RouteMethod::voronoi_sites, 0.3);
  for (Index i = 0; i < graph.node_count(); ++i)
    graph.for_each_neighbour(i, [&](Index to, double, Index) {
      CHECK(navmesh::visible(*ground.mesh, graph.points()[i], graph.points()[to], 0.3));
    });
}

TEST_CASE(
    "waypoint routes keep the radius, are no shorter than can be, and fall back on the mesh where points do not lead") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  int planned = 0, by_waypoints = 0;
  for (const auto kind : environment::all_scene_kinds) {
    const Ground ground = make_ground(environment::random_scene(seed, kind));
    Planner planner(ground.graph);
    Search search;
    for (const RouteMethod method : {RouteMethod::visibility, RouteMethod::voronoi_sites}) {
      WaypointGraphs graphs;
      graphs.make(ground.mesh, method, 0.2);
      const WaypointGraph* graph = graphs.find(method, 0.195);  // the same class
      REQUIRE(graph != nullptr);
      CHECK(graphs.find(method, 0.21) == nullptr);
      for (int i = 0; i < 15; ++i) {
        const auto from = free_place(*ground.mesh, random, 0.2), to = free_place(*ground.mesh, random, 0.2);
        if (!from || !to) continue;
        Route route, straight;
        std::size_t expansions = 0;
        const RouteQuery query{.from = *from, .to = *to, .radius = 0.2, .method = method};
        const NoRoute verdict = plan_by_method(query, graphs, planner, search, route, expansions);
        CHECK(expansions > 0);
        RouteQuery by_mesh = query;
        by_mesh.method = RouteMethod::shortest_in_corridor;
        CHECK(verdict == planner.plan(by_mesh, straight));
        if (verdict != NoRoute::found) continue;
        ++planned;
        by_waypoints += graph->plan(query, search, straight) == NoRoute::found;
        CHECK(route.goal.point == to->point);
        CHECK(route.length >= distance(from->point, to->point) - 1e-9);
        CAPTURE(std::string(name_of(kind)));
        CAPTURE(int(method));
        double nearest = INFINITY;
        for (double along = 0; along <= route.length; along += 0.05) {
          const RoutePoint p = route.at(along);
          nearest = std::min(nearest, navmesh::locate(*ground.mesh, {p.point, p.layer}).clearance);
        }
        CHECK(nearest >= 0.2 - 1e-6);
      }
    }
  }
  CHECK(planned > 100);
  CHECK(by_waypoints * 2 > planned);
  MESSAGE(planned, " routes, ", by_waypoints, " by waypoints");
}
