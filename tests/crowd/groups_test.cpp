// Groups in the crowd: one way for all, leaders that wait, members that are parted and found again, and the cases in which a group might hang.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "crowd/groups.hpp"
#include "crowd/methods.hpp"
#include "environment/sketch.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using crowd::Activity;
using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Companionship;
using crowd::Crowd;
using crowd::GroupEvent;
using crowd::GroupMode;
using crowd::GroupSpec;
using crowd::Level;
using crowd::Slot;
using environment::Sketch;

GroupSpec by(std::string_view name, bool published = false) {
  const crowd::Methods& all = *crowd::built_in_methods();
  return {{std::string(name), agents::default_block(all.group.find(name)->info(), published)}};
}

GroupSpec with(std::string_view name, std::string_view number, double value) {
  GroupSpec spec = by(name);
  const agents::MethodInfo& info = crowd::built_in_methods()->group.find(name)->info();
  spec.method.parameters[std::size_t(info.parameter(number) - info.parameters.data())] = value;
  return spec;
}

crowd::WorldPtr hall(double width = 40, double height = 20) {
  Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {width, height}), {}});
  return make_crowd_world(std::move(sketch).take());
}

/// Side by side at x, on their way to one place.
std::vector<AgentSpec> row(std::size_t count, Vec2 at, Vec2 to, double apart = 0.7) {
  std::vector<AgentSpec> specs;
  for (std::size_t i = 0; i < count; ++i) {
    specs.push_back(walker({{at.x, at.y + double(i) * apart}, 0}, {to, 0}));
    specs.back().number = std::uint32_t(i);
    specs.back().speed = 1.2 + 0.1 * double(i);
  }
  return specs;
}

/// Steps until everybody has left, or that long; seconds it took.
double walk(Crowd& crowd, double most, const std::function<void()>& look = {}) {
  while (crowd.size() > 0 && crowd.time() < most) {
    REQUIRE(crowd.step(0.1).ok());
    const Problems problems = crowd.validate();
    REQUIRE_MESSAGE(problems.empty(), to_string(problems.front()));
    if (look) look();
  }
  return crowd.time();
}

std::size_t count(const Crowd& crowd, GroupEvent::Kind kind) {
  return std::size_t(std::ranges::count(crowd.group_events(), kind, &GroupEvent::kind));
}

TEST_CASE("groups: members walk at the slowest one's speed along one route, and leave one after the other") {
  Crowd crowd(hall(), {.seed = 1, .threads = 1});
  const auto ids = crowd.add_group(row(3, {2, 9}, {38, 10}), by("sgn"));
  REQUIRE(ids.ok());
  CHECK(crowd.members_of_group(1) == *ids);
  CHECK(crowd.group_of(crowd.slot_of(ids->back())) == 1);
  for (int i = 0; i < 30; ++i) REQUIRE(crowd.step(0.1).ok());
  const auto group = crowd.group(1);
  REQUIRE(group);
  CHECK(group->mode == GroupMode::walks);
  CHECK(group->members.size() == 3);
  for (const Slot slot : group->members) {
    CHECK(crowd.people().speed[slot] == 1.2);
    CHECK(crowd.route_of(slot) == crowd.route_of(group->members.front()));
  }
  CHECK(walk(crowd, 60) < 40);
  CHECK(crowd.groups().empty());
  CHECK(crowd.size() == 0);
}

TEST_CASE("groups: a group of one is somebody alone, bit for bit") {
  const auto world = hall();
  Crowd alone(world, {.seed = 1, .threads = 1}), grouped(world, {.seed = 1, .threads = 1});
  for (int i = 0; i < 8; ++i) {
    const std::vector<AgentSpec> one = row(1, {2, 2.0 + 2 * i}, {38, 18.0 - 2 * i});
    REQUIRE(alone.add(one.front()).ok());
    REQUIRE(grouped.add_group(one, by("sgn")).ok());
  }
  CHECK(grouped.groups().empty());
  for (int i = 0; i < 200; ++i) {
    REQUIRE(alone.step(0.1).ok());
    REQUIRE(grouped.step(0.1).ok());
    for (std::size_t k = 0; k < alone.size(); ++k)
      REQUIRE(alone.people().position[alone.in_serial_order()[k]] ==
              grouped.people().position[grouped.in_serial_order()[k]]);
  }
}

