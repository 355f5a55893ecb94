// Jams foreseen: two exits shared, doors that close on the way, nobody who goes back and forth; with every method the same bits for any number of
// threads, snapshots and hard walls.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "crowd/queues.hpp"
#include "environment/sketch.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::Level;
using crowd::Slot;

struct Scene {
  crowd::WorldPtr world;
  std::vector<goals::Area> exits;
};

/// 15 x 10 m with two doors of 0.9 m in a wall; either may be closed.
Scene two_doors(bool near_open = true, bool far_open = true) {
  environment::Sketch sketch("two doors");
  sketch.walkable({environment::rectangle({0, 0}, {15, 10}), {}});
  for (const double x : {5.0, 14.0}) {
    if (x == 5 ? near_open : far_open) sketch.walkable({environment::rectangle({x - 0.45, -0.3}, {x + 0.45, 0}), {}});
    sketch.walkable({environment::rectangle({x - 1, -2.3}, {x + 1, -0.3}), {}});
  }
  Scene scene{make_crowd_world(std::move(sketch).take()), {}};
  for (const double x : {5.0, 14.0}) {
    Result<goals::Area> area =
        goals::Area::drawn(scene.world->environment, {{x - 1, -2.3}, {x + 1, -2.3}, {x + 1, -1}, {x - 1, -1}}, 0);
    REQUIRE(area.ok());
    scene.exits.push_back(*area);
  }
  return scene;
}

struct How {
  std::string method = "";  ///< of the level congestion; empty: off
  bool quickest = false;    ///< the goal
  std::string follow = "miran";
  std::vector<double> numbers = {};
};

std::unique_ptr<Crowd> in_hall(const Scene& scene, const How& how, int people, std::uint64_t seed, unsigned threads) {
  auto crowd = std::make_unique<Crowd>(scene.world, crowd::CrowdOptions{.seed = seed, .threads = threads});
  for (const goals::Area& exit : scene.exits) crowd->add_area(exit);
  auto itinerary = std::make_shared<goals::Itinerary>();
  goals::Goal goal;
  goal.areas = {0, 1};
  goal.quickest = how.quickest;
  itinerary->goals.push_back(goal);
  Random random(seed);
  for (std::uint32_t i = 0; int(i) < people; ++i) {
    AgentSpec spec = walker({{random.uniform(0.4, 10), random.uniform(0.4, 9.6)}, 0}, {{5, -2}, 0});
    spec.itinerary = itinerary;
    spec.radius = 0.2, spec.number = i;
    spec.speed = random.uniform(1.0, 1.6);
    spec.methods[Level::follow] = {how.follow, {}};
    if (!how.method.empty()) spec.methods[Level::congestion] = {how.method, how.numbers};
    if (crowd->is_free(spec.place, spec.radius)) REQUIRE(crowd->add(spec).ok());
  }
  return crowd;
}

struct Outcome {
  double last_out = 0;
  std::size_t people = 0, left = 0, exit_changes = 0, told = 0;
  std::uint32_t most_changes = 0, most_a_minute = 0;
  std::map<int, std::size_t> by_exit;
};

Outcome run(Crowd& crowd, double until) {
  Outcome outcome;
  outcome.people = crowd.size();
  std::map<std::uint64_t, std::pair<crowd::ThoughtsShown, bool>> last;
  while (crowd.time() < until && crowd.size() > 0) {
    for (const Slot slot : crowd.in_serial_order()) {
      const auto thoughts = crowd.thoughts_of(slot);
      last[crowd.people().serial[slot]] = {thoughts.value_or(crowd::ThoughtsShown{}),
                                           crowd.people().position[slot].x > 9.5};
    }
    REQUIRE(crowd.step(0.1).ok());
    for (const crowd::ChangeEvent& change : crowd.changes())
      if (change.from != change.to) ++outcome.told;
    for (const crowd::Departure& departure : crowd.departures()) {
      outcome.last_out = departure.time, ++outcome.left;
      ++outcome.by_exit[last[departure.serial].second ? 1 : 0];
    }
  }
  for (const auto& [serial, seen] : last) {
    outcome.exit_changes += seen.first.exit_changes;
    outcome.most_changes = std::max(outcome.most_changes, seen.first.exit_changes);
    outcome.most_a_minute = std::max(outcome.most_a_minute, seen.first.most_changes_a_minute);
  }
  return outcome;
}

