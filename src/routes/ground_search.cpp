#include "routes/ground_search.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace throng::routes {

namespace {

/// Edges with no more points than this, and all rough ones, are tried as a whole.
constexpr Index few_points = 8;

}  // namespace

template <class Visit>
void GroundSearch::for_each_beside(const Located& at, bool leaving, Visit&& visit) const {
  std::vector<LinkVia> around;
  around_place(*surface_, at, around);
  for (const LinkVia via : around) {
    if (!(weight_of(*costs_, via) < unreachable)) continue;
    const auto offer = [&](Index node) {
      const Vec2 out = points_->position(node) - at.point;
      visit(node, cost_of(*costs_, via, leaving ? out : -out), via.packed());
    };
    const auto offer_edge = [&](Index e) {
      if (keeps(e))
        for (Index p = points_->first_point(e); p < points_->point_end(e); ++p) offer(p);
    };
    if (via.along) {
      offer_edge(via.index);
      offer(surface_->edges()[via.index].a);
      offer(surface_->edges()[via.index].b);
    } else {
      for (const Index e : surface_->triangles()[via.index].edge) offer_edge(e);
      for (const Index v : surface_->triangles()[via.index].vertex) offer(v);
    }
  }
}

void GroundSearch::forget(const SteinerPoints& points, const ground::GroundCosts& costs) {
  points_ = &points, surface_ = &points.surface(), costs_ = &costs;
  kept_ = nullptr, landmarks_ = nullptr;
  ++stamp_;
  if (nodes_.size() < points.node_count()) nodes_.resize(points.node_count());
  if (points.placement().rule != PointPlacement::rough && claims_.size() < 4 * surface_->edges().size())
    claims_.resize(4 * surface_->edges().size());
  open_.clear();
  best_ = unreachable, last_ = none, expansions_ = 0;
  direct_.reset();
}

double GroundSearch::ahead_of(Index node) const {
  const double straight = least_ * distance(points_->position(node), goal_);
  return landmarks_ == nullptr ? straight
                               : std::max(straight, GroundLandmarks::least_between(landmarks_->of(node), goal_costs_));
}

void GroundSearch::begin(const SteinerPoints& points, const ground::GroundCosts& costs, const Located& from,
                         const Located& to, const Options& options) {
  forget(points, costs);
  kept_ = options.kept, landmarks_ = options.landmarks;
  goal_ = to.point;
  least_ = costs.least();
  // Straight from one to the other, where they share a triangle or an edge.
  around_place(*surface_, from, around_from_);
  around_place(*surface_, to, around_to_);
  for (const LinkVia via : around_from_) {
    if (std::find(around_to_.begin(), around_to_.end(), via) == around_to_.end()) continue;
    if (!(weight_of(costs, via) < unreachable)) continue;
    const double cost = cost_of(costs, via, to.point - from.point);
    if (cost < best_) direct_ = via, best_ = cost;
  }
  for_each_beside(to, false, [&](Index node, double cost, Index via) {
    Node& at = nodes_[node];
    if (at.ends == stamp_ && at.end <= cost) return;
    at.ends = stamp_, at.end = cost, at.end_via = via;
  });
  if (landmarks_ != nullptr) {
    goal_costs_.fill(std::numeric_limits<float>::max());
    for_each_beside(to, false, [&](Index node, double cost, Index) {
      for (std::size_t i = 0; i < goal_costs_.size(); ++i)
        goal_costs_[i] = std::min(goal_costs_[i], landmarks_->of(node)[i] + float(cost));
    });
    // What a landmark does not reach, or is not there, says nothing.
    for_each_beside(to, false, [&](Index node, double, Index) {
      for (std::size_t i = 0; i < goal_costs_.size(); ++i)
        if (landmarks_->of(node)[i] == 0) goal_costs_[i] = 0;
    });
  }
  for_each_beside(from, true, [&](Index node, double cost, Index via) { reach(node, cost, none, via); });
}

void GroundSearch::reach(Index node, double cost, Index parent, Index via) {
  Node& at = nodes_[node];
  if (at.reached == stamp_) {
    if (at.cost <= cost || at.expanded) return;
  } else {
    at.reached = stamp_;
    at.expanded = false;
    at.ahead = ahead_of(node);
  }
  at.cost = cost, at.parent = parent, at.via = via;
  if (cost + at.ahead < best_) open_.push({cost + at.ahead, cost, node, parent, via, 0});
}

/// The cheapest way of all that wait leads here: it is the cheapest there is.
void GroundSearch::settle(Index node, double cost, Index parent, Index via) {
  Node& at = nodes_[node];
  at.cost = cost, at.parent = parent, at.via = via;
  at.reached = stamp_, at.expanded = true;
  ++expansions_;
  if (at.ends == stamp_ && cost + at.end < best_) best_ = cost + at.end, last_ = node, direct_.reset();
  if (points_->is_vertex(node))
    expand_vertex(node, cost);
  else
    expand_point(node, cost);
}

