// How the ends of a way lie on the graph of chains, and ways along the axis put together from chains: the one that a class
// (axis_trace.hpp) prescribes, or those that a search over chains finds (chain_search.hpp).
//
// Laws
// 1. path_along() gives the one way along the axis of a class between two points, no step of it taken back; nothing where the class does
//    not lead from the start to the goal, or the way is somewhere narrower than the radius.
// 2. Metres along a chain are counted from its `from`, over its edges in order.
// Complexity: linear in the edges of the chains. Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "routes/axis_path.hpp"
#include "routes/axis_trace.hpp"

namespace throng::routes {

/// How a point of the axis lies on the graph of chains: out of a dead end, if it is in one, to a junction or a place on a chain.
struct ChainPlace {
  std::vector<Step> way_out;  ///< over twigs, the first of them in part; empty for a point on a chain
  double way_out_length = 0;
  Index junction = none;  ///< where the way out ends; or none, and then
  Index chain = none;     ///< it, or the point, is so far along a chain:
  double along = 0;
  Step on_chain;  ///< the step of the chain that a point on a chain lies on; edge none for others
};
[[nodiscard]] ChainPlace place_on_chains(const RouteGraph& graph, const OnAxis& at);

/// The edges of a chain in a direction, from a place on it to the directed chain's end, the first in part where the place is a point.
void append_steps_from(const RouteGraph& graph, const ChainPlace& place, bool forward, std::vector<Step>& steps);

/// The path over whole edges between the ends' own ways, each of which begins at its end, on an edge in part, and leads to the same node: what is
/// taken back is cancelled. False where it is narrower than the radius.
bool path_over(const RouteGraph& graph, const OnAxis& start, std::span<const Step> from_start,
               std::span<const Step> between, const OnAxis& goal, std::span<const Step> from_goal, double radius,
               AxisPath& path);

/// The path of a class.
bool path_along(const RouteGraph& graph, const OnAxis& start, const OnAxis& goal, std::span<const Index> word,
                double radius, AxisPath& path);

}  // namespace throng::routes
