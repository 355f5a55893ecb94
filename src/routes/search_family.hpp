// The rest of the search family, on the graphs of Search (search.hpp) and made of the same parts (open_list.hpp): best-first, beam,
// bidirectional, ARA* and ANA*. Jaklin 2016, 2.2; Jaklin, Geraerts 2016, "A* and its variants".
//
// "Never overestimates" and "consistent" are of the heuristic h: h(v) is at most the cheapest way from v to an end; h(u) is at most
// cost(u, v) + h(v). Straight lines on a map are both. Every variant has bound(): the path it has costs at most that many times a
// cheapest one, infinite where nothing is promised. All expand nodes in portions, advance(n), with the same answer however it is cut; ties go
// to the lower node.
//
// Laws
// 1. BestFirstSearch (f = h) finds a path exactly if there is one; nothing is said of its cost. Each node is expanded at most once.
// 2. BeamSearch (Lowerre, Reddy 1980) is A* that keeps the `width` most promising open nodes and drops the others. It may miss the only
//    path. With a heuristic that never overestimates the bound is cost / (lowest estimate dropped): 1 where it dropped nothing
//    that mattered.
// 3. BidirectionalSearch (Pohl 1971; potentials of Ikeda et al. 1994) finds a cheapest path, for consistent heuristics of both directions. It
//    stops when the lowest keys of both sides add up to the best meeting, not at the first one.
// 4. AraSearch (ARA*; Likhachev, Gordon, Thrun 2003) is weighted A* with weights from `first_weight` down to 1, each stage reusing the last
//    one's work. For consistent heuristics the path at the end of a stage costs at most `bound` times a cheapest one, `bound` being the smaller of
//    the weight and cost / (lowest estimate left); no node is expanded twice in a stage; the last stage's path is a cheapest one.
// 5. AnaSearch (ANA*; van den Berg, Shah, Huang, Goldberg 2011) has no weights: it expands where (best cost - g) / h is largest, and the largest left is the
//    bound. Before there is a path, the lowest h. Each path is cheaper than the last, the last one a cheapest. Heuristics need
//    not be consistent.
// 6. Stages of 4 and 5 never get worse, neither in cost nor in bound.
// Thread-safety: one object a thread; the graph is only read.
#pragma once

#include <string_view>

#include "routes/search.hpp"

namespace throng::routes {

/// What an anytime search had at some time.
struct SearchStage {
  double cost = unreachable;
  double bound = unreachable;
  std::size_t expansions = 0;  ///< up to then
};

class BestFirstSearch : public TreeSearch {
 public:
  void begin(std::size_t node_count, std::span<const Terminal> starts, std::span<const Terminal> ends) {
    begin_tree(node_count, starts, ends);
  }
  template <class Graph, class Heuristic>
  SearchStatus advance(const Graph& graph, const Heuristic& heuristic, std::size_t budget) {
    const auto reach = [&](Index node, double cost, Index parent, Index via) {
      if (nodes_.has(node)) return;  // the first way counts
      nodes_.improve(node, cost, parent, via, heuristic);
      open_.push({nodes_[node].ahead, cost, node});
    };
    start(reach);
    while (!open_.empty() && best_.node == none) {
      if (budget-- == 0) return SearchStatus::running;
      const OpenNode next = open_.pop();
      finish_at(next.node);
      expand(graph, next.node, reach);
    }
    return verdict();
  }
  [[nodiscard]] double bound() const { return unreachable; }
};

class BeamSearch : public TreeSearch {
 public:
  /// `width` is at least 1.
  void begin(std::size_t node_count, std::span<const Terminal> starts, std::span<const Terminal> ends,
             std::size_t width) {
    begin_tree(node_count, starts, ends);
    width_ = std::max<std::size_t>(1, width);
    lowest_dropped_ = unreachable;
  }
  template <class Graph, class Heuristic>
  SearchStatus advance(const Graph& graph, const Heuristic& heuristic, std::size_t budget) {
    const auto reach = [&](Index node, double cost, Index parent, Index via) {
      if (nodes_.improve(node, cost, parent, via, heuristic)) open_.push({cost + nodes_[node].ahead, cost, node});
    };
    start(reach);
    narrow();
    while (!open_.empty() && open_.top().key < best_.cost) {
      if (budget == 0) return SearchStatus::running;
      const OpenNode next = open_.pop();
      if (is_stale(next)) continue;
      --budget;
      finish_at(next.node);
      expand(graph, next.node, reach);
      narrow();
    }
    return verdict();
  }
  [[nodiscard]] double bound() const {
    if (best_.node == none) return unreachable;
    const double lowest = open_.empty() ? lowest_dropped_ : std::min(lowest_dropped_, open_.top().key);
    return best_.cost <= lowest ? 1 : best_.cost / lowest;
  }

