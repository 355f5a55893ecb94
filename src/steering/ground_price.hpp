// Avoidance that knows the ground: candidates onto dearer ground score worse (Jaklin 2016, 6.5, 7.3).
//
// A candidate's score is multiplied by 1 + strength x (m / m0 - 1), m being what a metre costs on average along the first two seconds of it,
// as far as it is free, by the person's own weights, and m0 the least of all candidates. Two are left as they are: the way the person wants
// to go, whose ground its follower has weighed, and standing, so that nobody is held in place.
//
// Laws
// 1. Strength 0, a world of even ground, a person to whom all ground is the same, or no border near: nothing is computed, scores stay.
// 2. A candidate over dearer ground never scores better for it.
// Complexity: O(borders near) a candidate. Thread-safety: buffers are a thread's own.
#pragma once

#include "steering/avoider.hpp"

namespace throng::steering {

class GroundPrice {
 public:
  /// `speed`: the preferred one.
  GroundPrice(const AvoidView& view, Slot slot, double strength, double speed);

  [[nodiscard]] bool counts() const { return weights_ != nullptr; }
  /// Takes in a candidate that is free for so many metres; what is returned is to be handed to factor() after all were taken in.
  double take(Vec2 velocity, double free);
  [[nodiscard]] double factor(double mean) const { return mean > least_ ? 1 + strength_ * (mean / least_ - 1) : 1; }

 private:
  const AvoidView& view_;
  Slot slot_;
  double strength_;
  double reach_ = 0;
  const double* weights_ = nullptr;
  double least_ = 0;
};

}  // namespace throng::steering
