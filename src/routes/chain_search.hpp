// The cheapest way over chains, whatever walking along them costs: length, time in a crowd, waiting in queues, ways that are not allowed.
//
// A policy says what chains cost:
//   double stretch(Index via, double from, double to, double so_far) const;
//     What it costs to walk a directed chain (2 * chain, + 1 against it) from one distance along it, in the direction walked, to another, for who has
//     come to its beginning at a cost of `so_far`: queues go by the time of arrival. Not negative; infinite: not to be walked.
//   double dead_end(double length, double so_far) const;   // the same in dead ends, where there is no choice
//   bool allowed(Index via, double from, double to) const; // whether that stretch may be walked at all
//   double least(double distance) const;                   // no way between places so far apart in a straight line costs less
// It must let nobody arrive earlier who sets out later: so_far + stretch(via, from, to, so_far) does not fall as so_far grows.
//
// Laws
// 1. What is found is a cheapest way of the body over chains; nothing is found exactly if there is none. Ties go to the lower number.
// 2. With LengthCosts it is the way that AxisPathFinder finds, up to ties.
// 3. The same question gives the same bits, whatever was asked before, in whatever portions.
// Complexity: A* over junctions, then linear in the edges of the way. Thread-safety: one a thread, any number on one graph.
#pragma once

#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "routes/chain_corridor.hpp"
#include "routes/search.hpp"

namespace throng::routes {

/// Metres.
struct LengthCosts {
  [[nodiscard]] double stretch(Index, double from, double to, double) const { return to - from; }
  [[nodiscard]] double dead_end(double length, double) const { return length; }
  [[nodiscard]] bool allowed(Index, double, double) const { return true; }
  [[nodiscard]] double least(double distance) const { return distance; }
};

/// How an end of a way is joined to the junctions: along a directed chain between two distances, or at once.
struct ChainAccess {
  Index junction = none;
  Index via = none;  ///< directed as the way goes; none: the dead end ends at the junction
  double from = 0, to = 0;
};

class ChainSearch {
 public:
  explicit ChainSearch(const RouteGraph& graph) : graph_(&graph) {}

  /// Finds a cheapest way; its cost, infinite where there is none.
  template <class Costs>
  double find(const OnAxis& start, const OnAxis& goal, double radius, const Costs& costs, AxisPath& path) {
    begin(start, goal, radius, costs);
    return advance(costs, ~std::size_t{0}) == SearchStatus::found && collect(path) ? cost_ : unreachable;
  }

  /// The same in portions of at most `budget` expansions: begin, advance until it is not running, collect if found.
  template <class Costs>
  void begin(const OnAxis& start, const OnAxis& goal, double radius, const Costs& costs) {
    prepare(start, goal, radius);
    cost_ = unreachable;
    if (meets_in_dead_end_) {
      cost_ = costs.dead_end(direct_.length, 0);
    } else {
      out_cost_ = start_.way_out_length > 0 ? costs.dead_end(start_.way_out_length, 0) : 0;
      if (direct_way_) {
        const double there = along(costs, *direct_way_, out_cost_);
        if (there < unreachable) cost_ = there + in_cost(costs, there);
      }
    }
    starts_.clear(), start_vias_.clear();
    for (const ChainAccess& access : exits_)
      if (const double cost = along(costs, access, out_cost_); cost < unreachable)
        starts_.push_back({access.junction, cost}), start_vias_.push_back(access.via);
    ends_.clear();
    for (const ChainAccess& access : entries_) ends_.push_back({access.junction, 0});
    search_.begin(graph_->junction_count(), starts_, ends_, cost_);
  }

  template <class Costs>
  SearchStatus advance(const Costs& costs, std::size_t budget) {
    if (meets_in_dead_end_) return fits_ && cost_ < unreachable ? SearchStatus::found : SearchStatus::no_path;
    const auto ahead = [&](Index junction) {
      return costs.least(distance(graph_->point_of(junction), goal_at_.point));
    };
    const auto end_cost = [&](std::size_t end, double so_far) {
      const double there = along(costs, entries_[end], so_far);
      return there < unreachable ? there + in_cost(costs, there) - so_far : unreachable;
    };
    const SearchStatus status =
        search_.advance(CostedChains<Costs>{*graph_, radius_, costs}, ahead, 1, budget, end_cost);
    if (status == SearchStatus::running) return status;
    if (status == SearchStatus::found) {
      cost_ = search_.cost();
      double best = unreachable;
      for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (entries_[i].junction != search_.last_node()) continue;
        const double cost = end_cost(i, search_.cost_to(search_.last_node()));
        if (cost < best) best = cost, goal_via_ = entries_[i].via;
      }
    }
    return cost_ < unreachable ? SearchStatus::found : SearchStatus::no_path;
  }

  /// The way that was found. Its `length` is in metres; cost() is what was minimised.
  bool collect(AxisPath& path) const;
  [[nodiscard]] double cost() const { return cost_; }
  [[nodiscard]] std::size_t expansions() const { return search_.expansions(); }

 private:
  template <class Costs>
  struct CostedChains {
    const RouteGraph& graph;
    double radius;
    const Costs& costs;

    [[nodiscard]] std::size_t node_count() const { return graph.junction_count(); }
    template <class Visit>
    void for_each_neighbour(Index junction, double so_far, Visit&& visit) const {
      for (const ChainEnd& end : graph.chain_ends(junction))
        if (end.clearance >= radius && costs.allowed(end.via, 0, end.length))
          visit(end.to, costs.stretch(end.via, 0, end.length, so_far), end.via);
    }
  };

  /// The cost at the far end of a stretch.
  template <class Costs>
  [[nodiscard]] static double along(const Costs& costs, const ChainAccess& access, double so_far) {
    if (access.via == none) return so_far;
    if (!costs.allowed(access.via, access.from, access.to)) return unreachable;
    return so_far + costs.stretch(access.via, access.from, access.to, so_far);
  }
  /// Of the goal's own dead end, from its chain on.
  template <class Costs>
  [[nodiscard]] double in_cost(const Costs& costs, double so_far) const {
    return goal_.way_out_length > 0 ? costs.dead_end(goal_.way_out_length, so_far) : 0;
  }

  void prepare(const OnAxis& start, const OnAxis& goal, double radius);
  void find_direct_way();
  [[nodiscard]] std::vector<ChainAccess> accesses(const ChainPlace& place, const OnAxis& at, bool outwards) const;
  [[nodiscard]] bool fits(const OnAxis& at, const std::vector<Step>& steps) const;
  [[nodiscard]] Index start_via(Index junction) const;

  const RouteGraph* graph_;
  Search search_;
  OnAxis start_at_, goal_at_;
  ChainPlace start_, goal_;
  double radius_ = 0;
  std::vector<ChainAccess> exits_, entries_;
  std::optional<ChainAccess> direct_way_;  ///< along the one chain that both ends are on
  bool meets_in_dead_end_ = false;         ///< the ends are in one dead end: there is one way, this one
  bool fits_ = false;
  AxisPath direct_;
  double out_cost_ = 0;
  double cost_ = unreachable;
  std::vector<Terminal> starts_, ends_;
  std::vector<Index> start_vias_;  ///< of starts_
  Index goal_via_ = none;          ///< of the way that was found
};

}  // namespace throng::routes
