// Walls as ORCA has them: the velocity obstacle of a whole segment (van den Berg, Guy, Lin, Manocha 2011, on static obstacles).
//
// The velocities that lead a disc into a segment within the horizon fill a cone cut off by the segment, thickened by the disc's radius,
// divided by the horizon. The half plane that is allowed touches that region's border where the border is nearest to the
// velocity to stay near. With 0 for that velocity it is the half plane of the nearest point (add_wall_planes); here it is the velocity now,
// as in the authors' library RVO2: who walks past a wall's end is not slowed down by it.
//
// Laws
// 1. The border of each half plane touches the velocity obstacle, which lies on the other side.
// 2. Who touches a wall must not come closer: the half plane of its nearest point, with 0.
// 3. No half plane where the border nearest to the velocity is a leg that leads into the next wall: that one's own counts there.
// Complexity: O(walls^2), a handful. Thread-safety: pure.
#pragma once

#include <span>
#include <vector>

#include "steering/avoider.hpp"

namespace throng::steering {

/// The half plane that a segment from a to b (offsets from the disc's centre) allows; false where a leg leads into the next wall.
/// `before_a` and `behind_b` are where the walls that go on from there end; a and b themselves where there are none.
struct WallAhead {
  Vec2 a, b;
  Vec2 before_a, behind_b;
};
[[nodiscard]] bool plane_of_segment(const WallAhead& wall, double radius, double horizon, Vec2 velocity,
                                    HalfPlane& plane);

/// Appends those of walls, nearest first; those farther than `limit` gets within the horizon are left out. As add_wall_planes().
void add_segment_planes(const People& people, std::span<const Index> walls, Slot slot, double horizon, double limit,
                        std::vector<HalfPlane>& planes);

}  // namespace throng::steering
