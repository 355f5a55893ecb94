// Velocities to choose from, and how long each stays free of collisions.
//
// Laws
// 1. time[k] is how long the person can walk with velocity k until it meets a body or a wall (time_to_collision.hpp); infinite where
//    it never does. Meetings only ever lower it.
// 2. keep_off() takes from every velocity what it has too much towards a wall.
// Floats relative to the person, because that is enough for choosing and twice as quick. Complexity: O(velocities) a body, vectorised.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "steering/admission.hpp"
#include "steering/avoider.hpp"

namespace throng::steering {

struct VelocityFan {
  static constexpr std::size_t capacity = 64;
  std::size_t count = 0;
  alignas(32) std::array<float, capacity> x, y;  ///< velocities
  alignas(32) std::array<float, capacity> time;
  using Costs = std::array<float, capacity>;  ///< by velocity

  void clear() { count = 0; }
  void add(Vec2 velocity) {
    x[count] = float(velocity.x);
    y[count++] = float(velocity.y);
  }
  /// Forgets all meetings. Fills up to a multiple of 8 with velocities that are of no matter.
  void start();
  /// Somebody whose centre is at `offset` from the person's, walking with `velocity`; `radii` is the sum of both radii.
  void meet_body(Vec2 offset, Vec2 velocity, double radii);
  /// A wall without its ends; a and b are offsets from the person's centre, and differ.
  void meet_wall(Vec2 a, Vec2 b, double radius);
  void keep_off(std::span<const HalfPlane> walls);
  /// With what start() filled up: loops over so many need no remainder.
  [[nodiscard]] std::size_t padded() const { return padded_; }

 private:
  std::size_t padded_ = 0;
};

/// Makes what rules from outside do not allow cost infinitely much; false, and nothing done, where that would leave nothing.
bool forbid(const VelocityFan& fan, const Admission& admission, VelocityFan::Costs& costs);

}  // namespace throng::steering
