#include "steering/free_distance.hpp"

#include "geometry/wide_vectors.hpp"
#include "steering/time_to_collision.hpp"

namespace throng::steering {

THRONG_WIDE_VECTORS void aim(DirectionFan& fan, Vec2 ahead, const double* cosines, const double* sines) {
  for (std::size_t i = 0; i < fan.count; ++i) {
    fan.x[i] = float(ahead.x * cosines[i] - ahead.y * sines[i]);
    fan.y[i] = float(ahead.x * sines[i] + ahead.y * cosines[i]);
    fan.distance[i] = never<float>;
  }
}

THRONG_WIDE_VECTORS void limit_by_body(DirectionFan& fan, Vec2 offset, Vec2 velocity, double radii) {
  const auto px = float(offset.x);
  const auto py = float(offset.y);
  const auto ux = float(velocity.x);
  const auto uy = float(velocity.y);
  const auto apart = float(gap_between_discs(offset, radii));
  const float speed = fan.speed;
  for (std::size_t k = 0; k < fan.count; ++k) {
    const float wx = ux - speed * fan.x[k];
    const float wy = uy - speed * fan.y[k];
    const float distance = until_discs_touch(-(px * wx + py * wy), wx * wx + wy * wy, apart, speed);
    fan.distance[k] = distance < fan.distance[k] ? distance : fan.distance[k];
  }
}

THRONG_WIDE_VECTORS void limit_by_point(DirectionFan& fan, Vec2 offset, double radius) {
  const auto px = float(offset.x);
  const auto py = float(offset.y);
  const auto apart = float(gap_between_discs(offset, radius));
  for (std::size_t k = 0; k < fan.count; ++k) {
    const float distance = until_discs_touch(px * fan.x[k] + py * fan.y[k], 1.0F, apart, 1.0F);
    fan.distance[k] = distance < fan.distance[k] ? distance : fan.distance[k];
  }
}

THRONG_WIDE_VECTORS void limit_by_wall(DirectionFan& fan, Vec2 a, Vec2 b, double radius) {
  if (a == b) return;
  const FacingWall wall = facing_wall(a, b, radius);
  const auto ix = float(wall.inwards.x);
  const auto iy = float(wall.inwards.y);
  const auto tx = float(wall.tangent.x);
  const auto ty = float(wall.tangent.y);
  const auto apart = float(wall.apart);
  const auto low = float(wall.low);
  const auto high = float(wall.high);
  for (std::size_t k = 0; k < fan.count; ++k) {
    const float distance =
        until_wall_touched(ix * fan.x[k] + iy * fan.y[k], tx * fan.x[k] + ty * fan.y[k], apart, low, high);
    fan.distance[k] = distance < fan.distance[k] ? distance : fan.distance[k];
  }
}

}  // namespace throng::steering
