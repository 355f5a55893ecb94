// How far a disc can go in each direction of a fan before it meets a moving disc or a wall.
//
// Laws
// 1. distance[k] is the way the person's centre goes along direction k, at `speed`, until the bodies touch; infinite where they
//    never do. Limits only ever lower it.
// 2. Bodies that overlap, or touch, block the directions that bring them closer, and no others.
// Directions are floats: offsets are taken in doubles before, so the error is below 1e-5 of the distance looked at.
// Complexity: O(directions) a body, without branches, so that compilers vectorise. The same bits on every machine.
#pragma once

#include <array>
#include <cstddef>

#include "throng/vec2.hpp"

namespace throng::steering {

struct DirectionFan {
  static constexpr std::size_t capacity = 368;  ///< a full turn by whole degrees, rounded up
  std::size_t count = 0;                        ///< a multiple of 8: what the last ones hold is of no matter
  float speed = 0;                              ///< of the person, positive
  std::array<float, capacity> x, y;             ///< unit directions
  std::array<float, capacity> distance;
};

/// Fills the fan's directions with the unit vector `ahead`, turned by angles of these cosines and sines; nothing limits them yet.
void aim(DirectionFan& fan, Vec2 ahead, const double* cosines, const double* sines);
/// Somebody whose centre is at `offset` from the person's, walking with `velocity`; `radii` is the sum of both radii.
void limit_by_body(DirectionFan& fan, Vec2 offset, Vec2 velocity, double radii);
/// A standing point, `radius` the person's own: ends of walls.
void limit_by_point(DirectionFan& fan, Vec2 offset, double radius);
/// A wall without its ends; a and b are offsets from the person's centre.
void limit_by_wall(DirectionFan& fan, Vec2 a, Vec2 b, double radius);

}  // namespace throng::steering
