// Looking along a straight line: the first obstacle in the way, and whether a disc can slide there (Jaklin 2016, 11.2.5).
//
// The line is followed through the convex pieces of the cells (piece.hpp), which know their obstacle and their neighbours, from
// layer to layer where connections are open. Which border a piece is left through is decided by the side of the line each of
// its corners lies on, and neighbours share those answers, so the walk cannot get lost between cells.
//
// Laws
// 1. visible(a, b, r) holds exactly if every point of the segment a-b has clearance at least r, to `Locator::tolerance()`; so it
//    is symmetric, and touching is allowed: a disc may slide along a wall, a point may graze a corner.
// 2. first_hit reports the first point of the line at which it would leave the free space; merely touching is no hit.
// 3. visible(a, b, 0) holds exactly if first_hit(a, b.point) hits nothing and ends in b's layer.
//
// Complexity: O(pieces crossed), O(1) where the disc of clearance around either end holds the other. No allocation.
// Thread-safety: read-only.
#pragma once

#include "navmesh/locate.hpp"

namespace throng::navmesh {

struct Hit {
  bool blocked = false;  ///< an obstacle was met before the end of the line
  Vec2 point = {};       ///< where, or the end of the line
  double t = 0;          ///< the same as a fraction of the line
  Index site = none;     ///< what was met
  Index cell = none;     ///< the cell the line ends in
  Index layer = 0;       ///< the layer it ends in
};

/// `from` not walkable: blocked at once, with `cell == none`. `hint` is a cell near `from`, or `none`.
[[nodiscard]] Hit first_hit(const Mesh& mesh, const Place& from, Vec2 to, Index hint = none);

/// False where `from` is not walkable.
[[nodiscard]] bool visible(const Mesh& mesh, const Place& from, const Place& to, double radius, Index hint = none);

/// A walkable place whose cell and clearance are known.
struct Standpoint {
  Place place;
  Index cell = none;
  double clearance = 0;
};
[[nodiscard]] bool visible_from(const Mesh& mesh, const Standpoint& from, const Place& to, double radius);

/// Where the line is visible for this radius: a clearance that all of its points have, mostly the largest such; negative where it is not
/// visible.
[[nodiscard]] double clearance_along(const Mesh& mesh, const Standpoint& from, const Place& to, double radius);

}  // namespace throng::navmesh
