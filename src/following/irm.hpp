// `irm`: the Indicative Route Method (Karamouzas, Geraerts, Overmars 2009; Jaklin 2016, 6.3; Zwerver 2018, 3.2).
//
// The person is retracted: moved straight away from its nearest obstacle point onto the medial axis. It heads for the last point of
// the route that lies in the largest disc of free space around that place; for the goal, if that lies in it. So it keeps close to the
// route where there is little room, and cuts it short where there is much.
//
// Laws, beside those of AlongRoute
// 1. The route is looked at from the reference to once around the disc ahead, 2 pi R along it: what lies farther along is not skipped,
//    though the route should come back (Jaklin 2016, 6.3.2 names that a fault of the method).
// 2. Where the body does not fit through to that point, the last one before it that it can walk straight to counts: the disc is free for
//    a point, not for a body near its rim.
// 3. No point of the route in the disc, or none in sight: the person needs a route.
// The output is a velocity; the forces of the published method (boundary, goal, others, noise: Zwerver's four) are the other levels' work.
// Complexity: one retraction, O(pieces within 2 pi R), a ray or a few.
#pragma once

#include "following/follower.hpp"

namespace throng::following {

[[nodiscard]] const Follower& irm();

}  // namespace throng::following
