// Where a crowd stood too close, for how long, and how many: what a planner looks at first.
//
// Definitions (docs/reports.md)
//   tight          a density of `tight_density` and more where somebody is (crowd_maps.hpp)
//   person-seconds those who stood so, times how long
//   place          all squares of `tight_square` within `tight_reach` of the worst of them, in one layer
//
// Laws
// 1. The same samples give the same bits; of equals the one that stands first (layer, column, row) comes first.
// 2. Person-seconds of all places add up to those that were added.
// Cost: O(log squares) a person who stands tight. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::analysis {

/// Above it people can hardly move, and pressure builds up (Fruin 1971: level F begins at 2.17; crowds at 3.5 and more push).
inline constexpr double tight_density = 3.5;                // persons a square metre
inline constexpr double tight_square = 1, tight_reach = 4;  // metres

struct TightPlace {
  std::uint32_t layer = 0;
  Vec2 at;  ///< mean place of those who stood there, by the time they did
  double person_seconds = 0;
  double from = 0, until = 0;  ///< seconds: the first time somebody stood so, and the last
  double highest = 0, highest_time = 0;
};

class TightPlaces {
 public:
  /// Somebody at a place where it is so dense, for so many seconds; what is not tight is left out.
  void add(std::uint32_t layer, Vec2 at, double density, double time, double seconds);
  /// The worst, most person-seconds first; at most so many.
  [[nodiscard]] std::vector<TightPlace> worst(std::size_t most) const;

 private:
  using Square = std::tuple<std::uint32_t, std::int64_t, std::int64_t>;
  std::map<Square, TightPlace> squares_;  ///< `at` is a sum here
};

}  // namespace throng::analysis
