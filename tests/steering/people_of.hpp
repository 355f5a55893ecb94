// People on a mesh for the tests of steering: columns that own their memory, and the simplest loop that moves them.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/world.hpp"
#include "steering/avoider.hpp"
#include "support/random.hpp"

namespace throng::test {

using agents::Slot;
using navmesh::Index;

/// Owns the columns of agents::People.
class Columns {
 public:
  explicit Columns(navmesh::MeshPtr mesh) : mesh_(std::move(mesh)) {}

  Slot add(navmesh::Place place, Vec2 walks = {}, double radius = 0.25, double speed = 1.34) {
    const auto slot = Slot(position.size());
    position.push_back({});
    layer.push_back(0);
    cell.push_back(navmesh::none);
    clearance.push_back(0);
    present.push_back(1);
    serial.push_back(slot + 1);
    radius_of.push_back(radius);
    speed_of.push_back(speed);
    velocity.push_back(walks);
    const double pace = length(walks);
    heading.push_back(pace > 0 ? walks / pace : Vec2{1, 0});
    preferred.push_back(walks);
    put(slot, place);
    return slot;
  }
  void put(Slot slot, navmesh::Place place) {
    const navmesh::Located located = navmesh::locate_from(*mesh_, cell[slot], place);
    position[slot] = place.point;
    layer[slot] = place.layer;
    cell[slot] = located.cell;
    clearance[slot] = located.clearance;
  }
  /// Puts somebody on the walkable ground, anywhere in the layer.
  Slot add_anywhere(Random& random, Index in_layer) {
    const auto place =
        navmesh::random_point(*mesh_, in_layer, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
    REQUIRE(place.has_value());
    Vec2 walks{random.uniform(-1, 1), random.uniform(-1, 1)};
    return add(*place, walks, random.uniform(0.2, 0.3), random.uniform(0.8, 1.8));
  }
  [[nodiscard]] agents::People people() const {
    return {.mesh = mesh_.get(),
            .present = present,
            .serial = serial,
            .position = position,
            .velocity = velocity,
            .walking = velocity,
            .heading = heading,
            .layer = layer,
            .cell = cell,
            .clearance = clearance,
            .radius = radius_of,
            .speed = speed_of};
  }
  [[nodiscard]] std::vector<Slot> everybody() const {
    std::vector<Slot> slots;
    for (Slot slot = 0; slot < position.size(); ++slot)
      if (present[slot]) slots.push_back(slot);
    return slots;
  }
  [[nodiscard]] std::size_t size() const { return position.size(); }
  [[nodiscard]] const navmesh::Mesh& mesh() const { return *mesh_; }

  std::vector<std::uint8_t> present;
  std::vector<std::uint64_t> serial;
  std::vector<Vec2> position, velocity, heading, preferred;
  std::vector<Index> layer, cell;
  std::vector<double> clearance, radius_of, speed_of;

 private:
  navmesh::MeshPtr mesh_;
};

/// By slot; those beyond the list have none.
class HalfPlanes : public steering::Constraints {
 public:
  [[nodiscard]] std::span<const steering::HalfPlane> half_planes(Slot slot) const override {
    return slot < by_slot.size() ? std::span<const steering::HalfPlane>(by_slot[slot])
                                 : std::span<const steering::HalfPlane>{};
  }
  std::vector<std::vector<steering::HalfPlane>> by_slot;
};

/// One method for all, at its defaults, over a crowd that moves exactly as it says.
class Loop {
 public:
  Loop(const steering::Avoider& avoider, Columns columns) : people(std::move(columns)), avoider_(avoider) {
    numbers = agents::default_block(avoider.info());
  }

  /// Whether the method has a number of that name.
  [[nodiscard]] bool has(std::string_view name) const { return index_of(name) < numbers.size(); }
  /// Gives one of the method's numbers another value, for everybody.
  void set(std::string_view name, double value) {
    REQUIRE(has(name));
    numbers[index_of(name)] = value;
  }
  /// New velocities for everybody, as they are now.
  std::vector<Vec2> steer() {
    const std::vector<Slot> who = people.everybody();
    const std::vector<steering::Needs> needs(who.size(), avoider_.needs(numbers.data()));
    perception.index(people.people());
    perception.perceive(people.people(), who, needs);
    std::vector<Vec2> answer(people.size());
    avoider_.run(view(), who, answer);
    return answer;
  }
  [[nodiscard]] steering::AvoidView view() {
    first.assign(people.size(), 0);
    return {.people = people.people(),
            .preferred_velocity = people.preferred,
            .perception = &perception,
            .parameters = {numbers.data(), first},
            .constraints = constraints.by_slot.empty() ? nullptr : &constraints,
            .admits = admits};
  }
  /// Everybody walks for a step; the heading follows.
  void step(double dt = 0.1) {
    const std::vector<Vec2> walks = steer();
    for (const Slot slot : people.everybody()) {
      const Vec2 velocity =
          people.velocity[slot] + (walks[slot] - people.velocity[slot]) * (dt / std::max(dt, relaxation));
      people.velocity[slot] = velocity;
      people.put(slot, {people.position[slot] + velocity * dt, people.layer[slot]});
      const double speed = length(velocity);
      const double wants = length(people.preferred[slot]);
      // Who is held up turns to where it wants to go.
      if (speed > 0.05)
        people.heading[slot] = velocity / speed;
      else if (wants > 0)
        people.heading[slot] = people.preferred[slot] / wants;
    }
  }
  /// Everybody prefers to walk straight to the goal at their speed, slower where a step would go past it.
  void head_for(const std::vector<Vec2>& goals, double dt = 0.1) {
    for (const Slot slot : people.everybody()) {
      const Vec2 way = goals[slot] - people.position[slot];
      const double far = length(way);
      people.preferred[slot] = far > 1e-9 ? way / far * std::min(people.speed_of[slot], far / dt) : Vec2{};
    }
  }
  /// Smallest gap between two bodies.
  [[nodiscard]] double smallest_gap() const {
    double gap = INFINITY;
    for (Slot a = 0; a < people.size(); ++a)
      for (Slot b = a + 1; b < people.size(); ++b)
        gap =
            std::min(gap, length(people.position[a] - people.position[b]) - people.radius_of[a] - people.radius_of[b]);
    return gap;
  }

  Columns people;
  double relaxation = 0;  ///< seconds in which velocities come near to what was steered; 0: at once
  steering::Perception perception;
  std::vector<double> numbers;
  std::vector<Index> first;
  HalfPlanes constraints;
  const steering::Admits* admits = nullptr;

 private:
  [[nodiscard]] std::size_t index_of(std::string_view name) const {
    const auto& parameters = avoider_.info().parameters;
    const auto named = [&](const agents::Parameter& parameter) { return parameter.name == name; };
    return std::size_t(std::find_if(parameters.begin(), parameters.end(), named) - parameters.begin());
  }

  const steering::Avoider& avoider_;
};

}  // namespace throng::test
