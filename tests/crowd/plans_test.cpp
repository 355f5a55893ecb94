// Requests for routes: first ones, lost sight, second thoughts; what people do meanwhile.
#include <doctest/doctest.h>

#include <cmath>

#include "environment/sketch.hpp"
#include "routes/planner.hpp"
#include "support/crowd_simulation.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using crowd::Activity;
using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::Level;

/// 40 x 20 m with a wall across that has two gaps, or one.
crowd::WorldPtr two_gaps(bool both) {
  environment::Sketch sketch("gaps");
  sketch.walkable({environment::rectangle({0, 0}, {40, 20}), {}});
  sketch.obstacle({environment::rectangle({19, 3}, {21, 20}), {}});
  if (!both) sketch.obstacle({environment::rectangle({19, 0}, {21, 1.2}), {}});
  return make_crowd_world(std::move(sketch).take());
}

TEST_CASE("plans: the first route is there in the step in which it is asked for") {
  Crowd crowd(two_gaps(true));
  const AgentId id = *crowd.add(walker({{2, 18}, 0}, {{38, 18}, 0}));
  REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.activity(crowd.slot_of(id)) == Activity::walking);
  CHECK(length(crowd.people().velocity[crowd.slot_of(id)]) > 0.1);
}

TEST_CASE("plans: with a budget for all, who is not served waits; without one nobody does") {
  for (const std::size_t budget : {std::size_t{0}, std::size_t{1}}) {
    Crowd crowd(two_gaps(true), {.planning_budget = budget});
    for (int i = 0; i < 200; ++i)
      REQUIRE(crowd.add(walker({{1 + 0.6 * (i % 20), 1 + 0.6 * (i / 20)}, 0}, {{38, 18}, 0})).ok());
    REQUIRE(crowd.step(0.1).ok());
    std::size_t planning = 0;
    for (const crowd::Slot slot : crowd.in_serial_order()) planning += crowd.activity(slot) == Activity::planning;
    CHECK((planning == 0) == (budget == 0));
  }
}

TEST_CASE("plans: who thinks again walks on, and takes the answer a fixed number of steps later if it is shorter") {
  // A given route goes a long way round; the planner knows a shorter one.
  const crowd::WorldPtr world = two_gaps(true);
  AgentSpec spec = walker({{2, 2}, 0}, {{17, 2}, 0});
  const std::vector<navmesh::Place> points{{{2, 2}, 0}, {{2, 18}, 0}, {{17, 18}, 0}, {{17, 2}, 0}};
  const Result<routes::Route> given = routes::given_route(*world->mesh, points, 0.24);
  REQUIRE(given.ok());
  spec.given_route = std::make_shared<const routes::Route>(*given);
  Crowd thinks(world), does_not(world);
  const AgentId one = *thinks.add(spec), other = *does_not.add(spec);
  for (int i = 0; i < 10; ++i) {
    REQUIRE(thinks.step(0.1).ok());
    REQUIRE(does_not.step(0.1).ok());
  }
  REQUIRE(thinks.think_again(one).ok());
  for (int i = 0; i < 5; ++i) {
    REQUIRE(thinks.step(0.1).ok());
    REQUIRE(does_not.step(0.1).ok());
    CHECK(thinks.people().position[thinks.slot_of(one)] == does_not.people().position[does_not.slot_of(other)]);
    CHECK(thinks.activity(thinks.slot_of(one)) == Activity::walking);
  }
  REQUIRE(thinks.step(0.1).ok());
  CHECK(thinks.remaining(thinks.slot_of(one)) < 17);
  CHECK(does_not.remaining(does_not.slot_of(other)) > 40);
}

