// Detours round jams that are seen (Zwerver 2018): its own cases, worked out by hand, and people who go round people.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "analysis/detour_scenes.hpp"
#include "crowd/detour_gates.hpp"
#include "crowd/detour_search.hpp"
#include "crowd/detours.hpp"
#include "environment/sketch.hpp"
#include "routes/axis_trace.hpp"
#include "routes/planned_route.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using analysis::DetourMethod;
using analysis::DetourRun;
using analysis::DetourScene;
using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::DetourNumbers;
using crowd::GateList;
using crowd::JamSight;
using crowd::Level;
using crowd::Slot;
using fields::Square;

const crowd::CongestionMethod& method_named(std::string_view name) {
  const auto& all = crowd::congestion_methods();
  return **std::ranges::find(all, name, [](const crowd::CongestionMethod* m) { return m->info().name; });
}

DetourNumbers numbers_of(std::string_view name, bool as_published = false) {
  const crowd::CongestionMethod& method = method_named(name);
  return method.detour_numbers(agents::default_block(method.info(), as_published).data());
}

crowd::WorldPtr hall(double width, double height) {
  environment::Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {width, height}), {}});
  return make_crowd_world(std::move(sketch).take());
}

TEST_CASE("detours: squares under a line are those it passes, in order, with their metres") {
  Random random(test_seed());
  INFO("THRONG_TEST_SEED=" << test_seed());
  for (int i = 0; i < 2000; ++i) {
    const Vec2 a{random.uniform(-9, 9), random.uniform(-9, 9)};
    Vec2 b{random.uniform(-9, 9), random.uniform(-9, 9)};
    if (i % 5 == 0) b.x = a.x;
    if (i % 7 == 0) b.y = a.y;
    const double length = distance(a, b);
    double so_far = 0;
    bool all_there = true;
    (void)fields::for_each_square_under(a, b, 0, 0.3, [&](const Square& square, double from, double to) {
      all_there = all_there && from == doctest::Approx(so_far) && to >= from;
      const Vec2 middle = length > 0 ? a + (b - a) * ((from + to) / 2 / length) : a;
      const Square expected = fields::square_at({middle, 0}, 0.3);
      if (to - from > 1e-6) all_there = all_there && square == expected;
      so_far = to;
      return false;
    });
    CHECK(all_there);
    CHECK(so_far == doctest::Approx(length));
  }
  int calls = 0;
  CHECK(fields::for_each_square_under({0.1, 0.1}, {3, 0.1}, 0, 0.3,
                                      [&](const Square&, double, double) { return ++calls == 3; }));
  CHECK(calls == 3);
}

TEST_CASE("detours: the flow test is density and (angle or speed), at the preferred speed: figures 17 b and c") {
  const crowd::WorldPtr world = hall(20, 20);
  const crowd::Detours detours(world->mesh, {});
  // A group of 1.0 m/s crosses the way of somebody who walks 1.4 m/s at 60 degrees.
  const Vec2 way{1, 0};
  const JamSight::Seen group{2.0, {0.5, 0.8660254}};
  const auto blocked = [&](double angle_cosine, double speed_part) {
    DetourNumbers numbers = numbers_of("id3");
    numbers.least_cosine = angle_cosine, numbers.speed_part = speed_part;
    const JamSight sight(detours, {}, numbers, 1.4, nullptr, *world->mesh, 0);
    return sight.is_blocked(group, way);
  };
  constexpr double cosine_45 = 0.7071067811865476;
  CHECK(blocked(0, 1.0));          // 17b: angle_dev pi/2; 1.0 < 1.4
  CHECK_FALSE(blocked(0, 0.5));    // 1.0 > 0.7, and 60 degrees are no more than 90
  CHECK(blocked(cosine_45, 0.5));  // 17c: speed_dev 0.5; 60 > 45
  CHECK_FALSE(blocked(0, 0.5));    // angle_dev pi/2
  const DetourNumbers id3 = numbers_of("id3"), miranda = numbers_of("miranda");
  const JamSight by_id3(detours, {}, id3, 1.4, nullptr, *world->mesh, 0);
  const JamSight by_miranda(detours, {}, miranda, 1.4, nullptr, *world->mesh, 0);
  const JamSight::Seen along{2.0, {1.3, 0}}, thin{1.3, {}}, standing{1.5, {}};
  CHECK_FALSE(by_id3.is_blocked(along, way));
  CHECK(by_miranda.is_blocked(along, way));  // density alone
  CHECK_FALSE(by_id3.is_blocked(thin, way));
  CHECK(by_id3.is_blocked(standing, way));
}

