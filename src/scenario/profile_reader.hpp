// Profiles of a scenario file: what people are like, with the defaults of docs/scenarios.md for whatever is left out.
#pragma once

#include "scenario/json_checker.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario.hpp"

namespace throng::scenario {

/// The profile that leaves everything out.
[[nodiscard]] ProfileSpec default_profile(const MethodCatalogue& catalogue);

/// `node` is the object of one profile. What is wrong is reported and left at its default.
[[nodiscard]] ProfileSpec read_profile(JsonChecker& checker, const Node& node, const std::string& name,
                                       const MethodCatalogue& catalogue);

/// `node` is a table of weights by types of ground: numbers, distributions, "never", or up, across and down.
[[nodiscard]] std::optional<std::map<std::string, WeightSpec>> read_weight_table(JsonChecker& checker,
                                                                                 const Node& node);

}  // namespace throng::scenario
