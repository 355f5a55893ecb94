#include "steering/velocity_fan.hpp"

#include <algorithm>

#include "steering/time_to_collision.hpp"

namespace throng::steering {

void VelocityFan::start() {
  padded_ = (count + 7) / 8 * 8;
  std::fill(x.begin() + std::ptrdiff_t(count), x.begin() + std::ptrdiff_t(padded_), 0.0F);
  std::fill(y.begin() + std::ptrdiff_t(count), y.begin() + std::ptrdiff_t(padded_), 0.0F);
  std::fill_n(time.begin(), padded_, never<float>);
}

void VelocityFan::meet_body(Vec2 offset, Vec2 velocity, double radii) {
  const auto px = float(offset.x);
  const auto py = float(offset.y);
  const auto ux = float(velocity.x);
  const auto uy = float(velocity.y);
  const auto apart = float(gap_between_discs(offset, radii));
  for (std::size_t k = 0; k < padded_; ++k) {
    const float wx = x[k] - ux;
    const float wy = y[k] - uy;
    const float met = until_discs_touch(px * wx + py * wy, wx * wx + wy * wy, apart, 1.0F);
    time[k] = met < time[k] ? met : time[k];
  }
}

void VelocityFan::meet_wall(Vec2 a, Vec2 b, double radius) {
  const FacingWall wall = facing_wall(a, b, radius);
  const auto ix = float(wall.inwards.x);
  const auto iy = float(wall.inwards.y);
  const auto tx = float(wall.tangent.x);
  const auto ty = float(wall.tangent.y);
  const auto apart = float(wall.apart);
  const auto low = float(wall.low);
  const auto high = float(wall.high);
  for (std::size_t k = 0; k < padded_; ++k) {
    const float met = until_wall_touched(ix * x[k] + iy * y[k], tx * x[k] + ty * y[k], apart, low, high);
    time[k] = met < time[k] ? met : time[k];
  }
}

void VelocityFan::keep_off(std::span<const HalfPlane> walls) {
  for (const HalfPlane& wall : walls) {
    const Vec2 inwards = -perpendicular(wall.direction);
    const auto ix = float(inwards.x);
    const auto iy = float(inwards.y);
    const auto fastest = float(dot(wall.point, inwards));
    for (std::size_t k = 0; k < padded_; ++k) {
      const float towards = ix * x[k] + iy * y[k];
      const float excess = towards > fastest ? towards - fastest : 0.0F;
      x[k] -= ix * excess;
      y[k] -= iy * excess;
    }
  }
}

bool forbid(const VelocityFan& fan, const Admission& admission, VelocityFan::Costs& costs) {
  std::array<Vec2, VelocityFan::capacity> velocities;
  std::array<std::uint8_t, VelocityFan::capacity> allowed;
  for (std::size_t k = 0; k < fan.count; ++k) velocities[k] = {fan.x[k], fan.y[k]};
  if (!admission.filter(std::span(velocities).first(fan.count), std::span(allowed).first(fan.count))) return false;
  for (std::size_t k = 0; k < fan.count; ++k)
    if (allowed[k] == 0) costs[k] = never<float>;
  return true;
}

}  // namespace throng::steering
