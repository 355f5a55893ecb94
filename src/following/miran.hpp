// MIRAN: Modified Indicative Routes and Navigation (Jaklin 2016, chapter 6 for points, 7 for discs).
//
// Each step the person has a reference, how far along the route it has come, and heads for one of several candidates ahead
// on the route that it can walk to in a straight line.
//
// Reference: the first point nearest to the person of the stretch between the last reference and the last attraction.
// Candidates: of the stretch from the reference to `shortcut` metres ahead, or the goal
//   - its far end, every whole multiple of `sampling` along the route, one step ahead, and the last attraction, where visible;
//   - both ends of every visible interval that these tell of, found by bisection;
//   - never the reference, nor where the person stands, unless it is the goal.
// Admitted are those whose line costs no more than getting back to the reference and the stretch it skips (no lake is crossed
// because the route around it is long), and that do not oppose the route's direction at the reference by more than a right
// angle, where there is another (a route that crosses itself sends nobody back).
// Chosen is the smallest cost of the line divided by the curve distance from the reference, the farthest among equals; where
// all lines weigh the same a metre they are equal (Jaklin 2016, 6.3 and 6.4.3 say so, the formula does not).
//
// Laws
// 1. The reference never goes back.
// 2. A line to an attraction point keeps the body's radius from obstacles, less `tolerance::sight`; a body nearer than that keeps
//    what distance it has. So bodies alone come no nearer to an obstacle than their radius - 1e-6.
// 3. A step with the preferred velocity does not go past the attraction point. Where the route hugs a corner and goes out of
//    sight within a step, that point lies beyond the last visible one, on the line to it: around the corner on its tangents.
// 4. Somebody who sees only its reference goes there; who sees nothing of the stretch needs a route.
// 5. Where regions make no difference only the candidates down to the farthest visible one are looked at: the same answer.
// Complexity: rays to candidates; without regions one where the whole stretch can be seen. Thread-safety: as Follower.
#pragma once

#include "following/follower.hpp"

namespace throng::following {

[[nodiscard]] const Follower& miran();

}  // namespace throng::following
