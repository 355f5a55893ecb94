#include "steering/moussaid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "steering/admission.hpp"
#include "steering/common_numbers.hpp"
#include "steering/field_of_view.hpp"
#include "steering/free_distance.hpp"
#include "steering/ground_price.hpp"
#include "steering/headway.hpp"
#include "steering/opposition.hpp"
#include "steering/sidestep.hpp"
#include "steering/speed_limit.hpp"
#include "steering/wall_parts.hpp"

namespace throng::steering {
namespace {

enum Number {
  relaxation_time,
  view_distance,
  half_view_degrees,
  angular_step_degrees,
  neighbours,
  half_notice_degrees,
  notice_bodies,
  wall_range,
  keep_right,
  sidestep,
  relaxation_seconds,
  speed_factor,
  speed_from,
  turn_first,
  ground_strength,
  around_groups,
  headway,
  standstill
};

/// What `speed_from` counts: the way to the first collision, or the way that is free at this moment.
enum SpeedFrom { from_collision, from_distance };

/// What the two papers say where they differ.
struct Published {
  std::string_view source;
  std::string_view view_source;
  double half_view;  ///< degrees
  bool sees_bodies;  ///< somebody of whom any point is in view, or whose centre is
  SpeedFrom speed;
};
constexpr Published original{"Moussaid et al. 2011", "Moussaid et al. 2011", 75, false, from_distance};
constexpr Published jaklin{"Jaklin 2016, 10.3.5", "Jaklin 2016, 10.4.1", 90, true, from_collision};

std::vector<agents::Parameter> parameters(const Published& paper) {
  return {
      {"relaxation_time", 0.5, 0.01, 10, "s", "tau: time to keep between oneself and a collision"},
      {"view_distance", 10, 0.1, 100, "m", "d_max: how far people look ahead"},
      {"half_view_degrees", 75, 5, 180, "degrees", "phi: half the field of view", paper.half_view, paper.view_source},
      {"angular_step_degrees", 5, 1, 45, "degrees", "between directions that are looked at"},
      neighbours_number(Perception::capacity, "Moussaid et al. 2011: all in view"),
      {"half_notice_degrees", 105, 5, 180, "degrees", "people are noticed up to this angle from the heading",
       paper.half_view, paper.view_source},
      {"notice_bodies", 0, 0, 1, "", "1: who has any part of the body in that angle is noticed; 0: whose centre is",
       paper.sees_bodies ? 1 : 0, "Jaklin 2016, 10.2.1"},
      wall_range_number(3, 10, "Moussaid et al. 2011: d_max"),
      keep_right_number(),
      sidestep_number(),
      relaxation_number(0.5, "Moussaid et al. 2011; Jaklin 2016, 10.4.1"),
      speed_limit_number(1, paper.source),
      {"speed_from",
       double(from_collision),
       0,
       1,
       "",
       "what the speed goes by: the way to the first collision, or the distance that is free now",
       double(paper.speed),
       paper.source,
       {"collision", "distance"}},
      {"turn_first", 1, 0, 1, "", "1: who wants to go where it does not look turns there at once; 0: by what it sees",
       0, "ours"},
      ground_number(),
      around_groups_number(),
      headway_number(),
      standstill_number(),
  };
}

/// Directions around the preferred one, by their angle to it: for one field of view and step.
class Turns {
 public:
  /// Does nothing while the numbers stay the same.
  void set(double step_degrees, double half_view_degrees) {
    if (half_view_degrees != half_view_) view_cosine_ = half_view_cosine(half_view_degrees) - 1e-9;
    half_view_ = half_view_degrees;
    if (step_degrees == step_) return;
    step_ = step_degrees;
    most_ = int(std::floor(180 / step_degrees + 1e-9));
    if (most_ * step_degrees > 180 - 1e-6) --most_;  // half a turn, left and right, is one direction
    for (int k = 0; k <= most_; ++k) {
      const Vec2 turn = geometry::unit_direction(k * step_degrees / 360);
      cosine_[at(k)] = cosine_[at(-k)] = turn.x;
      sine_[at(k)] = turn.y;
      sine_[at(-k)] = -turn.y;
    }
  }
  /// Turns are by k steps counterclockwise, |k| <= most().
  [[nodiscard]] int most() const { return most_; }
  [[nodiscard]] double view_cosine() const { return view_cosine_; }
  [[nodiscard]] const double* cosine(int k) const { return &cosine_[at(k)]; }
  [[nodiscard]] const double* sine(int k) const { return &sine_[at(k)]; }
  [[nodiscard]] Vec2 operator[](int k) const { return {cosine_[at(k)], sine_[at(k)]}; }

