#include "steering/orca.hpp"

#include <algorithm>
#include <cmath>

#include "steering/opposition.hpp"
#include "steering/speed_limit.hpp"
#include "steering/velocity_bounds.hpp"
#include "steering/velocity_program.hpp"

namespace throng::steering {
namespace {

enum Number { time_horizon, wall_horizon, responsibility, keep_right, sidestep, margin, range, neighbours, wall_range };

std::vector<following::Parameter> parameters() {
  return {
      {"time_horizon", 3, 0.1, 60, "s", "tau: no collision with people for this long"},
      {"wall_horizon", 1, 0.05, 60, "s", "no collision with walls for this long"},
      {"responsibility", 0.5, 0, 1, "", "how much of giving way is one's own part"},
      {"keep_right", 0.6, 0, 1, "quarter turns",
       "how far people bear to the right of a crowd that comes towards them; 0: as published"},
      {"sidestep", 1, 0, 10, "", "how far people who are slowed down turn to the right; 0: as published"},
      {"margin", 0.05, 0, 1, "m", "kept between bodies where there is room"},
      {"range", 10, 0.1, 100, "m", "people farther than this are not taken into account"},
      {"neighbours", 10, 0, Perception::capacity, "", "people taken into account, nearest first"},
      {"wall_range", 3, 0, 100, "m", "walls farther than this are not taken into account"},
  };
}

/// Two people, from one's point of view.
struct Encounter {
  Vec2 offset;    ///< to the other
  Vec2 approach;  ///< velocity relative to the other's
  double radii;
  bool first;  ///< has the lower serial
};

/// How the relative velocity must change, and the border of what is allowed then.
struct Change {
  Vec2 change;
  Vec2 direction;
};

/// Out of the disc of relative velocities that end in a collision after exactly this time.
Change out_of_disc(const Encounter& pair, double time) {
  const Vec2 from_centre = pair.approach - pair.offset / time;
  const double length = std::sqrt(squared_length(from_centre));
  const Vec2 outwards = length > 0 ? from_centre / length : Vec2{pair.first ? 1.0 : -1.0, 0};
  return {outwards * (pair.radii / time - length), -perpendicular(outwards)};
}

/// Sideways out of the cone of relative velocities that end in a collision sooner or later.
Change out_of_cone(const Encounter& pair, double distance2, bool left) {
  const double side = left ? pair.radii : -pair.radii;
  const double leg = std::sqrt(distance2 - pair.radii * pair.radii);
  // The offset turned to the tangent on that side.
  const Vec2 tangent = (pair.offset * leg + perpendicular(pair.offset) * side) / distance2;
  return {tangent * dot(pair.approach, tangent) - pair.approach, left ? tangent : -tangent};
}

Change smallest_change(const Encounter& pair, double horizon, double time_step) {
  const double distance2 = squared_length(pair.offset);
  if (distance2 <= pair.radii * pair.radii) return out_of_disc(pair, time_step);
  const Vec2 from_centre = pair.approach - pair.offset / horizon;
  const double along = dot(from_centre, pair.offset);
  if (along < 0 && along * along > pair.radii * pair.radii * squared_length(from_centre))
    return out_of_disc(pair, horizon);
  return out_of_cone(pair, distance2, cross(pair.offset, from_centre) > 0);
}

HalfPlane plane_of_person(const People& people, Slot slot, Slot other, const double* numbers) {
  const Encounter pair{people.position[other] - people.position[slot], people.velocity[slot] - people.velocity[other],
                       people.radius[slot] + people.radius[other] + numbers[margin],
                       people.serial[slot] < people.serial[other]};
  const Change change = smallest_change(pair, numbers[time_horizon], people.time_step);
  return {people.velocity[slot] + change.change * numbers[responsibility], change.direction};
}

/// Where to go instead for who is slowed down to less than half: a little to the right, so that crowds as symmetric as a circle
/// of people who all walk through its centre come apart.
Vec2 aside(Vec2 wanted, Vec2 found, double sidestep) {
  const double lost = 1 - 2 * std::sqrt(squared_length(found) / squared_length(wanted));
  const double turn = std::clamp(lost * sidestep, 0.0, 1.0);
  return turned_right(wanted, turn);
}

/// What the person would do alone, to the right of those who come towards it.
Vec2 keeping_right(const AvoidView& view, Slot slot, double most) {
  const Vec2 preferred = view.preferred_velocity[slot];
  const double speed = std::sqrt(squared_length(preferred));
  return speed > 0 && most > 0 ? bearing_right(preferred, most * opposition(view, slot, preferred / speed)) : preferred;
}

class Orca final : public Avoider {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        "orca", "optimal reciprocal collision avoidance (van den Berg, Guy, Lin, Manocha 2011)", parameters()};
    return info;
  }

  [[nodiscard]] Needs needs(const double* numbers) const override {
    return {.most = std::uint32_t(numbers[neighbours]), .range = numbers[range], .wall_range = numbers[wall_range]};
  }

  /// The guarantee is for the velocities it gives, not for those on the way to them.
  [[nodiscard]] double relaxation() const override { return 0; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    thread_local std::vector<HalfPlane> planes, scratch;  // nothing is allocated once they have grown
    for (const Slot slot : who) {
      const double* numbers = view.parameters.of(slot);
      const double limit = speed_limit(view.people, slot);
      planes.clear();
      add_wall_planes(view.people, view.perception->walls(slot), slot, numbers[wall_horizon], limit, planes);
      const std::size_t hard = planes.size();
      if (!view.constraints.empty())
        planes.insert(planes.end(), view.constraints[slot].begin(), view.constraints[slot].end());
      for (const Slot other : view.perception->neighbours(slot))
        planes.push_back(plane_of_person(view.people, slot, other, numbers));
      const Vec2 wanted = keeping_right(view, slot, numbers[keep_right]);
      Vec2 found = nearest_velocity(planes, hard, limit, wanted, scratch);
      if (4 * squared_length(found) < squared_length(wanted) && numbers[sidestep] > 0)
        found = nearest_velocity(planes, hard, limit, aside(wanted, found, numbers[sidestep]), scratch);
      new_velocity[slot] = found;
    }
  }
};

}  // namespace

const Avoider& orca() {
  static const Orca method;
  return method;
}

}  // namespace throng::steering
