// What all searches are made of: the heap of what waits to be expanded (the open list, a priority queue), and what is known of nodes
// that were reached.
//
// Laws
// 1. A heap gives out first what comes before all others; the order of entries is total, so it does not depend on memory, threads or
//    machines. The open list gives out the lowest key first, of equal keys the lowest node.
// 2. Beginning anew costs O(1): what is known of nodes is stamped, not cleared, and nothing is allocated once buffers have grown.
// Thread-safety: one object a search.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace throng::routes {

using Index = std::uint32_t;
inline constexpr Index none = ~Index{0};
inline constexpr double unreachable = std::numeric_limits<double>::infinity();

enum class SearchStatus { running, found, no_path };
/// Of expansions: no limit.
inline constexpr std::size_t any_number = ~std::size_t{0};

/// A node where a search begins or may end, and what it costs to get to it or from it.
struct Terminal {
  Index node = none;
  double cost = 0;
};

/// Entries in a heap: `a.comes_before(b)` says which is given out first.
template <class Entry>
class Heap {
 public:
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] const Entry& top() const { return entries_.front(); }
  /// In no order.
  [[nodiscard]] const std::vector<Entry>& all() const { return entries_; }
  void clear() { entries_.clear(); }
  void push(const Entry& entry) {
    entries_.push_back(entry);
    std::push_heap(entries_.begin(), entries_.end(), Later{});
  }
  Entry pop() {
    const Entry next = entries_.front();
    std::pop_heap(entries_.begin(), entries_.end(), Later{});
    entries_.pop_back();
    return next;
  }

 protected:
  /// (A class, not a function, so that heaps inline it.)
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const { return b.comes_before(a); }
  };
  std::vector<Entry> entries_;
};

/// A node that waits to be expanded. `cost` is that of the way to it when it was put there: a cheaper one found since makes the entry
/// stale.
struct OpenNode {
  double key;
  double cost;
  Index node;
  [[nodiscard]] bool comes_before(const OpenNode& other) const {
    return key != other.key ? key < other.key : node < other.node;
  }
};

class OpenList : public Heap<OpenNode> {
 public:
  /// Gives every entry another key, and drops those for which `renew(entry)` is false. O(n).
  template <class Renew>
  void rekey(const Renew& renew) {
    std::size_t kept = 0;
    for (OpenNode& open : entries_)
      if (renew(open)) entries_[kept++] = open;
    entries_.resize(kept);
    std::make_heap(entries_.begin(), entries_.end(), Later{});
  }
  /// Drops all but the `count` lowest; `dropped(entry)` hears of the others. O(n).
  template <class Dropped>
  void keep_lowest(std::size_t count, const Dropped& dropped) {
    if (entries_.size() <= count) return;
    const auto end = entries_.begin() + std::ptrdiff_t(count);
    std::nth_element(entries_.begin(), end, entries_.end(),
                     [](const OpenNode& a, const OpenNode& b) { return a.comes_before(b); });
    std::for_each(end, entries_.end(), dropped);
    entries_.resize(count);
    std::make_heap(entries_.begin(), entries_.end(), Later{});
  }
};

/// What a search knows of a node it reached.
struct ReachedNode {
  double cost = 0;
  double ahead = 0;  ///< what the heuristic said, as the search weighs it; asked for once a search
  Index parent = none;
  Index via = none;
  std::uint64_t stamp = 0;
};

class ReachedNodes {
 public:
  void begin(std::size_t node_count) {
    ++stamp_;
    if (nodes_.size() < node_count) nodes_.resize(node_count);
  }
  [[nodiscard]] bool has(Index node) const { return node < nodes_.size() && nodes_[node].stamp == stamp_; }
  [[nodiscard]] ReachedNode& operator[](Index node) { return nodes_[node]; }
  [[nodiscard]] const ReachedNode& operator[](Index node) const { return nodes_[node]; }
  /// Cost of the cheapest way found to the node; infinite where none was.
  [[nodiscard]] double cost_to(Index node) const { return has(node) ? nodes_[node].cost : unreachable; }
  /// Notes a way to a node if it is cheaper than what is known; `ahead(node)` is asked the first time.
  template <class Ahead>
  bool improve(Index node, double cost, Index parent, Index via, const Ahead& ahead) {
    ReachedNode& known = nodes_[node];
    const bool is_new = known.stamp != stamp_;
    if (!is_new && known.cost <= cost) return false;
    known = {cost, is_new ? ahead(node) : known.ahead, parent, via, stamp_};
    return true;
  }

 private:
  std::vector<ReachedNode> nodes_;
  std::uint64_t stamp_ = 0;
};

/// No estimate: Dijkstra.
struct NoHeuristic {
  double operator()(Index) const { return 0; }
};

}  // namespace throng::routes
