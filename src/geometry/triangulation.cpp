#include "geometry/triangulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

namespace throng::geometry {

namespace {

using Id = Triangulation::Id;
using Triangle = Triangulation::Triangle;
constexpr Id nothing = Triangulation::nothing;

/// Delaunay triangulation of sorted distinct points. Directed edges come in pairs: e ^ 1 is e the other way round. Around each
/// origin they form a ring, counterclockwise.
class DivideAndConquer {
 public:
  explicit DivideAndConquer(std::span<const GridPoint> points) : points_(points) {
    origin_.reserve(points.size() * 6);
    if (points.size() >= 2) solve(0, Id(points.size()));
  }

  [[nodiscard]] std::vector<Triangle> triangles() const;

 private:
  /// The hull's edge out of the leftmost point, counterclockwise, and that out of the rightmost one, clockwise.
  struct Hull {
    Id left, right;
  };

  [[nodiscard]] Id destination(Id e) const { return origin_[e ^ 1u]; }
  /// The next edge around the face left of e, and around that right of it.
  [[nodiscard]] Id left_next(Id e) const { return previous_[e ^ 1u]; }
  [[nodiscard]] Id right_previous(Id e) const { return next_[e ^ 1u]; }
  [[nodiscard]] bool is_left(Id p, Id e) const {
    return side(points_[origin_[e]], points_[destination(e)], points_[p]) > 0;
  }
  [[nodiscard]] bool is_right(Id p, Id e) const {
    return side(points_[origin_[e]], points_[destination(e)], points_[p]) < 0;
  }
  [[nodiscard]] bool inside(Id a, Id b, Id c, Id d) const {
    return in_circle(points_[a], points_[b], points_[c], points_[d]) > 0;
  }

  Id make_edge(Id from, Id to) {
    Id e = Id(origin_.size());
    if (!removed_.empty()) {
      e = removed_.back();
      removed_.pop_back();
    } else {
      for (auto* list : {&origin_, &next_, &previous_}) list->resize(e + 2);
    }
    origin_[e] = from;
    origin_[e + 1] = to;
    for (const Id h : {e, e + 1}) next_[h] = previous_[h] = h;
    return e;
  }
  void splice(Id a, Id b) {
    const Id after_a = next_[a], after_b = next_[b];
    next_[a] = after_b;
    previous_[after_b] = a;
    next_[b] = after_a;
    previous_[after_a] = b;
  }
  /// A new edge from the end of a to the start of b, with the same face left of all three.
  Id connect(Id a, Id b) {
    const Id e = make_edge(destination(a), origin_[b]);
    splice(e, left_next(a));
    splice(e ^ 1u, b);
    return e;
  }
  void remove(Id e) {
    splice(e, previous_[e]);
    splice(e ^ 1u, previous_[e ^ 1u]);
    removed_.push_back(e & ~1u);
    origin_[e] = origin_[e ^ 1u] = nothing;
  }

  Hull solve(Id begin, Id end);
  Hull solve_three(Id first);
  Hull merge(Hull left, Hull right);
  /// The common tangent below both halves, as an edge from right to left; moves to where it touches.
  Id lower_tangent(Hull& left, Hull& right, Id& inner_left, Id& inner_right);

