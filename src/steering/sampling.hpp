// `sampling`: tries a few velocities around the preferred one and takes the best (van Toll, Pettre 2019, A.2.3).
//
// Candidates: 15 directions evenly over 180 degrees around v_pref, both ends and v_pref itself included, each at s_pref and half of
// it; and standing still. With delta(v) the way to the first collision with people, who keep their velocities, or walls, at most
// d_max = 5 m, the new velocity is the v with the least
//   d_max - delta(v) + angle(v, v_pref) + angle(v, v_now) + | |v| - s_pref | / s_pref        (metres and radians added as they are)
//
// Laws, beside those of Avoider
// 1. The last term is absolute: as printed, ( |v| - s_pref ) / s_pref rewards walking slowly (erratum).
// 2. The angle to v_now is 0 where v_now is 0; standing still has no angles, and `standing` metres of free way (1.5, ours: by the
//    formula standing has no way to collide, so that people would stop 4 m before everything; with 0 they hardly ever stop, and as
//    published standing is no candidate).
// 3. Among equals the one that turns less wins, then the faster one, then the one to the right.
// 4. Straight ahead walls do not count (`walls_ahead` 0, ours): the follower looked there, and people could not come near a goal at a
//    wall.
// 5. Candidates that rules from outside forbid are not taken where any other is left (admission.hpp); what is chosen is bounded by walls
//    (VelocityBounds, ours).
// 6. Who is slowed down by people who face another way steps aside (sidestep.hpp, ours).
// Complexity: O(31 x (neighbours + walls)), vectorised. No allocation a person.
#pragma once

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] const Avoider& sampling();

}  // namespace throng::steering
