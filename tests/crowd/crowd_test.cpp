#include "crowd/crowd.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "environment/generate/random_scenes.hpp"
#include "environment/sketch.hpp"
#include "steering/avoider.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using crowd::Activity;
using crowd::AgentId;
using crowd::AgentSpec;
using crowd::Crowd;
using crowd::CrowdOptions;
using crowd::WorldPtr;

/// A hall of 30 x 12 m with two pillars, and an area at either end.
WorldPtr hall() {
  environment::Sketch sketch("hall");
  sketch.walkable({environment::rectangle({0, 0}, {30, 12}), {}});
  sketch.obstacle({environment::rectangle({10, 4}, {12, 8}), {}});
  sketch.obstacle({environment::rectangle({19, 0}, {20, 5}), {}});
  sketch.area("west", environment::rectangle({0, 0}, {3, 12}));
  sketch.area("east", environment::rectangle({27, 0}, {30, 12}));
  return make_crowd_world(std::move(sketch).take());
}

goals::ItineraryPtr itinerary(std::vector<goals::Goal> goals, goals::AtLastGoal at_last = goals::AtLastGoal::leave) {
  return std::make_shared<goals::Itinerary>(goals::Itinerary{std::move(goals), at_last});
}

std::vector<std::string> all_avoidance() {
  std::vector<std::string> names;
  for (const steering::Avoider* avoider : steering::avoiders()) names.emplace_back(avoider->info().name);
  return names;
}

/// Steps until nobody is left, or the time is over.
double run_until_empty(Crowd& crowd, double dt, double longest) {
  while (crowd.size() > 0 && crowd.time() < longest) REQUIRE(crowd.step(dt).ok());
  return crowd.time();
}

TEST_CASE("somebody walks to a goal at their own speed and leaves") {
  Crowd crowd(hall());
  AgentSpec spec = walker({{1, 2}, 0}, {{29, 2.5}, 0});
  const Result<AgentId> id = crowd.add(spec);
  REQUIRE(id.ok());
  const double time = run_until_empty(crowd, 0.1, 100);
  CHECK(crowd.size() == 0);
  CHECK(!crowd.holds(*id));
  CHECK(time > 27.5 / 1.34);
  CHECK(time < 1.15 * 29 / 1.34 + 1);
}

