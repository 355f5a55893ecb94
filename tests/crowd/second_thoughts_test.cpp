// The rules of second thoughts: rests, no going back, how many there are in a minute; and who is stuck, and gets out.
#include "crowd/second_thoughts.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "crowd/gap_search.hpp"
#include "crowd/stuck_clock.hpp"
#include "environment/sketch.hpp"
#include "routes/planned_route.hpp"
#include "routes/planner.hpp"
#include "support/crowd_simulation.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using crowd::Activity;
using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::GapSearch;
using crowd::Level;
using crowd::Reason;
using crowd::SecondThoughts;
using crowd::Slot;
using crowd::StuckClock;

TEST_CASE("second thoughts: after fruitless searches one rests 2, 4, 8, 16, 30 s, for that reason only") {
  SecondThoughts own;
  const crowd::Progress at{.chain = 3, .metres_left = 50};
  double now = 10;
  for (const double rest : {2.0, 4.0, 8.0, 16.0, 30.0, 30.0}) {
    CHECK_FALSE(own.rests(Reason::stuck, now, at));
    own.was_fruitless(Reason::stuck, now, at);
    CHECK(own.rests(Reason::stuck, now + rest - 0.01, at));
    CHECK_FALSE(own.rests(Reason::queues, now, at));
    now += rest;
  }
}

TEST_CASE("second thoughts: a change ends the rest, and so does another chain nearer to the goal") {
  SecondThoughts own;
  own.was_fruitless(Reason::queues, 0, {.chain = 3, .metres_left = 50});
  CHECK(own.rests(Reason::queues, 1, {.chain = 3, .metres_left = 40}));
  CHECK(own.rests(Reason::queues, 1, {.chain = 4, .metres_left = 49}));
  CHECK_FALSE(own.rests(Reason::queues, 1, {.chain = 4, .metres_left = 47}));
  own.has_taken(Reason::queues, 1);
  CHECK_FALSE(own.rests(Reason::queues, 1, {.chain = 3, .metres_left = 50}));
}

TEST_CASE("second thoughts: no class left in the last 10 s is taken again, wherever one is by then, unless stuck") {
  // Ways: 0+ 1+ is left for 0+ 2+, then chain 0 is walked; from there the old way is 1+, and 2- 1+ to who has walked on along 2.
  SecondThoughts own;
  own.has_taken(Reason::queues, 100, {0, 2}, 7, {0, 4}, 7);
  CHECK_FALSE(own.may_take({4}, {2}, 7, 105, false));
  CHECK_FALSE(own.may_take({}, {5, 2}, 7, 105, false));
  CHECK(own.may_take({4}, {2}, 7, 105, true));
  CHECK(own.may_take({4}, {2}, 7, 111, false));
  CHECK(own.may_take({4}, {2}, 8, 105, false));
  CHECK(own.may_take({4}, {6}, 7, 105, false));
  // Another change in between: the first way is still known.
  own.has_taken(Reason::queues, 104, {4}, 7, {6}, 7);
  CHECK_FALSE(own.may_take({6}, {2}, 7, 108, false));
  CHECK_FALSE(own.may_take({6}, {4}, 7, 108, false));
  CHECK(own.may_take({6}, {2}, 7, 110.5, false));
  CHECK(own.changes() == 2);
  CHECK(own.exit_changes() == 0);
}

TEST_CASE("second thoughts: the same with another exit, to which the way back is told") {
  SecondThoughts own;
  own.has_taken(Reason::queues, 0, {0}, 1, {2, 4}, 2);
  CHECK(own.exit_changes() == 1);
  CHECK_FALSE(own.may_take({4}, {3, 0}, 1, 5, false));
  CHECK(own.may_take({4}, {3, 0}, 3, 5, false));
}

TEST_CASE("second thoughts: at most three changes in a minute") {
  SecondThoughts own;
  for (const double at : {1.0, 2.0, 3.0}) {
    CHECK(own.may_take({}, {0}, 1, at, true));
    own.has_taken(Reason::stuck, at);
  }
  CHECK_FALSE(own.may_take({}, {0}, 1, 60.9, true));
  CHECK(own.may_take({}, {0}, 1, 61.1, true));
  CHECK(own.most_a_minute() == 3);
  CHECK(own.last().why == Reason::stuck);
  CHECK(own.last().at == 3);
}

TEST_CASE("stuck clock: under a tenth of free walking for the patience, and nothing before") {
  StuckClock clock;
  double left = 100, time = 0;
  const auto walk = [&](double speed, double seconds) {
    bool looked = false;
    for (int i = 0; i < int(seconds * 10 + 0.5); ++i) {
      left -= speed * 0.1, time += 0.1;
      looked = clock.tick({100 - left, 0}, left, 1.4, 4, 0.1) || looked;
    }
    return looked;
  };
  CHECK_FALSE(walk(0.2, 10));  // a tenth is 0.14
  CHECK_FALSE(walk(1.4, 10));
  CHECK_FALSE(walk(0, 3.5));
  CHECK(walk(0, 1.5));
  CHECK_FALSE(clock.moves({100 - left, 0}));
  clock.is_stuck = 1;
  walk(1.4, 1.5);
  CHECK(clock.is_stuck == 0);
  CHECK(walk(0.1, 30));
}

