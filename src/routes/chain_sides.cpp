#include "routes/chain_sides.hpp"

#include "routes/axis_path.hpp"

namespace throng::routes {

ChainSides::ChainSides(const RouteGraph& graph) : obstacles_(graph.mesh()) {
  const navmesh::Mesh& mesh = graph.mesh();
  first_.push_back(0);
  on_chain_.resize(obstacles_.passage_count());
  for (const Chain& chain : graph.chains()) {
    const std::span<const Step> steps = graph.steps_of(chain);
    const navmesh::Arc& arc = mesh.arc(mesh.edge(steps[0].edge).first_arc);
    const Index along = obstacles_.of_site(arc.site[0]), against = obstacles_.of_site(arc.site[1]);
    sides_.push_back(steps[0].forward ? along : against);
    sides_.push_back(steps[0].forward ? against : along);
    lengths_.push_back(chain.length);
    double before = 0;
    for (const Step step : steps) {
      const navmesh::Edge& edge = mesh.edge(step.edge);
      for (Index a = edge.first_arc; a < edge.first_arc + edge.arc_count; ++a)
        obstacles_.for_each_passage_on(a, [&](Index p) {
          const double at = position_on_edge(graph, {obstacles_.passage(p).point, a});
          on_chain_[p] = {Index(first_.size() - 1), before + (step.forward ? at : edge.length - at)};
          positions_.push_back(on_chain_[p].at);
        });
      before += edge.length;
    }
    std::sort(positions_.begin() + first_.back(), positions_.end());
    first_.push_back(Index(positions_.size()));
  }
}

bool ChainSides::crosses_passage(Index via, double from, double to) const {
  if (via % 2 == 1) {
    const double whole = length(via);
    const double begin = whole - to;
    to = whole - from, from = begin;
  }
  const auto begin = positions_.begin() + first_[via / 2], end = positions_.begin() + first_[via / 2 + 1];
  const auto at = std::upper_bound(begin, end, from);
  return at != end && *at < to;
}

bool ChainSides::crosses(Index via, double from, double to, Index passage) const {
  const OnChain& there = on_chain_[passage];
  if (there.chain != via / 2) return false;
  const double at = via % 2 == 0 ? there.at : length(via) - there.at;
  return from < at && at < to;
}

std::size_t ChainSides::bytes() const {
  const auto held = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof *this + obstacles_.bytes() + held(sides_) + held(lengths_) + held(first_) + held(positions_) +
         held(on_chain_);
}

}  // namespace throng::routes
