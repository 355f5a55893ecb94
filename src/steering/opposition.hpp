// People who come towards one: how many there are, and bearing to the right of them.
//
// In a corridor walked both ways people form lanes because they step aside early, and to the same side (Moussaid et al., Experimental
// study of the behavioural mechanisms underlying self-organization in human crowds, Proc. R. Soc. B 276, 2009). The avoidance
// methods as published choose a side only where two sides are equally good, and late: mixed streams of 0.8 people a square metre then
// jam. So people bear to the right of those who come towards them, the more so the more of the people they have in mind do. One who
// comes alone hardly turns anybody; people who go one's own way turn nobody, and one queues behind them.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "steering/avoider.hpp"

namespace throng::steering {

/// So many people who come towards one turn one as far as any number can.
inline constexpr double a_crowd = 10;
/// Cosine: who faces farther off than this goes another way.
inline constexpr double other_way = 0.3;

/// Metres between centres within which somebody is close ahead.
inline constexpr double close_ahead = 3;

/// How many of the people in mind, ahead of the person and within `reach` metres, face another way than the (unit) direction `ahead`:
/// 0 none, 1 a crowd.
[[nodiscard]] inline double opposition(const AvoidView& view, Slot slot, Vec2 ahead,
                                       double reach = std::numeric_limits<double>::infinity()) {
  const People& people = view.people;
  const Vec2 here = people.position[slot];
  int opposed = 0;
  for (const Slot other : view.perception->neighbours(slot)) {
    const Vec2 offset = people.position[other] - here;
    // All three in any case: cheaper than branches that nobody can foretell.
    const int counts[] = {dot(offset, ahead) > 0, dot(people.heading[other], ahead) < other_way,
                          squared_length(offset) <= reach * reach};
    opposed += counts[0] & counts[1] & counts[2];
  }
  return std::min(1.0, opposed / a_crowd);
}

/// The vector turned to the right by up to a quarter turn, for a part from 0 to 1 of it; up to a third shorter in between.
[[nodiscard]] inline Vec2 turned_right(Vec2 v, double part) { return v * (1 - part) - perpendicular(v) * part; }

/// The same, as long as before.
[[nodiscard]] inline Vec2 bearing_right(Vec2 v, double part) {
  if (!(part > 0)) return v;
  const Vec2 turned = turned_right(v, std::min(1.0, part));
  return turned * std::sqrt(squared_length(v) / squared_length(turned));
}

}  // namespace throng::steering
