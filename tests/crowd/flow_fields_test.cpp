// People who walk along flow fields: whom they share them with, where they arrive, and that nothing is remembered that must not be.
#include "crowd/flow_fields.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "environment/sketch.hpp"
#include "routes/radius_rounding.hpp"
#include "support/crowd_simulation.hpp"

namespace throng::test {
namespace {

using crowd::Activity;
using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::Executor;
using crowd::FlowFieldPtr;
using crowd::FlowFields;
using crowd::WorldPtr;

/// A hall of 30 x 12 m, cut by a wall with a door 0.5 m wide below and one of 3 m above; an area at either end.
WorldPtr hall() {
  environment::Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {30, 12}), {}});
  sketch.obstacle({environment::rectangle({14, 2.5}, {15, 9}), {}});
  sketch.obstacle({environment::rectangle({14, 0}, {15, 2}), {}});
  sketch.area("west", environment::rectangle({0, 0}, {3, 12}));
  sketch.area("east", environment::rectangle({27, 0}, {30, 12}));
  return make_crowd_world(std::move(sketch).take());
}

AgentSpec flow_walker(navmesh::Place from, navmesh::Place to) {
  AgentSpec spec = walker(from, to);
  spec.methods[agents::Level::follow] = {"flow", {}};
  return spec;
}

goals::ItineraryPtr to_areas(std::vector<navmesh::Index> areas, goals::AtLastGoal at_last, double wait = 0) {
  return std::make_shared<goals::Itinerary>(goals::Itinerary{{{{}, 0.5, std::move(areas), wait}}, at_last});
}

void run(Crowd& crowd, double seconds) {
  for (int i = 0; i < int(seconds * 10) && crowd.size() > 0; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    REQUIRE(crowd.validate().empty());
  }
}

TEST_CASE("flow: radii of a centimetre share a field, and goals of their own do not") {
  CHECK(routes::radius_rounded_up(0.24) == 0.24);
  CHECK(routes::radius_rounded_up(0.2401) == 0.25);
  CHECK(routes::radius_rounded_up(0.29) == 0.29);
  const WorldPtr world = hall();
  FlowFields fields;
  Executor executor(1);
  const goals::Goal a{{{29, 1}, 0}, 0.5, {}, 0}, same{{{29, 1}, 0}, 3, {}, 7}, b{{{1, 1}, 0}, 0.5, {}, 0};
  const FlowFields::Wish wishes[] = {{&a, 0.24}, {&same, 0.24}, {&b, 0.24}, {&a, 0.25}};
  fields.make(*world, {}, wishes, executor);
  CHECK(fields.size() == 3);
  const FlowFieldPtr first = fields.find({&a, 0.24});
  REQUIRE(first);
  CHECK(fields.find({&same, 0.24}) == first);
  CHECK(fields.find({&a, 0.25}) != first);
  CHECK_FALSE(fields.find({&b, 0.25}));
  fields.make(*world, {}, wishes, executor);
  CHECK(fields.find({&a, 0.24}) == first);
  CHECK(fields.bytes() > first->bytes());
  // Another world: nothing of the first is left.
  const WorldPtr other = hall();
  fields.make(*other, {}, {wishes, 1}, executor);
  CHECK(fields.size() == 1);
  CHECK(fields.find({&a, 0.24}) != first);
}

