// MIRAN where the ground differs, and where the document shows it fail: Jaklin 2016, 6.4.3 (lake, self-crossing route), 7.3 (puddle).
#include "environment/generate/generate_city.hpp"
#include "environment/generate/random_scenes.hpp"
#include "following/miran.hpp"
#include "following/walker.hpp"

using namespace throng;
using namespace throng::following;
using namespace throng::test;

namespace {

/// What a walk cost by somebody's own weights, and how much of it lay on a type.
struct Cost {
  double total = 0;
  double metres_on = 0;
  bool arrived = false;
};

Cost walk_and_pay(const Ground& ground, Walker& walker, const std::vector<double>& weights, Index type, double body) {
  Cost cost;
  RegionMap::Scratch scratch;
  std::vector<double> only(weights.size(), 0.0);
  only[type] = 1;
  for (int step = 0; step < 5000 && !walker.arrived(); ++step) {
    const Place before = walker.place();
    walker.ask();
    if (walker.needs_route()) break;
    walker.move();
    cost.total += ground.regions->weighted_length(before, walker.place(), body, weights.data(), scratch);
    cost.metres_on += ground.regions->weighted_length(before, walker.place(), body, only.data(), scratch);
  }
  cost.arrived = walker.arrived();
  return cost;
}

double route_cost(const Ground& ground, const routes::Route& route, const std::vector<double>& weights, double body) {
  RegionMap::Scratch scratch;
  double sum = 0;
  for (const routes::Piece& piece : route.pieces)
    sum += ground.regions->weighted_length({piece.from, 0}, {piece.to, 0}, body, weights.data(), scratch);
  return sum;
}

}  // namespace

TEST_CASE("a lake is not crossed because the route around it is long") {
  environment::Environment e = room(100, 100);
  add_region(e, box(30, 20, 70, 80), "lake");
  const Ground ground = make_ground(e);
  const routes::Route route = drawn_route({{20, 50}, {20, 10}, {80, 10}, {80, 50}}, 0.25);
  for (const double sampling : {1.0, 20.0}) {
    Walker walker(ground, route, 0.25, {250, sampling, 0}, {1, 40});
    const Cost cost = walk_and_pay(ground, walker, {1, 40}, 1, 0);
    CHECK(cost.arrived);
    CHECK(cost.metres_on < 1);  // its corner is cut where that is cheaper than what it saves
    CHECK(cost.total <= route_cost(ground, route, {1, 40}, 0) + 1e-6);
  }
}

TEST_CASE("a candidate dearer than the way it cuts off is refused, even where it weighs least for its distance") {
  // All that is near lies in gravel. The goal, across the lake, weighs least by Jaklin's formula.
  environment::Environment e = room(50, 40);
  add_region(e, box(0, 0, 10, 40), "gravel");
  add_region(e, box(12, 6, 40, 26), "lake");
  const Ground ground = make_ground(e);
  REQUIRE(ground.regions->types() == std::vector<std::string>{"", "gravel", "lake"});
  const std::vector<double> weights{1, 4, 2};
  const routes::Route route = drawn_route({{0.5, 16}, {11, 16}, {11, 5}, {41, 5}, {41, 16}}, 0.25);
  RegionMap::Scratch scratch;
  const double across = ground.regions->weighted_length(route.start, route.goal, 0, weights.data(), scratch);
  const double around = route_cost(ground, route, weights, 0);
  const double near = ground.regions->weighted_length(route.start, {{2, 16}, 0}, 0, weights.data(), scratch) / 1.5;
  REQUIRE(across / route.length < near);  // the formula alone goes for it
  REQUIRE(across > around);               // and pays more
  Walker walker(ground, route, 0.25, {250, 1, 0}, weights);
  walker.ask();
  CHECK(distance(walker.attraction(), route.goal.point) > 1);
  Walker again(ground, route, 0.25, {250, 1, 0}, weights);
  const Cost cost = walk_and_pay(ground, again, weights, 2, 0);
  CHECK(cost.arrived);
  CHECK(cost.total < across);
  CHECK(cost.total <= around * 1.05);
}

