// Squares over the borders of a layer's regions: which borders come near a place, for questions about a few metres of a town.
//
// A packed R-tree (geometry/box_index.hpp) answers for boxes of any size in O(log n); from a square its borders are read at once, and a
// walk over squares ends at the first border met.
//
// Laws
// 1. Whatever part of a segment lies in a square (closed, and a hair more), the square lists the segment.
// 2. Lists are in order of the segments' numbers.
// About two squares a segment. O(squares crossed) to build, O(squares + answers) a query. Read-only after construction: thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::ground {

class BorderSquares {
 public:
  BorderSquares() = default;
  explicit BorderSquares(std::span<const std::pair<Vec2, Vec2>> segments);

  [[nodiscard]] std::size_t columns() const { return columns_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }
  /// Whether the point lies in one of the squares; then where.
  [[nodiscard]] bool covers(Vec2 p) const {
    return p.x >= low_.x && p.y >= low_.y && p.x <= high_.x && p.y <= high_.y && columns_ > 0;
  }
  [[nodiscard]] std::size_t column_of(double x) const { return place(x - low_.x, columns_); }
  [[nodiscard]] std::size_t row_of(double y) const { return place(y - low_.y, rows_); }
  [[nodiscard]] double right_of(std::size_t column) const { return low_.x + double(column + 1) * size_; }
  [[nodiscard]] Vec2 centre(std::size_t column, std::size_t row) const {
    return low_ + Vec2{(double(column) + 0.5) * size_, (double(row) + 0.5) * size_};
  }
  [[nodiscard]] std::span<const std::uint32_t> at(std::size_t column, std::size_t row) const {
    const std::size_t i = row * columns_ + column;
    return std::span(listed_).subspan(first_[i], first_[i + 1] - first_[i]);
  }
  /// Calls visit(i) for the segments of all squares that meet the box: some several times, some that lie outside it.
  template <class Visit>
  void for_each_in(Vec2 low, Vec2 high, Visit&& visit) const {
    if (columns_ == 0 || high.x < low_.x || high.y < low_.y || low.x > high_.x || low.y > high_.y) return;
    const std::size_t left = column_of(low.x), right = column_of(high.x), top = row_of(high.y);
    for (std::size_t row = row_of(low.y); row <= top; ++row)
      for (std::size_t column = left; column <= right; ++column)
        for (const std::uint32_t i : at(column, row)) visit(i);
  }

 private:
  [[nodiscard]] std::size_t place(double from_low, std::size_t count) const {
    const double at = from_low / size_;
    return at > 0 ? std::min(std::size_t(at), count - 1) : 0;
  }
  template <class Visit>
  void for_each_square_of(Vec2 a, Vec2 b, Visit&& visit) const;

  Vec2 low_{}, high_{};
  double size_ = 1;
  std::size_t columns_ = 0, rows_ = 0;
  std::vector<std::uint32_t> first_;   ///< by square: where its list begins; one more at the end
  std::vector<std::uint32_t> listed_;  ///< segments
};

}  // namespace throng::ground
