// The snap grid: where the plane of doubles meets the plane of integers.
//
// Laws
// 1. The default unit is the smallest of 1 mm, 1 cm, 1 dm, ... for which the longer side of the box is at most
//    `default_extent` units; the origin is a whole number of units near the box's middle.
// 2. snap(to_world(p)) == p for every grid point p.
// 3. to_world gives the double nearest to the decimal number, so that files say 12.345 and not 12.345000000000001.
#pragma once

#include <cstdint>
#include <optional>

#include "geometry/grid_point.hpp"
#include "throng/environment.hpp"
#include "throng/vec2.hpp"

namespace throng::geometry {

struct Box {
  Vec2 min;
  Vec2 max;
};

/// Largest extent of the default grid, in units: Boost's Voronoi code stays right near a million units.
inline constexpr double default_extent = 2e6;

class SnapGrid {
 public:
  /// Millimetres around (0, 0).
  SnapGrid() = default;
  SnapGrid(double unit, std::int64_t origin_x, std::int64_t origin_y);
  /// The same grid as files and the public interface write it, both ways.
  SnapGrid(const Grid& grid) : SnapGrid(grid.unit, grid.origin_x, grid.origin_y) {}  // NOLINT: the same thing
  operator Grid() const { return {unit_, origin_x_, origin_y_}; }                    // NOLINT: the same thing

  /// The grid of law 1 for this box.
  static SnapGrid for_box(const Box& box);
  /// The grid of a unit chosen by the user; nothing when the unit is not within 1e-9 to 1e9 or the box would not fit
  /// `max_coordinate`.
  static std::optional<SnapGrid> for_box(const Box& box, double unit);

  [[nodiscard]] double unit() const { return unit_; }
  /// The origin, in whole units from (0, 0).
  [[nodiscard]] std::int64_t origin_x() const { return origin_x_; }
  [[nodiscard]] std::int64_t origin_y() const { return origin_y_; }

  [[nodiscard]] bool contains(Vec2 p) const;
  /// The nearest grid point. Requires contains(p).
  [[nodiscard]] GridPoint snap(Vec2 p) const;
  [[nodiscard]] Vec2 to_world(GridPoint p) const;
  /// The same for points between the grid's: `units` from the grid's origin.
  [[nodiscard]] Vec2 to_world(Vec2 units) const;
  /// Units from the grid's origin, not rounded to the grid.
  [[nodiscard]] Vec2 to_units(Vec2 world) const {
    return {in_units(world.x) - double(origin_x_), in_units(world.y) - double(origin_y_)};
  }
  /// A length in metres.
  [[nodiscard]] double to_metres(double units) const { return per_metre_ != 0 ? units / per_metre_ : units * unit_; }

  friend bool operator==(const SnapGrid&, const SnapGrid&) = default;

 private:
  [[nodiscard]] double in_units(double metres) const;

  double unit_ = 1e-3;
  double per_metre_ = 1000;  ///< 1 / unit where that is a whole number, else 0
  std::int64_t origin_x_ = 0;
  std::int64_t origin_y_ = 0;
};

}  // namespace throng::geometry
