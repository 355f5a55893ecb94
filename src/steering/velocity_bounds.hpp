// What bounds every velocity, whatever chose it: walls (hard), constraints from outside (soft), the speed limit.
//
// Laws
// 1. The part of the velocity towards the nearest point of each wall is at most (distance - radius) / wall_horizon: standing still is
//    always allowed, and walking into a wall becomes walking along it.
// 2. nearest() is the velocity nearest to the wanted one that keeps to all bounds; where none does, the soft ones give way
//    (velocity_program.hpp).
// Complexity: O(walls + constraints), at worst its square. Thread-safety: one a thread.
#pragma once

#include <span>
#include <vector>

#include "steering/avoider.hpp"
#include "steering/velocity_program.hpp"

namespace throng::steering {

/// Appends the half planes of law 1, nearest wall first; those that even `limit` does not break are left out.
void add_wall_planes(const People& people, std::span<const Index> walls, Slot slot, double horizon, double limit,
                     std::vector<HalfPlane>& planes);

class VelocityBounds {
 public:
  /// Takes in what bounds this person.
  void gather(const AvoidView& view, Slot slot, double wall_horizon);
  /// Of the walls, as gathered last.
  [[nodiscard]] std::span<const HalfPlane> walls() const { return {planes_.data(), hard_}; }
  [[nodiscard]] Vec2 nearest(Vec2 wanted);

 private:
  std::vector<HalfPlane> planes_;
  VelocityPrograms programs_;  ///< of which the first is used
  std::size_t hard_ = 0;
  double limit_ = 0;
};

}  // namespace throng::steering
