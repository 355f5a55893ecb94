#include "steering/social_force.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "steering/common_numbers.hpp"
#include "steering/field_of_view.hpp"
#include "steering/headway.hpp"
#include "steering/velocity_bounds.hpp"
#include "steering/wall_parts.hpp"

namespace throng::steering {
namespace {

enum Number {
  relaxation_time,
  strength,
  decay,
  step_time,
  half_view_degrees,
  behind,
  wall_strength,
  wall_decay,
  body_decay,
  sidestep,
  range,
  neighbours,
  wall_range,
  wall_horizon,
  relaxation_seconds,
  speed_factor,
  headway,
  standstill
};

std::vector<agents::Parameter> parameters() {
  return {
      {"relaxation_time", 0.5, 0.01, 10, "s", "tau: how quickly people take up their preferred velocity"},
      {"strength", 2.1, 0, 1000, "m^2/s^2", "V0: of the repulsion from people"},
      {"decay", 0.3, 0.01, 10, "m", "sigma: over which it decays"},
      {"step_time", 2, 0, 60, "s", "dt: how far ahead others' steps count"},
      {"half_view_degrees", 100, 5, 180, "degrees", "phi: half the field of view around the preferred direction"},
      {"behind", 0.5, 0, 1, "", "c: how much people out of view count"},
      {"wall_strength", 10, 0, 1000, "m^2/s^2", "U0: of the repulsion from walls"},
      {"wall_decay", 0.2, 0.01, 10, "m", "R: over which it decays"},
      {"body_decay", 0.1, 0, 10, "m", "over which the repulsion between bodies decays; 0: people are points", 0,
       "Helbing, Molnar 1995"},
      {"sidestep", 1, 0, 10, "", "how far forces are turned to make people give way to the right; 0: not at all", 0,
       "ours"},
      {"range", 6, 0.1, 100, "m", "people farther than this are not taken into account"},
      neighbours_number(Perception::capacity, "Helbing, Molnar 1995: everybody"),
      wall_range_number(2),
      wall_horizon_number(),
      relaxation_number(0, "Helbing, Molnar 1995: forces are what changes velocities"),
      speed_limit_number(1.3, "Helbing, Molnar 1995"),
      headway_number(),
      standstill_number(),
  };
}

/// Tangent of the angle by which a sidestep of 1 turns forces.
constexpr double sidestep_turn = 0.05;

/// Beyond this many times its decay the repulsion between bodies is nothing.
constexpr double reach_of_bodies = 10;

/// One person at work.
class Particle {
 public:
  Particle(const AvoidView& view, Slot slot) : view_(view), slot_(slot), numbers_(view.parameters.of(slot)) {
    const Vec2 preferred = view.preferred_velocity[slot];
    const double speed = length(preferred);
    ahead_ = speed > 0 ? preferred / speed : view.people.heading[slot];
  }

  /// After a time step. What the person itself wants keeps to rules from outside; forces come on top.
  [[nodiscard]] Vec2 velocity(double view_cosine, VelocityBounds& bounds) const {
    const People& people = view_.people;
    Vec2 force{};
    for (const Slot other : view_.perception->neighbours(slot_)) {
      const Vec2 repelled = repulsion(other);
      const bool seen = in_view(ahead_, -repelled, view_cosine);
      force += repelled * (seen ? 1.0 : numbers_[behind]);
    }
    force += perpendicular(force) * (sidestep_turn * numbers_[sidestep]);
    for_each_near_point(*people.mesh, view_.perception->walls(slot_), people.position[slot_],
                        [&](Vec2 offset, const navmesh::Site& wall) { force += wall_repulsion(offset, wall); });
    const double taken_up = std::min(1.0, people.time_step / numbers_[relaxation_time]);
    const Vec2 now = people.walking[slot_];
    return bounds.within_rules(now + (view_.preferred_velocity[slot_] - now) * taken_up) + force * people.time_step;
  }

 private:
  [[nodiscard]] Vec2 repulsion(Slot other) const {
    const People& people = view_.people;
    const Vec2 from = people.position[slot_] - people.position[other];
    const Vec2 step = people.velocity[other] * numbers_[step_time];
    const Vec2 from_step = from - step;
    const double near = length(from), far = length(from_step);
    const double sum = near + far;
    const double minor = std::sqrt(std::max(0.0, sum * sum - squared_length(step))) / 2;
    const double peak = numbers_[strength] / numbers_[decay];
    Vec2 force = numbers_[sidestep] > 0 ? perpendicular(ahead_) * -peak : Vec2{};
    if (std::min({near, far, minor}) >= tolerance::same)
      force = (from / near + from_step / far) *
              (peak * geometry::exponential(-minor / numbers_[decay]) * sum / (4 * minor));
    const double gap = near - people.radius[slot_] - people.radius[other];
    if (numbers_[body_decay] > 0 && gap < reach_of_bodies * numbers_[body_decay] && near >= tolerance::same)
      force += from * (peak * geometry::exponential(std::min(0.0, -gap / numbers_[body_decay])) / near);
    return force;
  }

  [[nodiscard]] Vec2 wall_repulsion(Vec2 offset, const navmesh::Site& wall) const {
    const double distance = length(offset);
    const Vec2 side = perpendicular(wall.b - wall.a);  // free space is to the left
    const Vec2 away = distance > tolerance::same ? offset / -distance : side / length(side);
    return away *
           (numbers_[wall_strength] / numbers_[wall_decay] * geometry::exponential(-distance / numbers_[wall_decay]));
  }

  const AvoidView& view_;
  Slot slot_;
  const double* numbers_;
  Vec2 ahead_;
};

class SocialForce final : public Avoider {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        "social_force", "driven to the goal, repelled by people and walls (Helbing, Molnar 1995)", parameters()};
    return info;
  }

  [[nodiscard]] Needs needs(const double* numbers) const override {
    return {.most = std::uint32_t(numbers[neighbours]), .range = numbers[range], .wall_range = numbers[wall_range]};
  }

  [[nodiscard]] double relaxation(const double* numbers) const override { return numbers[relaxation_seconds]; }
  [[nodiscard]] double speed_limit(const double* numbers) const override { return numbers[speed_factor]; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    VelocityBounds bounds;
    double half_view = -1, cosine = 0;
    for (const Slot slot : who) {
      const double* numbers = view.parameters.of(slot);
      if (numbers[half_view_degrees] != half_view) cosine = half_view_cosine(half_view = numbers[half_view_degrees]);
      bounds.gather(view, slot, numbers[wall_horizon], numbers[speed_factor]);
      const Vec2 chosen = Particle(view, slot).velocity(cosine, bounds);
      new_velocity[slot] = bounds.nearest(keeping_headway(view, slot, chosen, numbers[headway], numbers[standstill]));
    }
  }
};

}  // namespace

const Avoider& social_force() {
  static const SocialForce method;
  return method;
}

}  // namespace throng::steering
