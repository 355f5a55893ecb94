#include "support/brute_force.hpp"

#include <algorithm>
#include <cmath>

namespace throng::test {
namespace {

bool properly_cross(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const auto opposite = [](double s, double t) { return (s < 0 && t > 0) || (s > 0 && t < 0); };
  return opposite(cross(b - a, c - a), cross(b - a, d - a)) && opposite(cross(d - c, a - c), cross(d - c, b - c));
}

}  // namespace

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const Vec2 d = b - a;
  const double l2 = squared_length(d);
  if (l2 == 0) return length(p - a);
  const double t = std::clamp(dot(p - a, d) / l2, 0.0, 1.0);
  // The height over the line is exact to rounding of the coordinates; a + d t is not, for long segments.
  if (t > 0 && t < 1) return std::abs(cross(d, p - a)) / std::sqrt(l2);
  return length(p - (t == 0 ? a : b));
}

double distance_of_segments(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  if (properly_cross(a, b, c, d)) return 0;
  return std::min({distance_to_segment(a, c, d), distance_to_segment(b, c, d), distance_to_segment(c, a, b),
                   distance_to_segment(d, a, b)});
}

BruteForce::BruteForce(const environment::CleanEnvironment& world, std::size_t layer) {
  const auto add_ring = [&](const environment::GridRing& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      edges_.push_back({world.grid.to_world(ring[i]), world.grid.to_world(ring[(i + 1) % ring.size()])});
  };
  for (const environment::GridPolygon& polygon : world.layers[layer].free) {
    add_ring(polygon.outer);
    for (const environment::GridRing& hole : polygon.holes) add_ring(hole);
  }
  for (const environment::Wall& wall : world.layers[layer].walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i)
      edges_.push_back({world.grid.to_world(wall.points[i - 1]), world.grid.to_world(wall.points[i]), true});
  min_ = max_ = edges_.empty() ? Vec2{} : edges_.front().a;
  for (const Edge& e : edges_) {
    min_ = {std::min(min_.x, e.a.x), std::min(min_.y, e.a.y)};
    max_ = {std::max(max_.x, e.a.x), std::max(max_.y, e.a.y)};
  }
}

double BruteForce::extent() const { return std::max(max_.x - min_.x, max_.y - min_.y); }

bool BruteForce::walkable(Vec2 p) const {
  bool inside = false;
  for (const Edge& e : edges_) {
    if (e.wall || (e.a.y > p.y) == (e.b.y > p.y)) continue;
    const bool up = e.b.y > e.a.y;
    if ((cross(e.b - e.a, p - e.a) > 0) == up) inside = !inside;
  }
  return inside;
}

double BruteForce::clearance(Vec2 p) const {
  double nearest = INFINITY;
  for (const Edge& e : edges_) nearest = std::min(nearest, distance_to_segment(p, e.a, e.b));
  return nearest;
}

double BruteForce::clearance(Vec2 p, Vec2 q) const {
  double nearest = INFINITY;
  for (const Edge& e : edges_) nearest = std::min(nearest, distance_of_segments(p, q, e.a, e.b));
  return nearest;
}

double BruteForce::ray(Vec2 p, Vec2 direction) const {
  double nearest = INFINITY;
  for (const Edge& e : edges_) {
    const Vec2 d = e.b - e.a;
    const double across = cross(direction, d);
    if (across == 0) continue;
    const double t = cross(e.a - p, d) / across;
    const double s = cross(e.a - p, direction) / across;
    if (t > 0 && s >= 0 && s <= 1) nearest = std::min(nearest, t);
  }
  return nearest;
}

double BruteForce::visible_area(Vec2 p) const {
  std::vector<double> angles;
  constexpr double beside = 1e-9;
  for (const Edge& e : edges_) {
    const double angle = std::atan2(e.a.y - p.y, e.a.x - p.x);
    angles.insert(angles.end(), {angle - beside, angle + beside});
    const double other = std::atan2(e.b.y - p.y, e.b.x - p.x);
    angles.insert(angles.end(), {other - beside, other + beside});
  }
  std::sort(angles.begin(), angles.end());
  double twice = 0;
  const auto seen = [&](double angle) {
    const Vec2 direction{std::cos(angle), std::sin(angle)};
    return direction * ray(p, direction);
  };
  Vec2 last = seen(angles.back());
  for (const double angle : angles) {
    const Vec2 next = seen(angle);
    twice += cross(last, next);
    last = next;
  }
  return twice / 2;
}

}  // namespace throng::test
