// Cells as a tiling one can walk on: who lies beside whom, and a convex stand-in for each cell.
//
// Words
//   left, right   of a cell: as seen from its site looking towards its arc. `left node` is the arc's end on that side.
//   piece         the cell with its arc replaced by the chord: foot left, foot right, node right, node left, counterclockwise;
//                 the feet are the nodes' nearest points on the site, one point for a corner.
//
// Laws
// 1. Pieces are convex, hold no obstacle inside, and tile the free space exactly as the cells do: the lens between a parabola
//    and its chord belongs to the segment's piece instead of the corner's cell; nothing else changes hands.
// 2. across_arc(across_arc(c)) == c, beside_left(beside_right(c)) == c, beside_right(beside_left(c)) == c.
// 3. Neighbours see a shared foot at the same bits: the feet of the outermost nodes of a segment are its end points.
//
// Complexity: O(1); at a graph vertex O(degree) to find the neighbouring edge. A mesh's Locator keeps the answers for all cells,
// and queries take them from there. Thread-safety: pure functions.
#pragma once

#include <cmath>

#include "navmesh/mesh.hpp"

namespace throng::navmesh {

/// Even cells lie left of their arc, so looking from the site the arc runs from right to left; odd ones the other way.
[[nodiscard]] inline Index left_node(const Mesh& mesh, Index cell) {
  const Arc& arc = mesh.arcs[cell / 2];
  return cell % 2 == 0 ? arc.to : arc.from;
}
[[nodiscard]] inline Index right_node(const Mesh& mesh, Index cell) {
  const Arc& arc = mesh.arcs[cell / 2];
  return cell % 2 == 0 ? arc.from : arc.to;
}

[[nodiscard]] inline Index across_arc(Index cell) { return cell ^ 1; }
/// The cell on the other side of the line from the left node to its nearest point; at a dead end (a
/// corner of the free space, where that line has no length) the one across the arc.
[[nodiscard]] Index beside_left(const Mesh& mesh, Index cell);
[[nodiscard]] Index beside_right(const Mesh& mesh, Index cell);

/// Nearest points of a cell's site to its left and right node. Law 3: the outermost ones are the site's ends, to the bit.
[[nodiscard]] inline Vec2 left_foot(const Mesh& mesh, const Site& site, Index cell, Vec2 node) {
  return mesh.site_cells[site.first_cell] == cell ? site.a : nearest_on(site, node);
}
[[nodiscard]] inline Vec2 right_foot(const Mesh& mesh, const Site& site, Index cell, Vec2 node) {
  return mesh.site_cells[site.first_cell + site.cell_count - 1] == cell ? site.b : nearest_on(site, node);
}

/// One line of a processor's cache.
struct alignas(64) Piece {
  Vec2 foot_left, foot_right, node_right, node_left;

  /// Whether its site is a corner (or as good as one: a part of a segment of no length).
  [[nodiscard]] bool is_triangle() const { return foot_left == foot_right; }

  [[nodiscard]] double area() const {
    return 0.5 * (cross(foot_right - foot_left, node_right - foot_left) +
                  cross(node_right - foot_left, node_left - foot_left));
  }
};

[[nodiscard]] inline Piece piece_of(const Mesh& mesh, Index cell) {
  const Site& site = mesh.sites[mesh.site_of(cell)];
  const Vec2 left = mesh.nodes[left_node(mesh, cell)].point;
  const Vec2 right = mesh.nodes[right_node(mesh, cell)].point;
  return {left_foot(mesh, site, cell, left), right_foot(mesh, site, cell, right), right, left};
}

/// The cells on either side of a cell.
struct Beside {
  Index left = none, right = none;
};

/// The piece that holds a point of a cell: the cell itself, or the one across its arc for points in the lens.
[[nodiscard]] inline Index piece_at(const Mesh& mesh, Index cell, Vec2 p) {
  if (!mesh.sites[mesh.site_of(cell)].is_corner() || mesh.sites[mesh.opposite_site_of(cell)].is_corner()) return cell;
  const Vec2 left = mesh.nodes[left_node(mesh, cell)].point;
  const Vec2 right = mesh.nodes[right_node(mesh, cell)].point;
  return cross(left - right, p - right) >= 0 ? cell : across_arc(cell);
}

}  // namespace throng::navmesh
