// Who is in view: a cone around the heading, as Needs::view_cosine has it.
#pragma once

#include <algorithm>
#include <cmath>

#include "geometry/elementary.hpp"

namespace throng::steering {

/// Of half the field of view; -1 for all round.
[[nodiscard]] inline double half_view_cosine(double half_degrees) {
  return geometry::unit_direction(half_degrees / 360).x;
}

/// Whether an offset lies in the cone around a unit direction. Whoever is in the very same place is in view.
[[nodiscard]] inline bool in_view(Vec2 direction, Vec2 offset, double half_view_cosine) {
  return dot(direction, offset) >= half_view_cosine * std::sqrt(squared_length(offset));
}

/// Whether any point of a disc lies in it.
[[nodiscard]] inline bool body_in_view(Vec2 direction, Vec2 offset, double radius, double half_view_cosine) {
  const double apart = std::sqrt(squared_length(offset));
  if (apart <= radius) return true;
  // The cone is wider by the angle that the disc's radius fills.
  const double sine = radius / apart, cosine = std::sqrt(1 - sine * sine);
  if (half_view_cosine <= -cosine) return true;
  const double half_view_sine = std::sqrt(std::max(0.0, 1 - half_view_cosine * half_view_cosine));
  return dot(direction, offset) >= apart * (half_view_cosine * cosine - half_view_sine * sine);
}

}  // namespace throng::steering
