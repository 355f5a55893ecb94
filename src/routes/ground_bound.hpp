// A lower bound on the cost of every path over a ground surface, from the
// intervals between Steiner points.
//
// Nodes are the intervals of each edge; what lies between a vertex and the
// first points around it is one node with the vertex, free inside. Two
// intervals of a triangle are linked by its weight times *their* distance;
// along an edge one link joins any two intervals, by the smaller weight times
// the gap, and after it a crossing must come: neighbours touch, so a chain of
// such links would crawl for nothing. Each path visits intervals in some order,
// and every link costs no more than what the path did. It is of first order in
// the size of intervals, where the path found is of second order.
#pragma once

#include "routes/ground_graph.hpp"

namespace throng::routes {

/// No path between the places costs less; `at_most` is returned where none of
/// the interval paths is below it. `explored` grows by the nodes expanded.
[[nodiscard]] double lower_bound(const GroundGraph& points, const ground::Surface::Located& from,
                                 const ground::Surface::Located& to, double at_most, std::size_t& explored);

}  // namespace throng::routes