TEST_CASE("jams: two exits are shared, by every follower, and hardly anybody changes its mind") {
  const Scene scene = two_doors();
  const Outcome nearest = run(*in_hall(scene, {}, 200, 3, 2), 400);
  for (const char* follow : {"miran", "flow", "lookahead"}) {
    CAPTURE(follow);
    const Outcome shared = run(*in_hall(scene, {"quickest", true, follow}, 200, 3, 2), 400);
    MESSAGE(follow, ": last out ", shared.last_out, " (nearest ", nearest.last_out, "), ", shared.by_exit.at(0), " + ",
            shared.by_exit.at(1), ", ", shared.exit_changes, " changes");
    CHECK(shared.left == shared.people);
    CHECK(shared.last_out < 0.75 * nearest.last_out);
    CHECK(double(shared.exit_changes) < 0.3 * double(shared.people));
    CHECK(shared.told == shared.exit_changes);
    CHECK(shared.most_changes <= 3);
  }
}

TEST_CASE("jams: capacities that are wrong by half at first are counted on the way") {
  const Scene scene = two_doors();
  const Outcome right = run(*in_hall(scene, {"quickest", true}, 200, 3, 2), 400);
  std::unique_ptr<Crowd> misled = in_hall(scene, {"quickest", true}, 200, 3, 2);
  const navmesh::Mesh& mesh = *scene.world->mesh;
  for (navmesh::Index i = 0; i < mesh.passage_count(); ++i) {
    const navmesh::Passage& passage = mesh.passage(i);
    const double wide = distance(passage.left, passage.right) * crowd::Queues::usual_flow;
    REQUIRE(misled->expect_capacity(i, wide * (passage.point.x < 9.5 ? 1.5 : 0.5)).ok());
  }
  const Outcome wrong = run(*misled, 400);
  MESSAGE("last out ", wrong.last_out, " with wrong capacities, ", right.last_out, " with right ones");
  CHECK(wrong.left == wrong.people);
  // Only queues that stood for ten seconds are counted, and this hall is empty in 44; `throng experiment exits` has a longer scene.
  CHECK(wrong.last_out < 1.35 * right.last_out);
  CHECK_FALSE(misled->expect_capacity(navmesh::Index(mesh.passage_count() + 2), 1).ok());
  for (const double bad : {0.0, -1.0, double(NAN), double(INFINITY)}) CHECK_FALSE(misled->expect_capacity(0, bad).ok());
}

TEST_CASE("jams: the goal alone shares exits when setting out, whatever the profile") {
  const Scene scene = two_doors();
  const Outcome shared = run(*in_hall(scene, {"", true}, 150, 4, 2), 400);
  CHECK(shared.left == shared.people);
  CHECK(shared.by_exit.at(0) > 30);
  CHECK(shared.by_exit.at(1) > 30);
}

TEST_CASE("jams: a door that closes on the way: everybody leaves by the other") {
  const Scene open = two_doors(), closed = two_doors(false, true);
  std::unique_ptr<Crowd> crowd = in_hall(open, {"quickest", true}, 100, 5, 2);
  for (int i = 0; i < 150; ++i) REQUIRE(crowd->step(0.1).ok());
  auto itinerary = std::make_shared<goals::Itinerary>();
  goals::Goal goal;
  goal.areas = {0, 1}, goal.quickest = true;
  itinerary->goals.push_back(goal);
  const auto changed =
      crowd->change(closed.world, closed.exits, [&](crowd::Index, std::uint32_t) { return itinerary; });
  if (!changed.ok()) MESSAGE(to_string(changed.problems().front()));
  REQUIRE(changed.ok());
  Outcome rest = run(*crowd, 400);
  // Who stands in the door, or beyond it, when it closes is where it is.
  CHECK(rest.left + 3 >= rest.people);
  CHECK(rest.by_exit[1] + 6 >= rest.people);
}

const How all_ways[] = {{"none", false},    {"density", false},         {"density", true},
                        {"quickest", true}, {"quickest", true, "flow"}, {"quickest", true, "miran", {4, 1, 1}},
                        {"", true}};

