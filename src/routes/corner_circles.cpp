#include "routes/corner_circles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

#include "geometry/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/queries.hpp"

namespace throng::routes {

namespace {

/// Metres: smaller radii are of one class.
constexpr double narrowest_class = 1.0 / 64;

/// The parts of the circle around a corner that are left where the other sides of closed bottlenecks are not in the way: a disc of radius r that touches the
/// corner, in a direction by an angle a off that of something w away, reaches it if cos(a) > w / (2 r).
std::vector<Stretch> open_stretches(const DiscTiles& tiles, const Corner& corner, Index number, double radius) {
  const navmesh::Mesh& mesh = tiles.mesh();
  const navmesh::Site& site = mesh.site(corner.site);
  std::vector<Stretch> stretches{{number, -corner.free / 2, corner.free / 2}};
  if (corner.all_around) return stretches;
  for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c) {
    const Index cell = mesh.site_cell(c);
    const double bottleneck = tiles.tiles().bottleneck(cell / 2);
    if (bottleneck >= radius || !tiles.is_narrow(cell / 2)) continue;
    const Index other = mesh.arc(cell / 2).site[1 - cell % 2];
    const Vec2 across = navmesh::nearest_on(mesh.site(other), site.a) - site.a;
    const double towards = geometry::arc_tangent(cross(corner.middle, across), dot(corner.middle, across));
    const double share = bottleneck / radius;
    const double aside = geometry::arc_tangent(std::sqrt(1 - share * share), share);
    std::vector<Stretch> left_over;
    for (const Stretch& whole : stretches)
      for (const Stretch& part : {Stretch{number, whole.begin, std::min(whole.end, towards - aside)},
                                  Stretch{number, std::max(whole.begin, towards + aside), whole.end}})
        if (part.end - part.begin > -beside_range) left_over.push_back(part);
    stretches = std::move(left_over);
  }
  return stretches;
}

}  // namespace

int radius_class_of(double radius) {
  return radius < narrowest_class ? 0 : 1 + std::ilogb(radius) - std::ilogb(narrowest_class);
}

RadiusClass radius_class(int number) {
  if (number == 0) return {0, narrowest_class};
  const double least = std::ldexp(narrowest_class, number - 1);
  return {least, 2 * least};
}

DiscTiles point_tiles(std::shared_ptr<const CorridorTiles> tiles, const RadiusClass& radii) {
  return {std::move(tiles), 0, 2 * (radii.least - tolerance::distinct)};
}

double Corner::position(bool left, Vec2 line) const {
  const Vec2 heading = perpendicular(middle) * (left ? 1 : -1);
  const double angle = geometry::arc_tangent(cross(heading, line), dot(heading, line));
  return left ? angle : -angle;
}

CornerCircles::CornerCircles(const DiscTiles& tiles, const RadiusClass& radii) {
  const navmesh::Mesh& mesh = tiles.mesh();
  for (Index number = 0; number < mesh.site_count(); ++number) {
    const navmesh::Site& site = mesh.site(number);
    if (!site.is_corner() || site.cell_count == 0) continue;
    const std::vector<double> sectors = sectors_of(tiles.tiles(), site);
    const double free = std::accumulate(sectors.begin(), sectors.end(), 0.0);
    const Vec2 first = outward(tiles.tiles(), mesh.site_cell(site.first_cell), true);
    // Where more than half of the circle is free, positions would be ambiguous; where it touches something, they are not known.
    bool all_around = free > std::numbers::pi + beside_range;
    for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c)
      for (const bool begins : {false, true})
        all_around = all_around || outward(tiles.tiles(), mesh.site_cell(c), begins) == Vec2{};
    Corner corner{number, turned(first, free / 2), free, all_around ? 0 : radii.least, all_around};
    const std::vector<Stretch> open = open_stretches(tiles, corner, Index(corners.size()), radii.least);
    corner.first = Index(stretches.size());
    corner.count = Index(open.size());
    stretches.insert(stretches.end(), open.begin(), open.end());
    corners.push_back(corner);
  }
}

Vec2 outward(const CorridorTiles& tiles, Index cell, bool begins) {
  // Counterclockwise around its left site one walks along an arc, from gate 1 to gate 0.
  const Index side = cell % 2;
  const Index gate = begins ? 1 - side : side;
  const TileGate& at = tiles.gates(cell / 2)[gate];
  return side == gate ? at.left.inward : at.right.inward;
}

std::vector<double> sectors_of(const CorridorTiles& tiles, const navmesh::Site& site) {
  const navmesh::Mesh& mesh = tiles.graph().mesh();
  std::vector<double> sectors;
  for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c) {
    const Vec2 from = outward(tiles, mesh.site_cell(c), true), to = outward(tiles, mesh.site_cell(c), false);
    const double angle = geometry::arc_tangent(cross(from, to), dot(from, to));
    // Around the end of a wall it is half a turn, or hardly more by rounding.
    sectors.push_back(angle < -1 ? angle + 2 * std::numbers::pi : std::max(0.0, angle));
  }
  return sectors;
}

Vec2 turned(Vec2 direction, double angle) {
  const Vec2 turn = geometry::unit_direction(angle / (2 * std::numbers::pi));
  return direction * turn.x + perpendicular(direction) * turn.y;
}

}  // namespace throng::routes
