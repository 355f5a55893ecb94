// Points spread evenly over the free space, and how much free space there is.
//
// Laws
// 1. With u, v, w independent and uniform in [0, 1), the point is uniform over the walkable part of the layer.
// 2. The same numbers give the same bits on every machine. Every point is walkable, but for rounding on the boundary.
//
// Complexity: O(log n) plus a constant: areas are summed up by blocks of cells. Thread-safety: read-only.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "navmesh/mesh.hpp"
#include "navmesh/piece.hpp"

namespace throng::navmesh {

/// Nothing where the layer does not exist or has no free space.
[[nodiscard]] std::optional<Place> random_point(const Mesh& mesh, Index layer, double u, double v, double w);

/// Walkable area of a layer in square metres.
[[nodiscard]] double free_area(const Mesh& mesh, Index layer);

/// A convex part of a piece that lies in one layer: connections cut pieces.
struct PiecePart {
  std::vector<Vec2> polygon;  ///< counterclockwise
  Index layer = 0;
};
/// Cuts a piece where connections run through it.
[[nodiscard]] std::vector<PiecePart> parts_of_piece(const Mesh& mesh, Index cell);
/// Whether any connection runs through the piece, so that it has several parts.
[[nodiscard]] bool is_cut(const Mesh& mesh, Index cell);

/// Running sums of area, for random_point; kept by the Locator.
class AreaSums {
 public:
  /// `pieces` are those of all cells, in order.
  AreaSums(const Mesh& mesh, std::span<const Piece> pieces);
  [[nodiscard]] double total(Index layer) const;
  [[nodiscard]] std::size_t bytes() const;

  /// The block of cells in which the running sum of a layer passes `area`, and what the blocks before it sum up to.
  struct Block {
    Index first_cell = 0;
    double before = 0;
  };
  [[nodiscard]] Block find(Index layer, double area) const;
  static constexpr Index cells_a_block = 32;

 private:
  struct Sum {
    double before = 0;
    Index block = 0;
  };
  std::vector<Sum> sums_;           ///< by layer, then block; blocks without area in the layer left out
  std::vector<std::size_t> first_;  ///< of each layer, one more at the end
  std::vector<double> totals_;
};

}  // namespace throng::navmesh
