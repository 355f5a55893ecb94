#include "steering/velocity_decisions.hpp"
#include "geometry/tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace throng::steering {
namespace {

std::optional<Side> by_side(double across) {
  if (across > tolerance::same) return Side::right;
  if (across < -tolerance::same) return Side::left;
  return std::nullopt;
}

/// Grows with the angle from -pi to pi, which it takes no elementary function for: -2 to 2.
double pseudo_angle(double along, double across) {
  const double size = std::abs(along) + std::abs(across);
  if (!(size > 0)) return 0;
  const double turn = 1 - along / size;  // 0 ahead, 2 behind
  return across < 0 ? -turn : turn;
}

/// A unit vector, by the angle of this sine: to the left to pass via the left.
Vec2 turned_outwards(Vec2 direction, double sine, Side side) {
  sine = std::min(1.0, sine);
  const Vec2 outwards = side == Side::left ? perpendicular(direction) : Vec2{} - perpendicular(direction);
  return direction * std::sqrt(1 - sine * sine) + outwards * sine;
}

}  // namespace

std::optional<Side> decision_about_person(Vec2 p, Vec2 velocity, double window, Vec2 other, Vec2 walk) {
  const double speed = length(velocity);
  if (!(speed > 0 && window > 0)) return std::nullopt;
  const Vec2 ahead = velocity / speed;
  const double reach = speed * window;
  const auto along = [&](Vec2 x) { return dot(x - p, ahead); };
  const auto across = [&](Vec2 x) { return cross(ahead, x - p); };
  const Vec2 end = other + walk * window;
  const double from = along(other), to = along(end);
  if (from < -tolerance::same || to > reach + tolerance::same) return std::nullopt;
  const double left_now = across(other), left_then = across(end);
  if ((left_now > 0) != (left_then > 0) && left_now != left_then) {
    const double share = left_now / (left_now - left_then);
    const double met = from + (to - from) * share;
    if (met >= -tolerance::same && met <= reach + tolerance::same) return by_side(across(other + walk * (met / speed)));
  }
  // The part of its way that lies beside one's own; all of it is on one side.
  double begin = 0, finish = 1;
  const auto cut = [&](double at_begin, double at_end) {  // keeps what is not below 0
    if (at_begin < 0 && at_end < 0) return false;
    if (at_begin < 0) begin = std::max(begin, at_begin / (at_begin - at_end));
    if (at_end < 0) finish = std::min(finish, at_begin / (at_begin - at_end));
    return begin <= finish;
  };
  if (!cut(from + tolerance::same, to + tolerance::same) ||
      !cut(reach + tolerance::same - from, reach + tolerance::same - to))
    return std::nullopt;
  return by_side(left_now + (left_then - left_now) * ((begin + finish) / 2));
}

std::optional<Side> decision_about_wall(Vec2 p, Vec2 velocity, double window, Vec2 a, Vec2 b) {
  const Vec2 wall = b - a;
  const double extent = length(wall);
  if (!(squared_length(velocity) > 0 && window > 0 && extent > 0)) return std::nullopt;
  const Vec2 along = wall / extent;
  const auto front = [&](Vec2 x) { return -cross(along, x - a); };
  const auto place = [&](Vec2 x) { return dot(x - a, along); };
  const double front_now = front(p);
  if (front_now <= tolerance::same) return std::nullopt;
  if (dot(a - p, velocity) < 0 && dot(b - p, velocity) < 0) return std::nullopt;
  const Vec2 end = p + velocity * window;
  const double front_then = front(end), place_now = place(p), place_then = place(end);
  const auto by_angle = [&]() -> std::optional<Side> {
    const double turn = dot(velocity, along) * window;
    if (turn > tolerance::same) return Side::right;
    if (turn < -tolerance::same) return Side::left;
    return std::nullopt;
  };
  if (front_then >= 0) {
    const bool beside_a = place_now < -tolerance::same && place_then < -tolerance::same;
    const bool beside_b = place_now > extent + tolerance::same && place_then > extent + tolerance::same;
    return beside_a || beside_b ? std::nullopt : by_angle();
  }
  const double met = place_now + (place_then - place_now) * (front_now / (front_now - front_then));
  if (met < -tolerance::same) return Side::left;
  if (met > extent + tolerance::same) return Side::right;
  return by_angle();
}

PassingPlanes planes_to_pass(Vec2 p, double radius, std::span<const SeenWall> walls, Side side) {
  PassingPlanes planes;
  Vec2 middle{};
  for (const SeenWall& wall : walls) {
    const Vec2 to = (wall.a + wall.b) / 2 - p;
    const double away = length(to);
    if (away > 0) middle = middle + to / away;
  }
  if (middle == Vec2{}) return planes;
  Vec2 left{}, right{};
  double most = -3, least = 3;
  for (const SeenWall& wall : walls)
    for (const Vec2 end : {wall.a, wall.b}) {
      const Vec2 to = end - p;
      const double turn = pseudo_angle(dot(middle, to), cross(middle, to));
      if (turn > most) most = turn, left = to;
      if (turn < least) least = turn, right = to;
    }
  // Half a turn and more: it lies all around.
  const bool is_half_around = most - least >= 2 && cross(right, left) <= 0;
  if (is_half_around || cross(right, left) < 0) return planes;
  const Vec2 near = side == Side::left ? left : right;
  const double away = length(near);
  if (!(away > 0)) return planes;
  const Vec2 edge = turned_outwards(near / away, radius / away, side);
  // To the left of the tangent, or to the right of it.
  planes.planes[planes.count++] = {{}, side == Side::left ? edge : Vec2{} - edge};
  const Vec2 far = side == Side::left ? right : left;
  // The radius counts in: without it what turns so far round has the other end ahead on the wrong hand.
  if (dot(edge, far) < 0) {
    planes.planes[planes.count++] = {{}, perpendicular(far / length(far))};
  }
  return planes;
}

HalfPlane plane_to_pass(Vec2 p, double radii, Vec2 other, Vec2 walk, Side side) {
  const Vec2 to = other - p;
  const double away = length(to);
  const Vec2 edge = away > 0 ? turned_outwards(to / away, radii / away, side) : Vec2{1, 0};
  return {walk, side == Side::left ? edge : Vec2{} - edge};
}

}  // namespace throng::steering
