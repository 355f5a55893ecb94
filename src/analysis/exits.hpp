// By which exit people left: the named area they were in, or nearest to, when they were last seen.
//
// A recording does not say it: somebody who leaves is seen last a step before, within a step's length of the area. So the nearest area within
// `exit_reach` of the last place counts; who left farther from every area is counted as having left elsewhere.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/recorded_run.hpp"

namespace throng::analysis {

/// Metres: what somebody walks between two frames, and a little.
inline constexpr double exit_reach = 2.5;

/// The name of the area; empty where none is near.
[[nodiscard]] std::string exit_at(const environment::CleanEnvironment& environment, std::uint32_t layer, Vec2 place);

struct ExitFigures {
  std::string name;  ///< empty: elsewhere
  std::size_t people = 0;
  double first = 0, last = 0;  ///< seconds
  std::vector<double> times;   ///< of everybody, ascending
  /// Persons a second between the first and the last; nothing where fewer than two left, or all at once.
  [[nodiscard]] std::optional<double> flow() const {
    return people > 1 && last > first ? std::optional(double(people - 1) / (last - first)) : std::nullopt;
  }
};

/// Of those who arrived and left, by name.
[[nodiscard]] std::vector<ExitFigures> exits_of(const RecordedRun& run);

}  // namespace throng::analysis
