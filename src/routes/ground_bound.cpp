#include "routes/ground_bound.hpp"

#include <algorithm>
#include <vector>

#include "routes/ground_points.hpp"
#include "routes/ground_walk.hpp"
#include "routes/search.hpp"

namespace throng::routes {

namespace {

using ground::GroundCosts;
using ground::Surface;

/// Sizes of intervals relative to the distance from the other edges of their triangles: from coarse to fine.
constexpr double first_size = 0.5, least_size = 0.004;
/// No interval is shorter, in metres.
constexpr double least_cut = 1e-4;

class IntervalGraph {
 public:
  IntervalGraph(const Surface& surface, const GroundCosts& costs)
      : surface_(surface), costs_(costs), cuts_(surface.edges().size()), seen_(surface.edges().size(), true) {}

  /// Halves intervals on edges that were seen.
  void refine(double size) {
    for (Index e = 0; e < cuts_.size(); ++e)
      if (seen_[e]) place_graded(surface_, e, costs_, {PointPlacement::proven, size}, least_cut, cuts_[e]);
    first_ = {Index(surface_.vertices().size())};
    edge_of_.clear();
    for (Index e = 0; e < cuts_.size(); ++e) {
      const Index inner = count(e) - 2;
      first_.push_back(first_.back() + 2 * inner);
      edge_of_.insert(edge_of_.end(), 2 * inner, e);
    }
    seen_.assign(cuts_.size(), false);
  }

  struct Interval {
    Vec2 a, b;
  };
  /// Intervals of an edge: the first belongs to its vertex a, the last to b. An edge without cuts has two, both of its whole length.
  [[nodiscard]] Index count(Index e) const { return std::max<Index>(2, Index(cuts_[e].size()) + 1); }
  [[nodiscard]] Interval interval(Index e, Index i) const {
    const auto& edge = surface_.edges()[e];
    const Vec2 a = surface_.point(edge.a), b = surface_.point(edge.b);
    if (cuts_[e].empty()) return {a, b};
    const auto at = [&](Index cut) { return a + (b - a) * (cuts_[e][cut] / edge.length); };
    return {i == 0 ? a : at(i - 1), i == cuts_[e].size() ? b : at(i)};
  }
  [[nodiscard]] Index node(Index e, Index i, bool crawled) const {
    if (i == 0) return surface_.edges()[e].a;
    if (i + 1 == count(e)) return surface_.edges()[e].b;
    return first_[e] + 2 * (i - 1) + (crawled ? 1 : 0);
  }
  [[nodiscard]] std::size_t links() const { return links_; }

  // As Search wants it.
  [[nodiscard]] std::size_t node_count() const { return first_.back(); }
  template <class Visit>
  void for_each_neighbour(Index n, Visit&& visit) const {
    if (n < surface_.vertices().size()) {
      for (const Index e : surface_.edges_at(n)) leave(e, surface_.edges()[e].a == n ? 0 : count(e) - 1, false, visit);
    } else {
      const Index e = edge_of_[n - surface_.vertices().size()], at = n - first_[e];
      leave(e, 1 + at / 2, at % 2 == 1, visit);
    }
  }
  template <class Visit>
  void for_each_beside(const Surface::Located& at, Visit&& visit) const {
    std::vector<LinkVia> around;
    around_place(surface_, at, around);
    for (const LinkVia via : around) {
      const double weight = via.along ? costs_.least_along(via.index) : costs_.least_of_triangle(via.index);
      if (!(weight_of(costs_, via) < unreachable)) continue;
      const auto visit_edge = [&](Index e) {
        for (Index i = 0; i < count(e); ++i) {
          const Interval to = interval(e, i);
          visit(node(e, i, via.along), weight * distance_between(at.point, at.point, to.a, to.b));
        }
      };
      if (via.along)
        visit_edge(via.index);
      else
        for (const Index e : surface_.triangles()[via.index].edge) visit_edge(e);
    }
  }
  /// Of what of a node is nearest.
  [[nodiscard]] double distance_to(Index n, Vec2 p) const {
    if (n < surface_.vertices().size()) {
      double least = distance(surface_.point(n), p);
      for (const Index e : surface_.edges_at(n)) {
        const Interval own = interval(e, surface_.edges()[e].a == n ? 0 : count(e) - 1);
        least = std::min(least, distance_between(p, p, own.a, own.b));
      }
      return least;
    }
    const Index e = edge_of_[n - surface_.vertices().size()];
    const Interval own = interval(e, 1 + (n - first_[e]) / 2);
    return distance_between(p, p, own.a, own.b);
  }

