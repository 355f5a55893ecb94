#include "ground/surface.hpp"

#include <algorithm>
#include <cmath>

#include "ground/surface_maker.hpp"

namespace throng::ground {

namespace {

Vec2 nearest_on_segment(Vec2 a, Vec2 b, Vec2 p) {
  const Vec2 d = b - a;
  const double size2 = squared_length(d);
  const double t = size2 > 0 ? std::clamp(dot(p - a, d) / size2, 0.0, 1.0) : 0.0;
  return a + d * t;
}

}  // namespace

Result<Surface> Surface::make(const environment::CleanEnvironment& world, const SurfaceRadii& radii) {
  return SurfaceMaker(world, radii).make();
}

geometry::GridBox Surface::box_around(Vec2 p, double reach) const {
  const auto clamped = [](double units) {
    const double most = 2.0 * geometry::max_coordinate;
    return std::int32_t(std::clamp(units, -most, most));
  };
  const Vec2 low = grid_.to_units(p - Vec2{reach, reach}), high = grid_.to_units(p + Vec2{reach, reach});
  return {{clamped(std::floor(low.x)), clamped(std::floor(low.y))},
          {clamped(std::ceil(high.x)), clamped(std::ceil(high.y))}};
}

void Surface::index_triangles(std::size_t layer_count) {
  for (std::size_t layer = 0; layer < layer_count; ++layer) {
    std::vector<geometry::GridBox> boxes;
    for (Index t = first_of_layer_[layer]; t < first_of_layer_[layer + 1]; ++t) {
      geometry::GridBox box = box_around(point(triangles_[t].vertex[0]), 0);
      for (const Index v : triangles_[t].vertex) {
        const geometry::GridBox more = box_around(point(v), 0);
        box.min = {std::min(box.min.x, more.min.x), std::min(box.min.y, more.min.y)};
        box.max = {std::max(box.max.x, more.max.x), std::max(box.max.y, more.max.y)};
      }
      boxes.push_back(box);
    }
    by_layer_.emplace_back(boxes);
  }
}

std::optional<Surface::Located> Surface::locate(const Place& place, double reach) const {
  if (place.layer >= by_layer_.size()) return {};
  Located best;
  double best2 = reach * reach;
  // Near first: a box of the size of the rounding finds almost everybody.
  for (const double within : {std::min(reach, rounding_), reach}) {
    by_layer_[place.layer].for_each_in(box_around(place.point, within), [&](std::uint32_t i) {
      const Index t = first_of_layer_[place.layer] + i;
      const Triangle& triangle = triangles_[t];
      const Vec2 a = point(triangle.vertex[0]), b = point(triangle.vertex[1]), c = point(triangle.vertex[2]);
      const Vec2 p = place.point;
      Vec2 nearest = p;
      double away2 = 0;
      if (cross(b - a, p - a) < 0 || cross(c - b, p - b) < 0 || cross(a - c, p - c) < 0) {
        away2 = std::numeric_limits<double>::infinity();
        for (const auto& [u, v] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}}) {
          const Vec2 q = nearest_on_segment(u, v, p);
          if (squared_length(q - p) < away2) nearest = q, away2 = squared_length(q - p);
        }
      }
      if (away2 < best2 || (away2 == best2 && t < best.triangle)) best = {t, nearest}, best2 = away2;
    });
    if (best.triangle != none) return best;
  }
  return {};
}

std::size_t Surface::bytes() const {
  return vertices_.size() * sizeof(Vertex) + triangles_.size() * sizeof(Triangle) + edges_.size() * sizeof(Edge) +
         (around_.size() + first_around_.size()) * sizeof(Index);
}

GroundCosts::GroundCosts(const Surface& surface, std::span<const double> row, const std::vector<bool>& forbidden)
    : surface_(&surface), gauges_(surface.sets().size()) {
  const GroundKinds& kinds = surface.kinds();
  const auto gauge_of = [&](Index kind) {
    const double across = row[kind];
    if (!kinds[kind].slopes()) return Gauge{across, 0, 0, {}};
    const double up = row[kinds.size() + kind], down = row[2 * kinds.size() + kind];
    return Gauge{across, (up - down) / 2, (up + down) / 2 - across, kinds[kind].uphill};
  };
  for (std::size_t s = 0; s < surface.sets().size(); ++s) {
    double most = 0, least = 0;
    bool slopes = false;
    for (const Index kind : surface.sets()[s]) {
      const bool never = (kind < forbidden.size() && forbidden[kind]) || !(row[kind] < unbounded);
      const Gauge gauge = never ? Gauge{unbounded, 0, 0, {}} : gauge_of(kind);
      const double up = gauge.across + gauge.bent + gauge.linear, down = gauge.across + gauge.bent - gauge.linear;
      most = std::max({most, gauge.across, up, down});
      least = std::max(least, std::min({gauge.across, up, down}));
      slopes = slopes || gauge.linear != 0 || gauge.bent != 0;
      gauges_[s].push_back(gauge);
    }
    if (!slopes || most == unbounded) gauges_[s].clear();
    directed_ = directed_ || !gauges_[s].empty();
    most_of_set_.push_back(most);
    least_of_set_.push_back(least);
    if (most == unbounded) continue;
    least_ = std::min(least_, least);
    most_ = std::max(most_, most);
  }
}

double GroundCosts::steepest(Index set, Vec2 step, double size) const {
  double most = 0;
  for (const Gauge& gauge : gauges_[set]) most = std::max(most, gauge.of(step, size));
  return most;
}

double GroundCosts::of_step_along(Index edge, Vec2 step) const {
  const Surface::Edge& e = surface_->edges()[edge];
  if (!directed_) return along(edge) * std::sqrt(squared_length(step));
  const double left = open(e.triangle[0]) ? of_step(e.triangle[0], step) : unbounded;
  const bool has_right = e.triangle[1] != none && open(e.triangle[1]);
  return has_right ? std::min(left, of_step(e.triangle[1], step)) : left;
}

double GroundCosts::along(Index edge) const {
  const Surface::Edge& e = surface_->edges()[edge];
  const double left = of_triangle(e.triangle[0]);
  return e.triangle[1] == none ? left : std::min(left, of_triangle(e.triangle[1]));
}

double GroundCosts::least_along(Index edge) const {
  const Surface::Edge& e = surface_->edges()[edge];
  const double left = least_of_triangle(e.triangle[0]);
  return e.triangle[1] == none ? left : std::min(left, least_of_triangle(e.triangle[1]));
}

}  // namespace throng::ground
