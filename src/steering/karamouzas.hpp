// `karamouzas`: foresees collisions seconds ahead and avoids them early with little effort (Karamouzas, Overmars, "Simulating human
// collision avoidance using a velocity-based approach", VRIPHYS 2010).
//
// How soon the preferred velocity v_des would bring somebody into one's personal space, t, says how far one may go off it:
//   turn   up to  30 + 60 (1 - t / t_min)^2 degrees  for t < t_min (2.5 s),  30 up to t_mid (6 s),
//          30 (t_max - t) / (t_max - t_mid) up to t_max (8 s),  none beyond;
//   speed  0 to u_max for t < t_min,  u_pref +- (u_max - u_pref) up to t_max,  u_pref beyond.
// Of the velocities v so allowed, for which somebody comes into the personal space after t(v), the cheapest is taken:
//   alpha (1 - cos(v, v_des)) / 2 + beta | |v| - |v_now| | / u_max + gamma |v - v_des| / (2 u_max) + delta max(0, t_max - t(v)) / t_max
// with u_max = 1.3 u_pref (`speed_limit`). Five speeds, standing still among them, and up to nine directions are tried.
//
// Laws, beside those of Avoider
// 1. Where nobody comes into the personal space within t_max, the new velocity is the preferred one, but for walls.
// 2. Among equally cheap velocities the one that turns less wins, then the one to the right, then the faster one.
// 3. Who is in the personal space already counts by its body (`space_gives_way`, ours); who overlaps blocks the velocities that lead
//    closer, and no others, and does not count as coming (`comers_stand`, ours).
// 4. Standing still has no direction: its first term is 0.
// 5. Walls are kept off as VelocityBounds has it, and velocities are weighed as they are after that. The paper leaves walls to
//    forces of its follower (as published: wall_range 0).
// 6. Who is slowed down by people who face another way steps aside (sidestep.hpp, ours).
// 7. Collisions within `last_moment` (0.5 s, ours) cost up to 10 more: by the published cost a collision now is hardly dearer than
//    one in a second, and people in a throng walk into each other. Bodies count then, not the personal space.
// 8. Who may not walk as it wants by rules from outside tries all turns and speeds.
// Weights: 1, 0.05, 2, 1; as published 5, 0.5, 1, 1, as UMANS has them (the paper itself was not at hand). With a dearer change of speed people who stopped stay stopped, with a cheaper deviation crowds that meet do.
// Complexity: O(37 x neighbours), vectorised. No allocation a person.
#pragma once

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] const Avoider& karamouzas();

}  // namespace throng::steering
