#include "routes/ground_walk.hpp"
#include "geometry/tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace throng::routes {

namespace {

double to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const double size2 = squared_length(b - a);
  const double t = size2 > 0 ? std::clamp(dot(p - a, b - a) / size2, 0.0, 1.0) : 0.0;
  return distance(p, a + (b - a) * t);
}

}  // namespace

double distance_between(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  return std::min(std::min(to_segment(a, c, d), to_segment(b, c, d)),
                  std::min(to_segment(c, a, b), to_segment(d, a, b)));
}

std::optional<ground::Surface::Located> walk_straight(const ground::Surface& surface, const ground::GroundCosts& costs,
                                                      const ground::Surface::Located& from, Vec2 to,
                                                      StraightWalk* walk) {
  const double size = distance(from.point, to);
  if (size == 0) return from;
  const Vec2 direction = (to - from.point) / size;
  Index t = from.triangle, entered = none;
  double reached = 0;
  const auto add = [&](double until, LinkVia via) {
    if (walk != nullptr && until > reached)
      walk->pieces.push_back({from.point + direction * reached, from.point + direction * until, via});
    reached = std::max(reached, until);
  };
  for (std::size_t steps = 0; steps <= 4 * surface.triangles().size() + 16; ++steps) {
    if (!costs.open(t)) return {};
    const auto& triangle = surface.triangles()[t];
    // Where the line leaves: the nearest crossing of an edge that it runs out
    // of.
    double leaves = size;
    Index over = none;
    std::optional<Index> along;
    for (std::size_t i = 0; i < 3; ++i) {
      const Vec2 a = surface.point(triangle.vertex[(i + 1) % 3]), b = surface.point(triangle.vertex[(i + 2) % 3]);
      const Vec2 edge = b - a;
      const double width = length(edge);
      const double start_off = cross(edge, from.point + direction * reached - a) / width,
                   slope = cross(edge, direction) / width;
      if (std::abs(start_off) <= tolerance::same && std::abs(slope) * (size - reached) <= tolerance::same) {
        const double at_a = dot(a - from.point, direction), at_b = dot(b - from.point, direction);
        if (std::max(at_a, at_b) > reached + tolerance::same) along = triangle.edge[i];
      }
      if (triangle.edge[i] == entered || !(slope < 0)) continue;
      const double at = std::max(reached, reached + start_off / -slope);
      if (at < leaves) leaves = at, over = Index(i);
    }
    if (over == none || leaves >= size) {
      add(size, along ? LinkVia{*along, true} : LinkVia{t, false});
      return ground::Surface::Located{t, to};
    }
    add(leaves, along ? LinkVia{*along, true} : LinkVia{t, false});
    entered = triangle.edge[over];
    if (walk != nullptr) walk->crossed.push_back(entered);
    t = triangle.beyond[over];
    if (t == none) {
      // A line along an obstacle leaves by rounding only.
      if (size - leaves <= tolerance::same) return ground::Surface::Located{surface.edges()[entered].triangle[0], to};
      return {};
    }
  }
  return {};
}

}  // namespace throng::routes