 private:
  static std::size_t at(int k) { return std::size_t(k + 180); }

  double step_ = 0, half_view_ = 0, view_cosine_ = -1;
  int most_ = 0;
  // With room for the directions that fill up the last eight.
  std::array<double, DirectionFan::capacity + 8> cosine_{}, sine_{};
};

Vec2 rotated(Vec2 v, Vec2 turn) { return {v.x * turn.x - v.y * turn.y, v.x * turn.y + v.y * turn.x}; }

/// By direction.
using Costs = std::array<float, DirectionFan::capacity>;

/// How far each direction is free.
struct Fans {
  DirectionFan ahead;  ///< until the first collision
  DirectionFan now;    ///< if everybody stood still; filled where the speed goes by it
};

/// One person at work.
class Chooser {
 public:
  Chooser(const AvoidView& view, Slot slot, const Turns& turns, bool no_overshoot)
      : view_(view),
        slot_(slot),
        turns_(turns),
        numbers_(view.parameters.of(slot)),
        admission_(view, slot),
        no_overshoot_(no_overshoot) {}

  [[nodiscard]] Vec2 choose(Fans& fans) {
    const Vec2 preferred = view_.preferred_velocity[slot_];
    const double speed = std::sqrt(squared_length(preferred));
    if (!(speed > 0)) return {};
    speed_ = std::min(speed, speed_limit(view_.people, slot_, numbers_[speed_factor]));
    ahead_ = preferred / speed;
    if (numbers_[keep_right] > 0)
      ahead_ = bearing_right(ahead_, opposition(view_, slot_, ahead_) * numbers_[keep_right]);
    const Choice found = look_around(fans);
    const Vec2 wanted = ahead_ * speed_;
    const Vec2 aside = wanted_aside(view_, slot_, wanted, found.velocity, numbers_[sidestep]);
    if (aside == wanted) return found.velocity;
    ahead_ = aside / speed_;
    return better(found, look_around(fans)).velocity;
  }

 private:
  [[nodiscard]] bool goes_by_distance() const { return numbers_[speed_from] == double(from_distance); }

  [[nodiscard]] Choice look_around(Fans& fans) {
    first_ = last_ = 0;
    spread(fans.ahead);
    look(fans.ahead, 1);
    if (goes_by_distance()) {
      aim(fans.now);
      look(fans.now, 0);
    }
    return best(fans);
  }

  /// Which turns lie in the field of view.
  void spread(DirectionFan& fan) {
    const Vec2 heading = view_.people.heading[slot_];
    const bool is_in_view = dot(ahead_, heading) >= turns_.view_cosine();
    const Vec2 sight = is_in_view || !(numbers_[turn_first] > 0) ? heading : ahead_;
    const double along = dot(ahead_, sight);
    const double across = dot(perpendicular(ahead_), sight);
    const auto sees = [&](int k) { return turns_[k].x * along + turns_[k].y * across >= turns_.view_cosine(); };
    if (!is_in_view && sight == heading) first_ = last_ = straightest(along, across);
    while (first_ > -turns_.most() && sees(first_ - 1)) --first_;
    while (last_ < turns_.most() && sees(last_ + 1)) ++last_;
    aim(fan);
  }

  /// The turn that leads nearest to where the person looks.
  [[nodiscard]] int straightest(double along, double across) const {
    int best = 0;
    const auto off = [&](int k) { return turns_[k].x * along + turns_[k].y * across; };
    for (int k = -turns_.most(); k <= turns_.most(); ++k)
      if (off(k) > off(best)) best = k;
    return best;
  }

