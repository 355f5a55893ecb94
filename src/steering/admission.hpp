// Which of a few velocities rules from outside leave to a person (Avoider, law 3): the one place for methods that weigh candidates.
//
// Laws
// 1. A velocity is allowed if it lies within all half planes and `admits` does not refuse it.
// 2. Where nothing would be left, the rules do not count, and filter() says false.
// Complexity: O(velocities x half planes), and one call of the rule. No allocation once buffers have grown; nothing is done without rules.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] inline bool is_within(std::span<const HalfPlane> planes, Vec2 velocity) {
  return std::ranges::all_of(
      planes, [&](const HalfPlane& plane) { return cross(plane.direction, velocity - plane.point) >= 0; });
}

[[nodiscard]] inline std::span<const HalfPlane> half_planes_of(const AvoidView& view, Slot slot) {
  return view.constraints == nullptr ? std::span<const HalfPlane>{} : view.constraints->half_planes(slot);
}

/// One person's.
class Admission {
 public:
  Admission(const AvoidView& view, Slot slot)
      : admits_(view.admits), planes_(half_planes_of(view, slot)), slot_(slot) {}

  /// Whether there is anything to keep to.
  [[nodiscard]] bool has_rules() const { return admits_ != nullptr || !planes_.empty(); }
  [[nodiscard]] bool is_allowed(Vec2 velocity) const {
    std::uint8_t allowed = is_within(planes_, velocity) ? 1 : 0;
    if (admits_ != nullptr && allowed != 0) admits_->admit(slot_, {&velocity, 1}, {&allowed, 1});
    return allowed != 0;
  }
  /// Sets allowed[i] to 0 for what the rules forbid, else to 1. False, and all 1, where nothing would be left.
  bool filter(std::span<const Vec2> velocities, std::span<std::uint8_t> allowed) const {
    std::ranges::fill(allowed, std::uint8_t{1});
    if (admits_ != nullptr) admits_->admit(slot_, velocities, allowed);
    for (std::size_t i = 0; i < velocities.size(); ++i)
      if (!is_within(planes_, velocities[i])) allowed[i] = 0;
    if (std::ranges::any_of(allowed, [](std::uint8_t is_left) { return is_left != 0; })) return true;
    std::ranges::fill(allowed, std::uint8_t{1});
    return false;
  }

 private:
  const Admits* admits_;
  std::span<const HalfPlane> planes_;
  Slot slot_;
};

}  // namespace throng::steering