TEST_CASE("groups: who is far away at the beginning comes to the leader, who waits; then they walk") {
  Crowd crowd(hall(), {.seed = 1, .threads = 1});
  std::vector<AgentSpec> specs = row(3, {10, 4}, {38, 10}, 6);
  REQUIRE(crowd.add_group(specs, by("sgn")).ok());
  bool waited = false, came = false;
  double gathered = 0;
  walk(crowd, 120, [&] {
    if (crowd.groups().empty()) return;
    const auto group = *crowd.group(1);
    if (group.mode == GroupMode::gathers) {
      waited = waited || crowd.companionship_of(group.leader) == Companionship::stands;
      CHECK(group.leader == group.members.front());
      for (const Slot slot : group.members) came = came || crowd.companionship_of(slot) == Companionship::comes;
    } else if (gathered == 0) {
      gathered = crowd.time();
      // A chain of personal spaces.
      for (const Slot slot : group.members) {
        double nearest = 99;
        for (const Slot other : group.members)
          if (other != slot)
            nearest = std::min(nearest, distance(crowd.people().position[slot], crowd.people().position[other]));
        CHECK(nearest < 1.3);
      }
    }
  });
  CHECK(waited);
  CHECK(came);
  CHECK(gathered > 3);
  CHECK(gathered < 12);
  CHECK(crowd.size() == 0);
}

TEST_CASE("groups: premovement, goals and waits are one for all, and the wait begins without who does not come") {
  Sketch sketch("hall with a pit");
  sketch.walkable({environment::rectangle({0, 0}, {40, 20}), {}});
  Crowd crowd(make_crowd_world(std::move(sketch).take()), {.seed = 1, .threads = 1});
  std::vector<AgentSpec> specs = row(3, {2, 9}, {20, 10});
  auto itinerary = std::make_shared<goals::Itinerary>(*specs.front().itinerary);
  itinerary->goals.front().wait = 5;
  itinerary->goals.front().radius = 1.5;
  itinerary->goals.push_back({{{38, 10}, 0}, 1, {}, 0});
  for (AgentSpec& spec : specs) spec.itinerary = itinerary, spec.premovement = 2;
  const auto ids = crowd.add_group(specs, with("moussaid_2010", "patience", 12));
  REQUIRE(ids.ok());
  for (int i = 0; i < 60; ++i) REQUIRE(crowd.step(0.1).ok());
  // Everybody goes at their own speed: one hardly moves on.
  AgentSpec slow = specs.back();
  slow.speed = 0.05;
  REQUIRE(crowd.set_profile(ids->back(), slow).ok());
  double parted = 0, second = 0;
  for (int i = 0; i < 3000 && second == 0; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    if (count(crowd, GroupEvent::Kind::parted) > 0) parted = crowd.time();
    if (crowd.destination_of(crowd.slot_of(ids->front())).goal == 1) second = crowd.time();
  }
  CHECK(parted > 0);
  CHECK(second > parted + 4.9);
  CHECK(second < parted + 5.2);
  CHECK(crowd.validate().empty());
}

