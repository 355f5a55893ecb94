// The guidance of a scenario: on which side whom passes what, and signs.
#pragma once

#include "scenario/environment_names.hpp"
#include "scenario/json_checker.hpp"
#include "scenario/scenario.hpp"

namespace throng::scenario {

/// Into the scenario, whose populations were read. `names` is null where the environment could not be read.
void read_guidance(JsonChecker& checker, const Node& list, const EnvironmentNames* names, Scenario& scenario);

}  // namespace throng::scenario