  std::span<const GridPoint> points_;
  std::vector<Id> origin_, next_, previous_;  ///< by directed edge
  std::vector<Id> removed_;
};

DivideAndConquer::Hull DivideAndConquer::solve_three(Id first) {
  const Id a = make_edge(first, first + 1), b = make_edge(first + 1, first + 2);
  splice(a ^ 1u, b);
  const int turn = side(points_[first], points_[first + 1], points_[first + 2]);
  if (turn == 0) return {a, b ^ 1u};
  const Id c = connect(b, a);
  return turn > 0 ? Hull{a, b ^ 1u} : Hull{c ^ 1u, c};
}

DivideAndConquer::Hull DivideAndConquer::solve(Id begin, Id end) {
  if (end - begin == 2) {
    const Id e = make_edge(begin, begin + 1);
    return {e, e ^ 1u};
  }
  if (end - begin == 3) return solve_three(begin);
  const Id middle = begin + (end - begin) / 2;
  const Hull left = solve(begin, middle);
  return merge(left, solve(middle, end));
}

Id DivideAndConquer::lower_tangent(Hull& left, Hull& right, Id& inner_left, Id& inner_right) {
  while (true) {
    if (is_left(origin_[inner_right], inner_left))
      inner_left = left_next(inner_left);
    else if (is_right(origin_[inner_left], inner_right))
      inner_right = right_previous(inner_right);
    else
      break;
  }
  const Id base = connect(inner_right ^ 1u, inner_left);
  if (origin_[inner_left] == origin_[left.left]) left.left = base ^ 1u;
  if (origin_[inner_right] == origin_[right.right]) right.right = base;
  return base;
}

DivideAndConquer::Hull DivideAndConquer::merge(Hull left, Hull right) {
  Id inner_left = left.right, inner_right = right.left;
  Id base = lower_tangent(left, right, inner_left, inner_right);
  while (true) {
    const auto above_base = [&](Id e) { return is_right(destination(e), base); };
    Id from_left = next_[base ^ 1u];
    if (above_base(from_left))
      while (inside(destination(base), origin_[base], destination(from_left), destination(next_[from_left]))) {
        const Id other = next_[from_left];
        remove(from_left);
        from_left = other;
      }
    Id from_right = previous_[base];
    if (above_base(from_right))
      while (inside(destination(base), origin_[base], destination(from_right), destination(previous_[from_right]))) {
        const Id other = previous_[from_right];
        remove(from_right);
        from_right = other;
      }
    const bool left_holds = above_base(from_left), right_holds = above_base(from_right);
    if (!left_holds && !right_holds) break;
    if (!left_holds || (right_holds && inside(destination(from_left), origin_[from_left], origin_[from_right],
                                              destination(from_right))))
      base = connect(from_right, base ^ 1u);
    else
      base = connect(base ^ 1u, from_left ^ 1u);
  }
  return {left.left, right.right};
}

std::vector<Triangle> DivideAndConquer::triangles() const {
  std::vector<Id> triangle_of(origin_.size(), nothing);
  std::vector<Triangle> found;
  for (Id e = 0; e < origin_.size(); ++e) {
    if (origin_[e] == nothing || triangle_of[e] != nothing) continue;
    const Id f = left_next(e), g = left_next(f);
    if (left_next(g) != e || side(points_[origin_[e]], points_[origin_[f]], points_[origin_[g]]) <= 0) continue;
    const Id number = Id(found.size());
    found.push_back({{origin_[e], origin_[f], origin_[g]}, {f, g, e}, {}});
    triangle_of[e] = triangle_of[f] = triangle_of[g] = number;
  }
  for (Triangle& triangle : found)
    for (Id& beyond : triangle.beyond) beyond = triangle_of[beyond ^ 1u];
  return found;
}

/// Exchanges diagonals until constraints are edges and all others are locally Delaunay.
class Constrainer {
 public:
  explicit Constrainer(Triangulation& of)
      : points_(of.points), triangles_(of.triangles), some_(of.points.size(), nothing) {
    for (Id t = 0; t < triangles_.size(); ++t) remember(t);
  }

  /// Where the segment meets a point or another constraint, if it does.
  std::optional<GridPoint> insert(Id a, Id b);
  void mend();

 private:
  /// An edge as one of its triangles sees it: opposite vertex `corner`.
  struct Side {
    Id triangle = nothing;
    int corner = 0;
  };
  struct Ends {
    Id a, b, triangle;  ///< `triangle` is where the edge was last seen
  };

  void remember(Id t) {
    for (const Id v : triangles_[t].vertex) some_[v] = t;
  }
  [[nodiscard]] int side_of(Id a, Id b, Id p) const { return side(points_[a], points_[b], points_[p]); }
  /// visit(t) for the triangles around v until it returns true.
  template <class Visit>
  void around(Id v, Visit&& visit) const;
  [[nodiscard]] Side find(Id a, Id b, Id hint = nothing) const;
  [[nodiscard]] static Side side_between(Id t, const Triangle& triangle, Id a, Id b) {
    for (int i = 0; i < 3; ++i) {
      const Id p = triangle.vertex[(i + 1) % 3], q = triangle.vertex[(i + 2) % 3];
      if ((p == a && q == b) || (p == b && q == a)) return {t, i};
    }
    return {};
  }
  void constrain(Side s) {
    Triangle& triangle = triangles_[s.triangle];
    triangle.constrained[s.corner] = true;
    if (const Id n = triangle.beyond[s.corner]; n != nothing)
      triangles_[n].constrained[triangles_[n].index_beyond(s.triangle)] = true;
  }
  std::optional<GridPoint> collect_crossed(Id a, Id b, std::vector<Ends>& crossed) const;
  [[nodiscard]] bool is_convex(Side s) const;
  [[nodiscard]] bool is_delaunay(Side s) const;
  Ends exchange(Side s);

