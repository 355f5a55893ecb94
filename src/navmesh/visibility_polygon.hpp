// All that can be seen from a place (Jaklin 2016, 11.3.1), across connections from layer to layer.
//
// The view starts as the piece around the place. Its rim, a ring of borders in order around the eye, is pushed outwards piece by
// piece; where it meets an obstacle that part of it is done (triangular expansion, Bungiu et al. 2014, on the pieces of the mesh
// instead of triangles). A piece is entered once all its borders that face the eye are in the rim, so that it is gone through
// once and the rim does not fall into ever narrower slices.
//
// Laws
// 1. The vertices run counterclockwise around the place; the polygon between them is what can be seen from it: star-shaped, and
//    every vertex can be seen (visible() with radius 0), to rounding.
// 2. Consecutive vertices of one site are the part of it that is seen; between vertices of different sites the polygon's edge
//    is a line of sight past a corner, or nothing where the sites meet.
// 3. With a range, the polygon is right within that distance of the place; beyond it may end early, at vertices of site `none`.
//
// Complexity: O(pieces seen, counted once for each gap between obstacles they are seen through). Allocates only while its buffers grow: keep one and reuse
// it. Thread-safety: the mesh is only read; a polygon belongs to one thread.
#pragma once

#include <array>
#include <cmath>
#include <vector>

#include "navmesh/locate.hpp"

namespace throng::navmesh {

class VisibilityPolygon {
 public:
  struct Vertex {
    Vec2 point;
    Index layer = 0;
    Index site = none;
  };

  /// Looks around from a place. False, with no vertices, where it is not walkable. `hint` is a cell near it, or `none`.
  bool compute(const Mesh& mesh, const Place& from, double range = INFINITY, Index hint = none);

  [[nodiscard]] const std::vector<Vertex>& vertices() const { return vertices_; }
  [[nodiscard]] double area() const;

 private:
  /// One border of the rim, as seen from the eye. The rim is a list from right to left, counterclockwise.
  struct Span {
    Vec2 right, left;   ///< directions to the ends of the part in view
    Index cell = none;  ///< the piece beyond; for what is done, the piece the border belongs to
    Index next = 0, previous = 0;
    std::uint8_t border = 0;                         ///< its number in that piece
    bool right_hidden = false, left_hidden = false;  ///< the border goes on out of view
    bool done = false, gone = false, waits = false;
  };
  /// A piece as seen from the eye.
  struct Sight {
    std::array<Vec2, 5> corner;  ///< the first again at the end
    std::array<double, 4> turn;  ///< from corner i to i + 1: negative for borders that face the eye
  };
  [[nodiscard]] Sight sight_of(const Mesh& mesh, Index cell) const;

  void stand_in(const Mesh& mesh, Index cell);
  void open(const Mesh& mesh, Index cell, int border);
  void push_out(const Mesh& mesh, Index span);
  void advance(const Mesh& mesh, const Sight& sight, Index first, Index last);
  Index add_border(const Mesh& mesh, Index after, Index cell, int border, const Sight& sight, Vec2 right, Vec2 left);
  void emit_all(const Mesh& mesh);
  void append(Vec2 point, Index layer, Index site);
  void join_ends();

  struct Standing {
    Index cell;
    int border;
  };

  Vec2 eye_;
  double slack_ = 0;
  double range2_ = INFINITY;
  std::vector<Span> rim_;           ///< a pool; spans refer to each other by index, 0 is before the first
  std::vector<Index> work_;         ///< spans to push out
  std::vector<Standing> standing_;  ///< borders of pieces the eye stands in, still to look at
  std::vector<Index> around_;       ///< those pieces
  std::vector<Vertex> vertices_;
};

}  // namespace throng::navmesh
