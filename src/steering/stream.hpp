// Streams (Jaklin 2016, chapter 9): where it gets dense, people give up part of their own way and go
// with those ahead of them. docs/steering.md has the model and what was chosen where the thesis is silent.
//
// Words: the individual velocity is what comes in; density (rho) how much of the ground in view bodies cover, times three, at most 1; the
// incentive (lambda) how much somebody goes its own way.
//
// Laws
// 1. The incentive is in [0, 1]; it does not rise with the density and does not fall with the deviation or the time spent.
// 2. What comes out is no longer than the longer of individual and stream velocity, and lies in the smaller angle between them.
//    With `headway` it may be as fast as the individual velocity, in the same direction, where there is room and nobody comes towards one.
// 3. With `motivation` 1 the individual velocity comes out, bit for bit.
// 4. All in view count for the density, however many; who is behind a wall or on another storey counts for nothing.
// Thread-safety: pure functions; methods as coordinator.hpp says.
#pragma once

#include "steering/coordinator.hpp"

namespace throng::steering {

/// Shorter sums of velocities than this have no direction: two neighbours at exactly 90 degrees may cancel.
inline constexpr double least_stream = 1e-6;
/// Of the ground that bodies cover: where it is as crowded as it gets (Fruin 1971: a third).
inline constexpr double full_ground = 1.0 / 3;

/// `from`, turned towards `to` by a fraction of the smaller angle between them; straight opposite there is none, and one turns left.
[[nodiscard]] Vec2 turned_towards(Vec2 from, Vec2 to, double fraction);
/// The smaller angle between two directions, in degrees.
[[nodiscard]] double degrees_between(Vec2 a, Vec2 b);

/// Covered square metres of so many as a density.
[[nodiscard]] double stream_density(double covered, double ground);

/// How a neighbour counts: its velocity, turned to the line of sight the more the farther it is and the denser it is.
struct Perceived {
  Vec2 direction;  ///< unit
  double speed = 0;
};
/// How somebody moves: who is slower than `least_speed` counts with its heading at that speed.
[[nodiscard]] Perceived motion_of(const People& people, Slot who, double least_speed);
/// Whether somebody who moves like that counts for the stream of a person with this heading: less than 90 degrees off.
[[nodiscard]] inline bool goes_along(Vec2 heading, const Perceived& moving) {
  return dot(heading, moving.direction) > 0;
}
[[nodiscard]] Perceived perceived(Perceived moving, Vec2 line_of_sight, double density, double view_distance);

/// What decides how much somebody goes its own way.
struct Urge {
  double motivation = 0;
  double density = 0;
  double deviation = 0;           ///< degrees between individual and stream velocity
  double deviation_degrees = 45;  ///< up to which it goes along
  double late = 0;                ///< time spent beyond the expected, as a part of that; 0 to 1
};
[[nodiscard]] double incentive(const Urge& urge);

/// The stream's velocity turned towards the individual one by the incentive, lengths linearly.
[[nodiscard]] Vec2 between(Vec2 stream, Vec2 individual, double incentive);

/// By what is covered of one's field of view.
[[nodiscard]] const Coordinator& stream_by_view();
/// By what is covered of the cells along one's axis edge.
[[nodiscard]] const Coordinator& stream_by_cells();
/// By what is covered of the square one is in.
[[nodiscard]] const Coordinator& stream_by_grid();

}  // namespace throng::steering
