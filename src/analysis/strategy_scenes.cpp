#include "analysis/strategy_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/scene_plan.hpp"
#include "geometry/elementary.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"

namespace throng::analysis {
namespace {

struct Drawn {
  ScenePlan plan;
  std::string populations;
  std::string speed;
  std::string blue;  ///< names of guided obstacles, as JSON texts
  std::string positions = {};
  double duration = 300;
};

/// A corridor 8 m wide around a block, squares of 1 m in it: three across and two by turns, four in the bend.
Drawn uturn(const StrategySceneRequest& request) {
  const bool both = request.scene == "uturn-both", bare = request.scene == "uturn-bare";
  Drawn drawn{{}, "", R"({"uniform": [1.2, 1.4]})", ""};
  drawn.plan.walkable(0, 0, 40, 24);
  drawn.plan.obstacle(0, 8, 32, 16);
  int count = 0;
  const auto put = [&](double x, double y, bool is_blue) {
    if (bare) return;
    const std::string name = fmt::format("{}-{}", is_blue ? "blue" : "gray", ++count);
    drawn.plan.square(x, y, 1, name);
    if (is_blue) drawn.blue += fmt::format(R"({}"{}")", drawn.blue.empty() ? "" : ", ", name);
  };
  for (const double side : {1.0, -1.0}) {
    const auto at = [&](double off) { return side > 0 ? 16 + off : 8 - off; };
    for (const double x : {6.0, 16.0, 26.0})
      for (const double off : {1.5, 4.0, 6.5}) put(x, at(off), off == 4.0);
    for (const double x : {11.0, 21.0})
      for (const double off : {2.75, 5.25}) put(x, at(off), false);
  }
  for (const Vec2 p : {Vec2{34, 5}, Vec2{36.5, 10}, Vec2{36.5, 14}, Vec2{34, 19}}) put(p.x, p.y, true);
  const char* above = "[[0, 16], [2, 16], [2, 24], [0, 24]]";
  const char* below = "[[0, 0], [2, 0], [2, 8], [0, 8]]";
  const auto stream = [&](const char* name, const char* from, const char* to, double rate) {
    return fmt::format(
        R"({{"name": "{}", "profile": "person", "rate": {}, "from": 0, "until": 300, "start": {{"polygon": {}}}, "goals": [{{"polygon": {}}}]}})",
        name, rate, from, to);
  };
  drawn.populations = stream("down", above, below, both ? request.rate / 2 : request.rate);
  if (both) drawn.populations += ", " + stream("up", below, above, request.rate / 2);
  drawn.duration = both ? 400 : 300;
  return drawn;
}

/// 80 people on two rings, each to the opposite point; four obstacles between them.
Drawn circle() {
  Drawn drawn{{}, "", "1.2", ""};
  drawn.plan.walkable(-12, -12, 12, 12);
  int count = 0;
  for (const double x : {-1.75, 1.75})
    for (const double y : {-1.75, 1.75}) {
      const std::string name = fmt::format("blue-{}", ++count);
      drawn.plan.square(x, y, 2, name);
      drawn.blue += fmt::format(R"({}"{}")", drawn.blue.empty() ? "" : ", ", name);
    }
  drawn.positions = "x,y,gx,gy\n";
  constexpr int on_ring = 40;
  for (int i = 0; i < 2 * on_ring; ++i) {
    const double radius = i < on_ring ? 7.5 : 8.3, place = i < on_ring ? i : i + 0.5;
    const Vec2 p = geometry::unit_direction(place / on_ring) * radius;
    drawn.positions += fmt::format("{:.6f},{:.6f},{:.6f},{:.6f}\n", p.x, p.y, -p.x, -p.y);
  }
  drawn.populations = R"({"name": "people", "profile": "person", "positions": "positions.csv"})";
  drawn.duration = 180;
  return drawn;
}

/// Four thin walls with three openings each; groups stand in two of them, streams both ways go through the lowest.
Drawn single() {
  Drawn drawn{{}, "", "1.2", ""};
  drawn.plan.walkable(0, 0, 36, 20);
  for (const double x : {8.0, 15.0, 22.0, 29.0})
    for (const auto& [from, to] :
         {std::pair{0.0, 2.0}, std::pair{4.0, 9.0}, std::pair{11.0, 16.0}, std::pair{18.0, 20.0}})
      drawn.plan.wall(x, from, x, to);
  std::string standing;
  for (const double x : {15.0, 29.0})
    for (int row = 0; row < 4; ++row)
      for (int column = -1; column <= 1; ++column)
        standing += fmt::format("{},{}\n", x + 0.5 * column, 16.25 + 0.5 * row);
  drawn.positions = "x,y\n" + standing;
  drawn.populations =
      R"({"name": "one", "profile": "person", "count": 1, "start": {"polygon": [[1.7, 18.7], [2.3, 18.7], [2.3, 19.3], [1.7, 19.3]]}, "goals": [{"point": [34, 19]}]},
{"name": "standing", "profile": "other", "positions": "positions.csv"},
{"name": "east", "profile": "other", "rate": 1, "from": 0, "until": 300, "start": {"polygon": [[0, 1.5], [2, 1.5], [2, 4.5], [0, 4.5]]}, "goals": [{"polygon": [[34, 1], [36, 1], [36, 5], [34, 5]]}]},
{"name": "west", "profile": "other", "rate": 1, "from": 0, "until": 300, "start": {"polygon": [[34, 1.5], [36, 1.5], [36, 4.5], [34, 4.5]]}, "goals": [{"polygon": [[0, 1], [2, 1], [2, 5], [0, 5]]}]})";
  drawn.duration = 200;
  return drawn;
}

std::string profile_of(const StrategySceneRequest& request, const std::string& speed, const std::string& follow,
                       bool with_strategy) {
  const char* as = request.as_published ? R"(, "as": "published")" : "";
  std::string text = fmt::format(
      R"({{"radius": 0.25, "speed": {}, "follow": {{"method": "{}"}}, "avoid": {{"method": "{}"{}}}, "move": {{"method": "{}"}})",
      speed, follow, request.avoid, as, request.as_published ? "published" : "careful");
  if (with_strategy && !request.strategy.empty()) text += fmt::format(R"(, "strategy": {})", request.strategy);
  if (with_strategy && !request.congestion.empty()) text += fmt::format(R"(, "congestion": {})", request.congestion);
  return text + "}";
}

}  // namespace

