// Outlines of obstacles as the mesh knows them: their corners, and the buildings they make.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "environment/sketch.hpp"
#include "routes/waypoints.hpp"

namespace throng::routes {

namespace {

using navmesh::Mesh;
using navmesh::Site;

Vec2 unit(Vec2 v) { return v / std::sqrt(squared_length(v)); }

/// Whether `a` comes before `b` turning counterclockwise from `from`, which itself comes first.
bool turns_less(Vec2 from, Vec2 a, Vec2 b) {
  const auto part = [&](Vec2 v) {
    const double side = cross(from, v);
    if (side > 0) return 0;
    if (side < 0) return 2;
    return dot(from, v) < 0 ? 1 : -1;
  };
  const int part_a = part(a), part_b = part(b);
  return part_a != part_b ? part_a < part_b : cross(a, b) > 0;
}

struct WallEnd {
  Index layer = 0;
  Vec2 at;
  Index site = 0;

  [[nodiscard]] auto key() const { return std::tuple(layer, at.x, at.y, site); }
  [[nodiscard]] bool is_at(Index l, Vec2 p) const { return layer == l && at == p; }
};

/// Walls that begin (or end) at a point, found by bisection.
class WallEnds {
 public:
  WallEnds(const Mesh& mesh, bool begins) {
    for (Index i = 0; i < mesh.site_count(); ++i)
      if (const Site& site = mesh.site(i); !site.is_corner())
        ends_.push_back({site.layer, begins ? site.a : site.b, i});
    std::sort(ends_.begin(), ends_.end(), [](const WallEnd& a, const WallEnd& b) { return a.key() < b.key(); });
  }
  template <class Visit>
  void for_each_at(Index layer, Vec2 p, Visit&& visit) const {
    const WallEnd sought{layer, p, 0};
    auto it = std::lower_bound(ends_.begin(), ends_.end(), sought,
                               [](const WallEnd& a, const WallEnd& b) { return a.key() < b.key(); });
    for (; it != ends_.end() && it->is_at(layer, p); ++it) visit(it->site);
  }

 private:
  std::vector<WallEnd> ends_;
};

/// The wall that goes on where one ends, with the free space on the left: the first to turn to, clockwise from the way back.
Index next_wall(const Mesh& mesh, const WallEnds& begins, Index site) {
  const Site& wall = mesh.site(site);
  Index next = none;
  const Vec2 back = wall.a - wall.b;
  begins.for_each_at(wall.layer, wall.b, [&](Index other) {
    const auto direction = [&](Index i) { return mesh.site(i).b - mesh.site(i).a; };
    // The free sector lies clockwise of the way back, up to the wall that goes on: of all it is the last counterclockwise.
    if (next == none || turns_less(back, direction(next), direction(other))) next = other;
  });
  return next;
}

struct Extent {
  Vec2 low, high;
  [[nodiscard]] Vec2 size() const { return high - low; }
};

Extent extent_of(const std::vector<Vec2>& ring) {
  Extent extent{ring[0], ring[0]};
  for (const Vec2 p : ring) {
    extent.low = {std::min(extent.low.x, p.x), std::min(extent.low.y, p.y)};
    extent.high = {std::max(extent.high.x, p.x), std::max(extent.high.y, p.y)};
  }
  return extent;
}

/// Of the median building, the longer side.
double usual_side(const std::vector<Building>& buildings) {
  std::vector<double> sides;
  for (const Building& building : buildings) {
    const Vec2 size = extent_of(building.outline).size();
    sides.push_back(std::max(size.x, size.y));
  }
  std::sort(sides.begin(), sides.end());
  return sides[sides.size() / 2];
}

}  // namespace

std::vector<OutlineCorner> outline_corners(const Mesh& mesh) {
  const WallEnds begins(mesh, true);
  std::vector<OutlineCorner> corners;
  for (Index i = 0; i < mesh.site_count(); ++i) {
    const Site& wall = mesh.site(i);
    if (wall.is_corner()) continue;
    const Index next = next_wall(mesh, begins, i);
    if (next == none) continue;  // a wall that ends at a connection
    const Site& on = mesh.site(next);
    corners.push_back({{wall.b, wall.layer}, unit(on.b - on.a), unit(wall.a - wall.b)});
  }
  return corners;
}

std::vector<Building> buildings_of(const Mesh& mesh) {
  const WallEnds begins(mesh, true);
  std::vector<bool> seen(mesh.site_count(), false);
  std::vector<Building> buildings;
  for (Index first = 0; first < mesh.site_count(); ++first) {
    if (mesh.site(first).is_corner() || seen[first]) continue;
    Building building{mesh.site(first).layer, {}};
    Index wall = first;
    for (; wall != none && !seen[wall]; wall = next_wall(mesh, begins, wall)) {
      seen[wall] = true;
      building.outline.push_back(mesh.site(wall).a);
    }
    // With the free space on the left an outline that is walked clockwise surrounds an obstacle.
    if (wall == first && building.outline.size() > 2 && environment::signed_area(building.outline) < 0)
      buildings.push_back(std::move(building));
  }
  return buildings;
}

std::vector<Vec2> voronoi_sites_of(const std::vector<Building>& buildings) {
  std::vector<Vec2> sites;
  if (buildings.empty()) return sites;
  const double usual = usual_side(buildings);
  for (const Building& building : buildings) {
    const Extent extent = extent_of(building.outline);
    const Vec2 size = extent.size();
    const auto parts = [&](double side) { return std::max(1.0, std::round(side / usual)); };
    const double columns = parts(size.x), rows = parts(size.y);
    const std::size_t before = sites.size();
    for (double y = 0; y < rows; ++y)
      for (double x = 0; x < columns; ++x) {
        const Vec2 site = extent.low + Vec2{size.x * (x + 0.5) / columns, size.y * (y + 0.5) / rows};
        if (environment::contains(building.outline, site)) sites.push_back(site);
      }
    if (sites.size() == before) sites.push_back(extent.low + size / 2);
  }
  return sites;
}

}  // namespace throng::routes
