// The cleaned world as plain edges: what a point or a disc may do along a straight line, without a mesh.
//
// Layers are sheets of one plane, glued along their connections. A line goes on straight into the other layer where it crosses a
// connection; what counts as near a disc is what its part of each sheet holds, not what lies above or below.
//
// Laws
// 1. Coordinates are units of the snap grid, so that signs between corners are exact: a line through a corner, or along a wall, is known
//    to be one.
// 2. sight() lets a point pass if its open line meets no wall and no end of an edge; it may run along a whole wall. Which side of that wall it
//    is on, and whether it starts into free space, is for the caller to know (corner_wedges.hpp).
// 3. slide() lets a disc pass if all walls are `radius` from its line: give it less by a slack to let discs touch.
// Requires that connections end on walls: where several end in one free point, that point counts as an obstacle.
// Cost: the squares of a grid that the line and the disc meet. Not thread-safe: edges remember when they were looked at.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "environment/clean/clean.hpp"
#include "throng/vec2.hpp"

namespace throng::test {

struct SurfacePoint {
  Vec2 at;
  std::size_t layer = 0;
};

class WalledSurface {
 public:
  static constexpr std::size_t nothing = ~std::size_t{0};

  struct Edge {
    Vec2 a, b;  ///< free space on the left
    std::size_t layer = 0;
    bool thin = false;           ///< free space on the right, too
    std::size_t twin = nothing;  ///< of a connection: the same edge in the other layer

    [[nodiscard]] bool is_wall() const { return twin == nothing; }
  };

  explicit WalledSurface(const environment::CleanEnvironment& world);

  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] std::size_t layer_count() const { return grids_.size(); }

  /// Whether a place lies in a layer: on a connection it lies in both of its layers.
  [[nodiscard]] bool is_in(const SurfacePoint& place, std::size_t layer) const;
  /// The layer in which a point arrives; nothing where it does not.
  [[nodiscard]] std::optional<std::size_t> sight(const SurfacePoint& from, Vec2 to) const;
  /// Whether a wall runs from one corner to another.
  [[nodiscard]] bool has_wall(std::size_t layer, Vec2 a, Vec2 b) const;
  /// The layer in which a disc arrives.
  [[nodiscard]] std::optional<std::size_t> slide(const SurfacePoint& from, Vec2 to, double radius) const;

  /// Calls visit(index) for edges of the layer until it returns false: all within `reach` of the line, and some more.
  template <class Visit>
  void near_line(std::size_t layer, Vec2 p, Vec2 q, double reach, Visit&& visit) const {
    const std::uint32_t question = ++question_;
    const Grid& grid = grids_[layer];
    grid.along(p, q, reach + beside_squares, [&](std::size_t square) {
      for (const std::uint32_t i : grid.edges[square]) {
        if (looked_at_[i] == question) continue;
        looked_at_[i] = question;
        if (!visit(std::size_t{i})) return false;
      }
      return true;
    });
  }

 private:
  /// Squares over a layer, each with the edges that may meet it.
  struct Grid {
    Vec2 origin = {};
    double square = 1;
    std::size_t columns = 0, rows = 0;
    std::vector<std::vector<std::uint32_t>> edges;

    [[nodiscard]] std::size_t index(double from_origin, std::size_t count) const {
      return std::size_t(std::clamp(std::floor(from_origin / square), 0.0, double(count - 1)));
    }
    /// Calls visit(square) for those that may lie within `reach` of the line, until it returns false.
    template <class Visit>
    void along(Vec2 p, Vec2 q, double reach, Visit&& visit) const {
      if (columns == 0) return;
      if (p.x > q.x) std::swap(p, q);
      const double slope =
          q.x - p.x < 1 ? 0 : (q.y - p.y) / (q.x - p.x);  // an upright line: all its rows in each column
      const std::size_t last = index(q.x + reach - origin.x, columns);
      for (std::size_t column = index(p.x - reach - origin.x, columns); column <= last; ++column) {
        const double low = origin.x + double(column) * square - reach, high = low + square + 2 * reach;
        const double y0 = p.y + slope * (std::clamp(low, p.x, q.x) - p.x);
        const double y1 = slope == 0 ? q.y : p.y + slope * (std::clamp(high, p.x, q.x) - p.x);
        const std::size_t top = index(std::max(y0, y1) + reach - origin.y, rows);
        for (std::size_t row = index(std::min(y0, y1) - reach - origin.y, rows); row <= top; ++row)
          if (!visit(row * columns + column)) return;
      }
    }
  };
  /// Units by which squares list more than meets them, for rounding.
  static constexpr double beside_squares = 1e-3;
  struct HalfPlane;
  struct Disc;

  void add_layer(const environment::CleanEnvironment& world, std::size_t layer);
  void join(const environment::CleanConnection& connection);
  void make_grid(std::size_t layer);
  /// That the place lies on, but for its ends, to rounding.
  [[nodiscard]] std::size_t connection_at(const SurfacePoint& place) const;
  bool keeps_clear(const Disc& disc, const SurfacePoint& in, std::size_t entered,
                   const std::vector<HalfPlane>& part) const;

  std::vector<Edge> edges_;
  std::vector<Grid> grids_;
  mutable std::vector<std::uint32_t> looked_at_;  // by the question with this number
  mutable std::uint32_t question_ = 0;
};

}  // namespace throng::test