 private:
  void narrow() {
    if (open_.size() <= width_) return;
    open_.rekey([&](const OpenNode& open) { return !is_stale(open); });
    open_.keep_lowest(width_, [&](const OpenNode& open) { lowest_dropped_ = std::min(lowest_dropped_, open.key); });
  }

  std::size_t width_ = 1;
  double lowest_dropped_ = unreachable;
};

/// One tree from each end. On a graph whose edges lead both ways at the same cost `reverse` is the graph itself.
class BidirectionalSearch {
 public:
  void begin(std::size_t node_count, std::span<const Terminal> starts, std::span<const Terminal> ends) {
    for (const int s : {0, 1}) {
      side_[s].nodes.begin(node_count);
      side_[s].open.clear();
      const auto& terminals = s == 0 ? starts : ends;
      side_[s].begins.assign(terminals.begin(), terminals.end());
    }
    best_ = {none, unreachable};
    expansions_ = 0;
    started_ = false;
  }
  /// `to_end` and `from_start` estimate the cost from a node to an end, and from a start to it.
  template <class Graph, class Reverse, class ToEnd, class FromStart>
  SearchStatus advance(const Graph& graph, const Reverse& reverse, const ToEnd& to_end, const FromStart& from_start,
                       std::size_t budget) {
    // Both sides see one potential, with opposite signs: then costs less potentials are the same from either side.
    const auto reach = [&](int s, Index node, double cost, Index parent, Index via) {
      Side& side = side_[s];
      const auto potential = [&](Index n) { return (s == 0 ? 0.5 : -0.5) * (to_end(n) - from_start(n)); };
      if (!side.nodes.improve(node, cost, parent, via, potential)) return;
      side.open.push({cost + side.nodes[node].ahead, cost, node});
      const double whole = cost + side_[1 - s].nodes.cost_to(node);
      if (whole < best_.cost) best_ = {node, whole};
    };
    if (!started_) {
      started_ = true;
      for (const int s : {0, 1})
        for (const Terminal& begin : side_[s].begins) reach(s, begin.node, begin.cost, none, none);
    }
    while (side_[0].is_waiting() && side_[1].is_waiting() &&
           side_[0].open.top().key + side_[1].open.top().key < best_.cost) {
      if (budget-- == 0) return SearchStatus::running;
      const int s = side_[0].open.size() <= side_[1].open.size() ? 0 : 1;
      const OpenNode next = side_[s].open.pop();
      ++expansions_;
      const auto visit = [&](Index to, double cost, Index via) {
        if (cost < unreachable) reach(s, to, next.cost + cost, next.node, via);
      };
      if (s == 0)
        graph.for_each_neighbour(next.node, visit);
      else
        reverse.for_each_neighbour(next.node, visit);
    }
    return best_.node == none ? SearchStatus::no_path : SearchStatus::found;
  }
  [[nodiscard]] double cost() const { return best_.cost; }
  [[nodiscard]] double bound() const { return best_.node == none ? unreachable : 1; }
  [[nodiscard]] std::size_t expansions() const { return expansions_; }
  /// Vias of the part from the meeting to the end are those of `reverse`.
  void collect(SearchPath& path) const {
    path.nodes.clear(), path.vias.clear();
    if (best_.node == none) return;
    const auto climb = [&](const Side& side) {
      for (Index node = best_.node; side.nodes[node].parent != none; node = side.nodes[node].parent) {
        path.nodes.push_back(side.nodes[node].parent);
        path.vias.push_back(side.nodes[node].via);
      }
    };
    climb(side_[0]);
    std::reverse(path.nodes.begin(), path.nodes.end());
    std::reverse(path.vias.begin(), path.vias.end());
    path.nodes.push_back(best_.node);
    climb(side_[1]);
  }

 private:
  struct Side {
    ReachedNodes nodes;
    OpenList open;
    std::vector<Terminal> begins;
    /// Whether a node waits that is not stale; drops those that are.
    bool is_waiting() {
      while (!open.empty() && open.top().cost > nodes[open.top().node].cost) open.pop();
      return !open.empty();
    }
  };
  Side side_[2];
  Terminal best_;  ///< where the trees meet best
  std::size_t expansions_ = 0;
  bool started_ = false;
};

/// What the anytime searches share: the stages.
class AnytimeSearch : public TreeSearch {
 public:
  /// Of the path there is now.
  [[nodiscard]] double bound() const { return bound_; }
  [[nodiscard]] const std::vector<SearchStage>& stages() const { return stages_; }

 protected:
  void begin_stages(std::size_t node_count, std::span<const Terminal> starts, std::span<const Terminal> ends) {
    begin_tree(node_count, starts, ends);
    bound_ = unreachable;
    stages_.clear();
  }
  void note_stage() { stages_.push_back({best_.cost, bound_, expansions_}); }

