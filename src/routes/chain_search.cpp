#include "routes/chain_search.hpp"

#include <algorithm>

namespace throng::routes {

void ChainSearch::prepare(const OnAxis& start, const OnAxis& goal, double radius) {
  start_at_ = start, goal_at_ = goal;
  radius_ = radius;
  start_ = place_on_chains(*graph_, start);
  goal_ = place_on_chains(*graph_, goal);
  exits_.clear(), entries_.clear();
  direct_way_.reset();
  out_cost_ = 0;
  meets_in_dead_end_ =
      !start_.way_out.empty() && !goal_.way_out.empty() && start_.way_out.back() == goal_.way_out.back();
  if (meets_in_dead_end_) {
    fits_ = path_over(*graph_, start, start_.way_out, {}, goal, goal_.way_out, radius, direct_);
    return;
  }
  if (!fits(start, start_.way_out) || !fits(goal, goal_.way_out)) return;
  exits_ = accesses(start_, start, true);
  entries_ = accesses(goal_, goal, false);
  find_direct_way();
}

/// Whether the body gets over edges from an end of a way, the first in part.
bool ChainSearch::fits(const OnAxis& at, const std::vector<Step>& steps) const {
  if (steps.empty()) return true;
  const navmesh::Mesh& mesh = graph_->mesh();
  AxisPath path;
  path.steps = steps;
  const Index last = end_of(mesh, steps.back());
  const navmesh::Edge& edge = mesh.edge(steps.back().edge);
  const OnAxis end{mesh.node(last).point, steps.back().forward ? edge.first_arc + edge.arc_count - 1 : edge.first_arc};
  list_arcs(*graph_, at, end, path);
  for (std::size_t i = 0; i < path.arcs.size(); ++i) {
    const Index directed = path.arcs[i];
    const navmesh::Arc& arc = mesh.arc(directed / 2);
    const double here = i > 0 ? graph_->arc_clearance(directed / 2)
                              : arc_clearance_between(mesh, directed / 2, at.point,
                                                      mesh.node(directed % 2 == 0 ? arc.to : arc.from).point);
    if (here < radius_) return false;
  }
  return true;
}

std::vector<ChainAccess> ChainSearch::accesses(const ChainPlace& place, const OnAxis& at, bool outwards) const {
  if (place.junction != none) return {{place.junction, none, 0, 0}};
  const Chain& chain = graph_->chains()[place.chain];
  std::vector<ChainAccess> found;
  for (const bool forward : {true, false}) {
    std::vector<Step> steps = place.way_out;
    append_steps_from(*graph_, place, forward, steps);
    if (!fits(at, steps)) continue;
    const Index junction = forward ? chain.to : chain.from;
    // A way to the place comes from that junction, the other way along the chain.
    const double left = forward ? chain.length - place.along : place.along;
    const Index via = 2 * place.chain + Index(forward != outwards);
    found.push_back(outwards ? ChainAccess{junction, via, chain.length - left, chain.length}
                             : ChainAccess{junction, via, 0, left});
  }
  return found;
}

/// From one place on a chain to another without leaving it.
void ChainSearch::find_direct_way() {
  if (start_.junction != none || start_.chain != goal_.chain) return;
  const bool forward = start_.along <= goal_.along;
  std::vector<Step> from_start = start_.way_out, from_goal = goal_.way_out;
  append_steps_from(*graph_, start_, forward, from_start);
  append_steps_from(*graph_, goal_, forward, from_goal);
  if (!path_over(*graph_, start_at_, from_start, {}, goal_at_, from_goal, radius_, direct_)) return;
  const double length = graph_->chains()[start_.chain].length;
  const double from = forward ? start_.along : length - start_.along, to = forward ? goal_.along : length - goal_.along;
  direct_way_ = {none, 2 * start_.chain + Index(!forward), from, std::max(from, to)};
}

/// By which of its accesses the start's way got to its first junction: the cheapest.
Index ChainSearch::start_via(Index junction) const {
  std::size_t best = starts_.size();
  for (std::size_t i = 0; i < starts_.size(); ++i)
    if (starts_[i].node == junction && (best == starts_.size() || starts_[i].cost < starts_[best].cost)) best = i;
  return start_vias_[best];
}

bool ChainSearch::collect(AxisPath& path) const {
  if (meets_in_dead_end_ || search_.last_node() == none) {
    path = direct_;
    return true;
  }
  std::vector<Step> between;
  Index junction = search_.last_node();
  for (; search_.parent(junction) != none; junction = search_.parent(junction)) {
    const Index via = search_.via(junction);
    const std::span<const Step> steps = graph_->steps_of(graph_->chains()[via / 2]);
    for (std::size_t i = 0; i < steps.size(); ++i)
      between.push_back(via % 2 == 0 ? steps[steps.size() - 1 - i] : reversed(steps[i]));
  }
  std::reverse(between.begin(), between.end());
  const auto own_way = [&](const ChainPlace& place, Index via, bool outwards) {
    std::vector<Step> steps = place.way_out;
    if (via != none) append_steps_from(*graph_, place, (via % 2 == 0) == outwards, steps);
    return steps;
  };
  const std::vector<Step> from_start = own_way(start_, start_via(junction), true);
  const std::vector<Step> from_goal = own_way(goal_, goal_via_, false);
  return path_over(*graph_, start_at_, from_start, between, goal_at_, from_goal, radius_, path);
}

}  // namespace throng::routes
