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

/// A path, from a start to an end, and over what each node but the first was reached.
struct SearchPath {
  std::vector<Index> nodes, vias;
};

/// What the searches that grow one tree share.
class TreeSearch {
 public:
  [[nodiscard]] double cost() const { return best_.cost; }
  [[nodiscard]] std::size_t expansions() const { return expansions_; }
  /// The path of that cost, or a cheaper one: ways to nodes on it may have got better since. Empty where there is none.
  void collect(SearchPath& path) const {
    path.nodes.clear(), path.vias.clear();
    for (Index node = best_.node; node != none; node = nodes_[node].parent) {
      path.nodes.push_back(node);
      if (nodes_[node].parent != none) path.vias.push_back(nodes_[node].via);
    }
    std::reverse(path.nodes.begin(), path.nodes.end());
    std::reverse(path.vias.begin(), path.vias.end());
  }

 protected:
  /// Paths that cost `bound` or more are not looked for.
  void begin_tree(std::size_t node_count, std::span<const Terminal> starts, std::span<const Terminal> ends,
                  double bound = unreachable) {
    nodes_.begin(node_count);
    open_.clear();
    starts_.assign(starts.begin(), starts.end());
    ends_.assign(ends.begin(), ends.end());
    best_ = {none, bound};
    expansions_ = 0;
    started_ = false;
  }
  /// Calls reach(node, cost, parent, via) for the starts, once a search.
  template <class Reach>
  void start(const Reach& reach) {
    if (started_) return;
    started_ = true;
    for (const Terminal& start : starts_) reach(start.node, start.cost, none, none);
  }
  /// Calls reach(node, cost, parent, via) for all neighbours.
  template <class Graph, class Reach>
  void expand(const Graph& graph, Index node, const Reach& reach) {
    ++expansions_;
    const double cost = nodes_[node].cost;
    const auto visit = [&](Index to, double step, Index via) {
      if (step < unreachable) reach(to, cost + step, node, via);
    };
    if constexpr (requires { graph.for_each_neighbour(node, cost, visit); })
      graph.for_each_neighbour(node, cost, visit);
    else
      graph.for_each_neighbour(node, visit);
  }
  [[nodiscard]] bool is_stale(const OpenNode& open) const { return open.cost > nodes_[open.node].cost; }
  /// Whether the node ends a path cheaper than the best. `end_cost(end, so_far)` is asked for the end's place in the list.
  template <class EndCost>
  bool finish_at(Index node, const EndCost& end_cost) {
    bool better = false;
    const double so_far = nodes_[node].cost;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (ends_[i].node != node) continue;
      const double total = so_far + end_cost(i, so_far);
      if (total < best_.cost) best_ = {node, total}, better = true;
    }
    return better;
  }
  bool finish_at(Index node) {
    return finish_at(node, [this](std::size_t end, double) { return ends_[end].cost; });
  }
  [[nodiscard]] SearchStatus verdict() const {
    return best_.node == none ? SearchStatus::no_path : SearchStatus::found;
  }

  ReachedNodes nodes_;
  OpenList open_;
  std::vector<Terminal> starts_, ends_;
  Terminal best_;
  std::size_t expansions_ = 0;
  bool started_ = false;
};

class Search : public TreeSearch {
 public:
  /// Forgets the last search and begins one at these nodes. Paths that cost `bound` or more are not looked for.
  void begin(std::size_t node_count, std::span<const Terminal> starts, std::span<const Terminal> ends,
             double bound = unreachable) {
    begin_tree(node_count, starts, ends, bound);
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
    start(reach);
    while (!open_.empty()) {
      if (open_.top().key >= best_.cost) break;
      if (budget == 0) return SearchStatus::running;
      const OpenNode next = open_.pop();
      if (is_stale(next)) continue;
      --budget;
      finish_at(next.node, end_cost);
      expand(graph, next.node, reach);
    }
    return verdict();
  }

  [[nodiscard]] Index last_node() const { return best_.node; }
  /// How the node was reached: from which node and over what; none at a start.
  [[nodiscard]] Index parent(Index node) const { return nodes_[node].parent; }
  [[nodiscard]] Index via(Index node) const { return nodes_[node].via; }
  /// Cost of the cheapest way found to the node; infinite where none was.
  [[nodiscard]] double cost_to(Index node) const { return nodes_.cost_to(node); }
};

}  // namespace throng::routes
