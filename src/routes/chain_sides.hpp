// What lies left and right of the chains of a route graph, and the policy of a search that passes obstacles as it is told. Van Toll, Pettre
// 2019, 5.2.1, on chains instead of passages: a way round an obstacle may have one passage only, and a door may have one wall at both ends.
//
// Laws
// 1. Every chain has exactly one obstacle on its left and one on its right along its whole length, dead ends and all.
// 2. Under a strategy a directed chain is not allowed if it says L of the obstacle on the left or R of that on the right, unless both are one
//    obstacle. Of chains that are walked in part, as the start's and the goal's own, only passages that are crossed count. Dead ends are
//    always allowed.
// Complexity: O(n) to make; O(log passages a chain) to ask. Thread-safety: immutable.
#pragma once

#include <algorithm>
#include <vector>

#include "navmesh/obstacles.hpp"
#include "routes/chain_search.hpp"
#include "routes/route_graph.hpp"
#include "routes/strategy.hpp"

namespace throng::routes {

class ChainSides {
 public:
  explicit ChainSides(const RouteGraph& graph);

  [[nodiscard]] const navmesh::Obstacles& obstacles() const { return obstacles_; }
  /// Of a directed chain: 2 * chain, + 1 against it.
  [[nodiscard]] Index left(Index via) const { return sides_[via]; }
  [[nodiscard]] Index right(Index via) const { return sides_[via ^ 1]; }
  [[nodiscard]] double length(Index via) const { return lengths_[via / 2]; }
  /// Whether a passage lies strictly between two distances along a directed chain.
  [[nodiscard]] bool crosses_passage(Index via, double from, double to) const;
  /// Whether this one does.
  [[nodiscard]] bool crosses(Index via, double from, double to, Index passage) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  navmesh::Obstacles obstacles_;
  std::vector<Index> sides_;
  std::vector<double> lengths_;
  std::vector<Index> first_;       ///< of each chain, one more at the end
  std::vector<double> positions_;  ///< of passages along their chain
  struct OnChain {
    Index chain = none;  ///< none: in a dead end
    double at = 0;
  };
  std::vector<OnChain> on_chain_;  ///< of passages
};

/// Metres, under a strategy.
struct DecidedLength {
  const ChainSides& sides;
  const Strategy& strategy;
  Index closed = none;  ///< a passage that must not be crossed

  [[nodiscard]] double stretch(Index, double from, double to, double) const { return to - from; }
  [[nodiscard]] double dead_end(double length, double) const { return length; }
  [[nodiscard]] double least(double distance) const { return distance; }
  [[nodiscard]] bool allowed(Index via, double from, double to) const {
    if (closed != none && sides.crosses(via, from, to, closed)) return false;
    const Index left = sides.left(via), right = sides.right(via);
    if (left == right) return true;
    if (!strategy.says(left, Side::left) && !strategy.says(right, Side::right)) return true;
    const bool whole = from <= 0 && to >= sides.length(via);
    return !whole && !sides.crosses_passage(via, from, to);
  }
};

}  // namespace throng::routes
