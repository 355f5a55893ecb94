#include "routes/closed_ways.hpp"

#include <algorithm>

namespace throng::routes {

ClosedWays::ClosedWays(const RouteGraph& graph, std::span<const ClosedPlace> places) : graph_(&graph) {
  const navmesh::Mesh& mesh = graph.mesh();
  for (const ClosedPlace& place : places) {
    const Index chain = graph.chain_of(place.edge);
    if (chain == none) {
      in_dead_ends_.push_back(place);
      continue;
    }
    const std::span<const Step> steps = graph.steps_of(graph.chains()[chain]);
    const Index which = graph.place_in_chain(place.edge);
    double along = 0;
    for (Index i = 0; i < which; ++i) along += mesh.edge(steps[i].edge).length;
    along += steps[which].forward ? place.along : std::max(0.0, mesh.edge(place.edge).length - place.along);
    on_chains_.push_back({chain, along});
  }
}

bool ClosedWays::is_closed(Index via, double from, double to) const {
  return std::ranges::any_of(on_chains_, [&](const OnChain& place) {
    if (place.chain != via / 2) return false;
    const double at = via % 2 == 0 ? place.along : graph_->chains()[place.chain].length - place.along;
    return from <= at && at <= to;
  });
}

bool ClosedWays::is_closed_in(const OnAxis& start, const OnAxis& goal) const {
  const ChainPlace from = place_on_chains(*graph_, start), to = place_on_chains(*graph_, goal);
  const auto leads_over = [](const ChainPlace& place, Index edge) {
    return std::ranges::any_of(place.way_out, [&](const Step& step) { return step.edge == edge; });
  };
  return std::ranges::any_of(in_dead_ends_, [&](const ClosedPlace& place) {
    if (!leads_over(to, place.edge)) return false;
    if (graph_->mesh().arc(goal.arc).edge == place.edge) {
      // The goal lies on that edge itself: closed if the place is on its way out.
      const double at = position_on_edge(*graph_, goal);
      if (to.way_out.front().forward ? place.along < at : place.along > at) return false;
    }
    return !leads_over(from, place.edge) || graph_->mesh().arc(start.arc).edge == place.edge;
  });
}

}  // namespace throng::routes