TEST_CASE(
    "detours: algorithm 4 with lengths over speeds: a block ahead that moves on is worth 48.6 s, a detour of 45 m 32.1 "
    "s") {
  CHECK(crowd::time_past_jam(32, 12, 1, 0.5, 0, 1.4, true) == doctest::Approx(12 / 1.4 + 20 / 0.5));
  CHECK(12 / 1.4 + 20 / 0.5 == doctest::Approx(48.57).epsilon(0.001));
  CHECK(45 / 1.4 == doctest::Approx(32.14).epsilon(0.001));
  // One that stands, or comes against one, is passed never; a place before it is.
  CHECK(std::isinf(crowd::time_past_jam(32, 12, 1, 0, 0, 1.4, true)));
  CHECK(std::isinf(crowd::time_past_jam(32, 12, -1, 0.5, 0, 1.4, false)));
  CHECK(crowd::time_past_jam(10, 12, -1, 0.5, 0, 1.4, false) == doctest::Approx(10 / 1.4));
  // Ours: it is met where it will be: 12 / (1.4 - 0.5) s on, 18.67 m ahead, then at its speed.
  CHECK(crowd::time_past_jam(32, 12, 1, 0.5, 0, 1.4, false) == doctest::Approx(12 / 0.9 + (32 - 1.4 * 12 / 0.9) / 0.5));
  // It has moved on since it was seen.
  CHECK(crowd::time_past_jam(32, 12, 1, 0.5, 4, 1.4, true) == doctest::Approx(14 / 1.4 + 18 / 0.5));
  CHECK(crowd::time_past_jam(32, 12, 1, 2, 0, 1.4, false) == doctest::Approx(32 / 1.4));
}

TEST_CASE("detours: gates: loops taken out, one more at an end is the same way: algorithm 3, figures 19 and 20") {
  CHECK(crowd::without_loops({2, 3, 4, 5, 8, 7, 4, 7, 8, 5, 6}) == GateList{2, 3, 4, 6});
  CHECK(crowd::without_loops({5, 8, 5, 8, 5}).empty());  // the longest first
  CHECK(crowd::without_loops({1, 2, 3}) == GateList{1, 2, 3});
  CHECK_FALSE(crowd::is_global({2, 3, 4, 5, 8, 7, 4, 7, 8, 5, 6}, {2, 3, 4, 6}));
  CHECK_FALSE(crowd::is_global({2, 3, 9, 5}, {2, 3, 9, 5}));
  CHECK(crowd::is_global({2, 8, 11, 12, 9, 5}, {2, 3, 9, 5}));
  CHECK(crowd::is_global({51, 53, 50}, {51, 50}));  // figure 20: one class, which gates misjudge
  CHECK_FALSE(crowd::is_global({7, 2, 3}, {2, 3}));
  CHECK_FALSE(crowd::is_global({2, 3, 7}, {2, 3}));
  CHECK(crowd::decision_gate({2, 8, 11, 12, 9, 5}, {2, 3, 9, 5}) == 9);
  CHECK(crowd::decision_gate({2, 8}, {2, 3}) == 8);
  CHECK(crowd::decision_gate({}, {2, 3}) == navmesh::none);
}

TEST_CASE(
    "detours: gates of a path are the discs it passes, in overlaps the nearest centre; a chord repairs what is entered "
    "twice") {
  const std::vector<crowd::Gate> gates = {{1, {0, 0}, 2}, {2, {3, 0}, 2}, {3, {10, 0}, 1}};
  const std::vector<Vec2> straight = {{-3, 0}, {12, 0}};
  CHECK(crowd::gates_of(straight, gates) == GateList{1, 2, 3});
  CHECK(crowd::gates_of(std::vector<Vec2>{{-3, 5}, {12, 5}}, gates).empty());
  // Up to the third and back again, then up out of the second.
  const std::vector<Vec2> back = {{-3, 0}, {10, 0}, {3, 0}, {3, 6}};
  CHECK(crowd::gates_of(back, gates) == GateList{1, 2, 3, 2});
  const std::vector<Vec2> mended = crowd::repaired(back, gates, 0.24);
  double length = 0;
  for (std::size_t i = 1; i < mended.size(); ++i) length += distance(mended[i - 1], mended[i]);
  CHECK(length < 15);  // 26 before
  CHECK(mended.front() == back.front());
  CHECK(mended.back() == back.back());
  CHECK(crowd::gates_of(mended, gates) == GateList{1, 2});
}

