// Followers beside MIRAN: what each heads for, by hand; and that people who walk by them alone arrive.
#include "environment/generate/random_scenes.hpp"
#include "following/direct.hpp"
#include "following/flow.hpp"
#include "following/irm.hpp"
#include "following/lookahead.hpp"
#include "following/walks.hpp"

using namespace throng;
using namespace throng::following;
using namespace throng::test;

namespace {

/// Ways around corners, one of them a wall with two ends.
Ground rooms() {
  environment::Environment e = room(20, 10);
  add_obstacle(e, box(8, 0, 9, 6));
  add_obstacle(e, box(13, 4, 14, 10));
  return make_ground(e);
}

}  // namespace

TEST_CASE("followers: all are found by name, in order") {
  CHECK(find_follower("direct") == &direct());
  CHECK(find_follower("flow") == &flow());
  CHECK(find_follower("irm") == &irm());
  CHECK(find_follower("lookahead") == &lookahead());
  for (std::size_t i = 1; i < followers().size(); ++i)
    CHECK(followers()[i - 1]->info().name < followers()[i]->info().name);
}

TEST_CASE("direct: straight to the goal, through whatever is there, and no farther") {
  const Ground ground = rooms();
  const routes::Route route = drawn_route({{2, 2}, {8.5, 8}, {16, 2}}, 0.25);
  Walker walker(ground, route, 0.25, {}, {}, "direct");
  walker.ask();
  CHECK(walker.attraction() == Vec2{16, 2});
  CHECK(length(walker.velocity() - Vec2{1.34, 0}) < 1e-12);
  CHECK_FALSE(walker.needs_route());
  walker.put({{15.95, 2}, 0});  // less than a step
  walker.ask();
  CHECK(length(walker.velocity() - Vec2{0.5, 0}) < 1e-9);
  walker.put({{16, 2}, 0});
  walker.ask();
  CHECK(walker.velocity() == Vec2{});
}

TEST_CASE("lookahead: five metres ahead along the route, or the goal") {
  const Ground ground = make_ground(room(30, 10));
  const routes::Route route = drawn_route({{2, 2}, {5, 2}, {5, 8}}, 0.25);
  Walker walker(ground, route, 0.25, {}, {}, "lookahead");
  walker.ask();
  CHECK(length(walker.attraction() - Vec2{5, 4}) < 1e-9);
  CHECK(length(walker.velocity()) == doctest::Approx(1.34));
  CHECK(walker.memory.reference == 0);
  CHECK(walker.memory.attraction == doctest::Approx(5));
  walker.put({{4, 3.5}, 0});  // nearest to (5, 3.5), 4.5 m along: the goal is 4.5 m beyond
  walker.ask();
  CHECK(walker.memory.reference == doctest::Approx(4.5));
  CHECK(walker.attraction() == Vec2{5, 8});
}

TEST_CASE("lookahead: not beyond what is out of sight, though the route comes into sight again") {
  environment::Environment e = room(30, 10);
  add_obstacle(e, box(4, 1, 6, 4));
  const Ground ground = make_ground(e);
  // Around an obstacle in a wide bow; its last part can be seen past the obstacle.
  const routes::Route route = drawn_route({{2, 5}, {2.5, 0.5}, {7.5, 0.5}, {7.5, 5}}, 0.25);
  Walker near(ground, route, 0.25, {20, 0.25}, {}, "lookahead");
  near.ask();
  // From (2, 5) the corner (4, 1), kept 0.25 m off, hides the lower way from about x = 3.6 on.
  CHECK(near.attraction().y == doctest::Approx(0.5));
  CHECK(near.attraction().x > 3.2);
  CHECK(near.attraction().x < 4);
  CHECK_FALSE(near.needs_route());
}

TEST_CASE("irm: the last point of the route in the disc of free space around the retracted place") {
  // A corridor 4 m wide: the retracted place is in its middle, and the disc has a radius of 2 m.
  const Ground ground = make_ground(room(40, 4));
  const routes::Route route = drawn_route({{10, 1}, {30, 1}}, 0.25);
  Walker walker(ground, route, 0.25, {}, {}, "irm");
  walker.ask();
  CHECK(length(walker.attraction() - Vec2{10 + std::sqrt(3.0), 1}) < 2e-3);
  walker.put({{12, 3}, 0});  // on the other side of the middle: the same disc
  walker.memory = {1.5, 3};
  walker.ask();
  CHECK(length(walker.attraction() - Vec2{12 + std::sqrt(3.0), 1}) < 2e-3);
  walker.memory = {17, 18.5};
  walker.put({{28.5, 2.2}, 0});  // the goal is in the disc
  walker.ask();
  CHECK(walker.attraction() == Vec2{30, 1});
}

