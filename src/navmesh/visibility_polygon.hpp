// All that can be seen from a place (J 11.3.1), across connections from layer to layer.
//
// The view starts as the whole piece around the place and is passed on through its borders, narrowed by each border it passes;
// where it meets an obstacle that part of it ends (triangular expansion: Bungiu et al. 2014, on the pieces of the mesh
// instead of triangles).
//
// Laws
// 1. The vertices run counterclockwise around the place; the polygon between them is what can be seen from it: star-shaped, and
//    every vertex can be seen (visible() with radius 0), to rounding.
// 2. Consecutive vertices of one site are the part of it that is seen; between vertices of different sites the polygon's edge
//    is a line of sight past a corner, or nothing where the sites meet.
// 3. With a range, the polygon is right within that distance of the place; beyond it may end early, at vertices of site `none`.
//
// Complexity: O(pieces seen, counted once for each way they are seen). Allocates only while its buffers grow: keep one and reuse
// it. Thread-safety: the mesh is only read; a polygon belongs to one thread.
#pragma once

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
  /// A border of a piece and the part of the view that falls on it: directions from the eye to its right and left end.
  struct Window {
    Index cell;
    int border;
    bool whole;  ///< the eye may stand on the border; the view is all of it
    Vec2 right, left;
  };

  void look_through(const Mesh& mesh, const Window& window);
  void open(const Mesh& mesh, const Window& window);
  void pass(const Mesh& mesh, const Window& window);
  void emit(const Mesh& mesh, const Window& window, Vec2 a, Vec2 b, Index site);
  void append(Vec2 point, Index layer, Index site);
  void join_ends();

  Vec2 eye_;
  double slack_ = 0;
  double range2_ = INFINITY;
  std::vector<Window> windows_;
  std::vector<Index> around_;  ///< pieces the eye stands in or on the border of
  std::vector<Vertex> vertices_;
};

}  // namespace throng::navmesh