const std::vector<std::string>& strategy_scenes() {
  static const std::vector<std::string> names{"uturn", "uturn-both", "uturn-bare", "circle", "single"};
  return names;
}

Result<scenario::Scenario> make_strategy_scene(const StrategySceneRequest& request) {
  Drawn drawn;
  if (request.scene.starts_with("uturn") &&
      std::ranges::find(strategy_scenes(), request.scene) != strategy_scenes().end())
    drawn = uturn(request);
  else if (request.scene == "circle")
    drawn = circle();
  else if (request.scene == "single")
    drawn = single();
  else
    return Problem{Severity::error, ProblemCode::value, "scene", "there is no scene '" + request.scene + "'"};
  std::string profiles = fmt::format(R"("person": {})", profile_of(request, drawn.speed, request.follow, true));
  if (request.scene == "single")
    profiles += fmt::format(R"(, "other": {})", profile_of(request, drawn.speed, "direct", false));
  std::string guidance;
  if (request.is_guided && !drawn.blue.empty())
    guidance = fmt::format(R"(, "guidance": [{{"obstacles": [{}], "pass": "right"}}])", drawn.blue);
  const std::string text = fmt::format(
      R"({{"throng": 1, "environment": "{}.geojson", "duration": {}, "time_step": 0.1,
"profiles": {{{}}},
"populations": [{}]{}}})",
      request.scene, request.duration > 0 ? request.duration : drawn.duration, profiles, drawn.populations, guidance);
  const std::string plan = drawn.plan.text();
  scenario::ReadOptions options;
  options.read_file = [&](const std::string& path) -> Result<std::string> {
    return path.ends_with(".csv") ? drawn.positions : plan;
  };
  return scenario::parse_scenario(text, request.scene, scenario::installed_methods(), options);
}

}  // namespace throng::analysis
