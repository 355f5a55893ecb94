#include "scenario/scenario_reader.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "broken_scenarios.hpp"
#include "samples.hpp"
#include "scenario/profile_reader.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::scenario;
using namespace throng::scenario::test;

TEST_CASE("what is left out has the defaults of the contract") {
  const Result<Scenario> scenario = read(population(""));
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  CHECK(scenario.problems().empty());
  CHECK(scenario->duration == 120);
  CHECK(scenario->time_step == 0.1);
  CHECK(scenario->seed == 1);
  CHECK(scenario->record_every == 1);
  REQUIRE(scenario->profiles.size() == 1);
  const ProfileSpec& profile = scenario->profiles[0];
  CHECK(profile.name == "default");
  CHECK(profile.radius == Number(0.24));
  CHECK(profile.speed == Number::normal(1.34, 0.26, 0.5, 2.2));
  CHECK(profile.methods[agents::Level::route].name == "short");
  CHECK(profile.methods[agents::Level::route].parameters[0] == Number(0.5));
  CHECK(profile.methods[agents::Level::follow].name == "miran");
  CHECK(profile.methods[agents::Level::follow].parameters == std::vector<Number>{5, 1});
  CHECK(profile.methods[agents::Level::avoid].name == "moussaid");
  CHECK(profile.premovement == Number(0));
  CHECK(profile.stairs_up == Number(0.5));
  CHECK(profile.stairs_down == Number(0.65));
  CHECK(profile.weights == std::map<std::string, WeightSpec>{{"grass", 30}, {"road", 4}});
  REQUIRE(scenario->populations.size() == 1);
  CHECK(scenario->populations[0].name == "population-0");
  CHECK(scenario->populations[0].at_last == goals::AtLastGoal::leave);
  CHECK(scenario->populations[0].goals.empty());
}

TEST_CASE("every member of the contract's example is read") {
  const std::string text = R"({
    "throng": 1, // the version
    "environment": "corridor.geojson",
    "duration": 60, "time_step": 0.05, "seed": 18446744073709551615, "contact": false,
    "profiles": {
      "adult": {"radius": 0.2, "speed": {"choose": {"1.0": 0.3, "1.5": 0.7}},
        "route": {"method": "left", "clearance": 0.4}, "follow": {"shortcut": {"uniform": [4, 6]}},
        "avoid": {"method": "none"}, "premovement": {"uniform": [0, 5]}, "stairs": {"down": 0.7}, "weights": {"grass": 3}}
    },
    /* who */
    "populations": [
      {"name": "commuters", "profile": "adult", "count": 100, "start": {"area": "west"},
       "goals": [{"area": "east", "wait": {"uniform": [10, 60]}}, {"nearest": ["east", "west"]}], "at_goal": "stay"},
      {"profile": "adult", "rate": 3.0, "until": 30, "start": {"polygon": [[0,0],[4,0],[4,4],[0,4],[0,0]], "layer": "ground"},
       "goals": [{"choose": {"east": 0.7, "west": 0.3}}]},
      {"positions": "start.csv", "goals": [{"point": [39, 2], "radius": 0.6}], "route_points": [[1,1],[20,2],[39,2]]}
    ],
    "events": [],
    "measure": [{"line": [[20,0],[20,4]], "name": "door"}, {"area": "west", "every": 2}, {"polygon": [[0,0],[1,0],[1,1]]}],
    "record": {"every": 5}
  })";
  std::string layered = corridor;
  layered.insert(1, R"("throng":{"version":1,"layers":[{"id":"ground"}]},)");
  const Result<Scenario> scenario =
      read(text, {{"corridor.geojson", layered}, {"start.csv", "x,y,layer\n1,1,ground\n2,2,\n"}});
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  CHECK(scenario->seed == ~std::uint64_t{0});
  CHECK(scenario->record_every == 5);
  CHECK(!scenario->contact);
  CHECK(scenario->profiles.size() == 2);  // the third population uses the default one
  const ProfileSpec& adult = scenario->profiles[0];
  CHECK(adult.methods[agents::Level::route].name == "left");
  CHECK(adult.methods[agents::Level::route].parameters[0] == Number(0.4));
  CHECK(adult.methods[agents::Level::follow].parameters == std::vector<Number>{Number::uniform(4, 6), 1});
  CHECK(adult.methods[agents::Level::avoid].name == "none");
  CHECK(adult.stairs_up == Number(0.5));
  CHECK(adult.stairs_down == Number(0.7));
  CHECK(adult.weights.size() == 1);  // a table that is given replaces the default one
  const PopulationSpec &first = scenario->populations[0], &second = scenario->populations[1],
                       &third = scenario->populations[2];
  CHECK(std::get<Count>(first.who).people == 100);
  CHECK(first.goals[0].wait == Number::uniform(10, 60));
  CHECK(first.goals[1].areas.size() == 2);
  CHECK(first.at_last == goals::AtLastGoal::stay);
  CHECK(std::get<Rate>(second.who).from == 0);
  CHECK(std::get<Rate>(second.who).until == 30);
  CHECK(second.start->ring.size() == 4);  // the closing point goes
  CHECK(second.start->layer == 0);
  CHECK(second.goals[0].kind == GoalSpec::Kind::choose);
  CHECK(std::get<Positions>(third.who).rows.size() == 2);
  CHECK(third.profile == 1);
  CHECK(third.goals[0].radius == 0.6);
  CHECK(third.route_points.size() == 3);
  CHECK(scenario->lines[0].name == "door");
  CHECK(scenario->areas[0].name == "west");
  CHECK(scenario->areas[0].every == 2);
  CHECK(scenario->areas[1].name == "polygon-1");
  const std::uint32_t keys[] = {first.draw_key, second.draw_key, third.draw_key};
  CHECK(keys[0] >= (1u << 19));
  CHECK(keys[0] < (1u << 20));
  CHECK(keys[1] == 1);
  CHECK(keys[2] == 2);
}