TEST_CASE(
    "detours: a search over squares goes round what is blocked, keeps the radius, and finds the straight line where "
    "nothing is") {
  environment::Sketch sketch("block");
  sketch.walkable({environment::rectangle({0, 0}, {20, 20}), {}});
  sketch.obstacle({environment::rectangle({8, 0}, {10, 15}), {}});
  const crowd::WorldPtr world = make_crowd_world(std::move(sketch).take());
  crowd::Detours detours(world->mesh, {});
  const DetourNumbers numbers = numbers_of("id3");
  const auto search_from = [&](Vec2 from, Vec2 to, std::vector<navmesh::Place>& points, crowd::DetourSearch& search,
                               JamSight& sight) {
    const navmesh::Located at = navmesh::locate(*world->mesh, {from, 0});
    search.begin({.mesh = world->mesh.get(),
                  .from = {{from, 0}, at.cell, at.clearance},
                  .radius = 0.24,
                  .reach = 30,
                  .sight = &sight});
    if (!search.find({to, 0}, 100'000) || !search.collect({to, 0}, points)) return false;
    search.straighten(points);
    return true;
  };
  const auto length_of = [](const std::vector<navmesh::Place>& points) {
    double sum = 0;
    for (std::size_t i = 1; i < points.size(); ++i) sum += distance(points[i - 1].point, points[i].point);
    return sum;
  };
  crowd::DetourSearch search;
  std::vector<navmesh::Place> points;
  {
    JamSight sight(detours, {}, numbers, 1.4, nullptr, *world->mesh, 0);
    REQUIRE(search_from({2, 17}, {18, 17}, points, search, sight));
    CHECK(length_of(points) == doctest::Approx(16).epsilon(0.001));
    REQUIRE(search_from({2, 2}, {18, 2}, points, search, sight));
    const double shortest = 2 * std::sqrt(36.0 + 13 * 13) + 2;  // about the block's corners, a little more for the body
    CHECK(length_of(points) > shortest);
    CHECK(length_of(points) < 1.08 * shortest);  // up to two squares off each corner
    for (std::size_t i = 1; i < points.size(); ++i)
      CHECK(navmesh::visible(*world->mesh, points[i - 1], points[i], 0.24 - 1e-6));
    CHECK(search.cost_to({{18, 2}, 0}) < routes::unreachable);
  }
  // People who stand across the gap above the block: there is no way but through them.
  std::vector<crowd::JamStamps> stamps;
  for (double x = 8; x < 10.5; x += 0.5)
    for (double y = 15.25; y < 20; y += 0.5) {
      crowd::JamStamps one{.now = detours.now.stamp_of({{x, y}, 0}, {}), .is_there = true};
      detours.add(one);
      stamps.push_back(one);
    }
  {
    JamSight sight(detours, {}, numbers, 1.4, nullptr, *world->mesh, 0);
    REQUIRE(search_from({2, 17}, {18, 17}, points, search, sight));
    CHECK(search.along(points).blocked > 1.5);
  }
  // Half of them gone: round the others.
  for (crowd::JamStamps& one : stamps)
    if (one.now.square.row > 17.5 / 0.3) detours.renew(one, {});
  JamSight sight(detours, {}, numbers, 1.4, nullptr, *world->mesh, 0);
  REQUIRE(search_from({2, 16}, {18, 16}, points, search, sight));
  CHECK(search.along(points).blocked <= 0.3);
  CHECK(length_of(points) < 18.5);
}

DetourRun run_scene(const DetourScene& scene, const DetourMethod& method, std::uint64_t seed) {
  Result<environment::CleanEnvironment> clean = environment::clean(scene.drawn);
  REQUIRE(clean.ok());
  const Result<crowd::WorldPtr> world = crowd::make_world(std::move(clean).value());
  REQUIRE(world.ok());
  Result<DetourRun> run = analysis::run_detour_scene(scene, *world, method, seed);
  REQUIRE_MESSAGE(run.ok(), to_string(run.problems().front()));
  return std::move(run).value();
}

TEST_CASE(
    "detours: where plain MIRAN stands before people for ever, id3, miranda and quickest arrive, by a way hardly "
    "longer than the shortest") {
  for (const char* name : {"busy-corner", "blocked-path", "many-corners"}) {
    CAPTURE(name);
    const Result<DetourScene> scene = analysis::make_detour_scene(name, 1);
    REQUIRE(scene.ok());
    const std::optional<double> shortest = analysis::shortest_way_round(*scene, 0, 0);
    REQUIRE(shortest);
    DetourScene short_scene = *scene;
    short_scene.duration = 60;
    CHECK_FALSE(run_scene(short_scene, {.name = "miran"}, 1).walkers[0].has_arrived);
    for (const std::string method : {"id3", "miranda", "quickest"}) {
      const DetourRun run = run_scene(*scene, {.name = method, .congestion = method}, 1);
      const DetourRun::One& one = run.walkers[0];
      MESSAGE(std::string(name), " ", method, ": arrived ", one.has_arrived, ", ", one.time, " s, ", one.length,
              " m of ", *shortest, ", detours ", one.detours, ", fruitless ", one.fruitless);
      if (method != "miranda") CHECK(one.has_arrived);  // it cuts the corners of crowds, and may be wedged between two
      if (method != "id3") continue;
      CHECK(one.detours == 1);
      CHECK(one.length < 1.12 * *shortest);
      CHECK(one.time * analysis::detour_speed / one.length < 1.065);
    }
  }
}

/// Somebody who walks along the middle of a hall, and people in its way.
DetourScene along_hall(double height) {
  DetourScene scene{.name = "hall"};
  environment::Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {60, height}), {}});
  scene.drawn = std::move(sketch).take();
  scene.walkers = {{{2, height / 2}, {58, height / 2}}};
  scene.duration = 90;
  return scene;
}

