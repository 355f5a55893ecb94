#include "steering/velocity_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "steering/admission.hpp"
#include "steering/speed_limit.hpp"

namespace throng::steering {

void add_wall_planes(const People& people, std::span<const Index> walls, Slot slot, double horizon, double limit,
                     std::vector<HalfPlane>& planes) {
  const Vec2 here = people.position[slot];
  Vec2 last{};
  for (const Index wall : walls) {
    const navmesh::Site& site = people.mesh->site(wall);
    const Vec2 offset = navmesh::nearest_on(site, here) - here;
    const double distance = std::sqrt(squared_length(offset));
    const double fastest = std::max(0.0, distance - people.radius[slot]) / horizon;
    if (fastest >= limit) break;   // nearest first
    if (offset == last) continue;  // the corner of two walls
    last = offset;
    const Vec2 inwards =
        distance > 0 ? offset / distance : -perpendicular(site.b - site.a) / std::sqrt(squared_length(site.b - site.a));
    planes.push_back({inwards * fastest, perpendicular(inwards)});
  }
}

void VelocityBounds::gather(const AvoidView& view, Slot slot, double wall_horizon, double speed_factor) {
  planes_.clear();
  limit_ = speed_limit(view.people, slot, speed_factor);
  if (wall_horizon > 0) add_wall_planes(view.people, view.perception->walls(slot), slot, wall_horizon, limit_, planes_);
  rules_ = half_planes_of(view, slot);
}

Vec2 VelocityBounds::solve(Vec2 wanted, std::span<const HalfPlane> rules) {
  if (planes_.empty() && rules.empty()) return limited(wanted, limit_);
  programs_.clear();
  for (const HalfPlane& plane : planes_) programs_.add_hard(0, plane);
  for (const HalfPlane& plane : rules) programs_.add_soft(0, plane);
  std::array<VelocityPrograms::Question, VelocityPrograms::lanes> questions;
  questions[0] = {true, limit_, wanted};
  return programs_.nearest(questions)[0];
}

}  // namespace throng::steering