TEST_CASE("a route that crosses itself sends nobody back") {
  const Ground ground = make_ground(room(60, 50));
  const routes::Route route = drawn_route({{5, 20}, {50, 20}, {50, 40}, {32, 40}, {32, 5}, {20, 5}}, 0.25);
  for (const double shortcut : {5.0, 30.0, 300.0})
    for (const double speed : {1.0, 2.0}) {
      Walker walker(ground, route, 0.25, {shortcut, 1, 0});
      // Past the crossing, all of the route in sight: the goal is the farthest candidate, and lies behind.
      walker.put({{40, 20}, 0});
      walker.memory = {35, 35};
      walker.speed = speed;
      bool back = false;
      for (int step = 0; step < 3000 && !walker.arrived(); ++step) {
        walker.ask();
        const routes::RoutePoint at = route.at(walker.memory.reference);
        const Vec2 forward = route.pieces[at.piece].direction_at(at.along - route.prefix[at.piece]);
        // Within a step of a corner it may be cut.
        const double left = route.prefix[at.piece] + route.pieces[at.piece].length - at.along;
        back |= left > walker.speed * walker.time_step && dot(walker.velocity(), forward) < -1e-9;
        walker.move();
      }
      CHECK(walker.arrived());
      CHECK_FALSE(back);
    }
}

TEST_CASE("nobody turns round before the end of a hairpin, whatever the sampling") {
  const Ground ground = make_ground(room(40, 20));
  const routes::Route route = drawn_route({{5, 5}, {25, 5}, {25, 6}, {5, 6}}, 0.25);
  for (const double sampling : {0.2, 1.0, 7.0}) {
    Walker walker(ground, route, 0.25, {20, sampling, 0});
    walker.put({{20, 5}, 0});  // much of the way back is in sight
    walker.memory = {15, 15};
    bool back = false;
    for (int step = 0; step < 3000 && !walker.arrived(); ++step) {
      walker.ask();
      // Less than a step before the end the corner itself may be cut.
      back |= walker.memory.reference < 20 - walker.speed * walker.time_step && walker.velocity().x < -1e-9;
      walker.move();
    }
    CHECK(walker.arrived());
    CHECK_FALSE(back);
  }
}

TEST_CASE("the puddle between the cars: a body goes around, a point goes through") {
  environment::Environment e = room(20, 20);
  add_obstacle(e, box(4, 9, 9.2, 11));
  add_obstacle(e, box(10.8, 9, 16, 11));
  add_region(e, box(9.2, 9, 10.4, 11), "puddle");
  const Ground ground = make_ground(e);
  const std::vector<double> weights{1, 30};
  const routes::Route route = drawn_route({{10.5, 4}, {17.5, 8}, {17.5, 12}, {10.5, 16}}, 0.25);
  const auto wet_metres = [&](double body) {
    Walker walker(ground, route, 0.25, {50, 0.2, body}, weights);
    const Cost cost = walk_and_pay(ground, walker, weights, 1, 0.25);
    CHECK(cost.arrived);
    return cost.metres_on;
  };
  CHECK(wet_metres(0) > 2);
  CHECK(wet_metres(1) == 0);
}

