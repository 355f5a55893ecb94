// A grid over weighted ground: eight neighbours, each cell as dear as the dearest ground whose interior it overlaps. Jaklin 2016, 3.
//
// centres  nodes are cell centres; a step costs half of either cell. At most 1 + sqrt(2) times the best where every cell is one region
//          and both ends are centres (Kakimura, Katsu 2024; Jaklin proves 2 sqrt(2)).
// corners  nodes are cell corners; a side costs the cheaper of its two cells, a diagonal its own. At most 2/sqrt(2 + sqrt(2)) = 1.0824
//          times the best where every cell is one region and both ends are corners (Bose, Esteban, Orden, Silveira 2024).
// A node is there where its point is ground; a step where one can walk it straight, and a diagonal between centres only past cells that are
// there too: obstacles forbid diagonals, weights never do. In general position nothing is promised: a coarse cell may close a gap, or
// hide a whole way around.
//
// Laws
// 1. A way is a cheapest one of the grid. 2. Split into any portions, the answer is the same.
// Complexity: O(cells + cells overlapped by triangles) to make. Thread-safety: one object a thread.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "routes/ground_points.hpp"
#include "routes/search.hpp"
#include "throng/result.hpp"

namespace throng::routes {

enum class GridNodes { centres, corners };

class GroundGrid {
 public:
  using Located = ground::Surface::Located;
  static constexpr double most_cells = 1e8;

  /// Refused where there would be more than `most_cells`. Surface and costs must outlive the grid.
  [[nodiscard]] static Result<GroundGrid> make(const ground::Surface& surface, const ground::GroundCosts& costs,
                                               double cell, GridNodes nodes);

  void begin(const Located& from, const Located& to);
  SearchStatus advance(std::size_t budget);
  /// The start, nodes in order, the goal. Requires that a way was found.
  [[nodiscard]] std::vector<Vec2> way() const;
  /// As the grid counts.
  [[nodiscard]] double cost() const { return search_.cost(); }
  [[nodiscard]] std::size_t expansions() const { return search_.expansions(); }
  [[nodiscard]] double cell() const { return cell_; }

  // As Search wants it.
  [[nodiscard]] std::size_t node_count() const { return triangle_of_.size(); }
  template <class Visit>
  void for_each_neighbour(Index node, Visit&& visit) const;

 private:
  GroundGrid(const ground::Surface& surface, const ground::GroundCosts& costs) : surface_(&surface), costs_(&costs) {}
  void fill_triangle(Index t);
  [[nodiscard]] Vec2 point_of(Index node) const;
  [[nodiscard]] double cell_weight(Index layer, std::int64_t row, std::int64_t column) const;
  [[nodiscard]] Index node_at(Index layer, std::int64_t row, std::int64_t column) const;
  /// What a step between neighbours costs a metre.
  [[nodiscard]] double step_weight(Index layer, std::int64_t row, std::int64_t column, int dr, int dc) const;
  [[nodiscard]] std::vector<Terminal> nodes_beside(const Located& at) const;

  const ground::Surface* surface_;
  const ground::GroundCosts* costs_;
  GridNodes nodes_ = GridNodes::centres;
  double cell_ = 1;
  Vec2 origin_;                                    ///< of cell (0, 0)
  std::int64_t rows_ = 0, columns_ = 0;            ///< of cells
  std::int64_t node_rows_ = 0, node_columns_ = 0;  ///< of nodes
  std::vector<double> weight_;                     ///< by layer, row, column; 0: no ground
  std::vector<Index> triangle_of_;                 ///< of nodes
  Vec2 from_, to_;
  Search search_;
};

}  // namespace throng::routes
