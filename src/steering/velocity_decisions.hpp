// The decisions of a velocity: on which side it passes what is around, over a window of time. Van Toll, Pettre 2019, 4.2; and the half
// planes of velocities that pass an obstacle on one side (5.2.2, which the paper leaves open).
//
// Along and across are coordinates in the direction of the velocity from where one is; the window ends at p' = p + v * window.
//
// About a person (4.2.2), who walks on as now: nothing about who is behind now, or ends in front of p'. Where the ways cross, the side of
// the *line* at the time one gets there: left of it one passes via the right. (The paper asks for one of four areas and says nothing of a
// third of all crossings.) Else the side on which the part of its way beside one's own lies.
//
// About a wall (4.2.3), a segment with free space on its right: nothing from behind it, nor about segments wholly behind along the velocity
// (ours: who walks obliquely away from a wall does not pass it). A way that stays beside one end of it says nothing; one that meets it, or
// stays before its line, goes by the angle to it; one that passes the line beyond an end passes that end.
//
// Laws
// 1. Mirrored scenes swap L and R.
// 2. Who stands decides nothing.
// 3. A velocity that keeps to both half planes of a convex obstacle for one side is not decided for the other.
// Comparisons have a tolerance of 1e-9 m. Complexity: O(1) each. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "routes/strategy.hpp"
#include "steering/avoider.hpp"

namespace throng::steering {

using routes::Side;

/// About somebody at `other` who walks with `walk`.
[[nodiscard]] std::optional<Side> decision_about_person(Vec2 p, Vec2 velocity, double window, Vec2 other, Vec2 walk);

/// About a segment with free space on the right of a->b.
[[nodiscard]] std::optional<Side> decision_about_wall(Vec2 p, Vec2 velocity, double window, Vec2 a, Vec2 b);

/// The velocities that pass an obstacle on one side, seen from p with a body of a radius. `walls` are its segments that are seen, free space
/// on the right. One half plane along the tangent to its end on that side, the radius kept; a second one where it fills more than a right
/// angle, the radius counted in; none inside the hull of a bay, where its ends lie all around.
struct PassingPlanes {
  HalfPlane planes[2];
  int count = 0;
};
struct SeenWall {
  Vec2 a, b;
};
[[nodiscard]] PassingPlanes planes_to_pass(Vec2 p, double radius, std::span<const SeenWall> walls, Side side);

/// The velocities that pass somebody at `other`, who walks with `walk`, on one side, `radii` apart: along the tangent to both bodies, seen from
/// who walks along with them.
[[nodiscard]] HalfPlane plane_to_pass(Vec2 p, double radii, Vec2 other, Vec2 walk, Side side);

}  // namespace throng::steering