TEST_CASE("groups: goals for one take it out, goals for the group are everybody's") {
  Crowd crowd(hall(), {.seed = 1, .threads = 1});
  const auto ids = crowd.add_group(row(3, {2, 9}, {38, 10}), by("sgn"));
  for (int i = 0; i < 20; ++i) REQUIRE(crowd.step(0.1).ok());
  REQUIRE(crowd.set_goals((*ids)[1], walker({{0, 0}, 0}, {{2, 2}, 0}).itinerary).ok());
  CHECK(crowd.members_of_group(1).size() == 2);
  CHECK(crowd.group_of(crowd.slot_of((*ids)[1])) == 0);
  REQUIRE(crowd.set_group_goals(1, walker({{0, 0}, 0}, {{2, 18}, 0}).itinerary).ok());
  CHECK_FALSE(crowd.set_group_goals(7, {}).ok());
  for (const std::size_t i : {0u, 2u})
    CHECK(crowd.destination_of(crowd.slot_of((*ids)[i])).itinerary->goals.front().point.point == Vec2{2, 18});
  REQUIRE(crowd.join((*ids)[1], (*ids)[0]).ok());
  CHECK(crowd.members_of_group(1) == *ids);
  CHECK(crowd.destination_of(crowd.slot_of((*ids)[1])).itinerary->goals.front().point.point == Vec2{2, 18});
  REQUIRE(crowd.part((*ids)[0]).ok());
  CHECK(crowd.members_of_group(1).size() == 2);
  REQUIRE(crowd.remove((*ids)[2]));
  CHECK(crowd.groups().empty());  // one is left, and walks alone
  CHECK(crowd.validate().empty());
  walk(crowd, 120);
  CHECK(crowd.size() == 0);
}

TEST_CASE("groups: what is refused, with its reason") {
  Crowd crowd(hall(), {.seed = 1, .threads = 1});
  const auto refusal = [&](const GroupSpec& spec, std::size_t size) {
    const auto made = crowd.add_group(row(size, {2, 1}, {38, 10}, 0.5), spec);
    return made.ok() ? std::string() : to_string(made.problems().front());
  };
  CHECK(refusal(GroupSpec{{"swarm", {}}}, 2).find("no method 'swarm'") != std::string::npos);
  CHECK(refusal(with("sgn", "personal_space", 0.1), 2).find("personal_space") != std::string::npos);
  CHECK(refusal(with("sgn", "social_distance", 40), 2).find("social_distance") != std::string::npos);
  CHECK(refusal(with("sgn", "view", 3), 2).find("view") != std::string::npos);
  CHECK(refusal(with("sgn", "patience", -1), 2).find("patience") != std::string::npos);
  CHECK(refusal(by("sgn"), 65).find("64") != std::string::npos);
  CHECK(crowd.size() == 0);  // nobody of those who were refused is left
  std::vector<AgentSpec> one_in_a_wall = row(2, {2, 1}, {38, 10});
  one_in_a_wall.back().place.point = {-5, -5};
  CHECK_FALSE(crowd.add_group(one_in_a_wall, by("sgn")).ok());
  CHECK(crowd.size() == 0);
  const AgentId one = *crowd.add(row(1, {2, 5}, {38, 10}).front());
  CHECK_FALSE(crowd.make_group(std::vector<AgentId>{one}, by("sgn")).ok());
  CHECK_FALSE(crowd.make_group(std::vector<AgentId>{one, one}, by("sgn")).ok());
}

/// Two halls and a wall between them, with a door of that width; 0: none.
crowd::WorldPtr door(double width) {
  Sketch sketch("door");
  sketch.walkable({environment::rectangle({0, 0}, {14, 10}), {}});
  sketch.walkable({environment::rectangle({14.2, 0}, {30, 10}), {}});
  if (width > 0) sketch.walkable({environment::rectangle({13.9, 5 - width / 2}, {14.3, 5 + width / 2}), {}});
  return make_crowd_world(std::move(sketch).take());
}

TEST_CASE("groups: nobody hangs: who is too wide for the exit is parted and lost, the others go on") {
  Crowd crowd(door(0.7), {.seed = 1, .threads = 1});
  std::vector<AgentSpec> specs = row(3, {3, 4}, {28, 5}, 1.2);
  specs[0].radius = 0.5;  // the first leader, too
  const auto ids = crowd.add_group(specs, by("sgn"));
  REQUIRE(ids.ok());
  walk(crowd, 60);
  REQUIRE(crowd.size() == 1);
  CHECK(crowd.activity(crowd.slot_of(ids->front())) == Activity::lost);
}

