#include "server/scenario_edits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <limits>
#include <ranges>

#include "environment/formats/formats.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"

namespace throng::server {
namespace {

using environment::Feature;
using environment::Kind;
using environment::Polygon;

constexpr std::string_view area_prefix = "area:", goal_prefix = "goal:";

std::string id_of(const Feature& feature) { return fmt::format("obstacle:{}", feature.number); }

struct Span {
  Vec2 low{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  Vec2 high{-std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  void take(Vec2 p) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  [[nodiscard]] Vec2 middle() const { return (low + high) * 0.5; }
};

Span span_of(const Feature& feature) {
  Span span;
  for (const Polygon& polygon : feature.polygons)
    for (const Vec2 p : polygon.outer) span.take(p);
  return span;
}

void shift(Feature& feature, Vec2 by) {
  for (Polygon& polygon : feature.polygons) {
    for (Vec2& p : polygon.outer) p = p + by;
    for (environment::Ring& hole : polygon.holes)
      for (Vec2& p : hole) p = p + by;
  }
}

/// For clicks: which side of an edge a point on it is taken for does not matter.
bool contains(const environment::Ring& ring, Vec2 p) {
  bool inside = false;
  for (std::size_t i = 0, j = ring.size() - 1; i < ring.size(); j = i++)
    if ((ring[i].y > p.y) != (ring[j].y > p.y) &&
        p.x < (ring[j].x - ring[i].x) * (p.y - ring[i].y) / (ring[j].y - ring[i].y) + ring[i].x)
      inside = !inside;
  return inside;
}

/// Points of a JSON list of pairs.
std::optional<Span> span_of(const Json& ring) {
  Span span;
  if (!ring.is_array() || ring.empty()) return std::nullopt;
  for (const Json& p : ring) {
    if (!p.is_array() || p.size() < 2 || !p[0].is_number() || !p[1].is_number()) return std::nullopt;
    span.take({p[0].get<double>(), p[1].get<double>()});
  }
  return span;
}

}  // namespace

ScenarioEdits::ScenarioEdits(const scenario::Scenario& scenario, const geometry::SnapGrid& grid)
    : source_(scenario.source),
      folder_(std::filesystem::path(scenario.source).parent_path().string()),
      document_(Json::parse(scenario.text, nullptr, false, true)),
      environment_(scenario.environment) {
  environment_.grid = grid;
  for (std::size_t i = 0; i < environment_.features.size(); ++i) environment_.features[i].number = i;
  next_number_ = environment_.features.size();
}

std::string ScenarioEdits::add_obstacle(Vec2 c, std::size_t layer, double size) {
  const double h = size / 2;
  Feature feature;
  feature.kind = Kind::obstacle;
  feature.layer = layer;
  feature.polygons = {{{{c.x - h, c.y - h}, {c.x + h, c.y - h}, {c.x + h, c.y + h}, {c.x - h, c.y + h}}, {}}};
  feature.number = next_number_++;
  feature.id = fmt::format("dropped-{}", feature.number);
  environment_.features.push_back(feature);
  return id_of(feature);
}

std::string ScenarioEdits::obstacle_at(Vec2 point, std::size_t layer) const {
  for (const Feature& feature : environment_.features | std::views::reverse) {
    if (feature.kind != Kind::obstacle || feature.layer != layer) continue;
    for (const Polygon& polygon : feature.polygons)
      if (contains(polygon.outer, point)) return id_of(feature);
  }
  return {};
}

bool ScenarioEdits::remove_obstacle(const std::string& id) {
  return std::erase_if(environment_.features, [&](const Feature& feature) {
           return feature.kind == Kind::obstacle && !feature.polygons.empty() && id_of(feature) == id;
         }) > 0;
}

/// "goal:POPULATION:GOAL" in the document.
Json* ScenarioEdits::goal_json(const std::string& id) {
  if (!id.starts_with(goal_prefix)) return nullptr;
  std::size_t population = 0, goal = 0;
  const char* end = id.data() + id.size();
  const auto [colon, wrong] = std::from_chars(id.data() + goal_prefix.size(), end, population);
  if (wrong != std::errc() || colon == end || *colon != ':') return nullptr;
  const auto [stop, wrong_too] = std::from_chars(colon + 1, end, goal);
  if (wrong_too != std::errc() || stop != end) return nullptr;
  Json& populations = document_["populations"];
  if (population >= populations.size() || !populations[population].contains("goals")) return nullptr;
  Json& goals = populations[population]["goals"];
  return goal < goals.size() ? &goals[goal] : nullptr;
}

bool ScenarioEdits::move_goal(const std::string& id, Vec2 to, std::size_t layer) {
  if (layer >= environment_.layers.size()) return false;
  if (id.starts_with(area_prefix)) {
    const std::string name = id.substr(area_prefix.size());
    Span all;
    for (const Feature& feature : environment_.features)
      if (feature.kind == Kind::area && feature.name == name) {
        const Span span = span_of(feature);
        all.take(span.low), all.take(span.high);
      }
    if (!(all.low.x <= all.high.x)) return false;
    for (Feature& feature : environment_.features)
      if (feature.kind == Kind::area && feature.name == name) shift(feature, to - all.middle()), feature.layer = layer;
    return true;
  }
  Json* goal = goal_json(id);
  if (goal == nullptr || !goal->is_object()) return false;
  if (goal->contains("point")) {
    (*goal)["point"] = {to.x, to.y};
  } else if (goal->contains("polygon")) {
    const std::optional<Span> span = span_of((*goal)["polygon"]);
    if (!span) return false;
    const Vec2 by = to - span->middle();
    for (Json& p : (*goal)["polygon"]) p = {p[0].get<double>() + by.x, p[1].get<double>() + by.y};
  } else {
    return false;
  }
  if (environment_.layers.size() > 1) (*goal)["layer"] = environment_.layers[layer].id;
  return true;
}

void ScenarioEdits::set_weight(const std::string& profile, const std::string& type, const Json& weight) {
  weights_[profile][type] = weight;
}

void ScenarioEdits::add_people(std::size_t population, std::size_t count, Vec2 low, Vec2 high, std::size_t layer) {
  Json entry = document_["populations"][population];
  for (const char* member : {"rate", "from", "until", "positions", "route_points"}) entry.erase(member);
  const std::string name = entry.contains("name") && entry["name"].is_string()
                               ? entry["name"].get<std::string>()
                               : fmt::format("population-{}", population + 1);
  entry["name"] = fmt::format("{} (added {})", name, added_.size() + 1);
  entry["count"] = count;
  entry["start"] = {{"polygon", {{low.x, low.y}, {high.x, low.y}, {high.x, high.y}, {low.x, high.y}}}};
  if (environment_.layers.size() > 1) entry["start"]["layer"] = environment_.layers[layer].id;
  added_.push_back(std::move(entry));
}

void ScenarioEdits::add_sign(const Sign& sign) {
  Json obstacle{{"near", {sign.about.x, sign.about.y}}};
  Json post{{"at", {sign.at.x, sign.at.y}}, {"facing", sign.facing}, {"range", sign.range}};
  if (environment_.layers.size() > 1) obstacle["layer"] = post["layer"] = environment_.layers[sign.layer].id;
  document_["guidance"].push_back(
      {{"obstacles", Json::array({std::move(obstacle)})}, {"pass", sign.pass}, {"sign", std::move(post)}});
}

bool ScenarioEdits::remove_sign(Vec2 point, std::size_t layer, double within) {
  if (!document_.contains("guidance")) return false;
  Json& guidance = document_["guidance"];
  std::size_t nearest = guidance.size();
  double least = within * within;
  for (std::size_t i = 0; i < guidance.size(); ++i) {
    if (!guidance[i].contains("sign")) continue;
    const Json& post = guidance[i]["sign"];
    const Json& at = post["at"];
    if (post.contains("layer") && post["layer"] != environment_.layers[layer].id) continue;
    const double apart = squared_length(Vec2{at[0].get<double>(), at[1].get<double>()} - point);
    if (apart <= least) least = apart, nearest = i;
  }
  if (nearest == guidance.size()) return false;
  guidance.erase(nearest);
  if (guidance.empty()) document_.erase("guidance");
  return true;
}

std::vector<ScenarioEdits::Obstacle> ScenarioEdits::obstacles(std::size_t most) const {
  std::vector<Obstacle> found;
  for (const Feature& feature : environment_.features | std::views::reverse) {
    if (feature.kind != Kind::obstacle) continue;
    for (const Polygon& polygon : feature.polygons)
      if (found.size() < most) found.push_back({id_of(feature), feature.layer, polygon.outer});
  }
  return found;
}

std::vector<ScenarioEdits::GoalPlace> ScenarioEdits::goal_places() const {
  std::vector<GoalPlace> places;
  const auto known = [&](const std::string& id) {
    return std::any_of(places.begin(), places.end(), [&](const GoalPlace& place) { return place.id == id; });
  };
  const auto add_area = [&](const Json& name) {
    if (!name.is_string() || known(std::string(area_prefix) + name.get<std::string>())) return;
    for (const Feature& feature : environment_.features)
      if (feature.kind == Kind::area && feature.name == name.get<std::string>()) {
        places.push_back(
            {std::string(area_prefix) + feature.name, feature.name, span_of(feature).middle(), feature.layer});
        return;
      }
  };
  const Json populations = document_.value("populations", Json::array());
  for (std::size_t p = 0; p < populations.size(); ++p) {
    const Json goals = populations[p].value("goals", Json::array());
    for (std::size_t g = 0; g < goals.size(); ++g) {
      const Json& goal = goals[g];
      if (goal.contains("area")) add_area(goal["area"]);
      if (goal.contains("nearest"))
        for (const Json& name : goal["nearest"]) add_area(name);
      if (goal.contains("choose"))
        for (const auto& [name, weight] : goal["choose"].items()) add_area(name);
      const std::string id = fmt::format("{}{}:{}", goal_prefix, p, g);
      const std::string label =
          fmt::format("goal {} of {}", g + 1, populations[p].value("name", fmt::format("population-{}", p + 1)));
      if (goal.contains("point") && goal["point"].size() >= 2)
        places.push_back({id, label, {goal["point"][0].get<double>(), goal["point"][1].get<double>()}, 0});
      else if (goal.contains("polygon"))
        if (const std::optional<Span> span = span_of(goal["polygon"])) places.push_back({id, label, span->middle(), 0});
    }
  }
  return places;
}

Result<Json> ScenarioEdits::document() const {
  const Result<std::string> environment = environment::write_environment("geojson", environment_);
  if (!environment) return environment.problems();
  Json document = document_;
  document["environment"] = Json::parse(*environment, nullptr, false);
  return document;
}

Result<std::string> ScenarioEdits::text() const {
  Result<Json> written = document();
  if (!written) return written.problems();
  for (const Json& population : added_) (*written)["populations"].push_back(population);
  if (!weights_.empty()) {
    Json events = Json::array({{{"at", 0}, {"weights", weights_}}});
    for (const Json& event : document_.value("events", Json::array())) events.push_back(event);
    (*written)["events"] = std::move(events);
  }
  return written->dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<scenario::Scenario> ScenarioEdits::scenario() const {
  const Result<Json> written = document();
  if (!written) return written.problems();
  return scenario::parse_scenario(dump(*written), source_, scenario::installed_methods(), {folder_, {}});
}

}  // namespace throng::server
