#include "steering/karamouzas.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "steering/field_of_view.hpp"
#include "steering/opposition.hpp"
#include "steering/personal_space.hpp"
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
  sidestep
};

std::vector<agents::Parameter> parameters() {
  return {
      {"personal_space", 0.5, 0, 10, "m", "rho: radius of the disc that others should stay out of"},
      {"shortest_time", 2.5, 0.01, 60, "s", "t_min: collisions sooner than this may change the speed at will"},
      {"middle_time", 6, 0.01, 60, "s", "t_mid: collisions later than this allow smaller turns"},
      {"longest_time", 8, 0.01, 60, "s", "t_max: collisions later than this do not count"},
      {"turning", 1, 0, 1000, "", "alpha: cost of turning away from the preferred direction"},
      {"speed_change", 0.05, 0, 1000, "", "beta: cost of changing the speed"},
      {"deviation", 2, 0, 1000, "", "gamma: cost of leaving the preferred velocity"},
      {"collision", 1, 0, 1000, "", "delta: cost of a collision, the sooner the dearer"},
      {"last_moment", 0.5, 0, 60, "s", "collisions sooner than this weigh more than all else; 0: as published"},
      {"half_view_degrees", 100, 5, 180, "degrees", "people are noticed up to this angle from the heading"},
      {"range", 10, 0.1, 100, "m", "people farther than this are not taken into account"},
      {"neighbours", 10, 0, Perception::capacity, "", "people taken into account, nearest first"},
      {"wall_range", 3, 0, 100, "m", "walls farther than this are not taken into account"},
      {"wall_horizon", 0.5, 0.05, 60, "s", "no collision with walls for this long"},
      {"sidestep", 1, 0, 10, "", "how far people who are slowed down turn to the right; 0: as published"},
  };
}

/// Cost of a collision at once: far more than turning back and standing still cost together.
constexpr float dearest = 10;
/// The largest turns, in degrees: of collisions that are near, and of those that are not.
constexpr double wide_turn = 90, slight_turn = 30;
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
std::span<const double> speeds(double time, const double* numbers) {
  static constexpr double any[] = {speed_limit_factor, 1, 0.6, 0.15};
  static constexpr double about[] = {speed_limit_factor, 1, 2 - speed_limit_factor};
  if (time < numbers[shortest_time]) return any;
  if (time < numbers[longest_time]) return about;
  return std::span(any).subspan(1, 1);
}

/// By velocity.
using Costs = std::array<float, VelocityFan::capacity>;

/// One person at work.
class Chooser {
 public:
  Chooser(const AvoidView& view, Slot slot, VelocityBounds& bounds)
      : view_(view), slot_(slot), bounds_(bounds), numbers_(view.parameters.of(slot)) {}

  [[nodiscard]] Vec2 choose(VelocityFan& fan) {
    bounds_.gather(view_, slot_, numbers_[wall_horizon]);
    desired_ = limited(view_.preferred_velocity[slot_], speed_limit(view_.people, slot_));
    speed_ = std::sqrt(squared_length(desired_));
    if (!(speed_ > 0)) return bounds_.nearest({});
    gather_people();
    Vec2 found = look_around(fan);
    const double lost = 1 - 2 * std::sqrt(squared_length(found)) / speed_;
    if (lost > 0 && numbers_[sidestep] > 0 && opposition(view_, slot_, desired_ / speed_, close_ahead) > 0) {
      desired_ = bearing_right(desired_, lost * numbers_[sidestep]);
      const Vec2 aside = look_around(fan);
      if (squared_length(aside) > squared_length(found)) found = aside;
    }
    return bounds_.nearest(found);
  }

 private:
  [[nodiscard]] Vec2 look_around(VelocityFan& fan) const {
    const double time = first_collision();
    if (time >= numbers_[longest_time]) return desired_;
    spread(fan, time);
    fan.start();
    fan.keep_off(bounds_.walls());
    for (const Near& other : people_) fan.meet_body(other.offset, other.walk, other.reach);
    Costs costs;
    weigh(fan, costs);
    add_last_moment(fan, costs);
    const auto best = std::min_element(costs.begin(), costs.begin() + std::ptrdiff_t(fan.count)) - costs.begin();
    return {fan.x[std::size_t(best)], fan.y[std::size_t(best)]};
  }

  /// Bodies that are about to touch; the personal space does not matter any more.
  void add_last_moment(VelocityFan& fan, Costs& costs) const {
    const double last = numbers_[last_moment];
    fan.start();
    bool any = false;
    for (const Near& other : people_) {
      // Where it comes nearest to where one stands, and how far one could have come by then, at most.
      const double nearest =
          std::clamp(-dot(other.offset, other.walk) / std::max(squared_length(other.walk), 1e-12), 0.0, last);
      const double far = other.radii + speed_limit_factor * speed_ * last;
      if (squared_length(other.offset + other.walk * nearest) >= far * far) continue;
      any = true;
      fan.meet_body(other.offset, other.walk, other.radii);
    }
    if (!any) return;
    const auto moment = float(last);
    for (std::size_t k = 0; k < fan.padded(); ++k)
      costs[k] += fan.time[k] < moment ? dearest * (moment - fan.time[k]) / moment : 0.0F;
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
      const bool comes_on = squared_length(offset) < radii * radii && dot(offset, velocity) < 0;
      found_[i] = {offset, comes_on ? Vec2{} : velocity, radii,
                   kept_by_personal_space(people, slot_, other, numbers_[personal_space])};
    }
    people_ = std::span<const Near>(found_.data(), others.size());
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
    const std::span<const double> parts = speeds(time, numbers_);
    const double widest = largest_turn(time, numbers_);
    const auto add = [&](Vec2 direction) {
      for (const double part : parts) fan.add(direction * part);
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
    const auto per_speed = float(1 / speed_), per_limit = float(1 / (speed_limit_factor * speed_));
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
  Vec2 desired_{};
  double speed_ = 0;  ///< preferred, of desired_
  std::array<Near, Perception::capacity> found_;
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
            .wall_seconds = numbers[wall_horizon]};
  }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    VelocityFan fan;
    VelocityBounds bounds;
    for (const Slot slot : who) new_velocity[slot] = Chooser(view, slot, bounds).choose(fan);
  }
};

}  // namespace

const Avoider& karamouzas() {
  static const Karamouzas method;
  return method;
}

}  // namespace throng::steering
