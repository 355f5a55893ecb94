// Tables of a run for spreadsheets: what `throng run --agents`, `--groups` and `--measures` write.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "analysis/metrics.hpp"
#include "scenario/simulation.hpp"

namespace throng::analysis {

/// A line for each person.
[[nodiscard]] Problems write_agents_csv(const std::string& path, const scenario::Simulation& simulation,
                                        const Metrics& metrics);
/// A line for each group.
[[nodiscard]] Problems write_groups_csv(const std::string& path, const scenario::Simulation& simulation,
                                        const Metrics& metrics);
/// All groups and those of each size, with histograms: for `--json`, recordings and reports.
[[nodiscard]] nlohmann::ordered_json groups_json(const GroupMetrics& groups);
/// Every crossing and every density.
[[nodiscard]] Problems write_measures_csv(const std::string& path, const Metrics& metrics);

}  // namespace throng::analysis