TEST_CASE(
    "detours: a block far ahead is seen at the first look by id3, and two metres before it by miranda: figure 14") {
  DetourScene scene = along_hall(20);
  for (double x = 20; x <= 24; x += 0.5)
    for (double y = 7; y <= 13; y += 0.5) scene.standing.push_back({{x, y}});
  const DetourRun id3 = run_scene(scene, {.name = "id3", .congestion = "id3"}, 1);
  REQUIRE(id3.walkers[0].first_detour_ahead);
  CHECK(*id3.walkers[0].first_detour_ahead > 18 - 1.4 * 3);  // within 2 s, and half a second to think
  const DetourRun miranda = run_scene(scene, {.name = "miranda", .congestion = "miranda"}, 1);
  REQUIRE(miranda.walkers[0].first_detour_ahead);
  CHECK(*miranda.walkers[0].first_detour_ahead < 3.5);
  CHECK(*miranda.walkers[0].first_detour_ahead > 0.8);
  CHECK(id3.walkers[0].has_arrived);
  CHECK(miranda.walkers[0].has_arrived);
  CHECK(id3.walkers[0].length < miranda.walkers[0].length);
}

TEST_CASE("detours: a dense group that goes one's own way: nobody detours by id3, by miranda one does: figure 16") {
  DetourScene scene = along_hall(20);
  for (double x = 6; x <= 12; x += 0.5)
    for (double y = 7; y <= 13; y += 0.5) scene.streams.push_back({{x, y}, {1.0, 0}});
  scene.duration = 30;
  CHECK(run_scene(scene, {.name = "id3", .congestion = "id3"}, 1).walkers[0].detours == 0);
  CHECK(run_scene(scene, {.name = "miranda", .congestion = "miranda"}, 1).walkers[0].detours > 0);
}

TEST_CASE("detours: a larger anchoring rejoins the way earlier: figure 13") {
  double before = 1e9, first = 0;
  for (const double anchoring : {1.05, 1.075, 1.1}) {
    DetourScene scene = along_hall(20);
    for (double x = 10; x <= 13; x += 0.5)
      for (double y = 5; y <= 15; y += 0.5) scene.standing.push_back({{x, y}});
    const DetourRun run = run_scene(
        scene, {.name = "miranda", .congestion = "miranda", .numbers = {{"anchoring", anchoring}, {"local_area", 50}}},
        1);
    REQUIRE(run.walkers[0].first_goal);
    MESSAGE("anchoring ", anchoring, ": rejoins at ", run.walkers[0].first_goal->x);
    CHECK(run.walkers[0].first_goal->x <= before);  // by metres; not before the jam ends
    if (anchoring == 1.1) CHECK(run.walkers[0].first_goal->x < first);
    if (anchoring == 1.05) first = run.walkers[0].first_goal->x;
    CHECK(run.walkers[0].first_goal->x > 13);
    before = run.walkers[0].first_goal->x;
  }
}

TEST_CASE(
    "detours: two rows are dense over more than a metre: a deadlock length of 2 m walks on, one of 0.3 m detours: "
    "figure 15") {
  for (const double length : {0.3, 2.0}) {
    DetourScene scene = along_hall(20);
    for (const double x : {20.0, 20.5})
      for (double y = 7; y <= 13; y += 0.5) scene.standing.push_back({{x, y}});
    scene.duration = 10;
    const DetourRun run = run_scene(
        scene, {.name = "id3", .congestion = "id3", .numbers = {{"deadlock_length", length}, {"patience", 0}}}, 1);
    CHECK((run.walkers[0].detours > 0) == (length < 1));
  }
}

