#include "scenario/environment_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "text/nearest_name.hpp"

namespace throng::scenario {

using environment::in_quotes;

EnvironmentNames::EnvironmentNames(const environment::Environment& environment) {
  for (const environment::Layer& layer : environment.layers) layers_.push_back(layer.id);
  for (const environment::Feature& feature : environment.features) {
    if (feature.kind == environment::Kind::area) areas_[feature.name].insert(feature.layer);
    if (feature.kind == environment::Kind::region) region_types_.insert(feature.type);
  }
}

std::optional<Index> EnvironmentNames::find_layer(const std::string& id) const {
  const auto at = std::find(layers_.begin(), layers_.end(), id);
  return at == layers_.end() ? std::nullopt : std::optional(Index(at - layers_.begin()));
}

Index EnvironmentNames::layer(JsonChecker& checker, const Node& parent) const {
  if (!parent.has("layer")) return none;
  const Node node = parent.at("layer");
  const std::vector<std::string_view> ids(layers_.begin(), layers_.end());
  const std::optional<std::size_t> layer = checker.choice(node, "layer", ids);
  return layer ? Index(*layer) : none;
}

void EnvironmentNames::check_area(JsonChecker& checker, const AreaSpec& area) const {
  const auto at = areas_.find(area.name);
  if (at == areas_.end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, layers] : areas_) names.push_back(name);
    const std::string_view hint = names.empty() ? "; the environment has no areas" : "";
    return checker.error(ProblemCode::value, area.pointer,
                         fmt::format("there is no area {}{}", environment::suggest(area.name, names), hint));
  }
  if (area.layer == none || at->second.contains(area.layer)) return;
  std::string where;
  for (const std::size_t layer : at->second)
    where += fmt::format("{}{}", where.empty() ? "" : ", ", in_quotes(layers_[layer]));
  checker.error(
      ProblemCode::value, area.pointer,
      fmt::format("area {} is not in layer {} but in {}", in_quotes(area.name), in_quotes(layers_[area.layer]), where));
}

}  // namespace throng::scenario
