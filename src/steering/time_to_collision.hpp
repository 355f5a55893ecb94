// When bodies meet: the one place for it. Discs against discs that keep their velocities, and against walls.
//
// A disc meets another where |offset - approach t| = radii, with the approach the one's velocity relative to the other's. The earlier
// root, in the form that does not cancel:
//   t = apart / (closing + sqrt(closing^2 - |approach|^2 apart)),  apart = |offset|^2 - radii^2,  closing = offset . approach.
// A disc meets a straight wall after apart / closing, with the distance to the wall less the radius, and the speed towards it; and
// the ends of the wall as discs of no radius.
//
// Laws
// 1. Infinite where they never meet. Bodies that overlap or touch meet at once where they come closer, and never where they do not.
// 2. The same bits on every machine; branchless, so that loops over many velocities become vectors.
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "throng/vec2.hpp"

namespace throng::steering {

template <class Real>
inline constexpr Real never = std::numeric_limits<Real>::infinity();

/// `scale` times the time until two discs touch: the time for 1, the distance walked for the walker's speed. `apart` is at least 0.
template <class Real>
[[nodiscard]] inline Real until_discs_touch(Real closing, Real approach2, Real apart, Real scale) {
  const Real square = closing * closing - approach2 * apart;
  const Real root = std::sqrt(square > 0 ? square : Real(0));
  const Real met = scale * apart / (closing + root);
  return closing > 0 && square >= 0 ? met : never<Real>;
}

/// A straight wall without its ends. `along` is the speed along it; the wall reaches from `low` to `high` that way.
template <class Real>
[[nodiscard]] inline Real until_wall_touched(Real closing, Real along, Real apart, Real low, Real high) {
  const Real met = apart / closing;
  const Real where = met * along;
  return closing > 0 && where >= low && where <= high ? met : never<Real>;
}

/// What `until_discs_touch` calls apart.
[[nodiscard]] inline double gap_between_discs(Vec2 offset, double radii) {
  return std::max(0.0, squared_length(offset) - radii * radii);
}

/// A straight wall as a body of some radius sees it.
struct FacingWall {
  Vec2 inwards, tangent;  ///< unit: towards the wall, and along it
  double apart = 0;       ///< between the body and the wall's line
  double low = 0, high = 0;
};

/// a and b are offsets from the body's centre; they must differ. Walls count from both sides: round a corner one sees their backs.
[[nodiscard]] inline FacingWall facing_wall(Vec2 a, Vec2 b, double radius) {
  const Vec2 along = b - a;
  const Vec2 tangent = along / std::sqrt(squared_length(along));
  const double height = cross(a, tangent);
  return {height < 0 ? perpendicular(tangent) : -perpendicular(tangent), tangent,
          std::max(0.0, std::abs(height) - radius), dot(a, tangent), dot(b, tangent)};
}

/// Seconds until two discs meet; `offset` leads to the other, `radii` is the sum.
[[nodiscard]] inline double time_to_disc(Vec2 offset, Vec2 approach, double radii) {
  return until_discs_touch(dot(offset, approach), squared_length(approach), gap_between_discs(offset, radii), 1.0);
}

/// Seconds until a disc meets a wall, ends included; a and b are offsets from its centre.
[[nodiscard]] inline double time_to_segment(Vec2 a, Vec2 b, Vec2 velocity, double radius) {
  double time = std::min(time_to_disc(a, velocity, radius), time_to_disc(b, velocity, radius));
  if (a == b) return time;
  const FacingWall wall = facing_wall(a, b, radius);
  return std::min(time, until_wall_touched(dot(wall.inwards, velocity), dot(wall.tangent, velocity), wall.apart,
                                           wall.low, wall.high));
}

}  // namespace throng::steering