TEST_CASE(
    "detours: a group that crosses the way far ahead and is gone by the time one gets there: none with prediction, one "
    "without") {
  for (const double predicted : {0.0, 1.0}) {
    DetourScene scene = along_hall(40);
    scene.walkers = {{{2, 10}, {58, 10}}};
    for (double x = 18; x <= 20; x += 0.5)
      for (double y = 7; y <= 11.5; y += 0.5) scene.streams.push_back({{x, y}, {-0.5, 0.9}, 25});
    scene.duration = 60;
    const DetourRun run =
        run_scene(scene, {.name = "id3", .congestion = "id3", .numbers = {{"predicted", predicted}}}, 1);
    CAPTURE(predicted);
    CHECK(run.walkers[0].has_arrived);
    CHECK((run.walkers[0].detours > 0) == (predicted == 0));
  }
}

TEST_CASE("detours: who is on one goes back where the block is gone and that saves time") {
  DetourScene scene{.name = "back"};
  environment::Sketch sketch("back");
  sketch.walkable({environment::rectangle({0, 0}, {60, 40}), {}});
  sketch.obstacle({environment::rectangle({10, 6}, {50, 36}), {}});
  scene.drawn = std::move(sketch).take();
  scene.walkers = {{{4, 3}, {56, 3}}};
  for (double x = 20; x <= 24; x += 0.5)
    for (double y = 0.25; y < 6; y += 0.5) scene.standing.push_back({{x, y}, 0, 14});
  scene.duration = 150;
  const DetourRun run = run_scene(scene, {.name = "id3", .congestion = "id3"}, 1);
  CHECK(run.walkers[0].has_arrived);
  CHECK(run.walkers[0].detours == 1);
  CHECK(run.walkers[0].back == 1);
  const DetourRun never = run_scene(scene, {.name = "id3", .congestion = "id3", .numbers = {{"back", 0}}}, 1);
  CHECK(never.walkers[0].back == 0);
  CHECK(never.walkers[0].length > run.walkers[0].length + 10);
}

TEST_CASE("detours: bad choices are refused with the reason; a hall full of people who stand is no trouble") {
  const crowd::WorldPtr world = hall(6, 6);
  Crowd crowd(world);
  AgentSpec spec = walker({{1, 1}, 0}, {{5, 5}, 0});
  const auto refused_with = [&](const char* method, const char* follow, std::vector<double> numbers) {
    spec.methods[Level::congestion] = {method, std::move(numbers)};
    spec.methods[Level::follow] = {follow, {}};
    const Result<AgentId> added = crowd.add(spec);
    return added.ok() ? std::string() : to_string(added.problems().front());
  };
  CHECK(refused_with("id3", "flow", {}).find("'quickest' or 'none'") != std::string::npos);
  CHECK(refused_with("miranda", "lookahead", {}).find("candidates") != std::string::npos);
  std::vector<double> block = agents::default_block(method_named("id3").info());
  for (const double bad : {double(NAN), -1.0, double(INFINITY)}) {
    std::vector<double> numbers = block;
    numbers[4] = bad;
    CHECK_FALSE(refused_with("id3", "miran", numbers).empty());
  }
  std::vector<double> disordered = block;
  disordered[4] = 2;
  CHECK(refused_with("id3", "miran", disordered).find("'goal_density' must be below 'threshold'") != std::string::npos);
  for (const char* method : {"id3", "miranda"}) {
    Crowd full(world);
    spec = walker({{0.5, 0.5}, 0}, {{5.5, 5.5}, 0});
    spec.methods[Level::congestion] = {method, {}};
    REQUIRE(full.add(spec).ok());
    for (double x = 0.5; x < 6; x += 0.5)
      for (double y = 0.5; y < 6; y += 0.5) {
        const AgentSpec standing = walker({{x, y}, 0}, {{x, y}, 0});
        if (!full.is_free(standing.place, 0.24)) continue;
        const Result<AgentId> one = full.add(standing);
        if (one) (void)full.steer(*one, {});
      }
    for (int i = 0; i < 300; ++i) REQUIRE(full.step(0.1).ok());
    CHECK(full.validate().empty());
    while (full.size() > 0) REQUIRE(full.remove(full.id_of(full.in_serial_order().front())));
    for (int i = 0; i < 30; ++i) REQUIRE(full.step(0.1).ok());
  }
}

/// A hall with a block in its middle, a crowd that stands on one side of it, and people who go past on both sides.
std::unique_ptr<Crowd> round_a_block(const crowd::WorldPtr& world, const char* method, std::vector<double> numbers,
                                     std::uint64_t seed, unsigned threads) {
  auto crowd = std::make_unique<Crowd>(world, crowd::CrowdOptions{.seed = seed, .threads = threads});
  for (double x = 10; x <= 14; x += 0.5)
    for (double y = 0.25; y < 4; y += 0.5) {
      AgentSpec one = walker({{x, y}, 0}, {{x, y}, 0});
      const Result<AgentId> added = crowd->add(one);
      if (added) REQUIRE(crowd->steer(*added, {}).ok());
    }
  Random random(seed);
  for (std::uint32_t i = 0; i < 30; ++i) {
    AgentSpec spec = walker({{random.uniform(0.5, 3.5), random.uniform(0.5, 17)}, 0},
                            {{random.uniform(20.5, 23.5), random.uniform(0.5, 17)}, 0});
    if (i % 3 == 0)
      std::swap(spec.place.point.x, spec.place.point.y),
          spec.place.point = {23.5 - spec.place.point.y / 6, spec.place.point.x};
    spec.number = i;
    spec.methods[Level::congestion] = {method, numbers};
    if (crowd->is_free(spec.place, spec.radius)) REQUIRE(crowd->add(spec).ok());
  }
  return crowd;
}

