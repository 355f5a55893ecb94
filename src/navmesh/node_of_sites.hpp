// A node of the axis as a function of its sites: one routine gives position and clearance of every node, whoever found it.
//
// A sweep, a repair and a change each come to a node by another way, with other rounding. What they hand over is a guess; the
// node itself is computed from the set of sites that are equally near, so that meshes of one topology have the same bits.
//
// How: where a segment gives way to the corner at its end, or to the next segment in line, the node lies on the line across
// their common point, and a linear equation gives it: the guess is not asked. Elsewhere three of the sites decide, the first
// three in canonical order whose directions are well apart. Starting from the guess rounded to 2^-20 units, Newton's method
// with residuals in twice the precision of a double (Dekker 1971) comes so near to the true point that rounding to doubles
// forgets where it started.
//
// Laws
// 1. Guesses that differ by rounding (less than 2^-24 units) give the same bits, but for points within 1e-28 of a boundary
//    between two doubles.
// 2. The result is equidistant from its sites to a unit in the last place, if the sites have such a point near the guess.
// Units: grid units. Cost: O(1) for three sites, O(n^3) at worst for n of them.
#pragma once

#include <span>

#include "navmesh/boundary.hpp"

namespace throng::navmesh {

struct NodePlace {
  Vec2 point;
  double clearance = 0;
};

/// The sites, three or more (two handovers may share a node), in canonical order and without repetition.
[[nodiscard]] NodePlace node_of_sites(std::span<const BoundarySite* const> sites, Vec2 guess);

}  // namespace throng::navmesh
