// Tables of a run for spreadsheets: what `throng run --agents`, `--groups` and `--measures` write.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/metrics.hpp"
#include "scenario/simulation.hpp"

namespace throng::analysis {

/// A line for each person.
[[nodiscard]] Problems write_agents_csv(const std::string& path, const scenario::Simulation& simulation,
                                        const Metrics& metrics);
/// A line for each group.
[[nodiscard]] Problems write_groups_csv(const std::string& path, const scenario::Simulation& simulation,
                                        const Metrics& metrics);
/// What groups of one size came to, or all of them (size 0).
struct GroupFigures {
  GroupSummary of;
  std::vector<std::uint64_t> distances, angles;  ///< counts; empty for all
  double distance_bin = 0, angle_bin = 0;        ///< metres, degrees
};
/// All groups, and those of each size.
[[nodiscard]] std::vector<GroupFigures> figures_of(const GroupMetrics& groups);
/// For `--json`, recordings and reports.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<GroupFigures>& groups);
/// Nothing where it makes no sense.
[[nodiscard]] std::optional<std::vector<GroupFigures>> groups_from_json(const nlohmann::ordered_json& json);
/// Every crossing and every density.
[[nodiscard]] Problems write_measures_csv(const std::string& path, const Metrics& metrics);

}  // namespace throng::analysis
