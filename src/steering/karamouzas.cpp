#include "steering/karamouzas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "steering/admission.hpp"
#include "steering/common_numbers.hpp"
#include "steering/field_of_view.hpp"
#include "steering/ground_price.hpp"
#include "steering/headway.hpp"
#include "steering/personal_space.hpp"
#include "steering/sidestep.hpp"
#include "steering/speed_limit.hpp"
#include "steering/time_to_collision.hpp"
#include "steering/velocity_bounds.hpp"
#include "steering/velocity_fan.hpp"

namespace throng::steering {
namespace {

enum Number {
  personal_space,
  shortest_time,
  middle_time,
  longest_time,
  turning,
  speed_change,
  deviation,
  collision,
  last_moment,
  half_view_degrees,
  range,
  neighbours,
  wall_range,
  wall_horizon,
  sidestep,
  relaxation_seconds,
  speed_factor,
  space_gives_way,
  comers_stand,
  ground_strength,
  around_groups,
  headway,
  standstill
};

/// Where the cost's weights are from: the paper's own could not be had.
constexpr std::string_view as_others_have_it = "Karamouzas, Overmars 2010, as UMANS (van Toll et al. 2020) has it";

std::vector<agents::Parameter> parameters() {
  return {
      {"personal_space", 0.5, 0, 10, "m", "rho: radius of the disc that others should stay out of"},
      {"shortest_time", 2.5, 0.01, 60, "s", "t_min: collisions sooner than this may change the speed at will"},
      {"middle_time", 6, 0.01, 60, "s", "t_mid: collisions later than this allow smaller turns"},
      {"longest_time", 8, 0.01, 60, "s", "t_max: collisions later than this do not count"},
      {"turning", 1, 0, 1000, "", "alpha: cost of turning away from the preferred direction", 5, as_others_have_it},
      {"speed_change", 0.05, 0, 1000, "", "beta: cost of changing the speed", 0.5, as_others_have_it},
      {"deviation", 2, 0, 1000, "", "gamma: cost of leaving the preferred velocity", 1, as_others_have_it},
      {"collision", 1, 0, 1000, "", "delta: cost of a collision, the sooner the dearer"},
      {"last_moment", 0.5, 0, 60, "s", "collisions sooner than this weigh more than all else; 0: none do", 0, "ours"},
      {"half_view_degrees", 100, 5, 180, "degrees", "people are noticed up to this angle from the heading"},
      {"range", 10, 0.1, 100, "m", "people farther than this are not taken into account"},
      neighbours_number(),
      wall_range_number(3, 0, "Karamouzas, Overmars 2010: left to the follower"),
      wall_horizon_number(),
      sidestep_number(),
      relaxation_number(0.5),
      speed_limit_number(),
      {"space_gives_way", 1, 0, 1, "",
       "1: of who is in the personal space already only the body counts; 0: the space does", 0, "ours"},
      {"comers_stand", 1, 0, 1, "", "1: who overlaps one and comes closer counts as standing; 0: as walking", 0,
       "ours"},
      ground_number(),
      around_groups_number(),
      headway_number(),
      standstill_number(),
  };
}

/// Cost of a collision at once: far more than turning back and standing still cost together.
constexpr float dearest = 10;
/// The largest turns, in degrees: of collisions that are near, and of those that are not.
constexpr double wide_turn = 90, slight_turn = 30;
/// Sine of the angle to the preferred direction below which a candidate has it: floats round by less.
constexpr double straight_ahead = 1e-5;
/// Directions that are tried to each side.
constexpr int turns_a_side = 4;

/// Unit vectors by whole degrees.
const std::array<Vec2, 91>& by_degrees() {
  static const std::array<Vec2, 91> table = [] {
    std::array<Vec2, 91> made;
    for (std::size_t i = 0; i < made.size(); ++i) made[i] = geometry::unit_direction(double(i) / 360);
    return made;
  }();
  return table;
}

double largest_turn(double time, const double* numbers) {
  const double soon = 1 - time / numbers[shortest_time];
  if (soon > 0) return slight_turn + (wide_turn - slight_turn) * soon * soon;
  if (time < numbers[middle_time]) return slight_turn;
  if (time >= numbers[longest_time]) return 0;
  return slight_turn * (numbers[longest_time] - time) / (numbers[longest_time] - numbers[middle_time]);
}

/// Parts of the preferred speed, fastest first.
struct Speeds {
  std::array<double, 4> parts{};
  std::size_t count = 0;
};

Speeds speeds(double time, const double* numbers) {
  const double fastest = numbers[speed_factor];
  if (time < numbers[shortest_time]) return {{fastest, 1, 0.6, 0.15}, 4};
  if (time < numbers[longest_time]) return {{fastest, 1, std::max(0.0, 2 - fastest)}, 3};
  return {{1}, 1};
}

/// By velocity.
using Costs = VelocityFan::Costs;

/// One person at work.
class Chooser {
 public:
  Chooser(const AvoidView& view, Slot slot, VelocityBounds& bounds)
      : view_(view), slot_(slot), bounds_(bounds), numbers_(view.parameters.of(slot)), admission_(view, slot) {}

