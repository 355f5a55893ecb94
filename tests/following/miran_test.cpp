// MIRAN alone: people who walk by it arrive, keep their distance from walls, and never go back.
#include "following/miran.hpp"

#include "environment/generate/generate_city.hpp"
#include "environment/generate/random_scenes.hpp"
#include "following/walks.hpp"

using namespace throng;
using namespace throng::following;
using namespace throng::test;

namespace {

std::string example(const char* name) { return std::string(THRONG_SOURCE_DIR "/examples/") + name; }

}  // namespace

TEST_CASE("everybody alone arrives on every kind of scene, also where the route hugs corners") {
  Tally tally;
  for (const auto kind : environment::all_scene_kinds) {
    const Ground ground = make_ground(environment::random_scene(test_seed(), kind));
    for (const double radius : {0.1, 0.24, 0.6})
      for (const double clearance : {0.0, 0.5})
        check_arrivals(std::string(name_of(kind)), ground, test_seed(), 5, radius, clearance, 0.1, tally);
  }
  CHECK(tally.walks > 200);
  MESSAGE(tally.walks, " walks, walked/planned ", tally.walked / tally.planned, ", time/least ",
          tally.time / tally.walked);
}

TEST_CASE("a body gets through doors a millimetre wider than itself, at any angle, without touching") {
  const double radius = 0.25, width = 2 * radius + 0.001;
  environment::Environment e = room(12, 8);
  add_obstacle(e, box(4, 0, 4.1, 3));
  add_obstacle(e, box(4, 3 + width, 4.1, 8));
  add_obstacle(e, box(4 + 0.1 + width, 2, 8, 2.9));  // right behind the door a passage as wide, at a right angle
  add_obstacle(e, box(4 + 0.1 + width, 3 + width, 8, 4));
  const Ground ground = make_ground(e);
  Tally tally;
  for (const double time_step : {0.05, 0.1, 0.5})
    check_arrivals("door", ground, test_seed(), 60, radius, 0, time_step, tally);
  CHECK(tally.walks == 180);
}

TEST_CASE("answers do not depend on who is asked together, and nobody else's are written") {
  const Ground ground = make_ground(environment::random_scene(7, environment::SceneKind::rotated_rectangles));
  const navmesh::Mesh& mesh = *ground.mesh;
  constexpr std::size_t count = 60;
  Random random(test_seed());
  routes::Planner planner(ground.graph);
  std::vector<routes::Route> planned(count);
  std::vector<routes::PlannedRoutePtr> route;
  std::vector<Vec2> position, nothing(count);
  std::vector<Index> layer(count, 0), cell, first(count, 0);
  std::vector<double> clearance, radius(count, 0.2), speed(count, 1.3);
  for (std::size_t i = 0; i < count; ++i) {
    do {
      const auto from = free_place(mesh, random, 0.2), to = free_place(mesh, random, 0.2);
      REQUIRE((from && to));
      static_cast<void>(planner.plan({.from = *from, .to = *to, .radius = 0.2}, planned[i]));
    } while (planned[i].pieces.empty());
    route.push_back(routes::share(planned[i]));
    position.push_back(planned[i].start.point);
    const navmesh::Located at = navmesh::locate(mesh, planned[i].start);
    cell.push_back(at.cell);
    clearance.push_back(at.clearance);
  }
  const Follower& method = *find_follower("miran");
  const std::vector<double> block = default_block(method.info());
  FollowView view;
  view.people = {&mesh,   0.1,     nullptr, {},   {},        position, nothing,
                 nothing, nothing, layer,   cell, clearance, radius,   speed};
  view.route = route;
  view.parameters = {block.data(), first};
  struct Answers {
    std::vector<FollowMemory> memory{count};
    std::vector<Vec2> velocity = std::vector<Vec2>(count, Vec2{99, 99}), attraction{count};
    std::vector<std::uint8_t> needs_route = std::vector<std::uint8_t>(count, 7);
    FollowOutput output() { return {memory, velocity, attraction, needs_route}; }
  } together, apart, some;
  std::vector<Slot> all, odd;
  for (Slot slot = 0; slot < count; ++slot) (all.push_back(slot), slot % 2 == 1 ? odd.push_back(slot) : void());
  method.run(view, all, together.output());
  for (const Slot slot : all) method.run(view, {&slot, 1}, apart.output());
  method.run(view, odd, some.output());
  CHECK(together.velocity == apart.velocity);
  CHECK(together.memory == apart.memory);
  CHECK(together.attraction == apart.attraction);
  for (Slot slot = 0; slot < count; ++slot) {
    const bool asked = slot % 2 == 1;
    CHECK(some.velocity[slot] == (asked ? together.velocity[slot] : Vec2{99, 99}));
    CHECK(some.needs_route[slot] == (asked ? 0 : 7));
  }
}

