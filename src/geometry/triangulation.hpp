// Constrained Delaunay triangulation of points of the snap grid, every decision in exact integers.
//
// Words
//   constraint  an edge that must be there. An edge is locally Delaunay where the circle through one of its triangles holds
//               no point of the other one.
//   hull        what the triangles cover: the convex hull of the points.
//
// Laws
// 1. Triangles run counterclockwise, have positive area, meet in common vertices and whole edges only, and cover the hull.
// 2. Every constraint is an edge; every other edge with a triangle on either side is locally Delaunay (Lee, Lin 1986).
// 3. Neighbours are mutual: triangle t lies across edge i of n exactly if n lies across an edge of t, with the same ends.
// 4. The result depends on the sorted points and the set of constraints only.
// The Delaunay triangulation of the points is found by dividing and conquering (Guibas, Stolfi 1985), constraints are put in by
// exchanging diagonals (Sloan 1993), and what that spoiled is mended by exchanging diagonals again (Lawson 1977).
// Coordinates fit 25 bits, so in-circle fits 104 of the 128 it is computed in.
// Cost: O(n log n), and O(k) exchanges a constraint that k edges cross, in practice.
// Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "geometry/grid_point.hpp"
#include "geometry/snap_rounding.hpp"
#include "throng/result.hpp"

namespace throng::geometry {

struct Triangulation {
  using Id = std::uint32_t;
  static constexpr Id nothing = ~Id{0};

  struct Triangle {
    std::array<Id, 3> vertex = {};
    std::array<Id, 3> beyond = {nothing, nothing, nothing};  ///< triangle across the edge opposite vertex i
    std::array<bool, 3> constrained = {};                    ///< the edge opposite vertex i

    [[nodiscard]] int index_of(Id v) const { return vertex[0] == v ? 0 : vertex[1] == v ? 1 : 2; }
    [[nodiscard]] int index_beyond(Id triangle) const {
      return beyond[0] == triangle ? 0 : beyond[1] == triangle ? 1 : 2;
    }
  };

  std::vector<GridPoint> points;  ///< sorted, distinct
  std::vector<Triangle> triangles;
};

/// The sign of the in-circle determinant: +1 where d lies inside the circle through a, b, c (counterclockwise), 0 on it. Exact.
[[nodiscard]] int in_circle(GridPoint a, GridPoint b, GridPoint c, GridPoint d);

/// The constrained Delaunay triangulation of the ends of `constraints` and of `more_points`. Constraints may repeat; they may
/// meet in end points only, and no point may lie on one but at its ends (snap_round establishes that); where they do not
/// keep to it, the problem says where. All points on a line: no triangles.
[[nodiscard]] Result<Triangulation> triangulate(std::span<const GridSegment> constraints,
                                                std::span<const GridPoint> more_points = {});

}  // namespace throng::geometry
