// Level 2, after avoidance: topological strategies (van Toll, Pettre 2019, 5.1). Who uses one compares the sides on which the way it prefers and
// the velocity it chose pass the obstacles, and thinks again where they disagree. What is done then takes routes and the whole crowd, so it is
// done there (crowd/decide.cpp); here is what a method says of itself.
// Thread-safety: immutable.
#pragma once

#include <vector>

#include "agents/method.hpp"

namespace throng::steering {

/// Numbers of `topological`, in order.
enum class StrategyNumber { replan_every, detour, strict, hold, range, keep_sides };

class Decider {
 public:
  virtual ~Decider() = default;
  [[nodiscard]] virtual const agents::MethodInfo& info() const = 0;
};

/// Every one there is; the first is meant where none is named.
[[nodiscard]] const std::vector<const Decider*>& deciders();

}  // namespace throng::steering