TEST_CASE("groups: nobody hangs: a leader that is removed in any mode, one by one") {
  for (const std::string method : {"sgn", "moussaid_2010", "formation"})
    for (const int after : {0, 5, 30, 80, 150}) {
      CAPTURE(method);
      CAPTURE(after);
      Crowd crowd(hall(), {.seed = 1, .threads = 1});
      REQUIRE(crowd.add_group(row(4, {4, 3}, {38, 10}, 4), by(method)).ok());
      for (int i = 0; i < after; ++i) REQUIRE(crowd.step(0.1).ok());
      while (!crowd.groups().empty()) {
        const auto group = *crowd.group(1);
        const Slot goes = group.leader != crowd::none ? group.leader : group.members.front();
        REQUIRE(crowd.remove(crowd.id_of(goes)));
        CHECK(crowd.validate().empty());
        for (int i = 0; i < 8; ++i) REQUIRE(crowd.step(0.1).ok());
      }
      walk(crowd, 90);
      CHECK(crowd.size() == 0);
    }
}

TEST_CASE("groups: nobody hangs: who is teleported far off, or steered away, is parted in time; the others arrive") {
  for (const bool steered : {false, true}) {
    CAPTURE(steered);
    Sketch sketch("long");
    sketch.walkable({environment::rectangle({0, 0}, {120, 6}), {}});
    Crowd crowd(make_crowd_world(std::move(sketch).take()), {.seed = 1, .threads = 1});
    const auto ids = crowd.add_group(row(3, {30, 2}, {118, 3}), by("sgn"));
    for (int i = 0; i < 100; ++i) REQUIRE(crowd.step(0.1).ok());
    // Not the leader: a leader that is steered is followed.
    const Slot leader = crowd.group(1)->leader;
    AgentId lost{};
    for (const AgentId id : *ids)
      if (crowd.slot_of(id) != leader) lost = id;
    if (steered)
      REQUIRE(crowd.steer(lost, {-1.3, 0}).ok());
    else
      REQUIRE(crowd.teleport(lost, {{1, 3}, 0}).ok());
    std::size_t left = 0;
    for (int i = 0; i < 1600 && left < 2; ++i) {
      REQUIRE(crowd.step(0.1).ok());
      left += crowd.departures().size();
      REQUIRE(crowd.validate().empty());
    }
    CHECK(left == 2);
    CHECK(crowd.time() < 10 + 88 / 1.2 + 30 + 30);
  }
}

TEST_CASE("groups: nobody hangs: a member behind a wall is parted at once where there is no way to the leader") {
  Sketch sketch("two rooms");
  sketch.walkable({environment::rectangle({0, 0}, {20, 4}), {}});
  sketch.walkable({environment::rectangle({0, 4.2}, {20, 8}), {}});
  Crowd crowd(make_crowd_world(std::move(sketch).take()), {.seed = 1, .threads = 1});
  std::vector<AgentSpec> specs = row(2, {2, 3}, {18, 3}, 0.7);
  specs.push_back(walker({{2, 5}, 0}, {{18, 3}, 0}));  // 1.3 m from the others, behind the wall
  const auto ids = crowd.add_group(specs, by("sgn"));
  REQUIRE(ids.ok());
  CHECK(walk(crowd, 40, [&] {
          if (crowd.size() < 3 && crowd.size() > 1) return;
          if (crowd.time() > 1 && crowd.holds(ids->back()))
            CHECK(crowd.activity(crowd.slot_of(ids->back())) == Activity::lost);
        }) >= 40);
  CHECK(crowd.size() == 1);
}

