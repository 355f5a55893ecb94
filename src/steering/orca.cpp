#include "steering/orca.hpp"

#include <algorithm>
#include <cmath>

#include "steering/admission.hpp"
#include "steering/common_numbers.hpp"
#include "steering/headway.hpp"
#include "steering/opposition.hpp"
#include "steering/orca_planes.hpp"
#include "steering/orca_walls.hpp"
#include "steering/sidestep.hpp"
#include "steering/speed_limit.hpp"
#include "steering/velocity_bounds.hpp"
#include "steering/velocity_program.hpp"

namespace throng::steering {
namespace {

enum Number {
  time_horizon,
  wall_horizon,
  responsibility,
  keep_right,
  sidestep,
  margin,
  range,
  neighbours,
  wall_range,
  relaxation_seconds,
  speed_factor,
  walls,
  around_groups,
  headway,
  standstill
};

/// What `walls` says: a wall bounds the velocity by its nearest point, or as a whole (orca_walls.hpp).
enum WallsAs { nearest_points, segments };

std::vector<agents::Parameter> parameters() {
  return {
      {"time_horizon", 3, 0.1, 60, "s", "tau: no collision with people for this long"},
      {"wall_horizon", 1, 0.05, 60, "s", "no collision with walls for this long"},
      {"responsibility", 0.5, 0, 1, "", "how much of giving way is one's own part"},
      keep_right_number(),
      sidestep_number(),
      {"margin", 0.05, 0, 1, "m", "kept between bodies where there is room", 0, "ours"},
      {"range", 10, 0.1, 100, "m", "people farther than this are not taken into account"},
      neighbours_number(),
      wall_range_number(3),
      relaxation_number(0, "van den Berg et al. 2011"),
      speed_limit_number(),
      {"walls",
       double(nearest_points),
       0,
       1,
       "",
       "walls bound the velocity by their nearest points, or as whole segments, given the velocity now",
       double(segments),
       "van den Berg et al. 2011, and its library RVO2",
       {"nearest", "segments"}},
      around_groups_number(),
      headway_number(),
      standstill_number(),
  };
}

using FourSlots = std::array<Slot, four>;

/// A few people, side by side.
struct Group {
  FourSlots self{};  ///< somebody's where there are fewer than four
  Four margin{}, time_horizon{}, responsibility{};
  std::array<std::span<const Slot>, four> others;  ///< those in mind
  std::array<std::size_t, four> first{};           ///< rows of the half planes that belong to the first of them
  std::size_t mixed = 0;                           ///< rows before this one hold other half planes, too
  /// Whose half planes a row holds; oneself where it is none of theirs.
  [[nodiscard]] THRONG_INLINED FourSlots others_in(std::size_t row) const {
    FourSlots slots;
    for (std::size_t i = 0; i < four; ++i) {
      const std::size_t number = row - first[i];
      slots[i] = *(number < others[i].size() ? &others[i][number] : &self[i]);
    }
    return slots;
  }
};

THRONG_INLINED void gather(std::span<const Vec2> column, const FourSlots& slots, FourVecs& result) {
  const Vec2 &a = column[slots[0]], &b = column[slots[1]], &c = column[slots[2]], &d = column[slots[3]];
  result = {Four{a.x, b.x, c.x, d.x}, Four{a.y, b.y, c.y, d.y}};
}

THRONG_INLINED void gather(std::span<const double> column, const FourSlots& slots, Four& result) {
  result = Four{column[slots[0]], column[slots[1]], column[slots[2]], column[slots[3]]};
}

/// Takes the new half planes where there are any.
THRONG_INLINED void put_where(const FourBools& is_new, const VelocityPrograms::Row& plane,
                              VelocityPrograms::Row& result) {
  result.point.x = is_new ? plane.point.x : result.point.x;
  result.point.y = is_new ? plane.point.y : result.point.y;
  result.direction.x = is_new ? plane.direction.x : result.direction.x;
  result.direction.y = is_new ? plane.direction.y : result.direction.y;
}

/// Puts what others allow into rows of half planes. True if a border is not a number somewhere.
THRONG_WIDE_VECTORS bool put_planes(const People& people, const Group& group, std::span<VelocityPrograms::Row> rows) {
  FourVecs here, velocity;
  Four radius{}, first{}, end{};
  gather(people.position, group.self, here);
  gather(people.velocity, group.self, velocity);
  gather(people.radius, group.self, radius);
  for (std::size_t i = 0; i < four; ++i) {
    first[i] = double(group.first[i]);
    end[i] = double(group.first[i] + group.others[i].size());
  }
  FourBools is_unclear{};
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const FourBools is_met = (first <= double(row)) & (end > double(row));
    if (!any(is_met)) continue;
    const FourSlots others = group.others_in(row);
    FourVecs place, speed;
    Encounters met;
    gather(people.position, others, place);
    gather(people.velocity, others, speed);
    gather(people.radius, others, met.radii);
    met.offset = {place.x - here.x, place.y - here.y};
    met.approach = {velocity.x - speed.x, velocity.y - speed.y};
    met.radii = radius + met.radii + group.margin;
    met.horizon = group.time_horizon;
    Changes changes;
    find_changes(met, people.time_step, changes);
    const VelocityPrograms::Row plane{
        {velocity.x + changes.change.x * group.responsibility, velocity.y + changes.change.y * group.responsibility},
        changes.border};
    if (row < group.mixed)
      put_where(is_met, plane, rows[row]);
    else
      rows[row] = plane;  // who has fewer has nothing there that matters
    is_unclear |= is_met & (plane.direction.x != plane.direction.x);
  }
  return any(is_unclear);
}

/// Where any way apart is as short: who has the lower serial goes right.
HalfPlane plane_of_any_direction(double radii, Vec2 velocity, double time_step, double own, bool is_first) {
  const Vec2 outwards{is_first ? 1.0 : -1.0, 0};
  return {velocity + outwards * (radii / time_step) * own, -perpendicular(outwards)};
}

/// What a body between two members allows: it does not give way.
HalfPlane plane_of(const BodyBetween& body, const People& people, Slot slot, const double* numbers) {
  Encounters met;
  const Vec2 offset = body.position - people.position[slot], approach = people.velocity[slot] - body.velocity;
  met.offset = {Four{} + offset.x, Four{} + offset.y};
  met.approach = {Four{} + approach.x, Four{} + approach.y};
  met.radii = Four{} + (people.radius[slot] + body.radius + numbers[margin]);
  met.horizon = Four{} + numbers[time_horizon];
  Changes changes;
  find_changes(met, people.time_step, changes);
  return {people.velocity[slot] + Vec2{changes.change.x[0], changes.change.y[0]},
          {changes.border.x[0], changes.border.y[0]}};
}

/// What a few people must keep to. Nothing is allocated once buffers have grown.
class Bounds {
 public:
  /// Takes in what bounds these people, at most four.
  void gather(const AvoidView& view, std::span<const Slot> who);
  [[nodiscard]] VelocityPrograms& programs() { return programs_; }

