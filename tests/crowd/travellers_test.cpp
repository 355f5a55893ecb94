// Who travels together: one request, one exit, one route, a place of one's own each; and goals that are persons.
#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <set>

#include "crowd/methods.hpp"
#include "environment/sketch.hpp"
#include "support/crowd_simulation.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using crowd::Activity;
using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::Level;
using crowd::Slot;

/// `short` that counts how often it is asked.
class CountedShort final : public routes::RouteMaker {
 public:
  CountedShort() {
    agents::Registry<routes::RouteMaker> all;
    routes::add_built_in(all);
    short_ = all.find("short");
    info_ = short_->info();
    info_.name = "counted";
  }
  [[nodiscard]] const agents::MethodInfo& info() const override { return info_; }
  routes::NoRoute plan(const routes::RouteWish& wish, const routes::RouteTables& tables, routes::PlanDesk& desk,
                       routes::Route& route, std::size_t& expansions) const override {
    ++asked;
    return short_->plan(wish, tables, desk, route, expansions);
  }
  mutable std::atomic<int> asked{0};

 private:
  const routes::RouteMaker* short_ = nullptr;
  agents::MethodInfo info_;
};

/// A hall of 40 x 20 m, and two exits at its right side.
struct Hall {
  std::shared_ptr<const CountedShort> maker = std::make_shared<CountedShort>();
  crowd::WorldPtr world;
  Hall() {
    environment::Sketch sketch("hall");
    sketch.walkable({environment::rectangle({0, 0}, {40, 20}), {}});
    sketch.obstacle({environment::rectangle({10, 8}, {12, 12}), {}});
    world = make_crowd_world(std::move(sketch).take());
  }
  [[nodiscard]] Crowd crowd(unsigned threads = 1) const {
    auto methods = std::make_shared<crowd::Methods>(*crowd::built_in_methods());
    CHECK(methods->route.add(maker) == "");
    Crowd crowd(world, {.seed = 5, .threads = threads, .methods = methods});
    crowd.add_area(*goals::Area::drawn(world->environment, {{37, 1}, {39, 1}, {39, 4}, {37, 4}}, 0));
    crowd.add_area(*goals::Area::drawn(world->environment, {{37, 16}, {39, 16}, {39, 19}, {37, 19}}, 0));
    return crowd;
  }
  [[nodiscard]] static AgentSpec member(double y, goals::AtLastGoal at_last, std::uint32_t number) {
    AgentSpec spec = walker({{2, y}, 0}, {{38, 10}, 0});
    auto itinerary = std::make_shared<goals::Itinerary>();
    goals::Goal goal;
    goal.areas = {0, 1};
    itinerary->goals.push_back(goal);
    itinerary->at_last = at_last;
    spec.itinerary = itinerary;
    spec.methods[Level::route].name = "counted";
    spec.number = number;
    return spec;
  }
};

struct Three {
  std::array<AgentId, 3> ids;
  Three(Crowd& crowd, goals::AtLastGoal at_last) {
    for (std::uint32_t i = 0; i < 3; ++i) ids[i] = *crowd.add(Hall::member(9 + 0.8 * i, at_last, i));
    REQUIRE(crowd.join(ids[2], ids[0]).ok());
    REQUIRE(crowd.join(ids[1], ids[0]).ok());
  }
};

TEST_CASE("travellers: three who go together ask once, take one exit and share one route by pointer") {
  const Hall hall;
  Crowd crowd = hall.crowd();
  const Three three(crowd, goals::AtLastGoal::leave);
  CHECK(crowd.members_with(three.ids[1]) == std::vector<AgentId>(three.ids.begin(), three.ids.end()));
  REQUIRE(crowd.step(0.1).ok());
  CHECK(hall.maker->asked == 2);  // once for each of the two exits
  const routes::PlannedRoute* route = crowd.route_of(crowd.slot_of(three.ids[0]));
  REQUIRE(route != nullptr);
  for (const AgentId id : three.ids) {
    CHECK(crowd.route_of(crowd.slot_of(id)) == route);
    CHECK(crowd.destination_of(crowd.slot_of(id)).area == crowd.destination_of(crowd.slot_of(three.ids[0])).area);
  }
  CHECK(crowd.validate().empty());
  std::size_t left = 0;
  for (int i = 0; i < 600 && crowd.size() > 0; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    left += crowd.departures().size();
    CHECK(crowd.validate().empty());
  }
  CHECK(left == 3);
}