TEST_CASE("what is remembered from step to step changes no answer, also of people who are pushed about") {
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  std::size_t steps = 0, with_room = 0;
  for (const auto kind : environment::all_scene_kinds) {
    const Ground ground = make_ground(environment::random_scene(test_seed(), kind));
    routes::Planner planner(ground.graph);
    for (int walk = 0; walk < 12; ++walk) {
      const auto from = free_place(*ground.mesh, random, 0.2), to = free_place(*ground.mesh, random, 0.2);
      routes::Route route;
      if (!from || !to) continue;
      static_cast<void>(planner.plan({.from = *from, .to = *to, .radius = 0.2, .clearance = 0.3}, route));
      if (route.pieces.empty()) continue;
      Walker plain(ground, route, 0.2, {}), remembering(ground, route, 0.2, {});
      remembering.remembers = true;
      for (int step = 0; step < 300; ++step, ++steps) {
        with_room += remembering.hints.room > 0 ? 1 : 0;
        plain.ask();
        remembering.ask();
        REQUIRE(plain.velocity() == remembering.velocity());
        REQUIRE(plain.memory == remembering.memory);
        REQUIRE(plain.needs_route() == remembering.needs_route());
        const Vec2 push = random.chance(0.3) ? Vec2{random.uniform(-0.1, 0.1), random.uniform(-0.1, 0.1)} : Vec2{};
        const Place next{plain.position() + plain.velocity() * 0.1 + push, plain.place().layer};
        const navmesh::Located at = navmesh::locate(*ground.mesh, next);
        if (!at || at.clearance < 0.2 || !navmesh::visible(*ground.mesh, plain.place(), next, 0)) continue;
        plain.put(next);
        remembering.put(next);
      }
    }
  }
  CHECK(steps > 5000);
  CHECK(with_room > steps / 10);
}

TEST_CASE("methods are found by name, with defaults within their bounds") {
  CHECK(find_follower("miran") == &miran());
  CHECK(find_follower("walk straight") == nullptr);
  for (const Follower* follower : followers())
    for (const Parameter& parameter : follower->info().parameters) {
      CHECK(parameter.least <= parameter.value);
      CHECK(parameter.value <= parameter.most);
    }
}

TEST_CASE("everybody alone arrives in the station, over its layers") {
  const Ground ground = load_ground(example("station.geojson"));
  Tally tally;
  for (const double clearance : {0.0, 0.5})
    check_arrivals("station", ground, test_seed(), 50, 0.24, clearance, 0.1, tally);
  CHECK(tally.walks > 80);
  MESSAGE(tally.walks, " walks, walked/planned ", tally.walked / tally.planned, ", time/least ",
          tally.time / tally.walked);
}

TEST_CASE(
    "long: alone, 10,000 of 10,000 arrive: real maps, a generated city, every kind of scene, several radii and time "
    "steps") {
  Tally tally;
  const auto run = [&](const std::string& name, const Ground& ground, std::uint64_t seed, int pairs) {
    for (const double radius : {0.1, 0.24, 0.45})
      for (const double clearance : {0.0, 0.5})
        for (const double time_step : {0.1, 0.5})
          check_arrivals(name, ground, seed, pairs, radius, clearance, time_step, tally);
  };
  const int before = tally.walks;
  for (std::uint64_t seed = test_seed(); seed < test_seed() + 12; ++seed)
    for (const auto kind : environment::all_scene_kinds)
      run(std::string(name_of(kind)), make_ground(environment::random_scene(seed, kind)), seed, 4);
  CHECK(tally.walks - before > 4000);
  for (const char* name : {"station.geojson", "spiral.geojson", "office.geojson", "park.geojson", "quarter.geojson"})
    run(name, load_ground(example(name)), test_seed(), 80);
  run("generated city", make_ground(environment::generate_city({.seed = test_seed(), .width = 300, .height = 300})),
      test_seed(), 100);
  for (const char* name : {"kaiserslautern.geojson", "Milan_1_512.poly"})
    if (const auto file = data_file(name)) run(name, load_ground(*file), test_seed(), 150);
  CHECK(tally.walks >= 10000);
  CHECK(tally.bad == 0);
  MESSAGE(tally.walks, " walks, ", tally.bad, " bad; walked/planned ", tally.walked / tally.planned, ", time/least ",
          tally.time / tally.walked);
}
