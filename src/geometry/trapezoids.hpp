// Polygons cut into trapezoids between horizontal lines, for areas that are sampled or summed up.
//
// A line sweeps upwards over the vertices; between two edges that stay neighbours lies one trapezoid (de Berg et al.,
// Computational Geometry, 6.1, with the order of edges decided exactly).
//
// Laws
// 1. Requires polygons as face_polygons() makes them: outer rings counterclockwise, holes clockwise, edges that meet in end
//    points only.
// 2. The trapezoids cover the polygons and overlap in borders only, to the rounding of their corners. There are fewer than two
//    for each vertex.
// 3. Their order depends on the polygons' shape only: by the height at which they end, then from left to right.
// Cost: O(n log n). Thread-safety: a pure function.
#pragma once

#include <span>
#include <vector>

#include "geometry/grid_polygon.hpp"
#include "throng/vec2.hpp"

namespace throng::geometry {

/// In units of the grid. Either horizontal side may have no length.
struct Trapezoid {
  double low = 0, high = 0;              ///< heights of the horizontal sides
  double left_low = 0, left_high = 0;    ///< where the left side meets them
  double right_low = 0, right_high = 0;  ///< where the right side does
};

[[nodiscard]] std::vector<Trapezoid> cut_into_trapezoids(std::span<const GridPolygon> polygons);

}  // namespace throng::geometry