 private:
  template <class Visit>
  void leave(Index e, Index i, bool crawled, Visit&& visit) const {
    seen_[e] = true;
    const Interval from = interval(e, i);
    for (const Index t : surface_.edges()[e].triangle) {
      if (t == none || !costs_.open(t)) continue;
      const double weight = costs_.least_of_triangle(t);
      for (const Index other : surface_.triangles()[t].edge) {
        if (other == e) continue;
        seen_[other] = true;
        links_ += count(other);
        for (Index k = 0; k < count(other); ++k) {
          const Interval to = interval(other, k);
          visit(node(other, k, false), weight * distance_between(from.a, from.b, to.a, to.b), none);
        }
      }
    }
    if (crawled) return;
    if (!(costs_.along(e) < unreachable)) return;
    const double along = costs_.least_along(e);
    links_ += count(e);
    for (Index k = 0; k < count(e); ++k) {
      if (k == i) continue;
      const Interval to = interval(e, k);
      visit(node(e, k, true), along * std::min(distance(from.a, to.b), distance(from.b, to.a)), none);
    }
  }

  const Surface& surface_;
  const GroundCosts& costs_;
  std::vector<std::vector<double>> cuts_;  ///< by edge, distances from its a
  mutable std::vector<bool> seen_;         ///< edges that the last search came to
  mutable std::size_t links_ = 0;
  std::vector<Index> first_;
  std::vector<Index> edge_of_;
};

}  // namespace

LowerBound lower_bound(const Surface& surface, const GroundCosts& costs, const Surface::Located& from,
                       const Surface::Located& to, double wanted, std::size_t most_links) {
  LowerBound bound{costs.least() * distance(from.point, to.point), 0};
  // Whatever leaves the triangles that both share costs no less than the straight line in the cheapest of them.
  IntervalGraph graph(surface, costs);
  Search search;
  std::vector<Terminal> starts, ends;
  std::vector<LinkVia> around_from, around_to;
  around_place(surface, from, around_from);
  around_place(surface, to, around_to);
  double direct = unreachable;
  for (const LinkVia via : around_from)
    if (std::find(around_to.begin(), around_to.end(), via) != around_to.end())
      if (weight_of(costs, via) < unreachable) direct = std::min(direct, cost_of(costs, via, to.point - from.point));
  for (double size = first_size; bound.cost < wanted && size >= least_size && graph.links() < most_links; size /= 2) {
    graph.refine(size);
    starts.clear(), ends.clear();
    graph.for_each_beside(from, [&](Index node, double cost) { starts.push_back({node, cost}); });
    graph.for_each_beside(to, [&](Index node, double cost) { ends.push_back({node, cost}); });
    search.begin(graph.node_count(), starts, ends, std::min(wanted, direct));
    const auto ahead = [&](Index n) { return costs.least() * graph.distance_to(n, to.point); };
    constexpr std::size_t portion = 256;
    SearchStatus status = SearchStatus::running;
    while (status == SearchStatus::running && graph.links() < most_links)
      status = search.advance(graph, ahead, 1, portion);
    bound.explored += search.expansions();
    if (status == SearchStatus::running) break;
    bound.cost = std::max(bound.cost, std::min({wanted, direct, search.cost()}));
  }
  return bound;
}

}  // namespace throng::routes
