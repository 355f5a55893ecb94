// The critic of clean(): whether a cleaned environment keeps its promises, found by other means than those it was made with.
//
// Boxes of edges go into a Boost.Geometry R-tree, pairs that may meet are decided by the exact predicates of grid_point.hpp, and a
// sweep from left to right over the edges (Shamos, Hoey 1976), which by then are known not to cross, compares what every edge says
// lies above and below it with what its neighbours say. Nothing of clean() is used.
//
// What is checked, by the numbers of clean.hpp's laws
// 1. No two edges of a layer's rings and walls cross, overlap or touch other than in a vertex of both; coordinates are within range.
// 2. Rings have three vertices or more, visit none twice and have no straight vertex that nothing else ends in. Outer rings run counterclockwise,
//    holes clockwise; every hole lies in its own outer ring, no polygon in another, free space left of every edge.
// 3. Walls have two points or more, free space on both sides, and no straight vertex that nothing else ends in.
// 4. Regions are disjoint, each well formed; they and the areas leave free space by less than `region_slack` units.
// 5. Connections are an edge of the left layer's boundary and, backwards, of the right layer's, and no two are the same.
// 8. Rings start at their smallest vertex; holes, polygons, walls, regions, areas and connections are in order, walls run in the smaller of their two directions.
//
// Cost: O(n log n) for edges that are short beside the world, as those of real maps are. Thread-safety: a pure function.
#pragma once

#include "environment/clean/clean.hpp"
#include "throng/result.hpp"

namespace throng::environment {

/// How far regions and areas may reach beyond free space, in units: their edges are led along its edge after
/// that was rounded, and cut there once more.
inline constexpr int region_slack = 2;

/// Everything wrong, at most a few dozen of each kind; empty when nothing is. Each message starts with "law N:".
[[nodiscard]] Problems verify_clean(const CleanEnvironment& environment);

}  // namespace throng::environment