  double bound_ = unreachable;
  std::vector<SearchStage> stages_;
};

class AraSearch : public AnytimeSearch {
 public:
  /// Weights fall from `first_weight` by `step` to 1. Both are made sensible: at least 1, more than 0.
  void begin(std::size_t node_count, std::span<const Terminal> starts, std::span<const Terminal> ends,
             double first_weight, double step) {
    begin_stages(node_count, starts, ends);
    weight_ = std::max(1.0, first_weight);
    step_ = step > 0 ? step : weight_;
    ++stage_;
    if (closed_in_.size() < node_count) closed_in_.resize(node_count, 0);
    inconsistent_.clear();
  }
  /// Runs through all stages; `running` where the budget ended first, with the path of cost() and bound() to use meanwhile.
  template <class Graph, class Heuristic>
  SearchStatus advance(const Graph& graph, const Heuristic& heuristic, std::size_t budget) {
    const auto reach = [&](Index node, double cost, Index parent, Index via) {
      if (!nodes_.improve(node, cost, parent, via, heuristic)) return;
      finish_at(node);
      if (closed_in_[node] == stage_)
        inconsistent_.push_back({0, cost, node});
      else
        open_.push({key_of(node), cost, node});
    };
    start(reach);
    for (;;) {
      while (!open_.empty() && open_.top().key < best_.cost) {
        if (budget == 0) return SearchStatus::running;
        const OpenNode next = open_.pop();
        if (is_stale(next)) continue;
        --budget;
        closed_in_[next.node] = stage_;
        expand(graph, next.node, reach);
      }
      if (best_.node == none) return SearchStatus::no_path;
      if (end_stage()) return SearchStatus::found;
    }
  }

 private:
  [[nodiscard]] double key_of(Index node) const { return nodes_[node].cost + weight_ * nodes_[node].ahead; }

  /// Notes what the stage came to and prepares the next; true where the path is a cheapest one.
  bool end_stage() {
    for (const OpenNode& open : inconsistent_) open_.push(open);
    inconsistent_.clear();
    double lowest = unreachable;
    open_.rekey([&](const OpenNode& open) {
      if (is_stale(open)) return false;
      lowest = std::min(lowest, open.cost + nodes_[open.node].ahead);
      return true;
    });
    const double proven = best_.cost <= lowest ? 1 : best_.cost / lowest;
    bound_ = std::min({bound_, weight_, proven});
    note_stage();
    if (bound_ <= 1) return true;
    weight_ = std::max(1.0, weight_ - step_);
    ++stage_;
    open_.rekey([&](OpenNode& open) { return open.key = key_of(open.node), true; });
    return false;
  }

  double weight_ = 1, step_ = 1;
  std::uint64_t stage_ = 0;               ///< over all searches
  std::vector<std::uint64_t> closed_in_;  ///< the stage each node was expanded in last
  std::vector<OpenNode> inconsistent_;    ///< reached better after they were expanded
};

class AnaSearch : public AnytimeSearch {
 public:
  void begin(std::size_t node_count, std::span<const Terminal> starts, std::span<const Terminal> ends) {
    begin_stages(node_count, starts, ends);
  }
  /// Runs until the path is a cheapest one; `running` where the budget ended first, with the path of cost() and bound() to use
  /// meanwhile.
  template <class Graph, class Heuristic>
  SearchStatus advance(const Graph& graph, const Heuristic& heuristic, std::size_t budget) {
    const auto reach = [&](Index node, double cost, Index parent, Index via) {
      if (nodes_.improve(node, cost, parent, via, heuristic) && is_promising(node))
        open_.push({key_of(node), cost, node});
    };
    start(reach);
    while (!open_.empty()) {
      if (budget == 0) return SearchStatus::running;
      const OpenNode next = open_.pop();
      if (is_stale(next) || !is_promising(next.node)) continue;
      if (best_.node != none) bound_ = std::min(bound_, std::max(1.0, -next.key));
      --budget;
      const bool better = finish_at(next.node);
      expand(graph, next.node, reach);
      if (better) end_stage();
    }
    if (best_.node == none) return SearchStatus::no_path;
    if (bound_ > 1) bound_ = 1, note_stage();
    return SearchStatus::found;
  }

