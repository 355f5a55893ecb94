#include "steering/proximity.hpp"

#include <cmath>

#include "steering/common_numbers.hpp"
#include "steering/field_of_view.hpp"
#include "steering/headway.hpp"
#include "steering/speed_limit.hpp"
#include "steering/velocity_bounds.hpp"

namespace throng::steering {
namespace {

enum Number {
  awareness,
  look_ahead,
  half_arc_degrees,
  turn_degrees,
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
      {"awareness", 2, 0.5, 100, "diameters", "radius of the circle of awareness, in diameters of the body"},
      {"look_ahead", 1.6, 0, 60, "s", "how far ahead positions are foreseen"},
      {"half_arc_degrees", 40, 1, 180, "degrees", "people farther off the way than this are ignored"},
      {"turn_degrees", 20, 0, 180, "degrees", "how far one turns away"},
      {"range", 8, 0.1, 100, "m", "people farther than this are not taken into account"},
      neighbours_number(Perception::capacity, "Parsons 2010, 5.2.1: everybody"),
      wall_range_number(3, 0, "Parsons 2010, 5.2.1: knows no walls"),
      wall_horizon_number(),
      relaxation_number(0, "Parsons 2010, 5.2.1"),
      speed_limit_number(1, "Parsons 2010, 5.2.1: the preferred speed"),
      headway_number(),
      standstill_number(),
  };
}

/// Cosines and turns of a set of numbers; most people share theirs.
struct Angles {
  double half_arc = -1, turn = -1;
  double arc_cosine = 0;
  Vec2 turned;  ///< to the left
  void set(const double* numbers) {
    if (numbers[half_arc_degrees] == half_arc && numbers[turn_degrees] == turn) return;
    half_arc = numbers[half_arc_degrees];
    turn = numbers[turn_degrees];
    arc_cosine = half_view_cosine(half_arc);
    turned = geometry::unit_direction(turn / 360);
  }
};

Vec2 choose(const AvoidView& view, Slot slot, const Angles& angles, VelocityBounds& bounds) {
  const People& people = view.people;
  const double* numbers = view.parameters.of(slot);
  const Vec2 preferred =
      bounds.within_rules(limited(view.preferred_velocity[slot], speed_limit(people, slot, numbers[speed_factor])));
  const double speed = std::sqrt(squared_length(preferred));
  if (!(speed > 0)) return {};
  const Vec2 ahead = preferred / speed;
  const auto close = [&](Slot other, Vec2 offset) {
    const double reach = 2 * numbers[awareness] * (people.radius[slot] + people.radius[other]);
    return squared_length(offset) < reach * reach && in_view(ahead, offset, angles.arc_cosine);
  };
  const auto away_from = [&](Vec2 offset) {
    const Vec2 across = perpendicular(preferred) * angles.turned.y;
    return preferred * angles.turned.x + (cross(ahead, offset) < 0 ? across : -across);
  };
  for (const double time : {0.0, numbers[look_ahead]})
    for (const Slot other : view.perception->neighbours(slot)) {
      const Vec2 offset = people.position[other] - people.position[slot] + (people.velocity[other] - preferred) * time;
      if (close(other, offset)) return away_from(offset);
    }
  return preferred;
}

class Proximity final : public Avoider {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        "proximity", "turns away from whoever is or soon will be close ahead (circles of awareness)", parameters()};
    return info;
  }

  [[nodiscard]] Needs needs(const double* numbers) const override {
    return {.most = std::uint32_t(numbers[neighbours]),
            .range = numbers[range],
            .view_cosine = 0,
            .wall_range = numbers[wall_range],
            .wall_seconds = numbers[wall_horizon],
            .speed_limit = numbers[speed_factor]};
  }

  [[nodiscard]] double relaxation(const double* numbers) const override { return numbers[relaxation_seconds]; }
  [[nodiscard]] double speed_limit(const double* numbers) const override { return numbers[speed_factor]; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    VelocityBounds bounds;
    Angles angles;
    for (const Slot slot : who) {
      const double* numbers = view.parameters.of(slot);
      angles.set(numbers);
      bounds.gather(view, slot, numbers[wall_horizon], numbers[speed_factor]);
      const Vec2 chosen = choose(view, slot, angles, bounds);
      new_velocity[slot] = bounds.nearest(keeping_headway(view, slot, chosen, numbers[headway], numbers[standstill]));
    }
  }
};

}  // namespace

const Avoider& proximity() {
  static const Proximity method;
  return method;
}

}  // namespace throng::steering
