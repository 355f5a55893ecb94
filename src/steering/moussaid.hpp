// `moussaid`: looks along a fan of directions how far each is free and takes the one that leads nearest to where it wants to go
// (Moussaid, Helbing, Theraulaz 2011). `moussaid_jaklin`: the same with Jaklin's change (2016, 10.3.5) against overshooting.
//
// For every direction of the fan the free distance f is how far the person could walk at its preferred speed before it meets
// somebody, who is expected to keep their velocity, or a wall. Walking to the end of each free stretch, which end is nearest to
// the point d_max ahead in the preferred direction? The speed is such that a collision is at least tau away (`speed_from` collision, as
// Jaklin has it) or whatever is in the way at this moment is (`speed_from` distance, as Moussaid et al. have it).
//
// Laws, beside those of Avoider
// 1. The preferred direction is one of the fan, and directions lie in the field of view around the heading. Where the preferred
//    direction is out of view the person turns first: the fan lies around the preferred direction instead (`turn_first`, ours; as
//    published the best of what is in view is taken).
// 2. Among equally good directions the one that is free for longer wins, then the one nearer to the preferred direction, then the
//    one to the right.
// 3. Who overlaps somebody or touches a wall may take every direction that does not lead closer.
// 4. Directions whose velocity a rule from outside forbids are taken only where all are forbidden (admission.hpp).
// 5. Who is slowed down by people who face another way steps aside (sidestep.hpp, ours).
// 6. Where no direction's cost is a number the person stands.
// Complexity: O(directions x (neighbours + walls)), in floats relative to the person, vectorised. No allocation.
#pragma once

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] const Avoider& moussaid();
[[nodiscard]] const Avoider& moussaid_jaklin();

}  // namespace throng::steering
