// The nearest of several goals is the cheapest to get to, for those who plan over weighted ground.
#include <doctest/doctest.h>

#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"

using namespace throng;
using namespace throng::scenario;

namespace {

/// Metres to the goal that somebody chooses in the middle of a room: one lies 18 m off beyond mud, the other 26 m off over plain ground.
double chosen_metres(const std::string& method) {
  const std::string text = R"({"throng": 1, "duration": 60, "environment": {"type": "FeatureCollection", "features": [
    {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[60,0],[60,10],[0,10],[0,0]]]}},
    {"type":"Feature","properties":{"kind":"region","type":"mud"},"geometry":{"type":"Polygon","coordinates":[[[20,0],[24,0],[24,10],[20,10],[20,0]]]}},
    {"type":"Feature","properties":{"kind":"area","name":"muddy"},"geometry":{"type":"Polygon","coordinates":[[[11,4],[13,4],[13,6],[11,6],[11,4]]]}},
    {"type":"Feature","properties":{"kind":"area","name":"dry"},"geometry":{"type":"Polygon","coordinates":[[[55,4],[57,4],[57,6],[55,6],[55,4]]]}}]},
    "profiles": {"p": {"route": {"method": ")" +
                           method + R"("}, "weights": {"mud": 10}}},
    "populations": [{"profile": "p", "count": 1, "start": {"polygon": [[29.8,4.8],[30.4,4.8],[30.4,5.4],[29.8,5.4]]},
                     "goals": [{"nearest": ["muddy", "dry"]}]}]})";
  Result<Scenario> read = parse_scenario(text, "mud", installed_methods());
  REQUIRE_MESSAGE(read.ok(), to_string(read.problems().front()));
  Result<Simulation> made = Simulation::make(std::move(read).value(), {.threads = 1});
  REQUIRE(made.ok());
  REQUIRE(made->step().ok());
  return made->crowd().remaining(made->crowd().in_serial_order()[0]);
}

}  // namespace

TEST_CASE("goals: the nearest is the cheapest over weighted ground, the shortest otherwise") {
  CHECK(chosen_metres("short") < 20);
  CHECK(chosen_metres("weighted") > 23);
}