TEST_CASE(
    "detours: the same bits for any number of threads, through no wall, and on from snapshots amid detours and "
    "memories") {
  const Result<DetourScene> scene = analysis::make_detour_scene("blocked-path", 1);
  REQUIRE(scene.ok());
  const crowd::WorldPtr world = make_crowd_world(scene->drawn);
  struct How {
    const char* method;
    std::vector<double> numbers;
  };
  const auto published = [](const char* name) { return agents::default_block(method_named(name).info(), true); };
  std::vector<double> all_on = agents::default_block(method_named("id3").info());
  all_on[6] = 1, all_on.back() = 1;  // predicted, seen_only
  const How all[] = {
      {"id3", {}}, {"miranda", {}}, {"id3", published("id3")}, {"miranda", published("miranda")}, {"id3", all_on}};
  for (const How& how : all) {
    CAPTURE(how.method);
    CAPTURE(how.numbers.size());
    const auto factory = [&](std::uint64_t seed, unsigned threads) {
      return std::make_unique<CrowdSimulation>(round_a_block(world, how.method, how.numbers, seed, threads), 0.1);
    };
    CHECK(complaints_of(check_determinism(factory, {.steps = 120, .seed = 6})) == "");
    CHECK(complaints_of(check_hard_walls(*factory(6, 2), world->environment, 120)) == "");
    std::unique_ptr<Crowd> whole = round_a_block(world, how.method, how.numbers, 7, 2);
    Random random(8);
    std::size_t remembered = 0;
    for (int part = 0; part < 6; ++part) {
      for (int i = int(random.whole(3, 30)); i > 0; --i) REQUIRE(whole->step(0.1).ok());
      geometry::ArchiveWriter bytes;
      whole->save(bytes);
      Crowd resumed(world, {.threads = 3});
      geometry::ArchiveReader reader(bytes.bytes());
      const Result<std::size_t> loaded = resumed.load(reader);
      REQUIRE_MESSAGE(loaded.ok(), to_string(loaded.problems().front()));
      for (int i = 0; i < 25; ++i) {
        REQUIRE(whole->step(0.1).ok());
        REQUIRE(resumed.step(0.1).ok());
      }
      REQUIRE(whole->size() == resumed.size());
      for (std::size_t i = 0; i < whole->size(); ++i) {
        const Slot a = whole->in_serial_order()[i], b = resumed.in_serial_order()[i];
        CHECK(whole->people().position[a] == resumed.people().position[b]);
        const auto mine = whole->detours_of(a), theirs = resumed.detours_of(b);
        REQUIRE(mine.has_value() == theirs.has_value());
        if (!mine) continue;
        CHECK(mine->local == theirs->local);
        CHECK(mine->global == theirs->global);
        CHECK(mine->remembered == theirs->remembered);
        CHECK(mine->committed_time == theirs->committed_time);
        remembered += mine->remembered;
      }
      CHECK(whole->validate().empty());
    }
    if (std::string(how.method) == "id3" && how.numbers.empty()) CHECK(remembered > 0);
  }
}

TEST_CASE("detours: the way of figure 20 passes one vertex more: another by gates, the same by classes") {
  // A corridor with an alcove: who goes a little higher passes through the alcove's vertex, and round nothing.
  environment::Sketch sketch("alcove");
  sketch.walkable({environment::rectangle({0, 0}, {30, 4}), {}});
  sketch.walkable({environment::rectangle({13, 4}, {17, 7}), {}});
  const crowd::WorldPtr world = make_crowd_world(std::move(sketch).take());
  const std::vector<Vec2> original = {{1, 1}, {29, 1}}, detour = {{1, 1}, {14, 3.5}, {15, 5}, {16, 3.5}, {29, 1}};
  const std::vector<crowd::Gate> gates = crowd::gates_near(*world->mesh, detour, 0.24);
  const GateList by_original = crowd::gates_of(original, gates), by_detour = crowd::gates_of(detour, gates);
  CHECK(by_detour.size() > by_original.size());
  CHECK(crowd::is_global(by_detour, by_original));
  const auto class_of = [&](const std::vector<Vec2>& path) {
    std::vector<navmesh::Place> places;
    for (const Vec2 p : path) places.push_back({p, 0});
    const auto trace = routes::trace_of(*world->mesh, places);
    REQUIRE(trace);
    return routes::class_of(*world->graph, *trace);
  };
  CHECK(class_of(detour) == class_of(original));
}

