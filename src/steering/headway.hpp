// A distance to whoever walks ahead that grows with speed, *ours* for every method that avoids (`headway`; 0: as published).
//
// Measured behind each other on a ring (Seyfried et al. 2005, our fit): centre to centre 0.40 m at rest and 0.83 s more for each m/s. So who
// follows somebody walks at most (d - d0) / T: d0 is where bodies touch and `standstill` more, T `headway`. The methods by themselves look at
// the next collision, and following somebody as fast as oneself is none.
//
// Who counts: people ahead of oneself whose bodies are in the way, and who face away from one. Who comes towards one does not count, or
// counterflow would stand; nor does who squeezes into the same gap from the other side, or two who meet in a door would wait for each other
// for ever. Walls do not count: people walk up to them. Beside the way the bound ends over `shoulder`, so that it does not jump when somebody
// cuts in.
// Complexity: O(neighbours). Thread-safety: pure.
#pragma once

#include <algorithm>
#include <cmath>

#include "steering/avoider.hpp"

namespace throng::steering {

/// Metres beside a body's way over which somebody ahead counts less and less.
inline constexpr double headway_shoulder = 0.1;

/// The velocity, slower where somebody walks too near ahead.
[[nodiscard]] inline Vec2 keeping_headway(const AvoidView& view, Slot slot, Vec2 velocity, double headway,
                                          double standstill) {
  if (!(headway > 0)) return velocity;
  const double speed = length(velocity);
  if (!(speed > 0)) return velocity;
  const People& people = view.people;
  const Vec2 along = velocity / speed;
  double most = speed;
  for (const Slot other : view.perception->neighbours(slot)) {
    const Vec2 offset = people.position[other] - people.position[slot];
    const double ahead = dot(offset, along), radii = people.radius[slot] + people.radius[other];
    if (!(ahead > 0) || !(dot(people.heading[other], offset) > 0)) continue;
    const double beside = std::abs(cross(offset, along)) - radii;
    if (beside >= headway_shoulder) continue;
    const double kept = std::max(0.0, (ahead - radii - standstill) / headway);
    if (kept >= most) continue;
    const double part = beside <= 0 ? 1 : 1 - beside / headway_shoulder;
    most += (kept - most) * part;
  }
  return along * most;
}

}  // namespace throng::steering