  [[nodiscard]] Vec2 choose(VelocityFan& fan) {
    bounds_.gather(view_, slot_, numbers_[wall_horizon], numbers_[speed_factor]);
    desired_ = limited(view_.preferred_velocity[slot_], speed_limit(view_.people, slot_, numbers_[speed_factor]));
    speed_ = std::sqrt(squared_length(desired_));
    if (!(speed_ > 0)) return bounds_.nearest({});
    gather_people();
    Choice found = look_around(fan);
    const Vec2 aside = wanted_aside(view_, slot_, desired_, found.velocity, numbers_[sidestep]);
    if (aside != desired_) {
      desired_ = aside;
      found = better(found, look_around(fan));
    }
    return bounds_.nearest(found.velocity);
  }

 private:
  [[nodiscard]] Choice look_around(VelocityFan& fan) const {
    const bool is_refused = admission_.has_rules() && !admission_.is_allowed(desired_);
    const double time = first_collision();
    if (time >= numbers_[longest_time] && !is_refused) return {desired_};
    spread(fan, is_refused ? 0 : time);
    fan.start();
    fan.keep_off(bounds_.walls());
    for (const Near& other : people_) fan.meet_body(other.offset, other.walk, other.reach);
    Costs costs;
    weigh(fan, costs);
    add_last_moment(fan, costs);
    mind_ground(fan, costs);
    const bool is_allowed = !admission_.has_rules() || forbid(fan, admission_, costs);
    const auto best = std::min_element(costs.begin(), costs.begin() + std::ptrdiff_t(fan.count)) - costs.begin();
    return {{fan.x[std::size_t(best)], fan.y[std::size_t(best)]}, is_allowed};
  }

  /// Bodies that are about to touch; the personal space does not matter any more.
  void add_last_moment(VelocityFan& fan, Costs& costs) const {
    const double last = numbers_[last_moment];
    if (!(last > 0)) return;
    fan.start();
    bool any = false;
    for (const Near& other : people_) {
      // Where it comes nearest to where one stands, and how far one could have come by then, at most.
      const double nearest =
          std::clamp(-dot(other.offset, other.walk) / std::max(squared_length(other.walk), 1e-12), 0.0, last);
      const double far = other.radii + numbers_[speed_factor] * speed_ * last;
      if (squared_length(other.offset + other.walk * nearest) >= far * far) continue;
      any = true;
      fan.meet_body(other.offset, other.walk, other.radii);
    }
    if (!any) return;
    const auto moment = float(last);
    for (std::size_t k = 0; k < fan.padded(); ++k)
      costs[k] += fan.time[k] < moment ? dearest * (moment - fan.time[k]) / moment : 0.0F;
  }

  /// Straight ahead, at any speed, is what the person wants.
  void mind_ground(const VelocityFan& fan, Costs& costs) const {
    GroundPrice price(view_, slot_, numbers_[ground_strength], speed_);
    if (!price.counts()) return;
    std::array<double, VelocityFan::capacity> means;
    for (std::size_t k = 0; k < fan.count; ++k) {
      const Vec2 velocity{fan.x[k], fan.y[k]};
      means[k] = price.take(velocity, double(fan.time[k]) * std::sqrt(squared_length(velocity)));
    }
    for (std::size_t k = 0; k < fan.count; ++k) {
      const bool is_wanted = std::abs(cross(desired_, Vec2{fan.x[k], fan.y[k]})) <= straight_ahead * speed_ * speed_;
      if (!is_wanted) costs[k] *= float(price.factor(means[k]));
    }
  }

  /// Somebody around.
  struct Near {
    Vec2 offset, walk;
    double radii = 0, reach = 0;  ///< of both bodies; with the personal space
  };

