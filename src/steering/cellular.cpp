#include "steering/cellular.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "navmesh/visibility.hpp"
#include "steering/admission.hpp"
#include "steering/common_numbers.hpp"
#include "steering/speed_limit.hpp"
#include "steering/velocity_bounds.hpp"

namespace throng::steering {
namespace {

enum Number { cell, look_ahead, body, neighbours, wall_range, wall_horizon, relaxation_seconds, speed_factor };

std::vector<agents::Parameter> parameters() {
  return {
      {"cell", 0.5, 0.05, 10, "m", "side of a cell: as wide as a body"},
      {"look_ahead", 4, 1, 20, "", "cells ahead that must be free"},
      {"body", 0.8, 0, 1, "",
       "how much of both bodies must not overlap in the middle of a free cell; 0: people take the cell of their centre",
       0, "Parsons 2010, 5.2.2"},
      neighbours_number(Perception::capacity, "Parsons 2010, 5.2.2: everybody"),
      wall_range_number(3),
      wall_horizon_number(),
      relaxation_number(0, "Parsons 2010, 5.2.2"),
      speed_limit_number(1, "Parsons 2010, 5.2.2: the preferred speed"),
  };
}

/// A column and a row. Doubles, because worlds may be wider than integers are.
struct Cell {
  double column = 0, row = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

/// Neighbours of a cell, counterclockwise from +x.
constexpr std::array<Cell, 8> around{{{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}}};
/// In which order they are tried, from the one ahead on.
constexpr std::array<int, 7> order{-1, 1, -2, 2, -3, 3, 4};

/// The neighbour that lies in this (unit) direction.
int neighbour_towards(Vec2 direction) {
  constexpr double half_eighth = 0.38268343236508977;  // sine of 22.5 degrees
  const auto sign = [](double x) { return x > half_eighth ? 1.0 : x < -half_eighth ? -1.0 : 0.0; };
  const Cell ahead{sign(direction.x), sign(direction.y)};
  return int(std::find(around.begin(), around.end(), ahead) - around.begin()) % 8;
}

/// One person at work.
class Chooser {
 public:
  Chooser(const AvoidView& view, Slot slot)
      : view_(view),
        slot_(slot),
        numbers_(view.parameters.of(slot)),
        here_(view.people.position[slot]),
        rules_(half_planes_of(view, slot)) {}

  [[nodiscard]] Vec2 choose(VelocityBounds& bounds) const {
    const Vec2 preferred = bounds.within_rules(
        limited(view_.preferred_velocity[slot_], speed_limit(view_.people, slot_, numbers_[speed_factor])));
    const double speed = std::sqrt(squared_length(preferred));
    if (!(speed > 0)) return {};
    const Vec2 ahead = preferred / speed;
    if (free_ahead(ahead)) return preferred;
    const int first = neighbour_towards(ahead);
    Vec2 found{};
    bool is_any_found = false;
    for (const int turn : order) {
      const Cell step = around[std::size_t(first + turn + 8) % 8];
      const Cell own = cell_of(here_);
      const Cell target{own.column + step.column, own.row + step.row};
      if (!is_free(target)) continue;
      const Vec2 way = centre_of(target) - here_;
      const Vec2 velocity = way * (speed / std::sqrt(squared_length(way)));
      if (is_within(rules_, velocity)) return velocity;
      if (!is_any_found) found = velocity, is_any_found = true;
    }
    return found;
  }

 private:
  [[nodiscard]] Cell cell_of(Vec2 p) const {
    return {std::floor(p.x / numbers_[cell]), std::floor(p.y / numbers_[cell])};
  }
  [[nodiscard]] Vec2 centre_of(const Cell& c) const {
    return {(c.column + 0.5) * numbers_[cell], (c.row + 0.5) * numbers_[cell]};
  }
  /// Whether a body in the middle of the cell would overlap somebody, by more than is let pass.
  [[nodiscard]] bool is_taken(const Cell& c) const {
    const People& people = view_.people;
    const Vec2 centre = centre_of(c);
    return std::ranges::any_of(view_.perception->neighbours(slot_), [&](Slot other) {
      if (numbers_[body] == 0) return cell_of(people.position[other]) == c;
      const double radii = numbers_[body] * (people.radius[slot_] + people.radius[other]);
      return squared_length(people.position[other] - centre) < radii * radii;
    });
  }
  [[nodiscard]] bool free_ahead(Vec2 ahead) const {
    const Cell own = cell_of(here_);
    for (int k = 1; k <= int(numbers_[look_ahead]); ++k) {
      const Cell c = cell_of(here_ + ahead * (k * numbers_[cell]));
      if (c != own && is_taken(c)) return false;
    }
    return true;
  }
  [[nodiscard]] bool is_free(const Cell& c) const {
    if (is_taken(c)) return false;
    const People& people = view_.people;
    const double kept = std::min(people.radius[slot_], people.clearance[slot_]);
    return navmesh::visible(*people.mesh, people.place(slot_), {centre_of(c), people.layer[slot_]}, kept,
                            people.cell[slot_]);
  }

  const AvoidView& view_;
  Slot slot_;
  const double* numbers_;
  Vec2 here_;
  std::span<const HalfPlane> rules_;
};

class Cellular final : public Avoider {
 public:
  [[nodiscard]] const MethodInfo& info() const override {
    static const MethodInfo info{"cellular", "makes for a free cell of a grid where cells ahead are taken",
                                 parameters()};
    return info;
  }

  [[nodiscard]] Needs needs(const double* numbers) const override {
    return {.most = std::uint32_t(numbers[neighbours]),
            .range = 1.5 * (numbers[look_ahead] + 1) * numbers[cell],
            .wall_range = numbers[wall_range],
            .wall_seconds = numbers[wall_horizon],
            .speed_limit = numbers[speed_factor]};
  }

  [[nodiscard]] double relaxation(const double* numbers) const override { return numbers[relaxation_seconds]; }
  [[nodiscard]] double speed_limit(const double* numbers) const override { return numbers[speed_factor]; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    VelocityBounds bounds;
    for (const Slot slot : who) {
      const double* numbers = view.parameters.of(slot);
      bounds.gather(view, slot, numbers[wall_horizon], numbers[speed_factor]);
      new_velocity[slot] = bounds.nearest(Chooser(view, slot).choose(bounds));
    }
  }
};

}  // namespace

const Avoider& cellular() {
  static const Cellular method;
  return method;
}

}  // namespace throng::steering
