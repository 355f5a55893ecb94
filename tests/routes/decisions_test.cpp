// Decisions of paths and routes under decisions: by hand, by what must hold of all, and held to all simple ways over chains.
#include "routes/decided_route.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "navmesh/queries.hpp"
#include "routes/worlds.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::navmesh;
using namespace throng::routes;
using namespace throng::routes::test_worlds;
using environment::SceneKind;

namespace {

environment::Ring box(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

environment::Environment hall(environment::Ring walkable, const std::vector<environment::Ring>& obstacles,
                              const std::vector<environment::Line>& walls = {}) {
  environment::Environment plan;
  plan.layers.push_back({"ground", {}});
  plan.features.push_back({.kind = environment::Kind::walkable, .polygons = {{std::move(walkable), {}}}});
  for (const auto& ring : obstacles)
    plan.features.push_back({.kind = environment::Kind::obstacle, .polygons = {{ring, {}}}});
  for (const auto& line : walls) plan.features.push_back({.kind = environment::Kind::obstacle, .lines = {line}});
  return plan;
}

struct Scene {
  explicit Scene(const environment::Environment& plan) : world(make_world(plan)) {}
  World world;
  const Mesh& mesh = *world.mesh;
  const Obstacles& obstacles = world.graph->sides()->obstacles();

  [[nodiscard]] Index at(double x, double y) const { return obstacles.nearest(mesh, {{x, y}, 0}); }
  [[nodiscard]] Strategy walked(const std::vector<Vec2>& points) const {
    std::vector<Place> places;
    for (const Vec2 p : points) places.push_back({p, 0});
    const auto found = decisions_of(mesh, obstacles, places);
    REQUIRE(found);
    return *found;
  }
};

Strategy opposite(const Strategy& strategy) {
  Strategy turned;
  for (const Decision d : strategy.decisions()) turned.set({d.about, other_side(d.side)});
  return turned;
}

/// The shortest of all simple ways over junctions that a strategy allows, by listing them.
double best_of_all(const RouteGraph& graph, const ChainSides& sides, const OnAxis& from, const OnAxis& to,
                   double radius, const Strategy& told) {
  const DecidedLength costs{sides, told};
  const auto place_from = place_on_chains(graph, from), place_to = place_on_chains(graph, to);
  double best = INFINITY;
  std::vector<bool> on_way(graph.junction_count(), false);
  const auto in_goal = [&](Index junction, double so_far) {
    if (place_to.junction != routes::none) {
      if (place_to.junction == junction) best = std::min(best, so_far + place_to.way_out_length);
      return;
    }
    const Chain& chain = graph.chains()[place_to.chain];
    if (chain.clearance < radius) return;
    for (const bool forward : {true, false}) {
      if ((forward ? chain.from : chain.to) != junction) continue;
      const double there = forward ? place_to.along : chain.length - place_to.along;
      if (costs.allowed(2 * place_to.chain + Index(!forward), 0, there))
        best = std::min(best, so_far + there + place_to.way_out_length);
    }
  };
  std::function<void(Index, double)> go = [&](Index junction, double so_far) {
    if (so_far >= best) return;
    in_goal(junction, so_far);
    on_way[junction] = true;
    for (const ChainEnd& end : graph.chain_ends(junction))
      if (!on_way[end.to] && end.clearance >= radius && costs.allowed(end.via, 0, end.length))
        go(end.to, so_far + end.length);
    on_way[junction] = false;
  };
  if (place_from.junction != routes::none) {
    go(place_from.junction, place_from.way_out_length);
  } else {
    const Chain& chain = graph.chains()[place_from.chain];
    for (const bool forward : {true, false}) {
      const double left = forward ? chain.length - place_from.along : place_from.along;
      if (chain.clearance >= radius &&
          costs.allowed(2 * place_from.chain + Index(!forward), chain.length - left, chain.length))
        go(forward ? chain.to : chain.from, place_from.way_out_length + left);
    }
    if (place_to.junction == routes::none && place_to.chain == place_from.chain && chain.clearance >= radius) {
      const bool forward = place_from.along <= place_to.along;
      const double a = forward ? place_from.along : chain.length - place_from.along;
      const double b = forward ? place_to.along : chain.length - place_to.along;
      if (costs.allowed(2 * place_from.chain + Index(!forward), a, b))
        best = std::min(best, place_from.way_out_length + (b - a) + place_to.way_out_length);
    }
  }
  return best;
}

void hold_to_all_simple_ways(int scenes) {
  test::Random random(test::test_seed());
  int found = 0, none_there = 0, checked_again = 0;
  for (int scene = 0, listed = 0; listed < scenes; ++scene) {
    const SceneKind kinds[] = {SceneKind::overlapping_polygons, SceneKind::rotated_rectangles, SceneKind::wall_maze,
                               SceneKind::grid_of_squares, SceneKind::two_layers};
    const World world = make_world(environment::random_scene(random.below(1u << 30), kinds[scene % 5]));
    if (world.graph->chains().empty() || world.graph->chains().size() > 40) continue;  // too many ways to list
    ++listed;
    const ChainSides& sides = *world.graph->sides();
    Planner planner(world.graph);
    ChainSearch search(*world.graph);
    DecidedPlanner decided(*world.graph);
    for (int k = 0; k < 8; ++k) {
      const auto from = free_place(*world.mesh, random, 0.2), to = free_place(*world.mesh, random, 0.2);
      if (!from || !to) continue;
      Strategy told;
      for (Index o = 0; o < sides.obstacles().count(); ++o)
        if (sides.obstacles().is_inner(o) && random.chance(k % 2 == 0 ? 0.4 : 0.9))
          told.set({o, random.chance(0.5) ? Side::left : Side::right});
      const Retraction a = *retract(*world.mesh, *from), b = *retract(*world.mesh, *to);
      const OnAxis start{a.point, a.arc}, goal{b.point, b.arc};
      // Points, so that room is no question: of each chain its smallest clearance counts in the list.
      const double best = best_of_all(*world.graph, sides, start, goal, 0, told);
      AxisPath path;
      const double cost = search.find(start, goal, 0, DecidedLength{sides, told}, path);
      const auto place_a = place_on_chains(*world.graph, start), place_b = place_on_chains(*world.graph, goal);
      const bool in_one_dead_end =
          !place_a.way_out.empty() && !place_b.way_out.empty() && place_a.way_out.back() == place_b.way_out.back();
      if (in_one_dead_end) continue;
      CAPTURE(scene);
      CAPTURE(k);
      if (best < INFINITY) {
        ++found;
        CHECK(cost == doctest::Approx(best).epsilon(1e-9));
        Route route;
        std::size_t expansions = 0;
        const NoRoute verdict =
            decided.plan({.from = *from, .to = *to, .radius = 0, .adjust = 0}, told, planner, route, expansions);
        if (verdict == NoRoute::found)
          CHECK_FALSE(decisions_of(*world.mesh, sides.obstacles(), route)->conflicts_with(told));
        else
          ++checked_again;
      } else {
        ++none_there;
        CHECK(cost == unreachable);
      }
    }
  }
  MESSAGE(found << " found, " << none_there << " none, " << checked_again << " not taken when looked at again");
  CHECK(found > scenes);
  CHECK(none_there > 0);
  CHECK(checked_again * 8 < found);
}

}  // namespace

TEST_CASE("strategies: trying to set, conflicts, order") {
  StrategyDraft draft;
  draft.try_to_set(4, Side::left);
  draft.try_to_set(2, Side::right);
  draft.try_to_set(4, Side::left);
  draft.try_to_set(3, Side::left);
  draft.try_to_set(3, Side::right);
  draft.try_to_set(3, Side::left);  // stays X for good
  Strategy s;
  draft.finish(s, [](Index) { return true; });
  CHECK(s.decisions().size() == 2);
  CHECK(s.says(4, Side::left));
  CHECK(s.says(2, Side::right));
  CHECK_FALSE(s.side_of(3));
  Strategy t;
  t.set({4, Side::right});
  t.set({3, Side::left});
  CHECK(s.first_conflict(t) == 4);
  t.set({4, Side::left});
  CHECK_FALSE(s.conflicts_with(t));
  t.complete_by(s);
  CHECK(t.says(2, Side::right));
  CHECK(t.decisions().size() == 3);
}

TEST_CASE("decisions of a path: left of a pillar, right of it, the way back; passed by on either hand") {
  const Scene scene(hall(box(0, 0, 20, 10), {box(9, 4, 11, 6)}));
  const Index pillar = scene.at(10, 5);
  const std::vector<Vec2> below{{1, 5}, {10, 2}, {19, 5}}, above{{1, 5}, {10, 8}, {19, 5}};
  CHECK(scene.walked(below).says(pillar, Side::right));
  CHECK(scene.walked(above).says(pillar, Side::left));
  CHECK(scene.walked({below.rbegin(), below.rend()}).says(pillar, Side::left));
  CHECK(scene.walked(below).decisions().size() == 1);  // nothing of the hall's own walls
  // There and back says nothing; with a passage crossed to and fro it says the same as without.
  CHECK(scene.walked({{1, 5}, {10, 2}, {19, 5}, {10, 2}, {1, 5}}).empty());
  CHECK(scene.walked({{1, 5}, {10, 2}, {12, 2}, {8, 2}, {12, 2}, {19, 5}}) == scene.walked(below));
  // Once round: met on both sides.
  CHECK_FALSE(scene.walked({{1, 5}, {10, 2}, {19, 5}, {10, 8}, {1, 5}}).side_of(pillar) == Side::left);

  // Three pillars in a row across: who goes through one gap passes the others by.
  const Scene row(hall(box(0, 0, 30, 24), {box(14, 4, 16, 6), box(14, 11, 16, 13), box(14, 18, 16, 20),
                                           box(5, 11, 7, 13), box(23, 11, 25, 13)}));
  const Strategy s = row.walked({{1, 12}, {6, 15}, {15, 15.5}, {24, 15}, {29, 12}});
  CHECK(s.says(row.at(15, 12), Side::left));
  CHECK(s.says(row.at(15, 19), Side::right));
}

TEST_CASE("decisions of a path: doors with one wall at both ends, thin walls, courtyards, round halls") {
  const Scene doors(hall(box(0, 0, 30, 10), {box(14, 4, 16, 6)}, {{{8, 0}, {8, 4}}, {{8, 6}, {8, 10}}}));
  const Strategy through = doors.walked({{1, 5}, {8, 5}, {15, 2}, {29, 5}});
  CHECK(through.says(doors.at(15, 5), Side::right));
  CHECK(through.decisions().size() == 1);

  const Scene cross_wall(hall(box(0, 0, 30, 20), {}, {{{15, 6}, {15, 9}}, {{15, 11}, {15, 14}}}));
  CHECK(cross_wall.walked({{1, 10}, {15, 10}, {29, 10}}).says(cross_wall.at(15, 13), Side::right));
  CHECK(cross_wall.walked({{1, 10}, {15, 10}, {29, 10}}).says(cross_wall.at(15, 7), Side::left));

  environment::Ring round;
  for (int i = 0; i < 24; ++i)
    round.push_back({10 * std::cos((i + 0.5) * 0.2617993878), 10 * std::sin((i + 0.5) * 0.2617993878)});
  const Scene hall_with_pillar(hall(round, {{{4, 0}, {5, -1}, {6, 0}, {5, 1}}}));
  const Index pillar = hall_with_pillar.at(5, 0);
  CHECK(hall_with_pillar.walked({{5, -3}, {8, 0}, {5, 3}}).says(pillar, Side::right) ==
        hall_with_pillar.walked({{5, 3}, {8, 0}, {5, -3}}).says(pillar, Side::left));
  CHECK(hall_with_pillar.walked({{5, -3}, {8, 0}, {5, 3}}).side_of(pillar) == Side::right);
  CHECK(hall_with_pillar.walked({{5, -3}, {-3, -2}, {-3, 2}, {5, 3}}).side_of(pillar) == Side::left);
}

TEST_CASE("decisions of a path: an obstacle that is met on both sides is not decided about") {
  const Scene scene(hall(box(0, 0, 20, 10), {box(6, 4, 8, 6), box(13, 4, 15, 6)}));
  const Index first = scene.at(7, 5), second = scene.at(14, 5);
  // Below the first, once around the second, and back above it... below the first again: on the left, then on the right.
  const Strategy around = scene.walked({{1, 5}, {7, 2}, {14, 2}, {19, 5}, {14, 8}, {10.5, 5}, {7, 2}, {1, 5}});
  CHECK_FALSE(around.side_of(first));
  CHECK(around.says(second, Side::right));
  // Back above the first it is on the left all the time.
  const Strategy over = scene.walked({{1, 5}, {7, 2}, {14, 2}, {19, 5}, {14, 8}, {7, 8}, {1, 5}});
  CHECK(over.says(first, Side::right));
  CHECK(over.says(second, Side::right));
}

TEST_CASE(
    "decisions of a path: a courtyard with a gate is one obstacle, inside and outside; what stands in it is passed as "
    "anything") {
  const Scene scene(hall(box(0, 0, 40, 24), {box(10, 4, 18, 6), box(22, 4, 30, 6), box(10, 6, 12, 20),
                                             box(28, 6, 30, 20), box(10, 18, 30, 20), box(19, 11, 21, 13)}));
  const Index yard = scene.at(10, 12), pillar = scene.at(20, 12);
  REQUIRE(yard != pillar);
  CHECK(scene.at(29, 5) == yard);
  // In by the gate: the same wall at both ends.
  CHECK_FALSE(scene.walked({{20, 1}, {20, 8}}).side_of(yard));
  // Once around the pillar and out again.
  const Strategy visit =
      scene.walked({{5, 1}, {20, 2}, {20, 8}, {25, 12}, {20, 16}, {15, 12}, {20, 8}, {20, 2}, {35, 1}});
  CHECK(visit.says(pillar, Side::right));
  // It is on the left on the way in and on the right on the way on.
  CHECK(visit.decisions().size() == 1);
  // Around the whole of it, north.
  CHECK(scene.walked({{5, 12}, {5, 22}, {35, 22}, {35, 12}}).says(yard, Side::left));
  CHECK(scene.walked({{5, 12}, {5, 2}, {35, 2}, {35, 12}}).says(yard, Side::right));
}

TEST_CASE(
    "decisions of a path: a bridge over a street says nothing of itself, under it and over it, and is passed as a "
    "whole") {
  environment::Environment plan = hall(box(0, 0, 40, 30), {box(17, 8, 23, 11), box(17, 19, 23, 22)});
  plan.layers.push_back({"bridge", {}});
  plan.features.push_back({.kind = environment::Kind::walkable, .layer = 1, .polygons = {{box(17, 8, 23, 22), {}}}});
  plan.features.push_back(
      {.kind = environment::Kind::connection, .layer = 0, .other_layer = 1, .lines = {{{17, 8}, {23, 8}}}});
  plan.features.push_back(
      {.kind = environment::Kind::connection, .layer = 0, .other_layer = 1, .lines = {{{17, 22}, {23, 22}}}});
  const Scene scene(plan);
  REQUIRE(validate_obstacles(scene.mesh, scene.obstacles).empty());
  const Index bridge = scene.obstacles.nearest(scene.mesh, {{17, 9}, 0});
  CHECK(scene.obstacles.nearest(scene.mesh, {{23, 20}, 0}) == bridge);
  CHECK(scene.obstacles.nearest(scene.mesh, {{17, 15}, 1}) == bridge);
  CHECK(scene.obstacles.is_inner(bridge));
  const auto walked = [&](const std::vector<Place>& places) {
    return *decisions_of(scene.mesh, scene.obstacles, places);
  };
  CHECK_FALSE(walked({{{1, 15}, 0}, {{20, 15}, 0}, {{39, 15}, 0}}).side_of(bridge));
  CHECK_FALSE(walked({{{20, 1}, 0}, {{20, 8}, 0}, {{20, 15}, 1}, {{20, 22}, 1}, {{20, 29}, 0}}).side_of(bridge));
  CHECK(walked({{{1, 15}, 0}, {{20, 3}, 0}, {{39, 15}, 0}}).says(bridge, Side::right));
  CHECK(walked({{{1, 15}, 0}, {{20, 27}, 0}, {{39, 15}, 0}}).says(bridge, Side::left));
}

TEST_CASE(
    "decisions of a path: they are those of its class, whatever the method, and of a corridor's every way through") {
  test::Random random(test::test_seed());
  int same_class = 0, decided = 0;
  for (int i = 0; i < 60; ++i) {
    const auto kind = i % 2 == 0 ? SceneKind::overlapping_polygons : SceneKind::grid_of_squares;
    const World world = make_world(environment::random_scene(random.below(1u << 30), kind));
    const Obstacles& obstacles = world.graph->sides()->obstacles();
    Planner planner(world.graph);
    for (int k = 0; k < 6; ++k) {
      const auto from = free_place(*world.mesh, random, 0.3), to = free_place(*world.mesh, random, 0.3);
      if (!from || !to) continue;
      Route routes[3];
      const RouteMethod methods[] = {RouteMethod::medial, RouteMethod::shortest_in_corridor, RouteMethod::left};
      bool found = true;
      for (int m = 0; m < 3; ++m)
        found = found && planner.plan({.from = *from, .to = *to, .radius = 0.2, .method = methods[m]}, routes[m]) ==
                             NoRoute::found;
      if (!found) continue;
      for (int m = 1; m < 3; ++m) {
        const auto one = topology_of(*world.graph, routes[0]), other = topology_of(*world.graph, routes[m]);
        REQUIRE((one && other));
        if (one->chains != other->chains) continue;
        ++same_class;
        const auto a = decisions_of(*world.mesh, obstacles, routes[0]),
                   b = decisions_of(*world.mesh, obstacles, routes[m]);
        REQUIRE((a && b));
        decided += int(a->decisions().size());
        CHECK(*a == *b);
      }
    }
  }
  CHECK(same_class > 100);
  CHECK(decided > 100);
}

TEST_CASE("decisions of a path: the way back has the opposite ones, mirrored scenes swap them, in random scenes") {
  test::Random random(test::test_seed());
  int compared = 0, decided = 0;
  for (int i = 0; i < 40; ++i) {
    const auto kind = i % 2 == 0 ? SceneKind::overlapping_polygons : SceneKind::rotated_rectangles;
    environment::Environment plan = environment::random_scene(random.below(1u << 30), kind);
    const World world = make_world(plan);
    for (environment::Feature& feature : plan.features) {
      for (auto& polygon : feature.polygons) {
        for (Vec2& p : polygon.outer) p.y = -p.y;
        for (auto& hole : polygon.holes)
          for (Vec2& p : hole) p.y = -p.y;
      }
      for (auto& line : feature.lines)
        for (Vec2& p : line) p.y = -p.y;
    }
    plan.grid.reset();
    const World mirror = make_world(plan);
    const Obstacles& obstacles = world.graph->sides()->obstacles();
    const Obstacles& mirrored = mirror.graph->sides()->obstacles();
    Planner planner(world.graph);
    for (int k = 0; k < 10; ++k) {
      const auto from = free_place(*world.mesh, random, 0.3), to = free_place(*world.mesh, random, 0.3);
      if (!from || !to) continue;
      Route route;
      if (planner.plan({.from = *from, .to = *to, .radius = 0.2}, route) != NoRoute::found) continue;
      const auto its = decisions_of(*world.mesh, obstacles, route);
      REQUIRE(its);
      std::vector<Place> points = route.flatten(*world.mesh, 1e-3);
      const auto drawn = decisions_of(*world.mesh, obstacles, points);
      REQUIRE(drawn);
      CHECK(*drawn == *its);
      std::reverse(points.begin(), points.end());
      CHECK(*decisions_of(*world.mesh, obstacles, points) == opposite(*its));
      for (Place& p : points) p.point.y = -p.point.y;
      const auto turned = decisions_of(*mirror.mesh, mirrored, points);
      ++compared;
      if (!turned || mirrored.count() != obstacles.count()) continue;
      // The way back in the mirror: the same sides, of the same places.
      CHECK(turned->decisions().size() == its->decisions().size());
      for (const Decision d : its->decisions()) {
        ++decided;
        Place at = obstacles.outline(d.about)[0];
        at.point.y = -at.point.y;
        CHECK(turned->side_of(mirrored.nearest(*mirror.mesh, at)) == d.side);
      }
    }
  }
  CHECK(compared > 100);
  CHECK(decided > 100);
}

TEST_CASE("routes under decisions: the other way round, and the tight string in that corridor") {
  const Scene scene(hall(box(0, 0, 20, 10), {box(9, 3, 11, 5)}));
  const Index pillar = scene.at(10, 4);
  Planner planner(scene.world.graph);
  DecidedPlanner decided(*scene.world.graph);
  Route route;
  std::size_t expansions = 0;
  for (const RouteMethod method : {RouteMethod::shortest_in_corridor, RouteMethod::medial, RouteMethod::shortest})
    for (const Side side : {Side::left, Side::right}) {
      Strategy told;
      told.set({pillar, side});
      const RouteQuery query{.from = {{1, 4}, 0}, .to = {{19, 4}, 0}, .radius = 0.25, .method = method};
      REQUIRE(decided.plan(query, told, planner, route, expansions) == NoRoute::found);
      CHECK(decisions_of(scene.mesh, scene.obstacles, route)->says(pillar, side));
    }
  CHECK(expansions > 0);
  // Below it there is no room for the body; told to go there, nobody finds a way, and whoever is too wide for both is told so.
  const Scene narrow(hall(box(0, 0, 20, 10), {box(9, 0.3, 11, 5)}));
  Strategy told;
  told.set({narrow.at(10, 3), Side::right});
  Planner other(narrow.world.graph);
  DecidedPlanner impossible(*narrow.world.graph);
  RouteQuery query{.from = {{4, 5}, 0}, .to = {{16, 5}, 0}, .radius = 0.25};
  CHECK(impossible.plan(query, told, other, route, expansions) == NoRoute::not_as_told);
  CHECK(route.pieces.empty());
  query.radius = 2.6;
  CHECK(impossible.plan(query, told, other, route, expansions) == NoRoute::too_narrow);
  query.radius = 0.1;
  CHECK(impossible.plan(query, told, other, route, expansions) == NoRoute::found);
}

TEST_CASE("routes under decisions equal the best of all simple ways over chains, and there is none where none exists") {
  hold_to_all_simple_ways(60);
}
TEST_CASE("long: routes under decisions equal the best of all simple ways over chains, a thousand scenes") {
  hold_to_all_simple_ways(1000);
}
