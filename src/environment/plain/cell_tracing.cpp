#include "environment/plain/cell_tracing.hpp"

#include <cstdint>
#include <utility>

namespace throng::environment {
namespace {

constexpr std::uint32_t no_part = ~std::uint32_t{0};

/// The part of every cell, by joining runs of a row with those of the row before (union-find).
class Parts {
 public:
  Parts(const std::vector<bool>& walkable, std::size_t width, std::size_t height) : part_(walkable.size(), no_part) {
    for (std::size_t y = 0; y < height; ++y) {
      for (std::size_t x = 0; x < width; ++x) {
        const std::size_t i = y * width + x;
        if (!walkable[i]) continue;
        const std::uint32_t left = x > 0 ? part_[i - 1] : no_part;
        const std::uint32_t below = y > 0 ? part_[i - width] : no_part;
        part_[i] = left != no_part ? left : below != no_part ? below : add();
        if (left != no_part && below != no_part) join(left, below);
      }
    }
    number();
  }

  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::uint32_t operator[](std::size_t cell) const { return number_[part_[cell]]; }

 private:
  std::uint32_t add() {
    parent_.push_back(std::uint32_t(parent_.size()));
    return parent_.back();
  }

  std::uint32_t root(std::uint32_t part) {
    while (parent_[part] != part) part = parent_[part] = parent_[parent_[part]];
    return part;
  }

  /// The lower one becomes the root, so that a part is known by its first cell.
  void join(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    if (a < b)
      parent_[b] = a;
    else
      parent_[a] = b;
  }

  void number() {
    number_.resize(parent_.size());
    for (std::uint32_t part = 0; part < parent_.size(); ++part)
      number_[part] = parent_[part] == part ? std::uint32_t(count_++) : number_[root(part)];
  }

  std::vector<std::uint32_t> part_;
  std::vector<std::uint32_t> parent_;
  std::vector<std::uint32_t> number_;
  std::size_t count_ = 0;
};

class Tracer {
 public:
  Tracer(const std::vector<bool>& walkable, std::size_t width, std::size_t height)
      : walkable_(walkable), width_(width), height_(height), seen_(walkable.size(), false) {}

  std::vector<Polygon> trace() {
    const Parts parts(walkable_, width_, height_);
    std::vector<Polygon> polygons(parts.count());
    // A part's first cell in row order has its outer ring below it, so outer rings come before their holes. Every ring has a
    // side that runs to the right along the lower side of a walkable cell.
    for (std::size_t y = 0; y < height_; ++y) {
      for (std::size_t x = 0; x < width_; ++x) {
        const std::size_t cell = y * width_ + x;
        if (seen_[cell] || !is_walkable(x, y) || is_walkable(x, y - 1)) continue;
        Ring ring = trace_ring(x, y);
        Polygon& polygon = polygons[parts[cell]];
        if (polygon.outer.empty())
          polygon.outer = std::move(ring);
        else
          polygon.holes.push_back(std::move(ring));
      }
    }
    return polygons;
  }

 private:
  /// False beyond the raster; x - 1 of 0 wraps to beyond.
  [[nodiscard]] bool is_walkable(std::size_t x, std::size_t y) const {
    return x < width_ && y < height_ && walkable_[y * width_ + x];
  }

  /// Whether the cell left, or right, ahead of corner (x, y) in a direction is walkable. Directions: 0 right, 1 up, 2 left, 3 down.
  [[nodiscard]] bool ahead(std::size_t x, std::size_t y, int direction, bool left) const {
    const bool east = direction == 0 || (direction == 1 && !left) || (direction == 3 && left);
    const bool north = direction == 1 || (direction == 0 && left) || (direction == 2 && !left);
    return is_walkable(east ? x : x - 1, north ? y : y - 1);
  }

  /// Follows the border with walkable cells on the left, from the lower left corner of cell (x, y) to the right. Where two
  /// walkable cells touch at a corner only, it stays with the one it follows.
  Ring trace_ring(std::size_t x, std::size_t y) {
    const std::size_t start_x = x, start_y = y;
    Ring ring;
    int direction = 0;
    do {
      if (direction == 0) seen_[y * width_ + x] = true;
      x += direction == 0 ? 1 : direction == 2 ? std::size_t(-1) : 0;
      y += direction == 1 ? 1 : direction == 3 ? std::size_t(-1) : 0;
      const int before = direction;
      if (!ahead(x, y, direction, true))
        direction = (direction + 1) % 4;
      else if (ahead(x, y, direction, false))
        direction = (direction + 3) % 4;
      if (direction != before) ring.push_back({double(x), double(y)});
    } while (x != start_x || y != start_y || direction != 0);
    return ring;
  }

  const std::vector<bool>& walkable_;
  std::size_t width_;
  std::size_t height_;
  std::vector<bool> seen_;  ///< cells whose lower side was followed to the right
};

}  // namespace

std::size_t count_corners(const std::vector<bool>& walkable, std::size_t width, std::size_t height) {
  const auto at = [&](std::size_t x, std::size_t y) { return x < width && y < height && walkable[y * width + x]; };
  std::size_t corners = 0;
  // Around each point where four cells meet; x - 1 of 0 wraps to beyond.
  for (std::size_t y = 0; y <= height; ++y)
    for (std::size_t x = 0; x <= width; ++x) {
      const bool a = at(x - 1, y - 1), b = at(x, y - 1), c = at(x - 1, y), d = at(x, y);
      const int cells = int(a) + int(b) + int(c) + int(d);
      corners += cells == 1 || cells == 3 ? 1 : cells == 2 && a == d ? 2 : 0;
    }
  return corners;
}

std::vector<Polygon> trace_cells(const std::vector<bool>& walkable, std::size_t width, std::size_t height) {
  return Tracer(walkable, width, height).trace();
}

}  // namespace throng::environment
