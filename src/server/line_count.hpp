// Who crosses a line that somebody draws over a recording, or over the past of a live run.
//
// Laws
// 1. A crossing is a step between two frames whose straight line meets the line in the line's layer; from its left to its right, seen from its
//    first point to its second, counts forwards, as with measured lines (analysis/metrics.hpp). Who touches without crossing counts not.
// 2. All frames are looked at; `stop` ends it between two.
// Cost: O(people) a frame. Thread-safety: each call opens the file for itself.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "throng/result.hpp"
#include "throng/vec2.hpp"

namespace throng::server {

struct CountedLine {
  Vec2 from, to;
  std::uint32_t layer = 0;
};

struct LineCrossing {
  double time = 0;
  std::uint64_t serial = 0;
  int direction = 1;  ///< or -1
};

/// Most crossings that are told; a line that more cross is refused.
inline constexpr std::size_t most_crossings = 200'000;

[[nodiscard]] Result<std::vector<LineCrossing>> count_crossings(const std::string& recording, const CountedLine& line,
                                                                const std::atomic<bool>& stop);

/// +1 or -1 where the step from `a` to `b` crosses the line, 0 where it does not.
[[nodiscard]] int crosses(const CountedLine& line, Vec2 a, Vec2 b);

}  // namespace throng::server