TEST_CASE("premovement, waiting, several goals and staying") {
  Crowd crowd(hall());
  const auto west = crowd.add_area(*goals::Area::named(crowd.world().environment, "west"));
  const auto east = crowd.add_area(*goals::Area::named(crowd.world().environment, "east"));
  AgentSpec spec = walker({{5, 2}, 0}, {{8, 2}, 0});
  spec.premovement = 3;
  spec.itinerary = itinerary({{{{8, 2}, 0}, 0.5, {}, 5}, {{}, 0.5, {west, east}, 0}}, goals::AtLastGoal::stay);
  const AgentId id = *crowd.add(spec);
  const auto activity = [&] { return crowd.activity(crowd.slot_of(id)); };
  for (int i = 0; i < 29; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(activity() == Activity::before);
  CHECK(crowd.people().position[crowd.slot_of(id)] == Vec2{5, 2});
  double waited = 0;
  for (int i = 0; i < 300 && activity() != Activity::arrived; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    waited += activity() == Activity::waiting ? 0.1 : 0;
  }
  CHECK(waited == doctest::Approx(5).epsilon(0.03));
  CHECK(activity() == Activity::arrived);
  // West is nearer than east.
  CHECK(crowd.people().position[crowd.slot_of(id)].x < 3.01);
}

TEST_CASE("people can be moved, redirected, changed and steered while running") {
  Crowd crowd(hall());
  const AgentId id = *crowd.add(walker({{2, 2}, 0}, {{29, 10}, 0}));
  const auto position = [&] { return crowd.people().position[crowd.slot_of(id)]; };
  for (int i = 0; i < 20; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(position().x > 3);
  REQUIRE(crowd.teleport(id, {{15, 10}, 0}).ok());
  CHECK(position() == Vec2{15, 10});
  REQUIRE(crowd.set_goals(id, itinerary({{{{15, 2}, 0}, 0.5, {}, 0}})).ok());
  for (int i = 0; i < 20; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(position().y < 9);
  CHECK(std::abs(position().x - 15) < 0.5);
  REQUIRE(crowd.steer(id, {-1, 0}).ok());
  for (int i = 0; i < 30; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(position().x < 13.5);
  AgentSpec fast = walker({}, {});
  fast.speed = 2;
  fast.methods[agents::Level::avoid] = {"none", {}};
  REQUIRE(crowd.set_profile(id, fast).ok());
  REQUIRE(crowd.release(id).ok());
  run_until_empty(crowd, 0.1, 60);
  CHECK(crowd.size() == 0);
  CHECK(!crowd.steer(id, {1, 0}).ok());
  CHECK(!crowd.remove(id));
}

TEST_CASE("ids and serials are never used for somebody else") {
  Crowd crowd(hall());
  const AgentId first = *crowd.add(walker({{2, 2}, 0}, {{29, 10}, 0}));
  CHECK(crowd.remove(first));
  const AgentId second = *crowd.add(walker({{2, 2}, 0}, {{29, 10}, 0}));
  CHECK(!crowd.holds(first));
  CHECK(crowd.holds(second));
  CHECK(first != second);
  CHECK(crowd.people().serial[crowd.slot_of(second)] == 2);
}

TEST_CASE("nonsense is refused with a reason and changes nothing") {
  Crowd crowd(hall());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const AgentSpec good = walker({{2, 2}, 0}, {{29, 10}, 0});
  const auto refuses = [&](auto change) {
    AgentSpec spec = good;
    change(spec);
    const Result<AgentId> id = crowd.add(spec);
    return !id.ok() && !id.problems().front().message.empty();
  };
  CHECK(refuses([&](AgentSpec& s) { s.place.point.x = nan; }));
  CHECK(refuses([](AgentSpec& s) { s.place.point = {11, 6}; }));   // in a pillar
  CHECK(refuses([](AgentSpec& s) { s.place.point = {0.1, 2}; }));  // in a wall
  CHECK(refuses([](AgentSpec& s) { s.place.point = {1e300, 2}; }));
  CHECK(refuses([](AgentSpec& s) { s.place.layer = 7; }));
  CHECK(refuses([&](AgentSpec& s) { s.radius = nan; }));
  CHECK(refuses([](AgentSpec& s) { s.radius = 0; }));
  CHECK(refuses([](AgentSpec& s) { s.speed = -1; }));
  CHECK(refuses([&](AgentSpec& s) { s.premovement = nan; }));
  CHECK(refuses([](AgentSpec& s) { s.heading = {0, 0}; }));
  CHECK(refuses([](AgentSpec& s) { s.methods[agents::Level::follow].name = "teleport"; }));
  CHECK(refuses([](AgentSpec& s) { s.methods[agents::Level::avoid].name = "magic"; }));
  CHECK(refuses([](AgentSpec& s) { s.methods[agents::Level::follow].parameters = {1, 2, 3, 4, 5, 6, 7, 8, 9}; }));
  CHECK(refuses([](AgentSpec& s) { s.weights = {-1}; }));
  CHECK(refuses([](AgentSpec& s) { s.itinerary = itinerary({{{}, 0.5, {4}, 0}}); }));
  CHECK(refuses([&](AgentSpec& s) { s.itinerary = itinerary({{{{nan, 0}, 0}, 0.5, {}, 0}}); }));
  CHECK(crowd.size() == 0);
  CHECK(!crowd.step(0).ok());
  CHECK(!crowd.step(-1).ok());
  CHECK(!crowd.step(nan).ok());
  CHECK(crowd.step_count() == 0);
  CHECK(crowd.step(0.1).ok());  // an empty crowd steps
}

TEST_CASE("somebody who cannot reach the goal is lost, and stands") {
  environment::Sketch sketch("two rooms");
  sketch.walkable({environment::rectangle({0, 0}, {5, 5}), {}});
  sketch.walkable({environment::rectangle({6, 0}, {11, 5}), {}});
  Crowd crowd(make_crowd_world(std::move(sketch).take()));
  const AgentId id = *crowd.add(walker({{2, 2}, 0}, {{8, 2}, 0}));
  for (int i = 0; i < 10; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(crowd.activity(crowd.slot_of(id)) == Activity::lost);
  CHECK(crowd.people().position[crowd.slot_of(id)] == Vec2{2, 2});
}

TEST_CASE("people who overlap push each other apart, in the layer they share only") {
  Crowd crowd(hall());
  AgentSpec standing = walker({{5, 6}, 0}, {});
  standing.itinerary = nullptr;
  REQUIRE(crowd.add(standing).ok());
  standing.place.point = {5.2, 6};
  REQUIRE(crowd.add(standing).ok());
  standing.place.point = {5.2, 6};  // the very same point
  REQUIRE(crowd.add(standing).ok());
  for (int i = 0; i < 100; ++i) REQUIRE(crowd.step(0.1).ok());
  for (const crowd::Contact& contact : crowd.contacts()) CHECK(contact.overlap < 0.01);
}

TEST_CASE("contacts are the pairs that overlapped at the start of the step, by serials") {
  Crowd crowd(hall());
  Random random(test_seed());
  AgentSpec standing = walker({}, {});
  standing.itinerary = nullptr;
  while (crowd.size() < 400) {
    standing.place = {{random.uniform(2, 14), random.uniform(2, 10)}, 0};
    static_cast<void>(crowd.add(standing));
  }
  std::size_t pairs = 0;
  for (int step = 0; step < 20; ++step) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> expected, listed;
    const agents::People people = crowd.people();
    for (const crowd::Slot a : crowd.in_serial_order())
      for (const crowd::Slot b : crowd.in_serial_order()) {
        const double radii = people.radius[a] + people.radius[b];
        const double apart = std::sqrt(squared_length(people.position[a] - people.position[b]));
        if (people.serial[a] < people.serial[b] && apart < radii - 1e-12)
          expected.emplace_back(people.serial[a], people.serial[b]);
      }
    REQUIRE(crowd.step(0.1).ok());
    for (const crowd::Contact& contact : crowd.contacts())
      if (contact.overlap > 1e-12) listed.emplace_back(contact.first, contact.second);
    CHECK(listed == expected);
    pairs += listed.size();
  }
  CHECK(pairs > 400);
}

/// Whether a disc would stand here without touching anybody, asked of everybody.
bool nobody_touches(const Crowd& crowd, Vec2 p, double radius) {
  const agents::People people = crowd.people();
  for (const crowd::Slot slot : crowd.in_serial_order())
    if (length(people.position[slot] - p) < radius + people.radius[slot]) return false;
  return true;
}

TEST_CASE("a place is free if nobody is there, also just after people came, moved, were moved, grew or left") {
  const std::uint64_t seed = test_seed();
  CAPTURE(seed);
  Random random(seed);
  bool contact = true;
  SUBCASE("who push each other") {}
  // Then nothing is sorted into a grid anew while nobody comes or goes.
  SUBCASE("who neither push nor look at anybody") { contact = false; }
  CAPTURE(contact);
  Crowd crowd(hall(), {.contact = contact});
  const auto anywhere = [&] { return navmesh::Place{{random.uniform(0.5, 29.5), random.uniform(0.5, 11.5)}, 0}; };
  std::vector<AgentId> ids;
  int taken = 0, asked = 0;
  for (int i = 0; i < 400; ++i) {
    AgentSpec spec = walker(anywhere(), anywhere());
    if (!contact) spec.methods[agents::Level::avoid] = {"none", {}};
    const Result<AgentId> id = crowd.add(spec);
    if (id.ok()) ids.push_back(*id);
    if (!ids.empty() && i % 5 == 0) static_cast<void>(crowd.teleport(ids[random.below(ids.size())], anywhere()));
    if (!ids.empty() && i % 7 == 0) crowd.remove(ids[random.below(ids.size())]);
    if (!ids.empty() && i % 11 == 0) {
      AgentSpec wide = walker({}, {});
      wide.radius = 0.45;
      wide.methods[agents::Level::avoid] = spec.methods[agents::Level::avoid];
      static_cast<void>(crowd.set_profile(ids[random.below(ids.size())], wide));
    }
    const int steps = i % 3 == 0 ? (contact ? 1 : 4) : 0;
    for (int step = 0; step < steps; ++step) REQUIRE(crowd.step(i % 2 == 0 ? 0.1 : 0.5).ok());
    for (int k = 0; k < 20; ++k) {
      const navmesh::Place place = anywhere();
      const navmesh::Located at = navmesh::locate(*crowd.world().mesh, place);
      if (!at || at.clearance < 0.25) continue;
      const bool free = nobody_touches(crowd, place.point, 0.25);
      REQUIRE(crowd.is_free(place, 0.25) == free);
      ++asked;
      taken += free ? 0 : 1;
    }
  }
  CHECK(asked > 5000);
  CHECK(taken > asked / 40);
}

TEST_CASE("people who stand take some hundred bytes each, and memory is not taken in advance") {
  Crowd crowd(hall());
  AgentSpec spec = walker({}, {});
  spec.itinerary = nullptr;
  Random random(test_seed());
  while (crowd.size() < 2000) {
    spec.place = {{random.uniform(0.5, 29.5), random.uniform(0.5, 11.5)}, 0};
    static_cast<void>(crowd.add(spec));
  }
  const std::size_t columns = crowd.bytes() / crowd.size();
  CHECK(columns > 200);
  CHECK(columns < 550);
}

TEST_CASE("planning is spread over steps by a budget, and nobody is forgotten") {
  CrowdOptions options;
  options.planning_budget = 1;
  Crowd crowd(hall(), options);
  for (int i = 0; i < 300; ++i) REQUIRE(crowd.add(walker({{4 + 0.01 * i, 2}, 0}, {{29, 10}, 0})).ok());
  const auto planning = [&] {
    std::size_t count = 0;
    for (const crowd::Slot slot : crowd.in_serial_order()) count += crowd.activity(slot) == Activity::planning;
    return count;
  };
  REQUIRE(crowd.step(0.1).ok());
  CHECK(planning() > 200);
  for (int i = 0; i < 5; ++i) REQUIRE(crowd.step(0.1).ok());
  CHECK(planning() == 0);
}

SimulationFactory strewn(const WorldPtr& world, std::size_t count, std::vector<std::string> avoidance, double dt,
                         bool contact = true, std::vector<std::string> streams = {}) {
  return [=](std::uint64_t seed, unsigned threads) {
    auto crowd = std::make_unique<Crowd>(world, CrowdOptions{.seed = seed, .threads = threads, .contact = contact});
    strew_people(*crowd, seed, count, avoidance, streams);
    return std::make_unique<CrowdSimulation>(std::move(crowd), dt);
  };
}

TEST_CASE("same seed, same bits: every method and their mixture, any number of threads") {
  const WorldPtr world = hall();
  for (const std::string& method : all_avoidance()) {
    INFO(method);
    CHECK(complaints_of(check_determinism(strewn(world, 200, {method}, 0.1), {.steps = 40})) == "");
  }
  CHECK(complaints_of(check_determinism(strewn(world, 300, all_avoidance(), 0.1), {.steps = 60})) == "");
}

TEST_CASE("nobody through a wall: every method, crowded, in steps short and long") {
  const WorldPtr world = hall();
  for (const double dt : {0.1, 0.5}) {
    const auto simulation = strewn(world, 600, all_avoidance(), dt)(3, 2);
    CHECK(complaints_of(check_hard_walls(*simulation, world->environment, 80)) == "");
  }
}

TEST_CASE("without contact people walk through each other at their own speed, and walls stay hard") {
  const WorldPtr world = hall();
  for (const bool contact : {true, false}) {
    CAPTURE(contact);
    Crowd crowd(world, {.contact = contact});
    for (const auto& [from, to] : {std::pair<Vec2, Vec2>{{1, 2}, {18, 2}}, {{18, 2}, {1, 2}}}) {
      AgentSpec spec = walker({from, 0}, {to, 0});
      spec.methods[agents::Level::avoid].name = "none";
      REQUIRE(crowd.add(spec).ok());
    }
    double nearest = 100;
    std::size_t contacts = 0;
    while (crowd.size() > 0 && crowd.time() < 20) {
      REQUIRE(crowd.step(0.1).ok());
      contacts += crowd.contacts().size();
      const agents::People people = crowd.people();
      if (crowd.size() == 2) nearest = std::min(nearest, length(people.position[0] - people.position[1]));
    }
    // With bodies they stand before each other for ever.
    CHECK(crowd.size() == (contact ? 2 : 0));
    CHECK((nearest < 0.2) == !contact);
    if (!contact) CHECK(contacts == 0);
  }

  const SimulationFactory ghosts = strewn(world, 400, all_avoidance(), 0.1, false);
  CHECK(complaints_of(check_determinism(ghosts, {.steps = 40})) == "");
  CHECK(complaints_of(check_hard_walls(*ghosts(5, 2), world->environment, 80)) == "");
}

void check_random_scenarios(int count, int steps) {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  std::size_t people = 0;
  double walked = 0;
  for (int i = 0; i < count; ++i) {
    const environment::SceneKind kind =
        environment::all_scene_kinds[std::size_t(i) % std::size(environment::all_scene_kinds)];
    const std::uint64_t scene_seed = random.next();
    INFO("scene " << name_of(kind) << " seed " << scene_seed);
    const WorldPtr world = make_crowd_world(environment::random_scene(scene_seed, kind));
    const double dt = random.chance(0.3) ? 0.5 : random.chance(0.5) ? 0.1 : 0.02;
    // Every fourth goes with nobody, the others by each measure of density.
    const std::vector<std::string> streams{"", "view", "cells", "grid"};
    const auto simulation = strewn(world, 20 + random.below(120), all_avoidance(), dt, true, streams)(random.next(), 2);
    Watched watched(*simulation);
    CHECK(complaints_of(check_hard_walls(watched, world->environment, steps)) == "");
    people += watched.people();
    walked += watched.walked();
  }
  // In small worlds few find room, but on the whole there are crowds, and they walk.
  CHECK(complaints_of(check_life(people, walked, std::size_t(count) * 10, 0.5)) == "");
}

TEST_CASE("nobody through a wall in random worlds") { check_random_scenarios(16, 30); }

TEST_CASE("long: nobody through a wall in a thousand random worlds") { check_random_scenarios(1000, 120); }

/// People all over the hall who walk to and fro; `strangers` come first and leave before anybody walks, so that slots are mixed up.
std::vector<Vec2> mingle(int strangers, int steps) {
  Crowd crowd(hall());
  std::vector<AgentId> gone;
  for (int i = 0; i < strangers; ++i) gone.push_back(*crowd.add(walker({{1.0 + i * 0.5, 11}, 0}, {{5, 2}, 0})));
  for (int i = 0; i < strangers; i += 2) CHECK(crowd.remove(gone[std::size_t(i)]));
  for (int i = 1; i < strangers; i += 2) CHECK(crowd.remove(gone[std::size_t(i)]));
  std::vector<AgentId> here;
  for (int i = 0; i < 60; ++i) {
    const double x = 1 + (i * 7 % 20) * 0.45, y = 1 + (i * 3 % 12) * 0.8;
    AgentSpec spec = walker({{x, y}, 0}, {{28, 11 - y}, 0});
    spec.speed = 1 + 0.01 * i;
    here.push_back(*crowd.add(spec));
  }
  const auto before = std::uint64_t(strangers);
  for (int i = 0; i < steps; ++i) {
    REQUIRE(crowd.step(0.1).ok());
    REQUIRE(crowd.validate().empty());
  }
  std::vector<Vec2> places;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (!crowd.holds(here[i])) continue;
    const crowd::Slot slot = crowd.slot_of(here[i]);
    CHECK(crowd.people().serial[slot] == before + i + 1);
    CHECK(crowd.id_of(slot) == here[i]);
    places.push_back(crowd.people().position[slot]);
  }
  return places;
}

TEST_CASE("where people are in memory changes nothing, and ids outlive it") {
  const std::vector<Vec2> plain = mingle(0, 100);
  CHECK(plain.size() > 40);
  CHECK(mingle(17, 100) == plain);
  CHECK(mingle(40, 100) == plain);
}

}  // namespace
}  // namespace throng::test