TEST_CASE("groups: nobody hangs: a door that closes between members, and opens again") {
  for (const std::string method : {"sgn", "formation"}) {
    CAPTURE(method);
    Crowd crowd(door(1), {.seed = 1, .threads = 1});
    std::vector<AgentSpec> specs = row(3, {9, 4.3}, {28, 5});
    specs[2].place.point = {2, 5};
    const auto ids = crowd.add_group(specs, with(method, "patience", 8));
    REQUIRE(ids.ok());
    const goals::ItineraryPtr goal = specs[0].itinerary;
    const auto change_to = [&](double width) {
      return crowd.change(door(width), {}, [&](auto, auto) { return goal; }).ok();
    };
    const auto is_through = [&](AgentId id) { return crowd.people().position[crowd.slot_of(id)].x > 14.6; };
    while (crowd.time() < 60 && !(is_through((*ids)[0]) && !is_through((*ids)[2]))) REQUIRE(crowd.step(0.1).ok());
    REQUIRE(is_through((*ids)[0]));
    REQUIRE(change_to(0));
    const double closed = crowd.time();
    while (crowd.size() > 1 && crowd.time() < closed + 60) {
      REQUIRE(crowd.step(0.1).ok());
      REQUIRE(crowd.validate().empty());
    }
    CHECK(crowd.time() < closed + 8 + 30);
    REQUIRE(crowd.holds((*ids)[2]));
    CHECK(crowd.activity(crowd.slot_of((*ids)[2])) == Activity::lost);
    REQUIRE(change_to(1));
    CHECK(walk(crowd, crowd.time() + 40) < closed + 80);
    CHECK(crowd.size() == 0);
  }
}

TEST_CASE("groups: nobody hangs: all of them are lost where there is no way to the goal, and go on to another one") {
  Crowd crowd(door(0), {.seed = 1, .threads = 1});
  const auto ids = crowd.add_group(row(3, {3, 4}, {28, 5}), by("sgn"));
  REQUIRE(ids.ok());
  walk(crowd, 10);
  REQUIRE(crowd.size() == 3);
  for (const AgentId id : *ids) CHECK(crowd.activity(crowd.slot_of(id)) == Activity::lost);
  REQUIRE(crowd.set_group_goals(1, row(1, {3, 4}, {12, 2}).front().itinerary).ok());
  CHECK(walk(crowd, 40) < 40);
}

TEST_CASE("groups: a group of 64 goes through a door of a metre, and groups meet head-on in a corridor of two") {
  {
    Crowd crowd(door(1), {.seed = 1, .threads = 2});
    std::vector<AgentSpec> specs;
    for (int i = 0; i < 64; ++i) {
      specs.push_back(walker({{1.0 + 0.7 * (i % 8), 1.0 + 0.7 * (i / 8)}, 0}, {{28, 5}, 0}));
      specs.back().speed = 1.3;
    }
    REQUIRE(crowd.add_group(specs, by("sgn")).ok());
    CHECK(walk(crowd, 300) < 300);
  }
  for (const std::string method : {"sgn", "moussaid_2010", "formation"}) {
    CAPTURE(method);
    Sketch sketch("corridor");
    sketch.walkable({environment::rectangle({0, 0}, {40, 2}), {}});
    Crowd crowd(make_crowd_world(std::move(sketch).take()), {.seed = 1, .threads = 1});
    REQUIRE(crowd.add_group(row(3, {2, 0.4}, {38, 1}, 0.6), by(method)).ok());
    REQUIRE(crowd.add_group(row(3, {38, 0.4}, {2, 1}, 0.6), by(method)).ok());
    CHECK(walk(crowd, 150) < 150);
  }
}

