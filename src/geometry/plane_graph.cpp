#include "geometry/plane_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace throng::geometry {

namespace {

using Id = PlaneGraph::Id;
constexpr Id nothing = ~Id{0};

/// Whether direction (dx, dy) belongs to the first half turn, counterclockwise from straight down.
bool first_half(std::int64_t dx, std::int64_t dy) { return dx > 0 || (dx == 0 && dy < 0); }

/// An edge as the sweep sees it: `low` is the lexicographically smaller end.
struct SweepEdge {
  GridPoint low, high;
};

/// Orders edges that the sweep line meets at the same time from bottom to top.
struct Below {
  const std::vector<SweepEdge>* edges;
  bool operator()(Id e, Id f) const {
    if (e == f) return false;
    const SweepEdge& a = (*edges)[e];
    const SweepEdge& b = (*edges)[f];
    if (a.low <= b.low) {
      const int where = side(a.low, a.high, b.low);
      return (where != 0 ? where : side(a.low, a.high, b.high)) > 0;
    }
    const int where = side(b.low, b.high, a.low);
    return (where != 0 ? where : side(b.low, b.high, a.high)) < 0;
  }
};

class Components {
 public:
  explicit Components(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  Id root(Id v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  /// The smaller vertex becomes the root, so that a root is its component's lexicographically smallest point.
  void unite(Id a, Id b) {
    a = root(a), b = root(b);
    if (a != b) parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Id> parent_;
};

}  // namespace

PlaneGraph::PlaneGraph(std::span<const GridSegment> edges) {
  number_vertices(edges);
  sort_around_vertices();
  number_faces(trace_cycles());
  list_borders();
}

Id PlaneGraph::clockwise(Id half_edge) const {
  const Id vertex = origin_[half_edge];
  const Id at = position_[half_edge];
  return around_[at == first_around_[vertex] ? first_around_[vertex + 1] - 1 : at - 1];
}

void PlaneGraph::number_vertices(std::span<const GridSegment> edges) {
  points_.reserve(2 * edges.size());
  for (const GridSegment& e : edges) points_.insert(points_.end(), {e.a, e.b});
  std::sort(points_.begin(), points_.end());
  points_.erase(std::unique(points_.begin(), points_.end()), points_.end());
  points_.shrink_to_fit();
  const auto id = [&](GridPoint p) {
    return Id(std::lower_bound(points_.begin(), points_.end(), p) - points_.begin());
  };
  origin_.reserve(2 * edges.size());
  for (const GridSegment& e : edges) origin_.insert(origin_.end(), {id(std::min(e.a, e.b)), id(std::max(e.a, e.b))});
}

void PlaneGraph::sort_around_vertices() {
  first_around_.assign(points_.size() + 1, 0);
  for (Id v : origin_) ++first_around_[v + 1];
  std::partial_sum(first_around_.begin(), first_around_.end(), first_around_.begin());
  around_.resize(origin_.size());
  std::vector<Id> next(first_around_.begin(), first_around_.end() - 1);
  for (Id h = 0; h < origin_.size(); ++h) around_[next[origin_[h]]++] = h;

  const auto counterclockwise = [&](Id g, Id h) {
    const GridPoint o = points_[origin_[g]];
    const GridPoint p = points_[origin_[g ^ 1u]];
    const GridPoint q = points_[origin_[h ^ 1u]];
    const bool p_first = first_half(std::int64_t{p.x} - o.x, std::int64_t{p.y} - o.y);
    const bool q_first = first_half(std::int64_t{q.x} - o.x, std::int64_t{q.y} - o.y);
    return p_first != q_first ? p_first : side(o, p, q) > 0;
  };
  position_.resize(origin_.size());
  for (Id v = 0; v < points_.size(); ++v) {
    std::sort(around_.begin() + first_around_[v], around_.begin() + first_around_[v + 1], counterclockwise);
    for (Id at = first_around_[v]; at < first_around_[v + 1]; ++at) position_[around_[at]] = at;
  }
}

std::vector<Id> PlaneGraph::trace_cycles() {
  std::vector<Id> cycle_of(origin_.size(), nothing);
  for (Id start = 0; start < origin_.size(); ++start) {
    if (cycle_of[start] != nothing) continue;
    for (Id h = start; cycle_of[h] == nothing; h = clockwise(h ^ 1u)) cycle_of[h] = Id(cycle_count_);
    ++cycle_count_;
  }
  return cycle_of;
}

void PlaneGraph::number_faces(std::vector<Id> cycle_of) {
  Components components(points_.size());
  for (Id h = 0; h < origin_.size(); h += 2) components.unite(origin_[h], origin_[h + 1]);

  std::vector<SweepEdge> edges(origin_.size() / 2);
  for (Id e = 0; e < edges.size(); ++e) edges[e] = {points_[origin_[2 * e]], points_[origin_[2 * e + 1]]};
  std::set<Id, Below> active(Below{&edges});
  std::vector<std::set<Id, Below>::iterator> entry(edges.size());

  std::vector<Id> face_of_cycle(cycle_count_, nothing);
  face_count_ = 1;
  const auto face_of_half_edge = [&](Id h) {
    Id& face = face_of_cycle[cycle_of[h]];
    if (face == nothing) face = Id(face_count_++);
    return face;
  };
  // The sweep meets a component first at its smallest point; the edge below that point says which face the component is in.
  // A component on the way down was met before, so its own outer cycle has its face already.
  for (Id v = 0; v < points_.size(); ++v) {
    const std::span<const Id> out = half_edges_from(v);
    for (Id h : out)
      if (h % 2 == 1) active.erase(entry[h / 2]);
    if (components.root(v) == v) {
      // All edges go right from here; what is left of the topmost one is outside.
      const Id topmost = *std::prev(out.end());
      edges.push_back({points_[v], points_[v]});
      const auto above = active.lower_bound(Id(edges.size() - 1));
      face_of_cycle[cycle_of[topmost]] = above == active.begin() ? 0 : face_of_half_edge(2 * *std::prev(above));
      edges.pop_back();
    }
    for (Id h : out)
      if (h % 2 == 0) entry[h / 2] = active.insert(h / 2).first;
  }
  face_of_.resize(origin_.size());
  for (Id h = 0; h < origin_.size(); ++h) face_of_[h] = face_of_half_edge(h);
}

void PlaneGraph::list_borders() {
  first_by_face_.assign(face_count_ + 1, 0);
  for (Id face : face_of_) ++first_by_face_[face + 1];
  std::partial_sum(first_by_face_.begin(), first_by_face_.end(), first_by_face_.begin());
  by_face_.resize(face_of_.size());
  std::vector<Id> next(first_by_face_.begin(), first_by_face_.end() - 1);
  for (Id h = 0; h < face_of_.size(); ++h) by_face_[next[face_of_[h]]++] = h;
}

std::pair<double, double> PlaneGraph::area_and_border(Id face) const {
  if (face == 0) return {0, 0};
  double twice_area = 0;
  double border = 0;
  const std::span<const Id> half_edges = border_of(face);
  const GridPoint o = origin_of(half_edges[0]);
  for (Id h : half_edges) {
    const GridPoint a = origin_of(h);
    const GridPoint b = origin_of(h ^ 1u);
    twice_area += double(cross(o, a, b));
    border += std::sqrt(double(dot(a, b, b)));
  }
  return {twice_area, border};
}

}  // namespace throng::geometry