  std::vector<GridPoint>& points_;
  std::vector<Triangle>& triangles_;
  std::vector<Id> some_;  ///< a triangle of each vertex
  std::vector<Ends> suspects_;
};

template <class Visit>
void Constrainer::around(Id v, Visit&& visit) const {
  const Id first = some_[v];
  if (first == nothing) return;
  Id t = first;
  do {  // counterclockwise, up to the hull
    if (visit(t)) return;
    t = triangles_[t].beyond[(triangles_[t].index_of(v) + 1) % 3];
  } while (t != nothing && t != first);
  if (t == first) return;
  t = triangles_[first].beyond[(triangles_[first].index_of(v) + 2) % 3];
  while (t != nothing) {
    if (visit(t)) return;
    t = triangles_[t].beyond[(triangles_[t].index_of(v) + 2) % 3];
  }
}

Constrainer::Side Constrainer::find(Id a, Id b, Id hint) const {
  if (hint != nothing)
    if (const Side s = side_between(hint, triangles_[hint], a, b); s.triangle != nothing) return s;
  Side found;
  around(a, [&](Id t) {
    found = side_between(t, triangles_[t], a, b);
    return found.triangle != nothing;
  });
  return found;
}

std::optional<GridPoint> Constrainer::collect_crossed(Id a, Id b, std::vector<Ends>& crossed) const {
  Id t = nothing;
  std::optional<GridPoint> met;
  around(a, [&](Id candidate) {
    const Triangle& triangle = triangles_[candidate];
    const int i = triangle.index_of(a);
    const Id right = triangle.vertex[(i + 1) % 3], left = triangle.vertex[(i + 2) % 3];
    const int at_right = side_of(a, b, right), at_left = side_of(a, b, left);
    for (const auto& [v, s] : {std::pair{right, at_right}, std::pair{left, at_left}})
      if (s == 0 && dot(points_[a], points_[v], points_[b]) > 0) met = points_[v];
    if (at_right < 0 && at_left > 0) t = candidate;
    return t != nothing || met;
  });
  if (met) return met;
  if (t == nothing) return points_[a];
  int i = triangles_[t].index_of(a);
  while (true) {  // the segment leaves t over the edge opposite corner i
    const Triangle& triangle = triangles_[t];
    const Id right = triangle.vertex[(i + 1) % 3], left = triangle.vertex[(i + 2) % 3];
    if (triangle.constrained[i]) return points_[right];
    crossed.push_back({right, left, t});
    const Id next = triangle.beyond[i];
    if (next == nothing) return points_[right];
    const int far = triangles_[next].index_beyond(t);
    const Id apex = triangles_[next].vertex[far];
    if (apex == b) return {};
    const int s = side_of(a, b, apex);
    if (s == 0) return points_[apex];
    // The next edge crossed joins the apex with what lies on the other side of the segment.
    i = triangles_[next].index_of(s > 0 ? left : right);
    t = next;
  }
}

bool Constrainer::is_convex(Side s) const {
  const Triangle& one = triangles_[s.triangle];
  const Id n = one.beyond[s.corner];
  const Id p = one.vertex[s.corner], q = triangles_[n].vertex[triangles_[n].index_beyond(s.triangle)];
  return side_of(p, q, one.vertex[(s.corner + 1) % 3]) < 0 && side_of(p, q, one.vertex[(s.corner + 2) % 3]) > 0;
}

bool Constrainer::is_delaunay(Side s) const {
  const Triangle& one = triangles_[s.triangle];
  const Id n = one.beyond[s.corner];
  const Id q = triangles_[n].vertex[triangles_[n].index_beyond(s.triangle)];
  return in_circle(points_[one.vertex[0]], points_[one.vertex[1]], points_[one.vertex[2]], points_[q]) <= 0;
}

/// p, r, s and q, s, r become p, r, q and q, s, p. Requires a convex quadrilateral.
Constrainer::Ends Constrainer::exchange(Side at) {
  const Id t = at.triangle, n = triangles_[t].beyond[at.corner];
  const Triangle one = triangles_[t], other = triangles_[n];
  const int i = at.corner, j = other.index_beyond(t);
  const Id p = one.vertex[i], r = one.vertex[(i + 1) % 3], s = one.vertex[(i + 2) % 3], q = other.vertex[j];
  const auto outer = [&](const Triangle& triangle, int k) {
    return std::pair{triangle.beyond[k], triangle.constrained[k]};
  };
  const auto across_sp = outer(one, (i + 1) % 3), across_pr = outer(one, (i + 2) % 3);
  const auto across_rq = outer(other, (j + 1) % 3), across_qs = outer(other, (j + 2) % 3);
  triangles_[t] = {{p, r, q}, {across_rq.first, n, across_pr.first}, {across_rq.second, false, across_pr.second}};
  triangles_[n] = {{q, s, p}, {across_sp.first, t, across_qs.first}, {across_sp.second, false, across_qs.second}};
  if (across_rq.first != nothing) triangles_[across_rq.first].beyond[triangles_[across_rq.first].index_beyond(n)] = t;
  if (across_sp.first != nothing) triangles_[across_sp.first].beyond[triangles_[across_sp.first].index_beyond(t)] = n;
  remember(t);
  remember(n);
  return {p, q, t};
}

std::optional<GridPoint> Constrainer::insert(Id a, Id b) {
  if (const Side there = find(a, b); there.triangle != nothing) {
    constrain(there);
    return {};
  }
  std::vector<Ends> crossed;
  if (const auto met = collect_crossed(a, b, crossed)) return met;
  std::vector<Ends> later, made;
  while (!crossed.empty()) {
    later.clear();
    for (const Ends& edge : crossed) {
      const Side s = find(edge.a, edge.b, edge.triangle);
      if (!is_convex(s)) {
        later.push_back(edge);
        continue;
      }
      const Ends now = exchange(s);
      const bool crosses =
          now.a != a && now.a != b && now.b != a && now.b != b && side_of(a, b, now.a) * side_of(a, b, now.b) < 0;
      (crosses ? later : made).push_back(now);
    }
    crossed.swap(later);
  }
  constrain(find(a, b));
  suspects_.insert(suspects_.end(), made.begin(), made.end());
  return {};
}

void Constrainer::mend() {
  while (!suspects_.empty()) {
    const Ends edge = suspects_.back();
    suspects_.pop_back();
    const Side s = find(edge.a, edge.b, edge.triangle);
    if (s.triangle == nothing) continue;  // exchanged since
    const Triangle triangle = triangles_[s.triangle];
    const Id beyond = triangle.beyond[s.corner];
    if (beyond == nothing || triangle.constrained[s.corner] || is_delaunay(s)) continue;
    const Id r = triangle.vertex[(s.corner + 1) % 3], l = triangle.vertex[(s.corner + 2) % 3];
    const Ends now = exchange(s);
    const Id n = beyond;
    for (const Id around : {r, l}) {
      suspects_.push_back({now.a, around, around == r ? now.triangle : n});
      suspects_.push_back({now.b, around, around == r ? now.triangle : n});
    }
  }
}

}  // namespace

int in_circle(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
  const auto lifted = [&](GridPoint p) {
    const std::int64_t x = std::int64_t{p.x} - d.x, y = std::int64_t{p.y} - d.y;
    return std::array<std::int64_t, 3>{x, y, x * x + y * y};
  };
  const auto [ax, ay, az] = lifted(a);
  const auto [bx, by, bz] = lifted(b);
  const auto [cx, cy, cz] = lifted(c);
  __extension__ using Wide = __int128;
  const Wide sum = Wide(az) * (bx * cy - by * cx) + Wide(bz) * (cx * ay - cy * ax) + Wide(cz) * (ax * by - ay * bx);
  return (sum > 0) - (sum < 0);
}

Result<Triangulation> triangulate(std::span<const GridSegment> constraints, std::span<const GridPoint> more_points) {
  Triangulation made;
  made.points.assign(more_points.begin(), more_points.end());
  for (const GridSegment& s : constraints) made.points.insert(made.points.end(), {s.a, s.b});
  std::sort(made.points.begin(), made.points.end());
  made.points.erase(std::unique(made.points.begin(), made.points.end()), made.points.end());
  made.triangles = DivideAndConquer(made.points).triangles();

  std::vector<std::pair<Id, Id>> edges;
  edges.reserve(constraints.size());
  const auto id_of = [&](GridPoint p) {
    return Id(std::lower_bound(made.points.begin(), made.points.end(), p) - made.points.begin());
  };
  for (const GridSegment& s : constraints)
    if (s.a != s.b) edges.push_back({id_of(std::min(s.a, s.b)), id_of(std::max(s.a, s.b))});
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  if (made.triangles.empty()) return made;

  Constrainer constrainer(made);
  for (const auto& [a, b] : edges)
    if (const auto met = constrainer.insert(a, b))
      return Problem{Severity::error, ProblemCode::geometry, fmt::format("({}, {}) on the snap grid", met->x, met->y),
                     "an edge to triangulate meets a point or an edge between its ends"};
  constrainer.mend();
  return made;
}

}  // namespace throng::geometry