TEST_CASE("groups: a member that lost sight and was parted walks on alone, and is one of them once it sees one") {
  Sketch sketch("long");
  sketch.walkable({environment::rectangle({0, 0}, {160, 6}), {}});
  Crowd crowd(make_crowd_world(std::move(sketch).take()), {.seed = 1, .threads = 1});
  std::vector<AgentSpec> specs = row(3, {40, 2}, {158, 3});
  specs[2].speed = 2;  // catches up
  const auto ids = crowd.add_group(specs, with("sgn", "patience", 3));
  for (int i = 0; i < 60; ++i) REQUIRE(crowd.step(0.1).ok());
  REQUIRE(crowd.teleport(ids->back(), {{28, 3}, 0}).ok());
  double parted = 0, rejoined = 0;
  while (crowd.size() == 3 && crowd.time() < 200) {
    REQUIRE(crowd.step(0.1).ok());
    REQUIRE(crowd.validate().empty());
    if (count(crowd, GroupEvent::Kind::parted) > 0) parted = crowd.time();
    const bool is_back = count(crowd, GroupEvent::Kind::rejoined) > 0;
    if (parted > 0 && rejoined == 0 && !is_back)
      CHECK(crowd.companionship_of(crowd.slot_of(ids->back())) == Companionship::parted);
    if (is_back) {
      rejoined = crowd.time();
      CHECK(crowd.companionship_of(crowd.slot_of(ids->back())) == Companionship::walks);
      CHECK(crowd.members_with(ids->front()).size() == 3);
    }
  }
  CHECK(parted > 6);
  CHECK(rejoined > parted + 5);
}

TEST_CASE("groups: companions follow a leader that is steered, within five metres, round a block") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    Sketch sketch("block");
    sketch.walkable({environment::rectangle({0, 0}, {40, 40}), {}});
    sketch.obstacle({environment::rectangle({10, 10}, {30, 30}), {}});
    Crowd crowd(make_crowd_world(std::move(sketch).take()), {.seed = seed, .threads = 1});
    std::vector<AgentSpec> specs = row(4, {5, 4}, {5, 5});
    for (AgentSpec& spec : specs) spec.itinerary = nullptr, spec.speed = 1.5;
    const auto ids = crowd.add_group(specs, by("sgn"));
    REQUIRE(crowd.step(0.1).ok());
    const std::array<Vec2, 5> corners{{{35, 5}, {35, 35}, {5, 35}, {5, 5}, {5, 5}}};
    std::size_t next = 0;
    double farthest = 0;
    while (next < 4 && crowd.time() < 300) {
      const Slot leader = crowd.slot_of(ids->front());
      const Vec2 way = corners[next] - crowd.people().position[leader];
      if (length(way) < 0.5) ++next;
      REQUIRE(crowd.steer(ids->front(), length(way) > 0 ? way * (1.2 / length(way)) : Vec2{}).ok());
      REQUIRE(crowd.step(0.1).ok());
      REQUIRE(crowd.validate().empty());
      for (const AgentId id : *ids)
        farthest = std::max(farthest, distance(crowd.people().position[crowd.slot_of(id)],
                                               crowd.people().position[crowd.slot_of(ids->front())]));
    }
    CHECK(next == 4);
    CHECK(farthest < 5);
    REQUIRE(crowd.release(ids->front()).ok());
    for (int i = 0; i < 20; ++i) REQUIRE(crowd.step(0.1).ok());
    CHECK(crowd.group(1)->mode != GroupMode::follows);
  }
}

