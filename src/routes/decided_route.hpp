// Routes that pass obstacles on the sides they are told. Van Toll, Pettre 2019, 5.2.1.
//
// The best way along the axis among the chains that a strategy allows (chain_sides.hpp), `medial` as it is, any other method by the tightest
// path in that corridor. What comes out is looked at once more as a path (path_decisions.hpp).
//
// Laws
// 1. A way is found exactly if some way over chains that keeps the radius is allowed; it is a shortest one along the axis.
// 2. The decisions of a route that is found do not conflict with the strategy: a way that passes something across a junction on the wrong hand,
//    beside none of its chains, is not taken. (Told of nine obstacles in ten, one way in ten is such a one; told of a few, one in twenty-five.)
// Complexity: as a route over chains. Thread-safety: one DecidedPlanner a thread, any number on one graph.
#pragma once

#include <cstddef>

#include "routes/chain_sides.hpp"
#include "routes/path_decisions.hpp"
#include "routes/planner.hpp"

namespace throng::routes {

class DecidedPlanner {
 public:
  explicit DecidedPlanner(const RouteGraph& graph) : graph_(&graph), search_(graph) {}

  /// `not_as_told` where every way passes something on the side that is not allowed. Adds what was expanded to `expansions`; a search that
  /// takes more than `most` finds nothing (too_long). `closed` is a passage that is not to be crossed.
  NoRoute plan(const RouteQuery& query, const Strategy& told, Planner& planner, Route& route, std::size_t& expansions,
               std::size_t most = ~std::size_t{0}, Index closed = none);

 private:
  const RouteGraph* graph_;
  ChainSearch search_;
};

}  // namespace throng::routes
