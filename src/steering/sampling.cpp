#include "steering/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "geometry/tolerances.hpp"
#include "steering/admission.hpp"
#include "steering/common_numbers.hpp"
#include "steering/field_of_view.hpp"
#include "steering/ground_price.hpp"
#include "steering/headway.hpp"
#include "steering/sidestep.hpp"
#include "steering/speed_limit.hpp"
#include "steering/time_to_collision.hpp"
#include "steering/velocity_bounds.hpp"
#include "steering/velocity_fan.hpp"
#include "steering/wall_parts.hpp"

namespace throng::steering {
namespace {

enum Number {
  view_distance,
  standing,
  half_view_degrees,
  range,
  neighbours,
  wall_range,
  wall_horizon,
  sidestep,
  relaxation_seconds,
  speed_factor,
  walls_ahead,
  ground_strength,
  around_groups,
  headway,
  standstill
};

std::vector<agents::Parameter> parameters() {
  return {
      {"view_distance", 5, 0.1, 100, "m", "d_max: collisions farther than this do not count"},
      {"standing", 1.5, -1, 100, "m", "free way that standing still counts as; below 0: nobody can stand still", -1,
       "van Toll, Pettre 2019, A.2.3"},
      {"half_view_degrees", 90, 5, 180, "degrees", "people are noticed up to this angle from the heading"},
      {"range", 10, 0.1, 100, "m", "people farther than this are not taken into account", 100,
       "van Toll, Pettre 2019, A.1: no bound"},
      neighbours_number(),
      wall_range_number(5),
      wall_horizon_number(),
      sidestep_number(),
      relaxation_number(0.5, "van Toll, Pettre 2019, A.1"),
      speed_limit_number(1, "van Toll, Pettre 2019, A.2.3"),
      {"walls_ahead", 0, 0, 1, "", "1: walls straight ahead count, too; 0: the follower looked there", 1,
       "van Toll, Pettre 2019, A.2.3"},
      ground_number(),
      around_groups_number(),
      headway_number(),
      standstill_number(),
  };
}

constexpr int turns_a_side = 7;
constexpr double turn_radians = std::numbers::pi / 2 / turns_a_side;
constexpr double slow = 0.5;  ///< part of the preferred speed

/// Candidates in the order of law 3: straight ahead, then by turns, the right one first; each fast and slow.
constexpr std::size_t straight = 2, moving = 2 * (2 * turns_a_side + 1), candidates = moving + 1;
/// How far each turns, in radians, positive to the left.
const std::array<double, moving>& turn_of() {
  static const std::array<double, moving> table = [] {
    std::array<double, moving> made{};
    for (std::size_t i = straight; i < moving; ++i) {
      const auto step = double((i - straight) / 4 + 1);
      made[i] = ((i - straight) % 2 == 0 ? -1 : 1) * step * turn_radians;
    }
    return made;
  }();
  return table;
}

/// Unit vectors of the turns to the left.
const std::array<Vec2, turns_a_side + 1>& directions() {
  static const std::array<Vec2, turns_a_side + 1> table = [] {
    std::array<Vec2, turns_a_side + 1> made;
    for (int k = 0; k <= turns_a_side; ++k) made[std::size_t(k)] = geometry::unit_direction(0.25 * k / turns_a_side);
    return made;
  }();
  return table;
}

/// One person at work.
class Chooser {
 public:
  Chooser(const AvoidView& view, Slot slot)
      : view_(view), slot_(slot), numbers_(view.parameters.of(slot)), admission_(view, slot) {}

  [[nodiscard]] Vec2 choose(VelocityFan& fan) {
    preferred_ = limited(view_.preferred_velocity[slot_], speed_limit(view_.people, slot_, numbers_[speed_factor]));
    speed_ = std::sqrt(squared_length(preferred_));
    if (!(speed_ > 0)) return {};
    const Choice found = look_around(fan);
    const Vec2 aside = wanted_aside(view_, slot_, preferred_, found.velocity, numbers_[sidestep]);
    if (aside == preferred_) return found.velocity;
    preferred_ = aside;
    return better(found, look_around(fan)).velocity;
  }

 private:
  [[nodiscard]] Choice look_around(VelocityFan& fan) const {
    spread(fan);
    fan.start();
    meet_walls(fan);
    const People& people = view_.people;
    for (const Slot other : view_.perception->neighbours(slot_))
      fan.meet_body(people.position[other] - people.position[slot_], people.velocity[other],
                    people.radius[slot_] + people.radius[other]);
    for (const BodyBetween& body : bodies_between(view_, slot_, numbers_[around_groups]))
      fan.meet_body(body.position - people.position[slot_], body.velocity, people.radius[slot_] + body.radius);
    return best(fan);
  }

  void spread(VelocityFan& fan) const {
    fan.clear();
    fan.add(preferred_);
    fan.add(preferred_ * slow);
    for (int k = 1; k <= turns_a_side; ++k) {
      const Vec2 turn = directions()[std::size_t(k)];
      const Vec2 along = preferred_ * turn.x, across = perpendicular(preferred_) * turn.y;
      for (const double part : {1.0, slow}) {
        fan.add((along - across) * part);
        fan.add((along + across) * part);
      }
    }
    fan.add({});
  }