 private:
  [[nodiscard]] bool is_promising(Index node) const { return nodes_[node].cost + nodes_[node].ahead < best_.cost; }
  /// The largest (best cost - g) / h first.
  [[nodiscard]] double key_of(Index node) const {
    const ReachedNode& reached = nodes_[node];
    if (best_.node == none) return reached.ahead;
    return reached.ahead > 0 ? -(best_.cost - reached.cost) / reached.ahead : -unreachable;
  }
  void end_stage() {
    open_.rekey([&](OpenNode& open) {
      if (is_stale(open) || !is_promising(open.node)) return false;
      return open.key = key_of(open.node), true;
    });
    bound_ = std::min(bound_, open_.empty() ? 1.0 : std::max(1.0, -open_.top().key));
    note_stage();
  }
};

enum class SearchKind { astar, dijkstra, weighted, best_first, beam, bidirectional, ara, ana };
inline constexpr std::string_view search_kind_names[] = {"astar", "dijkstra",      "weighted", "best-first",
                                                         "beam",  "bidirectional", "ara",      "ana"};

struct SearchSettings {
  SearchKind kind = SearchKind::astar;
  double weight = 2.5;                   ///< of `weighted`, and the first one of `ara`
  double weight_step = 0.5;              ///< of `ara`
  std::size_t width = 100;               ///< of `beam`
  std::size_t budget = ~std::size_t{0};  ///< expansions; the anytime ones answer with what they have then
};

struct SearchAnswer {
  double cost = unreachable;
  double bound = unreachable;
  std::size_t expansions = 0;
  SearchPath path;
  std::vector<SearchStage> stages;  ///< of anytime searches
  [[nodiscard]] bool found() const { return cost < unreachable; }
};

/// Any of the family, chosen while the program runs. Keeps the buffers of each between searches.
class AnySearch {
 public:
  /// On a graph whose edges lead both ways at the same cost. `to_end` and `from_start` are consistent.
  template <class Graph, class ToEnd, class FromStart>
  void find(const SearchSettings& settings, const Graph& graph, const ToEnd& to_end, const FromStart& from_start,
            std::span<const Terminal> starts, std::span<const Terminal> ends, SearchAnswer& answer) {
    const std::size_t count = graph.node_count();
    answer = {};
    switch (settings.kind) {
      case SearchKind::astar: return by_search(graph, to_end, 1, settings, starts, ends, answer);
      case SearchKind::dijkstra: return by_search(graph, NoHeuristic{}, 1, settings, starts, ends, answer);
      case SearchKind::weighted:
        return by_search(graph, to_end, std::max(1.0, settings.weight), settings, starts, ends, answer);
      case SearchKind::best_first:
        best_first_.begin(count, starts, ends);
        (void)best_first_.advance(graph, to_end, settings.budget);
        return take(best_first_, answer);
      case SearchKind::beam:
        beam_.begin(count, starts, ends, settings.width);
        (void)beam_.advance(graph, to_end, settings.budget);
        return take(beam_, answer);
      case SearchKind::bidirectional: {
        bidirectional_.begin(count, starts, ends);
        const SearchStatus status = bidirectional_.advance(graph, graph, to_end, from_start, settings.budget);
        answer.expansions = bidirectional_.expansions();
        if (status == SearchStatus::found) take(bidirectional_, answer);
        return;
      }
      case SearchKind::ara:
        ara_.begin(count, starts, ends, settings.weight, settings.weight_step);
        (void)ara_.advance(graph, to_end, settings.budget);
        answer.stages = ara_.stages();
        return take(ara_, answer);
      case SearchKind::ana:
        ana_.begin(count, starts, ends);
        (void)ana_.advance(graph, to_end, settings.budget);
        answer.stages = ana_.stages();
        return take(ana_, answer);
    }
  }

 private:
  template <class Graph, class Heuristic>
  void by_search(const Graph& graph, const Heuristic& heuristic, double weight, const SearchSettings& settings,
                 std::span<const Terminal> starts, std::span<const Terminal> ends, SearchAnswer& answer) {
    search_.begin(graph.node_count(), starts, ends);
    const SearchStatus status = search_.advance(graph, heuristic, weight, settings.budget);
    answer.expansions = search_.expansions();
    if (status != SearchStatus::found) return;
    answer.cost = search_.cost();
    answer.bound = weight;
    for (Index node = search_.last_node(); node != none; node = search_.parent(node)) {
      answer.path.nodes.push_back(node);
      if (search_.parent(node) != none) answer.path.vias.push_back(search_.via(node));
    }
    std::reverse(answer.path.nodes.begin(), answer.path.nodes.end());
    std::reverse(answer.path.vias.begin(), answer.path.vias.end());
  }
  template <class Variant>
  static void take(const Variant& search, SearchAnswer& answer) {
    answer.cost = search.cost();
    answer.bound = search.bound();
    answer.expansions = search.expansions();
    search.collect(answer.path);
  }

  Search search_;
  BestFirstSearch best_first_;
  BeamSearch beam_;
  BidirectionalSearch bidirectional_;
  AraSearch ara_;
  AnaSearch ana_;
};

}  // namespace throng::routes
