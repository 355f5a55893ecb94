// Far away must not matter: somebody in a closed room of their own, who plans, walks and turns back all the time, leaves everybody else's
// positions as they are, bit for bit, wherever the room lies and whether they come first or last.
#include <doctest/doctest.h>

#include <filesystem>

#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"

namespace throng::scenario {
namespace {

namespace fs = std::filesystem;

struct Box {
  Vec2 low{1e300, 1e300}, high{-1e300, -1e300};
  void take_in(Vec2 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
};

Box box_of(const environment::Environment& environment) {
  Box box;
  for (const environment::Feature& feature : environment.features) {
    for (const auto& polygon : feature.polygons)
      for (const Vec2 p : polygon.outer) box.take_in(p);
    for (const auto& line : feature.lines)
      for (const Vec2 p : line) box.take_in(p);
  }
  return box;
}

environment::Feature rectangle(environment::Kind kind, Vec2 low, Vec2 high) {
  environment::Feature feature{.kind = kind};
  feature.polygons.push_back({.outer = {low, {high.x, low.y}, high, {low.x, high.y}}});
  return feature;
}

constexpr double far_away = 40, room = 8;

/// A closed room on each of the four sides, in the run with the walker and in the one without: another box would be another snap grid.
std::vector<Vec2> add_rooms(environment::Environment& environment) {
  const Box box = box_of(environment);
  for (std::size_t layer = 0; layer < environment.layers.size(); ++layer) {
    const bool has_ground = std::ranges::any_of(environment.features, [&](const environment::Feature& feature) {
      return feature.kind == environment::Kind::walkable && feature.layer == layer;
    });
    if (has_ground) continue;
    environment::Feature ground = rectangle(environment::Kind::walkable, box.low, box.high);
    ground.layer = layer;
    environment.features.insert(environment.features.begin(), ground);
  }
  const Vec2 middle = (box.low + box.high) / 2;
  const Vec2 corners[] = {{box.low.x - far_away - room, middle.y},
                          {box.high.x + far_away, middle.y},
                          {middle.x, box.low.y - far_away - room},
                          {middle.x, box.high.y + far_away}};
  std::vector<Vec2> lows;
  for (const Vec2 low : corners) {
    environment.features.push_back(rectangle(environment::Kind::walkable, low, low + Vec2{room, room}));
    lows.push_back(low);
  }
  return lows;
}

/// Goes to and fro in a room.
PopulationSpec restless(Vec2 low, std::size_t profile) {
  PopulationSpec population;
  population.profile = profile;
  population.name = "restless";
  population.named = true;
  population.draw_key = 77777;
  population.who = Positions{"", {{.place = {.point = low + Vec2{1, 1}, .layer = 0}}}};
  for (int i = 0; i < 30; ++i) {
    GoalSpec goal{.kind = GoalSpec::Kind::point};
    goal.point = {.point = low + (i % 2 == 0 ? Vec2{2, 1.5} : Vec2{1, 1}), .layer = 0};
    goal.radius = 0.3;
    population.goals.push_back(goal);
  }
  population.at_last = goals::AtLastGoal::stay;
  return population;
}

/// Positions of everybody but the restless one, step by step, in order of serials.
std::vector<Vec2> run(const Scenario& scenario, double until) {
  Result<Simulation> simulation = Simulation::make(scenario, {.threads = 2, .duration = until});
  REQUIRE_MESSAGE(simulation.ok(), to_string(simulation.problems().front()));
  std::vector<Vec2> positions;
  std::size_t moved = 0;
  Vec2 last;
  while (!simulation->finished()) {
    REQUIRE(simulation->step().ok());
    const crowd::Crowd& crowd = simulation->crowd();
    for (const crowd::Slot slot : crowd.in_serial_order()) {
      const Vec2 at = crowd.people().position[slot];
      if (scenario.populations[crowd.population_of(slot)].name != "restless") {
        positions.push_back(at);
      } else {
        moved += at != last;
        last = at;
      }
    }
  }
  const bool has_walker = std::ranges::any_of(scenario.populations, [](const auto& p) { return p.name == "restless"; });
  if (has_walker) CHECK(moved > 5);
  return positions;
}

void check_locality(Scenario scenario, double until, bool all_sides) {
  const std::vector<Vec2> rooms = add_rooms(scenario.environment);
  // Draws hang on names: populations without one would be counted anew.
  for (std::size_t i = 0; i < scenario.populations.size(); ++i)
    scenario.populations[i].draw_key = std::uint32_t(1000 + i);
  // Like the first of the profiles, but setting out at once.
  scenario.profiles.push_back(scenario.profiles.front());
  scenario.profiles.back().name = "restless";
  scenario.profiles.back().premovement = 0;
  const std::vector<Vec2> without = run(scenario, until);
  for (std::size_t side = 0; side < rooms.size(); ++side)
    for (const bool comes_first : {true, false}) {
      if (!all_sides && (side == 0 || side == 3) != comes_first) continue;
      CAPTURE(side);
      CAPTURE(comes_first);
      Scenario with = scenario;
      with.populations.insert(comes_first ? with.populations.begin() : with.populations.end(),
                              restless(rooms[side], scenario.profiles.size() - 1));
      const std::vector<Vec2> others = run(with, until);
      REQUIRE(others.size() == without.size());
      std::size_t differ = 0;
      for (std::size_t i = 0; i < others.size(); ++i) differ += others[i] != without[i];
      CHECK(differ == 0);
    }
}

Scenario example(const std::string& name) {
  const fs::path path = fs::path(THRONG_SOURCE_DIR) / "examples" / (name + ".json");
  Result<Scenario> scenario = read_scenario(path.string(), installed_methods());
  REQUIRE(scenario.ok());
  return std::move(scenario).value();
}

/// 80 people through a door of 1.2 m, pressing, by an avoidance method and a way to move.
Scenario dense_door(const std::string& avoid, const std::string& move, const std::string& route = "short",
                    const std::string& follow = "miran") {
  const std::string text = R"({"throng": 1, "duration": 20, "environment": {"type": "FeatureCollection", "features": [
    {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
    {"type":"Feature","properties":{"kind":"obstacle"},"geometry":{"type":"Polygon","coordinates":[[[10,0],[10.4,0],[10.4,4.4],[10,4.4],[10,0]]]}},
    {"type":"Feature","properties":{"kind":"obstacle"},"geometry":{"type":"Polygon","coordinates":[[[10,5.6],[10.4,5.6],[10.4,10],[10,10],[10,5.6]]]}},
    {"type":"Feature","properties":{"kind":"area","name":"east"},"geometry":{"type":"Polygon","coordinates":[[[17,0],[20,0],[20,10],[17,10],[17,0]]]}}]},
    "profiles": {"adult": {"avoid": {"method": ")" +
                           avoid + R"("}, "move": {"method": ")" + move + R"("}, "route": {"method": ")" + route +
                           R"("}, "follow": {"method": ")" + follow + R"("}, "radius": {"uniform": [0.18, 0.26]}}},
    "populations": [{"name": "crowd", "profile": "adult", "count": 80, "start": {"polygon": [[4, 1], [9.5, 1], [9.5, 9], [4, 9]]}, "goals": [{"area": "east"}]}]})";
  Result<Scenario> scenario = parse_scenario(text, "door.json", installed_methods());
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  return std::move(scenario).value();
}

