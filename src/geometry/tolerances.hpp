// What counts as rounding above the mesh: tolerances of ground, routes, following, steering, goals and crowd, each with its reason. Those of
// cleaning and of the mesh are in units of the snap grid and stand where they are used; thresholds of behaviour (who stands, who is near)
// are no tolerances.
//
// Laws (held by the assertions below)
// 1. What is computed is off by less than `same`; what differs by `same` is taken for one.
// 2. Routes come nearer to walls than they may by at most `route_clearance`, lines of sight by more than that, bodies by more still: so that
//    who walks along a route sees it, and who sees it may walk there.
// 3. What must not be taken for rounding is clearly (`distinct`) beyond all of these.
#pragma once

namespace throng::tolerance {

// --- metres
/// Points, centres and ways that differ by less are one, however they were computed; gaps so much too narrow still let a disc through. On
/// a map of a hundred kilometres doubles are off by 1e-11 m after an operation, by ten times that after a route.
inline constexpr double same = 1e-9;
/// By how much rounding may bring a route nearer to an obstacle than its radius: arcs and tangents are off by this after some dozen
/// operations on discs of kilometres. Also what still lies within a window, a cell or a field that was computed so.
inline constexpr double route_clearance = 1e-7;
/// By how much the line to an attraction point may be nearer to obstacles than the radius.
inline constexpr double sight = 5e-7;
/// By how much rounding may bring a body nearer to a wall than its radius: the promise of hard walls.
inline constexpr double wall = 1e-6;
/// What is clearly no rounding: points farther apart are two, ground entered deeper is entered, a place so far before a border lies
/// before it.
inline constexpr double distinct = 1e-6;
/// Ends of walls that are grazed by less are no collision: who walks along a wall, touching it, must not run into where it ends.
inline constexpr double wall_end = 1e-3;

// --- parts of a number
/// Lengths, costs and shares that differ by less than this part are equal.
inline constexpr double same_part = 1e-9;
/// Squares of distances are off by less than this part of them.
inline constexpr double square_part = 1e-6;

// --- sines
/// Lines that meet at less have no point in common that could be computed; at more, where they cross is well defined.
inline constexpr double parallel = 1e-9;
inline constexpr double clearly_across = 1e-6;

static_assert(same < route_clearance && route_clearance < sight && sight < wall && wall <= distinct);
static_assert(distinct < wall_end && parallel < clearly_across);

}  // namespace throng::tolerance
