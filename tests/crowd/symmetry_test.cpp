// Exactly symmetric situations: nobody has a reason to give way to one side rather than the other, and yet all must get past
// each other. The rule is in docs/steering.md: whoever could go either way goes right.
#include <doctest/doctest.h>

#include <cmath>

#include "environment/sketch.hpp"
#include "steering/avoider.hpp"
#include "support/crowd_simulation.hpp"

namespace throng::test {
namespace {

using crowd::Crowd;

crowd::WorldPtr square() {
  environment::Sketch sketch("square");
  sketch.walkable({environment::rectangle({-15, -15}, {15, 15}), {}});
  return make_crowd_world(std::move(sketch).take());
}

crowd::WorldPtr corridor() {
  environment::Sketch sketch("corridor");
  sketch.walkable({environment::rectangle({-15, -2}, {15, 2}), {}});
  return make_crowd_world(std::move(sketch).take());
}

void add(Crowd& crowd, Vec2 from, const std::string& avoid) {
  crowd::AgentSpec spec = walker({from, 0}, {from * -1.0, 0});
  spec.methods[agents::Level::avoid] = {avoid, {}};
  REQUIRE(crowd.add(spec).ok());
}

struct Passing {
  bool all_arrived = false;
  double time = 0;
  double first_sidestep = 0;  ///< of the first person: left is positive; 0 while it walks straight
};

Passing run(Crowd& crowd, Vec2 first_from, double longest) {
  const Vec2 ahead = first_from * (-1 / std::sqrt(squared_length(first_from)));
  Passing passing;
  while (crowd.size() > 0 && crowd.time() < longest) {
    REQUIRE(crowd.step(0.1).ok());
    if (passing.first_sidestep == 0 && crowd.size() > 0) {
      const Vec2 p = crowd.people().position[crowd.in_serial_order().front()];
      if (const double side = cross(ahead, p - first_from); std::abs(side) > 0.05) passing.first_sidestep = side;
    }
  }
  passing.all_arrived = crowd.size() == 0;
  passing.time = crowd.time();
  return passing;
}

TEST_CASE(
    "two people who meet exactly head-on get past each other, whatever they avoid with, and go right where they step "
    "aside") {
  for (const steering::Avoider* avoider : steering::avoiders()) {
    const std::string name(avoider->info().name);
    if (name == "none") continue;  // avoids nobody
    for (const bool narrow : {false, true}) {
      CAPTURE(name);
      CAPTURE(narrow);
      Crowd crowd(narrow ? corridor() : square());
      add(crowd, {-8, 0}, name);
      add(crowd, {8, 0}, name);
      const Passing passing = run(crowd, {-8, 0}, 60);
      CHECK(passing.all_arrived);
      CHECK(passing.time < 30);
      CHECK(passing.first_sidestep < 0);
    }
  }
}

TEST_CASE("four people who meet exactly at a crossing get past each other, whatever they avoid with") {
  for (const steering::Avoider* avoider : steering::avoiders()) {
    const std::string name(avoider->info().name);
    if (name == "none") continue;
    CAPTURE(name);
    Crowd crowd(square());
    for (const Vec2 from : {Vec2{-8, 0}, Vec2{8, 0}, Vec2{0, -8}, Vec2{0, 8}}) add(crowd, from, name);
    const Passing passing = run(crowd, {-8, 0}, 60);
    CHECK(passing.all_arrived);
    CHECK(passing.time < 30);
  }
}

TEST_CASE("people who stand on the very same point part, the lower serial to the right") {
  for (const steering::Avoider* avoider : steering::avoiders()) {
    const std::string name(avoider->info().name);
    CAPTURE(name);
    Crowd crowd(square());
    add(crowd, {-8, 0}, name);
    add(crowd, {-8, 0}, name);
    REQUIRE(crowd.step(0.1).ok());
    const agents::People people = crowd.people();
    CHECK(squared_length(people.position[0] - people.position[1]) > 0);
    CHECK(people.position[0].x > people.position[1].x);  // towards +x: docs/crowd.md
    const Passing passing = run(crowd, {-8, 0}, 60);
    CHECK(passing.all_arrived);
  }
}

}  // namespace
}  // namespace throng::test
