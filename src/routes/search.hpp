// One search for every graph: A*, Dijkstra, weighted A* (Hart, Nilsson, Raphael 1968; Dijkstra 1959; Pohl 1970), told apart by
// their policies. Jaklin 2016, 2.2. The rest of the family is in search_family.hpp, made of the same parts (open_list.hpp).
//
// A graph is anything with
//   std::size_t node_count() const;
//   void for_each_neighbour(Index node, visit) const;   // calls visit(Index to, double cost, Index via); cost >= 0 or infinite
// or, where what lies ahead costs what it does by when one gets there (a timetable, a queue: Dreyfus 1969),
//   void for_each_neighbour(Index node, double so_far, visit) const;   // so_far + cost must not fall as so_far grows
// The search may start at several nodes and end at several, each with a cost of its own: a place in the middle of an edge
// begins at both ends of it.
//
// Laws
// 1. With weight 1 and a heuristic that never overestimates, the path found is a cheapest one; with weight w it costs at most w
//    times that. No consistency is needed: a node is opened again when a cheaper way to it turns up.
// 2. Ties are broken by node number, so the answer does not depend on memory, threads or machines.
// 3. advance(n) expands at most n nodes and can be called again: split into any portions, the answer is the same.
// 4. After the first search of a size nothing is allocated: node state is stamped, not cleared.
// Thread-safety: one Search object a thread; the graph is only read.
#pragma once

#include "routes/open_list.hpp"

namespace throng::routes {

class Search {
 public:
  /// Forgets the last search and begins one at these nodes. Paths that cost `bound` or more are not looked for.
  void begin(std::size_t node_count, std::span<const Terminal> starts, std::span<const Terminal> ends,
             double bound = unreachable) {
    nodes_.begin(node_count);
    open_.clear();
    ends_.assign(ends.begin(), ends.end());
    best_ = {none, bound};
    expansions_ = 0;
    starts_.assign(starts.begin(), starts.end());
    started_ = false;
  }

  /// Goes on for at most `budget` expansions. `heuristic(node)` estimates the cost from a node to the end, end costs included.
  template <class Graph, class Heuristic>
  SearchStatus advance(const Graph& graph, const Heuristic& heuristic, double weight, std::size_t budget) {
    return advance(graph, heuristic, weight, budget, [this](std::size_t end, double) { return ends_[end].cost; });
  }

  /// The same with end costs that go by the cost of getting there: `end_cost(end, so_far)` for the end's place in the list.
  template <class Graph, class Heuristic, class EndCost>
  SearchStatus advance(const Graph& graph, const Heuristic& heuristic, double weight, std::size_t budget,
                       const EndCost& end_cost) {
    const auto reach = [&](Index node, double cost, Index parent, Index via) {
      if (nodes_.improve(node, cost, parent, via, [&](Index n) { return weight * heuristic(n); }))
        open_.push({cost + nodes_[node].ahead, cost, node});
    };
    if (!started_) {
      started_ = true;
      for (const Terminal& start : starts_) reach(start.node, start.cost, none, none);
    }
    while (!open_.empty()) {
      if (open_.top().key >= best_.cost) break;
      if (budget == 0) return SearchStatus::running;
      const OpenNode next = open_.pop();
      if (next.cost > nodes_[next.node].cost) continue;  // a cheaper way was found since
      --budget;
      ++expansions_;
      finish_at(next.node, next.cost, end_cost);
      const auto visit = [&](Index to, double cost, Index via) {
        if (cost < unreachable) reach(to, next.cost + cost, next.node, via);
      };
      if constexpr (requires { graph.for_each_neighbour(next.node, next.cost, visit); })
        graph.for_each_neighbour(next.node, next.cost, visit);
      else
        graph.for_each_neighbour(next.node, visit);
    }
    return best_.node == none ? SearchStatus::no_path : SearchStatus::found;
  }

  [[nodiscard]] double cost() const { return best_.cost; }
  [[nodiscard]] Index last_node() const { return best_.node; }
  /// How the node was reached: from which node and over what; none at a start.
  [[nodiscard]] Index parent(Index node) const { return nodes_[node].parent; }
  [[nodiscard]] Index via(Index node) const { return nodes_[node].via; }
  /// Cost of the cheapest way found to the node; infinite where none was.
  [[nodiscard]] double cost_to(Index node) const { return nodes_.cost_to(node); }
  [[nodiscard]] std::size_t expansions() const { return expansions_; }

 private:
  template <class EndCost>
  void finish_at(Index node, double cost, const EndCost& end_cost) {
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (ends_[i].node != node) continue;
      const double total = cost + end_cost(i, cost);
      if (total < best_.cost) best_ = {node, total};
    }
  }

  ReachedNodes nodes_;
  OpenList open_;
  std::vector<Terminal> starts_, ends_;
  Terminal best_;
  std::size_t expansions_ = 0;
  bool started_ = false;
};

}  // namespace throng::routes