/// Metres of a walked path that run back along where it ran before.
double walked_twice(const std::vector<Vec2>& path) {
  constexpr double near = 0.3, apart = 3, opposite = -0.7;
  std::vector<double> along(path.size(), 0);
  for (std::size_t i = 1; i < path.size(); ++i) along[i] = along[i - 1] + distance(path[i - 1], path[i]);
  double twice = 0;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const Vec2 step = path[i] - path[i - 1];
    const double length = std::sqrt(squared_length(step));
    for (std::size_t k = 1; k < i && along[i] - along[k] > apart && length > 0; ++k) {
      const Vec2 before = path[k] - path[k - 1];
      if (distance(path[i], path[k]) > near ||
          dot(step, before) > opposite * length * std::sqrt(squared_length(before)))
        continue;
      twice += length;
      break;
    }
  }
  return twice;
}

TEST_CASE("detours: a repaired detour walks no stretch twice, by classes and by gates: figure 21") {
  CHECK(walked_twice({{0, 0}, {4, 0}, {8, 0}, {8, 1}, {4, 0.1}, {0, 0}}) > 3);
  CHECK(walked_twice({{0, 0}, {4, 0}, {8, 0}, {8, 8}}) == 0);
  const Result<DetourScene> scene = analysis::make_detour_scene("blocked-path", 1);
  REQUIRE(scene.ok());
  for (const double gates : {0.0, 1.0}) {
    CAPTURE(gates);
    const DetourRun run = run_scene(*scene, {.name = "id3", .congestion = "id3", .numbers = {{"gates", gates}}}, 1);
    CHECK(run.walkers[0].has_arrived);
    CHECK(run.walkers[0].detours >= 1);
    CHECK(walked_twice(run.walkers[0].path) < 0.5);
  }
}

/// People who walk past a block both ways, all by id3 with these numbers.
std::unique_ptr<Crowd> past_a_block(const crowd::WorldPtr& world, const std::vector<double>& numbers) {
  auto crowd = std::make_unique<Crowd>(world, crowd::CrowdOptions{.seed = 4, .threads = 2});
  Random random(4);
  for (std::uint32_t i = 0; i < 120; ++i) {
    navmesh::Place from{{random.uniform(1, 10), random.uniform(1, 29)}, 0},
        to{{random.uniform(40, 49), random.uniform(1, 29)}, 0};
    if (i % 2 == 1) std::swap(from, to);
    AgentSpec spec = walker(from, to);
    spec.number = i;
    spec.speed = random.uniform(0.8, 1.8);
    spec.methods[Level::congestion] = {"id3", numbers};
    if (crowd->is_free(spec.place, spec.radius)) REQUIRE(crowd->add(spec).ok());
  }
  return crowd;
}

std::map<Square, double> squares_of(const Crowd& crowd, int in_seconds) {
  std::map<Square, double> squares;
  for (const crowd::DenseSquare& one : crowd.dense_squares(1e-12, in_seconds))
    squares[fields::square_at(one.middle, fields::square_side)] = one.persons;
  return squares;
}

double value_or_0(const std::map<Square, double>& squares, const Square& square) {
  const auto found = squares.find(square);
  return found == squares.end() ? 0 : found->second;
}

