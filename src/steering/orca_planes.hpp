// The half planes of ORCA (van den Berg, Guy, Lin, Manocha 2011, section 4), for all the people one has in mind at once.
//
// A relative velocity that ends in a collision within the horizon lies in a cone cut off by a disc. The smallest change that takes
// it out leads across the disc's border or sideways out of the cone; the border there, moved by one's own part of the change, is
// the edge of what is allowed. Bodies that overlap come apart within the step: then it is always the disc, of one step's time.
//
// Law: the same bits on every machine, and whoever else is in the columns.
// Complexity: O(people), without branches, so that compilers vectorise. Thread-safety: pure.
#pragma once

#include <array>
#include <cstddef>

#include "steering/perception.hpp"

namespace throng::steering {

/// Others, as one person meets them.
struct Encounters {
  static constexpr std::size_t capacity = Perception::capacity;
  using Column = std::array<double, capacity>;

  std::size_t count = 0;
  alignas(32) Column offset_x{}, offset_y{};      ///< to the other
  alignas(32) Column approach_x{}, approach_y{};  ///< velocity relative to the other's
  alignas(32) Column radii{};                     ///< of both, and what is kept between them
};

/// How the relative velocities must change, and the directions of the borders of what is allowed then.
struct Changes {
  alignas(32) Encounters::Column x, y;
  alignas(32) Encounters::Column border_x, border_y;  ///< unit
};

/// The border is not a number where two bodies overlap and no relative velocity is left once they come apart in a step as they are
/// going to: any way apart is as short then.
void find_changes(const Encounters& others, double horizon, double time_step, Changes& changes);

}  // namespace throng::steering