TEST_CASE("looking at the farthest candidates only gives the answers of the whole rule") {
  // Weights that differ by less than a tie make the whole rule run, with every candidate weighed.
  int compared = 0, different = 0;
  const auto compare = [&](const environment::Environment& source, std::uint64_t seed) {
    const Ground ground = make_ground(source);
    if (ground.regions->empty()) return;
    std::vector<double> nearly(ground.regions->types().size(), 1.0);
    nearly.back() = 1 + 1e-12;
    Random random(seed);
    routes::Planner planner(ground.graph);
    routes::Route route;
    for (int i = 0; i < 12; ++i) {
      const double radius = i % 2 == 0 ? 0.24 : 0.1, clearance = i % 3 == 0 ? 0.0 : 0.6;
      const auto from = free_place(*ground.mesh, random, radius), to = free_place(*ground.mesh, random, radius);
      if (!from || !to) return;
      if (planner.plan({.from = *from, .to = *to, .radius = radius, .clearance = clearance}, route) !=
          routes::NoRoute::found)
        continue;
      const std::vector<double> numbers{i % 4 == 0 ? 20.0 : 5.0, i % 5 == 0 ? 0.3 : 1.0, double(i % 2)};
      Walker quick(ground, route, radius, numbers), whole(ground, route, radius, numbers, nearly);
      for (int step = 0; step < 300 && !quick.arrived(); ++step) {
        quick.ask();
        whole.ask();
        ++compared;
        different += quick.memory != whole.memory || quick.velocity() != whole.velocity() ||
                     quick.attraction() != whole.attraction() || quick.needs_route() != whole.needs_route();
        quick.move();
        // Pushed off its way now and then, as in a crowd.
        if (step % 17 == 0) {
          const Vec2 push{random.uniform(-1, 1), random.uniform(-1, 1)};
          const Place aside{quick.position() + push, quick.place().layer};
          if (navmesh::visible(*ground.mesh, quick.place(), aside, radius)) quick.put(aside);
        }
        whole.put(quick.place());
      }
    }
  };
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 6; ++seed) {
    compare(environment::random_scene(seed, environment::SceneKind::overlapping_polygons), seed);
    environment::Environment maze = environment::random_scene(seed, environment::SceneKind::wall_maze);
    add_region(maze, box(-200, -200, 200, 200), "floor");
    compare(maze, seed);
  }
  compare(environment::generate_city({.seed = 3, .width = 150, .height = 150}), test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  CHECK(compared > 5000);
  CHECK(different == 0);
}

TEST_CASE("on uneven ground what is remembered from step to step changes no answer, of people who are pushed about") {
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  int steps = 0, on_strips = 0, before_the_end = 0;
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 3; ++seed) {
    const Ground ground = make_ground(environment::generate_city({.seed = seed, .width = 150, .height = 150}));
    routes::Planner planner(ground.graph);
    std::vector<double> weights{1};
    while (weights.size() < ground.regions->types().size()) weights.push_back(1 + double(weights.size() % 4) * 3);
    for (int walk = 0; walk < 24; ++walk) {
      const auto from = free_place(*ground.mesh, random, 0.2), to = free_place(*ground.mesh, random, 0.2);
      routes::Route route;
      if (!from || !to) continue;
      static_cast<void>(planner.plan({.from = *from, .to = *to, .radius = 0.2, .clearance = 0.3}, route));
      if (route.pieces.empty()) continue;
      const std::vector<double> numbers{walk % 3 == 0 ? 15.0 : 5.0, walk % 4 == 0 ? 0.4 : 1.0, double(walk % 5 == 0)};
      Walker plain(ground, route, 0.2, numbers, weights), remembering(ground, route, 0.2, numbers, weights);
      remembering.remembers = true;
      for (int step = 0; step < 250 && !plain.arrived(); ++step, ++steps) {
        plain.ask();
        remembering.ask();
        REQUIRE(plain.velocity() == remembering.velocity());
        REQUIRE(plain.memory == remembering.memory);
        REQUIRE(plain.needs_route() == remembering.needs_route());
        on_strips += remembering.hints.line.even_to > 0;
        before_the_end += plain.memory.attraction < plain.memory.reference + numbers[0] - 1e-6;
        const Vec2 push = random.chance(0.2) ? Vec2{random.uniform(-0.3, 0.3), random.uniform(-0.3, 0.3)} : Vec2{};
        const Place next{plain.position() + plain.velocity() * 0.1 + push, plain.place().layer};
        const navmesh::Located at = navmesh::locate(*ground.mesh, next);
        if (!at || at.clearance < 0.2 || !navmesh::visible(*ground.mesh, plain.place(), next, 0)) continue;
        plain.put(next);
        remembering.put(next);
      }
    }
  }
  CHECK(steps > 5000);
  CHECK(on_strips > steps / 10);
  CHECK(before_the_end > steps / 10);
}

