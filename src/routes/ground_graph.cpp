#include "routes/ground_graph.hpp"

#include <algorithm>
#include <cmath>

namespace throng::routes {

namespace {

/// A place within this distance of an edge lies on it, in metres.
constexpr double on_edge = 1e-9;
constexpr std::size_t most_points_an_edge = 20'000;

double distance_to_line(Vec2 p, Vec2 a, Vec2 b) { return std::abs(cross(b - a, p - a)) / distance(a, b); }

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const double t = std::clamp(dot(p - a, b - a) / squared_length(b - a), 0.0, 1.0);
  return distance(p, a + (b - a) * t);
}

}  // namespace

GroundGraph::GroundGraph(const ground::Surface& surface, const ground::GroundCosts& costs,
                         const SteinerPlacement& placement)
    : surface_(&surface), costs_(&costs) {
  for (const auto& vertex : surface.vertices()) positions_.push_back(vertex.point);
  if (placement.approximation) measure_vertices();
  for (Index e = 0; e < surface.edges().size(); ++e) {
    first_point_.push_back(Index(positions_.size()));
    if (placement.approximation)
      place_approximation(e, placement.eps);
    else
      place_rough(e, placement.eps);
  }
  first_point_.push_back(Index(positions_.size()));
  vicinity_ = {};
}

void GroundGraph::add_point(Index edge, double t) {
  const auto& e = surface_->edges()[edge];
  positions_.push_back(surface_->point(e.a) + (surface_->point(e.b) - surface_->point(e.a)) * t);
  edge_of_.push_back(edge);
}

/// A smaller eps asks for more points; without points of their own short edges
/// are passed at their ends.
void GroundGraph::place_rough(Index edge, double eps) {
  const double length = surface_->edges()[edge].length;
  int count = length < 0.5 ? 0 : length < 4 ? 1 : length < 16 ? 2 : 3 + std::min(4, int(length / 25));
  if (eps < 0.1) count = int(std::ceil(count * std::min(4.0, 0.1 / eps)));
  for (int i = 1; i <= count; ++i) add_point(edge, double(i) / (count + 1));
}

void GroundGraph::measure_vertices() {
  const std::size_t count = surface_->vertices().size();
  std::vector<double> height(count, unreachable), low(count, unreachable), high(count, 0);
  for (Index t = 0; t < surface_->triangles().size(); ++t) {
    if (!costs_->open(t)) continue;
    const auto& v = surface_->triangles()[t].vertex;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec2 a = surface_->point(v[(i + 1) % 3]), b = surface_->point(v[(i + 2) % 3]);
      height[v[i]] = std::min(height[v[i]], distance_to_segment(surface_->point(v[i]), a, b));
      low[v[i]] = std::min(low[v[i]], costs_->of_triangle(t));
      high[v[i]] = std::max(high[v[i]], costs_->of_triangle(t));
    }
  }
  vicinity_.resize(count, 0);
  for (std::size_t v = 0; v < count; ++v)
    if (high[v] > 0) vicinity_[v] = height[v] * low[v] / high[v];
}

void GroundGraph::place_approximation(Index edge, double eps) {
  const auto& e = surface_->edges()[edge];
  const Index end[2] = {e.a, e.b};
  double first[2], growth[2];
  for (int k = 0; k < 2; ++k) {
    // The sine of the smallest angle at this end; obtuse angles count as right
    // ones.
    double sine = 1;
    const Vec2 v = surface_->point(end[k]), along = surface_->point(end[1 - k]) - v;
    for (const Index t : e.triangle) {
      if (t == none) continue;
      const auto& triangle = surface_->triangles()[t];
      const Vec2 other = surface_->point(triangle.vertex[std::size_t(triangle.side_of(edge))]) - v;
      if (dot(other, along) > 0) sine = std::min(sine, std::abs(cross(other, along)) / (length(other) * e.length));
    }
    growth[k] = 1 + 0.6 * eps * sine;
    first[k] = std::max(least_interval, 0.15 * eps * vicinity_[end[k]]);
  }
  std::vector<double> from_a, from_b;
  double a = first[0], b = first[1];
  while (a + b < e.length && from_a.size() + from_b.size() < most_points_an_edge) {
    const double step_a = std::max(least_interval, a * (growth[0] - 1)),
                 step_b = std::max(least_interval, b * (growth[1] - 1));
    if (step_a <= step_b) {
      from_a.push_back(a);
      a += step_a;
    } else {
      from_b.push_back(b);
      b += step_b;
    }
  }
  for (const double at : from_a) add_point(edge, at / e.length);
  for (std::size_t i = from_b.size(); i-- > 0;) add_point(edge, (e.length - from_b[i]) / e.length);
}

void GroundGraph::around_place(const ground::Surface::Located& at, std::vector<LinkVia>& around) const {
  around.clear();
  around.push_back({at.triangle, false});
  const auto add = [&](LinkVia via) {
    if (std::find(around.begin(), around.end(), via) == around.end()) around.push_back(via);
  };
  const auto& triangle = surface_->triangles()[at.triangle];
  for (const Index v : triangle.vertex) {
    if (distance(surface_->point(v), at.point) > on_edge) continue;
    for (const Index e : surface_->edges_at(v)) {
      add({e, true});
      for (const Index t : surface_->edges()[e].triangle)
        if (t != none) add({t, false});
    }
  }
  for (const Index e : triangle.edge) {
    const auto& edge = surface_->edges()[e];
    if (distance_to_line(at.point, surface_->point(edge.a), surface_->point(edge.b)) > on_edge) continue;
    add({e, true});
    for (const Index t : edge.triangle)
      if (t != none) add({t, false});
  }
}

}  // namespace throng::routes
