#include "routes/ground_planner.hpp"

#include <algorithm>
#include <cmath>

#include "routes/ground_bound.hpp"
#include "routes/ground_grid.hpp"
#include "routes/ground_walk.hpp"

namespace throng::routes {

GroundPlanner::GroundPlanner(const ground::Surface& surface, std::vector<double> weights, std::vector<bool> forbidden)
    : surface_(surface), weights_(std::move(weights)), costs_(surface, weights_, forbidden) {}

GroundGraph& GroundPlanner::graph(const SteinerPlacement& placement) {
  if (!graph_ || placement.approximation != placement_.approximation || placement.eps != placement_.eps) {
    graph_.emplace(surface_, costs_, placement);
    placement_ = placement;
  }
  return *graph_;
}

std::optional<GroundPath> GroundPlanner::search(const GroundGraph& graph, const ground::Surface::Located& from,
                                                const ground::Surface::Located& to) {
  starts_.clear();
  ends_.clear();
  graph.for_each_beside(from, [&](Index node, double cost, Index) { starts_.push_back({node, cost}); });
  graph.for_each_beside(to, [&](Index node, double cost, Index) { ends_.push_back({node, cost}); });
  // Straight from one to the other, where they share a triangle or an edge.
  std::vector<LinkVia> around_from, around_to;
  graph.around_place(from, around_from);
  graph.around_place(to, around_to);
  std::optional<LinkVia> direct;
  double direct_cost = unreachable;
  const auto weight_of = [&](LinkVia via) {
    return via.along ? costs_.along(via.index) : costs_.of_triangle(via.index);
  };
  for (const LinkVia via : around_from) {
    if (std::find(around_to.begin(), around_to.end(), via) == around_to.end()) continue;
    const double cost = weight_of(via) * distance(from.point, to.point);
    if (cost < direct_cost) direct = via, direct_cost = cost;
  }
  search_.begin(graph.node_count(), starts_, ends_, direct_cost);
  const double least = costs_.least();
  const auto heuristic = [&](Index node) { return least * distance(graph.position(node), to.point); };
  const SearchStatus status = search_.advance(graph, heuristic, 1, ~std::size_t{0});
  explored_ += search_.expansions();
  if (search_.last_node() == none) {
    if (!direct) return {};
    searched_cost_ = direct_cost;
    return GroundPath(graph, from.point, to.point, {}, {*direct});
  }
  if (status != SearchStatus::found) return {};
  searched_cost_ = search_.cost();
  std::vector<Index> nodes;
  std::vector<LinkVia> vias;
  const auto cheapest_join = [&](const ground::Surface::Located& place, Index node) {
    LinkVia best;
    double least_cost = unreachable;
    graph.for_each_beside(place, [&](Index other, double cost, Index via) {
      if (other == node && cost < least_cost) least_cost = cost, best = LinkVia::from(via);
    });
    return best;
  };
  for (Index node = search_.last_node(); node != none; node = search_.parent(node)) {
    nodes.push_back(node);
    if (search_.parent(node) != none) vias.push_back(LinkVia::from(search_.via(node)));
  }
  std::reverse(nodes.begin(), nodes.end());
  std::reverse(vias.begin(), vias.end());
  vias.insert(vias.begin(), cheapest_join(from, nodes.front()));
  vias.push_back(cheapest_join(to, nodes.back()));
  return GroundPath(graph, from.point, to.point, nodes, vias);
}

GroundRoute GroundPlanner::described(const GroundPath& path) const {
  GroundRoute route;
  route.legs = path.legs();
  route.cost = path.cost();
  route.metres.assign(surface_.types().size(), 0);
  for (const GroundPath::Leg& leg : route.legs) {
    Index triangle = leg.via.index;
    if (leg.via.along) {
      const auto& sides = surface_.edges()[leg.via.index].triangle;
      triangle = sides[1] != none && costs_.of_triangle(sides[1]) < costs_.of_triangle(sides[0]) ? sides[1] : sides[0];
    }
    const std::vector<Index>& types = surface_.sets()[surface_.triangles()[triangle].set];
    const Index dearest =
        *std::max_element(types.begin(), types.end(), [&](Index a, Index b) { return weights_[a] < weights_[b]; });
    route.metres[dearest] += distance(leg.from, leg.to);
  }
  return route;
}

}  // namespace throng::routes