TEST_CASE("plans: a second thought that is no better, or takes too long, leaves everything as it was") {
  for (const std::size_t budget : {std::size_t{1}, std::size_t{50'000}}) {
    const crowd::WorldPtr world = two_gaps(true);
    Crowd thinks(world, {.second_thought_budget = budget}), does_not(world);
    const AgentSpec spec = walker({{2, 18}, 0}, {{38, 18}, 0});
    const AgentId one = *thinks.add(spec);
    REQUIRE(does_not.add(spec).ok());
    for (int i = 0; i < 60; ++i) {
      if (i % 3 == 0) REQUIRE(thinks.think_again(one).ok());
      REQUIRE(thinks.step(0.1).ok());
      REQUIRE(does_not.step(0.1).ok());
      CHECK(thinks.people().position[thinks.in_serial_order()[0]] ==
            does_not.people().position[does_not.in_serial_order()[0]]);
    }
  }
}

TEST_CASE("plans: second thoughts are part of snapshots, planned or not") {
  const crowd::WorldPtr world = two_gaps(true);
  AgentSpec spec = walker({{2, 2}, 0}, {{17, 2}, 0});
  const std::vector<navmesh::Place> points{{{2, 2}, 0}, {{2, 18}, 0}, {{17, 18}, 0}, {{17, 2}, 0}};
  spec.given_route = std::make_shared<const routes::Route>(*routes::given_route(*world->mesh, points, 0.24));
  for (int after = 0; after < 6; ++after)
    for (std::uint32_t number = 0; number < 5; ++number) {  // whose turn comes in another step
      spec.number = number;
      Crowd crowd(world);
      const AgentId id = *crowd.add(spec);
      for (int i = 0; i < 10; ++i) REQUIRE(crowd.step(0.1).ok());
      REQUIRE(crowd.think_again(id).ok());
      for (int i = 0; i < after; ++i) REQUIRE(crowd.step(0.1).ok());
      geometry::ArchiveWriter bytes;
      crowd.save(bytes);
      Crowd resumed(world);
      geometry::ArchiveReader reader(bytes.bytes());
      REQUIRE(resumed.load(reader).ok());
      for (int i = 0; i < 40; ++i) {
        REQUIRE(crowd.step(0.1).ok());
        REQUIRE(resumed.step(0.1).ok());
      }
      CHECK(crowd.people().position[crowd.slot_of(id)] == resumed.people().position[resumed.slot_of(id)]);
      CHECK(crowd.remaining(crowd.slot_of(id)) < 17);
    }
}

TEST_CASE("plans: the first wish of a resumed crowd is a second thought, by every route method") {
  const crowd::WorldPtr world = two_gaps(true);
  for (const char* method : {"short", "shortest", "visibility", "weighted", "grid"}) {
    CAPTURE(method);
    AgentSpec spec = walker({{2, 18}, 0}, {{38, 18}, 0});
    spec.methods[Level::route] = {method, {}};
    Crowd crowd(world);
    const AgentId id = *crowd.add(spec);
    for (int i = 0; i < 10; ++i) REQUIRE(crowd.step(0.1).ok());
    geometry::ArchiveWriter bytes;
    crowd.save(bytes);
    Crowd resumed(world);
    geometry::ArchiveReader reader(bytes.bytes());
    REQUIRE(resumed.load(reader).ok());
    REQUIRE(crowd.think_again(id).ok());
    REQUIRE(resumed.think_again(id).ok());
    for (int i = 0; i < 10; ++i) {
      REQUIRE(crowd.step(0.1).ok());
      REQUIRE(resumed.step(0.1).ok());
    }
    CHECK(crowd.people().position[crowd.slot_of(id)] == resumed.people().position[resumed.slot_of(id)]);
  }
}

TEST_CASE("plans: who loses sight of its route keeps its velocity for a step and joins the rest of it") {
  Crowd crowd(two_gaps(true));
  const AgentId id = *crowd.add(walker({{2, 18}, 0}, {{38, 18}, 0}));
  for (int i = 0; i < 60; ++i) REQUIRE(crowd.step(0.1).ok());
  const double left = crowd.remaining(crowd.slot_of(id));
  // Steered over to the other side of the wall, where nothing of the way so far is seen; then back on its own.
  REQUIRE(crowd.steer(id, {0, 0}).ok());
  REQUIRE(crowd.release(id).ok());
  REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.remaining(crowd.slot_of(id)) == doctest::Approx(left).epsilon(0.05));
  for (int i = 0; i < 600 && crowd.holds(id); ++i) {
    REQUIRE(crowd.step(0.1).ok());
    if (crowd.holds(id)) CHECK(crowd.activity(crowd.slot_of(id)) == Activity::walking);
  }
  CHECK_FALSE(crowd.holds(id));
}

TEST_CASE("plans: another route method, clearance or weights on the way are walked by at once") {
  Crowd crowd(two_gaps(true));
  AgentSpec spec = walker({{2, 17}, 0}, {{17, 17}, 0});
  const AgentId id = *crowd.add(spec);
  for (int i = 0; i < 10; ++i) REQUIRE(crowd.step(0.1).ok());
  const double straight = crowd.remaining(crowd.slot_of(id));
  spec.methods[Level::route] = {"medial", {}};
  REQUIRE(crowd.set_profile(id, spec).ok());
  REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.remaining(crowd.slot_of(id)) > straight + 0.1);
}