 private:
  void add_planes_of_people(const AvoidView& view, std::span<const Slot> who);

  VelocityPrograms programs_;
  std::vector<HalfPlane> walls_;
};

void Bounds::gather(const AvoidView& view, std::span<const Slot> who) {
  programs_.clear();
  for (std::size_t i = 0; i < who.size(); ++i) {
    walls_.clear();
    const double* numbers = view.parameters.of(who[i]);
    const auto add_planes = numbers[walls] == double(segments) ? add_segment_planes : add_wall_planes;
    add_planes(view.people, view.perception->walls(who[i]), who[i], numbers[wall_horizon],
               speed_limit(view.people, who[i], numbers[speed_factor]), walls_);
    for (const HalfPlane& wall : walls_) programs_.add_hard(i, wall);
  }
  add_planes_of_people(view, who);
  for (std::size_t i = 0; i < who.size(); ++i)
    for (const BodyBetween& body : bodies_between(view, who[i], view.parameters.of(who[i])[around_groups]))
      if (const HalfPlane plane = plane_of(body, view.people, who[i], view.parameters.of(who[i]));
          !std::isnan(plane.direction.x))
        programs_.add_soft(i, plane);
  for (std::size_t i = 0; i < who.size(); ++i)
    for (const HalfPlane& rule : half_planes_of(view, who[i])) programs_.add_rule(i, rule);
}

void Bounds::add_planes_of_people(const AvoidView& view, std::span<const Slot> who) {
  const People& people = view.people;
  Group group;
  group.first = programs_.counts();
  std::array<std::size_t, four> more{};
  group.self.fill(who.front());
  for (std::size_t i = 0; i < who.size(); ++i) {
    const double* numbers = view.parameters.of(who[i]);
    group.self[i] = who[i];
    group.margin[i] = numbers[margin];
    group.time_horizon[i] = numbers[time_horizon];
    group.responsibility[i] = numbers[responsibility];
    group.others[i] = view.perception->neighbours(who[i]);
    group.mixed = std::max(group.mixed, group.first[i]);
    more[i] = group.others[i].size();
  }
  const std::span<VelocityPrograms::Row> rows = programs_.make_room(more);
  if (!put_planes(people, group, rows)) return;
  for (std::size_t i = 0; i < who.size(); ++i)
    for (std::size_t k = 0; k < more[i]; ++k) {
      const std::size_t row = group.first[i] + k;
      if (!std::isnan(rows[row].direction.x[i])) continue;
      const Slot other = group.others[i][k];
      const bool is_first = people.serial[who[i]] < people.serial[other];
      const double radii = people.radius[who[i]] + people.radius[other] + group.margin[i];
      programs_.put(
          row, i,
          plane_of_any_direction(radii, people.velocity[who[i]], people.time_step, group.responsibility[i], is_first));
    }
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
            .wall_seconds = numbers[wall_horizon],
            .speed_limit = numbers[speed_factor]};
  }

  [[nodiscard]] double relaxation(const double* numbers) const override { return numbers[relaxation_seconds]; }
  [[nodiscard]] double speed_limit(const double* numbers) const override { return numbers[speed_factor]; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    for (std::size_t i = 0; i < who.size(); i += four)
      choose(view, who.subspan(i, std::min(four, who.size() - i)), new_velocity);
  }

 private:
  /// For a few people, side by side.
  static void choose(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) {
    thread_local Bounds bounds;
    bounds.gather(view, who);
    std::array<VelocityPrograms::Question, four> questions;
    for (std::size_t i = 0; i < who.size(); ++i) {
      const double* numbers = view.parameters.of(who[i]);
      questions[i] = {true, steering::speed_limit(view.people, who[i], numbers[speed_factor]),
                      keeping_headway(view, who[i], keeping_right(view, who[i], numbers[keep_right]), numbers[headway],
                                      numbers[standstill])};
    }
    const std::array<Vec2, four> found = bounds.programs().nearest(questions);
    bool is_any_slow = false;
    for (std::size_t i = 0; i < who.size(); ++i) {
      new_velocity[who[i]] = found[i];
      auto& [is_asked, limit, wanted] = questions[i];
      const Vec2 aside =
          wanted_aside(view, who[i], wanted, found[i], view.parameters.of(who[i])[sidestep], AsideFor::everybody);
      is_asked = aside != wanted;
      is_any_slow |= is_asked;
      wanted = aside;
    }
    if (!is_any_slow) return;
    const std::array<Vec2, four> instead = bounds.programs().nearest(questions);
    for (std::size_t i = 0; i < who.size(); ++i)
      if (questions[i].is_asked) new_velocity[who[i]] = better({found[i]}, {instead[i]}).velocity;
  }
};

}  // namespace

const Avoider& orca() {
  static const Orca method;
  return method;
}

}  // namespace throng::steering