/// Groups of 1 to 5 of all methods among people alone, in a world with pillars.
std::unique_ptr<CrowdSimulation> mixed(std::uint64_t seed, unsigned threads, int count = 24) {
  Sketch sketch("pillars");
  sketch.walkable({environment::rectangle({0, 0}, {30, 24}), {}});
  for (int i = 0; i < 4; ++i)
    sketch.obstacle({environment::rectangle({6.0 + 5 * i, 9}, {7.0 + 5 * i, 14 - double(i)}), {}});
  auto crowd = std::make_unique<Crowd>(make_crowd_world(std::move(sketch).take()),
                                       crowd::CrowdOptions{.seed = seed, .threads = threads});
  Random random(seed);
  const std::array<std::string, 3> methods{"sgn", "moussaid_2010", "formation"};
  const std::array<std::string, 6> avoid{"moussaid",   "moussaid_jaklin", "orca",
                                         "karamouzas", "sampling",        "social_force"};
  for (int g = 0; g < count; ++g) {
    const std::size_t size = 1 + random.below(5);
    const Vec2 at{random.uniform(1, 28), random.uniform(1, 6)}, to{random.uniform(1, 28), random.uniform(17, 23)};
    std::vector<AgentSpec> specs;
    for (std::size_t i = 0; i < size; ++i) {
      specs.push_back(walker({at + Vec2{0.5 * double(i % 3) - 0.5, 0.5 * double(i / 3)}, 0}, {to, 0}));
      if (g % 2 == 1)
        std::swap(specs.back().place.point.y, specs.back().heading.y),
            specs.back().heading = {1, 0},
            specs.back().place.point = {specs.front().place.point.x + 0.5 * double(i % 3), 22 - 0.5 * double(i / 3)};
      specs.back().itinerary = walker({{0, 0}, 0}, {g % 2 == 1 ? Vec2{to.x, 2} : to, 0}).itinerary;
      specs.back().radius = random.uniform(0.2, 0.26);
      specs.back().speed = random.uniform(0.9, 1.7);
      specs.back().number = std::uint32_t(10 * g) + std::uint32_t(i);
      specs.back().methods[Level::avoid].name = avoid[random.below(avoid.size())];
      if (g % 5 == 4) specs.back().methods[Level::coordinate].name = "view";
      if (g % 4 == 3) specs.back().methods[Level::follow].name = "flow";
    }
    bool fits = true;
    for (const AgentSpec& spec : specs) fits = fits && crowd->is_free(spec.place, spec.radius);
    if (fits) REQUIRE(crowd->add_group(specs, by(methods[std::size_t(g) % 3])).ok());
  }
  return std::make_unique<CrowdSimulation>(std::move(crowd), 0.1);
}

TEST_CASE("groups: one seed, one result on any number of threads; nobody enters a wall") {
  CHECK(complaints_of(check_determinism([](std::uint64_t seed, unsigned threads) { return mixed(seed, threads); },
                                        {.steps = 120})) == "");
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const auto simulation = mixed(seed, 2);
    const auto& clean = simulation->crowd().world().environment;
    Watched watched(*simulation);
    CHECK(complaints_of(check_hard_walls(watched, clean, 250)) == "");
    CHECK(complaints_of(check_life(watched.people(), watched.walked(), 20, 8)) == "");
  }
}

TEST_CASE("groups: snapshots hold them in every mode, with parted members and ways to leaders") {
  std::set<GroupMode> modes;
  std::set<Companionship> did;
  for (const int after : {0, 3, 12, 40, 90, 140, 200}) {
    CAPTURE(after);
    const auto build = [](unsigned threads) {
      Sketch sketch("long");
      sketch.walkable({environment::rectangle({0, 0}, {90, 12}), {}});
      sketch.obstacle({environment::rectangle({20, 4}, {21, 8}), {}});
      return Crowd(make_crowd_world(std::move(sketch).take()), {.seed = 3, .threads = threads});
    };
    Crowd whole = build(1);
    const auto first = whole.add_group(row(4, {19, 1}, {88, 6}, 3), with("sgn", "patience", 4));
    const auto second = whole.add_group(row(3, {3, 2}, {88, 3}), by("formation"));
    REQUIRE(whole.add_group(row(2, {2, 8}, {88, 9}), by("moussaid_2010")).ok());
    REQUIRE(first.ok());
    REQUIRE(second.ok());
    for (int i = 0; i < after; ++i) {
      if (i == 30) REQUIRE(whole.teleport(first->back(), {{1, 1}, 0}).ok());
      if (i == 150) REQUIRE(whole.steer(whole.id_of(whole.group(2)->leader), {0, 0.3}).ok());
      REQUIRE(whole.step(0.1).ok());
    }
    for (const std::uint64_t serial : whole.groups()) modes.insert(whole.group(serial)->mode);
    for (const Slot slot : whole.in_serial_order()) did.insert(whole.companionship_of(slot));
    geometry::ArchiveWriter bytes;
    whole.save(bytes);
    Crowd resumed = build(3);
    geometry::ArchiveReader reader(bytes.bytes());
    const auto loaded = resumed.load(reader);
    REQUIRE_MESSAGE(loaded.ok(), to_string(loaded.problems().front()));
    CHECK(reader.at_end());
    CHECK(resumed.groups() == whole.groups());
    for (int i = 0; i < 250; ++i) {
      REQUIRE(whole.step(0.1).ok());
      REQUIRE(resumed.step(0.1).ok());
      REQUIRE(whole.size() == resumed.size());
      for (std::size_t k = 0; k < whole.size(); ++k)
        REQUIRE(whole.people().position[whole.in_serial_order()[k]] ==
                resumed.people().position[resumed.in_serial_order()[k]]);
    }
    // Every byte of it that is damaged is refused or harmless.
    for (std::size_t at = 0; at < bytes.bytes().size(); at += 97) {
      std::string damaged = bytes.bytes();
      damaged[at] = char(damaged[at] ^ 0x55);
      Crowd other = build(1);
      geometry::ArchiveReader bad(damaged);
      if (other.load(bad).ok()) CHECK(other.step(0.1).ok());
    }
  }
  CHECK(modes == std::set<GroupMode>{GroupMode::gathers, GroupMode::walks, GroupMode::follows});
  CHECK(did.contains(Companionship::comes));
  CHECK(did.contains(Companionship::stands));
  CHECK(did.contains(Companionship::parted));
}

