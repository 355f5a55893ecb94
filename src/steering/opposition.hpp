// Whether somebody who is held up stands against people who want to go another way. One queues behind people who go one's own way,
// and steps aside from those who come towards one; stepping aside in a queue would only make it lopsided.
#pragma once

#include <cmath>

#include "steering/avoider.hpp"

namespace throng::steering {

/// Metres between bodies within which somebody ahead is in the way.
inline constexpr double in_the_way = 2.5;
/// Cosine: who faces farther off than this goes another way.
inline constexpr double other_way = 0.3;

/// Whether anybody in mind, close ahead of the person, faces another way than the (unit) direction `ahead`.
[[nodiscard]] inline bool is_opposed(const AvoidView& view, Slot slot, Vec2 ahead) {
  const People& people = view.people;
  for (const Slot other : view.perception->neighbours(slot)) {
    const Vec2 offset = people.position[other] - people.position[slot];
    const double reach = people.radius[slot] + people.radius[other] + in_the_way;
    if (squared_length(offset) > reach * reach || dot(offset, ahead) <= 0) continue;
    if (dot(people.heading[other], ahead) < other_way) return true;
  }
  return false;
}

/// The vector turned to the right by up to a quarter turn, for a part from 0 to 1 of it; up to a third shorter in between.
[[nodiscard]] inline Vec2 turned_right(Vec2 v, double part) { return v * (1 - part) - perpendicular(v) * part; }

}  // namespace throng::steering
