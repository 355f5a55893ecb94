// Level 2: a preferred velocity and what is around in, a new velocity out. One virtual call for a span of people who share the
// method.
//
// Laws
// 1. run() writes the new velocity of the slots it was given and nothing else, and reads the view only: the same answers whatever
//    the spans are.
// 2. The new velocity is finite and not faster than speed_limit() times the person's speed.
// 3. Rules from outside (`admits`, `constraints`) are soft: walls and bodies win. A method that weighs candidates drops those that are
//    not admitted before it takes the best, where any is left; the others keep to half planes as far as walls and bodies let them.
//    Without rules nothing of it is computed.
// Thread-safety: run() may be called for disjoint spans at the same time.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "agents/method.hpp"
#include "agents/own_columns.hpp"
#include "agents/people.hpp"
#include "ground/region_map.hpp"
#include "steering/between_members.hpp"
#include "steering/perception.hpp"

namespace throng::steering {

using agents::Blocks;
using agents::Index;
using agents::MethodInfo;
using agents::People;
using agents::Slot;

/// Nobody walks faster than this many times their preferred speed, unless their method's numbers say otherwise; pushes come on top.
inline constexpr double speed_limit_factor = 1.3;

/// Velocities a person must keep to: the new velocity should lie left of the line.
struct HalfPlane {
  Vec2 point;
  Vec2 direction;  ///< unit
};

/// A rule from outside (strategies, signs) about single velocities; what it allows may have any shape. Called by several threads.
class Admits {
 public:
  virtual ~Admits() = default;
  /// Sets allowed[i], 1 before, to 0 where this person must not take velocities[i].
  virtual void admit(Slot slot, std::span<const Vec2> velocities, std::span<std::uint8_t> allowed) const = 0;
};

/// The same as half planes, for methods that compute one velocity instead of weighing many. Called by several threads.
class Constraints {
 public:
  virtual ~Constraints() = default;
  /// Of this person; they must stay where they are during the step.
  [[nodiscard]] virtual std::span<const HalfPlane> half_planes(Slot slot) const = 0;
};

/// What the ground costs whom; no regions: it is the same everywhere.
struct GroundSight {
  const ground::RegionMap* regions = nullptr;
  std::span<const Index> row = {};  ///< of the table, by slot
  const ground::WeightTable* table = nullptr;
};

struct AvoidView {
  People people;
  std::span<const Vec2> preferred_velocity;  ///< by slot
  const Perception* perception = nullptr;    ///< filled for everybody in `who`
  Blocks parameters;
  const Constraints* constraints = nullptr;  ///< null: none for anybody; all methods take them
  const Admits* admits = nullptr;            ///< null: everything; of those that weigh candidates
  GroundSight ground = {};                   ///< for those that weigh candidates
  const agents::OwnColumns* own = nullptr;   ///< what the method declared to remember of its people, if anything
  const GroupsAround* groups = nullptr;      ///< null: nobody is in one
};

class Avoider {
 public:
  virtual ~Avoider() = default;
  [[nodiscard]] virtual const MethodInfo& info() const = 0;
  /// What must be perceived for people who use the method with these numbers.
  [[nodiscard]] virtual Needs needs(const double* parameters) const = 0;
  /// Seconds in which people with these numbers take up the velocity the method gives (van Toll, Pettre 2019, A.1); 0: at once.
  [[nodiscard]] virtual double relaxation(const double* parameters) const = 0;
  /// How many times their preferred speed people with these numbers walk at most.
  [[nodiscard]] virtual double speed_limit(const double* parameters) const = 0;
  /// Whether it weighs candidates, and so keeps to `admits`; the others keep to half planes.
  [[nodiscard]] virtual bool weighs_candidates() const { return false; }
  virtual void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const = 0;
};

/// Every avoidance method there is, in order of their names.
[[nodiscard]] const std::vector<const Avoider*>& avoiders();
/// By name; null where there is none.
[[nodiscard]] const Avoider* find_avoider(std::string_view name);

}  // namespace throng::steering
