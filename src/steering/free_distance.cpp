#include "steering/free_distance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::steering {
namespace {

constexpr float never = std::numeric_limits<float>::infinity();

}  // namespace

void limit_by_body(DirectionFan& fan, Vec2 offset, Vec2 velocity, double radii) {
  const auto px = float(offset.x);
  const auto py = float(offset.y);
  const auto ux = float(velocity.x);
  const auto uy = float(velocity.y);
  // Where the bodies overlap, they meet now, wherever they come closer.
  const auto apart = float(std::max(0.0, squared_length(offset) - radii * radii));
  const float speed = fan.speed;
  for (std::size_t k = 0; k < fan.count; ++k) {
    // |offset + w t| = radii for the relative velocity w; the earlier root, in the form that does not cancel.
    const float wx = ux - speed * fan.x[k];
    const float wy = uy - speed * fan.y[k];
    const float closing = -(px * wx + py * wy);
    const float square = closing * closing - (wx * wx + wy * wy) * apart;
    const float root = std::sqrt(square > 0 ? square : 0.0F);
    const float met = speed * apart / (closing + root);
    const float distance = closing > 0 && square >= 0 ? met : never;
    fan.distance[k] = distance < fan.distance[k] ? distance : fan.distance[k];
  }
}

void limit_by_point(DirectionFan& fan, Vec2 offset, double radius) {
  const auto px = float(offset.x);
  const auto py = float(offset.y);
  const auto apart = float(std::max(0.0, squared_length(offset) - radius * radius));
  for (std::size_t k = 0; k < fan.count; ++k) {
    const float closing = px * fan.x[k] + py * fan.y[k];
    const float square = closing * closing - apart;
    const float root = std::sqrt(square > 0 ? square : 0.0F);
    const float met = apart / (closing + root);
    const float distance = closing > 0 && square >= 0 ? met : never;
    fan.distance[k] = distance < fan.distance[k] ? distance : fan.distance[k];
  }
}

void limit_by_wall(DirectionFan& fan, Vec2 a, Vec2 b, double radius) {
  const Vec2 along = b - a;
  const double length = std::sqrt(squared_length(along));
  if (length == 0) return;
  const Vec2 tangent = along / length;
  // Walls count from both sides: round a corner one sees their backs.
  const double height = cross(a, tangent);
  const Vec2 inwards = height < 0 ? perpendicular(tangent) : -perpendicular(tangent);
  const auto ix = float(inwards.x);
  const auto iy = float(inwards.y);
  const auto tx = float(tangent.x);
  const auto ty = float(tangent.y);
  const auto apart = float(std::max(0.0, std::abs(height) - radius));
  const auto low = float(dot(a, tangent));
  const auto high = float(dot(b, tangent));
  for (std::size_t k = 0; k < fan.count; ++k) {
    const float closing = ix * fan.x[k] + iy * fan.y[k];
    const float met = apart / closing;
    const float where = met * (tx * fan.x[k] + ty * fan.y[k]);
    const float distance = closing > 0 && where >= low && where <= high ? met : never;
    fan.distance[k] = distance < fan.distance[k] ? distance : fan.distance[k];
  }
}

}  // namespace throng::steering
