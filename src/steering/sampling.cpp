#include "steering/sampling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "steering/field_of_view.hpp"
#include "steering/opposition.hpp"
#include "steering/speed_limit.hpp"
#include "steering/time_to_collision.hpp"
#include "steering/velocity_bounds.hpp"
#include "steering/velocity_fan.hpp"
#include "steering/wall_parts.hpp"

namespace throng::steering {
namespace {

enum Number { view_distance, standing, half_view_degrees, range, neighbours, wall_range, wall_horizon, sidestep };

std::vector<agents::Parameter> parameters() {
  return {
      {"view_distance", 5, 0.1, 100, "m", "d_max: collisions farther than this do not count"},
      {"standing", 1.5, 0, 100, "m", "free way that standing still counts as"},
      {"half_view_degrees", 90, 5, 180, "degrees", "people are noticed up to this angle from the heading"},
      {"range", 10, 0.1, 100, "m", "people farther than this are not taken into account"},
      {"neighbours", 10, 0, Perception::capacity, "", "people taken into account, nearest first"},
      {"wall_range", 5, 0, 100, "m", "walls farther than this are not taken into account"},
      {"wall_horizon", 0.5, 0.05, 60, "s", "no collision with walls for this long"},
      {"sidestep", 1, 0, 10, "", "how far people who are slowed down turn to the right; 0: as published"},
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
  Chooser(const AvoidView& view, Slot slot) : view_(view), slot_(slot), numbers_(view.parameters.of(slot)) {}

  [[nodiscard]] Vec2 choose(VelocityFan& fan) {
    preferred_ = limited(view_.preferred_velocity[slot_], speed_limit(view_.people, slot_));
    speed_ = std::sqrt(squared_length(preferred_));
    if (!(speed_ > 0)) return {};
    const Vec2 found = look_around(fan);
    const double lost = 1 - 2 * std::sqrt(squared_length(found)) / speed_;
    if (!(lost > 0 && numbers_[sidestep] > 0 && opposition(view_, slot_, preferred_ / speed_, close_ahead) > 0))
      return found;
    preferred_ = bearing_right(preferred_, lost * numbers_[sidestep]);
    const Vec2 aside = look_around(fan);
    return squared_length(aside) > squared_length(found) ? aside : found;
  }

 private:
  [[nodiscard]] Vec2 look_around(VelocityFan& fan) const {
    spread(fan);
    fan.start();
    meet_walls(fan);
    const People& people = view_.people;
    for (const Slot other : view_.perception->neighbours(slot_))
      fan.meet_body(people.position[other] - people.position[slot_], people.velocity[other],
                    people.radius[slot_] + people.radius[other]);
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
        [&](Vec2 end) { fan.meet_body(end, {}, radius - grazing); });
    std::fill_n(fan.time.begin(), straight, never<float>);
  }

  [[nodiscard]] Vec2 best(const VelocityFan& fan) const {
    const Vec2 now = view_.people.walking[slot_];
    const double off_preferred = geometry::arc_tangent(cross(preferred_, now), dot(preferred_, now));
    const double way = numbers_[view_distance];
    std::size_t best = moving;
    double least = way - std::min(way, numbers_[standing]) + 1;
    for (std::size_t k = 0; k < moving; ++k) {
      const bool is_slow = k < straight ? k == 1 : (k - straight) % 4 >= 2;
      const double pace = is_slow ? slow * speed_ : speed_;
      const double turn = turn_of()[k];
      double change = now == Vec2{} ? 0 : std::abs(turn - off_preferred);
      change = std::min(change, 2 * std::numbers::pi - change);
      const double cost =
          way - std::min(way, pace * double(fan.time[k])) + std::abs(turn) + change + (is_slow ? slow : 0);
      // Standing is the last resort: of equals one walks.
      if (cost < least || (best == moving && cost == least)) best = k, least = cost;
    }
    return best == 0 ? preferred_ : Vec2{fan.x[best], fan.y[best]};
  }

  const AvoidView& view_;
  Slot slot_;
  const double* numbers_;
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

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    VelocityFan fan;
    VelocityBounds bounds;
    for (const Slot slot : who) {
      const Vec2 chosen = Chooser(view, slot).choose(fan);
      bounds.gather(view, slot, view.parameters.of(slot)[wall_horizon]);
      new_velocity[slot] = bounds.nearest(chosen);
    }
  }
};

}  // namespace

const Avoider& sampling() {
  static const Sampling method;
  return method;
}

}  // namespace throng::steering
