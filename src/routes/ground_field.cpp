#include "routes/ground_field.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "routes/ground_walk.hpp"

namespace throng::routes {

namespace {

/// How many times as dear as any other ground a metre is that leads off ground which is left out.
constexpr double leaving_factor = 1e5;
/// How far goals may be moved to where the body has room, in metres.
constexpr double most_moved = 1.0;
/// A straight line may cost this much more than the way it stands for, as a part of it: rounding.
constexpr double as_cheap = 1e-9;

struct Waiting {
  double cost = 0;
  Index node = 0, next = 0;
  [[nodiscard]] bool comes_before(const Waiting& other) const {
    return cost != other.cost ? cost < other.cost : node != other.node ? node < other.node : next < other.next;
  }
};

}  // namespace

/// The search. Links run from the node that is known to those that can head for it.
class GroundField::Maker {
 public:
  explicit Maker(GroundField& field)
      : field_(field), points_(field.sheet_->rough), surface_(field.sheet_->surface), done_(field.nodes_.size()) {
    // Nodes beside open ground are reached over open ground only.
    beside_open_.assign(points_.node_count(), false);
    for (Index t = 0; t < surface_.triangles().size(); ++t)
      if (field_.costs_.open(t)) for_each_node(t, [&](Index node) { beside_open_[node] = true; });
  }

  void run(std::span<const FlowGoal> goals) {
    for (Index g = 0; g < field_.goals_.size(); ++g) {
      const Index node = Index(points_.node_count()) + g;
      field_.nodes_[node] = {0, 0, none, goals[g].tag};
      const Located& at = field_.goals_[g];
      if (at.triangle == none) continue;
      std::vector<LinkVia> around;
      around_place(surface_, at, around);
      for (const LinkVia via : around)
        if (!via.along) offer_triangle(via.index, node, at.point);
    }
    while (!open_.empty()) {
      const Waiting next = open_.pop();
      if (!done_[next.node]) settle(next);
    }
  }

 private:
  template <class Visit>
  void for_each_node(Index t, Visit&& visit) const {
    const auto& triangle = surface_.triangles()[t];
    for (const Index v : triangle.vertex) visit(v);
    for (const Index e : triangle.edge)
      for (Index p = points_.first_point(e); p < points_.point_end(e); ++p) visit(p);
  }
  template <class Visit>
  void for_each_triangle(Index node, Visit&& visit) const {
    if (!points_.is_vertex(node)) {
      for (const Index t : surface_.edges()[points_.edge_of(node)].triangle)
        if (t != none) visit(t);
      return;
    }
    Index last = none;
    for (const Index e : surface_.edges_at(node)) {
      const auto& edge = surface_.edges()[e];
      const Index t = edge.triangle[edge.a == node ? 0 : 1];
      if (t != none && t != last) visit(t);
      last = t;
    }
  }
  void offer(Index node, double cost, Index next) {
    if (done_[node] || !(cost < field_.nodes_[node].cost)) return;
    field_.nodes_[node].cost = cost;
    open_.push({cost, node, next});
  }
  void offer_triangle(Index t, Index to, Vec2 there) {
    const double known = field_.nodes_[to].cost;
    const bool open = field_.costs_.open(t);
    for_each_node(t, [&](Index node) {
      if (node != to && (open || !beside_open_[node]))
        offer(node, known + field_.step(t, there - points_.position(node)), to);
    });
  }
  void settle(const Waiting& found) {
    Node& node = field_.nodes_[found.node];
    done_[found.node] = true;
    const Vec2 here = points_.position(found.node);
    Index next = found.next;
    node.cost = found.cost;
    if (beside_open_[found.node]) {
      // Straight on to where the next one heads, while that is no dearer.
      const Located from{field_.triangle_of_[found.node], here};
      for (Index on = field_.nodes_[next].next; on != none; on = field_.nodes_[next].next) {
        const double straight = field_.leg(from, field_.position(on)) + field_.nodes_[on].cost;
        if (!(straight <= node.cost * (1 + as_cheap))) break;
        node.cost = std::min(node.cost, straight);
        next = on;
      }
    }
    node.next = next;
    node.tag = field_.nodes_[next].tag;
    node.metres = field_.nodes_[next].metres + distance(here, field_.position(next));
    for_each_triangle(found.node, [&](Index t) { offer_triangle(t, found.node, here); });
    if (points_.is_vertex(found.node))
      for (const Index e : surface_.edges_at(found.node)) offer_along(e, found.node, here);
    else
      offer_along(points_.edge_of(found.node), found.node, here);
  }
  /// Along an edge the cheaper side counts.
  void offer_along(Index e, Index to, Vec2 there) {
    const auto& edge = surface_.edges()[e];
    const auto one = [&](Index node) {
      if (node == to || !beside_open_[node]) return;
      const double along = field_.costs_.of_step_along(e, there - points_.position(node));
      if (along < unreachable) offer(node, field_.nodes_[to].cost + along, to);
    };
    one(edge.a), one(edge.b);
    for (Index p = points_.first_point(e); p < points_.point_end(e); ++p) one(p);
  }

