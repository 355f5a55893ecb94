// Several runs of one scenario beside each other: a row a run, and what they have in common. Rows are the objects of `throng run --json`,
// and what is spread is what analysis/figures.hpp calls averaged, so a method's figures are here without being named.
//
// Laws
// 1. Figures that no run used are left out; of one that no run came to (evacuated_100 of runs that ended early) all is null.
// 2. A run that was cut short has a row, and is in no mean and no percentile.
// 3. A percentile is the smallest figure that so many of a hundred runs stay at or below (nearest rank). A run that never got there
//    (null: evacuated_95 where too few came) counts as later than all that did, and a percentile that falls on one is null.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "cli/report.hpp"
#include "throng/result.hpp"

namespace throng::cli {

inline constexpr std::array<int, 5> run_percentiles{5, 25, 50, 75, 95};

struct RunSpread {
  std::string name;
  std::size_t runs = 0;  ///< that have a figure; where none has, there is nothing to tell
  std::optional<double> mean, deviation, least, most;
  std::array<std::optional<double>, run_percentiles.size()> percentiles;
};

/// Of every figure, in the order of the first run.
[[nodiscard]] std::vector<RunSpread> spread_of(const std::vector<Json>& runs);

/// The object behind the rows: runs, asked, stopped, and {mean, deviation, runs, least, p5 ... p95, most} a figure.
[[nodiscard]] Json spread_json(const std::vector<Json>& runs, std::uint64_t asked);
[[nodiscard]] std::string spread_table(const std::vector<Json>& runs, std::uint64_t asked);
/// A row a run, then one each of mean, deviation and percentiles; the first column tells which.
[[nodiscard]] Problems write_runs_csv(const std::string& path, const std::vector<Json>& runs);

}  // namespace throng::cli
