#include "scenario/check_ground.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "routes/ground_planner.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/profile_reader.hpp"
#include "text/nearest_name.hpp"

namespace throng::scenario {

using environment::in_quotes;

bool plans_over_ground(const ProfileSpec& profile) {
  const std::string& method = profile.methods[agents::Level::route].name;
  return std::ranges::find(routes::ground_method_names, method) != std::end(routes::ground_method_names);
}

std::vector<std::string> ground_types(const crowd::World& world) {
  std::vector<std::string> types;
  if (!world.regions || world.regions->empty()) return types;
  for (const std::string& name : world.regions->types()) {
    const std::string type = name.empty() ? ground::plain_type : name;
    if (std::ranges::find(types, type) == types.end()) types.push_back(type);
  }
  return types;
}

std::vector<double> mean_row(const ProfileSpec& profile, const ground::GroundKinds& kinds) {
  std::map<std::string, GroundWeight> weights;
  for (const auto& [type, weight] : profile.weights) weights[type] = weight.at(weight.across.mean());
  return ground::row_of(kinds, weights);
}

Problems check_ground(const Scenario& scenario, const crowd::World& world) {
  Problems problems;
  if (!world.regions || world.regions->empty()) return problems;
  const ground::GroundKinds& kinds = world.regions->kinds();
  std::set<std::string> unweighed, sloping;
  for (std::size_t k = 1; k < kinds.size(); ++k) {
    if (kinds[k].slopes()) sloping.insert(kinds[k].type);
    if (kinds[k].type != ground::ramp_type && kinds[k].type != ground::stairs_type) unweighed.insert(kinds[k].type);
  }
  const auto warn = [&](const std::string& pointer, std::string message) {
    problems.push_back({Severity::warning, ProblemCode::value, scenario.source + ": " + pointer, std::move(message)});
  };
  std::set<std::size_t> used;
  for (const PopulationSpec& population : scenario.populations) used.insert(population.profile);
  // Who says `"weights": {}` knows that nothing is weighed.
  const bool weighs_nothing =
      std::ranges::all_of(used, [&](std::size_t p) { return scenario.profiles[p].weights.empty(); });
  for (const std::size_t p : used) {
    const ProfileSpec& profile = scenario.profiles[p];
    const auto plain = profile.weights.find(ground::plain_type);
    std::vector<std::string> weighed;
    for (const auto& [type, weight] : profile.weights) {
      const bool is_there = std::ranges::find(kinds.names(), type) != kinds.names().end();
      if (is_there && !(weight == (plain == profile.weights.end() ? WeightSpec{} : plain->second)))
        weighed.push_back(type);
      if (weight.up && is_there && !sloping.contains(type))
        warn("/profiles/" + profile.name + "/weights/" + type,
             fmt::format("no ground of the type {} slopes: a metre costs the same in all directions", in_quotes(type)));
      unweighed.erase(type);
    }
    if (weighed.empty() || plans_over_ground(profile) || profile.route_given()) continue;
    const bool by_default = profile.weights == default_profile(installed_methods()).weights;
    warn("/profiles/" + profile.name,
         fmt::format("profile {} weighs {}{}, but '{}' plans its routes as if all ground were the same; \"route\": "
                     "{{\"method\": \"weighted\"}} minds it, \"weights\": {{}} weighs nothing",
                     in_quotes(profile.name), fmt::join(weighed, " and "), by_default ? " by default" : "",
                     profile.methods[agents::Level::route].name));
  }
  if (!unweighed.empty() && !weighs_nothing)
    warn("/profiles", fmt::format("no profile weighs {}: to everybody {} like plain ground", fmt::join(unweighed, ", "),
                                  unweighed.size() == 1 ? "it is" : "they are"));
  return problems;
}

}  // namespace throng::scenario
