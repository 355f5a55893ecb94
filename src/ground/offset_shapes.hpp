// What lies within a distance of borders, as closed curves to be added up: a strip beside each edge, a sector around each corner.
//
// A border is a set of directed edges that have the side to be swept on their left. Every curve runs clockwise around what it covers, so
// that the winding number of all of them together, less the sign, is the number of shapes that cover a point; curves of neighbours
// share edges in opposite directions, which cancel, and what is left over is the raw offset curve of the border (a point is covered
// where the sum is not 0).
//
// Laws
// 1. Every point left of the border nearer to it than `distance` is covered; sectors are circumscribed, by at most
//    1/cos(largest_sector_piece / 2) of the distance, and every corner is rounded to the grid.
// 2. At the end of a chain the sector goes all around it. A `stop` edge sweeps nothing and ends the sector of its neighbours: where one
//    layer ends and another goes on.
// Cost: O(n log n).
#pragma once

#include <span>
#include <vector>

#include "geometry/grid_point.hpp"
#include "geometry/snap_rounding.hpp"
#include "throng/vec2.hpp"

namespace throng::ground {

using geometry::GridPoint;
using geometry::GridSegment;

/// Angle of one straight piece of a sector's rim, in radians: 30 degrees make it at most 3.6 % too wide.
inline constexpr double largest_sector_piece = 0.52359877559829887;

struct BorderEdge {
  GridPoint a, b;
  bool stop = false;
};

/// A corner of a sector's rim: it stands for an arc around `centre`.
struct RimPoint {
  GridPoint point, centre;
  friend auto operator<=>(const RimPoint&, const RimPoint&) = default;
};

struct OffsetShapes {
  std::vector<std::vector<GridPoint>> rings;  ///< clockwise, convex
  std::vector<RimPoint> rims;
};

/// `distance` in units of the grid.
[[nodiscard]] OffsetShapes offset_shapes(std::span<const BorderEdge> border, double distance);

/// The part of a convex ring that lies left of a->b, rounded to the grid; empty
/// where there is none.
[[nodiscard]] std::vector<GridPoint> clip_left_of(const std::vector<GridPoint>& ring, GridPoint a, GridPoint b);

}  // namespace throng::ground