TEST_CASE("irm: needs a route where none of it is in the disc, and does not skip what is once around ahead") {
  const Ground ground = make_ground(room(40, 20));
  const routes::Route far = drawn_route({{10, 1}, {30, 1}}, 0.25);
  Walker lost(ground, far, 0.25, {}, {}, "irm");
  lost.put({{3, 18.5}, 0});  // the disc has 1.5 to 3 m
  lost.ask();
  CHECK(lost.needs_route());
  CHECK(lost.velocity() == Vec2{});
  // Out and back, 16 m each way: the disc of 2 m around (20, 2) holds a part of the way back, 30 m ahead.
  const Ground corridor = make_ground(room(40, 4));
  const routes::Route loop = drawn_route({{20, 1}, {36, 1}, {36, 3}, {20, 3}}, 0.25);
  Walker walker(corridor, loop, 0.25, {}, {}, "irm");
  walker.put({{20, 0.5}, 0});
  walker.ask();
  CHECK(walker.attraction().y == 1);
}

TEST_CASE("flow: the shortest way from wherever one is, to its next bend, no farther than the goal") {
  const Ground ground = rooms();
  const auto tiles = std::make_shared<const routes::CorridorTiles>(ground.graph);
  const routes::FlowGoal goal{{{11, 1}, 0}, 0};
  const routes::Route route = drawn_route({{2, 2}, {11, 1}}, 0.25);  // never looked at
  Walker walker(ground, route, 0.25, {}, {}, "flow");
  walker.field = std::make_shared<const routes::FlowField>(tiles, std::span(&goal, 1), 0.25);
  walker.ask();
  // Over the wall from (8, 0) to (9, 6): tangent to the disc around (8, 6) from below.
  const double to_corner = length(Vec2{8, 6} - Vec2{2, 2});
  const double tangent = std::sqrt(to_corner * to_corner - 0.0625);
  CHECK(length(walker.attraction() - walker.position()) == doctest::Approx(tangent));
  CHECK(length(walker.attraction() - Vec2{8, 6}) == doctest::Approx(0.25));
  CHECK(length(walker.velocity()) == doctest::Approx(1.34));
  CHECK(walker.memory.reference == 0);
  CHECK(walker.memory.attraction > tangent + 5);
  walker.put({{10, 1}, 0});
  walker.ask();
  CHECK(walker.attraction() == Vec2{11, 1});
  CHECK(walker.memory.attraction == doctest::Approx(1));
  walker.put({{10.95, 1}, 0});  // less than a step
  walker.ask();
  CHECK(length(walker.velocity() - Vec2{0.5, 0}) < 1e-9);
  walker.put({{11, 1}, 0});
  walker.ask();
  CHECK(length(walker.velocity()) < 1e-9);
  CHECK_FALSE(walker.needs_route());
}

TEST_CASE("flow: one's own place once it is in sight; another field where there is no way") {
  const Ground ground = rooms();
  const auto tiles = std::make_shared<const routes::CorridorTiles>(ground.graph);
  const routes::FlowGoal goal{{{11, 1}, 0}, 0};
  const routes::Route route = drawn_route({{2, 2}, {11, 1}}, 0.25);
  Walker walker(ground, route, 0.25, {}, {}, "flow");
  walker.field = std::make_shared<const routes::FlowField>(tiles, std::span(&goal, 1), 0.25);
  walker.own_place = {{12, 4}, 0};
  walker.ask();
  CHECK(length(walker.attraction() - Vec2{8, 6}) == doctest::Approx(0.25));  // behind the wall
  walker.put({{10, 3}, 0});
  walker.ask();
  CHECK(walker.attraction() == Vec2{12, 4});
  CHECK(walker.memory.attraction == doctest::Approx(std::sqrt(5.0)));
  const routes::FlowGoal in_wall{{{8.5, 1}, 0}, 0};
  walker.field = std::make_shared<const routes::FlowField>(tiles, std::span(&in_wall, 1), 0.25);
  walker.ask();
  CHECK(walker.needs_route());
  CHECK(walker.velocity() == Vec2{});
}

