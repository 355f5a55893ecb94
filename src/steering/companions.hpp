// Social groups: what methods for companions know of each other and do (docs/groups.md). Who belongs to which group, who leads, who waits and
// who has parted is the crowd's (crowd/groups.hpp); a method says by which rules, and which accelerations come after avoidance.
//
// `sgn` (Jaklin 2016, chapter 10): one route and one speed, a leader that waits when the group has come apart, and two accelerations: who
// has members behind itself slows down, who is far from the centroid is drawn to it. `moussaid_2010` (Moussaid et al. 2010; what Jaklin's tables call
// by their name): one route, own speeds, nobody waits; accelerations of gaze, attraction and repulsion. `formation` (Karamouzas and
// Overmars 2012, as Jaklin 2016 tells of it; numbers are ours): waits as `sgn` does, and keeps a line abreast, a V or a river.
//
// Laws
// 1. Accelerations depend on the members of one group only, and are zero for who wants to stand or sees nobody of them.
// 2. Sums go by the order of members, which is that of their serials.
// Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "agents/method.hpp"
#include "agents/people.hpp"

namespace throng::steering {

using agents::People;
using agents::Slot;

/// Members of a group: who sees whom fits a word.
inline constexpr std::size_t most_members = 64;

/// A bit for each member, in their order.
using Members = std::uint64_t;

/// How a group goes, made of its method's numbers.
struct GroupRules {
  bool waits = true;             ///< gathers when it begins and when it has come apart
  bool one_speed = true;         ///< everybody walks at the slowest member's
  bool keeps_formation = false;  ///< formation.hpp
  bool by_sight = true;          ///< walls and floors count; false: as published, they do not
  double view = 0;               ///< metres: farther apart, leader and last are not together
  double personal_space = 1;     ///< metres: who comes so near to one who waits, waits
  double social_distance = 1;    ///< metres between bodies: of the measures of sociality
  double waiting_density = 0;    ///< a square metre, of others around the leader: it waits where there are fewer
  double doorway = 0;     ///< metres of clearance: no waiting where there is less and more lies ahead; 0: anywhere
  double least_time = 0;  ///< seconds in a mode
  double patience = 0;    ///< seconds of waiting until members are parted; 0: for ever
  double seen_again = 0;  ///< metres: a parted member is one of them again that sees a member so near
  double limit = 0;       ///< of the velocity after accelerations, times one's own speed; 0: none
  std::size_t subgroup = most_members;  ///< members in it at most
  // Of accelerations.
  double gaze = 0, attraction = 0, repulsion = 0;
  double near = 0;  ///< metres: members nearer than this repel
};

/// Metres that a group of so many sees: given, or Jaklin's 10 m, or what a single file of them takes.
[[nodiscard]] double group_view(double given, double personal_space, std::size_t members);

/// A group as one of its members decides.
struct Companions {
  const People* people = nullptr;
  std::span<const Slot> members;   ///< those who walk together, in order of serials
  std::span<const Members> sight;  ///< of each, whom it sees, itself included
};

class GroupMethod {
 public:
  virtual ~GroupMethod() = default;
  [[nodiscard]] virtual const agents::MethodInfo& info() const = 0;
  [[nodiscard]] virtual GroupRules rules(const double* numbers, std::size_t members) const = 0;
  /// m/s2, after avoidance, of member number `self` that wants to go with this velocity.
  [[nodiscard]] virtual Vec2 acceleration(const GroupRules& rules, const Companions& group, std::size_t self,
                                          Vec2 desired) const = 0;
};

/// The smallest turn, in degrees, that brings an offset into a field of view of 90 degrees to both sides of a heading.
[[nodiscard]] double turn_into_view(Vec2 heading, Vec2 offset);

/// Members as even as possible in groups of at most so many, by number: where the subgroup of a member begins and ends.
struct Range {
  std::size_t first = 0, last = 0;
  friend bool operator==(const Range&, const Range&) = default;
};
[[nodiscard]] Range subgroup_of(std::size_t member, std::size_t members, std::size_t most);

/// Of those that this member sees, itself included.
[[nodiscard]] Vec2 centroid_seen(const Companions& group, std::size_t self);

/// What is wrong with numbers of a method for groups of so many with bodies of this radius, or empty (Jaklin 2016, 10.2).
[[nodiscard]] std::string_view misfit_of_group(const GroupMethod& method, const double* numbers, std::size_t members,
                                               double radius);

/// Every one there is; the first is meant where none is named.
[[nodiscard]] const std::vector<const GroupMethod*>& group_methods();
/// By name; null where there is none.
[[nodiscard]] const GroupMethod* find_group_method(std::string_view name);

}  // namespace throng::steering