TEST_CASE("with regions everybody still arrives, by point and by body, and the reference never goes back") {
  int walks = 0;
  const auto check = [&](const std::string& name, const environment::Environment& source, std::uint64_t seed,
                         int pairs) {
    const Ground ground = make_ground(source);
    Random random(seed);
    routes::Planner planner(ground.graph);
    routes::Route route;
    std::vector<double> weights{1};
    for (std::size_t i = 1; i < ground.regions->types().size(); ++i)
      weights.push_back(random.chance(0.3) ? 0.5 : 6.0 * i);
    for (int i = 0; i < pairs; ++i) {
      const auto from = free_place(*ground.mesh, random, 0.24), to = free_place(*ground.mesh, random, 0.24);
      if (!from || !to) return;
      if (planner.plan({.from = *from, .to = *to, .radius = 0.24, .clearance = 0.5 * (i % 2)}, route) !=
          routes::NoRoute::found)
        continue;
      Walker walker(ground, route, 0.24, {i % 3 == 0 ? 30.0 : 5.0, 1.0, double(i / 2 % 2)}, weights);
      CAPTURE(name);
      CAPTURE(i);
      INFO("THRONG_TEST_SEED=" << seed);
      bool back = false, lost = false;
      double nearest = INFINITY;
      const int most = 500 + int(10 * route.length / 0.134);
      int steps = 0;
      for (; steps < most && !walker.arrived(); ++steps) {
        const double reference = walker.memory.reference;
        walker.ask();
        back |= walker.memory.reference < reference;
        lost |= walker.needs_route();
        walker.move();
        nearest = std::min(nearest, walker.clearance());
      }
      ++walks;
      CHECK(walker.arrived());
      CHECK_FALSE(back);
      CHECK_FALSE(lost);
      CHECK(nearest >= 0.24 - 1e-6);
    }
  };
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 8; ++seed)
    check("polygons", environment::random_scene(seed, environment::SceneKind::overlapping_polygons), seed, 8);
  check("city", environment::generate_city({.seed = 3, .width = 200, .height = 200}), test_seed(), 40);
  CHECK(walks > 60);
}

TEST_CASE("pushed off the route: who sees some of it goes on, who sees nothing asks for a route and stands") {
  environment::Environment e = room(40, 40);
  add_obstacle(e, box(10, 10, 30, 30));
  const Ground ground = make_ground(e);
  const routes::Route route = drawn_route({{5, 5}, {35, 5}, {35, 35}}, 0.25);
  Walker walker(ground, route, 0.25, {});
  for (int step = 0; step < 100; ++step) walker.ask(), walker.move();
  const double reference = walker.memory.reference;
  CHECK(reference > 10);
  walker.put({{10, 8}, 0});  // back and aside
  walker.ask();
  CHECK_FALSE(walker.needs_route());
  CHECK(walker.memory.reference == reference);
  CHECK(walker.velocity().x > 0);
  walker.put({{5, 35}, 0});  // behind the block
  walker.ask();
  CHECK(walker.needs_route());
  CHECK(walker.velocity() == Vec2{});
  CHECK(walker.memory.reference == reference);
  walker.put({{18, 6}, 0});
  walker.ask();
  CHECK_FALSE(walker.needs_route());
}

TEST_CASE("the goal attracts as soon as the rest of the route can be seen, and nobody runs past it") {
  const Ground ground = make_ground(room(40, 40));
  const routes::Route route = drawn_route({{5, 5}, {20, 5}, {20, 7}}, 0.25);
  Walker walker(ground, route, 0.25, {30, 1, 0});
  walker.ask();
  CHECK(walker.attraction() == route.goal.point);
  for (int step = 0; step < 200 && !walker.arrived(); ++step) walker.ask(), walker.move();
  CHECK(walker.arrived());
  walker.ask();
  CHECK(std::sqrt(squared_length(walker.velocity())) < 1e-6);
  CHECK_FALSE(walker.needs_route());
}

TEST_CASE("a route that is a single point is a goal one stands on") {
  const Ground ground = make_ground(room(10, 10));
  routes::Route route;
  route.start = route.goal = {{5, 5}, 0};
  Walker walker(ground, route, 0.25, {});
  walker.ask();
  CHECK(walker.velocity() == Vec2{});
  CHECK_FALSE(walker.needs_route());
}
