// Points on the snap grid, and the predicates that decide topology on them.
//
// Laws
// 1. Every coordinate lies within +-max_coordinate, so that each predicate below is exact in the integer type it uses.
// 2. Signs of geometric predicates come from this header and nowhere else.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace throng::geometry {

/// A corner of the snap grid, in whole units from the grid's origin.
struct GridPoint {
  std::int32_t x = 0;
  std::int32_t y = 0;
  friend bool operator==(const GridPoint&, const GridPoint&) = default;
  friend auto operator<=>(const GridPoint&, const GridPoint&) = default;  // lexicographic: the canonical order
};

/// Largest absolute coordinate. Differences then fit 26 bits, cross products 53, and the rounding of intersections 128.
inline constexpr std::int32_t max_coordinate = 1 << 24;

/// (b - a) x (c - a): twice the signed area of the triangle; positive when c is left of a->b. Exact.
constexpr std::int64_t cross(GridPoint a, GridPoint b, GridPoint c) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{c.y} - a.y) - (std::int64_t{b.y} - a.y) * (std::int64_t{c.x} - a.x);
}

/// +1 when c is left of a->b, -1 when it is right, 0 when it is on the line. Exact.
constexpr int side(GridPoint a, GridPoint b, GridPoint c) {
  const std::int64_t area = cross(a, b, c);
  return (area > 0) - (area < 0);
}

/// (b - a) . (c - a). Exact.
constexpr std::int64_t dot(GridPoint a, GridPoint b, GridPoint c) {
  return (std::int64_t{b.x} - a.x) * (std::int64_t{c.x} - a.x) + (std::int64_t{b.y} - a.y) * (std::int64_t{c.y} - a.y);
}

/// Whether p lies on the closed segment a-b. Exact.
constexpr bool on_segment(GridPoint a, GridPoint b, GridPoint p) { return side(a, b, p) == 0 && dot(p, a, b) <= 0; }

}  // namespace throng::geometry

template <>
struct std::hash<throng::geometry::GridPoint> {
  std::size_t operator()(const throng::geometry::GridPoint& p) const noexcept {
    std::uint64_t h = (std::uint64_t(std::uint32_t(p.x)) << 32) | std::uint32_t(p.y);
    h ^= h >> 31;
    h *= 0x9e3779b97f4a7c15ULL;
    return std::size_t(h ^ (h >> 29));
  }
};
