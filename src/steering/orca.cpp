#include "steering/orca.hpp"

#include <algorithm>
#include <cmath>

#include "steering/opposition.hpp"
#include "steering/orca_planes.hpp"
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

/// The people in mind, as the person meets them.
void meet(const People& people, Slot slot, std::span<const Slot> others, double margin, Encounters& met) {
  const Vec2 here = people.position[slot];
  const Vec2 velocity = people.velocity[slot];
  const double radius = people.radius[slot];
  met.count = others.size();
  for (std::size_t i = 0; i < others.size(); ++i) {
    const Slot other = others[i];
    met.offset_x[i] = people.position[other].x - here.x;
    met.offset_y[i] = people.position[other].y - here.y;
    met.approach_x[i] = velocity.x - people.velocity[other].x;
    met.approach_y[i] = velocity.y - people.velocity[other].y;
    met.radii[i] = radius + people.radius[other] + margin;
  }
}

/// Buffers of a thread: nothing is allocated once they have grown.
struct Scratch {
  Encounters met;
  Changes changes;
  std::vector<HalfPlane> planes, program;
};

/// Where any way apart is as short: who has the lower serial goes right.
HalfPlane plane_of_any_direction(double radii, Vec2 velocity, double time_step, double own, bool is_first) {
  const Vec2 outwards{is_first ? 1.0 : -1.0, 0};
  return {velocity + outwards * (radii / time_step) * own, -perpendicular(outwards)};
}

/// Appends what the people in mind allow.
void add_planes_of_people(const AvoidView& view, Slot slot, const double* numbers, Scratch& scratch) {
  const People& people = view.people;
  const Vec2 velocity = people.velocity[slot];
  const double own = numbers[responsibility];
  const std::span<const Slot> others = view.perception->neighbours(slot);
  meet(people, slot, others, numbers[margin], scratch.met);
  find_changes(scratch.met, numbers[time_horizon], people.time_step, scratch.changes);
  const Changes& changes = scratch.changes;
  const std::size_t first = scratch.planes.size();
  scratch.planes.resize(first + others.size());
  for (std::size_t i = 0; i < others.size(); ++i) {
    HalfPlane& plane = scratch.planes[first + i];
    plane = {velocity + Vec2{changes.x[i], changes.y[i]} * own, {changes.border_x[i], changes.border_y[i]}};
    if (!std::isnan(plane.direction.x)) continue;
    const bool is_first = people.serial[slot] < people.serial[others[i]];
    plane = plane_of_any_direction(scratch.met.radii[i], velocity, people.time_step, own, is_first);
  }
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
    return {.most = std::uint32_t(numbers[neighbours]),
            .range = numbers[range],
            .wall_range = numbers[wall_range],
            .wall_seconds = numbers[wall_horizon]};
  }

  /// The guarantee is for the velocities it gives, not for those on the way to them.
  [[nodiscard]] double relaxation() const override { return 0; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    thread_local Scratch scratch;
    std::vector<HalfPlane>& planes = scratch.planes;
    for (const Slot slot : who) {
      const double* numbers = view.parameters.of(slot);
      const double limit = speed_limit(view.people, slot);
      planes.clear();
      add_wall_planes(view.people, view.perception->walls(slot), slot, numbers[wall_horizon], limit, planes);
      const std::size_t hard = planes.size();
      if (!view.constraints.empty())
        planes.insert(planes.end(), view.constraints[slot].begin(), view.constraints[slot].end());
      add_planes_of_people(view, slot, numbers, scratch);
      const Vec2 wanted = keeping_right(view, slot, numbers[keep_right]);
      Vec2 found = nearest_velocity(planes, hard, limit, wanted, scratch.program);
      if (4 * squared_length(found) < squared_length(wanted) && numbers[sidestep] > 0)
        found = nearest_velocity(planes, hard, limit, aside(wanted, found, numbers[sidestep]), scratch.program);
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
