// Who is in view: a cone around the heading, as Needs::view_cosine has it.
#pragma once

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

}  // namespace throng::steering
