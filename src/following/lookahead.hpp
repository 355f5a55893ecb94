// `lookahead`: heads for the point of the route some metres ahead, or for where the route goes out of sight if that is nearer (T
// A.2.2).
//
// The attraction point is the first on the route of: the goal; the point `distance` (5 m) beyond the reference; the last point before
// the first that the body cannot see, looked for from the reference on.
//
// Laws, beside those of AlongRoute
// 1. The route is sampled every `sampling` metres, so that a stretch out of sight shorter than that may be overlooked.
// 2. Where the reference is out of sight, the last attraction is where looking begins, while that can be seen; else the person needs
//    a route (T: where the attraction point is the reference).
// Complexity: a ray for every sample up to the attraction point.
#pragma once

#include "following/follower.hpp"

namespace throng::following {

[[nodiscard]] const Follower& lookahead();

}  // namespace throng::following
