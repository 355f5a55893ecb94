#include "steering/moussaid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "geometry/elementary.hpp"
#include "steering/free_distance.hpp"
#include "steering/speed_limit.hpp"

namespace throng::steering {
namespace {

enum Number { relaxation_time, view_distance, half_view_degrees, angular_step_degrees, neighbours, wall_range };

std::vector<following::Parameter> parameters() {
  return {
      {"relaxation_time", 0.5, 0.01, 10, "s", "tau: time to keep between oneself and a collision"},
      {"view_distance", 10, 0.1, 100, "m", "d_max: how far people look ahead"},
      {"half_view_degrees", 75, 5, 180, "degrees", "phi: half the field of view"},
      {"angular_step_degrees", 5, 1, 45, "degrees", "between directions that are looked at"},
      {"neighbours", 10, 0, Perception::capacity, "", "people taken into account, nearest first"},
      {"wall_range", 5, 0, 100, "m", "walls farther than this are not taken into account"},
  };
}

/// Directions around the preferred one, by their angle to it: for one field of view and step.
class Turns {
 public:
  /// k steps counterclockwise of the preferred direction, |k| <= most(); O(1) while the step stays the same.
  void set(double step_degrees) {
    if (step_degrees == step_) return;
    step_ = step_degrees;
    most_ = int(std::floor(180 / step_degrees + 1e-9));
    if (most_ * step_degrees > 180 - 1e-6) --most_;  // half a turn, left and right, is one direction
    for (int k = 0; k <= most_; ++k) turn_[std::size_t(k)] = geometry::unit_direction(k * step_degrees / 360);
  }
  [[nodiscard]] int most() const { return most_; }
  /// Cosine and sine.
  [[nodiscard]] Vec2 operator[](int k) const {
    const Vec2 turn = turn_[std::size_t(std::abs(k))];
    return {turn.x, k < 0 ? -turn.y : turn.y};
  }

 private:
  double step_ = 0;
  int most_ = 0;
  std::array<Vec2, 181> turn_;
};

Vec2 rotated(Vec2 v, Vec2 turn) { return {v.x * turn.x - v.y * turn.y, v.x * turn.y + v.y * turn.x}; }

/// Walls are capsules around their segments. Ends that two walls share count once, and not where they meet in a corner that
/// cannot be run into.
void limit_by_walls(DirectionFan& fan, const navmesh::Mesh& mesh, std::span<const Index> walls, Vec2 from,
                    double radius, double reach) {
  for (const Index wall : walls) {
    const navmesh::Site& site = mesh.sites[wall];
    limit_by_wall(fan, site.a - from, site.b - from, radius);
    const auto near = [&](Vec2 p) { return squared_length(p - from) <= reach * reach; };
    bool shielded = false;
    bool shared = false;
    for (const Index other : walls) {
      const navmesh::Site& next = mesh.sites[other];
      shielded |= next.a == site.b && cross(site.b - site.a, next.b - next.a) > 0;
      shared |= next.b == site.a;
    }
    if (!shielded && near(site.b)) limit_by_point(fan, site.b - from, radius);
    if (!shared && near(site.a)) limit_by_point(fan, site.a - from, radius);
  }
}

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
    spread(fan);
    look(fan);
    return best(fan);
  }

 private:
  /// Which turns lie in the field of view.
  void spread(DirectionFan& fan) {
    const double view_cosine = geometry::unit_direction(numbers_[half_view_degrees] / 360).x - 1e-9;
    const bool in_view = dot(ahead_, view_.people.heading[slot_]) >= view_cosine;
    const Vec2 sight = in_view ? view_.people.heading[slot_] : ahead_;
    const auto sees = [&](int k) { return dot(rotated(ahead_, turns_[k]), sight) >= view_cosine; };
    while (first_ > -turns_.most() && sees(first_ - 1)) --first_;
    while (last_ < turns_.most() && sees(last_ + 1)) ++last_;
    fan.speed = float(speed_);
    fan.count = (std::size_t(last_ - first_ + 1) + 7) / 8 * 8;
    for (std::size_t i = 0; i < fan.count; ++i) {
      const Vec2 direction = rotated(ahead_, turns_[std::min(first_ + int(i), last_)]);
      fan.x[i] = float(direction.x);
      fan.y[i] = float(direction.y);
      fan.distance[i] = std::numeric_limits<float>::infinity();
    }
  }

  void look(DirectionFan& fan) const {
    const People& people = view_.people;
    const Vec2 here = people.position[slot_];
    for (const Slot other : view_.perception->neighbours(slot_))
      limit_by_body(fan, people.position[other] - here, people.velocity[other],
                    people.radius[slot_] + people.radius[other]);
    const double reach = numbers_[view_distance] + people.radius[slot_];
    limit_by_walls(fan, *people.mesh, view_.perception->walls(slot_), here, people.radius[slot_], reach);
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
    struct Choice {
      int turn = 0;
      double cost = std::numeric_limits<double>::infinity(), free = 0;
      bool allowed = false;
    } best;
    const auto consider = [&](int k) {
      const double free = fan.distance[std::size_t(k - first_)];
      const Choice choice{k, cost(turns_[k].x, free), free, allowed(velocity(k, free))};
      if (choice.allowed != best.allowed
              ? choice.allowed
              : choice.cost < best.cost || (choice.cost == best.cost && choice.free > best.free))
        best = choice;
    };
    // From the preferred direction outwards, right before left: later ones must be better to win.
    consider(0);
    for (int k = 1; k <= std::max(last_, -first_); ++k) {
      if (-k >= first_) consider(-k);
      if (k <= last_) consider(k);
    }
    return velocity(best.turn, best.free);
  }

  /// Squared distance from the end of the free stretch to the point that far ahead, but for a constant.
  [[nodiscard]] double cost(double cosine, double free) const {
    const double far = numbers_[view_distance];
    double stretch = std::min(free, far);
    if (no_overshoot_) stretch = std::min(stretch, std::max(0.0, far * cosine));
    return stretch * (stretch - 2 * far * cosine);
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
            .view_cosine = geometry::unit_direction(numbers[half_view_degrees] / 360).x,
            .wall_range = std::min(numbers[wall_range], numbers[view_distance])};
  }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    Turns turns;
    DirectionFan fan;
    for (const Slot slot : who) {
      turns.set(view.parameters.of(slot)[angular_step_degrees]);
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