  /// Fills the fan with the turns from first_ to last_.
  void aim(DirectionFan& fan) const {
    fan.speed = float(speed_);
    fan.count = (std::size_t(last_ - first_ + 1) + 7) / 8 * 8;
    steering::aim(fan, ahead_, turns_.cosine(first_), turns_.sine(first_));
  }

  /// Others keep their velocities, or so much of them.
  void look(DirectionFan& fan, double part) const {
    const People& people = view_.people;
    const Vec2 here = people.position[slot_];
    const double notice_cosine = numbers_[notice_bodies] > 0 ? half_view_cosine(numbers_[half_notice_degrees]) : -1;
    for (const Slot other : view_.perception->neighbours(slot_))
      if (notice_cosine <= -1 ||
          body_in_view(people.heading[slot_], people.position[other] - here, people.radius[other], notice_cosine))
        limit_by_body(fan, people.position[other] - here, people.velocity[other] * part,
                      people.radius[slot_] + people.radius[other]);
    for (const BodyBetween& body : bodies_between(view_, slot_, numbers_[around_groups]))
      limit_by_body(fan, body.position - here, body.velocity * part, people.radius[slot_] + body.radius);
    const double reach = numbers_[view_distance] + people.radius[slot_];
    for_each_wall_part(
        *people.mesh, view_.perception->walls(slot_), here, reach,
        [&](Vec2 a, Vec2 b) { limit_by_wall(fan, a, b, people.radius[slot_]); },
        [&](Vec2 end) { limit_by_point(fan, end, people.radius[slot_] - tolerance::wall_end); });
  }

  [[nodiscard]] Vec2 velocity(int k, const Fans& fans) const {
    const double free = (goes_by_distance() ? fans.now : fans.ahead).distance[std::size_t(k - first_)];
    return rotated(ahead_, turns_[k]) * std::min(speed_, free / numbers_[relaxation_time]);
  }

  /// Where no direction has a cost that is a number, one stands.
  [[nodiscard]] Choice best(const Fans& fans) const {
    const DirectionFan& fan = fans.ahead;
    Costs costs;
    evaluate(fan, costs);
    mind_ground(fans, costs);
    const bool is_allowed = !admission_.has_rules() || forbid(fans, costs);
    const float least = least_of(costs, fan.count);
    int best = 0;
    float free = -1;
    for (int k = first_; k <= last_; ++k) {
      const auto i = std::size_t(k - first_);
      if (costs[i] != least || fan.distance[i] < free) continue;
      // From right to left: of two as far from the preferred direction the first stays.
      if (fan.distance[i] > free || std::abs(k) < std::abs(best)) best = k, free = fan.distance[i];
    }
    return {free < 0 ? Vec2{} : velocity(best, fans), is_allowed};
  }

  /// Costs are squared distances but for a constant, which counts here.
  void mind_ground(const Fans& fans, Costs& costs) const {
    GroundPrice price(view_, slot_, numbers_[ground_strength], speed_);
    if (!price.counts()) return;
    std::array<double, DirectionFan::capacity> means;
    for (int k = first_; k <= last_; ++k) {
      const auto i = std::size_t(k - first_);
      means[i] = price.take(rotated(ahead_, turns_[k]) * speed_, fans.ahead.distance[i]);
    }
    const auto all = float(numbers_[view_distance] * numbers_[view_distance]);
    for (int k = first_; k <= last_; ++k) {
      const auto i = std::size_t(k - first_);
      if (k != 0) costs[i] = (costs[i] + all) * float(price.factor(means[i])) - all;
    }
  }

