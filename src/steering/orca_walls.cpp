#include "steering/orca_walls.hpp"

#include <algorithm>
#include <cmath>

#include "steering/time_to_collision.hpp"

namespace throng::steering {
namespace {

/// The side of the cone: a ray from the origin that touches the disc around an end of the wall.
struct Leg {
  Vec2 direction;    ///< unit
  double start = 0;  ///< how far along it touches
  bool is_at_a = false;
};

/// To the left of the disc around `end` for a positive radius, to the right for a negative one; the disc does not hold the origin.
Leg leg_of(Vec2 end, double radius, bool is_at_a) {
  const double distance2 = squared_length(end);
  const double start = std::sqrt(std::max(0.0, distance2 - radius * radius));
  return {(end * start + perpendicular(end) * radius) / distance2, start, is_at_a};
}

/// Of the legs at both ends the one farther to the left, or to the right.
Leg outer_leg(const WallAhead& wall, double radius) {
  const Leg a = leg_of(wall.a, radius, true);
  const Leg b = leg_of(wall.b, radius, false);
  return cross(a.direction, b.direction) * radius > 0 ? b : a;
}

/// A point of the velocity obstacle's border, as near to the velocity as this part of the border comes.
struct Border {
  double distance = never<double>;
  HalfPlane plane{};
  bool is_foreign = false;  ///< inside the next wall's velocity obstacle
};

void take_nearer(Border& nearest, const Border& other) {
  if (other.distance < nearest.distance) nearest = other;
}

/// `side` is 1 for the left leg, -1 for the right one.
Border border_at_leg(const WallAhead& wall, const Leg& leg, double side, double horizon, Vec2 velocity) {
  const double along = dot(velocity, leg.direction);
  if (along < leg.start / horizon) return {};
  const Vec2 foot = leg.direction * along;
  const Vec2 next = leg.is_at_a ? wall.before_a - wall.a : wall.behind_b - wall.b;
  return {length(velocity - foot), {foot, leg.direction * side}, cross(leg.direction, next) * side > 0};
}

/// The cut off end of the cone beside an end of the wall: a part of a circle, up to where legs touch it.
Border border_at_end(Vec2 end, double radius, double horizon, Vec2 velocity) {
  const Vec2 off = velocity - end / horizon;
  const double distance = length(off);
  const Vec2 outwards = distance > 0 ? off / distance : -end / length(end);
  return {std::abs(radius / horizon - distance),
          {end / horizon + outwards * (radius / horizon), -perpendicular(outwards)},
          false};
}

/// The straight part of it, facing the origin.
Border border_in_front(const WallAhead& wall, double radius, double horizon, Vec2 velocity) {
  const Vec2 normal = perpendicular(wall.b - wall.a) / length(wall.b - wall.a);
  const Vec2 outwards = dot(wall.a, normal) > 0 ? -normal : normal;
  const double excess = radius / horizon - dot(velocity - wall.a / horizon, outwards);
  return {std::abs(excess), {velocity + outwards * excess, -perpendicular(outwards)}, false};
}

/// The nearest part of it, if that is nearer than the legs.
Border border_of_front(const WallAhead& wall, const Leg& left, const Leg& right, double radius, double horizon,
                       Vec2 velocity) {
  const Vec2 along = wall.b - wall.a;
  const double where = dot(velocity * horizon - wall.a, along);
  const bool is_seen_endways = left.is_at_a == right.is_at_a;
  if (!is_seen_endways && where > 0 && where < squared_length(along))
    return border_in_front(wall, radius, horizon, velocity);
  const bool is_at_a = is_seen_endways ? left.is_at_a : where <= 0;
  for (const Leg& leg : {left, right})
    if (leg.is_at_a == is_at_a && dot(velocity, leg.direction) >= leg.start / horizon) return {};
  return border_at_end(is_at_a ? wall.a : wall.b, radius, horizon, velocity);
}

}  // namespace

bool plane_of_segment(const WallAhead& wall, double radius, double horizon, Vec2 velocity, HalfPlane& plane) {
  const Vec2 nearest = navmesh::nearest_on({.a = wall.a, .b = wall.b}, {});
  const double distance = length(nearest);
  if (distance <= radius) {
    const Vec2 side = perpendicular(wall.b - wall.a);
    const Vec2 inwards = distance > 0 ? nearest / distance : -side / length(side);
    plane = {{}, perpendicular(inwards)};
    return true;
  }
  const Leg left = outer_leg(wall, radius), right = outer_leg(wall, -radius);
  Border border = border_of_front(wall, left, right, radius, horizon, velocity);
  take_nearer(border, border_at_leg(wall, left, 1, horizon, velocity));
  take_nearer(border, border_at_leg(wall, right, -1, horizon, velocity));
  if (border.is_foreign) return false;
  plane = border.plane;
  return true;
}

void add_segment_planes(const People& people, std::span<const Index> walls, Slot slot, double horizon, double limit,
                        std::vector<HalfPlane>& planes) {
  const Vec2 here = people.position[slot];
  const navmesh::Mesh& mesh = *people.mesh;
  for (const Index wall : walls) {
    const navmesh::Site& site = mesh.site(wall);
    const double distance = length(navmesh::nearest_on(site, here) - here);
    if (std::max(0.0, distance - people.radius[slot]) >= limit * horizon) break;  // nearest first
    WallAhead ahead{site.a - here, site.b - here, site.a - here, site.b - here};
    for (const Index other : walls) {
      const navmesh::Site& next = mesh.site(other);
      if (next.b == site.a) ahead.before_a = next.a - here;
      if (next.a == site.b) ahead.behind_b = next.b - here;
    }
    HalfPlane plane;
    if (plane_of_segment(ahead, people.radius[slot], horizon, people.velocity[slot], plane)) planes.push_back(plane);
  }
}

}  // namespace throng::steering
