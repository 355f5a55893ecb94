// `proximity`: turns 20 degrees away from whoever is, or soon will be, close ahead (Parsons 2010, 5.2.1, "proximity detection").
//
// Everybody has a circle of awareness of two body diameters' radius. Where one's circle meets another's, and the other is within 40
// degrees of the way one walks, one walks 20 degrees to the side away from it: now, and where both will be in 1.6 s (40 frames of
// Parsons's) if they go on as they do. The nearest person for whom that holds counts; those close now before those close soon.
//
// Laws, beside those of Avoider
// 1. The speed is the preferred one, but for walls (VelocityBounds; Parsons's method knows no walls) and for half planes from outside,
//    which bend the preferred velocity before anybody is looked at: turning away from people wins.
// 2. Away means: who is on the left, or straight ahead, is passed on the right. (Parsons takes the side from the cross product of both
//    people's ways, which says how they head, not where they are: it is 0 for two who meet head-on.)
// 3. The way one walks is the preferred direction: it is what 20 degrees are turned from, each step anew.
// Parsons turns at once, so `relaxation` is 0. Complexity: O(neighbours). No allocation a person.
#pragma once

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] const Avoider& proximity();

}  // namespace throng::steering
