#include "navmesh/visibility.hpp"

#include <algorithm>
#include <cmath>

#include "navmesh/ray_walk.hpp"

namespace throng::navmesh {
namespace {

double squared_distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  return squared_length(p - nearest_on({.a = a, .b = b}, p));
}

/// The square of how near a stretch of a line inside a piece comes to what can be nearest there: the piece's site and, in the lens under
/// a parabola, the focus.
double least_square(const Mesh& mesh, Index cell, Vec2 a, Vec2 b) {
  const Site& site = mesh.sites[mesh.site_of(cell)];
  if (site.is_corner()) return squared_distance_to_segment(site.a, a, b);
  // Above a segment the distance is linear along the stretch, so the ends decide.
  const Vec2 d = site.b - site.a;
  const double height = std::max(0.0, std::min(cross(d, a - site.a), cross(d, b - site.a)));
  const double square = height * height / squared_length(d);
  const Site& opposite = mesh.sites[mesh.opposite_site_of(cell)];
  return !opposite.is_corner() ? square : std::min(square, squared_distance_to_segment(opposite.a, a, b));
}

/// The same, only compared: whether the stretch keeps its distance.
bool keeps_clear(const Mesh& mesh, Index cell, Vec2 a, Vec2 b, double radius2) {
  const Site& site = mesh.sites[mesh.site_of(cell)];
  if (site.is_corner()) return squared_distance_to_segment(site.a, a, b) >= radius2;
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

namespace {

/// Follows the line and calls keeps(cell, a, b) for each stretch of it, until that returns false. Whether the line is free, and all
/// were kept. Requires that the line has a length.
template <class Keeps>
bool follow_line(const Mesh& mesh, const Standpoint& from, const Place& to, Keeps&& keeps) {
  RayWalk walk(mesh, from.cell, from.place.point, to.point, mesh.locator->tolerance());
  Vec2 reached = from.place.point;
  for (std::size_t step = 0; step < most_steps(mesh); ++step) {
    const bool ends = walk.ends_here();
    if (!ends && walk.exit_border() == Border::site) return false;
    const Vec2 next = ends ? to.point : walk.exit_point();
    if (!keeps(walk.cell(), reached, next)) return false;
    if (ends) return mesh.layers.size() == 1 || end_layer(mesh, walk.cell(), to.point) == to.layer;
    walk.advance();
    reached = next;
  }
  return false;
}

}  // namespace

bool visible(const Mesh& mesh, const Place& from, const Place& to, double radius, Index hint) {
  const Located start = locate_from(mesh, hint, from);
  return start && visible_from(mesh, {from, start.cell, start.clearance}, to, radius);
}

bool visible_from(const Mesh& mesh, const Standpoint& from, const Place& to, double radius) {
  const double slack = mesh.locator->tolerance();
  if (from.clearance < radius - slack) return false;
  const double distance = std::sqrt(squared_length(to.point - from.place.point));
  if (mesh.layers.size() == 1 && distance + radius <= from.clearance) return true;
  if (distance == 0) return from.place.layer == to.layer;
  const double least = std::max(0.0, radius - slack);
  return follow_line(mesh, from, to, [&](Index cell, Vec2 a, Vec2 b) {
    return least == 0 || keeps_clear(mesh, cell, a, b, least * least);
  });
}

double clearance_along(const Mesh& mesh, const Standpoint& from, const Place& to, double radius) {
  const double slack = mesh.locator->tolerance();
  if (from.clearance < radius - slack) return -1;
  const double distance = std::sqrt(squared_length(to.point - from.place.point));
  if (distance == 0) return from.place.layer == to.layer ? from.clearance : -1;
  // Enough for most: no point of the line is nearer to an obstacle than this.
  if (mesh.layers.size() == 1 && distance + radius <= from.clearance) return from.clearance - distance;
  const double least = std::max(0.0, radius - slack);
  double square = from.clearance * from.clearance;
  const bool free = follow_line(mesh, from, to, [&](Index cell, Vec2 a, Vec2 b) {
    square = std::min(square, least_square(mesh, cell, a, b));
    return square >= least * least;
  });
  return free ? std::sqrt(square) : -1;
}

}  // namespace throng::navmesh
