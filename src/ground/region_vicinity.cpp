// Many lines from one place: RegionMap::Vicinity.
#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "ground/region_map.hpp"

namespace throng::ground {

namespace {

/// Metres of ground to a side of a strip that are looked at, beyond what is asked for.
constexpr double most_aside = 1;
/// A strip is wider than what is asked for by this at least, in metres: far more than rounding.
constexpr double least_aside = 1e-3;

double squared_distance(Vec2 p, Vec2 from, Vec2 to) {
  const Vec2 way = to - from;
  const double size2 = squared_length(way);
  const double t = size2 > 0 ? std::clamp(dot(p - from, way) / size2, 0.0, 1.0) : 0.0;
  return squared_length(from + way * t - p);
}

/// Distance of two segments; 0 where they cross.
double between_segments(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const auto side = [](Vec2 from, Vec2 to, Vec2 p) { return cross(to - from, p - from); };
  const bool parts = (side(a, b, c) > 0) != (side(a, b, d) > 0), parted = (side(c, d, a) > 0) != (side(c, d, b) > 0);
  if (parts && parted) return 0;
  return std::sqrt(std::min(
      {squared_distance(a, c, d), squared_distance(b, c, d), squared_distance(c, a, b), squared_distance(d, a, b)}));
}

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

void RegionMap::look_around(const navmesh::Place& from, Vec2 low, Vec2 high, const double* weights,
                            Vicinity& vicinity) const {
  vicinity.from = from;
  vicinity.here = none;  // whoever weighs lines asks type_at(): most who look around do not
  vicinity.low = low, vicinity.high = high;
  std::vector<std::uint32_t>& found = vicinity.border;
  found.clear();
  vicinity.is_plane = from.layer < layers_.size() && layers_[from.layer].base == 0 && !kinds_.slopes();
  if (!vicinity.is_plane) return;
  const auto is_beside = [&](Vec2 a, Vec2 b) {
    return std::max(a.x, b.x) < low.x - tolerance::route_clearance ||
           std::min(a.x, b.x) > high.x + tolerance::route_clearance ||
           std::max(a.y, b.y) < low.y - tolerance::route_clearance ||
           std::min(a.y, b.y) > high.y + tolerance::route_clearance;
  };
  for (const navmesh::Connection& c : connections_)
    if ((c.left_layer == from.layer || c.right_layer == from.layer) && !is_beside(c.a, c.b)) vicinity.is_plane = false;
  if (!vicinity.is_plane) return;
  const std::vector<Border>& borders = layers_[from.layer].borders;
  // Several squares list the same border.
  std::vector<std::uint32_t>& listed = vicinity.listed;
  if (listed.size() < borders.size() || ++vicinity.now == 0) listed.assign(borders.size(), 0), vicinity.now = 1;
  layers_[from.layer].squares.for_each_in(low, high, [&](std::uint32_t i) {
    if (listed[i] == vicinity.now) return;
    listed[i] = vicinity.now;
    const Border& border = borders[i];
    if (!is_beside(border.a, border.b) && is_uneven(border, weights)) found.push_back(i);
  });
}

bool RegionMap::is_even(const Vicinity& vicinity, Vec2 b, Vec2 c) const {
  if (!vicinity.is_plane) return false;
  for (const std::uint32_t i : vicinity.border) {
    const Border& border = layers_[vicinity.from.layer].borders[i];
    if (meets(border.a, border.b, vicinity.from.point, b, c)) return false;
  }
  return true;
}

double RegionMap::to_border(const navmesh::Place& place, double most) const {
  if (place.layer >= layers_.size() || layers_[place.layer].base != 0) return 0;
  double nearest2 = most * most;
  const auto take = [&](Vec2 a, Vec2 b) { nearest2 = std::min(nearest2, squared_distance(place.point, a, b)); };
  for (const navmesh::Connection& c : connections_)
    if (c.left_layer == place.layer || c.right_layer == place.layer) take(c.a, c.b);
  const Vec2 reach{most, most};
  layers_[place.layer].squares.for_each_in(place.point - reach, place.point + reach, [&](std::uint32_t i) {
    const Border& border = layers_[place.layer].borders[i];
    take(border.a, border.b);
  });
  return std::sqrt(nearest2);
}

RegionMap::Strip RegionMap::even_strip(const navmesh::Place& from, Vec2 ahead, double least, double most, double aside,
                                       const double* weights, Scratch& scratch) const {
  if (from.layer >= layers_.size() || layers_[from.layer].base != 0) return {};
  if (kinds_.slopes() && kinds_[type_at(from, scratch)].slopes()) return {};
  const Vec2 to = from.point + ahead * least, far = from.point + ahead * most;
  const double widest = aside + most_aside;
  // Borders, and connections: what lies beyond those is another layer's.
  std::vector<std::pair<Vec2, Vec2>>& near = scratch.segments;
  near.clear();
  double nearest = widest;
  const auto take = [&](Vec2 a, Vec2 b) {
    near.emplace_back(a, b);
    nearest = std::min(nearest, between_segments(a, b, from.point, to));
  };
  for (const navmesh::Connection& c : connections_)
    if (c.left_layer == from.layer || c.right_layer == from.layer) take(c.a, c.b);
  const Vec2 low{std::min(from.point.x, far.x) - widest, std::min(from.point.y, far.y) - widest};
  const Vec2 high{std::max(from.point.x, far.x) + widest, std::max(from.point.y, far.y) + widest};
  layers_[from.layer].squares.for_each_in(low, high, [&](std::uint32_t i) {
    const Border& border = layers_[from.layer].borders[i];
    if (is_uneven(border, weights)) take(border.a, border.b);
  });
  if (!(nearest > aside + least_aside)) return {};
  Strip strip{most, (aside + nearest) / 2};
  // As far as the strip comes near none of them: half of the rest of its width is left to rounding.
  for (const auto& [a, b] : near)
    while (strip.length > least && between_segments(a, b, from.point, from.point + ahead * strip.length) <= strip.aside)
      strip.length = std::max(least, strip.length - std::max(1.0, (strip.length - least) / 4));
  return strip;
}

double RegionMap::weighted_length(const Vicinity& vicinity, const navmesh::Place& to, double radius,
                                  const double* weights, Scratch& scratch) const {
  if (to.layer != vicinity.from.layer || vicinity.here == none)
    return weighted_length(vicinity.from, to, radius, weights, scratch);
  return weighted_length(vicinity, vicinity.from.point, vicinity.here, to.point, radius, weights, scratch);
}

double RegionMap::weighted_length(const Vicinity& vicinity, Vec2 from, Index kind, Vec2 to, double radius,
                                  const double* weights, Scratch& scratch) const {
  const Vec2 way = to - from;
  const double size = length(way);
  const Index layer = vicinity.from.layer;
  const auto slowly = [&] {
    return weighted_length(navmesh::Place{from, layer}, navmesh::Place{to, layer}, radius, weights, scratch);
  };
  if (!vicinity.is_plane || radius > 0 || size <= tolerance::route_clearance) return slowly();
  std::vector<std::pair<double, Index>>& crossed = scratch.crossed;
  crossed.clear();
  const Vec2 ahead = way / size;
  for (const std::uint32_t i : vicinity.border) {
    const Border& border = layers_[layer].borders[i];
    const double a = cross(ahead, border.a - from), b = cross(ahead, border.b - from);
    if ((a > tolerance::route_clearance && b > tolerance::route_clearance) ||
        (a < -tolerance::route_clearance && b < -tolerance::route_clearance))
      continue;
    const double at_a = dot(ahead, border.a - from), at_b = dot(ahead, border.b - from);
    if ((at_a < -tolerance::route_clearance && at_b < -tolerance::route_clearance) ||
        (at_a > size + tolerance::route_clearance && at_b > size + tolerance::route_clearance))
      continue;
    if (std::abs(a) <= tolerance::route_clearance || std::abs(b) <= tolerance::route_clearance) return slowly();
    const double at = at_a + (at_b - at_a) * (a / (a - b));
    if (at < -tolerance::route_clearance || at > size + tolerance::route_clearance) continue;
    if (at < tolerance::route_clearance || at > size - tolerance::route_clearance) return slowly();
    crossed.emplace_back(at, a > b ? border.left : border.right);
  }
  std::sort(crossed.begin(), crossed.end());
  double sum = 0, reached = 0;
  for (std::size_t i = 0; i < crossed.size(); ++i) {
    sum += weights[kind] * (crossed[i].first - reached);
    reached = crossed[i].first;
    kind = crossed[i].second;
    if (i > 0 && crossed[i].first - crossed[i - 1].first < tolerance::route_clearance) return slowly();
  }
  return sum + weights[kind] * (size - reached);
}

}  // namespace throng::ground
