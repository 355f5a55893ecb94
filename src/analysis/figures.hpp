// The figures of a run, in one list: `throng run --json`, its table, the means of `--runs`, recordings and reports are all read off it.
//
// Laws
// 1. A figure has one key, one label, one unit, wherever it is shown. What it means is in metrics.hpp.
// 2. Means over those who arrived are null where nobody did; figures of methods that nobody uses are left out.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/metrics.hpp"

namespace throng::analysis {

/// Why a run did not come to its end.
enum class StoppedBy { nothing, signal, recording, fault };

/// What a run came to: what was counted of its people, and how it ended.
struct RunEnd {
  Summary summary;
  double wall_s = 0;
  std::size_t waiting_outside = 0;
  std::uint64_t seed = 0;
  double duration = 0;  ///< that was asked for
  StoppedBy stopped_by = StoppedBy::nothing;
  std::optional<double> recorded_until;  ///< of a recording that failed
  std::vector<std::string> populations;  ///< their names

  [[nodiscard]] bool stopped() const { return stopped_by != StoppedBy::nothing; }
};

struct FigureOfRun {
  std::string_view key, label, unit;
  int decimals = 0;
  bool of_people = true;      ///< rather than of the computation
  bool comparable = true;     ///< whether a mean over runs says something
  bool averaged = false;      ///< `--runs` says it of all runs
  bool from_frames = false;   ///< can be told from recorded frames alone
  bool where_in_use = false;  ///< left out where it is null
  nlohmann::ordered_json (*value)(const RunEnd&) = nullptr;
};

[[nodiscard]] std::span<const FigureOfRun> figures();

/// An object of all figures, in their order.
[[nodiscard]] nlohmann::ordered_json to_json(const RunEnd& end);
/// Those that frames alone can tell, of a run that was not closed.
[[nodiscard]] nlohmann::ordered_json to_json_from_frames(const RunEnd& end);

}  // namespace throng::analysis