/// Goes on from what was saved, bit for bit, after random numbers of steps.
void check_snapshots(int parts) {
  const Scene scene = two_doors();
  for (const How& how : all_ways) {
    CAPTURE(how.method);
    CAPTURE(how.follow);
    CAPTURE(how.quickest);
    std::unique_ptr<Crowd> whole = in_hall(scene, how, 90, 7, 2);
    Random random(8);
    for (int part = 0; part < parts; ++part) {
      const int steps = int(random.whole(3, parts > 10 ? 12 : 40));
      for (int i = 0; i < steps; ++i) REQUIRE(whole->step(0.1).ok());
      geometry::ArchiveWriter bytes;
      whole->save(bytes);
      Crowd resumed(scene.world, {.threads = 3});
      for (const goals::Area& exit : scene.exits) resumed.add_area(exit);
      geometry::ArchiveReader reader(bytes.bytes());
      const Result<std::size_t> loaded = resumed.load(reader);
      REQUIRE_MESSAGE(loaded.ok(), to_string(loaded.problems().front()));
      for (int i = 0; i < 25; ++i) {
        if (parts <= 10) REQUIRE(whole->step(0.1).ok());
        REQUIRE(resumed.step(0.1).ok());
      }
      if (parts > 10) {
        // The whole itself goes on from here: another one beside it, from the same bytes with other threads.
        Crowd other(scene.world, {.threads = 1});
        for (const goals::Area& exit : scene.exits) other.add_area(exit);
        geometry::ArchiveReader again(bytes.bytes());
        REQUIRE(other.load(again).ok());
        for (int i = 0; i < 25; ++i) REQUIRE(other.step(0.1).ok());
        geometry::ArchiveWriter one, two;
        resumed.save(one), other.save(two);
        CHECK(one.bytes() == two.bytes());
        continue;
      }
      REQUIRE(whole->size() == resumed.size());
      for (std::size_t i = 0; i < whole->size(); ++i)
        CHECK(whole->people().position[whole->in_serial_order()[i]] ==
              resumed.people().position[resumed.in_serial_order()[i]]);
    }
  }
}

TEST_CASE("jams: every method gives the same bits for any number of threads, and goes through no wall") {
  const Scene scene = two_doors();
  for (const How& how : all_ways) {
    CAPTURE(how.method);
    CAPTURE(how.follow);
    CAPTURE(how.quickest);
    const auto factory = [&](std::uint64_t seed, unsigned threads) {
      return std::make_unique<CrowdSimulation>(in_hall(scene, how, 90, seed, threads), 0.1);
    };
    CHECK(complaints_of(check_determinism(factory, {.steps = 120, .seed = 6})) == "");
    CHECK(complaints_of(check_hard_walls(*factory(6, 2), scene.world->environment, 120)) == "");
  }
}
TEST_CASE("jams: every method goes on from snapshots amid queues, rests and open requests") { check_snapshots(6); }
TEST_CASE("long: jams: every method goes on from fifty snapshots amid queues, rests and open requests") {
  check_snapshots(50);
}

TEST_CASE(
    "jams: doors that close and open on the way, with every method: nobody is lost, and nobody goes through them") {
  const Scene open = two_doors(), closed = two_doors(false, true);
  auto itinerary = std::make_shared<goals::Itinerary>();
  goals::Goal goal;
  goal.areas = {0, 1}, goal.quickest = true;
  itinerary->goals.push_back(goal);
  for (const How& how : all_ways) {
    CAPTURE(how.method);
    CAPTURE(how.follow);
    std::unique_ptr<Crowd> crowd = in_hall(open, how, 60, 5, 2);
    const std::size_t people = crowd->size();
    std::size_t left = 0;
    bool is_open = true;
    for (int i = 0; i < 900 && crowd->size() > 0; ++i) {
      if (i % 45 == 44 && i < 300) {
        // Refused while somebody stands in the door.
        const Scene& next = is_open ? closed : open;
        if (crowd->change(next.world, next.exits, [&](crowd::Index, std::uint32_t) { return itinerary; }).ok())
          is_open = !is_open;
      }
      REQUIRE(crowd->step(0.1).ok());
      REQUIRE(crowd->validate().empty());
      left += crowd->departures().size();
    }
    CHECK(left + crowd->size() == people);
    CHECK(2 * left > people);
  }
}

TEST_CASE("jams: before a blocked door, with every method, searches fall to one in 30 s a person") {
  for (const char* method : {"none", "density", "quickest", "miranda", "id3"}) {
    CAPTURE(method);
    environment::Sketch sketch("closed");
    sketch.walkable({environment::rectangle({0, 0}, {20, 4}), {}});
    Crowd crowd(make_crowd_world(std::move(sketch).take()), {.threads = 2});
    for (int row = 0; row < 3; ++row)
      for (double y = 0.25; y < 3.9; y += 0.5) {
        AgentSpec spec = walker({{14 + row * 0.5, y}, 0}, {{14, 2}, 0});
        spec.itinerary = nullptr;
        REQUIRE(crowd.add(spec).ok());
      }
    // One: more push their way through.
    AgentSpec spec = walker({{10, 2}, 0}, {{18, 2}, 0});
    spec.methods[Level::congestion] = {method, {}};
    const AgentId id = *crowd.add(spec);
    const auto searches = [&] { return crowd.thoughts_of(crowd.slot_of(id))->searches; };
    for (int i = 0; i < 3000; ++i) REQUIRE(crowd.step(0.1).ok());
    const auto before = searches();
    CHECK(before > 0);
    for (int i = 0; i < 3000; ++i) REQUIRE(crowd.step(0.1).ok());
    // One in 30 s for each of the reasons that it may have: stuck, and its method's own.
    const std::uint32_t reasons = std::string_view(method) == "none" ? 1 : 2;
    CHECK(searches() <= before + 10 * reasons);
    CHECK(crowd.validate().empty());
  }
}

