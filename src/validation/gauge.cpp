#include "validation/gauge.hpp"

#include <algorithm>

#include "text/nearest_name.hpp"

namespace throng::validation {

std::vector<Vec2> points_of(const Json& list) {
  std::vector<Vec2> points;
  for (const Json& point : list) points.push_back({point.at(0).get<double>(), point.at(1).get<double>()});
  return points;
}

Result<Index> layer_of(const Json& arguments, const environment::CleanEnvironment& environment) {
  if (!arguments.contains("layer")) return Index{0};
  const std::string id = arguments.at("layer");
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < environment.layers.size(); ++i) {
    if (environment.layers[i].layer.id == id) return Index(i);
    names.push_back(environment.layers[i].layer.id);
  }
  return Problem{Severity::error, ProblemCode::value, "layer", "unknown layer: " + environment::suggest(id, names)};
}

Result<goals::Area> area_of(const Json& arguments, const environment::CleanEnvironment& environment) {
  if (arguments.contains("area")) return goals::Area::named(environment, arguments.at("area").get<std::string>());
  const Result<Index> layer = layer_of(arguments, environment);
  if (!layer) return layer.problems();
  return goals::Area::drawn(environment, points_of(arguments.at("polygon")), *layer);
}

Problems OfPopulation::begin(const Scene& scene) {
  if (name_.empty() || scene.simulation == nullptr) return {};
  const auto& populations = scene.simulation->scenario().populations;
  const auto found = std::ranges::find(populations, name_, &scenario::PopulationSpec::name);
  if (found == populations.end())
    return {{Severity::error, ProblemCode::value, "population", "there is no population '" + name_ + "'"}};
  number_ = Index(found - populations.begin());
  return {};
}

}  // namespace throng::validation
