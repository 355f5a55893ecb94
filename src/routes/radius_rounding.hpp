// Radii rounded up to whole centimetres: people of drawn radii share flow fields, waypoints, tables and routes' corridors. Who finds no
// way by the rounded radius asks again by its own.
#pragma once

#include <cmath>

namespace throng::routes {

[[nodiscard]] inline double radius_rounded_up(double radius) {
  constexpr double classes_a_metre = 100;
  constexpr double rounding = 1e-6;  // of a centimetre: 0.29 * 100 is a little more than 29
  return std::ceil(radius * classes_a_metre - rounding) / classes_a_metre;
}

}  // namespace throng::routes