TEST_CASE("travellers: who stays at the goal has a place of their own each") {
  const Hall hall;
  Crowd crowd = hall.crowd();
  const Three three(crowd, goals::AtLastGoal::stay);
  for (int i = 0; i < 700; ++i) REQUIRE(crowd.step(0.1).ok());
  const crowd::Index area = crowd.destination_of(crowd.slot_of(three.ids[0])).area;
  for (const AgentId id : three.ids) {
    const Slot slot = crowd.slot_of(id);
    CHECK(crowd.activity(slot) == Activity::arrived);
    CHECK(crowd.areas()[area].contains({crowd.people().position[slot], 0}));
    for (const AgentId other : three.ids)
      if (!(other == id))
        CHECK(distance(crowd.people().position[slot], crowd.people().position[crowd.slot_of(other)]) > 0.4);
  }
}

TEST_CASE("travellers: premovement and waits are one for all, and a wait begins when all are there") {
  const Hall hall;
  Crowd crowd = hall.crowd();
  std::vector<AgentId> ids;
  for (std::uint32_t i = 0; i < 3; ++i) {
    AgentSpec spec = Hall::member(9 + 0.8 * i, goals::AtLastGoal::leave, i);
    auto itinerary = std::make_shared<goals::Itinerary>(*spec.itinerary);
    itinerary->goals.front().wait = 5;
    goals::Goal back;
    back.point = {{2, 2}, 0};
    itinerary->goals.push_back(back);
    spec.itinerary = itinerary;
    spec.premovement = 3 + i;    // the first one's counts
    spec.speed = 1.6 - 0.4 * i;  // the last one is slow
    ids.push_back(*crowd.add(spec));
  }
  REQUIRE(crowd.join(ids[1], ids[0]).ok());
  REQUIRE(crowd.join(ids[2], ids[0]).ok());
  std::set<double> set_out, all_there, went_on;
  std::array<Activity, 3> before{};
  before.fill(Activity::before);
  for (int i = 0; i < 1200 && crowd.size() == 3; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    if (crowd.size() < 3) break;
    bool all_wait = true;
    for (std::size_t k = 0; k < 3; ++k) {
      const Activity now = crowd.activity(crowd.slot_of(ids[k]));
      if (before[k] == Activity::before && now != Activity::before) set_out.insert(crowd.time());
      if (before[k] == Activity::waiting && now != Activity::waiting) went_on.insert(crowd.time());
      before[k] = now;
      all_wait = all_wait && now == Activity::waiting;
    }
    if (all_wait) all_there.insert(crowd.time());
  }
  REQUIRE(set_out.size() == 1);
  CHECK(*set_out.begin() == doctest::Approx(3.1));
  REQUIRE(went_on.size() == 1);
  REQUIRE(!all_there.empty());
  CHECK(*went_on.begin() - *all_there.begin() == doctest::Approx(5).epsilon(0.03));
}

TEST_CASE("travellers: whoever is removed, parts or is sent elsewhere leaves the others on their way") {
  for (const int what : {0, 1, 2, 3}) {
    CAPTURE(what);
    const Hall hall;
    Crowd crowd = hall.crowd();
    const Three three(crowd, goals::AtLastGoal::leave);
    if (what != 3)
      for (int i = 0; i < 50; ++i) REQUIRE(crowd.step(0.1).ok());
    if (what == 0) REQUIRE(crowd.remove(three.ids[0]));
    if (what == 1) REQUIRE(crowd.part(three.ids[0]).ok());
    if (what == 2) REQUIRE(crowd.teleport(three.ids[0], {{4, 18}, 0}).ok());
    if (what == 3) REQUIRE(crowd.remove(three.ids[0]));  // before anybody has set out
    CHECK(crowd.validate().empty());
    CHECK(crowd.members_with(three.ids[1]).size() == (what == 2 ? 3 : 2));
    std::size_t left = 0;
    for (int i = 0; i < 700; ++i) {
      REQUIRE(crowd.step(0.1).ok());
      left += crowd.departures().size();
      CHECK(crowd.validate().empty());
    }
    CHECK(left == (what == 0 || what == 3 ? 2 : 3));
  }
}

