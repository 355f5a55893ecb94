// What bounds every velocity, whatever chose it: walls and the speed limit; and half planes from outside, before bodies are looked at.
//
// Laws
// 1. The part of the velocity towards the nearest point of each wall is at most (distance - radius) / wall_horizon: standing still is
//    always allowed, and walking into a wall becomes walking along it.
// 2. nearest() is the velocity nearest to the wanted one that keeps to walls and limit (velocity_program.hpp).
// 3. within_rules() is the one nearest to the wanted one that keeps to half planes from outside, too; where none does, these give way.
//    Without any it is the wanted one, to the bit. It is for what a person wants to do before it looks at bodies, which win.
// 4. A horizon of 0: walls are no bounds.
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
  void gather(const AvoidView& view, Slot slot, double wall_horizon, double speed_factor);
  /// Of the walls, as gathered last.
  [[nodiscard]] std::span<const HalfPlane> walls() const { return planes_; }
  [[nodiscard]] Vec2 nearest(Vec2 wanted) { return solve(wanted, {}); }
  [[nodiscard]] Vec2 within_rules(Vec2 wanted) { return rules_.empty() ? wanted : solve(wanted, rules_); }

 private:
  Vec2 solve(Vec2 wanted, std::span<const HalfPlane> rules);

  std::vector<HalfPlane> planes_;
  std::span<const HalfPlane> rules_;
  VelocityPrograms programs_;  ///< of which the first is used
  double limit_ = 0;
};

}  // namespace throng::steering
