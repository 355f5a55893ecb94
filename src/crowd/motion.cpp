#include "crowd/motion.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "navmesh/visibility.hpp"

namespace throng::crowd {

namespace {

using navmesh::Mesh;

/// Along walls a body moves in bits of this part of its radius: short enough to stay within its clearance disc when pushed off.
constexpr double bit_of_radius = 0.25;
/// Bits in one step, at most: bodies that are thrown far in one step give up the rest of it.
constexpr int most_bits = 64;
/// Pushes off walls until a bit is given up: in a gap between two walls they alternate.
constexpr int most_pushes = 12;
/// Metres: how much less than its radius a pushed body may keep, for the push to count as done.
constexpr double push_rounding = tolerance::wall / 4;

/// The place at q, seen from a standing whose clearance disc holds q: the layer may change on the way.
Standing stand_within(const Mesh& mesh, const Standing& from, Vec2 q) {
  Standing next{{q, from.place.layer}, from.cell, 0, {}};
  if (mesh.connection_count() > 0) {
    const navmesh::Located here = navmesh::locate_from(mesh, from.cell, {q, from.place.layer});
    const bool no_connection_between = here.cell == from.cell && navmesh::straddles_of(mesh, from.cell).empty();
    if (!no_connection_between) {
      const navmesh::Hit end = navmesh::first_hit(mesh, from.place, q, from.cell);
      if (end.blocked) return {};
      return standing_at(mesh, {q, end.layer}, end.cell);
    }
    return {next.place, here.cell, here.clearance, here.nearest};
  }
  return standing_at(mesh, next.place, from.cell);
}

/// Pushes a body that came too near to walls off them; cell none where that does not succeed within the clearance disc it came
/// from.
Standing push_off(const Mesh& mesh, const Standing& from, Vec2 q, double radius) {
  for (int push = 0; push < most_pushes; ++push) {
    if (squared_length(q - from.place.point) >= from.clearance * from.clearance) return {};
    const Standing at = stand_within(mesh, from, q);
    if (at.cell == navmesh::none || at.clearance <= 0) return {};
    if (at.clearance >= radius - push_rounding) return at;
    q = at.nearest + (q - at.nearest) * (radius / at.clearance);
  }
  return {};
}

}  // namespace

Standing standing_at(const Mesh& mesh, const navmesh::Place& place, navmesh::Index hint) {
  const navmesh::Located at = navmesh::locate_from(mesh, hint, place);
  return {place, at.cell, at.clearance, at.nearest};
}

Standing move_body(const Mesh& mesh, const Standing& from, Vec2 displacement, double radius) {
  Standing at = from;
  Vec2 rest = displacement;
  for (int bit = 0; bit < most_bits; ++bit) {
    const double wanted = length(rest);
    if (wanted == 0) break;
    const double reach = std::max(at.clearance - radius, bit_of_radius * radius);
    const Vec2 way = wanted <= reach ? rest : rest * (reach / wanted);
    const Standing next = push_off(mesh, at, at.place.point + way, radius);
    if (next.cell == navmesh::none) break;
    at = next;
    if (wanted <= reach) break;
    rest -= way;
    if (at.clearance > radius + tolerance::route_clearance) continue;  // it touches no wall to slide along
    const Vec2 off_wall = (at.place.point - at.nearest) / at.clearance;
    const double into_wall = dot(rest, off_wall);
    if (into_wall < 0) rest -= off_wall * into_wall;
  }
  return at;
}

}  // namespace throng::crowd
