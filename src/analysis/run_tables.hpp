// Tables of a run for spreadsheets: what `throng run --agents` and `--measures` write.
#pragma once

#include <string>

#include "analysis/metrics.hpp"
#include "scenario/simulation.hpp"

namespace throng::analysis {

/// A line for each person.
[[nodiscard]] Problems write_agents_csv(const std::string& path, const scenario::Simulation& simulation,
                                        const Metrics& metrics);
/// Every crossing and every density.
[[nodiscard]] Problems write_measures_csv(const std::string& path, const Metrics& metrics);

}  // namespace throng::analysis
