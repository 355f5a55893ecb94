// The cheapest path over Steiner points of a ground surface: A* whose links come from the triangles while it searches. Jaklin 2016, 4.1.
//
// Two nodes on different edges of a triangle are linked at its weight, a vertex with the points opposite; neighbours on an edge at the
// smaller weight of its two sides. Between two edges of a triangle with many points links are looked at one after the other, as they become
// the cheapest of all that wait (Sun, Reif 2006: BUSHWHACK). Paths that cross a triangle between the same two edges do not cross
// each other, so the points that one source reaches best follow each other, in the order of the sources; and along an edge the estimated
// cost over a source is convex. So each source starts at the best point between what its neighbours have claimed, and claims more outwards
// until it meets a claim: a point is claimed once for each of four pairs of edges, and almost every link that is looked at is one.
//
// Laws
// 1. cost() is that of the cheapest path over the points, to rounding; none is found exactly if there is none.
// 2. advance(n) expands at most n nodes and can be called again: split into any portions, the answer is the same.
// 3. The same query gives the same bits, whatever was searched before. Nothing is allocated once buffers have grown.
// Estimates: least weight that occurs times the distance, which never overestimates.
// Thread-safety: one object a thread; points and costs are only read, and must outlive the search.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "routes/ground_points.hpp"

namespace throng::routes {

/// Costs from a few nodes far apart to all others: by the triangle inequality what lies between two nodes costs no less than the difference
/// of their costs from any of them (Goldberg, Harrelson 2005). Chosen one after the other, each the farthest from those before it.
class GroundLandmarks {
 public:
  static constexpr std::size_t most = 12;
  GroundLandmarks(const SteinerPoints& points, const ground::GroundCosts& costs);

  using Costs = std::array<float, most>;
  [[nodiscard]] const Costs& of(Index node) const { return costs_[node]; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// No way between two places with these costs is cheaper. Costs are rounded: less a millionth of them.
  [[nodiscard]] static double least_between(const Costs& a, const Costs& b) {
    float most_apart = 0, largest = 0;
    for (std::size_t i = 0; i < most; ++i) {
      most_apart = std::max(most_apart, std::abs(a[i] - b[i]));
      largest = std::max(largest, std::max(a[i], b[i]));
    }
    return double(most_apart) - 1e-6 * double(largest);
  }

 private:
  std::vector<Costs> costs_;  ///< by node; 0 where a landmark does not reach
  std::size_t count_ = 0;
};

class GroundSearch {
 public:
  using Located = ground::Surface::Located;

  struct Options {
    const std::vector<bool>* kept = nullptr;     ///< edges without a flag are left out
    const GroundLandmarks* landmarks = nullptr;  ///< of the same points and costs
  };
  void begin(const SteinerPoints& points, const ground::GroundCosts& costs, const Located& from, const Located& to,
             const Options& options);
  /// Costs from a node to all: visit(node, cost).
  template <class Visit>
  void spread(const SteinerPoints& points, const ground::GroundCosts& costs, Index from, Visit&& visit) {
    forget(points, costs);
    least_ = 0;
    reach(from, 0, none, none);
    while (advance(~std::size_t{0}) == SearchStatus::running) {
    }
    for (Index n = 0; n < points.node_count(); ++n)
      if (nodes_[n].reached == stamp_) visit(n, nodes_[n].cost);
  }
  SearchStatus advance(std::size_t budget);

  [[nodiscard]] double cost() const { return best_; }
  [[nodiscard]] std::size_t expansions() const { return expansions_; }
  /// Nodes of the path found and how its links run: from the start to the first, ..., from the last to the goal.
  void path(std::vector<Index>& nodes, std::vector<LinkVia>& vias) const;

 private:
  struct Node {
    double cost = 0, ahead = 0;
    double end = unreachable;  ///< cost from here to the goal, where it is beside it
    Index parent = none, via = none, end_via = none;
    std::uint32_t reached = 0, ends = 0;  ///< stamps
    bool expanded = false;
  };
  /// A way to a node that waits. Where `outwards` is not 0 it is a claim of `source` through triangle `via`, and goes on that way; 2 is both ways.
  struct Waiting {
    double key = 0, cost = 0;
    Index node = 0, source = 0, via = 0;
    int outwards = 0;
    [[nodiscard]] bool comes_before(const Waiting& other) const {
      return key != other.key ? key < other.key : node != other.node ? node < other.node : source < other.source;
    }
  };
  /// Points of an edge, counted from the vertex it has in common with the sources' edge, that one of those sources has claimed.
  struct Claim {
    Index rank = 0;  ///< of the source, from the common vertex
    Index first = 0, last = 0;
  };
  struct Claims {
    std::uint32_t stamp = 0;
    std::vector<Claim> list;  ///< by rank, and so by point
  };
  /// From points of one edge of a triangle to those of another.
  struct Crossing;

  template <class Visit>
  void for_each_beside(const Located& at, bool leaving, Visit&& visit) const;
  void forget(const SteinerPoints& points, const ground::GroundCosts& costs);
  [[nodiscard]] double ahead_of(Index node) const;
  [[nodiscard]] bool keeps(Index edge) const { return kept_ == nullptr || (*kept_)[edge]; }
  void reach(Index node, double cost, Index parent, Index via);
  void settle(Index node, double cost, Index parent, Index via);
  void expand_vertex(Index node, double cost);
  void expand_point(Index node, double cost);
  void link_all(Index node, double cost, Index edge, Index triangle);
  [[nodiscard]] Crossing crossing(Index source, Index edge, Index triangle);
  void start_claims(Index source, double cost, Index edge, Index triangle);
  void claim(const Waiting& waiting);
  void offer(const Crossing& crossing, const Waiting& last, Index k, int outwards);

  const SteinerPoints* points_ = nullptr;
  const ground::Surface* surface_ = nullptr;
  const ground::GroundCosts* costs_ = nullptr;
  const std::vector<bool>* kept_ = nullptr;
  const GroundLandmarks* landmarks_ = nullptr;
  GroundLandmarks::Costs goal_costs_ = {};  ///< from the landmarks
  Vec2 goal_;
  double least_ = 0;
  std::vector<Node> nodes_;
  std::vector<Claims> claims_;  ///< four for each edge: by side of it, and by which other edge of the triangle
  Heap<Waiting> open_;          ///< a heap
  std::uint32_t stamp_ = 0;
  double best_ = unreachable;
  Index last_ = none;
  std::optional<LinkVia> direct_;
  std::vector<LinkVia> around_from_, around_to_;
  std::size_t expansions_ = 0;
};

}  // namespace throng::routes
