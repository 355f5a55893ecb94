// What a scenario's author wants to know before the first run: who does not fit, which goals cannot be reached.
#pragma once

#include <cstddef>

#include "crowd/world.hpp"
#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::scenario {

struct ScenarioCheck {
  Problems problems;       ///< errors: it cannot run. Warnings: goals nobody can reach, entrances nobody can use
  std::size_t people = 0;  ///< there at the start
};

/// Sets the scenario up, places everybody with the scenario's seed, and plans sample routes from goal to goal with a body of the
/// profile's mean radius. Nothing is simulated.
[[nodiscard]] ScenarioCheck check_scenario(const Scenario& scenario, const crowd::World& world);

}  // namespace throng::scenario
