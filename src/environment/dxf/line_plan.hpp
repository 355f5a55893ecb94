// From the loose lines of a plan to rooms: ends that nearly meet are joined, what the lines enclose is found, and told apart into
// rooms and the insides of walls.
//
// Laws
// 1. A line end that meets nothing is joined to all ends within `gap` (each cluster by its shortest joints), else to the nearest
//    line within `gap`. No line is moved; joints are lines too. Ends that reach beyond a line by up to `gap` are cut off.
// 2. Lines are walls or doors; a joint is a wall where both its lines are. Where a wall and a door run along each other there is no wall.
// 3. Everything that lines enclose is `inside`. A part of it is solid where it is thinner than `wall_thickness` (twice its area by the
//    length of its border) and doors are less than half of its border: the inside of a wall drawn as two lines, a column. Other
//    parts are rooms, where they have `least_room` and their border is not mostly doors (the floor that a leaf sweeps).
// 4. `walls` are the wall lines that border no solid part. An end of theirs that meets nothing is an open end.
// 5. The result depends on the set of lines only, not on their order. Coordinates are on the grid.
// Cost: O((n + k) log n) for n segments with k crossings and ends within `gap` of each other.
// Thread-safety: a pure function.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "environment/environment.hpp"
#include "geometry/snap_grid.hpp"

namespace throng::environment {

/// Square metres below which something enclosed is no room: a niche, a shaft.
inline constexpr double least_room = 0.5;

struct PlanLine {
  std::vector<Vec2> points;  ///< at least two
  bool closed = false;       ///< the last point is joined to the first
  bool door = false;
};

struct LinePlanOptions {
  double gap = 0.02;
  double wall_thickness = 0.4;
};

struct PlanRoom {
  std::vector<Polygon> outline;
  bool has_door = false;  ///< a door is part of its border
};

/// Where a wall ends in the open.
struct OpenEnd {
  Vec2 at;
  Vec2 next;  ///< the nearest other open end, where there is one within `farthest_next`
  double distance = std::numeric_limits<double>::infinity();  ///< to it
};
inline constexpr double farthest_next = 3.0;

struct LinePlan {
  std::vector<Polygon> inside;  ///< all that lines enclose, solid or not
  std::vector<Polygon> solids;
  std::vector<PlanRoom> rooms;
  std::vector<Line> walls;
  std::vector<OpenEnd> open_ends;
  std::size_t joints = 0;  ///< gaps that were closed
  bool is_heap = false;    ///< lines cross each other too much: nothing was made of them
};

/// Requires that the grid reaches all lines.
[[nodiscard]] LinePlan plan_of(std::span<const PlanLine> lines, const geometry::SnapGrid& grid,
                               const LinePlanOptions& options);

}  // namespace throng::environment