SearchStatus GroundSearch::advance(std::size_t budget) {
  const std::size_t until = budget < ~std::size_t{0} - expansions_ ? expansions_ + budget : ~std::size_t{0};
  while (!open_.empty()) {
    if (open_.top().key >= best_) break;
    if (expansions_ >= until) return SearchStatus::running;
    const Waiting next = open_.pop();
    const Node& at = nodes_[next.node];
    if (next.outwards != 0)
      claim(next);
    else if (!at.expanded && next.cost <= at.cost)  // else a cheaper way was found since
      settle(next.node, next.cost, next.source, next.via);
  }
  return last_ != none || direct_ ? SearchStatus::found : SearchStatus::no_path;
}

void GroundSearch::link_all(Index node, double cost, Index edge, Index triangle) {
  if (!keeps(edge)) return;
  const Vec2 here = points_->position(node);
  const Index via = LinkVia{triangle, false}.packed();
  for (Index p = points_->first_point(edge); p < points_->point_end(edge); ++p)
    reach(p, cost + costs_->of_step(triangle, points_->position(p) - here), node, via);
}

void GroundSearch::expand_vertex(Index node, double cost) {
  const Vec2 here = points_->position(node);
  for (const Index e : surface_->edges_at(node)) {
    const auto& edge = surface_->edges()[e];
    const bool from_a = edge.a == node;
    if (keeps(e)) {
      const bool bare = points_->first_point(e) == points_->point_end(e);
      const Index next = bare     ? (from_a ? edge.b : edge.a)
                         : from_a ? points_->first_point(e)
                                  : points_->point_end(e) - 1;
      if (costs_->along(e) < unreachable)
        reach(next, cost + costs_->of_step_along(e, points_->position(next) - here), node, LinkVia{e, true}.packed());
    }
    // Every triangle of the fan lies counterclockwise of one edge: left of it as seen from the vertex.
    const Index t = edge.triangle[from_a ? 0 : 1];
    if (t == none || !costs_->open(t)) continue;
    link_all(node, cost, surface_->triangles()[t].edge[std::size_t(surface_->triangles()[t].corner_of(node))], t);
  }
}

void GroundSearch::expand_point(Index node, double cost) {
  const Index e = points_->edge_of(node);
  if (!keeps(e)) return;
  const Vec2 here = points_->position(node);
  const auto& edge = surface_->edges()[e];
  const bool rough = points_->placement().rule == PointPlacement::rough;
  if (costs_->along(e) < unreachable)
    for (const Index next :
         {node > points_->first_point(e) ? node - 1 : edge.a, node + 1 < points_->point_end(e) ? node + 1 : edge.b})
      reach(next, cost + costs_->of_step_along(e, points_->position(next) - here), node, LinkVia{e, true}.packed());
  for (const Index t : edge.triangle) {
    if (t == none || !costs_->open(t)) continue;
    const auto& triangle = surface_->triangles()[t];
    for (const Index other : triangle.edge) {
      if (other == e) continue;
      if (rough || points_->point_end(other) - points_->first_point(other) <= few_points)
        link_all(node, cost, other, t);
      else
        start_claims(node, cost, other, t);
    }
    const Index opposite = triangle.vertex[std::size_t(triangle.side_of(e))];
    reach(opposite, cost + costs_->of_step(t, points_->position(opposite) - here), node, LinkVia{t, false}.packed());
  }
}

struct GroundSearch::Crossing {
  Claims* claims = nullptr;
  Index rank = 0;          ///< of the source
  Index first = 0;         ///< point of the edge
  Index count = 0;         ///< of its points
  bool backwards = false;  ///< the common vertex is the edge's b

  [[nodiscard]] Index point(Index k) const { return backwards ? first + count - 1 - k : first + k; }
  [[nodiscard]] Index place(Index node) const { return backwards ? first + count - 1 - node : node - first; }
  /// Where the source's claim is, or would be put.
  [[nodiscard]] std::vector<Claim>::iterator own() const {
    return std::lower_bound(claims->list.begin(), claims->list.end(), rank,
                            [](const Claim& c, Index r) { return c.rank < r; });
  }
};