TEST_CASE("everything wrong has its place and what would be right") {
  const std::vector<Broken> all = broken_scenarios();
  CHECK(all.size() >= 40);
  for (const Broken& broken : all) {
    CAPTURE(broken.text);
    CAPTURE(broken.pointer);
    const Result<Scenario> scenario = read(broken.text, {{"a.csv", "1,1\n"}});
    REQUIRE(!scenario.ok());
    const std::string place = broken.pointer.empty() ? "run.json" : "run.json: " + broken.pointer;
    const bool told = std::any_of(scenario.problems().begin(), scenario.problems().end(), [&](const Problem& problem) {
      return problem.severity == Severity::error && problem.place == place &&
             problem.message.find(broken.message) != std::string::npos;
    });
    std::string said;
    for (const Problem& problem : scenario.problems()) said += to_string(problem) + "\n";
    CAPTURE(said);
    CHECK(told);
    CHECK(scenario.problems().size() <= 3);  // nothing follows from it that is not wrong itself
  }
}

TEST_CASE("all problems come at once, those of the environment and of CSV files too") {
  const Result<Scenario> scenario = read(
      R"({"throng":1,"environment":{"type":"FeatureCollection","features":[
            {"type":"Feature","properties":{"kind":"wakable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}]},
          "duration":-1,"profiles":{"p":{"radius":-1}},
          "populations":[{"profile":"q","positions":"p.csv","goals":[{"point":[1]}]}],"measure":[{"line":3}]})",
      {{"p.csv", "x,y\n1,a\n2\n3,1e99\n4,4\n"}});
  REQUIRE(!scenario.ok());
  std::string all;
  for (const Problem& problem : scenario.problems()) all += to_string(problem) + "\n";
  CAPTURE(all);
  for (const char* part :
       {"run.json: /environment: feature 0", "/duration", "/profiles/p/radius", "/populations/0/profile",
        "/populations/0/goals/0/point", "p.csv:3: 1 fields", "/measure/0/line"})
    CHECK_MESSAGE(all.find(part) != std::string::npos, part);
}

