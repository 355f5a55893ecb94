#include "analysis/exit_scenes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/scene_plan.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"

namespace throng::analysis {
namespace {

struct Hall {
  double near = 15, far = 29;  ///< middles of the doors
  Vec2 low{0.5, 0.5}, high{19.5, 19.5};
};

/// A door of a metre, and a place behind it that is the exit.
void add_exit(ScenePlan& plan, double x, const char* name, bool is_open) {
  if (is_open) plan.walkable(x - 0.5, -0.3, x + 0.5, 0);
  const double right = std::min(30.0, x + 1.5);
  plan.walkable(x - 1.5, -3.3, right, -0.3);
  plan.area(x - 1.5, -3.3, right, -1.3, name);
}

std::string population(const char* name, int count, const std::string& goal) {
  return fmt::format(
      R"({{"name": "{}", "profile": "visitor", "count": {}, "start": {{"area": "start"}}, "goals": [{}]}})", name,
      count, goal);
}

}  // namespace

const std::vector<std::string>& exit_scenes() {
  static const std::vector<std::string> names{"two-exits", "rimea-11"};
  return names;
}

Result<scenario::Scenario> make_exit_scene(const ExitSceneRequest& request) {
  Hall hall;
  if (request.scene == "rimea-11")
    hall = {21.5, 27.5, {2, 2}, {15.5, 18}};
  else if (request.scene != "two-exits")
    return Problem{Severity::error, ProblemCode::value, "scene", "there is no scene '" + request.scene + "'"};
  ScenePlan plan;
  plan.walkable(0, 0, 30, 20);
  add_exit(plan, hall.near, "near", request.near_is_open);
  add_exit(plan, hall.far, "far", true);
  plan.area(hall.low.x, hall.low.y, hall.high.x, hall.high.y, "start");
  std::string populations;
  if (request.near_share) {
    const int near = int(std::floor(*request.near_share * request.people + 0.5));
    if (near > 0) populations = population("near", near, R"({"area": "near"})");
    if (near < request.people)
      populations += (near > 0 ? ", " : "") + population("far", request.people - near, R"({"area": "far"})");
  } else {
    populations = population("visitors", request.people, fmt::format(R"({{"{}": ["near", "far"]}})", request.goal));
  }
  const std::string congestion =
      request.congestion.empty() ? "" : fmt::format(R"(, "congestion": {})", request.congestion);
  const std::string text = fmt::format(
      R"({{"throng": 1, "environment": "{}.geojson", "duration": {},
"profiles": {{"visitor": {{"radius": 0.2, "speed": {{"normal": [1.34, 0.26], "min": 0.6, "max": 2}}, "follow": {{"method": "{}"}}{}}}}},
"populations": [{}]}})",
      request.scene, request.duration, request.follow, congestion, populations);
  scenario::ReadOptions options;
  options.read_file = [&](const std::string&) -> Result<std::string> { return plan.text(); };
  return scenario::parse_scenario(text, request.scene, scenario::installed_methods(), options);
}

}  // namespace throng::analysis
