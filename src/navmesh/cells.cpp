#include "navmesh/cells.hpp"

#include <algorithm>
#include <cmath>

namespace throng::navmesh {
namespace {

constexpr double node_rounding = 0x1p-16;  ///< grid units; computed nodes are off by less

/// Half-way between two corners, or between a corner and its foot on a segment's line.
std::optional<Vec2> middle_of(const Site& left, const Site& right) {
  if (left.is_corner() && right.is_corner()) return (left.a + right.a) * 0.5;
  if (left.is_corner() == right.is_corner()) return std::nullopt;
  const Vec2 focus = left.is_corner() ? left.a : right.a;
  const Site& directrix = left.is_corner() ? right : left;
  const Vec2 d = directrix.b - directrix.a;
  const Vec2 normal = perpendicular(d);
  return focus - normal * (cross(d, focus - directrix.a) / squared_length(d) / 2);
}

/// Along this, feet run monotonously on both sides of the arc.
Vec2 running_direction(const Site& left, const Site& right) {
  if (!left.is_corner()) return left.b - left.a;
  if (!right.is_corner()) return right.b - right.a;
  return perpendicular(right.a - left.a);
}

}  // namespace

std::optional<Narrowest> narrowest_inside(const Mesh& mesh, Index arc) {
  const Arc& a = mesh.arcs[arc];
  const Site& left = mesh.sites[a.site[0]];
  const Site& right = mesh.sites[a.site[1]];
  const std::optional<Vec2> middle = middle_of(left, right);
  if (!middle) return std::nullopt;
  const Vec2 along = running_direction(left, right);
  const double from = dot(mesh.nodes[a.from].point - *middle, along);
  const double to = dot(mesh.nodes[a.to].point - *middle, along);
  // Where it is a node, as it is where a corner gives way to a segment parallel to the other side, rounding must not
  // find it.
  const double margin = length(along) * node_rounding * mesh.grid.unit();
  if (!((from < -margin && to > margin) || (from > margin && to < -margin))) return std::nullopt;
  const Vec2 corner = left.is_corner() ? left.a : right.a;
  return Narrowest{*middle, length(*middle - corner)};
}

double min_clearance(const Mesh& mesh, Index arc) {
  const double ends = std::min(mesh.nodes[mesh.arcs[arc].from].clearance, mesh.nodes[mesh.arcs[arc].to].clearance);
  const std::optional<Narrowest> inside = narrowest_inside(mesh, arc);
  return inside ? std::min(ends, inside->clearance) : ends;
}

double cell_area(const Mesh& mesh, Index cell) {
  const Arc& arc = mesh.arcs[cell / 2];
  const Site& site = mesh.sites[mesh.site_of(cell)];
  const Site& other = mesh.sites[mesh.opposite_site_of(cell)];
  const Vec2 from = mesh.nodes[cell % 2 == 0 ? arc.from : arc.to].point;
  const Vec2 to = mesh.nodes[cell % 2 == 0 ? arc.to : arc.from].point;
  // Between a chord and a parabola lie run^3 / (12 f), f from focus to directrix; the arc bends to the directrix.
  const auto lens = [](const Site& corner, const Site& segment, Vec2 start, Vec2 end) {
    const Vec2 d = segment.b - segment.a;
    const double run = dot(start - end, d) / length(d);
    return run * run * run * length(d) / (12 * cross(d, corner.a - segment.a));
  };
  if (site.is_corner()) {
    const double triangle = cross(from - site.a, to - site.a) / 2;
    return other.is_corner() ? triangle : triangle + lens(site, other, to, from);
  }
  const Vec2 d = site.b - site.a;
  const double trapezium =
      dot(from - to, d) * (cross(d, from - site.a) + cross(d, to - site.a)) / (2 * squared_length(d));
  return other.is_corner() ? trapezium - lens(other, site, from, to) : trapezium;
}

}  // namespace throng::navmesh
