// Squares over the layers of a world, and sums on them: sparse, because crowds are where few squares are.
//
// Laws
// 1. Corners of squares lie on whole multiples of their side in every layer: the square of a place hangs on nothing but the place.
// 2. Sums are whole numbers: adding in any order, by any number of threads that take turns, and taking off again gives the same bits; what
//    was never written reads as zero.
// Memory: a block of 16 x 16 squares where something was ever written. Thread-safety: one writer, or any number of readers.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "navmesh/mesh.hpp"

namespace throng::fields {

using navmesh::Index;
using navmesh::none;

/// A square of a layer.
struct Square {
  std::int32_t column = 0, row = 0;
  Index layer = none;  ///< none: no square

  explicit operator bool() const { return layer != none; }
  friend bool operator==(const Square&, const Square&) = default;
  friend auto operator<=>(const Square&, const Square&) = default;
};

[[nodiscard]] inline Square square_at(const navmesh::Place& place, double side) {
  return {std::int32_t(std::floor(place.point.x / side)), std::int32_t(std::floor(place.point.y / side)), place.layer};
}
[[nodiscard]] inline Vec2 middle_of(const Square& square, double side) {
  return {(square.column + 0.5) * side, (square.row + 0.5) * side};
}

/// Calls visit(square, from, to) for the squares of a layer under a straight line, in order, with the metres of the line at which it comes in and goes out,
/// until it returns true. Whether it did.
template <class Visit>
bool for_each_square_under(Vec2 from, Vec2 to, Index layer, double side, Visit&& visit) {
  const Vec2 way = to - from;
  const double length = std::sqrt(squared_length(way));
  Square at = square_at({from, layer}, side);
  if (!(length > 0)) return visit(at, 0.0, 0.0);
  // How far it is to the next line of the lattice on each axis, and from line to line.
  const auto first = [&](double p, double v, std::int32_t index) {
    if (v == 0) return INFINITY + 0.0;
    return ((v > 0 ? index + 1 : index) * side - p) / v * length;
  };
  double next_x = first(from.x, way.x, at.column), next_y = first(from.y, way.y, at.row);
  const double step_x = way.x != 0 ? side / std::abs(way.x) * length : INFINITY;
  const double step_y = way.y != 0 ? side / std::abs(way.y) * length : INFINITY;
  for (double begin = 0; begin < length;) {
    const double end = std::min({next_x, next_y, length});
    if (end > begin && visit(at, begin, end)) return true;
    begin = std::max(begin, end);
    if (end >= length) break;
    if (next_x <= next_y)
      at.column += way.x > 0 ? 1 : -1, next_x += step_x;
    else
      at.row += way.y > 0 ? 1 : -1, next_y += step_y;
  }
  return false;
}

/// A value for every square, zero at first.
template <class Value>
class SparseSquares {
  static constexpr std::int32_t across = 16;
  using Block = std::array<Value, std::size_t(across) * across>;

 public:
  [[nodiscard]] Value at(const Square& square) const {
    const auto block = blocks_.find(block_of(square));
    return block == blocks_.end() ? Value{} : (*block->second)[place_in_block(square)];
  }
  /// Looks squares up one after the other: those of one block in little time. Until something is written.
  class Reader {
   public:
    explicit Reader(const SparseSquares& squares) : squares_(squares) {}
    [[nodiscard]] Value at(const Square& square) {
      const Square key = block_of(square);
      if (!is_known_ || key != key_) {
        const auto found = squares_.blocks_.find(key);
        block_ = found == squares_.blocks_.end() ? nullptr : found->second.get();
        key_ = key, is_known_ = true;
      }
      return block_ == nullptr ? Value{} : (*block_)[place_in_block(square)];
    }

   private:
    const SparseSquares& squares_;
    Square key_;
    const Block* block_ = nullptr;
    bool is_known_ = false;
  };

  [[nodiscard]] Value& operator[](const Square& square) {
    const Square key = block_of(square);
    if (last_ == nullptr || key != last_key_) {
      std::unique_ptr<Block>& block = blocks_[key];
      if (!block) block = std::make_unique<Block>();
      last_key_ = key;
      last_ = block.get();
    }
    return (*last_)[place_in_block(square)];
  }
  /// Calls visit(square, value) for all that were ever written, in no order that may be relied on.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (const auto& [key, block] : blocks_)
      for (std::size_t i = 0; i < block->size(); ++i)
        visit(Square{key.column * across + std::int32_t(i) % across, key.row * across + std::int32_t(i) / across,
                     key.layer},
              (*block)[i]);
  }
  [[nodiscard]] std::size_t bytes() const {
    return blocks_.size() * (sizeof(Block) + sizeof(Square) + 4 * sizeof(void*));
  }

 private:
  [[nodiscard]] static std::int32_t floor_div(std::int32_t a) {
    return a >= 0 ? a / across : -((across - 1 - a) / across);
  }
  [[nodiscard]] static Square block_of(const Square& s) { return {floor_div(s.column), floor_div(s.row), s.layer}; }
  [[nodiscard]] static std::size_t place_in_block(const Square& s) {
    return std::size_t((s.row - floor_div(s.row) * across) * across + (s.column - floor_div(s.column) * across));
  }
  struct Hash {
    std::size_t operator()(const Square& s) const {
      std::uint64_t h = std::uint64_t(std::uint32_t(s.column)) * 0x9e3779b97f4a7c15;
      h = (h ^ (h >> 32) ^ std::uint32_t(s.row)) * 0xbf58476d1ce4e5b9;
      return std::size_t((h ^ (h >> 29) ^ s.layer) * 0x94d049bb133111eb);
    }
  };
  std::unordered_map<Square, std::unique_ptr<Block>, Hash> blocks_;
  Square last_key_;  ///< of the block written last: neighbours are written one after the other
  Block* last_ = nullptr;
};

}  // namespace throng::fields
