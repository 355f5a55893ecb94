// How far a point is from a straight line between two others; both may be the same.
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <cmath>

#include "throng/vec2.hpp"

namespace throng::geometry {

[[nodiscard]] inline double squared_distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 along = b - a;
  const double length2 = squared_length(along);
  const double t = length2 > 0 ? std::clamp(dot(p - a, along) / length2, 0.0, 1.0) : 0;
  return squared_length(a + along * t - p);
}
[[nodiscard]] inline double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  return std::sqrt(squared_distance_to_segment(p, a, b));
}

}  // namespace throng::geometry
