#include "navmesh/sight.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "navmesh/axis_draft.hpp"
#include "navmesh/boundary.hpp"

namespace throng::navmesh {
namespace {

using geometry::GridBox;
using geometry::GridPoint;

/// What can be cut away: points with dot(normal, p) < offset.
struct HalfPlane {
  Vec2 normal;
  double offset = 0;
};

HalfPlane left_of(Vec2 a, Vec2 b) {
  const Vec2 normal = perpendicular(b - a);
  return {normal, dot(normal, a)};
}

struct Span {
  Vec2 a, b;
};

std::optional<Span> cut(Span s, const HalfPlane& half) {
  const double at_a = dot(half.normal, s.a) - half.offset;
  const double at_b = dot(half.normal, s.b) - half.offset;
  if (at_a < 0 && at_b < 0) return std::nullopt;
  if (at_a >= 0 && at_b >= 0) return s;
  const Vec2 crossing = s.a + (s.b - s.a) * (at_a / (at_a - at_b));
  return at_a < 0 ? Span{crossing, s.b} : Span{s.a, crossing};
}

double distance_to(const Span& s, Vec2 p) {
  const Vec2 d = s.b - s.a;
  const double length2 = squared_length(d);
  const double along = dot(p - s.a, d);
  if (length2 == 0 || along <= 0) return length(p - s.a);
  if (along >= length2) return length(p - s.b);
  return std::abs(cross(d, p - s.a)) / std::sqrt(length2);
}

std::int32_t grid_clamp(double v) {
  return std::int32_t(std::clamp(v, -2.0 * geometry::max_coordinate, 2.0 * geometry::max_coordinate));
}

GridBox box_around(Vec2 p, double radius) {
  return {{grid_clamp(std::floor(p.x - radius)), grid_clamp(std::floor(p.y - radius))},
          {grid_clamp(std::ceil(p.x + radius)), grid_clamp(std::ceil(p.y + radius))}};
}

GridBox box_of(GridPoint a, GridPoint b) {
  return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

}  // namespace

/// What can be seen from an eye: everything, or what lies beyond a window.
struct SightIndex::Cone {
  Vec2 eye;
  HalfPlane limits[3];
  int limit_count = 0;

  [[nodiscard]] std::optional<Span> visible(Span s) const {
    std::optional<Span> rest = s;
    for (int i = 0; i < limit_count && rest; ++i) rest = cut(*rest, limits[i]);
    return rest;
  }

  /// The cone through a part of a connection that is passed from its left to its right.
  [[nodiscard]] Cone through(Span window, const Segment& connection) const {
    Cone cone{eye, {left_of(to_vec(connection.b), to_vec(connection.a))}, 1};
    // From a place on the connection itself one sees the whole half-plane beyond it.
    if (distance_to(window, eye) < 1e-9) return cone;
    cone.limits[1] = left_of(eye, window.a);
    cone.limits[2] = left_of(window.b, eye);
    cone.limit_count = 3;
    return cone;
  }
};

SightIndex::SightIndex(const environment::CleanEnvironment& environment) {
  for (Index layer = 0; layer < environment.layers.size(); ++layer) {
    const Boundary boundary = boundary_of(environment, layer);
    std::vector<Segment> segments;
    std::vector<GridBox> boxes;
    for (std::size_t i = 0; i < boundary.segments.size(); ++i) {
      const VoronoiSegment& s = boundary.segments[i];
      Segment segment{s.a, s.b, none, none};
      if (const Index c = boundary.sites[boundary.side_sites[i][0]].connection; c != none) {
        const auto& connection = environment.connections[c];
        segment.connection = c;
        segment.beyond = Index(connection.a == s.a && connection.left_layer == layer ? connection.right_layer
                                                                                     : connection.left_layer);
      }
      segments.push_back(segment);
      boxes.push_back(box_of(s.a, s.b));
    }
    layers_.push_back({std::move(segments), geometry::BoxIndex(boxes)});
    extent_ = std::max(extent_, boundary.extent);
  }
}

void SightIndex::look(Index layer, const Cone& cone, std::vector<Index>& passed, double& nearest) const {
  std::vector<std::pair<Index, Span>> windows;
  const LayerIndex& here = layers_[layer];
  here.index.for_each_in(box_around(cone.eye, nearest), [&](std::uint32_t i) {
    const Segment& s = here.segments[i];
    const std::optional<Span> visible = cone.visible({to_vec(s.a), to_vec(s.b)});
    if (!visible) return;
    if (s.connection == none)
      nearest = std::min(nearest, distance_to(*visible, cone.eye));
    else if (cross(to_vec(s.b) - to_vec(s.a), cone.eye - to_vec(s.a)) >= -1e-6 * length(to_vec(s.b) - to_vec(s.a)))
      windows.push_back({i, *visible});
  });
  for (const auto& [i, window] : windows) {
    const Segment& door = here.segments[i];
    // A straight line passes a connection once; an eye on the connection itself would look back and forth for ever.
    const bool back = std::find(passed.begin(), passed.end(), door.connection) != passed.end();
    if (back || distance_to(window, cone.eye) >= nearest) continue;
    passed.push_back(door.connection);
    look(door.beyond, cone.through(window, door), passed, nearest);
    passed.pop_back();
  }
}

double SightIndex::clearance(Vec2 point, Index layer, double limit) const {
  double nearest = limit;
  std::vector<Index> passed;
  look(layer, {point, {}, 0}, passed, nearest);
  return nearest;
}

double SightIndex::clearance(Vec2 point, Index layer) const {
  double limit = std::max(1.0, extent_ / 64);
  for (int i = 0; i < 16; ++i, limit *= 4)
    if (const double found = clearance(point, layer, limit); found < limit) return found;
  return INFINITY;
}

}  // namespace throng::navmesh