TEST_CASE("travellers: are part of snapshots, whoever goes together, whatever the threads") {
  const Hall hall;
  for (const int after : {0, 20, 260, 300}) {
    CAPTURE(after);
    Crowd whole = hall.crowd();
    const Three three(whole, goals::AtLastGoal::stay);
    REQUIRE(whole.add(Hall::member(3, goals::AtLastGoal::leave, 7)).ok());
    for (int i = 0; i < after; ++i) REQUIRE(whole.step(0.1).ok());
    geometry::ArchiveWriter bytes;
    whole.save(bytes);
    Crowd resumed = hall.crowd(2);
    geometry::ArchiveReader reader(bytes.bytes());
    REQUIRE(resumed.load(reader).ok());
    CHECK(resumed.members_with(three.ids[2]).size() == 3);
    for (int i = 0; i < 200; ++i) {
      REQUIRE(whole.step(0.1).ok());
      REQUIRE(resumed.step(0.1).ok());
      REQUIRE(whole.size() == resumed.size());
      for (std::size_t k = 0; k < whole.size(); ++k)
        REQUIRE(whole.people().position[whole.in_serial_order()[k]] ==
                resumed.people().position[resumed.in_serial_order()[k]]);
    }
  }
}

AgentSpec towards(std::uint64_t person, double y) {
  AgentSpec spec = walker({{2, y}, 0}, {{2, y}, 0});
  auto itinerary = std::make_shared<goals::Itinerary>();
  goals::Goal goal;
  goal.radius = 1.5;
  goal.person = person;
  itinerary->goals.push_back(goal);
  itinerary->at_last = goals::AtLastGoal::stay;
  spec.itinerary = itinerary;
  spec.methods[Level::route].name = "counted";
  spec.speed = 1.8;
  return spec;
}

TEST_CASE(
    "travellers: who goes to a person plans again as that one moves on, at most once a second, and stays with them") {
  const Hall hall;
  Crowd crowd = hall.crowd();
  const AgentId leader = *crowd.add(walker({{8, 3}, 0}, {{36, 17}, 0}));
  const AgentId one = *crowd.add(towards(1, 17));
  auto there = std::make_shared<goals::Itinerary>();
  goals::Goal end;
  end.point = {{36, 17}, 0};
  there->goals.push_back(end);
  there->at_last = goals::AtLastGoal::stay;
  REQUIRE(crowd.set_goals(leader, there).ok());
  bool was_with_them = false;
  for (int i = 0; i < 400; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    was_with_them = was_with_them || crowd.activity(crowd.slot_of(one)) == Activity::waiting;
    CHECK(hall.maker->asked <= 2 + i / 10);
  }
  CHECK(was_with_them);
  CHECK(hall.maker->asked > 3);
  CHECK(distance(crowd.people().position[crowd.slot_of(one)], crowd.people().position[crowd.slot_of(leader)]) < 3.6);
  REQUIRE(crowd.remove(leader));
  REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.activity(crowd.slot_of(one)) == Activity::lost);
  CHECK(crowd.validate().empty());
}

TEST_CASE("travellers: a person as a goal is refused for who walks along a field, and beside areas") {
  const Hall hall;
  Crowd crowd = hall.crowd();
  REQUIRE(crowd.add(walker({{8, 3}, 0}, {{36, 17}, 0})).ok());
  AgentSpec spec = towards(1, 17);
  spec.methods[Level::follow].name = "flow";
  CHECK(!crowd.add(spec).ok());
  const AgentId by_route = *crowd.add(towards(1, 15));
  AgentSpec flows = towards(1, 15);
  flows.methods[Level::follow].name = "flow";
  CHECK(!crowd.set_profile(by_route, flows).ok());
  auto both = std::make_shared<goals::Itinerary>(*spec.itinerary);
  both->goals.front().areas = {0};
  CHECK(!crowd.set_goals(by_route, both).ok());
}

}  // namespace
}  // namespace throng::test
