// `orca`: optimal reciprocal collision avoidance (van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision avoidance", 2011).
// Own code after the paper.
//
// Everybody near forbids a half plane of velocities: those that would lead to a collision within the time horizon, if both give way
// by half of what is needed. The new velocity is the allowed one nearest to the preferred one (velocity_program.hpp).
//
// Laws, beside those of Avoider
// 1. Walls are hard: the part of the new velocity towards the nearest point of each wall is at most (distance - radius) / wall_horizon.
//    That is the paper's construction for obstacles with 0 as the velocity to stay near, so that standing still is always allowed. With
//    `walls` "segments" (orca_walls.hpp) the velocity to stay near is the one now, as in the authors' library; where walls then
//    contradict each other the new velocity is 0.
// 2. People are soft: where not all can be kept to, the one that is broken most is broken as little as possible. Half planes from
//    outside are softer: they never make anybody break what people and walls ask for, and give way together where they cannot be kept.
// 3. Bodies that overlap part within a time step, as fast as the limit lets them; of two in the same place with the same velocity the
//    one with the lower serial gives way to +x, the other to -x.
// 4. Where both sides are equally good, each keeps to its own right. Who is slowed below half steps aside
//    (sidestep.hpp, ours: the published method stands still for ever where everybody is as well placed as everybody else).
// 5. `margin` (ours, too) is kept between bodies where there is room; where there is none, it gives way first.
// 6. `relaxation` is 0: the guarantee is for the velocities it gives, not for those on the way to them.
// Complexity: O(n^2) at worst in neighbours and walls, O(n) expected. No allocation a person.
#pragma once

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] const Avoider& orca();

}  // namespace throng::steering
