// Which edges of a ground surface a path may use that is guided by a grid path. Jaklin 2016, 4.2.
//
//   triangle  all edges of the triangles that the way meets; along an edge both of its triangles.
//   edge      of each grid vertex on the way the closest edges (all edges of a vertex that it lies on), and every edge that the way crosses.
//             J 4.2 leaves the crossed ones out and calls the graph connected all the same: with coarse cells it falls apart.
//   vertex    of each bend of the way the closest vertices, with all their edges; every edge that the way crosses; the triangles of start
//             and goal, without which a way that does not bend would keep nothing else.
// The way runs from the start over the grid's nodes to the goal: J's runs from centre to centre, and may miss the ends' triangles.
#pragma once

#include <span>
#include <vector>

#include "ground/surface.hpp"

namespace throng::routes {

enum class Pruning { triangle, edge, vertex };

/// A flag an edge. `way`: the start, the grid's nodes in order, the goal; its lines must be free.
[[nodiscard]] std::vector<bool> kept_edges(const ground::Surface& surface, const ground::GroundCosts& costs,
                                           const ground::Surface::Located& start, std::span<const Vec2> way,
                                           Pruning pruning);

}  // namespace throng::routes
