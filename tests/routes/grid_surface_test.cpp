#include "routes/grid_surface.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "navmesh/visibility.hpp"
#include "routes/check_route.hpp"
#include "routes/random_graph.hpp"
#include "routes/worlds.hpp"

using namespace throng;
using namespace throng::routes;
using namespace throng::routes::test_worlds;

namespace {

constexpr GridShape all_shapes[] = {GridShape::square4, GridShape::square8, GridShape::hexagonal};

GridSurface grid_of(const World& world, GridShape shape, double cell, double radius) {
  Result<GridSurface> grid = GridSurface::make(world.mesh, shape, cell, radius);
  REQUIRE(grid.ok());
  return std::move(grid).value();
}

/// Joins are those the laws name: asked of the mesh again, one by one.
void check_joins(const World& world, const GridSurface& grid) {
  const navmesh::Mesh& mesh = *world.mesh;
  for (Index node = 0; node < grid.node_count(); ++node) {
    const navmesh::Place at = grid.place_of(node);
    CHECK(grid.cell_at(at) == node);
    const navmesh::Located located = navmesh::locate(mesh, at);
    CHECK(grid.is_free(node) == (located && located.clearance >= grid.radius()));
    std::size_t joins = 0;
    grid.for_each_neighbour(node, [&](Index to, double cost, Index) {
      ++joins;
      CHECK(grid.is_free(node));
      CHECK(grid.is_free(to));
      CHECK(cost == doctest::Approx(distance(at.point, grid.place_of(to).point)));
      const navmesh::Place there = grid.place_of(to);
      // From both ends: along an edge of the axis the look from one may get lost.
      CHECK((navmesh::visible(mesh, at, there, grid.radius()) || navmesh::visible(mesh, there, at, grid.radius())));
      bool back = false;
      grid.for_each_neighbour(to, [&](Index again, double, Index) { back = back || again == node; });
      CHECK(back);
    });
    if (world.mesh->connection_count() == 0)
      CHECK(joins <= (grid.shape() == GridShape::square4 ? 4 : grid.shape() == GridShape::square8 ? 8 : 6));
  }
}

constexpr SearchKind optimal_kinds[] = {SearchKind::astar, SearchKind::dijkstra, SearchKind::bidirectional,
                                        SearchKind::ara, SearchKind::ana};

}  // namespace

TEST_CASE("grids: cells are free and joined exactly where the body fits, in all layers") {
  for (const char* name : {"office", "station"}) {
    const World world = example(name);
    for (const GridShape shape : all_shapes) {
      const GridSurface grid = grid_of(world, shape, 1, 0.25);
      CHECK(grid.free_count() > 50);
      check_joins(world, grid);
    }
  }
}

TEST_CASE("grids: no corner is cut, though the body would fit") {
  environment::Environment e = room(4, 4);
  add_block(e, 1.2, 1.2, 1.8, 1.8);  // around the centre of one cell
  const World world = make_world(e);
  const GridSurface grid = grid_of(world, GridShape::square8, 1, 0.1);
  const Index below = grid.cell_at({{1.5, 0.5}, 0}), left = grid.cell_at({{0.5, 1.5}, 0});
  CHECK(!grid.is_free(grid.cell_at({{1.5, 1.5}, 0})));
  CHECK(navmesh::visible(*world.mesh, grid.place_of(below), grid.place_of(left), 0.1));
  bool joined = false;
  grid.for_each_neighbour(below, [&](Index to, double, Index) { joined = joined || to == left; });
  CHECK(!joined);
}

TEST_CASE("grids: on empty ones paths keep the bounds of Nash, and reach them") {
  const World world = make_world(room(30, 30));
  AnySearch search;
  for (const GridShape shape : all_shapes) {
    const double most = shape == GridShape::square4   ? std::sqrt(2.0)
                        : shape == GridShape::square8 ? std::sqrt(4 - 2 * std::sqrt(2.0))
                                                      : 2 / std::sqrt(3.0);
    const GridSurface grid = grid_of(world, shape, 1, 0.25);
    const Index start = grid.cell_at({{4.5, 4.5}, 0});
    REQUIRE(grid.is_free(start));
    double worst = 0;
    for (Index goal = 0; goal < grid.node_count(); ++goal) {
      if (goal == start || !grid.is_free(goal)) continue;
      const Terminal starts[] = {{start, 0}}, ends[] = {{goal, 0}};
      const auto ahead = [&](Index v) { return grid.least_cost(v, goal); };
      const auto behind = [&](Index v) { return grid.least_cost(v, start); };
      SearchAnswer answer;
      search.find({}, grid, ahead, behind, starts, ends, answer);
      REQUIRE(answer.found());
      CHECK(answer.cost == doctest::Approx(grid.least_cost(start, goal)));  // exact where nothing is in the way
      worst = std::max(worst, answer.cost / distance(grid.place_of(start).point, grid.place_of(goal).point));
    }
    CHECK(worst <= most * (1 + 1e-12));
    CHECK(worst > 1 + 0.98 * (most - 1));
  }
}

