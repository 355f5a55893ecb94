// How fast somebody walks at most, and how a velocity is cut to that (Avoider, law 2).
#pragma once

#include <cmath>

#include "steering/avoider.hpp"

namespace throng::steering {

/// `factor` is what Avoider::speed_limit() says.
[[nodiscard]] inline double speed_limit(const People& people, Slot slot, double factor) {
  return factor * people.speed[slot];
}

/// The velocity, shortened to the limit if it is longer.
[[nodiscard]] inline Vec2 limited(Vec2 velocity, double limit) {
  const double length2 = squared_length(velocity);
  return length2 > limit * limit ? velocity * (limit / std::sqrt(length2)) : velocity;
}

}  // namespace throng::steering