TEST_CASE("jams: a hall without passages, and one in which everybody is stuck, are no trouble") {
  environment::Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {6, 6}), {}});
  const crowd::WorldPtr world = make_crowd_world(std::move(sketch).take());
  for (const char* method : {"none", "density", "quickest", "miranda", "id3"}) {
    CAPTURE(method);
    Crowd crowd(world, {.threads = 2});
    CHECK(crowd.queues().empty());
    for (int i = 0; i < 100; ++i) {
      // Everybody to the middle, where nobody leaves.
      AgentSpec spec = walker({{0.5 + 0.55 * (i % 10), 0.5 + 0.55 * (i / 10)}, 0}, {{3, 3}, 0});
      auto stays = std::make_shared<goals::Itinerary>(*spec.itinerary);
      stays->at_last = goals::AtLastGoal::stay;
      spec.itinerary = stays;
      spec.methods[Level::congestion] = {method, {}};
      spec.number = std::uint32_t(i);
      REQUIRE(crowd.add(spec).ok());
    }
    for (int i = 0; i < 400; ++i) REQUIRE(crowd.step(0.1).ok());
    CHECK(crowd.size() == 100);
    CHECK(crowd.validate().empty());
  }
}

TEST_CASE("jams: bad choices are refused with the reason, and nobody there is no trouble") {
  const Scene scene = two_doors();
  Crowd crowd(scene.world);
  AgentSpec spec = walker({{5, 5}, 0}, {{10, 5}, 0});
  spec.methods[Level::congestion] = {"density", {}};
  spec.methods[Level::follow] = {"flow", {}};
  const Result<AgentId> refused = crowd.add(spec);
  REQUIRE_FALSE(refused.ok());
  CHECK(to_string(refused.problems().front()).find("'quickest' or 'none'") != std::string::npos);
  for (const double bad : {-1.0, double(NAN), double(INFINITY)}) {
    spec.methods[Level::follow] = {"miran", {}};
    spec.methods[Level::congestion] = {"quickest", {bad, 2, 0}};
    CHECK_FALSE(crowd.add(spec).ok());
  }
  spec.methods[Level::congestion] = {"quickest", {}};
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->goals.emplace_back();
  itinerary->goals.back().quickest = true;
  spec.itinerary = itinerary;
  CHECK_FALSE(crowd.add(spec).ok());
  for (int i = 0; i < 50; ++i) REQUIRE(crowd.step(0.1).ok());
  std::unique_ptr<Crowd> emptied = in_hall(scene, {"quickest", true}, 5, 1, 1);
  REQUIRE(emptied->step(0.1).ok());
  while (emptied->size() > 0) REQUIRE(emptied->remove(emptied->id_of(emptied->in_serial_order().front())));
  for (int i = 0; i < 50; ++i) REQUIRE(emptied->step(0.1).ok());
  for (const crowd::QueueShown& queue : emptied->queues()) CHECK(queue.people == 0);
}

TEST_CASE("jams: what is seen from outside: expected times, queues, density") {
  const Scene scene = two_doors();
  std::unique_ptr<Crowd> crowd = in_hall(scene, {"quickest", true}, 120, 9, 2);
  for (int i = 0; i < 60; ++i) REQUIRE(crowd->step(0.1).ok());
  double longest = 0;
  for (const Slot slot : crowd->in_serial_order()) {
    const auto expected = crowd->expected_time_of(slot);
    REQUIRE(expected);
    CHECK(expected->walking >= 0);
    CHECK(expected->waiting >= 0);
    longest = std::max(longest, expected->waiting);
  }
  CHECK(longest > 5);
  const std::vector<crowd::QueueShown> queues = crowd->queues();
  CHECK(std::ranges::any_of(queues, [](const crowd::QueueShown& q) { return q.people > 2; }));
  const auto dense = crowd->density_at({{5, 0.8}, 0}), free = crowd->density_at({{0.5, 9.5}, 0});
  REQUIRE(dense);
  REQUIRE(free);
  CHECK(dense->persons > 0.5);
  CHECK(dense->persons > free->persons);
  CHECK_FALSE(crowd->density_at({{-5, 0}, 0}));
}

}  // namespace
}  // namespace throng::test
