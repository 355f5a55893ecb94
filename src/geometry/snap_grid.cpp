#include "geometry/snap_grid.hpp"

#include <algorithm>
#include <cmath>

namespace throng::geometry {

SnapGrid::SnapGrid(double unit, std::int64_t origin_x, std::int64_t origin_y)
    : unit_(unit), origin_x_(origin_x), origin_y_(origin_y) {
  const double inverse = std::round(1 / unit);
  // Only where dividing by the whole number is the same grid: 0.001 is 1/1000, 0.003 is not 1/333.
  per_metre_ = inverse >= 1 && 1 / inverse == unit ? inverse : 0;
}

double SnapGrid::in_units(double metres) const { return per_metre_ != 0 ? metres * per_metre_ : metres / unit_; }

namespace {

SnapGrid centred(const Box& box, double unit) {
  const auto middle = [&](double low, double high) { return std::int64_t(std::floor((low / 2 + high / 2) / unit)); };
  return SnapGrid(unit, middle(box.min.x, box.max.x), middle(box.min.y, box.max.y));
}

/// Metres. Beyond these a coordinate in metres overflows or loses its last digits, and no place is measured so.
constexpr double smallest_unit = 1e-9;
constexpr double largest_unit = 1e9;

double longer_side(const Box& box) { return std::max(box.max.x - box.min.x, box.max.y - box.min.y); }

}  // namespace

SnapGrid SnapGrid::for_box(const Box& box) {
  // Powers of ten by division, since 1e-3 * 10 is not 1e-2.
  int exponent = -3;
  const auto unit_of = [](int e) { return e < 0 ? 1 / std::pow(10.0, -e) : std::pow(10.0, e); };
  while (longer_side(box) > default_extent * unit_of(exponent)) ++exponent;
  return centred(box, unit_of(exponent));
}

std::optional<SnapGrid> SnapGrid::for_box(const Box& box, double unit) {
  if (!(unit >= smallest_unit && unit <= largest_unit)) return std::nullopt;
  if (longer_side(box) / unit > 2.0 * (max_coordinate - 2)) return std::nullopt;
  // Farther from zero than this, in units, rounding to doubles and back no longer finds the same grid point.
  const double far = std::max({std::abs(box.min.x), std::abs(box.max.x), std::abs(box.min.y), std::abs(box.max.y)});
  if (far / unit > 1e15) return std::nullopt;
  return centred(box, unit);
}

bool SnapGrid::contains(Vec2 p) const {
  const double x = in_units(p.x) - double(origin_x_);
  const double y = in_units(p.y) - double(origin_y_);
  return std::abs(x) < max_coordinate && std::abs(y) < max_coordinate;
}

GridPoint SnapGrid::snap(Vec2 p) const {
  // floor(v + 1/2) and not round(): ties go the same way on both sides of zero, so that moving the world by whole units moves
  // the result.
  const auto nearest = [](double v) { return std::int64_t(std::floor(v + 0.5)); };
  return {std::int32_t(nearest(in_units(p.x)) - origin_x_), std::int32_t(nearest(in_units(p.y)) - origin_y_)};
}

Vec2 SnapGrid::to_world(GridPoint p) const {
  return {to_metres(double(p.x + origin_x_)), to_metres(double(p.y + origin_y_))};
}

Vec2 SnapGrid::to_world(Vec2 units) const {
  return {to_metres(units.x + double(origin_x_)), to_metres(units.y + double(origin_y_))};
}

}  // namespace throng::geometry
