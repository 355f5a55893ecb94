// The free space of one layer on squares, for maps of what happens where.
//
// Laws
// 1. Corners of squares lie on whole multiples of their side, so that rasters of one side fit onto each other.
// 2. free_area(i) is the free part of a square, to the rounding of eight lines a square; all together are the layer's free space.
// 3. Two neighbouring squares are linked when somebody could walk from the middle of the free part of one to that of the other
//    without crossing a boundary or a thin wall.
// Cost: O(squares + boundary squares * edges through them). Thread-safety: immutable.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "environment/clean/clean.hpp"

namespace throng::analysis {

class GroundRaster {
 public:
  GroundRaster(const environment::CleanEnvironment& environment, std::size_t layer, double side);

  [[nodiscard]] double side() const { return side_; }  ///< of a square, in metres
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::size_t height() const { return height_; }
  [[nodiscard]] std::size_t size() const { return free_.size(); }
  /// Of the lower left square, in squares from (0, 0).
  [[nodiscard]] std::int64_t first_column() const { return first_column_; }
  [[nodiscard]] std::int64_t first_row() const { return first_row_; }
  [[nodiscard]] Vec2 low() const { return {double(first_column_) * side_, double(first_row_) * side_}; }
  [[nodiscard]] Vec2 high() const { return low() + Vec2{double(width_), double(height_)} * side_; }

  /// The square a point lies in, the nearest one for points outside. Row by row from the lower left.
  [[nodiscard]] std::size_t at(Vec2 p) const;
  [[nodiscard]] double free_area(std::size_t square) const { return free_[square]; }
  [[nodiscard]] bool linked_right(std::size_t square) const { return (cut_[square] & cut_right) == 0; }
  [[nodiscard]] bool linked_up(std::size_t square) const { return (cut_[square] & cut_up) == 0; }

 private:
  static constexpr std::uint8_t cut_right = 1, cut_up = 2;

  void fill(const environment::CleanLayer& layer, const geometry::SnapGrid& grid);
  void cut_links(Vec2 a, Vec2 b);
  void cut_links_at(std::size_t square, Vec2 a, Vec2 b);

  double side_;
  std::size_t width_ = 1, height_ = 1;
  std::int64_t first_column_ = 0, first_row_ = 0;
  std::vector<float> free_;   ///< square metres
  std::vector<Vec2> middle_;  ///< of the free part
  std::vector<std::uint8_t> cut_;
};

/// The side of squares for a whole environment: a quarter of a metre, or as much more as keeps their number low enough to draw.
[[nodiscard]] double raster_side(const environment::CleanEnvironment& environment);

/// The box around a layer's free space and walls; a square metre where there is none.
[[nodiscard]] geometry::Box extent_of(const environment::CleanLayer& layer, const geometry::SnapGrid& grid);

}  // namespace throng::analysis
