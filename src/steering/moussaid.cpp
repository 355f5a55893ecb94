#include "steering/moussaid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/elementary.hpp"
#include "steering/field_of_view.hpp"
#include "steering/free_distance.hpp"
#include "steering/opposition.hpp"
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
  wall_range,
  keep_right,
  sidestep
};

std::vector<agents::Parameter> parameters() {
  return {
      {"relaxation_time", 0.5, 0.01, 10, "s", "tau: time to keep between oneself and a collision"},
      {"view_distance", 10, 0.1, 100, "m", "d_max: how far people look ahead"},
      {"half_view_degrees", 75, 5, 180, "degrees", "phi: half the field of view"},
      {"angular_step_degrees", 5, 1, 45, "degrees", "between directions that are looked at"},
      {"neighbours", 10, 0, Perception::capacity, "", "people taken into account, nearest first"},
      {"half_notice_degrees", 105, 5, 180, "degrees", "people are noticed up to this angle from the heading"},
      {"wall_range", 3, 0, 100, "m", "walls farther than this are not taken into account"},
      {"keep_right", 0.6, 0, 1, "quarter turns",
       "how far people bear to the right of a crowd that comes towards them; 0: as published"},
      {"sidestep", 1, 0, 10, "", "how far people who are slowed down turn to the right; 0: as published"},
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

/// One person at work.
class Chooser {
 public:
  Chooser(const AvoidView& view, Slot slot, const Turns& turns, bool no_overshoot)
      : view_(view), slot_(slot), turns_(turns), numbers_(view.parameters.of(slot)), no_overshoot_(no_overshoot) {}

  [[nodiscard]] Vec2 choose(DirectionFan& fan) {
    const Vec2 preferred = view_.preferred_velocity[slot_];
    const double speed = std::sqrt(squared_length(preferred));
    if (!(speed > 0)) return {};
    speed_ = std::min(speed, speed_limit(view_.people, slot_));
    ahead_ = preferred / speed;
    const bool counts = numbers_[keep_right] > 0 || numbers_[sidestep] > 0;
    const double opposed = counts ? opposition(view_, slot_, ahead_) : 0;
    ahead_ = bearing_right(ahead_, opposed * numbers_[keep_right]);
    const Vec2 found = look_around(fan);
    const double lost = 1 - 2 * std::sqrt(squared_length(found)) / speed_;
    return lost > 0 && numbers_[sidestep] > 0 && opposed > 0 ? step_aside(fan, found, lost * numbers_[sidestep])
                                                             : found;
  }

 private:
  [[nodiscard]] Vec2 look_around(DirectionFan& fan) {
    first_ = last_ = 0;
    spread(fan);
    look(fan);
    return best(fan);
  }

  /// Which turns lie in the field of view.
  void spread(DirectionFan& fan) {
    const Vec2 heading = view_.people.heading[slot_];
    const Vec2 sight = dot(ahead_, heading) >= turns_.view_cosine() ? heading : ahead_;
    const double along = dot(ahead_, sight);
    const double across = dot(perpendicular(ahead_), sight);
    const auto sees = [&](int k) { return turns_[k].x * along + turns_[k].y * across >= turns_.view_cosine(); };
    while (first_ > -turns_.most() && sees(first_ - 1)) --first_;
    while (last_ < turns_.most() && sees(last_ + 1)) ++last_;
    aim(fan);
  }

  /// Fills the fan with the turns from first_ to last_.
  void aim(DirectionFan& fan) const {
    fan.speed = float(speed_);
    fan.count = (std::size_t(last_ - first_ + 1) + 7) / 8 * 8;
    steering::aim(fan, ahead_, turns_.cosine(first_), turns_.sine(first_));
  }

  void look(DirectionFan& fan) const {
    const People& people = view_.people;
    const Vec2 here = people.position[slot_];
    for (const Slot other : view_.perception->neighbours(slot_))
      limit_by_body(fan, people.position[other] - here, people.velocity[other],
                    people.radius[slot_] + people.radius[other]);
    const double reach = numbers_[view_distance] + people.radius[slot_];
    for_each_wall_part(
        *people.mesh, view_.perception->walls(slot_), here, reach,
        [&](Vec2 a, Vec2 b) { limit_by_wall(fan, a, b, people.radius[slot_]); },
        [&](Vec2 end) { limit_by_point(fan, end, people.radius[slot_] - grazing); });
  }

  [[nodiscard]] bool allowed(Vec2 velocity) const {
    if (view_.constraints.empty()) return true;
    return std::ranges::all_of(view_.constraints[slot_], [&](const HalfPlane& plane) {
      return cross(plane.direction, velocity - plane.point) >= 0;
    });
  }

  [[nodiscard]] Vec2 velocity(int k, double free) const {
    return rotated(ahead_, turns_[k]) * std::min(speed_, free / numbers_[relaxation_time]);
  }

  [[nodiscard]] Vec2 best(const DirectionFan& fan) const {
    Costs costs;
    evaluate(fan, costs);
    if (!view_.constraints.empty() && !view_.constraints[slot_].empty()) forbid(fan, costs);
    const float least = least_of(costs, fan.count);
    int best = 0;
    float free = -1;
    for (int k = first_; k <= last_; ++k) {
      const auto i = std::size_t(k - first_);
      if (costs[i] != least || fan.distance[i] < free) continue;
      // From right to left: of two as far from the preferred direction the first stays.
      if (fan.distance[i] > free || std::abs(k) < std::abs(best)) best = k, free = fan.distance[i];
    }
    return velocity(best, free);
  }

  /// Takes out what the constraints do not allow, if that leaves anything.
  void forbid(const DirectionFan& fan, Costs& costs) const {
    Costs left = costs;
    bool any = false;
    for (int k = first_; k <= last_; ++k) {
      const auto i = std::size_t(k - first_);
      if (allowed(velocity(k, fan.distance[i])))
        any = true;
      else
        left[i] = std::numeric_limits<float>::infinity();
    }
    if (any) costs = left;
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

  /// The way out for who is slowed down: what one would do if one wanted to go to the right of where one wants to go, by up to a
  /// quarter turn, if that is quicker.
  [[nodiscard]] Vec2 step_aside(DirectionFan& fan, Vec2 otherwise, double turn) {
    ahead_ = bearing_right(ahead_, turn);
    const Vec2 found = look_around(fan);
    return squared_length(found) > squared_length(otherwise) ? found : otherwise;
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
  bool no_overshoot_;
  double speed_ = 0;
  Vec2 ahead_;
  int first_ = 0, last_ = 0;  ///< turns in view
};

class Moussaid final : public Avoider {
 public:
  Moussaid(std::string_view name, std::string_view help, bool no_overshoot)
      : info_{name, help, parameters()}, no_overshoot_(no_overshoot) {}

  [[nodiscard]] const MethodInfo& info() const override { return info_; }

  [[nodiscard]] Needs needs(const double* numbers) const override {
    return {.most = std::uint32_t(numbers[neighbours]),
            .range = numbers[view_distance],
            .view_cosine = half_view_cosine(numbers[half_notice_degrees]),
            .wall_range = std::min(numbers[wall_range], numbers[view_distance])};
  }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    thread_local Turns turns;  // people of all chunks mostly turn alike
    thread_local DirectionFan fan;
    for (const Slot slot : who) {
      const double* numbers = view.parameters.of(slot);
      turns.set(numbers[angular_step_degrees], numbers[half_view_degrees]);
      new_velocity[slot] = Chooser(view, slot, turns, no_overshoot_).choose(fan);
    }
  }

 private:
  MethodInfo info_;
  bool no_overshoot_;
};

}  // namespace

const Avoider& moussaid() {
  static const Moussaid method("moussaid",
                               "free distances along a fan of directions (Moussaid, Helbing, Theraulaz 2011)", false);
  return method;
}

const Avoider& moussaid_jaklin() {
  static const Moussaid method(
      "moussaid_jaklin", "moussaid that counts no free way past the point it heads for (Jaklin 2016, 10.3.5)", true);
  return method;
}

}  // namespace throng::steering
