// Stepping aside: one rule of ours for moussaid, karamouzas, sampling and orca (`sidestep`; 0, as published: nobody does).
//
// In the published methods people who stand in each other's way in a ring stand for ever: every way on is worse than standing. So who is
// slowed below half of the speed it wants, while somebody close ahead faces another way, turns what it wants to the right, by up to a
// quarter turn the slower it is, and takes what it finds there. (Only if that is quicker, orca locks in one of twelve runs of two crowds of
// fifty in a hallway of 3 m.) Behind people who go one's own way one queues (but see AsideFor).
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

/// Whom one steps aside for: those who face another way, or everybody. The second is for orca, which weighs no candidates to either side:
/// straight behind somebody slow it would never begin to overtake.
enum class AsideFor { opposed, everybody };

/// The velocity to look for instead of `wanted`, given what was found for that; `wanted` itself where there is no reason to step aside.
[[nodiscard]] inline Vec2 wanted_aside(const AvoidView& view, Slot slot, Vec2 wanted, Vec2 found, double sidestep,
                                       AsideFor whom = AsideFor::opposed) {
  const double speed = length(wanted);
  const double lost = 1 - 2 * length(found) / speed;
  if (!(lost > 0 && sidestep > 0)) return wanted;
  if (whom == AsideFor::opposed && !(opposition(view, slot, wanted / speed, close_ahead) > 0)) return wanted;
  return bearing_right(wanted, lost * sidestep);
}

/// Of what was found straight on and what was found aside.
[[nodiscard]] inline Choice better(const Choice& found, const Choice& aside) {
  return found.is_allowed && !aside.is_allowed ? found : aside;
}

}  // namespace throng::steering
