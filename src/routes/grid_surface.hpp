// A grid of cells over the world, for bodies of one radius, as a graph that every search of the family runs on (Jaklin 2016, 2.1; Jaklin, Geraerts 2016, "Grids"). For
// comparison: what is lost against the mesh in length, time and narrow ways.
//
// Cells are squares with four or eight neighbours, or hexagons with six; all layers share one lattice, whose centres are `cell` apart (of
// hexagons too). A node is a cell of a layer, numbered by layer, row and column, whether it is free or not.
//
// Laws
// 1. A cell is free if its centre has the radius's clearance. Cells are joined if both are free and a body can slide straight from one
//    centre to the other; a diagonal of squares only if all four moves around it are possible: no corner is cut.
// 2. Joins lead both ways and cost their length. Where the line between two centres crosses a connection it joins layers (not for
//    diagonals).
// 3. least_cost() is consistent: what a path would cost if all cells were free.
// 4. A route keeps the radius; it runs straight from its start to a free centre beside it, over centres, and straight to its goal.
// On an empty grid a path is at most sqrt(2), 1.0824 and 1.1547 times as long as the straight line between its centres, for four and eight
// neighbours and hexagons (C; Nash 2012).
// Complexity: O(cells) to make, two bytes a cell. Thread-safety: immutable once made.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "navmesh/mesh.hpp"
#include "routes/planner.hpp"
#include "routes/search_family.hpp"
#include "throng/result.hpp"

namespace throng::routes {

enum class GridShape { square4, square8, hexagonal };
inline constexpr std::string_view grid_shape_names[] = {"grid4", "grid8", "hex"};

class GridSurface {
 public:
  static constexpr double most_cells = 100e6;

  /// Refused: a cell size or radius that is no length, and more than most_cells cells.
  [[nodiscard]] static Result<GridSurface> make(navmesh::MeshPtr mesh, GridShape shape, double cell, double radius);

  [[nodiscard]] GridShape shape() const { return shape_; }
  [[nodiscard]] double cell() const { return cell_; }
  [[nodiscard]] double radius() const { return radius_; }
  [[nodiscard]] bool is_free(Index node) const { return (joins_[node] & free_bit) != 0; }
  [[nodiscard]] std::size_t free_count() const;
  /// The centre of a cell.
  [[nodiscard]] navmesh::Place place_of(Index node) const;
  /// The cell whose row and column the place falls into, free or not; none outside the grid.
  [[nodiscard]] Index cell_at(const navmesh::Place& place) const;
  /// No path from one cell to another costs less.
  [[nodiscard]] double least_cost(Index from, Index to) const;
  [[nodiscard]] std::size_t bytes() const;

  // What searches ask for.
  [[nodiscard]] std::size_t node_count() const { return joins_.size(); }
  template <class Visit>
  void for_each_neighbour(Index node, Visit&& visit) const {
    const std::uint16_t joins = joins_[node];
    const std::int64_t* const offset = offsets_[shape_ == GridShape::hexagonal ? row_of(node) % 2 : 0];
    for (Index d = 0; d < direction_count(); ++d)
      if ((joins >> d & 1) != 0) visit(Index(std::int64_t(node) + offset[d]), step_cost(d), d);
    if ((joins & crossing_bit) != 0) visit_crossings(node, visit);
  }

  /// Plans for a body of at most the grid's radius. `not_connected`: the search found no way over the grid, though there may be one
  /// between its centres.
  NoRoute plan(const RouteQuery& query, const SearchSettings& settings, AnySearch& search, Route& route,
               SearchAnswer& answer) const;

 private:
  static constexpr std::uint16_t free_bit = 1 << 8;
  static constexpr std::uint16_t crossing_bit = 1 << 9;  ///< joined to a cell of another layer
  static constexpr Index no_direction = 8;               ///< `via` of such a join
  /// A join between layers.
  struct Crossing {
    Index from = 0, to = 0;
  };
  class Maker;

  GridSurface() = default;
  [[nodiscard]] Index direction_count() const {
    return shape_ == GridShape::square4 ? 4 : shape_ == GridShape::square8 ? 8 : 6;
  }
  [[nodiscard]] double step_cost(Index direction) const {
    return shape_ == GridShape::square8 && direction >= 4 ? diagonal_ : cell_;
  }
  [[nodiscard]] Index row_of(Index node) const { return node / columns_ % rows_; }
  [[nodiscard]] Index column_of(Index node) const { return node % columns_; }
  [[nodiscard]] Vec2 centre(Index row, Index column) const;
  /// The neighbour in a direction; none beyond the grid's rim.
  [[nodiscard]] Index neighbour(Index node, Index direction) const;
  template <class Visit>
  void visit_crossings(Index node, Visit&& visit) const {
    auto at = std::lower_bound(crossings_.begin(), crossings_.end(), node,
                               [](const Crossing& crossing, Index n) { return crossing.from < n; });
    for (; at != crossings_.end() && at->from == node; ++at) visit(at->to, cell_, no_direction);
  }
  /// Free cells around a place whose centres it can walk to straight.
  [[nodiscard]] std::vector<Terminal> cells_beside(const navmesh::Place& place, double radius) const;

  navmesh::MeshPtr mesh_;
  GridShape shape_ = GridShape::square4;
  double cell_ = 1, radius_ = 0;
  double diagonal_ = 1;    ///< length of a diagonal step
  double row_height_ = 1;  ///< distance of rows
  Vec2 origin_;            ///< centre of row 0, column 0
  Index rows_ = 0, columns_ = 0;
  std::int64_t offsets_[2][8] = {};   ///< of neighbours' numbers by direction, for even and odd rows
  std::vector<std::uint16_t> joins_;  ///< a bit a direction
  std::vector<Crossing> crossings_;   ///< by `from`
};

}  // namespace throng::routes
