// The last level of a step: a chosen velocity and the bodies around in, a way out. What a method decides are the rules below, from a person's
// numbers; the crowd moves everybody by them at once, because contact is between people of any method (crowd/move.cpp).
// Walls are hard whatever the rules.
#pragma once

#include <vector>

#include "agents/method.hpp"

namespace throng::steering {

/// How somebody takes up a velocity and gives way to bodies.
struct MotionRules {};

class Mover {
 public:
  virtual ~Mover() = default;
  [[nodiscard]] virtual const agents::MethodInfo& info() const = 0;
  [[nodiscard]] virtual MotionRules rules(const double* numbers) const = 0;
};

/// Every one there is, in order of their names.
[[nodiscard]] const std::vector<const Mover*>& movers();

}  // namespace throng::steering
