// The last level of a step ("integration"): a chosen velocity, accelerations and the bodies around in, a way out. A method makes the rules
// below of a person's numbers; the crowd moves everybody by them at once, because contact is between people of any method
// (crowd/move.cpp). Walls are hard whatever the rules.
//
// `careful`, ours: one takes time to speed up and to turn, but brakes at once; bodies that overlap part by a closed form, the same for every
// time step; nobody walks into a body that is in the way.
// `published` (van Toll, Pettre 2019, A.1; Jaklin 2016, equation 10.1): a = F/m + (v_new - v)/t_r, v += a dt, p += v dt, with the contact
// force of Jaklin 2016, 10.3.6.1, integrated as printed and so as coarse as its time step; no shell, nobody is held back. The printed
// force of walls (10.3.6.2) gives way to hard walls: the part of v that leads into a wall is dropped.
#pragma once

#include <vector>

#include "agents/method.hpp"

namespace throng::steering {

/// Kilograms for each metre of radius (Jaklin 2016, 10.3.6): a body of 0.25 m weighs 80 kg.
inline constexpr double mass_per_radius = 320;

/// How somebody takes up a velocity and gives way to bodies.
struct MotionRules {
  /// Seconds in which a chosen velocity is taken up (t_r); below 0: what the avoidance method says.
  double relaxation = -1;
  bool brakes_at_once = true;  ///< slows down in one step, and turns the quicker the more it brakes
  double shell = 0;            ///< metres between bodies at which they begin to push
  /// Seconds in which an overlap, shell included, shrinks to 1/e of it; 0: it does not by itself.
  double parting_time = 0;
  double stiffness = 0;      ///< newtons for each metre of overlap, as a force that is integrated
  bool is_held_back = true;  ///< does not step into bodies that are in the way
  double turning = 4;  ///< how quickly somebody who stands turns to where they want to go: part of the angle a second
};

class Mover {
 public:
  virtual ~Mover() = default;
  [[nodiscard]] virtual const agents::MethodInfo& info() const = 0;
  [[nodiscard]] virtual MotionRules rules(const double* numbers) const = 0;
};

/// Every one there is, in order of their names.
[[nodiscard]] const std::vector<const Mover*>& movers();

}  // namespace throng::steering