TEST_CASE("grids: the family keeps its promises, routes keep the radius and are no shorter than the shortest") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  AnySearch search;
  int compared = 0, worse = 0;
  for (const environment::SceneKind kind : environment::all_scene_kinds) {
    INFO("scene " << environment::name_of(kind));
    const World world = make_world(environment::random_scene(seed + 3, kind));
    Planner planner(world.graph);
    for (const GridShape shape : all_shapes) {
      Result<GridSurface> made = GridSurface::make(world.mesh, shape, 1, 0.25);
      REQUIRE(made.ok());
      const GridSurface& grid = *made;
      for (int i = 0; i < 4; ++i) {
        const auto from = free_place(*world.mesh, random, 0.25), to = free_place(*world.mesh, random, 0.25);
        if (!from || !to) continue;
        RouteQuery query{.from = *from, .to = *to, .radius = 0.25};
        Route exact, route;
        SearchAnswer answer;
        const NoRoute verdict = grid.plan(query, {}, search, route, answer);
        query.method = RouteMethod::shortest;
        if (verdict != NoRoute::found) continue;
        REQUIRE(planner.plan(query, exact) == NoRoute::found);
        ++compared;
        const double best = answer.cost;
        CHECK(best >= exact.length - 1e-6);
        for (const SearchKind each : optimal_kinds) {
          INFO("search " << std::string(search_kind_names[std::size_t(each)]));
          REQUIRE(grid.plan(query, {.kind = each}, search, route, answer) == NoRoute::found);
          CHECK(std::abs(answer.cost - best) <= 1e-9 * std::max(1.0, best));
          CHECK(route.length == doctest::Approx(answer.cost).epsilon(1e-9));
          for (const SearchStage& stage : answer.stages) CHECK(stage.cost <= stage.bound * best * (1 + 1e-9));
          check_route(*world.mesh, route, 0.25);
        }
        REQUIRE(grid.plan(query, {.kind = SearchKind::best_first}, search, route, answer) == NoRoute::found);
        CHECK(answer.cost >= best * (1 - 1e-9));
        worse += answer.cost > best * (1 + 1e-6);
        if (grid.plan(query, {.kind = SearchKind::beam, .width = 20}, search, route, answer) == NoRoute::found) {
          CHECK(answer.cost >= best * (1 - 1e-9));
          CHECK(answer.cost <= answer.bound * best * (1 + 1e-9));
        }
      }
    }
  }
  CHECK(compared > 50);
  CHECK(worse > 0);
  MESSAGE(compared, " routes compared");
}

TEST_CASE("grids: bad sizes are refused with what is wrong") {
  const World world = make_world(room(10, 10));
  CHECK(!GridSurface::make(world.mesh, GridShape::square4, 0, 0.25).ok());
  CHECK(!GridSurface::make(world.mesh, GridShape::square4, NAN, 0.25).ok());
  CHECK(!GridSurface::make(world.mesh, GridShape::square4, 1, -1).ok());
  const auto fine = GridSurface::make(world.mesh, GridShape::hexagonal, 1e-4, 0.25);
  REQUIRE(!fine.ok());
  CHECK(fine.problems().front().message.find("million cells") != std::string::npos);
  const GridSurface grid = grid_of(world, GridShape::square4, 1, 0.25);
  AnySearch search;
  Route route;
  SearchAnswer answer;
  CHECK(grid.plan({.from = {{5, 5}, 0}, .to = {{50, 5}, 0}, .radius = 0.25}, {}, search, route, answer) ==
        NoRoute::goal_blocked);
  CHECK(grid.plan({.from = {{5, 5}, 0}, .to = {{6, 5}, 0}, .radius = 0.5}, {}, search, route, answer) ==
        NoRoute::bad_query);
}
