// Joins line ends that nearly meet something: law 1 of line_plan.hpp.
#pragma once

#include <span>
#include <vector>

#include "geometry/grid_point.hpp"

namespace throng::environment {

/// A polyline on the grid, of two points or more, none the same as the one before. A closed one repeats its first point.
struct SnappedLine {
  std::vector<geometry::GridPoint> points;
  bool door = false;
};

/// The joints that close gaps of up to `gap` units, of two points each. Indexed: no pair of lines that are far apart is looked at.
[[nodiscard]] std::vector<SnappedLine> joints_of(std::span<const SnappedLine> lines, double gap);

}  // namespace throng::environment