  GroundField& field_;
  const SteinerPoints& points_;
  const ground::Surface& surface_;
  std::vector<bool> done_, beside_open_;
  Heap<Waiting> open_;
};

GroundField::GroundField(GroundSheetPtr sheet, const GroundRow& row, std::span<const FlowGoal> goals)
    : sheet_(std::move(sheet)), costs_(sheet_->surface, row.weight, row.never) {
  leaving_ = leaving_factor * *std::max_element(row.weight.begin(), row.weight.end());
  const ground::Surface& surface = sheet_->surface;
  const SteinerPoints& points = sheet_->rough;
  nodes_.resize(points.node_count() + goals.size());
  triangle_of_.assign(points.node_count(), none);
  for (Index t = 0; t < surface.triangles().size(); ++t) {
    const auto take = [&](Index node) {
      Index& of = triangle_of_[node];
      if (of == none || (!costs_.open(of) && costs_.open(t))) of = t;
    };
    for (const Index v : surface.triangles()[t].vertex) take(v);
    for (const Index e : surface.triangles()[t].edge)
      for (Index p = points.first_point(e); p < points.point_end(e); ++p) take(p);
  }
  for (Index g = 0; g < goals.size(); ++g) {
    const auto at = surface.locate(goals[g].place, most_moved);
    const bool can_be = at && costs_.open(at->triangle);
    goals_.push_back(can_be ? *at : Located{});
    if (can_be) goals_in_.emplace_back(at->triangle, g);
  }
  std::sort(goals_in_.begin(), goals_in_.end());
  Maker(*this).run(goals);
  for (Index g = 0; g < goals.size(); ++g)
    if (goals_[g].triangle == none) nodes_[points.node_count() + g].cost = unreachable;
}

Vec2 GroundField::position(Index node) const {
  const std::size_t points = sheet_->rough.node_count();
  return node < points ? sheet_->rough.position(node) : goals_[node - points].point;
}

double GroundField::step(Index triangle, Vec2 step) const {
  return costs_.open(triangle) ? costs_.of_step(triangle, step) : leaving_ * std::sqrt(squared_length(step));
}

/// What the straight line costs; unreachable where there is none.
double GroundField::leg(const Located& from, Vec2 to) const {
  StraightWalk walk;
  if (!walk_straight(sheet_->surface, costs_, from, to, &walk)) return unreachable;
  double sum = 0;
  for (const GroundPath::Leg& leg : walk.pieces) sum += cost_of(costs_, leg.via, leg.to - leg.from);
  return sum;
}

GroundField::Answer GroundField::ask(const navmesh::Place& place) const {
  const ground::Surface& surface = sheet_->surface;
  const SteinerPoints& points = sheet_->rough;
  const auto at = surface.locate(place, most_moved);
  if (!at) return {};
  Answer answer;
  answer.from = at->point;
  Index best = none;
  const auto consider = [&](Index node, double more) {
    const double cost = nodes_[node].cost + more;
    if (cost < answer.cost || (cost == answer.cost && node < best)) answer.cost = cost, best = node;
  };
  const Index t = at->triangle;
  const auto by_step = [&](Index node) {
    if (nodes_[node].cost < unreachable) consider(node, step(t, position(node) - at->point));
  };
  for (const Index v : surface.triangles()[t].vertex) by_step(v);
  for (const Index e : surface.triangles()[t].edge)
    for (Index p = points.first_point(e); p < points.point_end(e); ++p) by_step(p);
  for (auto g = std::lower_bound(goals_in_.begin(), goals_in_.end(), std::pair{t, Index(0)});
       g != goals_in_.end() && g->first == t; ++g)
    by_step(Index(points.node_count()) + g->second);
  if (best == none) return {};
  // Who is at a point already heads for where that one heads.
  while (nodes_[best].next != none && distance(position(best), at->point) <= tolerance::distinct)
    best = nodes_[best].next;
  if (costs_.open(t))
    for (Index on = nodes_[best].next; on != none; on = nodes_[best].next) {
      const double straight = leg(*at, position(on)) + nodes_[on].cost;
      if (!(straight <= answer.cost * (1 + as_cheap))) break;
      answer.cost = std::min(answer.cost, straight);
      best = on;
    }
  answer.next = position(best);
  answer.metres = nodes_[best].metres + distance(at->point, answer.next);
  answer.tag = nodes_[best].tag;
  return answer;
}

std::size_t GroundField::bytes() const { return nodes_.size() * sizeof(Node) + triangle_of_.size() * sizeof(Index); }

}  // namespace throng::routes
