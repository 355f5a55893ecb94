#include "steering/cellular.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "navmesh/visibility.hpp"
#include "steering/speed_limit.hpp"
#include "steering/velocity_bounds.hpp"

namespace throng::steering {
namespace {

enum Number { cell, look_ahead, body, neighbours, wall_range, wall_horizon };

std::vector<agents::Parameter> parameters() {
  return {
      {"cell", 0.5, 0.05, 10, "m", "side of a cell: as wide as a body"},
      {"look_ahead", 4, 1, 20, "", "cells ahead that must be free"},
      {"body", 0.8, 0, 1, "", "how much of both bodies must not overlap in the middle of a free cell"},
      {"neighbours", 10, 0, Perception::capacity, "", "people taken into account, nearest first"},
      {"wall_range", 3, 0, 100, "m", "walls farther than this are not taken into account"},
      {"wall_horizon", 0.5, 0.05, 60, "s", "no collision with walls for this long"},
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
      : view_(view), slot_(slot), numbers_(view.parameters.of(slot)), here_(view.people.position[slot]) {}

  [[nodiscard]] Vec2 choose() const {
    const Vec2 preferred = limited(view_.preferred_velocity[slot_], speed_limit(view_.people, slot_));
    const double speed = std::sqrt(squared_length(preferred));
    if (!(speed > 0)) return {};
    const Vec2 ahead = preferred / speed;
    if (free_ahead(ahead)) return preferred;
    const int first = neighbour_towards(ahead);
    for (const int turn : order) {
      const Cell step = around[std::size_t(first + turn + 8) % 8];
      const Cell own = cell_of(here_);
      const Cell target{own.column + step.column, own.row + step.row};
      if (!is_free(target)) continue;
      const Vec2 way = centre_of(target) - here_;
      return way * (speed / std::sqrt(squared_length(way)));
    }
    return {};
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
            .wall_seconds = numbers[wall_horizon]};
  }

  [[nodiscard]] double relaxation() const override { return 0; }

  void run(const AvoidView& view, std::span<const Slot> who, std::span<Vec2> new_velocity) const override {
    VelocityBounds bounds;
    for (const Slot slot : who) {
      bounds.gather(view, slot, view.parameters.of(slot)[wall_horizon]);
      new_velocity[slot] = bounds.nearest(Chooser(view, slot).choose());
    }
  }
};

}  // namespace

const Avoider& cellular() {
  static const Cellular method;
  return method;
}

}  // namespace throng::steering
