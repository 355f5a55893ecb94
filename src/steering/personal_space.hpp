// The disc around one's own centre that others' bodies should stay out of. Never smaller than the own body.
#pragma once

#include <algorithm>

#include "agents/people.hpp"

namespace throng::steering {

/// Distance between centres that is to be kept: where the other's body touches the person's personal space of `radius` metres. Where it
/// gives way, who is inside already is kept off the body only: there is nothing else left to keep.
[[nodiscard]] inline double kept_by_personal_space(const agents::People& people, agents::Slot slot, agents::Slot other,
                                                   double radius, bool gives_way) {
  const double bodies = people.radius[slot] + people.radius[other];
  const double space = std::max(radius, people.radius[slot]) + people.radius[other];
  return gives_way && squared_length(people.position[other] - people.position[slot]) < space * space ? bodies : space;
}

}  // namespace throng::steering
