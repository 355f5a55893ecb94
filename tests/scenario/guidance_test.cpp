// Guidance in scenarios: what is read, what it does in a run, and what is refused with its place.
#include <doctest/doctest.h>

#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"

using namespace throng;
using namespace throng::scenario;

namespace {

std::string hall(const std::string& guidance) {
  return R"({"throng": 1, "environment": {"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"kind": "walkable"}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
{"type": "Feature", "properties": {"kind": "obstacle", "name": "kiosk"}, "geometry": {"type": "Polygon", "coordinates": [[[9,4],[11,4],[11,6],[9,6],[9,4]]]}}]},
"duration": 40, "profiles": {"p": {"speed": 1.3, "follow": {"method": "lookahead"}, "strategy": {"replan_every": 2}}},
"populations": [{"name": "visitors", "profile": "p", "count": 6, "start": {"polygon": [[1,1],[4,1],[4,9],[1,9]]}, "goals": [{"polygon": [[17,1],[19,1],[19,9],[17,9]]}]}],
"guidance": )" +
         guidance + "}";
}

Result<Scenario> parse(const std::string& text) { return parse_scenario(text, "run.json", installed_methods()); }

/// What is wrong, of a scenario that is read, and set up.
std::string wrong_with(const std::string& guidance) {
  Result<Scenario> scenario = parse(hall(guidance));
  if (!scenario) return to_string(scenario.problems().front());
  const Result<Simulation> made = Simulation::make(std::move(scenario).value());
  return made.ok() ? "" : to_string(made.problems().front());
}

}  // namespace

TEST_CASE("guidance of a scenario: everybody passes as told, by name or by place") {
  for (const char* side : {"left", "right"})
    for (const char* what : {R"("kiosk")", R"({"near": [10, 5]})"}) {
      Result<Scenario> scenario = parse(hall(std::string(R"([{"obstacles": [)") + what + R"(], "pass": ")" + side +
                                             R"(", "populations": ["visitors"]}])"));
      REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
      Result<Simulation> run = Simulation::make(std::move(scenario).value(), {.seed = 3, .threads = 1, .duration = {}});
      REQUIRE_MESSAGE(run.ok(), to_string(run.problems().front()));
      int wrong = 0, right = 0;
      while (!run->finished()) {
        REQUIRE(run->step().ok());
        const crowd::Crowd& crowd = run->crowd();
        for (const crowd::Slot slot : crowd.in_serial_order()) {
          const Vec2 p = crowd.people().position[slot];
          if (p.x > 9 && p.x < 11) ++(((p.y > 5) == (side == std::string("left"))) ? right : wrong);
        }
      }
      CHECK(right > 0);
      CHECK(wrong == 0);
    }
}

TEST_CASE("guidance of a scenario that is wrong is refused with its place") {
  CHECK(wrong_with(R"([{"obstacles": ["kiosk"], "pass": "right"}])").empty());
  const auto refused = [](const char* guidance, const char* where, const char* why) {
    const std::string what = wrong_with(guidance);
    CAPTURE(what);
    CHECK(what.find(where) != std::string::npos);
    CHECK(what.find(why) != std::string::npos);
  };
  refused(R"([{"obstacles": ["kisok"], "pass": "right"}])", "/guidance/0/obstacles/0", "did you mean 'kiosk'");
  refused(R"([{"obstacles": [{"near": [0.1, 5]}], "pass": "right"}])", "/guidance/0/obstacles/0", "nothing to pass");
  refused(R"([{"obstacles": ["kiosk"]}])", "/guidance/0", "wants \"pass\"");
  refused(R"([{"obstacles": [], "pass": "left"}])", "/guidance/0/obstacles", "at least one");
  refused(R"([{"obstacles": ["kiosk"], "pass": "up"}])", "/guidance/0/pass", "up");
  refused(R"([{"obstacles": ["kiosk"], "pass": "left", "populations": ["visitor"]}])", "/guidance/0/populations/0",
          "did you mean 'visitors'");
  refused(R"([{"obstacles": ["kiosk"], "pass": "left", "sign": {"at": [10, 5], "facing": 0, "range": 5}}])",
          "/guidance/0/sign/at", "not walkable");
  refused(R"([{"obstacles": ["kiosk"], "pass": "left", "sign": {"at": [5, 5], "facing": 0, "range": 0}}])",
          "/guidance/0/sign/range", "out of range");
  refused(R"([{"obstacles": ["kiosk"], "pass": "left", "sign": {"at": [5, 5], "facing": 0}}])", "/guidance/0/sign",
          "wants \"range\"");
  refused(R"([{"obstacles": ["kiosk"], "pass": "left"}, {"obstacles": [{"near": [10, 5]}], "pass": "right"}])",
          "guidance 2", "left and right");
}
