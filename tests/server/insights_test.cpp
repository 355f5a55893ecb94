// What levels tell of people and places for those who look on.
#include "server/insights.hpp"

#include <doctest/doctest.h>

#include <set>

#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"

namespace throng::server {
namespace {

/// A dense crowd that walks to the right through a corridor of 4 m.
scenario::Simulation corridor(const std::string& blocks) {
  const std::string text = R"({"throng": 1, "duration": 60, "environment": {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"kind": "walkable"}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [60, 0], [60, 4], [0, 4], [0, 0]]]}}]},
    "profiles": {"p": {"speed": 1.2 )" +
                           blocks + R"(}}, "populations": [{"profile": "p", "count": 60,
    "start": {"polygon": [[1, 0.5], [11, 0.5], [11, 3.5], [1, 3.5]]}, "goals": [{"point": [58, 2]}]}]})";
  Result<scenario::Scenario> scenario = scenario::parse_scenario(text, "corridor", scenario::installed_methods());
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  Result<scenario::Simulation> simulation = scenario::Simulation::make(std::move(scenario).value(), {.threads = 1});
  REQUIRE(simulation.ok());
  for (int i = 0; i < 50; ++i) REQUIRE(simulation->step().ok());
  return std::move(simulation).value();
}

TEST_CASE("keys of figures and layers are distinct, and fit for addresses") {
  std::set<std::string_view> keys;
  const auto take = [&](std::string_view key) {
    CHECK_MESSAGE(keys.insert(key).second, std::string(key), " is there twice");
    CHECK(key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos);
  };
  for (const Insights& insights : all_insights()) {
    for (const PersonFigure& figure : insights.figures) {
      take(figure.key);
      CHECK(figure.full > 0);
      CHECK((figure.of == nullptr) == (figure.counted != nullptr));
    }
    for (const GroundLayer& layer : insights.layers) take(layer.key);
  }
}

TEST_CASE("streams tell of incentive and density only where somebody uses them") {
  CHECK(find_figure(corridor(""), "incentive") == nullptr);
  CHECK(find_figure(corridor(R"(, "stream": {"method": "none"})"), "incentive") == nullptr);
  const scenario::Simulation dense = corridor(R"(, "stream": {"method": "view"})");
  const PersonFigure* incentive = find_figure(dense, "incentive");
  const PersonFigure* density = find_figure(dense, "density-in-view");
  REQUIRE(incentive != nullptr);
  REQUIRE(density != nullptr);
  CHECK(find_figure(dense, "nothing of that name") == nullptr);
  double least = 1, most = 0;
  for (const crowd::Slot slot : dense.crowd().in_serial_order()) {
    const std::optional<double> value = incentive->of(dense, slot);
    REQUIRE(value);
    least = std::min(least, *value), most = std::max(most, *value);
    // Somebody in front of whom there is nobody goes its own way.
    if (density->of(dense, slot) == 0.0) CHECK(*value == 1);
  }
  CHECK(least < 0.5);
  CHECK(most == 1);
}

