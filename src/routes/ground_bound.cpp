#include "routes/ground_bound.hpp"

#include <algorithm>

#include "routes/ground_walk.hpp"
#include "routes/search.hpp"

namespace throng::routes {

namespace {

class IntervalGraph {
 public:
  explicit IntervalGraph(const GroundGraph& points)
      : points_(points), surface_(points.surface()), costs_(points.costs()) {
    first_.push_back(Index(surface_.vertices().size()));
    for (Index e = 0; e < surface_.edges().size(); ++e) {
      const Index inner = count(e) - 2;
      first_.push_back(first_.back() + 2 * inner);
      edge_of_.insert(edge_of_.end(), 2 * inner, e);
    }
  }
  [[nodiscard]] std::size_t node_count() const { return first_.back(); }

  struct Interval {
    Vec2 a, b;
  };
  /// Intervals of an edge: the first belongs to its vertex a, the last to b. An
  /// edge without points has two, both of its whole length.
  [[nodiscard]] Index count(Index e) const {
    return std::max<Index>(2, points_.point_end(e) - points_.first_point(e) + 1);
  }
  [[nodiscard]] Interval interval(Index e, Index i) const {
    const auto& edge = surface_.edges()[e];
    const Index first = points_.first_point(e), points = points_.point_end(e) - first;
    if (points == 0) return {surface_.point(edge.a), surface_.point(edge.b)};
    return {i == 0 ? surface_.point(edge.a) : points_.position(first + i - 1),
            i == points ? surface_.point(edge.b) : points_.position(first + i)};
  }
  [[nodiscard]] Index node(Index e, Index i, bool crawled) const {
    if (i == 0) return surface_.edges()[e].a;
    if (i + 1 == count(e)) return surface_.edges()[e].b;
    return first_[e] + 2 * (i - 1) + (crawled ? 1 : 0);
  }

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
  void for_each_beside(const ground::Surface::Located& at, Visit&& visit) const {
    std::vector<LinkVia> around;
    points_.around_place(at, around);
    for (const LinkVia via : around) {
      const auto visit_edge = [&](Index e, double weight, bool crawled) {
        for (Index i = 0; i < count(e); ++i) {
          const Interval to = interval(e, i);
          visit(node(e, i, crawled), weight * distance_between(at.point, at.point, to.a, to.b));
        }
      };
      if (via.along)
        visit_edge(via.index, costs_.along(via.index), true);
      else if (costs_.open(via.index))
        for (const Index e : surface_.triangles()[via.index].edge) visit_edge(e, costs_.of_triangle(via.index), false);
    }
  }
  [[nodiscard]] double distance_to(Index n, Vec2 p) const {
    if (n < surface_.vertices().size()) {  // what of the vicinity is nearest
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
    const Interval from = interval(e, i);
    for (const Index t : surface_.edges()[e].triangle) {
      if (t == none || !costs_.open(t)) continue;
      const double weight = costs_.of_triangle(t);
      for (const Index other : surface_.triangles()[t].edge) {
        if (other == e) continue;
        for (Index k = 0; k < count(other); ++k) {
          const Interval to = interval(other, k);
          visit(node(other, k, false), weight * distance_between(from.a, from.b, to.a, to.b), none);
        }
      }
    }
    if (crawled) return;
    const double along = costs_.along(e);
    for (Index k = 0; k < count(e); ++k) {
      if (k == i) continue;
      const Interval to = interval(e, k);
      visit(node(e, k, true), along * std::min(distance(from.a, to.b), distance(from.b, to.a)), none);
    }
  }

  const GroundGraph& points_;
  const ground::Surface& surface_;
  const ground::GroundCosts& costs_;
  std::vector<Index> first_;
  std::vector<Index> edge_of_;
};

}  // namespace

double lower_bound(const GroundGraph& points, const ground::Surface::Located& from, const ground::Surface::Located& to,
                   double at_most, std::size_t& explored) {
  const IntervalGraph graph(points);
  std::vector<Terminal> starts, ends;
  graph.for_each_beside(from, [&](Index node, double cost) { starts.push_back({node, cost}); });
  graph.for_each_beside(to, [&](Index node, double cost) { ends.push_back({node, cost}); });
  Search search;
  search.begin(graph.node_count(), starts, ends, at_most);
  const double least = points.costs().least();
  search.advance(
      graph, [&](Index n) { return least * graph.distance_to(n, to.point); }, 1, ~std::size_t{0});
  explored += search.expansions();
  return std::min(at_most, search.cost());
}

}  // namespace throng::routes