TEST_CASE("plans: a given route to the second of the nearest areas arrives there") {
  environment::Sketch sketch("areas");
  sketch.walkable({environment::rectangle({0, 0}, {40, 20}), {}});
  sketch.area("a", environment::rectangle({37, 0}, {40, 3}));
  sketch.area("b", environment::rectangle({37, 7}, {40, 10}));
  const crowd::WorldPtr world = make_crowd_world(std::move(sketch).take());
  Crowd crowd(world);
  const auto a = crowd.add_area(*goals::Area::named(world->environment, "a"));
  const auto b = crowd.add_area(*goals::Area::named(world->environment, "b"));
  AgentSpec spec = walker({{2, 8}, 0}, {{38.5, 8.5}, 0});
  spec.itinerary =
      std::make_shared<goals::Itinerary>(goals::Itinerary{{{{}, 0.5, {a, b}, 0}}, goals::AtLastGoal::leave});
  const std::vector<navmesh::Place> points{{{2, 8}, 0}, {{20, 12}, 0}, {{38.5, 8.5}, 0}};
  spec.given_route = std::make_shared<const routes::Route>(*routes::given_route(*world->mesh, points, 0.24));
  REQUIRE(crowd.add(spec).ok());
  while (crowd.size() > 0 && crowd.time() < 60) REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.size() == 0);
}

TEST_CASE("plans: who walks straight to its goal comes nearer to it") {
  Crowd crowd(two_gaps(true));
  AgentSpec spec = walker({{2, 10}, 0}, {{17, 10}, 0});
  spec.methods[Level::follow] = {"direct", {}};
  const AgentId id = *crowd.add(spec);
  REQUIRE(crowd.step(0.1).ok());
  double last = crowd.remaining(crowd.slot_of(id));
  for (int i = 0; i < 50; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    const double now = crowd.remaining(crowd.slot_of(id));
    CHECK(now < last);
    last = now;
  }
}

TEST_CASE("plans: premovement and waits go on after somebody was steered") {
  Crowd crowd(two_gaps(true));
  AgentSpec spec = walker({{2, 10}, 0}, {{17, 10}, 0});
  spec.premovement = 3;
  const AgentId id = *crowd.add(spec);
  const auto activity = [&] { return crowd.activity(crowd.slot_of(id)); };
  REQUIRE(crowd.step(0.1).ok());
  REQUIRE(crowd.steer(id, {0, 1}).ok());
  for (int i = 0; i < 9; ++i) REQUIRE(crowd.step(0.1).ok());
  REQUIRE(crowd.release(id).ok());
  CHECK(activity() == Activity::before);
  for (int i = 0; i < 19; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(activity() == Activity::before);
  for (int i = 0; i < 3; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(activity() == Activity::walking);
}

TEST_CASE("plans: rows of weights are shared, given back and found quickly") {
  environment::Sketch sketch("mud");
  sketch.walkable({environment::rectangle({0, 0}, {400, 40}), {}});
  sketch.region("mud", {environment::rectangle({0, 0}, {400, 10}), {}});
  Crowd crowd(make_crowd_world(std::move(sketch).take()));
  // With a search through all rows for each person this takes minutes.
  std::vector<AgentId> ids;
  for (int i = 0; i < 20000; ++i) {
    AgentSpec spec;
    spec.place = {{1 + 0.01 * i, 20}, 0};
    spec.weights = {1, 1 + 1e-3 * i};
    ids.push_back(*crowd.add(spec));
  }
  const std::size_t full = crowd.bytes();
  for (const AgentId id : ids) REQUIRE(crowd.remove(id));
  for (int round = 0; round < 3; ++round) {
    ids.clear();
    for (int i = 0; i < 20000; ++i) {
      AgentSpec spec;
      spec.place = {{1 + 0.01 * i, 20}, 0};
      spec.weights = {1, 2 + round + 1e-3 * i};
      ids.push_back(*crowd.add(spec));
    }
    for (const AgentId id : ids) REQUIRE(crowd.remove(id));
  }
  CHECK(crowd.bytes() < full + full / 2);
}

}  // namespace
}  // namespace throng::test
