// The block "groups" of a population.
#pragma once

#include <optional>

#include "scenario/json_checker.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario.hpp"

namespace throng::scenario {

/// The default method with its default numbers, for files of positions that only say who is with whom.
[[nodiscard]] GroupsSpec default_groups(const std::vector<agents::MethodInfo>& methods);

/// What is wrong is reported. `population` has been read but for its groups; profiles are looked up in `scenario`.
[[nodiscard]] std::optional<GroupsSpec> read_groups(JsonChecker& checker, const Node& node,
                                                    const std::vector<agents::MethodInfo>& methods,
                                                    const PopulationSpec& population, const Scenario& scenario);

}  // namespace throng::scenario
