// From a way over the ground to a route: corners of obstacles as arcs.
#include <algorithm>
#include <cmath>

#include "routes/ground_planner.hpp"

namespace throng::routes {

namespace {

/// A bend of the way, or a run of bends around one corner of an obstacle: a
/// circle that is touched on one side.
struct Turn {
  Vec2 centre;
  double radius = 0;  ///< 0: a point
  bool left = false;  ///< the way turns left around it
  Index layer = 0;    ///< of the piece that comes after
};

/// Points where the common tangent leaves one circle and meets the next; either
/// may be a point. Nothing where one lies in the other.
std::optional<std::pair<Vec2, Vec2>> tangent(const Turn& from, const Turn& to) {
  const Vec2 d = to.centre - from.centre;
  const double r = from.left ? from.radius : -from.radius, s = to.left ? to.radius : -to.radius;
  const double size2 = squared_length(d), off = r - s;
  if (!(size2 > off * off) || size2 == 0) return {};
  // Unit normal n, to the right of the tangent, with n . d = r - s: left turns
  // have their centre on the left.
  const double along = off / size2, across = std::sqrt(size2 - off * off) / size2;
  const Vec2 right = d * along - perpendicular(d) * across;
  return std::pair{from.centre + right * r, to.centre + right * s};
}

}  // namespace

Route route_over_ground(const ground::Surface& surface, const GroundRoute& way, double radius) {
  Route route;
  route.radius = radius;
  route.start = way.start, route.goal = way.goal;
  route.cost = way.cost;
  const auto layer_of = [&](const GroundPath::Leg& leg) {
    return surface.triangles()[leg.via.along ? surface.edges()[leg.via.index].triangle[0] : leg.via.index].layer;
  };
  RouteBuilder builder(route);
  if (way.legs.empty()) {
    builder.line(way.start.point, way.goal.point, way.start.layer);
    return route;
  }
  // Corners of the circumscribed rims lie within 2 % of the radius of them.
  const auto rim_of = [&](Vec2 p) -> std::optional<Vec2> {
    if (!(radius > 0)) return {};
    for (const Vec2 centre : surface.rim_centres())
      if (std::abs(distance(centre, p) - radius) < 0.025 * radius + surface.rounding()) return centre;
    return {};
  };
  std::vector<Turn> turns{{way.legs.front().from, 0, false, layer_of(way.legs.front())}};
  for (std::size_t i = 1; i < way.legs.size(); ++i) {
    const Vec2 p = way.legs[i].from;
    const bool left = cross(p - way.legs[i - 1].from, way.legs[i].to - p) > 0;
    const auto centre = rim_of(p);
    const bool around = centre && (cross(p - way.legs[i - 1].from, *centre - p) > 0) == left;
    if (around && turns.back().radius > 0 && turns.back().centre == *centre && turns.back().left == left)
      turns.back().layer = layer_of(way.legs[i]);
    else
      turns.push_back({around ? *centre : p, around ? radius : 0, left, layer_of(way.legs[i])});
  }
  turns.push_back({way.legs.back().to, 0, false, 0});
  std::vector<std::pair<Vec2, Vec2>> lines;
  for (std::size_t i = 1; i < turns.size(); ++i) {
    auto line = tangent(turns[i - 1], turns[i]);
    if (!line) line = std::pair{turns[i - 1].centre, turns[i].centre};
    lines.push_back(*line);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0 && turns[i].radius > 0)
      builder.arc(lines[i - 1].second, lines[i].first, turns[i].centre, radius, turns[i].left, turns[i - 1].layer);
    builder.line(lines[i].first, lines[i].second, turns[i].layer);
  }
  return route;
}

}  // namespace throng::routes
