// `flow`: along a flow field to the goal (Jaklin, Geraerts 2016, "Potential Fields and Flow-Based Methods"). People who follow it need no route
// of their own: one field is shared by all who go to the same place.
//
// The field is exact (routes/flow_field.hpp): its direction is that of the shortest way of a body of the radius from wherever the
// person is. So who was pushed aside walks the shortest way from there, and nobody is ever off the way.
//
// The attraction point is where that way begins to bend, or its end. Around corners it lies beyond the bend's first point, as in the
// other followers (along_route.hpp), so that bends are walked at full speed. Somebody with a place of its own in the goal heads
// for that once it sees it, within `own_place_range`.
//
// Laws, beside those of Follower
// 1. The memory's reference stays 0; its attraction is the metres that are left to walk.
// 2. `needs_route` where the field has no way from here: the person asks for another field.
// 3. Nearer to obstacles than the field's radius one is led outwards, as FlowField's law 4 says.
// Complexity: one question to the field, and near corners a few rays. Thread-safety: as Follower.
#pragma once

#include "following/follower.hpp"

namespace throng::following {

/// Metres within which people look for their own place in the goal.
inline constexpr double own_place_range = 20;

[[nodiscard]] const Follower& flow();

}  // namespace throng::following