TEST_CASE("locality: a dense crowd at a door, with the default methods and as published") {
  check_locality(dense_door("moussaid", "careful"), 10, true);
  check_locality(dense_door("moussaid", "published"), 6, false);
}

TEST_CASE("locality: a dense crowd at a door, by every way to avoid, follow and plan") {
  for (const agents::MethodInfo& method : installed_methods()[agents::Level::avoid]) {
    CAPTURE(method.name);
    check_locality(dense_door(std::string(method.name), "careful"), 4, false);
  }
  for (const agents::MethodInfo& method : installed_methods()[agents::Level::follow]) {
    CAPTURE(method.name);
    check_locality(dense_door("moussaid", "careful", "short", std::string(method.name)), 3, false);
  }
  for (const agents::MethodInfo& method : installed_methods()[agents::Level::route]) {
    if (method.name == "given") continue;
    CAPTURE(method.name);
    check_locality(dense_door("moussaid", "careful", std::string(method.name)), 3, false);
  }
}

TEST_CASE("locality: two examples") {
  for (const char* name : {"bottleneck", "four_blocks"}) {
    CAPTURE(name);
    check_locality(example(name), 5, false);
  }
}

TEST_CASE("long: locality: every example, on each side, first and last") {
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(THRONG_SOURCE_DIR) / "examples")) {
    if (entry.path().extension() != ".json") continue;
    const std::string name = entry.path().stem().string();
    CAPTURE(name);
    check_locality(example(name), 8, true);
  }
}

}  // namespace
}  // namespace throng::scenario
