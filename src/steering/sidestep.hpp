// Stepping aside: one rule of ours for moussaid, karamouzas, sampling and orca (`sidestep`; 0, as published: nobody does).
//
// In the published methods people who stand in each other's way in a ring stand for ever: every way on is worse than standing. So who is
// slowed below half of the speed it wants, while somebody close ahead faces another way, turns what it wants to the right, by up to a
// quarter turn the slower it is, and takes what it finds there if that is quicker. Behind people who go one's own way one queues.
//
// Law: rules from outside come first: what they allow is taken before what they do not, however slow.
// Complexity: O(neighbours) for those who are slowed down. Thread-safety: pure.
#pragma once

#include <algorithm>
#include <cmath>

#include "steering/opposition.hpp"

namespace throng::steering {

/// What somebody found.
struct Choice {
  Vec2 velocity;
  bool is_allowed = true;  ///< by rules from outside
};

/// The velocity to look for instead of `wanted`, given what was found for that; `wanted` itself where there is no reason to step aside.
[[nodiscard]] inline Vec2 wanted_aside(const AvoidView& view, Slot slot, Vec2 wanted, Vec2 found, double sidestep) {
  const double speed = length(wanted);
  const double lost = 1 - 2 * length(found) / speed;
  if (!(lost > 0 && sidestep > 0) || !(opposition(view, slot, wanted / speed, close_ahead) > 0)) return wanted;
  return bearing_right(wanted, lost * sidestep);
}

/// Of what was found straight on and what was found aside.
[[nodiscard]] inline Choice better(const Choice& found, const Choice& aside) {
  if (aside.is_allowed != found.is_allowed) return aside.is_allowed ? aside : found;
  return squared_length(aside.velocity) > squared_length(found.velocity) ? aside : found;
}

}  // namespace throng::steering
