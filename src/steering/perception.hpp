// Who and what is around: the nearest people in view and the nearest walls. Rebuilt each step over the positions of state n.
//
// A uniform grid over all people, sorted by cell, row by row, so that a row of a box is one run of memory. A search takes boxes
// of growing size until it has enough people; where people cluster, the first box suffices, so that the cost a person stays
// bounded (the published system went quadratic there).
//
// Laws
// 1. neighbours(slot) are the `most` nearest people within `range` (between centres) whose centre lies in the field of view and can
//    be seen from the person's centre in a straight line through free space, over connections too: nobody reacts through a wall or a
//    floor. Nearest first, ties to the lower serial. The person itself is not among them.
// 2. walls(slot) are the nearest segment sites within `wall_range` that bound the free space around the person (NearbySegments), at
//    most `most_walls`, nearest first, ties to the lower site.
// 3. Answers depend on the positions only, not on who was asked before or on threads.
// Thread-safety: perceive() may be called for disjoint spans at the same time once index() is done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "following/people.hpp"

namespace throng::steering {

using following::Index;
using following::People;
using following::Slot;

/// What a method must know of a person's surroundings.
struct Needs {
  std::uint32_t most = 0;   ///< people, at most Perception::capacity
  double range = 0;         ///< metres
  double view_cosine = -1;  ///< of half the field of view around the heading; -1: all round
  double wall_range = 0;    ///< metres; 0: no walls
};

class Perception {
 public:
  static constexpr std::uint32_t capacity = 16;  ///< people a person can have in mind
  static constexpr std::uint32_t most_walls = 24;

  /// Takes in where everybody is. O(n).
  void index(const People& people);
  /// Finds what these people need; `needs[i]` belongs to `who[i]`.
  void perceive(const People& people, std::span<const Slot> who, std::span<const Needs> needs);

  [[nodiscard]] std::span<const Slot> neighbours(Slot slot) const;
  /// Segment sites of the mesh, with free space to the left of a->b.
  [[nodiscard]] std::span<const Index> walls(Slot slot) const;

  /// Calls visit(slot) for everybody whose centre is within `radius` of p in the plane, on any layer, in no particular order.
  template <class Visit>
  void for_each_within(Vec2 p, double radius, Visit&& visit) const;
};

}  // namespace throng::steering
