// Levels of service: how comfortable a density is, A to F (J. J. Fruin, Pedestrian Planning and Design, 1971).
//
// Fruin's bounds are areas a person in square feet; here they are persons a square metre (docs/reports.md has the table). A density
// on a bound belongs to the better level.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace throng::analysis {

constexpr std::size_t level_count = 6;
constexpr std::string_view level_names = "ABCDEF";

/// The highest density of A to E, persons a square metre.
using LevelBounds = std::array<double, level_count - 1>;

constexpr double square_feet = 0.09290304;  ///< square metres
constexpr LevelBounds bounds_of(double a, double b, double c, double d, double e) {
  return {1 / (a * square_feet), 1 / (b * square_feet), 1 / (c * square_feet), 1 / (d * square_feet),
          1 / (e * square_feet)};
}
constexpr LevelBounds walkway_levels = bounds_of(35, 25, 15, 10, 5);
constexpr LevelBounds stairway_levels = bounds_of(20, 15, 10, 7, 4);

/// 0 for A to 5 for F.
constexpr std::size_t level_of_service(double density, bool on_stairs) {
  const LevelBounds& bounds = on_stairs ? stairway_levels : walkway_levels;
  std::size_t level = 0;
  while (level < bounds.size() && density > bounds[level]) ++level;
  return level;
}

}  // namespace throng::analysis
