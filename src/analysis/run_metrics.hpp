// What a run is judged by, set up from its scenario.
#pragma once

#include "analysis/metrics.hpp"
#include "scenario/simulation.hpp"

namespace throng::analysis {

/// The scenario's measuring lines, where they lie.
[[nodiscard]] std::vector<MeasuredLine> lines_of(const scenario::Scenario& scenario, const scenario::Setup& setup);
/// Metrics of the lines and areas that the scenario measures.
[[nodiscard]] Metrics metrics_of(const scenario::Simulation& simulation);

}  // namespace throng::analysis