GroundSearch::Crossing GroundSearch::crossing(Index source, Index edge, Index triangle) {
  const Index from = points_->edge_of(source);
  const auto& own = surface_->edges()[from];
  const auto& other = surface_->edges()[edge];
  const auto& t = surface_->triangles()[triangle];
  const Index common = own.a == other.a || own.a == other.b ? own.a : own.b;
  const std::size_t side = other.triangle[0] == triangle ? 0 : 2;
  const std::size_t which = t.edge[std::size_t(t.side_of(edge) + 1) % 3] == from ? 0 : 1;
  Crossing made;
  made.claims = &claims_[4 * std::size_t{edge} + side + which];
  if (made.claims->stamp != stamp_) made.claims->stamp = stamp_, made.claims->list.clear();
  made.rank = common == own.a ? source - points_->first_point(from) : points_->point_end(from) - 1 - source;
  made.first = points_->first_point(edge);
  made.count = points_->point_end(edge) - made.first;
  made.backwards = common == other.b;
  return made;
}

/// What a source could claim next waits, unless somebody has claimed it.
void GroundSearch::offer(const Crossing& crossing, const Waiting& last, Index k, int outwards) {
  const Index node = crossing.point(k);
  const double cost = nodes_[last.source].cost +
                      costs_->of_step(last.via / 2, points_->position(node) - points_->position(last.source));
  const double key = cost + ahead_of(node);
  if (key < best_) open_.push({key, cost, node, last.source, last.via, outwards});
}

void GroundSearch::start_claims(Index source, double cost, Index edge, Index triangle) {
  if (!keeps(edge)) return;
  const Crossing to = crossing(source, edge, triangle);
  const auto after = to.own();
  // Between what sources nearer to the common vertex have claimed, and those farther away.
  Index low = after == to.claims->list.begin() ? 0 : std::prev(after)->last + 1;
  Index high = after == to.claims->list.end() ? to.count : after->first;
  if (low >= high) return;
  const Vec2 here = points_->position(source);
  const auto estimate = [&](Index k) {
    const Vec2 p = points_->position(to.point(k));
    return costs_->of_step(triangle, p - here) + least_ * distance(p, goal_);
  };
  while (low + 1 < high) {
    const Index middle = (low + high) / 2;
    if (estimate(middle - 1) <= estimate(middle))
      high = middle;
    else
      low = middle;
  }
  offer(to, {0, cost, none, source, LinkVia{triangle, false}.packed(), 0}, low, 2);
}

void GroundSearch::claim(const Waiting& waiting) {
  const Crossing to = crossing(waiting.source, points_->edge_of(waiting.node), waiting.via / 2);
  const Index k = to.place(waiting.node);
  auto own = to.own();
  std::vector<Claim>& list = to.claims->list;
  if (own != list.begin() && std::prev(own)->last >= k) return;
  const bool has = own != list.end() && own->rank == to.rank;
  const auto after = has ? std::next(own) : own;
  if (after != list.end() && after->first <= k) return;
  if (has)
    own->first = std::min(own->first, k), own->last = std::max(own->last, k);
  else
    list.insert(own, {to.rank, k, k});
  if (waiting.outwards != -1 && k + 1 < to.count) offer(to, waiting, k + 1, 1);
  if (waiting.outwards != 1 && k > 0) offer(to, waiting, k - 1, -1);
  const Node& at = nodes_[waiting.node];
  if (at.reached == stamp_ && (at.expanded || at.cost < waiting.cost)) return;
  settle(waiting.node, waiting.cost, waiting.source, waiting.via);
}

GroundLandmarks::GroundLandmarks(const SteinerPoints& points, const ground::GroundCosts& costs)
    : costs_(points.node_count(), Costs{}) {
  if (points.node_count() == 0) return;
  GroundSearch search;
  std::vector<float> nearest(points.node_count(), std::numeric_limits<float>::max());
  Index next = 0;
  // The first is the farthest from anywhere.
  float far = -1;
  search.spread(points, costs, 0, [&](Index node, double cost) {
    if (float(cost) > far) far = float(cost), next = node;
  });
  while (count_ < most) {
    search.spread(points, costs, next, [&](Index node, double cost) {
      costs_[node][count_] = float(cost);
      nearest[node] = std::min(nearest[node], float(cost));
    });
    ++count_;
    far = 0;
    for (Index node = 0; node < points.node_count(); ++node)
      if (nearest[node] > far) far = nearest[node], next = node;
    if (!(far > 0)) break;
  }
}

void GroundSearch::path(std::vector<Index>& nodes, std::vector<LinkVia>& vias) const {
  nodes.clear(), vias.clear();
  if (direct_) {
    vias.push_back(*direct_);
    return;
  }
  vias.push_back(LinkVia::from(nodes_[last_].end_via));
  for (Index node = last_; node != none; node = nodes_[node].parent) {
    nodes.push_back(node);
    vias.push_back(LinkVia::from(nodes_[node].via));
  }
  std::reverse(nodes.begin(), nodes.end());
  std::reverse(vias.begin(), vias.end());
}

}  // namespace throng::routes