TEST_CASE("flow: who fits through a door by its own radius only takes it") {
  Crowd crowd(hall());
  AgentSpec thin = flow_walker({{12, 2.25}, 0}, {{17, 2.25}, 0});
  thin.radius = 0.2499;  // the class is 0.25: the door of 0.5 m lets both through
  AgentSpec just = thin;
  const AgentId id = *crowd.add(just);
  run(crowd, 1);
  CHECK(crowd.remaining(crowd.slot_of(id)) < 4.5);
  run(crowd, 9);
  CHECK(crowd.size() == 0);
  // A closed box around the goal with a gap of 0.485 m: the class of 0.2421 is 0.25, which does not fit.
  environment::Sketch sketch("box");
  sketch.walkable({environment::rectangle({0, 0}, {10, 10}), {}});
  sketch.obstacle({environment::rectangle({6, 0}, {6.5, 4.7575}), {}});
  sketch.obstacle({environment::rectangle({6, 5.2425}, {6.5, 10}), {}});
  Crowd boxed(make_crowd_world(std::move(sketch).take()));
  AgentSpec spec = flow_walker({{2, 3}, 0}, {{9, 3}, 0});
  spec.radius = 0.2421;
  REQUIRE(boxed.add(spec).ok());
  spec.place = {{2, 7}, 0};
  spec.radius = 0.26;
  const AgentId wide = *boxed.add(spec);
  run(boxed, 20);
  CHECK(boxed.size() == 1);
  CHECK(boxed.activity(boxed.slot_of(wide)) == Activity::lost);
}

TEST_CASE("flow: the nearest of several areas, and one's own place in it for those who stay") {
  Crowd crowd(hall());
  const auto west = crowd.add_area(*goals::Area::named(crowd.world().environment, "west"));
  const auto east = crowd.add_area(*goals::Area::named(crowd.world().environment, "east"));
  AgentSpec spec = flow_walker({{10, 6}, 0}, {{0, 0}, 0});
  spec.itinerary = to_areas({east, west}, goals::AtLastGoal::leave);
  REQUIRE(crowd.add(spec).ok());
  spec.place = {{20, 6}, 0};
  REQUIRE(crowd.add(spec).ok());
  spec.itinerary = to_areas({east, west}, goals::AtLastGoal::stay);
  std::vector<AgentId> staying;
  for (int i = 0; i < 6; ++i) {
    spec.place = {{16.0 + i, 10}, 0};
    spec.number = std::uint32_t(10 + i);
    staying.push_back(*crowd.add(spec));
  }
  run(crowd, 40);
  CHECK(crowd.size() == staying.size());
  double spread = 0;
  for (const AgentId id : staying) {
    CHECK(crowd.activity(crowd.slot_of(id)) == Activity::arrived);
    CHECK(crowd.people().position[crowd.slot_of(id)].x > 27 - 1e-6);
    spread = std::max(spread, std::abs(crowd.people().position[crowd.slot_of(id)].y -
                                       crowd.people().position[crowd.slot_of(staying.front())].y));
  }
  CHECK(spread > 2);
}

TEST_CASE("flow: one may change over to a route and back, be moved elsewhere, and get other goals") {
  Crowd crowd(hall());
  AgentSpec spec = flow_walker({{2, 6}, 0}, {{28, 6}, 0});
  const AgentId id = *crowd.add(spec);
  run(crowd, 2);
  const double by_field = crowd.remaining(crowd.slot_of(id));
  spec.methods[agents::Level::follow] = {"miran", {}};
  REQUIRE(crowd.set_profile(id, spec).ok());
  run(crowd, 0.2);
  CHECK(crowd.activity(crowd.slot_of(id)) == Activity::walking);
  CHECK(std::abs(crowd.remaining(crowd.slot_of(id)) - by_field) < 1.5);
  spec.methods[agents::Level::follow] = {"flow", {}};
  REQUIRE(crowd.set_profile(id, spec).ok());
  run(crowd, 1);
  REQUIRE(crowd.teleport(id, {{20, 2}, 0}).ok());
  run(crowd, 0.2);
  CHECK(crowd.remaining(crowd.slot_of(id)) < 10);
  REQUIRE(crowd.set_goals(id, walker({}, {{16, 2}, 0}).itinerary).ok());
  run(crowd, 0.2);
  CHECK(crowd.remaining(crowd.slot_of(id)) < 4.5);
  run(crowd, 5);
  CHECK(crowd.size() == 0);
}

}  // namespace
}  // namespace throng::test
