#include "steering/velocity_bounds.hpp"

#include <algorithm>
#include <cmath>

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

void VelocityBounds::gather(const AvoidView& view, Slot slot, double wall_horizon) {
  planes_.clear();
  limit_ = speed_limit(view.people, slot);
  add_wall_planes(view.people, view.perception->walls(slot), slot, wall_horizon, limit_, planes_);
  hard_ = planes_.size();
  if (!view.constraints.empty())
    planes_.insert(planes_.end(), view.constraints[slot].begin(), view.constraints[slot].end());
}

Vec2 VelocityBounds::nearest(Vec2 wanted) {
  if (planes_.empty()) return limited(wanted, limit_);
  programs_.clear();
  for (const HalfPlane& plane : walls()) programs_.add_hard(0, plane);
  for (std::size_t i = hard_; i < planes_.size(); ++i) programs_.add_soft(0, planes_[i]);
  std::array<VelocityPrograms::Question, VelocityPrograms::lanes> questions;
  questions[0] = {true, limit_, wanted};
  return programs_.nearest(questions)[0];
}

}  // namespace throng::steering
