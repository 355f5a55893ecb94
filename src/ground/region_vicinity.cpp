// Many lines from one place: RegionMap::Vicinity.
#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "ground/region_map.hpp"

namespace throng::ground {

namespace {

/// Whether a segment and a triangle have a point in common; where they almost do, they do.
bool meets(Vec2 p, Vec2 q, Vec2 a, Vec2 b, Vec2 c) {
  const auto apart = [&](Vec2 from, Vec2 to) {
    // All of one on one side of the line, and all of the other on the other.
    const Vec2 d = to - from;
    const double size = length(d) * tolerance::route_clearance;
    const double sides[5] = {cross(d, a - from), cross(d, b - from), cross(d, c - from), cross(d, p - from),
                             cross(d, q - from)};
    const double low = std::min({sides[0], sides[1], sides[2]}), high = std::max({sides[0], sides[1], sides[2]});
    return std::min(sides[3], sides[4]) > high + size || std::max(sides[3], sides[4]) < low - size;
  };
  return !apart(a, b) && !apart(b, c) && !apart(c, a) && !apart(p, q);
}

}  // namespace

void RegionMap::look_around(const navmesh::Place& from, Vec2 low, Vec2 high, Vicinity& vicinity,
                            [[maybe_unused]] Scratch& scratch) const {
  vicinity.from = from;
  vicinity.here = none;  // whoever weighs lines asks type_at(): most who look around do not
  vicinity.low = low, vicinity.high = high;
  vicinity.border.clear();
  vicinity.is_plane = from.layer < layers_.size() && layers_[from.layer].base == 0 && !kinds_.slopes();
  if (!vicinity.is_plane) return;
  for (const navmesh::Connection& c : connections_) {
    const bool beside = std::max(c.a.x, c.b.x) < low.x || std::min(c.a.x, c.b.x) > high.x ||
                        std::max(c.a.y, c.b.y) < low.y || std::min(c.a.y, c.b.y) > high.y;
    if (!beside && (c.left_layer == from.layer || c.right_layer == from.layer)) vicinity.is_plane = false;
  }
  if (!vicinity.is_plane) return;
  layers_[from.layer].edge_index.for_each_in(grid_box(low, high),
                                             [&](std::uint32_t i) { vicinity.border.push_back(i); });
}

bool RegionMap::is_even(const Vicinity& vicinity, Vec2 b, Vec2 c, const double* weights) const {
  if (!vicinity.is_plane) return false;
  for (const std::uint32_t i : vicinity.border) {
    const Edge& edge = layers_[vicinity.from.layer].edges[i];
    const bool same = edge.beyond == none || weights[edge.type] == weights[edge.beyond];
    if (!same && meets(edge.a, edge.b, vicinity.from.point, b, c)) return false;
  }
  return true;
}

double RegionMap::weighted_length(const Vicinity& vicinity, const navmesh::Place& to, double radius,
                                  const double* weights, Scratch& scratch) const {
  const Vec2 from = vicinity.from.point, way = to.point - from;
  const double size = length(way);
  const auto slowly = [&] { return weighted_length(vicinity.from, to, radius, weights, scratch); };
  if (!vicinity.is_plane || radius > 0 || vicinity.here == none || size <= tolerance::route_clearance) return slowly();
  std::vector<std::pair<double, Index>>& crossed = scratch.crossed;
  crossed.clear();
  const Vec2 ahead = way / size;
  for (const std::uint32_t i : vicinity.border) {
    const Edge& edge = layers_[vicinity.from.layer].edges[i];
    const double a = cross(ahead, edge.a - from), b = cross(ahead, edge.b - from);
    if ((a > tolerance::route_clearance && b > tolerance::route_clearance) ||
        (a < -tolerance::route_clearance && b < -tolerance::route_clearance))
      continue;
    const double at_a = dot(ahead, edge.a - from), at_b = dot(ahead, edge.b - from);
    if ((at_a < -tolerance::route_clearance && at_b < -tolerance::route_clearance) ||
        (at_a > size + tolerance::route_clearance && at_b > size + tolerance::route_clearance))
      continue;
    if (std::abs(a) <= tolerance::route_clearance || std::abs(b) <= tolerance::route_clearance) return slowly();
    const double at = at_a + (at_b - at_a) * (a / (a - b));
    if (at < -tolerance::route_clearance || at > size + tolerance::route_clearance) continue;
    const Index behind = a > b ? edge.type : edge.beyond;
    if (at < tolerance::route_clearance || at > size - tolerance::route_clearance || behind == none) return slowly();
    crossed.emplace_back(at, behind);
  }
  std::sort(crossed.begin(), crossed.end());
  double sum = 0, reached = 0;
  Index kind = vicinity.here;
  for (std::size_t i = 0; i < crossed.size(); ++i) {
    sum += weights[kind] * (crossed[i].first - reached);
    reached = crossed[i].first;
    kind = crossed[i].second;
    // Neighbours have the border twice, and say the same.
    if (i > 0 && crossed[i].first - crossed[i - 1].first < tolerance::route_clearance &&
        crossed[i].second != crossed[i - 1].second)
      return slowly();
  }
  return sum + weights[kind] * (size - reached);
}

}  // namespace throng::ground
