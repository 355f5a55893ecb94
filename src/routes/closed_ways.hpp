// Ways over chains without those that lead over places which are closed for whoever asks.
//
// Laws
// 1. What is found leads over no closed place, but for one in the dead end that the start lies in: out of that there is one way only.
// 2. Nothing is found exactly if there is no such way within the budget.
// Thread-safety: read-only once made.
#pragma once

#include <span>
#include <vector>

#include "routes/chain_search.hpp"

namespace throng::routes {

/// A place on the axis.
struct ClosedPlace {
  Index edge = none;
  double along = 0;  ///< metres from the edge's `from`
};

class ClosedWays {
 public:
  ClosedWays(const RouteGraph& graph, std::span<const ClosedPlace> places);

  [[nodiscard]] bool empty() const { return on_chains_.empty() && in_dead_ends_.empty(); }
  /// Whether a stretch of a directed chain leads over one.
  [[nodiscard]] bool is_closed(Index via, double from, double to) const;
  /// Whether a goal's own dead end is closed for who comes from elsewhere.
  [[nodiscard]] bool is_closed_in(const OnAxis& start, const OnAxis& goal) const;

  /// Shortest, by the length along the axis.
  double find(const OnAxis& start, const OnAxis& goal, double radius, std::size_t most, AxisPath& path,
              std::size_t& expansions) const {
    return find(start, goal, radius, LengthCosts{}, most, path, expansions);
  }
  /// Cheapest by other costs; its cost, infinite where there is none.
  template <class Costs>
  double find(const OnAxis& start, const OnAxis& goal, double radius, const Costs& costs, std::size_t most,
              AxisPath& path, std::size_t& expansions) const {
    ++expansions;
    if (!in_dead_ends_.empty() && is_closed_in(start, goal)) return unreachable;
    const Open<Costs> open{costs, *this};
    ChainSearch search(*graph_);
    search.begin(start, goal, radius, open);
    const SearchStatus status = search.advance(open, most);
    expansions += search.expansions();
    return status == SearchStatus::found && search.collect(path) ? search.cost() : unreachable;
  }

 private:
  /// Somebody's costs, with ways closed.
  template <class Costs>
  struct Open {
    const Costs& costs;
    const ClosedWays& closed;
    [[nodiscard]] double stretch(Index via, double from, double to, double so_far) const {
      return costs.stretch(via, from, to, so_far);
    }
    [[nodiscard]] double dead_end(double length, double so_far) const { return costs.dead_end(length, so_far); }
    [[nodiscard]] bool allowed(Index via, double from, double to) const {
      return !closed.is_closed(via, from, to) && costs.allowed(via, from, to);
    }
    [[nodiscard]] double least(double distance) const { return costs.least(distance); }
  };
  struct OnChain {
    Index chain = none;
    double along = 0;  ///< metres from the chain's `from`
  };

  const RouteGraph* graph_;
  std::vector<OnChain> on_chains_;
  std::vector<ClosedPlace> in_dead_ends_;
};

}  // namespace throng::routes