TEST_CASE("groups: a closed room elsewhere changes nobody's bits") {
  const auto build = [](bool others) {
    Sketch sketch("two rooms");
    sketch.walkable({environment::rectangle({0, 0}, {30, 10}), {}});
    sketch.walkable({environment::rectangle({0, 10.5}, {30, 20}), {}});
    auto crowd = std::make_unique<Crowd>(make_crowd_world(std::move(sketch).take()),
                                         crowd::CrowdOptions{.seed = 3, .threads = 1});
    for (int i = 0; i < 3; ++i)
      REQUIRE(
          crowd->add_group(row(3, {2 + 3.0 * i, 2 + 2.0 * i}, {28, 5}, 0.8), by(i == 1 ? "formation" : "sgn")).ok());
    if (others)
      for (int i = 0; i < 3; ++i)
        REQUIRE(crowd->add_group(row(3, {2 + 3.0 * i, 11 + 2.0 * i}, {28, 15}, 0.8), by("sgn")).ok());
    return crowd;
  };
  const auto alone = build(false), with_others = build(true);
  for (int i = 0; i < 250; ++i) {
    REQUIRE(alone->step(0.1).ok());
    REQUIRE(with_others->step(0.1).ok());
    for (const Slot slot : alone->in_serial_order()) {
      const std::uint64_t serial = alone->people().serial[slot];
      for (const Slot other : with_others->in_serial_order())
        if (with_others->people().serial[other] == serial)
          REQUIRE(alone->people().position[slot] == with_others->people().position[other]);
    }
  }
}

TEST_CASE("groups: on two storeys, one above the other, members are not together") {
  Sketch sketch("storeys", {{"ground", {}}, {"up", {}}});
  sketch.walkable({environment::rectangle({0, 0}, {40, 4}), {}});
  sketch.walkable({environment::rectangle({0, 0}, {40, 4}), {}}, 1);
  Crowd crowd(make_crowd_world(std::move(sketch).take()), {.seed = 1, .threads = 1});
  std::vector<AgentSpec> specs = row(3, {3, 1}, {38, 2});
  specs[1].place.layer = 1;
  const auto ids = crowd.add_group(specs, by("sgn"));
  REQUIRE(ids.ok());
  for (int i = 0; i < 10; ++i) REQUIRE(crowd.step(0.1).ok());
  // There is no way from one to the other: parted at once, and lost.
  CHECK(crowd.companionship_of(crowd.slot_of((*ids)[1])) == Companionship::parted);
  CHECK(crowd.activity(crowd.slot_of((*ids)[1])) == Activity::lost);
  CHECK(crowd.group(1)->mode == GroupMode::walks);
  walk(crowd, 60);
  CHECK(crowd.size() == 1);
}

}  // namespace
}  // namespace throng::test