TEST_CASE("CSV errors have their line") {
  const auto problem_of = [](const std::string& csv) {
    const Result<Scenario> scenario = read(in_corridor(R"("populations":[{"positions":"p.csv"}])"), {{"p.csv", csv}});
    REQUIRE(!scenario.ok());
    return to_string(scenario.problems().front());
  };
  CHECK(problem_of("") == "p.csv: there are no positions in it");
  CHECK(problem_of("x,y\n") == "p.csv: there are no positions in it");
  CHECK(problem_of("x,y\n1,2\n1,b\n").starts_with("p.csv:3: field 2: 'b' is not a finite number"));
  CHECK(problem_of("1,2\n\n1,2,3\n").starts_with("p.csv:3: 3 fields, where the lines before have 2"));
  CHECK(problem_of("x,z\n1,2\n").starts_with("p.csv:1: unknown column 'z'"));
  CHECK(problem_of("x,layer\n1,a\n").starts_with("p.csv:1: columns x and y are needed"));
  CHECK(problem_of("x,y,gx\n1,2,3\n").starts_with("p.csv:1: columns x and y are needed"));
  CHECK(problem_of("x,y,x\n1,2,3\n").starts_with("p.csv:1: column 'x' is there twice"));
  CHECK(problem_of("1,2,3,4,5\n").starts_with("p.csv:1: x,y[,layer]"));
  CHECK(problem_of("x,y,layer\n1,1,roof\n").starts_with("p.csv:2: there is no layer 'roof'"));
  CHECK(problem_of("1,1e12\n").starts_with("p.csv:1: "));
  CHECK(problem_of("1,\"2\n").starts_with("p.csv:1: a quote is not closed"));
  const Result<Scenario> both = read(in_corridor(R"("populations":[{"positions":"p.csv","goals":[{"area":"east"}]}])"),
                                     {{"p.csv", "x,y,gx,gy\n1,1,2,2\n"}});
  REQUIRE(!both.ok());
  CHECK(to_string(both.problems().front()).find("gx and gy already say") != std::string::npos);
}

TEST_CASE("broken JSON has line and column; members given twice and deep nesting are refused") {
  const auto first = [](const std::string& text) { return to_string(read(text).problems().front()); };
  CHECK(first("{\"throng\": 1,\n \"environment\" \"x\"}").starts_with("run.json:2:"));
  CHECK(first("").starts_with("run.json:1:1"));
  CHECK(first("{\"throng\":1} x").starts_with("run.json:1:"));
  CHECK(first("{\"duration\": 1e999}").starts_with("run.json"));
  CHECK(first("{\"duration\": NaN}").starts_with("run.json:1:"));
  CHECK(first("\xff\xfe").starts_with("run.json:1:"));
  CHECK(first(R"({"throng":1,"throng":1,"environment":"corridor.geojson","populations":[]})") ==
        "run.json: member 'throng' is given twice in one object");
  CHECK(first(std::string(100000, '[')).starts_with("run.json"));
  CHECK(first("{\"x\":" + std::string(200, '[') + std::string(200, ']') + "}").find("deeper than 64") !=
        std::string::npos);
}

TEST_CASE("profiles nobody uses and weights of unknown regions are warned of") {
  const Result<Scenario> scenario = read(in_corridor(
      R"("profiles":{"p":{"weights":{"gras":3}},"q":{}},"populations":[{"profile":"p","count":3,"start":{"area":"west"}}])"));
  REQUIRE(scenario.ok());
  REQUIRE(scenario.problems().size() == 2);
  CHECK(to_string(scenario.problems()[0]).find("no region of type 'gras'; did you mean 'grass'") != std::string::npos);
  CHECK(scenario.problems()[1].place == "run.json: /profiles/q");
  CHECK(scenario->profiles.size() == 2);
}

TEST_CASE("methods that go by a route are refused for who follows a field") {
  const auto told = [](const std::string& blocks) {
    const Result<Scenario> read_it =
        read(in_corridor(R"("profiles":{"p":{"follow":{"method":"flow"})" + blocks +
                         R"(}},"populations":[{"profile":"p","count":3,"start":{"area":"west"}}])"),
             {}, installed_methods());
    return read_it.ok() ? std::string() : to_string(read_it.problems().front());
  };
  CHECK(told("").empty());
  CHECK(told(R"(,"congestion":{"method":"quickest"})").empty());
  CHECK(told(R"(,"congestion":{"method":"density"})").find("/profiles/p/congestion: 'density' plans routes") !=
        std::string::npos);
  CHECK(told(R"(,"strategy":{"hold":5})").find("/profiles/p/strategy: a strategy compares") != std::string::npos);
}

TEST_CASE("paths are relative to the scenario's folder") {
  const throng::test::TempDir folder;
  throng::test::write_file(folder.path() / "corridor.geojson", corridor);
  throng::test::write_file(folder.path() / "run.json", population(""));
  const MethodCatalogue methods = sample_methods();
  const Result<Scenario> scenario = read_scenario((folder.path() / "run.json").string(), methods);
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  CHECK(scenario->environment.features.size() == 5);
  CHECK(!read_scenario((folder.path() / "missing.json").string(), methods).ok());
}

TEST_CASE("scenarios are told from environments") {
  CHECK(looks_like_scenario(population("")));
  CHECK(looks_like_scenario("{\"populations\": [ // broken"));
  CHECK(!looks_like_scenario(corridor));
  CHECK(!looks_like_scenario("[]"));
}
