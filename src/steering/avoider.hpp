// Level 2: a preferred velocity and what is around in, a new velocity out. One virtual call for a span of people who share the
// method.
//
// Laws
// 1. run() writes the new velocity of the slots it was given and nothing else, and reads the view only: the same answers whatever
//    the spans are.
// 2. The new velocity is finite and not faster than the person's `speed_limit`.
// Thread-safety: run() may be called for disjoint spans at the same time.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "agents/method.hpp"
#include "agents/people.hpp"
#include "steering/perception.hpp"

namespace throng::steering {

using agents::Blocks;
using agents::Index;
using agents::MethodInfo;
using agents::People;
using agents::Slot;

/// Nobody ever walks faster than this many times their preferred speed; pushes come on top.
inline constexpr double speed_limit_factor = 1.3;

/// Velocities a person must keep to, given from outside (strategies, signs): the new velocity should lie left of each line.
struct HalfPlane {
  Vec2 point;
  Vec2 direction;  ///< unit
};

struct AvoidView {
  People people;
  std::span<const Vec2> preferred_velocity;  ///< by slot
  const Perception* perception = nullptr;    ///< filled for everybody in `who`
  Blocks parameters;
  std::span<const std::span<const HalfPlane>> constraints;  ///< by slot; empty: none for anybody
};

class Avoider {
 public:
  virtual ~Avoider() = default;
  [[nodiscard]] virtual const MethodInfo& info() const = 0;
  /// What must be perceived for people who use the method with these numbers.
  [[nodiscard]] virtual Needs needs(const double* parameters) const = 0;
  /// Seconds in which people of this method take up the velocity it gives (van Toll, Pettre 2019, A.1); 0: at once.
  [[nodiscard]] virtual double relaxation() const { return 0.5; }
  virtual void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const = 0;
};

/// Every avoidance method there is, in order of their names.
[[nodiscard]] const std::vector<const Avoider*>& avoiders();
/// By name; null where there is none.
[[nodiscard]] const Avoider* find_avoider(std::string_view name);

}  // namespace throng::steering