  /// Takes out what rules from outside do not allow; false where that would leave nothing.
  bool forbid(const Fans& fans, Costs& costs) const {
    std::array<Vec2, DirectionFan::capacity> velocities;
    std::array<std::uint8_t, DirectionFan::capacity> allowed;
    const auto count = std::size_t(last_ - first_ + 1);
    for (std::size_t i = 0; i < count; ++i) velocities[i] = velocity(first_ + int(i), fans);
    const bool is_any_left = admission_.filter(std::span(velocities).first(count), std::span(allowed).first(count));
    for (std::size_t i = 0; i < count; ++i)
      if (allowed[i] == 0) costs[i] = std::numeric_limits<float>::infinity();
    return is_any_left;
  }

  static float least_of(const Costs& costs, std::size_t count) {
    // Eight at a time, which compilers turn into vectors; of one at a time they must keep the order.
    std::array<float, 8> least;
    least.fill(std::numeric_limits<float>::infinity());
    for (std::size_t i = 0; i < count; i += 8)
      for (std::size_t lane = 0; lane < 8; ++lane)
        least[lane] = costs[i + lane] < least[lane] ? costs[i + lane] : least[lane];
    return *std::min_element(least.begin(), least.end());
  }

  /// Squared distances from the ends of the free stretches to the point that far ahead, but for a constant.
  void evaluate(const DirectionFan& fan, Costs& costs) const {
    const auto far = float(numbers_[view_distance]);
    const double* cosines = turns_.cosine(first_);
    for (std::size_t i = 0; i < fan.count; ++i) {
      const auto foot = far * float(cosines[i]);
      const float most = no_overshoot_ ? (foot > 0 ? foot : 0.0F) : far;
      const float stretch = fan.distance[i] < most ? fan.distance[i] : most;
      costs[i] = stretch * (stretch - 2 * foot);
    }
    for (auto i = std::size_t(last_ - first_ + 1); i < fan.count; ++i)
      costs[i] = std::numeric_limits<float>::infinity();
  }

  const AvoidView& view_;
  Slot slot_;
  const Turns& turns_;
  const double* numbers_;
  Admission admission_;
  bool no_overshoot_;
  double speed_ = 0;
  Vec2 ahead_;
  int first_ = 0, last_ = 0;  ///< turns in view
};

class Moussaid final : public Avoider {
 public:
  Moussaid(std::string_view name, std::string_view help, const Published& paper, bool no_overshoot)
      : info_{name, help, parameters(paper)}, no_overshoot_(no_overshoot) {}

  [[nodiscard]] const MethodInfo& info() const override { return info_; }

  [[nodiscard]] Needs needs(const double* numbers) const override {
    return {.most = std::uint32_t(numbers[neighbours]),
            .range = numbers[view_distance],
            .view_cosine = numbers[notice_bodies] > 0 ? -1 : half_view_cosine(numbers[half_notice_degrees]),
            .wall_range = std::min(numbers[wall_range], numbers[view_distance])};
  }

  [[nodiscard]] bool weighs_candidates() const override { return true; }
  [[nodiscard]] double relaxation(const double* numbers) const override { return numbers[relaxation_seconds]; }
  [[nodiscard]] double speed_limit(const double* numbers) const override { return numbers[speed_factor]; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    thread_local Turns turns;  // people of all chunks mostly turn alike
    thread_local Fans fans;
    for (const Slot slot : who) {
      const double* numbers = view.parameters.of(slot);
      turns.set(numbers[angular_step_degrees], numbers[half_view_degrees]);
      const Vec2 chosen = Chooser(view, slot, turns, no_overshoot_).choose(fans);
      new_velocity[slot] = keeping_headway(view, slot, chosen, numbers[headway], numbers[standstill]);
    }
  }

 private:
  MethodInfo info_;
  bool no_overshoot_;
};

}  // namespace

const Avoider& moussaid() {
  static const Moussaid method(
      "moussaid", "free distances along a fan of directions (Moussaid, Helbing, Theraulaz 2011)", original, false);
  return method;
}

const Avoider& moussaid_jaklin() {
  static const Moussaid method("moussaid_jaklin",
                               "moussaid that counts no free way past the point it heads for (Jaklin 2016, 10.3.5)",
                               jaklin, true);
  return method;
}

}  // namespace throng::steering
