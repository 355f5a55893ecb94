#include "navmesh/visibility.hpp"

#include <algorithm>
#include <cmath>

#include "navmesh/ray_walk.hpp"

namespace throng::navmesh {
namespace {

double squared_distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  return squared_length(p - nearest_on({.a = a, .b = b}, p));
}

/// Whether a stretch of a line inside a piece keeps its distance from what can be nearest there: the piece's site and, in the
/// lens under a parabola, the focus.
bool keeps_clear(const Mesh& mesh, Index cell, Vec2 a, Vec2 b, double radius2) {
  const Site& site = mesh.sites[mesh.site_of(cell)];
  if (site.is_corner()) return squared_distance_to_segment(site.a, a, b) >= radius2;
  // Above a segment the distance is linear along the stretch, so the ends decide.
  const Vec2 d = site.b - site.a;
  const double height = std::max(0.0, std::min(cross(d, a - site.a), cross(d, b - site.a)));
  if (height * height < radius2 * squared_length(d)) return false;
  const Site& opposite = mesh.sites[mesh.opposite_site_of(cell)];
  return !opposite.is_corner() || squared_distance_to_segment(opposite.a, a, b) >= radius2;
}

/// The layer of the line's end, which lies in this piece.
Index end_layer(const Mesh& mesh, Index cell, Vec2 p) {
  if (mesh.layers.size() == 1) return 0;
  const Located located = locate_from(mesh, cell, {p, layer_at(mesh, cell, p)});
  return layer_at(mesh, located ? located.cell : cell, p);
}

/// A walk crosses each piece once; more steps mean that rounding led it in a circle.
std::size_t most_steps(const Mesh& mesh) { return mesh.cell_count() + 16; }

}  // namespace

Hit first_hit(const Mesh& mesh, const Place& from, Vec2 to, Index hint) {
  const Located start = locate_from(mesh, hint, from);
  if (!start) return {true, from.point, 0, none, none, from.layer};
  if (from.point == to) return {false, to, 1, none, start.cell, from.layer};
  RayWalk walk(mesh, start.cell, from.point, to, mesh.locator->tolerance());
  for (std::size_t step = 0; step < most_steps(mesh); ++step) {
    if (walk.ends_here()) return {false, to, 1, none, walk.cell(), end_layer(mesh, walk.cell(), to)};
    if (walk.exit_border() == Border::site) break;
    walk.advance();
  }
  const Vec2 point = walk.exit_point();
  const Index site = mesh.site_of(walk.cell());
  const double t = std::sqrt(squared_length(point - from.point) / squared_length(to - from.point));
  return {true, point, std::min(t, 1.0), site, walk.cell(), mesh.sites[site].layer};
}

bool visible(const Mesh& mesh, const Place& from, const Place& to, double radius, Index hint) {
  const Located start = locate_from(mesh, hint, from);
  const double slack = mesh.locator->tolerance();
  if (!start || start.clearance < radius - slack) return false;
  const double distance = std::sqrt(squared_length(to.point - from.point));
  const bool flat = mesh.layers.size() == 1;
  if (flat && distance + radius <= start.clearance) return true;
  if (distance == 0) return from.layer == to.layer;
  const double least = std::max(0.0, radius - slack);
  RayWalk walk(mesh, start.cell, from.point, to.point, slack);
  Vec2 reached = from.point;
  for (std::size_t step = 0; step < most_steps(mesh); ++step) {
    const bool ends = walk.ends_here();
    if (!ends && walk.exit_border() == Border::site) return false;
    const Vec2 next = ends ? to.point : walk.exit_point();
    if (least > 0 && !keeps_clear(mesh, walk.cell(), reached, next, least * least)) return false;
    if (ends) return flat || end_layer(mesh, walk.cell(), to.point) == to.layer;
    walk.advance();
    reached = next;
  }
  return false;
}

}  // namespace throng::navmesh
