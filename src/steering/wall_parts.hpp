// Walls as what a body can run into: straight parts and ends.
#pragma once

#include <span>

#include "navmesh/mesh.hpp"
#include "throng/vec2.hpp"

namespace throng::steering {

/// Calls straight(a, b) for every wall and end(p) for every end within `reach`, as offsets from `from`. Ends that two walls share
/// count once, and not where they meet in a corner that cannot be run into.
template <class Straight, class End>
void for_each_wall_part(const navmesh::Mesh& mesh, std::span<const navmesh::Index> walls, Vec2 from, double reach,
                        Straight&& straight, End&& end) {
  const auto near = [&](Vec2 p) { return squared_length(p - from) <= reach * reach; };
  for (const navmesh::Index wall : walls) {
    const navmesh::Site& site = mesh.site(wall);
    straight(site.a - from, site.b - from);
    bool shielded = false;
    bool shared = false;
    for (const navmesh::Index other : walls) {
      const navmesh::Site& next = mesh.site(other);
      shielded |= next.a == site.b && cross(site.b - site.a, next.b - next.a) > 0;
      shared |= next.b == site.a;
    }
    if (!shielded && near(site.b)) end(site.b - from);
    if (!shared && near(site.a)) end(site.a - from);
  }
}

/// Calls visit(offset, site) for the points of walls that are nearer to `from` than those beside them: the nearest point of each
/// wall, but where the next wall goes on, nearer, from there. A corner of two walls counts once, and so does a thin wall, which has
/// two sides.
template <class Visit>
void for_each_near_point(const navmesh::Mesh& mesh, std::span<const navmesh::Index> walls, Vec2 from, Visit&& visit) {
  for (const navmesh::Index wall : walls) {
    const navmesh::Site& site = mesh.site(wall);
    const Vec2 nearest = navmesh::nearest_on(site, from);
    const bool at_end = nearest == site.a || nearest == site.b;
    bool counts = at_end || cross(site.b - site.a, from - site.a) >= 0;
    if (at_end)
      for (const navmesh::Index other : walls) {
        const navmesh::Site& next = mesh.site(other);
        if (other == wall || (next.a != nearest && next.b != nearest)) continue;
        // The wall beside it is nearer elsewhere, or it is as near and comes first.
        counts &= navmesh::nearest_on(next, from) == nearest && wall < other;
      }
    if (counts) visit(nearest - from, site);
  }
}

}  // namespace throng::steering
