#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "crowd/methods.hpp"
#include "environment/sketch.hpp"
#include "support/crowd_simulation.hpp"

namespace throng::test {
namespace {

using crowd::AgentSpec;
using crowd::Crowd;
using crowd::Level;

crowd::WorldPtr room() {
  environment::Sketch sketch("room");
  sketch.walkable({environment::rectangle({0, 0}, {20, 20}), {}});
  return make_crowd_world(std::move(sketch).take());
}

AgentSpec standing(Vec2 at, const std::string& move, double radius = 0.24) {
  AgentSpec spec;
  spec.place = {at, 0};
  spec.radius = radius;
  spec.methods[Level::move] = {move, {}};
  spec.methods[Level::avoid] = {"none", {}};
  return spec;
}

/// Distance of two bodies 0.38 m apart after half a second.
double apart_after(double dt, const std::string& move) {
  Crowd crowd(room());
  REQUIRE(crowd.add(standing({10, 10}, move)).ok());
  REQUIRE(crowd.add(standing({10.38, 10}, move)).ok());
  for (int i = 0; i < int(std::lround(0.5 / dt)); ++i) REQUIRE(crowd.step(dt).ok());
  const auto order = crowd.in_serial_order();
  return distance(crowd.people().position[order[0]], crowd.people().position[order[1]]);
}

TEST_CASE("contact: two bodies part alike at every time step") {
  const double reference = apart_after(0.05, "careful");
  // An overlap of 0.12 m, shell included, shrinks to exp(-5) of it.
  CHECK(reference == doctest::Approx(0.5 - 0.12 * std::exp(-5)).epsilon(1e-6));
  for (const double dt : {0.01, 0.02, 0.1}) CHECK(std::abs(apart_after(dt, "careful") - reference) < 0.01);
}

TEST_CASE("contact: the heavier body gives way less") {
  Crowd crowd(room());
  REQUIRE(crowd.add(standing({10, 10}, "careful", 0.2)).ok());
  REQUIRE(crowd.add(standing({10.75, 10}, "careful", 0.6)).ok());
  REQUIRE(crowd.step(0.1).ok());
  const auto order = crowd.in_serial_order();
  const double light = 10 - crowd.people().position[order[0]].x, heavy = crowd.people().position[order[1]].x - 10.75;
  CHECK(light == doctest::Approx(3 * heavy));
}

TEST_CASE("contact: as published the force is integrated, velocity kept") {
  Crowd crowd(room());
  REQUIRE(crowd.add(standing({10, 10}, "published")).ok());
  REQUIRE(crowd.add(standing({10.38, 10}, "published")).ok());
  constexpr double dt = 0.01;
  REQUIRE(crowd.step(dt).ok());
  const auto order = crowd.in_serial_order();
  // a = S overlap / m, v = a dt, p = v dt.
  const double acceleration = 5000 * 0.1 / (320 * 0.24);
  CHECK(crowd.people().velocity[order[1]].x == doctest::Approx(acceleration * dt));
  REQUIRE(crowd.step(dt).ok());
  // The velocity of the first step relaxes towards 0 with t_r = 0.5 s, and the force acts again.
  const double second =
      acceleration * dt * (1 - dt / 0.5) + 5000 * (0.1 - 2 * acceleration * dt * dt) / (320 * 0.24) * dt;
  CHECK(crowd.people().velocity[order[1]].x == doctest::Approx(second));
}

TEST_CASE("contact: reading contacts writes nothing, and they come in order of serials") {
  Crowd crowd(room());
  for (int i = 0; i < 5; ++i) REQUIRE(crowd.add(standing({10 + 0.1 * i, 10}, "careful")).ok());
  REQUIRE(crowd.step(0.1).ok());
  const Crowd& seen = crowd;
  const auto contacts = seen.contacts();
  REQUIRE(contacts.size() == 10);
  for (std::size_t i = 1; i < contacts.size(); ++i)
    CHECK(std::pair(contacts[i - 1].first, contacts[i - 1].second) < std::pair(contacts[i].first, contacts[i].second));
  CHECK(seen.contacts().data() == contacts.data());
}

TEST_CASE("contact: a mover that holds nobody back lets bodies overlap, careful does not") {
  std::map<std::string, double> deepest;
  for (const std::string move : {"careful", "published"}) {
    Crowd crowd(room());
    AgentSpec first = walker({{5, 10}, 0}, {{15, 10}, 0}), second = walker({{15, 10}, 0}, {{5, 10}, 0});
    for (AgentSpec* spec : {&first, &second}) {
      spec->methods[Level::avoid] = {"none", {}};
      spec->methods[Level::move] = {move, {}};
      REQUIRE(crowd.add(*spec).ok());
    }
    for (int i = 0; i < 60; ++i) {
      REQUIRE(crowd.step(0.1).ok());
      for (const crowd::Contact& contact : crowd.contacts()) deepest[move] = std::max(deepest[move], contact.overlap);
    }
  }
  CHECK(deepest["careful"] < 0.01);
  CHECK(deepest["published"] > 0.05);
}

/// Metres that somebody walks along a wall in 5 s who stands with its back to the room, by published avoidance and motion.
double along_wall(double turning) {
  Crowd crowd(room());
  AgentSpec spec = standing({0.24, 5}, "published");
  spec.methods[Level::move] = {"published", {0.5, 5000, turning}};
  const agents::MethodInfo& moussaid = crowd::built_in_methods()->avoid.find("moussaid")->info();
  spec.methods[Level::avoid] = {"moussaid", agents::default_block(moussaid, true)};
  spec.heading = {-1, 0};
  auto itinerary = std::make_shared<goals::Itinerary>();
  itinerary->goals.push_back({.point = {{0.3, 18}, 0}});
  spec.itinerary = std::move(itinerary);
  REQUIRE(crowd.add(spec).ok());
  for (int i = 0; i < 50; ++i) REQUIRE(crowd.step(0.1).ok());
  return crowd.people().position[crowd.in_serial_order()[0]].y - 5;
}

TEST_CASE("motion as published: who stands and looks at a wall stays there, but for `turning`") {
  CHECK(along_wall(0) < 0.01);
  CHECK(along_wall(4) > 3);
}

}  // namespace
}  // namespace throng::test