crowd::WorldPtr hall(double width, double height) {
  environment::Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {width, height}), {}});
  return make_crowd_world(std::move(sketch).take());
}

routes::Route straight(const crowd::World& world, Vec2 from, Vec2 to) {
  routes::Planner planner(world.graph);
  routes::Route route;
  REQUIRE(planner.plan({.from = {from, 0}, .to = {to, 0}, .radius = 0.24}, route) == routes::NoRoute::found);
  return route;
}

TEST_CASE("gap search: a gap of a body's width in a row is found, a narrower one is not") {
  const crowd::WorldPtr world = hall(20, 6);
  const routes::Route way = straight(*world, {4, 3}, {16, 3});
  for (const double gap : {0.40, 0.46, 0.60, 1.0}) {
    CAPTURE(gap);
    const crowd::Standing at = crowd::standing_at(*world->mesh, {{8, 3}, 0});
    GapSearch search(*world->mesh, {at.place, at.cell, at.clearance}, 0.24);
    std::vector<Vec2> standing;
    for (double y = 3; y < 6; y += 0.45) standing.push_back({9, y});
    for (double y = 3 - 0.48 - gap; y > 0; y -= 0.45) standing.push_back({9, y});
    for (const Vec2 p : standing) search.add_standing(p, 0.24);
    const auto found = search.find(way, 4);
    CHECK(bool(found) == (gap > 0.5));
    if (!found) continue;
    CHECK(found->joins_at > 5);
    for (std::size_t i = 1; i < found->points.size(); ++i)
      for (double t = 0; t <= 1; t += 0.05) {
        const Vec2 p = found->points[i - 1] + (found->points[i] - found->points[i - 1]) * t;
        for (const Vec2 other : standing) CHECK(length(other - p) > 0.45);
        CHECK(p.y > 0.23);
      }
  }
}

TEST_CASE("gap search: where nobody stands on the way there is nothing to look for") {
  const crowd::WorldPtr world = hall(20, 6);
  const crowd::Standing at = crowd::standing_at(*world->mesh, {{8, 3}, 0});
  GapSearch search(*world->mesh, {at.place, at.cell, at.clearance}, 0.24);
  search.add_standing({9, 5}, 0.24);
  CHECK_FALSE(search.find(straight(*world, {4, 3}, {16, 3}), 4));
}

/// 30 x 12 m, a block in the middle: two ways round, the lower the shorter for who starts below.
crowd::WorldPtr two_ways() {
  environment::Sketch sketch("two ways");
  sketch.walkable({environment::rectangle({0, 0}, {30, 12}), {}});
  sketch.obstacle({environment::rectangle({8, 4}, {22, 8}), {}});
  return make_crowd_world(std::move(sketch).take());
}

/// Rows of people who stand across the lower way.
void close_lower_way(Crowd& crowd, int rows, double apart, double spacing) {
  for (int row = 0; row < rows; ++row)
    for (double y = 0.3; y < 3.8; y += spacing) {
      AgentSpec spec = walker({{14 + row * apart, y}, 0}, {{14, 2}, 0});
      spec.itinerary = nullptr;
      REQUIRE(crowd.add(spec).ok());
    }
}

AgentSpec with_detector(navmesh::Place from, navmesh::Place to, double patience = 4) {
  AgentSpec spec = walker(from, to);
  spec.methods[Level::congestion] = {"none", {patience}};
  return spec;
}

TEST_CASE(
    "stuck: three rows 0.8 m apart across one of two ways: everybody takes the other, with the detector alone too") {
  for (const char* method : {"", "none", "density", "quickest", "id3"}) {
    CAPTURE(method);
    const bool detects = *method != 0;
    Crowd crowd(two_ways());
    close_lower_way(crowd, 3, 0.8, 0.8);
    for (int i = 0; i < 12; ++i) {
      AgentSpec spec = walker({{1 + 0.6 * (i % 4), 1 + 0.6 * (i / 4)}, 0}, {{28, 2}, 0});
      if (detects) spec.methods[Level::congestion] = {method, {}};
      REQUIRE(crowd.add(spec).ok());
    }
    const std::size_t standing = crowd.size() - 12;
    for (int i = 0; i < 1200 && crowd.size() > standing; ++i) REQUIRE(crowd.step(0.1).ok());
    CHECK((crowd.size() == standing) == detects);
    CHECK(crowd.validate().empty());
  }
}

