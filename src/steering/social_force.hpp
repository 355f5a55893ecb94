// `social_force`: people as particles that are driven to where they want to go and repelled by others and by walls (Helbing, Molnar,
// "Social force model for pedestrian dynamics", Physical Review E 51, 1995).
//
//   dv/dt = (v_pref - v) / tau + sum over people w f + sum over walls g
//   f = -grad V0 exp(-b / sigma),  2 b = sqrt( (|r| + |r - u dt|)^2 - |u dt|^2 )
// with r from the other to oneself and u the other's velocity: the equipotential lines are ellipses that hold the other's next
// step of dt = 2 s, b their semi-minor axis. w is 1 for who is in view (100 degrees to either side of the preferred direction),
// else c = 0.5.
//   g = -grad U0 exp(-d / R),  d the distance to the wall.
//   tau 0.5 s, V0 2.1 m^2/s^2, sigma 0.3 m, U0 10 m^2/s^2, R 0.2 m.
//
// Laws, beside those of Avoider
// 1. The new velocity is v + dv/dt times the time step, cut to the speed limit (1.3, as in the paper): the model has its own inertia,
//    so `relaxation` is 0.
// 2. Published people are points. Ours repel each other's bodies, too, along the line of their centres, by V0 / sigma exp(-gap /
//    body_decay) with 0.1 m, at most V0 / sigma. With 0 there is no such force, as published: people are points.
// 3. Forces are turned to the left by `sidestep` x 0.05 (ours: about 3 degrees): so who has somebody straight ahead gives way to the
//    right, and pairs that balance exactly come apart. The paper has random fluctuations instead. Where the gradient has no
//    direction, as straight in the way of somebody's next step, the force points to one's own right; with `sidestep` 0, as published,
//    there is none then.
// 4. The result is bounded by walls (VelocityBounds, ours): the potential alone lets wide bodies touch walls.
// 5. Half planes from outside bound what the person walks by itself, inertia included; what others and walls do to it comes on top.
// Of a wall of several segments the locally nearest points count (for_each_near_point).
// Complexity: O(neighbours + walls). No allocation a person.
#pragma once

#include "steering/avoider.hpp"

namespace throng::steering {

[[nodiscard]] const Avoider& social_force();

}  // namespace throng::steering
