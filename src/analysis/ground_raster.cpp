#include "analysis/ground_raster.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/trapezoids.hpp"

namespace throng::analysis {

namespace {

using environment::CleanEnvironment;
using environment::CleanLayer;
using environment::GridPoint;
using environment::GridPolygon;
using environment::GridRing;

constexpr int lines_per_square = 8;
/// So many squares over all layers are still drawn and kept in memory with ease.
constexpr double most_squares = 150'000;

bool separates(Vec2 a, Vec2 b, Vec2 p, Vec2 q) {
  const auto left = [](Vec2 from, Vec2 to, Vec2 x) { return cross(to - from, x - from) > 0; };
  return left(a, b, p) != left(a, b, q) && left(p, q, a) != left(p, q, b);
}

template <class Visit>
void for_each_edge(const CleanLayer& layer, const geometry::SnapGrid& grid, Visit&& visit) {
  const auto ring = [&](const GridRing& points) {
    for (std::size_t i = 0; i < points.size(); ++i)
      visit(grid.to_world(points[i]), grid.to_world(points[(i + 1) % points.size()]));
  };
  for (const GridPolygon& polygon : layer.free) {
    ring(polygon.outer);
    for (const GridRing& hole : polygon.holes) ring(hole);
  }
  for (const environment::Wall& wall : layer.walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i)
      visit(grid.to_world(wall.points[i - 1]), grid.to_world(wall.points[i]));
}

}  // namespace

geometry::Box extent_of(const CleanLayer& layer, const geometry::SnapGrid& grid) {
  geometry::Box box{{0, 0}, {1, 1}};
  bool first = true;
  for_each_edge(layer, grid, [&](Vec2 a, Vec2 /*b*/) {
    if (first) box = {a, a};
    first = false;
    box.min = {std::min(box.min.x, a.x), std::min(box.min.y, a.y)};
    box.max = {std::max(box.max.x, a.x), std::max(box.max.y, a.y)};
  });
  return box;
}

double raster_side(const CleanEnvironment& environment) {
  double square_metres = 0;
  for (const CleanLayer& layer : environment.layers) {
    const Vec2 size = extent_of(layer, environment.grid).max - extent_of(layer, environment.grid).min;
    square_metres += size.x * size.y;
  }
  for (double side = 0.25;; side *= 2)
    if (square_metres <= most_squares * side * side) return side;
}

GroundRaster::GroundRaster(const CleanEnvironment& environment, std::size_t layer, double side) : side_(side) {
  const CleanLayer& ground = environment.layers[layer];
  const geometry::Box box = extent_of(ground, environment.grid);
  first_column_ = std::int64_t(std::floor(box.min.x / side));
  first_row_ = std::int64_t(std::floor(box.min.y / side));
  width_ = std::size_t(std::max<std::int64_t>(1, std::int64_t(std::ceil(box.max.x / side)) - first_column_));
  height_ = std::size_t(std::max<std::int64_t>(1, std::int64_t(std::ceil(box.max.y / side)) - first_row_));
  free_.assign(width_ * height_, 0);
  middle_.assign(width_ * height_, {});
  cut_.assign(width_ * height_, 0);
  fill(ground, environment.grid);
  for_each_edge(ground, environment.grid, [&](Vec2 a, Vec2 b) { cut_links(a, b); });
}

std::size_t GroundRaster::at(Vec2 p) const {
  const Vec2 q = (p - low()) / side_;
  const auto column = std::size_t(std::clamp(std::floor(q.x), 0.0, double(width_ - 1)));
  const auto row = std::size_t(std::clamp(std::floor(q.y), 0.0, double(height_ - 1)));
  return row * width_ + column;
}

/// Lines through the trapezoids of the free space, cut at the sides of squares.
void GroundRaster::fill(const CleanLayer& layer, const geometry::SnapGrid& grid) {
  const double spacing = side_ / lines_per_square;
  const Vec2 origin = low();
  for (const geometry::Trapezoid& t : geometry::cut_into_trapezoids(layer.free)) {
    const Vec2 low_left = grid.to_world(Vec2{t.left_low, t.low}), low_right = grid.to_world(Vec2{t.right_low, t.low});
    const Vec2 high_left = grid.to_world(Vec2{t.left_high, t.high});
    const Vec2 high_right = grid.to_world(Vec2{t.right_high, t.high});
    const double tall = high_left.y - low_left.y;
    if (tall <= 0) continue;
    for (double k = std::ceil((low_left.y - origin.y) / spacing - 0.5);; ++k) {
      const double y = origin.y + (k + 0.5) * spacing;
      if (y >= high_left.y) break;
      const double part = (y - low_left.y) / tall;
      const double left = low_left.x + part * (high_left.x - low_left.x);
      const double right = low_right.x + part * (high_right.x - low_right.x);
      const std::size_t row = at({left, y}) / width_;
      const std::size_t last = at({right, y}) % width_;
      for (std::size_t column = at({left, y}) % width_; column <= last; ++column) {
        const double from = std::max(left, origin.x + double(column) * side_);
        const double to = std::min(right, origin.x + double(column + 1) * side_);
        if (to <= from) continue;
        const double area = (to - from) * spacing;
        free_[row * width_ + column] += float(area);
        middle_[row * width_ + column] += Vec2{(from + to) / 2, y} * area;
      }
    }
  }
  for (std::size_t i = 0; i < free_.size(); ++i)
    if (free_[i] > 0) middle_[i] = middle_[i] / double(free_[i]);
}

/// Asks every pair of neighbours that the edge may lie between.
void GroundRaster::cut_links(Vec2 a, Vec2 b) {
  if (a.y > b.y) std::swap(a, b);
  const std::size_t first = at(a) / width_, last = at(b) / width_;
  for (std::size_t row = first > 0 ? first - 1 : 0; row <= std::min(last + 1, height_ - 1); ++row) {
    // The part of the edge within a square of this row.
    const double bottom = low().y + (double(row) - 1) * side_, top = bottom + 3 * side_;
    const auto x_at = [&](double y) { return a.x + (b.x - a.x) * std::clamp((y - a.y) / (b.y - a.y), 0.0, 1.0); };
    const double x0 = b.y > a.y ? x_at(bottom) : a.x, x1 = b.y > a.y ? x_at(top) : b.x;
    const std::size_t from = at({std::min(x0, x1) - side_, a.y}) % width_;
    const std::size_t to = at({std::max(x0, x1) + side_, a.y}) % width_;
    for (std::size_t column = from; column <= to; ++column) cut_links_at(row * width_ + column, a, b);
  }
}

void GroundRaster::cut_links_at(std::size_t square, Vec2 a, Vec2 b) {
  if (square % width_ + 1 < width_ && separates(a, b, middle_[square], middle_[square + 1])) cut_[square] |= cut_right;
  if (square + width_ < size() && separates(a, b, middle_[square], middle_[square + width_])) cut_[square] |= cut_up;
}

}  // namespace throng::analysis
