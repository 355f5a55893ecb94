// What a run is judged by, set up from its scenario.
#pragma once

#include "analysis/metrics.hpp"
#include "scenario/simulation.hpp"

namespace throng::analysis {

/// Metrics of the lines and areas that the scenario measures.
[[nodiscard]] Metrics metrics_of(const scenario::Simulation& simulation);

}  // namespace throng::analysis
