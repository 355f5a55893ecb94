// A lower bound on the cost of every path over a ground surface, from intervals of its edges.
//
// Nodes are intervals of edges; what lies between a vertex and the first cuts around it is one node with the vertex, free inside. Two
// intervals of a triangle are linked by its weight times *their* distance; along an edge one link joins any two intervals, by the smaller
// weight times the gap, and after it a crossing must come: neighbours touch, so a chain of such links would crawl for nothing. Each
// path visits intervals in some order, and every link costs no more than what the path did.
// It is of first order in the size of intervals, where the path found is of second order. So they are halved, time and again, but only on
// edges that paths cheaper than what is to be proven can get to.
#pragma once

#include <cstddef>

#include "ground/surface.hpp"

namespace throng::routes {

struct LowerBound {
  double cost = 0;           ///< no path between the places costs less
  std::size_t explored = 0;  ///< intervals expanded
};

/// Refines until nothing is below `wanted`, or about `most_links` links were looked at.
[[nodiscard]] LowerBound lower_bound(const ground::Surface& surface, const ground::GroundCosts& costs,
                                     const ground::Surface::Located& from, const ground::Surface::Located& to,
                                     double wanted, std::size_t most_links = 60'000'000);

}  // namespace throng::routes
