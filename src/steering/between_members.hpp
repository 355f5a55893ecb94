// Groups are passed as one: whoever meets two companions side by side goes round them rather than between them, where there is room (Moussaid
// et al. 2010 and Jaklin 2016, 10.5 name it; the rule is ours). Where the gap between two neighbouring members is narrow, others see bodies in
// it, beside those that avoidance minds: methods with a number `around_groups` take them like people.
//
// Laws
// 1. Only people outside the group see them, and only where fewer than 0.7 persons/m2 are within 2 m of them, and of the gap (the group not
//    counted), and there is a way beside the members as wide as the body and half a metre.
// 2. Neighbours are two members that no third one is nearer to than they are to each other; the gap between their bodies is less than the
//    body of who comes is wide, and half a metre.
// 3. Bodies lie on the line between the two, no farther apart than the radius of who comes; their velocities are in between, too.
// Complexity: nothing while there are no groups; else a look at each neighbour that is a member. Thread-safety: as Avoider::run().
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "agents/people.hpp"

namespace throng::steering {

struct AvoidView;  // avoider.hpp

using agents::Index;
using agents::Slot;

/// A member's neighbours in its group, while that walks together.
struct Partners {
  std::uint8_t count = 0;
  std::array<Slot, 4> slot{};
};

struct GroupsAround {
  std::span<const Index> group;  ///< by slot; none: alone
  std::span<const Partners> partners;
};

/// Metres between the bodies of two members, beyond which nobody takes them for one: no body that is asked is wider.
inline constexpr double widest_gap = 2;
inline constexpr double room_beside = 0.5;  ///< metres beyond the body of who comes
inline constexpr std::size_t most_between = 16;

/// Something that is passed like a person.
struct BodyBetween {
  Vec2 position, velocity;
  double radius = 0;
};

/// What this person sees between members of other groups; `around_groups` is its method's number. Valid until the thread asks again.
[[nodiscard]] std::span<const BodyBetween> bodies_between(const AvoidView& view, Slot slot, double around_groups);

/// Neighbours among members in the plane; `partners` belongs to the members.
void find_partners(const agents::People& people, std::span<const Slot> members, std::span<Partners> partners);

}  // namespace throng::steering
