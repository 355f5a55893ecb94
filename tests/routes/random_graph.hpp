// Graphs that tests of searches run on.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "routes/search.hpp"
#include "support/random.hpp"

namespace throng::routes::test_graphs {

/// A random graph in the unit square; edges cost at least the distance of their ends and lead both ways.
struct RandomGraph {
  struct Edge {
    Index to;
    double cost;
  };
  std::vector<std::array<double, 2>> at;
  std::vector<std::vector<Edge>> edges;

  RandomGraph(std::uint64_t seed, std::size_t nodes) : at(nodes), edges(nodes) {
    test::Random random(seed);
    for (auto& p : at) p = {random.uniform(0, 1), random.uniform(0, 1)};
    for (std::size_t i = 0; i < 3 * nodes; ++i) {
      const Index a = Index(random.below(nodes));
      const Index b = Index(random.below(nodes));
      const double cost = distance(a, b) * random.uniform(1, 2);
      edges[a].push_back({b, cost});
      edges[b].push_back({a, cost});
    }
  }
  [[nodiscard]] std::size_t node_count() const { return at.size(); }
  [[nodiscard]] double distance(Index a, Index b) const { return std::hypot(at[a][0] - at[b][0], at[a][1] - at[b][1]); }
  template <class Visit>
  void for_each_neighbour(Index node, Visit&& visit) const {
    for (Index i = 0; i < edges[node].size(); ++i) visit(edges[node][i].to, edges[node][i].cost, i);
  }
};

/// Bellman and Ford: no heap, no heuristic, no early end.
template <class Graph>
std::vector<double> all_costs(const Graph& graph, Index start) {
  std::vector<double> cost(graph.node_count(), unreachable);
  cost[start] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (Index v = 0; v < cost.size(); ++v)
      graph.for_each_neighbour(v, [&](Index to, double step, Index) {
        if (cost[v] + step < cost[to]) cost[to] = cost[v] + step, changed = true;
      });
  }
  return cost;
}

/// What a path really costs: the cheapest edge between each two of its nodes. Infinite where two are not joined.
template <class Graph>
double cost_of(const Graph& graph, const std::vector<Index>& nodes) {
  double sum = 0;
  for (std::size_t i = 1; i < nodes.size(); ++i) {
    double cheapest = unreachable;
    graph.for_each_neighbour(nodes[i - 1], [&](Index to, double step, Index) {
      if (to == nodes[i]) cheapest = std::min(cheapest, step);
    });
    sum += cheapest;
  }
  return sum;
}

}  // namespace throng::routes::test_graphs
