#include "ground/border_squares.hpp"

#include <cmath>
#include <limits>

namespace throng::ground {

namespace {

/// Metres by which segments are taken for longer and wider than they are: more than rounding moves them.
constexpr double hair = 1e-6;
/// Squares a segment, about.
constexpr double squares_a_segment = 2;
/// Squares on a side, at most.
constexpr double most_on_a_side = 4096;

}  // namespace

template <class Visit>
void BorderSquares::for_each_square_of(Vec2 a, Vec2 b, Visit&& visit) const {
  if (b.y < a.y) std::swap(a, b);
  const std::size_t top = row_of(b.y + hair);
  for (std::size_t row = row_of(a.y - hair); row <= top; ++row) {
    // The part of the segment in the row, and a hair more.
    const double bottom_y = low_.y + double(row) * size_ - 2 * hair, top_y = bottom_y + size_ + 4 * hair;
    const double rise = b.y - a.y;
    double from = 0, to = 1;
    if (rise > 0) from = std::max(0.0, (bottom_y - a.y) / rise), to = std::min(1.0, (top_y - a.y) / rise);
    const double x = a.x + (b.x - a.x) * from, other = a.x + (b.x - a.x) * to;
    const std::size_t right = column_of(std::max(x, other) + hair);
    for (std::size_t column = column_of(std::min(x, other) - hair); column <= right; ++column)
      visit(row * columns_ + column);
  }
}

BorderSquares::BorderSquares(std::span<const std::pair<Vec2, Vec2>> segments) {
  if (segments.empty()) return;
  constexpr double far = std::numeric_limits<double>::infinity();
  low_ = {far, far}, high_ = {-far, -far};
  for (const auto& [a, b] : segments)
    for (const Vec2 p : {a, b}) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
  low_ = low_ - Vec2{hair, hair}, high_ = high_ + Vec2{hair, hair};
  const Vec2 extent = high_ - low_;
  size_ = std::sqrt(extent.x * extent.y / (squares_a_segment * double(segments.size())));
  size_ = std::max(size_, std::max(extent.x, extent.y) / most_on_a_side);
  columns_ = std::size_t(extent.x / size_) + 1, rows_ = std::size_t(extent.y / size_) + 1;
  first_.assign(columns_ * rows_ + 1, 0);
  for (const auto& [a, b] : segments) for_each_square_of(a, b, [&](std::size_t square) { ++first_[square + 1]; });
  for (std::size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  listed_.resize(first_.back());
  std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t i = 0; i < segments.size(); ++i)
    for_each_square_of(segments[i].first, segments[i].second, [&](std::size_t square) { listed_[next[square]++] = i; });
}

}  // namespace throng::ground