TEST_CASE("ground is drawn as each profile weighs it, with its holes; a person's way by what it runs over") {
  const std::string text = R"({"throng": 1, "duration": 60, "environment": {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"kind": "walkable"}, "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [60, 0], [60, 10], [0, 10], [0, 0]]]}},
      {"type": "Feature", "properties": {"kind": "region", "type": "road"}, "geometry": {"type": "Polygon", "coordinates": [[[20, 0], [30, 0], [30, 10], [20, 10], [20, 0]], [[24, 4], [24, 6], [26, 6], [26, 4], [24, 4]]]}}]},
    "profiles": {"a": {"weights": {"road": 2}}, "b": {"weights": {"road": "never"}}},
    "populations": [{"profile": "a", "count": 1, "start": {"polygon": [[1, 1], [3, 1], [3, 2], [1, 2]]}, "goals": [{"point": [58, 2]}]}]})";
  Result<scenario::Scenario> read = scenario::parse_scenario(text, "road", scenario::installed_methods());
  REQUIRE_MESSAGE(read.ok(), to_string(read.problems().front()));
  Result<scenario::Simulation> made = scenario::Simulation::make(std::move(read).value(), {.threads = 1});
  REQUIRE(made.ok());
  scenario::Simulation& simulation = *made;
  for (int i = 0; i < 3; ++i) REQUIRE(simulation.step().ok());
  const Json layers = describe_ground_layers(simulation);
  CHECK(layers.size() >= 2);
  const auto a = marks_of_layer(simulation, "ground-price:0"), b = marks_of_layer(simulation, "ground-price:1");
  REQUIRE((a && b));
  REQUIRE(a->size() == 1);
  CHECK(a->front().holes.size() == 1);
  CHECK(a->front().colour != b->front().colour);
  CHECK(describe_marks(*a, {}).dump().find("\"holes\"") != std::string::npos);
  for (const char* wrong :
       {"ground-price", "ground-price:", "ground-price:9", "ground-price:0x", "ground-price:-1", "queues:0", ""})
    CHECK_FALSE(marks_of_layer(simulation, wrong));
  const Json note = describe_note(simulation, simulation.crowd().in_serial_order()[0], {});
  CHECK(note.dump().find("of which on road") != std::string::npos);
  // Weights that change on the way are those that count.
  scenario::WeightSpec dear;
  dear.across = 50.0;
  REQUIRE(simulation.set_weights(0, {{"road", dear}}).ok());
  // Fifty times the least price lies between three and four factors of three.
  CHECK(marks_of_layer(simulation, "ground-price:0")->front().colour == "#fdae61");
  CHECK(a->front().colour != "#fdae61");
  const Json after = describe_note(simulation, simulation.crowd().in_serial_order()[0], {});
  CHECK(after["facts"] != note["facts"]);
}

TEST_CASE("of everybody it is drawn what they want and what they choose") {
  const scenario::Simulation plain = corridor("");
  const PersonFigure* avoiding = find_figure(plain, "avoiding");
  REQUIRE(avoiding != nullptr);
  bool any_avoids = false;
  for (const crowd::Slot slot : plain.crowd().in_serial_order()) {
    const Json note = describe_note(plain, slot, {});
    REQUIRE(note["marks"].size() >= 2);
    CHECK(note["marks"][0]["text"] == "wants");
    CHECK(note["marks"][1]["text"] == "chooses");
    const crowd::LastMotion motion = plain.crowd().motion_of(slot);
    CHECK(motion.intended == motion.preferred);
    // As it moved, but for what holds people back and for how quickly velocities are taken up.
    CHECK(length(motion.chosen) < 1.2 * 1.3 + 1e-9);
    any_avoids = any_avoids || avoiding->of(plain, slot).value() > 0.1;
  }
  CHECK(any_avoids);
}

TEST_CASE("stuck and slow are what the closing figures count, in every run") {
  const scenario::Simulation plain = corridor("");
  const PersonFigure *stuck = find_figure(plain, "stuck"), *slow = find_figure(plain, "slow-time");
  REQUIRE(stuck != nullptr);
  REQUIRE(slow != nullptr);
  analysis::AgentRecord agent;
  CHECK(stuck->counted(agent) == 0);
  agent.stuck = true, agent.slow_time = 12.5;
  CHECK(stuck->counted(agent) == 1);
  CHECK(slow->counted(agent) == 12.5);
}

TEST_CASE("of somebody in a stream the view, who counts and three velocities are drawn") {
  const scenario::Simulation dense = corridor(R"(, "stream": {"method": "view", "neighbours": 3})");
  const agents::People people = dense.crowd().people();
  bool any_bent = false;
  for (const crowd::Slot slot : dense.crowd().in_serial_order()) {
    const Json note = describe_note(dense, slot, {10, 0});
    std::size_t areas = 0, lines = 0, arrows = 0;
    for (const Json& mark : note["marks"]) {
      areas += mark["shape"] == "area", lines += mark["shape"] == "line", arrows += mark["shape"] == "arrow";
      if (mark["shape"] == "area") CHECK(mark["points"].size() == 26);
      if (mark["shape"] != "arrow" && mark["shape"] != "line") continue;
      CHECK(mark["points"][0][0].get<double>() == people.position[slot].x - 10);
      CHECK(mark["layer"] == people.layer[slot]);
    }
    CHECK(areas == 1);
    CHECK(lines <= 3);
    CHECK(arrows >= 2);
    any_bent = any_bent || lines == 3;
    CHECK(note["facts"].size() == 5);
  }
  CHECK(any_bent);
}

}  // namespace
}  // namespace throng::server
