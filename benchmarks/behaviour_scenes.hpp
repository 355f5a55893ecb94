// The scenes in which crowds are known to behave in a certain way, and what is measured in them: lanes, bottlenecks, speed against
// density, the circle of antipodal goals. `throng bench behaviour` prints them beside published figures, tests/crowd/behaviour_test
// asserts what must hold.
//
// Laws
// 1. Same arguments, same bits: people, speeds and places are drawn from the seed only.
// 2. Speeds are normal(1.34, 0.26) within 0.5 and 2.2 m/s (Weidmann 1993), bodies have a radius of 0.24 m where nothing else is said.
// A method is written as an avoidance method's name, or with a method for streams behind it: "moussaid+view". Numbers of that follow by name:
// "moussaid+view:time_spent=0".
// Units: metres, seconds. Thread-safety: plain functions; a crowd uses one thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "crowd/crowd.hpp"

namespace throng::bench {

inline constexpr double scene_time_step = 0.1;

/// Two streams against each other in a corridor 4 m wide that begins again at its end: 10 people in 3 m, strewn at random, half of them
/// each way.
struct LaneOrder {
  double at_start = 0;  ///< of people at random places
  double at_end = 0;    ///< mean over the last quarter of the time
  double speed = 0;     ///< the way people want to go, over the same time: near 0 where they jam
};
/// The order parameter: mean over rows of 0.6 m of ((east - west) / (east + west))^2, each row weighted by the people in it. 1 is
/// perfect lanes. Who leaves the corridor at one end comes in at the other at the same height, standing: a crowd has no
/// periodic worlds.
[[nodiscard]] LaneOrder lane_order(const std::string& avoidance, std::uint64_t seed, double seconds = 120,
                                   double corridor_length = 12, double time_step = scene_time_step);
/// The same in a corridor of another width, with so many people a square metre.
[[nodiscard]] LaneOrder lane_order_at(const std::string& avoidance, std::uint64_t seed, double seconds,
                                      double corridor_length, double width, double density,
                                      double time_step = scene_time_step);

/// One way round a ring 3 m wide, 10 m in mean radius, at a density: everybody walks, is held for 10 s and let go. A crowd in which nobody wants
/// anything of their own would stay as slow as it was made.
struct Restart {
  double before = 0;  ///< m/s along the ring, in the 5 s before they were held
  double after = 0;   ///< the same from 25 to 30 s after they were let go
};
[[nodiscard]] Restart ring_restart(const std::string& avoidance, double density, std::uint64_t seed);

/// `people` leave a room of 10 x 10 m through a passage of this width, 2.8 m long.
struct BottleneckFlow {
  double a_second = 0;        ///< people through the door, between the first fifth of them and the fourth
  double a_metre_second = 0;  ///< the same, by the width
  std::size_t came_through = 0;
  double most_overlap = 0;
};
[[nodiscard]] BottleneckFlow bottleneck_flow(const std::string& avoidance, double width, double radius,
                                             std::uint64_t seed, std::size_t people = 100,
                                             double time_step = scene_time_step);

/// One stream in a corridor of 120 x 4 m, filled with this many people a square metre all along. Measured between 30 and 60 m from
/// the 10th to the 20th second, when neither the end of the crowd nor the gap at its head has come there.
struct SpeedAtDensity {
  double density = 0;  ///< as measured
  double speed = 0;    ///< along the corridor
  double most_overlap = 0;
};
[[nodiscard]] SpeedAtDensity speed_at_density(const std::string& avoidance, double density, double radius,
                                              std::uint64_t seed);

/// Everybody on a circle, each with the opposite point as goal, all at 1.34 m/s; with a seed, up to 5 cm off their places.
struct Circle {
  std::size_t arrived = 0;
  double last_arrival = 0;
  double free_time = 0;  ///< of somebody alone
  double most_overlap = 0;
};
[[nodiscard]] Circle antipodal_circle(const std::string& avoidance, std::size_t people, double radius,
                                      double time_step = scene_time_step, std::uint64_t seed = 0);

/// Weidmann's speed at a density, m/s (1993; Kladek's formula).
[[nodiscard]] double weidmann_speed(double density);
/// Mean speed at a density in the HERMES laboratory runs, m/s, linear between the published points; 0 beyond them.
[[nodiscard]] double hermes_speed(double density);

/// A world drawn in code. It cannot fail.
[[nodiscard]] crowd::WorldPtr scene_world(environment::Environment environment);

}  // namespace throng::bench
