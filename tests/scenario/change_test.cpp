// A run that is changed while it goes on: obstacles come and go, goals move, people are added.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "samples.hpp"
#include "scenario/simulation.hpp"

using namespace throng;
using namespace throng::scenario;
using namespace throng::scenario::test;

namespace {

/// The corridor with one feature more.
std::string corridor_with(const std::string& feature) {
  std::string text = corridor;
  text.insert(text.rfind("\n]}"), ",\n" + feature);
  return text;
}

std::string box(const std::string& properties, double x0, double y0, double x1, double y1) {
  return fmt::format(R"({{"type":"Feature","properties":{{{0}}},"geometry":{{"type":"Polygon","coordinates":[[)"
                     "[{1},{2}],[{3},{2}],[{3},{4}],[{1},{4}],[{1},{2}]]]}}}}",
                     properties, x0, y0, x1, y1);
}

const std::string walkers = in_corridor(
    R"("duration":120,"populations":[{"name":"walkers","count":30,"start":{"area":"west"},"goals":[{"area":"east"}]}])");

Scenario scenario_of(const std::string& text, const std::string& environment = corridor) {
  Result<Scenario> scenario = read(text, {{"corridor.geojson", environment}});
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  for (ProfileSpec& profile : scenario->profiles)
    profile.methods[agents::Level::follow].parameters = {}, profile.methods[agents::Level::avoid].parameters = {};
  return std::move(scenario).value();
}

Simulation running(const std::string& text, int steps) {
  Result<Simulation> simulation = Simulation::make(scenario_of(text), {.threads = 1});
  REQUIRE_MESSAGE(simulation.ok(), to_string(simulation.problems().front()));
  for (int i = 0; i < steps; ++i) REQUIRE(simulation->step().ok());
  return std::move(simulation).value();
}

std::vector<Vec2> places(const Simulation& simulation) {
  std::vector<Vec2> all;
  for (const crowd::Slot slot : simulation.crowd().in_serial_order())
    all.push_back(simulation.crowd().people().position[slot]);
  return all;
}

TEST_CASE("people walk round an obstacle that is dropped before them, and straight again once it is gone") {
  Simulation simulation = running(walkers, 40);
  const std::string dropped = corridor_with(box(R"("kind":"obstacle")", 26, 0.5, 28, 9.2));
  const Result<std::size_t> aside = simulation.change(scenario_of(walkers, dropped));
  REQUIRE_MESSAGE(aside.ok(), to_string(aside.problems().front()));
  CHECK(*aside == 0);
  CHECK(simulation.crowd().size() == 30);
  CHECK(simulation.crowd().step_count() == 40);
  for (int i = 0; i < 250 && simulation.crowd().size() > 0; ++i) {
    REQUIRE(simulation.step().ok());
    if (i <= 150)
      for (const Vec2 p : places(simulation)) REQUIRE(!(p.x > 26 && p.x < 28 && p.y > 0.5 && p.y < 9.2));
    REQUIRE(simulation.crowd().validate().empty());
    if (i == 150) REQUIRE(simulation.change(scenario_of(walkers)).ok());
  }
  while (!simulation.finished()) REQUIRE(simulation.step().ok());
  CHECK(simulation.crowd().size() == 0);
}

TEST_CASE("who stands where an obstacle is dropped steps aside") {
  Simulation simulation = running(walkers, 20);
  const Vec2 p = places(simulation).front();
  const std::string dropped = corridor_with(box(R"("kind":"obstacle")", p.x - 0.4, p.y - 0.4, p.x + 0.4, p.y + 0.4));
  const Result<std::size_t> aside = simulation.change(scenario_of(walkers, dropped));
  REQUIRE_MESSAGE(aside.ok(), to_string(aside.problems().front()));
  CHECK(*aside >= 1);
  CHECK(simulation.crowd().validate().empty());
  CHECK(squared_length(places(simulation).front() - p) < 4);
  while (!simulation.finished()) REQUIRE(simulation.step().ok());
  CHECK(simulation.crowd().size() == 0);
}

TEST_CASE("a change that leaves somebody no room is refused, and the run goes on as if nothing had been asked") {
  Simulation simulation = running(walkers, 20), untouched = running(walkers, 20);
  const std::string filled = corridor_with(box(R"("kind":"obstacle")", -1, -1, 20, 11));
  const Result<std::size_t> aside = simulation.change(scenario_of(walkers, filled));
  CHECK(!aside.ok());
  while (!simulation.finished()) {
    REQUIRE(simulation.step().ok());
    REQUIRE(untouched.step().ok());
    REQUIRE(places(simulation) == places(untouched));
  }
  CHECK(untouched.finished());
}

TEST_CASE("people walk to where their goal was moved to") {
  Simulation simulation = running(walkers, 20);
  std::string moved = corridor;
  moved.replace(moved.find("[[[36,0],[40,0],[40,10],[36,10],[36,0]]]"), 40, "[[[24,7],[27,7],[27,9],[24,9],[24,7]]]");
  REQUIRE(simulation.change(scenario_of(walkers, moved)).ok());
  double farthest = 0;
  while (!simulation.finished()) {
    REQUIRE(simulation.step().ok());
    for (const Vec2 p : places(simulation)) farthest = std::max(farthest, p.x);
  }
  CHECK(simulation.crowd().size() == 0);
  CHECK(farthest < 28);
}

TEST_CASE("entrances go on through a change") {
  const std::string text = in_corridor(
      R"("duration":60,"populations":[{"name":"stream","rate":1,"from":0,"until":30,"start":{"area":"west"},"goals":[{"area":"east"}]}])");
  Simulation simulation = running(text, 100), untouched = running(text, 100);
  REQUIRE(simulation.change(scenario_of(text, corridor_with(box(R"("kind":"obstacle")", 30, 4, 31, 5)))).ok());
  while (!simulation.finished()) REQUIRE(simulation.step().ok());
  while (!untouched.finished()) REQUIRE(untouched.step().ok());
  CHECK(simulation.sources().front().counts().due == untouched.sources().front().counts().due);
  CHECK(simulation.sources().front().counts().entered == untouched.sources().front().counts().entered);
}

TEST_CASE("people are added about a place, and walk to the population's goals") {
  Simulation simulation = running(walkers, 5);
  const Result<std::vector<crowd::AgentId>> came = simulation.add_people(0, {{30, 5}, 0}, 12);
  REQUIRE(came.ok());
  CHECK(came->size() == 12);
  CHECK(simulation.crowd().size() == 42);
  CHECK(simulation.crowd().validate().empty());
  CHECK(!simulation.add_people(0, {{20, 5}, 0}, 1).ok());  // within the pillar
  CHECK(!simulation.add_people(1, {{30, 5}, 0}, 1).ok());
  const Result<std::vector<crowd::AgentId>> many = simulation.add_people(0, {{30, 5}, 0}, 100000);
  REQUIRE(many.ok());
  CHECK(many->size() < 5000);
  CHECK(simulation.crowd().validate().empty());
}

TEST_CASE("what somebody has in mind is their goal, their way and those before them") {
  const Simulation simulation = running(walkers, 30);
  const crowd::Slot slot = simulation.crowd().in_serial_order().front();
  const crowd::Mind mind = simulation.crowd().mind_of(slot);
  REQUIRE(mind.itinerary);
  CHECK(mind.area == simulation.setup().populations[0].goals[0].areas[0]);
  REQUIRE(mind.way_ahead.size() >= 2);
  const Vec2 here = simulation.crowd().people().position[slot];
  CHECK(squared_length(mind.way_ahead.front().point - here) < 4);
  CHECK(mind.way_ahead.back().point.x > 36);
  REQUIRE(mind.attraction);
  CHECK(mind.attraction->x > here.x);
  bool anybody = false;
  for (const crowd::Slot other : simulation.crowd().in_serial_order())
    anybody |= !simulation.crowd().mind_of(other).neighbours.empty();
  CHECK(anybody);
}

}  // namespace