TEST_CASE("followers: everybody alone arrives, at a distance from walls, and no reference goes back") {
  for (const char* method : {"irm", "lookahead", "flow"}) {
    Tally tally;
    for (const auto kind : environment::all_scene_kinds) {
      const Ground ground = make_ground(environment::random_scene(test_seed(), kind));
      for (const double radius : {0.1, 0.24, 0.6})
        for (const double clearance : {0.0, 0.5})
          check_arrivals(std::string(name_of(kind)), ground, test_seed(), 5, radius, clearance, 0.1, tally, method);
    }
    const Ground station = load_ground(THRONG_SOURCE_DIR "/examples/station.geojson");
    check_arrivals("station", station, test_seed(), 40, 0.24, 0, 0.1, tally, method);
    CHECK(tally.walks > 250);
    MESSAGE(std::string(method), ": ", tally.walks, " walks, walked/planned ", tally.walked / tally.planned,
            ", time/least ", tally.time / tally.walked);
  }
}

TEST_CASE("direct: everybody alone arrives where the goal is in sight") {
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  int arrived = 0;
  for (const auto kind : environment::all_scene_kinds) {
    const Ground ground = make_ground(environment::random_scene(test_seed(), kind));
    for (int i = 0; i < 40; ++i) {
      const auto from = free_place(*ground.mesh, random, 0.2), to = free_place(*ground.mesh, random, 0.2);
      if (!from || !to || !navmesh::visible(*ground.mesh, *from, *to, 0.2)) continue;
      if (from->layer != to->layer) continue;
      const routes::Route route = [&] {
        routes::Route straight = drawn_route({from->point, to->point}, 0.2);
        straight.start.layer = straight.goal.layer = from->layer;
        return straight;
      }();
      Walker walker(ground, route, 0.2, {}, {}, "direct");
      const Walk result = walk(walker);
      CHECK(result.arrived);
      CHECK(result.nearest >= 0.2 - 1e-6);
      CHECK(result.walked <= route.length + 1e-9);
      arrived += result.arrived;
    }
  }
  CHECK(arrived > 100);
}

TEST_CASE("followers: answers do not depend on who is asked together, and nobody else's are written") {
  const Ground ground = make_ground(environment::random_scene(7, environment::SceneKind::rotated_rectangles));
  const navmesh::Mesh& mesh = *ground.mesh;
  constexpr std::size_t count = 40;
  Random random(test_seed());
  routes::Planner planner(ground.graph);
  std::vector<routes::PlannedRoutePtr> route;
  std::vector<Vec2> position, nothing(count);
  std::vector<Index> layer(count, 0), cell, first(count, 0);
  std::vector<double> clearance, radius(count, 0.2), speed(count, 1.3);
  const auto tiles = std::make_shared<const routes::CorridorTiles>(ground.graph);
  std::vector<std::shared_ptr<const routes::FlowField>> field;
  while (route.size() < count) {
    routes::Route planned;
    const auto from = free_place(mesh, random, 0.2), to = free_place(mesh, random, 0.2);
    REQUIRE((from && to));
    if (planner.plan({.from = *from, .to = *to, .radius = 0.2}, planned) != routes::NoRoute::found) continue;
    route.push_back(routes::share(planned));
    position.push_back(planned.start.point);
    const routes::FlowGoal goal{planned.goal, 0};
    field.push_back(std::make_shared<const routes::FlowField>(tiles, std::span(&goal, 1), 0.2));
    const navmesh::Located at = navmesh::locate(mesh, planned.start);
    cell.push_back(at.cell);
    clearance.push_back(at.clearance);
  }
  for (const Follower* method : followers()) {
    CAPTURE(method->info().name);
    const std::vector<double> block = default_block(method->info());
    FollowView view;
    view.people = {&mesh,   0.1,     nullptr, {},   {},        position, nothing,
                   nothing, nothing, layer,   cell, clearance, radius,   speed};
    view.route = route;
    view.field = field;
    view.parameters = {block.data(), first};
    struct Answers {
      std::vector<FollowMemory> memory{count};
      std::vector<Vec2> velocity = std::vector<Vec2>(count, Vec2{99, 99});
      std::vector<std::uint8_t> needs_route = std::vector<std::uint8_t>(count, 7);
      FollowOutput output() { return {memory, velocity, {}, needs_route}; }  // nobody wants attraction points
    } together, some;
    std::vector<Slot> all, odd;
    for (Slot slot = 0; slot < count; ++slot) (all.push_back(slot), slot % 2 == 1 ? odd.push_back(slot) : void());
    method->run(view, all, together.output());
    std::reverse(odd.begin(), odd.end());
    for (const Slot slot : odd) method->run(view, {&slot, 1}, some.output());
    for (Slot slot = 0; slot < count; ++slot) {
      const bool asked = slot % 2 == 1;
      CHECK(some.velocity[slot] == (asked ? together.velocity[slot] : Vec2{99, 99}));
      CHECK(some.memory[slot] == (asked ? together.memory[slot] : FollowMemory{}));
      CHECK(some.needs_route[slot] == (asked ? 0 : 7));
    }
  }
}
