// The medial axis while it is being made: nodes, arcs and sites in grid units, without the order and the bookkeeping of
// a Mesh. The Voronoi stage fills it (medial_axis.hpp), local repair changes it (repair.hpp), graph.hpp makes a Mesh of
// it.
//
// Laws
// 1. An arc has one site on its left and one on its right; both are equidistant along it. Arcs of one site, directed so
//    that it is on their left, form one chain (from the segment's b to its a; counterclockwise around a corner).
// 2. A node of clearance 0 belongs to one arc; other nodes to two or more. Two arcs of the same two sites never meet in
//    a node of degree 2.
// 3. Dead entries stay in place until the draft becomes a mesh: an arc without nodes, a site marked `removed`.
// Units: grid units from the grid's origin.
#pragma once

#include <cmath>
#include <vector>

#include "navmesh/boundary.hpp"
#include "navmesh/mesh.hpp"

namespace throng::navmesh {

struct DraftSite : BoundarySite {
  bool removed = false;
};

struct DraftNode {
  Vec2 point;
  double clearance = 0;
  Index layer = 0;
};

struct DraftArc {
  Index node[2] = {none, none};
  Index site[2] = {none, none};  ///< left and right of node[0] -> node[1]

  [[nodiscard]] bool alive() const { return node[0] != none; }
};

struct AxisDraft {
  std::vector<DraftSite> sites;
  std::vector<DraftNode> nodes;
  std::vector<DraftArc> arcs;
};

[[nodiscard]] inline Vec2 to_vec(geometry::GridPoint p) { return {double(p.x), double(p.y)}; }

/// The point of a site nearest to p.
[[nodiscard]] inline Vec2 nearest_on(const BoundarySite& site, Vec2 p) {
  const Vec2 a = to_vec(site.a);
  if (site.is_corner()) return a;
  const Vec2 b = to_vec(site.b);
  const Vec2 d = b - a;
  const double along = dot(p - a, d);
  const double length2 = squared_length(d);
  return along <= 0 ? a : along >= length2 ? b : a + d * (along / length2);
}

/// Grows with the angle of d from 0 to 4 over the full turn, without trigonometry: the same bits everywhere.
[[nodiscard]] inline double turn_of(Vec2 d) {
  const double size = std::abs(d.x) + std::abs(d.y);
  if (size == 0) return 0;
  const double t = d.y / size;
  return d.x >= 0 ? (d.y >= 0 ? t : 4 + t) : 2 - t;
}

/// Distance to a site; along the normal where that is the way, so that it keeps its digits far from the origin.
[[nodiscard]] inline double distance(const BoundarySite& site, Vec2 p) {
  const Vec2 a = to_vec(site.a);
  if (site.is_corner()) return length(p - a);
  const Vec2 b = to_vec(site.b);
  const Vec2 d = b - a;
  const double along = dot(p - a, d);
  const double length2 = squared_length(d);
  if (along <= 0) return length(p - a);
  if (along >= length2) return length(p - b);
  return std::abs(cross(d, p - a)) / std::sqrt(length2);
}

/// Signed areas of the two cells of an arc, in the order of its sites; negative where the arc runs the wrong way.
struct CellAreas {
  double left = 0, right = 0;
};
[[nodiscard]] CellAreas cell_areas(const BoundarySite& left, const BoundarySite& right, Vec2 from, Vec2 to);

}  // namespace throng::navmesh