  void gather_people() {
    const People& people = view_.people;
    const std::span<const Slot> others = view_.perception->neighbours(slot_);
    for (std::size_t i = 0; i < others.size(); ++i) {
      const Slot other = others[i];
      const Vec2 offset = people.position[other] - people.position[slot_];
      const Vec2 velocity = people.velocity[other];
      const double radii = people.radius[slot_] + people.radius[other];
      // Of who overlaps only the part that leads away counts: one can do nothing but not come closer oneself.
      const bool comes_on =
          numbers_[comers_stand] > 0 && squared_length(offset) < radii * radii && dot(offset, velocity) < 0;
      found_[i] = {
          offset, comes_on ? Vec2{} : velocity, radii,
          kept_by_personal_space(people, slot_, other, numbers_[personal_space], numbers_[space_gives_way] > 0)};
    }
    std::size_t count = others.size();
    for (const BodyBetween& body : bodies_between(view_, slot_, numbers_[around_groups])) {
      const double radii = people.radius[slot_] + body.radius;
      found_[count++] = {body.position - people.position[slot_], body.velocity, radii, radii};
    }
    people_ = std::span<const Near>(found_.data(), count);
  }

  [[nodiscard]] double first_collision() const {
    double time = never<double>;
    for (const Near& other : people_)
      time = std::min(time, time_to_disc(other.offset, desired_ - other.walk, other.reach));
    return time;
  }

  /// From straight ahead to the widest turns, the right one of two first, and fast before slow.
  void spread(VelocityFan& fan, double time) const {
    fan.clear();
    const Speeds paces = speeds(time, numbers_);
    const double widest = largest_turn(time, numbers_);
    const auto add = [&](Vec2 direction) {
      for (std::size_t i = 0; i < paces.count; ++i) fan.add(direction * paces.parts[i]);
    };
    add(desired_);
    int last = 0;
    for (int k = 1; k <= turns_a_side; ++k) {
      const int degrees = int(std::floor(widest * k / turns_a_side + 0.5));
      if (degrees == last) continue;
      last = degrees;
      const Vec2 turn = by_degrees()[std::size_t(degrees)];
      const Vec2 across = perpendicular(desired_) * turn.y;
      add(desired_ * turn.x - across);
      add(desired_ * turn.x + across);
    }
    if (time < numbers_[shortest_time]) fan.add({});
  }

  /// What is published.
  void weigh(const VelocityFan& fan, Costs& costs) const {
    const auto wx = float(desired_.x), wy = float(desired_.y);
    const auto per_speed = float(1 / speed_), per_limit = float(1 / (numbers_[speed_factor] * speed_));
    const auto now = float(std::sqrt(squared_length(view_.people.walking[slot_])));
    const auto alpha = float(numbers_[turning]) / 2, beta = float(numbers_[speed_change]) * per_limit;
    const auto gamma = float(numbers_[deviation]) * per_limit / 2, delta = float(numbers_[collision]);
    const auto longest = float(numbers_[longest_time]);
    for (std::size_t k = 0; k < fan.padded(); ++k) {
      const float x = fan.x[k], y = fan.y[k];
      const float pace = std::sqrt(x * x + y * y);
      const float along = (x * wx + y * wy) * per_speed;
      const float dx = x - wx, dy = y - wy;
      const float off = std::sqrt(dx * dx + dy * dy);
      const float turn = pace > 0 ? 1 - along / pace : 0.0F;
      const float sooner = fan.time[k] < longest ? (longest - fan.time[k]) / longest : 0.0F;
      costs[k] = alpha * turn + beta * std::abs(pace - now) + gamma * off + delta * sooner;
    }
  }

  const AvoidView& view_;
  Slot slot_;
  VelocityBounds& bounds_;
  const double* numbers_;
  Admission admission_;
  Vec2 desired_{};
  double speed_ = 0;  ///< preferred, of desired_
  std::array<Near, Perception::capacity + most_between> found_;
  std::span<const Near> people_;
};

class Karamouzas final : public Avoider {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{"karamouzas",
                                 "avoids foreseen collisions early and with little effort (Karamouzas, Overmars 2010)",
                                 parameters()};
    return info;
  }

  [[nodiscard]] Needs needs(const double* numbers) const override {
    return {.most = std::uint32_t(numbers[neighbours]),
            .range = numbers[range],
            .view_cosine = half_view_cosine(numbers[half_view_degrees]),
            .wall_range = numbers[wall_range],
            .wall_seconds = numbers[wall_horizon],
            .speed_limit = numbers[speed_factor]};
  }

  [[nodiscard]] bool weighs_candidates() const override { return true; }
  [[nodiscard]] double relaxation(const double* numbers) const override { return numbers[relaxation_seconds]; }
  [[nodiscard]] double speed_limit(const double* numbers) const override { return numbers[speed_factor]; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    VelocityFan fan;
    VelocityBounds bounds;
    for (const Slot slot : who) {
      const double* numbers = view.parameters.of(slot);
      new_velocity[slot] =
          keeping_headway(view, slot, Chooser(view, slot, bounds).choose(fan), numbers[headway], numbers[standstill]);
    }
  }
};

}  // namespace

const Avoider& karamouzas() {
  static const Karamouzas method;
  return method;
}

}  // namespace throng::steering