  void meet_walls(VelocityFan& fan) const {
    const People& people = view_.people;
    const double radius = people.radius[slot_];
    for_each_wall_part(
        *people.mesh, view_.perception->walls(slot_), people.position[slot_], numbers_[view_distance] + radius,
        [&](Vec2 a, Vec2 b) {
          if (a != b) fan.meet_wall(a, b, radius);
        },
        [&](Vec2 end) { fan.meet_body(end, {}, radius - tolerance::wall_end); });
    if (!(numbers_[walls_ahead] > 0)) std::fill_n(fan.time.begin(), straight, never<float>);
  }

  [[nodiscard]] Choice best(const VelocityFan& fan) const {
    std::array<double, candidates> costs;
    weigh(fan, costs);
    mind_ground(fan, costs);
    const bool is_allowed = !admission_.has_rules() || forbid(fan, costs);
    std::size_t best = moving;
    for (std::size_t k = 0; k < moving; ++k)
      // Standing is the last resort: of equals one walks.
      if (costs[k] < costs[best] || (best == moving && costs[k] == costs[best])) best = k;
    return {best == 0 ? preferred_ : Vec2{fan.x[best], fan.y[best]}, is_allowed};
  }

  void weigh(const VelocityFan& fan, std::array<double, candidates>& costs) const {
    const Vec2 now = view_.people.walking[slot_];
    const double off_preferred = geometry::arc_tangent(cross(preferred_, now), dot(preferred_, now));
    const double way = numbers_[view_distance];
    for (std::size_t k = 0; k < moving; ++k) {
      const bool is_slow = k < straight ? k == 1 : (k - straight) % 4 >= 2;
      const double pace = is_slow ? slow * speed_ : speed_;
      const double turn = turn_of()[k];
      double change = now == Vec2{} ? 0 : std::abs(turn - off_preferred);
      change = std::min(change, 2 * std::numbers::pi - change);
      costs[k] = way - std::min(way, pace * double(fan.time[k])) + std::abs(turn) + change + (is_slow ? slow : 0);
    }
    costs[moving] = numbers_[standing] < 0 ? never<double> : way - std::min(way, numbers_[standing]) + 1;
  }

  /// The first candidate is what the person wants, the last one stands.
  void mind_ground(const VelocityFan& fan, std::array<double, candidates>& costs) const {
    GroundPrice price(view_, slot_, numbers_[ground_strength], speed_);
    if (!price.counts()) return;
    std::array<double, moving> means;
    for (std::size_t k = 0; k < moving; ++k) {
      const Vec2 velocity{fan.x[k], fan.y[k]};
      means[k] = price.take(velocity, double(fan.time[k]) * std::sqrt(squared_length(velocity)));
    }
    for (std::size_t k = straight; k < moving; ++k) costs[k] *= price.factor(means[k]);
  }

  /// Makes what rules from outside do not allow cost infinitely much; false where that would leave nothing.
  bool forbid(const VelocityFan& fan, std::array<double, candidates>& costs) const {
    std::array<Vec2, candidates> velocities;
    std::array<std::uint8_t, candidates> allowed;
    // Who cannot stand still has no such candidate.
    const std::size_t count = costs[moving] < never<double> ? candidates : moving;
    for (std::size_t k = 0; k < count; ++k) velocities[k] = {fan.x[k], fan.y[k]};
    const bool is_any_left = admission_.filter(std::span(velocities).first(count), std::span(allowed).first(count));
    for (std::size_t k = 0; k < count; ++k)
      if (allowed[k] == 0) costs[k] = never<double>;
    return is_any_left;
  }

  const AvoidView& view_;
  Slot slot_;
  const double* numbers_;
  Admission admission_;
  Vec2 preferred_{};
  double speed_ = 0;
};

static_assert(candidates <= VelocityFan::capacity);

class Sampling final : public Avoider {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{
        "sampling", "the best of a few velocities around the preferred one (van Toll, Pettre 2019)", parameters()};
    return info;
  }

  [[nodiscard]] Needs needs(const double* numbers) const override {
    return {.most = std::uint32_t(numbers[neighbours]),
            .range = numbers[range],
            .view_cosine = half_view_cosine(numbers[half_view_degrees]),
            .wall_range = numbers[wall_range]};
  }

  [[nodiscard]] bool weighs_candidates() const override { return true; }
  [[nodiscard]] double relaxation(const double* numbers) const override { return numbers[relaxation_seconds]; }
  [[nodiscard]] double speed_limit(const double* numbers) const override { return numbers[speed_factor]; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    VelocityFan fan;
    VelocityBounds bounds;
    for (const Slot slot : who) {
      const Vec2 chosen = Chooser(view, slot).choose(fan);
      const double* numbers = view.parameters.of(slot);
      bounds.gather(view, slot, numbers[wall_horizon], numbers[speed_factor]);
      new_velocity[slot] = bounds.nearest(keeping_headway(view, slot, chosen, numbers[headway], numbers[standstill]));
    }
  }
};

}  // namespace

const Avoider& sampling() {
  static const Sampling method;
  return method;
}

}  // namespace throng::steering