TEST_CASE("stuck: a gap in the rows is gone through") {
  Crowd crowd(hall(30, 4));
  for (int row = 0; row < 2; ++row)
    for (double y = 0.25; y < 3.8; y += 0.5)
      if (std::abs(y - (row == 0 ? 3.25 : 0.75)) > 0.4) {
        AgentSpec spec = walker({{14 + row * 1.6, y}, 0}, {{14, 2}, 0});
        spec.itinerary = nullptr;
        REQUIRE(crowd.add(spec).ok());
      }
  const std::size_t standing = crowd.size();
  REQUIRE(crowd.add(with_detector({{2, 2}, 0}, {{28, 2}, 0})).ok());
  for (int i = 0; i < 1200 && crowd.size() > standing; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.size() == standing);
}

TEST_CASE("stuck: a queue that moves triggers nothing") {
  environment::Sketch sketch("door");
  sketch.walkable({environment::rectangle({0, 0}, {20, 12}), {}});
  sketch.obstacle({environment::rectangle({12, 0}, {12.4, 5.5}), {}});
  sketch.obstacle({environment::rectangle({12, 6.6}, {12.4, 12}), {}});
  Crowd crowd(make_crowd_world(std::move(sketch).take()));
  for (int i = 0; i < 60; ++i)
    REQUIRE(crowd.add(with_detector({{3 + 0.7 * (i % 10), 2 + 0.9 * (i / 10)}, 0}, {{18, 6}, 0})).ok());
  std::size_t stuck = 0, present = 0, changes = 0;
  for (int i = 0; i < 300; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    for (const Slot slot : crowd.in_serial_order()) {
      const auto thoughts = crowd.thoughts_of(slot);
      stuck += thoughts && thoughts->is_stuck ? 1 : 0;
      changes += thoughts ? thoughts->route_changes : 0;
      ++present;
    }
  }
  // Somebody at the head of it may be squeezed for some seconds; nobody goes elsewhere for that.
  CHECK(present > 5000);
  CHECK(double(stuck) < 0.005 * double(present));
  CHECK(changes == 0);
}

TEST_CASE("stuck: before a blocked door searches fall to one in 30 s a person") {
  Crowd crowd(hall(20, 4));
  for (int row = 0; row < 3; ++row)
    for (double y = 0.25; y < 3.9; y += 0.5) {
      AgentSpec spec = walker({{14 + row * 0.5, y}, 0}, {{14, 2}, 0});
      spec.itinerary = nullptr;
      REQUIRE(crowd.add(spec).ok());
    }
  const AgentId id = *crowd.add(with_detector({{10, 2}, 0}, {{18, 2}, 0}));
  const auto searches = [&] { return crowd.thoughts_of(crowd.slot_of(id))->searches; };
  for (int i = 0; i < 3000; ++i) REQUIRE(crowd.step(0.1).ok());
  const auto before = searches();
  CHECK(before > 4);
  for (int i = 0; i < 3000; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(searches() - before <= 10);
}

TEST_CASE("stuck: clocks and what is remembered are part of snapshots") {
  const crowd::WorldPtr world = two_ways();
  Crowd crowd(world);
  close_lower_way(crowd, 3, 0.8, 0.8);
  for (int i = 0; i < 6; ++i) REQUIRE(crowd.add(with_detector({{1 + 0.6 * i, 2}, 0}, {{28, 2}, 0})).ok());
  for (int part = 0; part < 12; ++part) {
    geometry::ArchiveWriter bytes;
    crowd.save(bytes);
    Crowd resumed(world);
    geometry::ArchiveReader reader(bytes.bytes());
    REQUIRE(resumed.load(reader).ok());
    for (int i = 0; i < 37; ++i) {
      REQUIRE(crowd.step(0.1).ok());
      REQUIRE(resumed.step(0.1).ok());
    }
    REQUIRE(crowd.size() == resumed.size());
    for (std::size_t i = 0; i < crowd.size(); ++i) {
      const Slot one = crowd.in_serial_order()[i], other = resumed.in_serial_order()[i];
      CHECK(crowd.people().position[one] == resumed.people().position[other]);
      CHECK(crowd.remaining(one) == resumed.remaining(other));
      CHECK(crowd.thoughts_of(one)->searches == resumed.thoughts_of(other)->searches);
      CHECK(crowd.thoughts_of(one)->jam_time == resumed.thoughts_of(other)->jam_time);
    }
  }
}

TEST_CASE("stuck: no block, no columns, the same bits; patience 0 is the same as none but for the profile") {
  std::vector<std::vector<Vec2>> places;
  for (const int kind : {0, 1}) {
    Crowd crowd(two_ways());
    close_lower_way(crowd, 2, 0.8, 0.8);
    for (int i = 0; i < 6; ++i)
      REQUIRE(crowd
                  .add(kind == 0 ? walker({{1 + 0.6 * i, 2}, 0}, {{28, 2}, 0})
                                 : with_detector({{1 + 0.6 * i, 2}, 0}, {{28, 2}, 0}, 0))
                  .ok());
    places.emplace_back();
    for (int i = 0; i < 300; ++i) {
      REQUIRE(crowd.step(0.1).ok());
      const auto all = crowd.people().position;
      places.back().insert(places.back().end(), all.begin(), all.end());
    }
  }
  CHECK(places[0] == places[1]);
}

}  // namespace
}  // namespace throng::test
