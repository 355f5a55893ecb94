// `direct`: straight to the goal, whatever is in between (van Toll and Pettre's "CA-Only"). Walls stop people who
// follow it: it is what other followers are compared with, and enough where the goal is always in sight.
//
// Laws, beside those of Follower
// 1. The attraction point is the end of the route; nothing else of the route matters, and nobody ever needs another one.
// 2. The memory says nothing: reference 0, attraction the length of the route.
// Complexity: O(1).
#pragma once

#include "following/follower.hpp"

namespace throng::following {

[[nodiscard]] const Follower& direct();

}  // namespace throng::following