TEST_CASE(
    "detours: predicted fields are the sum over the places that people's ways give, at more than ten thousand places") {
  environment::Sketch sketch("block");
  sketch.walkable({environment::rectangle({0, 0}, {50, 30}), {}});
  sketch.obstacle({environment::rectangle({20, 10}, {30, 20}), {}});
  const crowd::WorldPtr world = make_crowd_world(std::move(sketch).take());
  std::vector<double> numbers = agents::default_block(method_named("id3").info());
  const agents::MethodInfo& info = method_named("id3").info();
  for (const char* on : {"predicted", "plain", "at_once"})
    numbers[std::size_t(info.parameter(on) - info.parameters.data())] = 1;
  const std::unique_ptr<Crowd> crowd = past_a_block(world, numbers);
  for (int renewals = 0; renewals < 4; ++renewals) {
    // Everybody's stamps are renewed in every twentieth step, as everybody is before it.
    do REQUIRE(crowd->step(0.1).ok());
    while (crowd->step_count() % 60 != 0);
    std::map<int, std::map<Square, double>> expected;
    std::size_t left = 0;
    for (const Slot slot : crowd->in_serial_order()) {
      const routes::PlannedRoute* planned = crowd->route_of(slot);
      REQUIRE(planned != nullptr);
      const routes::Route way = routes::unpacked(*planned);
      const double speed = std::sqrt(squared_length(crowd->people().velocity[slot]));
      for (const int ahead : {0, 4, 8}) {
        Vec2 place = crowd->people().position[slot];
        if (const double at = way.length - crowd->remaining(slot) + ahead * speed; ahead > 0 && speed > 0) {
          if (at >= way.length) {
            ++left;
            continue;
          }
          place = way.at(at).point;
        }
        const Square own = fields::square_at({place, 0}, 0.3);
        for (int dx = -8; dx <= 8; ++dx)
          for (int dy = -8; dy <= 8; ++dy)
            if (dx * dx + dy * dy <= 64)
              expected[ahead][{own.column + dx, own.row + dy, 0}] +=
                  std::exp(-0.09 * (dx * dx + dy * dy) / 1.44) / (3.14159265358979 * 1.44);
      }
    }
    REQUIRE(crowd->step(0.1).ok());
    for (const int ahead : {0, 4, 8}) {
      CAPTURE(ahead);
      const std::map<Square, double> found = squares_of(*crowd, ahead);
      double worst = 0, highest = 0;
      std::size_t places = 0;
      for (int column = 0; column < 167; ++column)
        for (int row = 0; row < 100; ++row, ++places) {
          const Square square{column, row, 0};
          const double persons = value_or_0(found, square);
          highest = std::max(highest, persons);
          worst = std::max(worst, std::abs(persons - value_or_0(expected[ahead], square)));
        }
      CHECK(places > 10'000);
      CHECK(highest > 0.3);
      CHECK(worst < 1e-4);
    }
    CHECK((renewals < 3 || left > 0));
  }
}

TEST_CASE("detours: predicted fields renewed bit by bit are those made from scratch") {
  environment::Sketch sketch("block");
  sketch.walkable({environment::rectangle({0, 0}, {50, 30}), {}});
  sketch.obstacle({environment::rectangle({20, 10}, {30, 20}), {}});
  const crowd::WorldPtr world = make_crowd_world(std::move(sketch).take());
  std::vector<double> numbers = agents::default_block(method_named("id3").info());
  numbers[6] = 1;
  const std::unique_ptr<Crowd> crowd = past_a_block(world, numbers);
  for (int part = 0; part < 5; ++part) {
    for (int i = 0; i < 47; ++i) REQUIRE(crowd->step(0.1).ok());
    geometry::ArchiveWriter bytes;
    crowd->save(bytes);
    Crowd resumed(world);
    geometry::ArchiveReader reader(bytes.bytes());
    REQUIRE(resumed.load(reader).ok());
    for (const int ahead : {0, 4, 8}) CHECK(squares_of(*crowd, ahead) == squares_of(resumed, ahead));
    CHECK(!squares_of(*crowd, 8).empty());
  }
}

TEST_CASE("detours: what is built and taken away on the way: nobody goes through it, and all arrive") {
  const auto world_with = [](bool closed) {
    environment::Sketch sketch("block");
    sketch.walkable({environment::rectangle({0, 0}, {50, 30}), {}});
    sketch.obstacle({environment::rectangle({20, 10}, {30, 20}), {}});
    if (closed) sketch.obstacle({environment::rectangle({24, 0}, {26, 10}), {}});
    return make_crowd_world(std::move(sketch).take());
  };
  const crowd::WorldPtr open = world_with(false), closed = world_with(true);
  for (const bool published : {false, true}) {
    CAPTURE(published);
    const std::unique_ptr<Crowd> crowd =
        past_a_block(open, agents::default_block(method_named("id3").info(), published));
    std::map<std::pair<crowd::Index, std::uint32_t>, goals::ItineraryPtr> goals;
    const auto same = [&](crowd::Index, std::uint32_t number) -> goals::ItineraryPtr { return goals.at({0, number}); };
    for (std::uint32_t i = 0; i < 120; ++i)
      goals[{0, i}] = walker({{1, 1}, 0}, {{i % 2 == 1 ? 5.0 : 45.0, 25}, 0}).itinerary;
    bool is_closed = false;
    for (int i = 0; i < 1500 && crowd->size() > 0; ++i) {
      if (i % 60 == 59 && i < 400) {
        is_closed = !is_closed;
        const auto changed = crowd->change(is_closed ? closed : open, {}, same);
        if (!changed) is_closed = !is_closed;
      }
      REQUIRE(crowd->step(0.1).ok());
      REQUIRE(crowd->validate().empty());
    }
    CHECK(crowd->size() == 0);
  }
}

}  // namespace
}  // namespace throng::test
