#include "routes/ground_points.hpp"

#include <algorithm>
#include <cmath>

namespace throng::routes {

namespace {

/// A place within this distance of an edge lies on it, in metres.
constexpr double on_edge = 1e-9;
constexpr std::size_t most_points_an_edge = 20'000;
/// Of rough points: metres between them, and how many an edge has at most.
constexpr double rough_spacing = 2;
constexpr int most_rough_points = 12;

double distance_to_line(Vec2 p, Vec2 a, Vec2 b) { return std::abs(cross(b - a, p - a)) / distance(a, b); }

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const double t = std::clamp(dot(p - a, b - a) / squared_length(b - a), 0.0, 1.0);
  return distance(p, a + (b - a) * t);
}

/// The triangle's least height, from its longest edge.
double width_of(const ground::Surface& surface, const ground::Surface::Triangle& t) {
  const Vec2 a = surface.point(t.vertex[0]), b = surface.point(t.vertex[1]), c = surface.point(t.vertex[2]);
  const double longest = std::max({squared_length(b - a), squared_length(c - b), squared_length(a - c)});
  return cross(b - a, c - a) / std::sqrt(longest);
}

/// h_v, for `proven` times w_lo / w_hi; 0 where all triangles are slivers.
double vicinity(const ground::Surface& surface, Index vertex, const ground::GroundCosts& costs, PointPlacement rule) {
  double height = unreachable, low = unreachable, high = 0;
  for (const Index e : surface.edges_at(vertex))
    for (const Index t : surface.edges()[e].triangle) {
      if (t == none || !costs.open(t)) continue;
      const auto& triangle = surface.triangles()[t];
      if (width_of(surface, triangle) < least_interval) continue;
      const auto i = std::size_t(triangle.corner_of(vertex));
      height = std::min(height, distance_to_segment(surface.point(vertex), surface.point(triangle.vertex[(i + 1) % 3]),
                                                    surface.point(triangle.vertex[(i + 2) % 3])));
      low = std::min(low, costs.of_triangle(t));
      high = std::max(high, costs.of_triangle(t));
    }
  if (!(high > 0)) return 0;
  return rule == PointPlacement::proven ? height * low / high : height;
}

}  // namespace

void place_graded(const ground::Surface& surface, Index edge, const ground::GroundCosts& costs,
                  const SteinerPlacement& graded, double least, std::vector<double>& from_a) {
  from_a.clear();
  const auto& e = surface.edges()[edge];
  const bool proven = graded.rule == PointPlacement::proven;
  const double eps = graded.eps;
  const Index end[2] = {e.a, e.b};
  double first[2], growth[2];
  for (int k = 0; k < 2; ++k) {
    // The sine of the smallest angle at this end; obtuse angles count as right ones.
    double sine = 1;
    const Vec2 v = surface.point(end[k]), along = surface.point(end[1 - k]) - v;
    for (const Index t : e.triangle) {
      if (t == none || !costs.open(t)) continue;
      const auto& triangle = surface.triangles()[t];
      if (width_of(surface, triangle) < least_interval) continue;
      const Vec2 other = surface.point(triangle.vertex[std::size_t(triangle.side_of(edge))]) - v;
      if (dot(other, along) > 0) sine = std::min(sine, std::abs(cross(other, along)) / (length(other) * e.length));
    }
    growth[k] = (proven ? 0.6 : 1) * eps * sine;
    first[k] = std::max(least, (proven ? 0.15 : 1) * eps * vicinity(surface, end[k], costs, graded.rule));
  }
  // The series of both ends meet where their intervals are equal.
  std::vector<double> from_b;
  double a = first[0], b = first[1];
  while (a + b < e.length && from_a.size() + from_b.size() < most_points_an_edge) {
    const double step_a = std::max(least, a * growth[0]), step_b = std::max(least, b * growth[1]);
    if (step_a <= step_b) {
      from_a.push_back(a);
      a += step_a;
    } else {
      from_b.push_back(b);
      b += step_b;
    }
  }
  for (std::size_t i = from_b.size(); i-- > 0;) from_a.push_back(e.length - from_b[i]);
}

SteinerPoints::SteinerPoints(const ground::Surface& surface, const ground::GroundCosts* costs,
                             const SteinerPlacement& placement, const std::vector<bool>& kept)
    : surface_(&surface), placement_(placement) {
  for (const auto& vertex : surface.vertices()) positions_.push_back(vertex.point);
  first_point_.reserve(surface.edges().size() + 1);
  for (Index e = 0; e < surface.edges().size(); ++e) {
    first_point_.push_back(Index(positions_.size()));
    if (!kept.empty() && !kept[e]) continue;
    along_.clear();
    const auto& edge = surface.edges()[e];
    if (placement.rule == PointPlacement::rough)
      place_rough(edge.length);
    else
      place_graded(surface, e, *costs, placement, least_interval, along_);
    const Vec2 a = surface.point(edge.a), b = surface.point(edge.b);
    for (const double at : along_) positions_.push_back(a + (b - a) * (at / edge.length));
    edge_of_.insert(edge_of_.end(), along_.size(), e);
  }
  first_point_.push_back(Index(positions_.size()));
}

std::size_t SteinerPoints::bytes() const {
  return positions_.size() * sizeof(Vec2) + (first_point_.size() + edge_of_.size()) * sizeof(Index);
}

/// A smaller eps asks for more points; without points of their own short edges are passed at their ends.
void SteinerPoints::place_rough(double length) {
  int count = length < 1 ? 0 : std::clamp(int(std::lround(length / rough_spacing)), 1, most_rough_points);
  if (placement_.eps < 0.1) count = int(std::ceil(count * std::min(4.0, 0.1 / placement_.eps)));
  for (int i = 1; i <= count; ++i) along_.push_back(length * i / (count + 1));
}

void around_place(const ground::Surface& surface, const ground::Surface::Located& at, std::vector<LinkVia>& around) {
  around.clear();
  around.push_back({at.triangle, false});
  const auto add = [&](LinkVia via) {
    if (std::find(around.begin(), around.end(), via) == around.end()) around.push_back(via);
  };
  const auto& triangle = surface.triangles()[at.triangle];
  for (const Index v : triangle.vertex) {
    if (distance(surface.point(v), at.point) > on_edge) continue;
    for (const Index e : surface.edges_at(v)) {
      add({e, true});
      for (const Index t : surface.edges()[e].triangle)
        if (t != none) add({t, false});
    }
  }
  for (const Index e : triangle.edge) {
    const auto& edge = surface.edges()[e];
    if (distance_to_line(at.point, surface.point(edge.a), surface.point(edge.b)) > on_edge) continue;
    add({e, true});
    for (const Index t : edge.triangle)
      if (t != none) add({t, false});
  }
}

}  // namespace throng::routes
