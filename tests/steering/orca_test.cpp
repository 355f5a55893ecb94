#include "steering/orca.hpp"

#include <doctest/doctest.h>

#include "geometry/elementary.hpp"
#include "steering/people_of.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::length;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

}  // namespace

namespace {

struct Crossing {
  bool arrived = false;
  double gap = INFINITY;  ///< smallest between two bodies on the way
};

/// Twenty people on a circle of 8 m, each to the opposite place; speeds differ by up to `difference` of the mean.
Crossing cross_circle(double difference, std::uint64_t seed) {
  constexpr int count = 20;
  test::Random random(seed);
  Columns columns(hall());
  std::vector<Vec2> goals;
  for (int i = 0; i < count; ++i) {
    const Vec2 direction = geometry::unit_direction(double(i) / count);
    const double speed = 1.34 * (1 + random.uniform(-difference, difference));
    columns.add({direction * 8, 0}, direction * -speed, 0.25, speed);
    goals.push_back(direction * -8);
  }
  Loop loop(orca(), columns);
  Crossing crossing;
  for (int step = 0; step < 400 && !crossing.arrived; ++step) {
    loop.head_for(goals);
    loop.step();
    crossing.gap = std::min(crossing.gap, loop.smallest_gap());
    crossing.arrived = true;
    for (Slot slot = 0; slot < count; ++slot)
      crossing.arrived &= length(goals[slot] - loop.people.position[slot]) < 0.2;
  }
  return crossing;
}

}  // namespace

TEST_CASE("orca: twenty people on a circle reach the other side without touching") {
  const Crossing crossing = cross_circle(0, 1);
  CHECK(crossing.arrived);
  CHECK(crossing.gap > 0);
}

TEST_CASE("orca: twenty people of different speeds cross a circle with less than 5 cm of overlap") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    CAPTURE(seed);
    const Crossing crossing = cross_circle(0.2, seed);
    CHECK(crossing.arrived);
    CHECK(crossing.gap > -0.05);
  }
}

TEST_CASE("orca: two walkers share the way they give, each to the right") {
  Columns columns(hall());
  columns.add({{-3, 0}, 0}, {1.3, 0});
  columns.add({{3, 0}, 0}, {-1.3, 0});
  Loop loop(orca(), columns);
  const std::vector<Vec2> walks = loop.steer();
  CHECK(walks[0].y < 0);
  CHECK(length(walks[0] + walks[1]) < 1e-9);
}

TEST_CASE("orca: no faster towards a wall than touches it after the horizon") {
  Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
  const Slot slot = columns.add({{19, 10}, 0}, {1.3, 0.4});
  Loop loop(orca(), columns);
  const Vec2 walks = loop.steer()[slot];
  CHECK(walks.x == doctest::Approx(0.75));
  CHECK(walks.y == doctest::Approx(0.4));
}

TEST_CASE("orca: people in the same place with the same velocity part") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {0, 1});
  columns.add({{0, 0}, 0}, {0, 1});
  const std::vector<Vec2> walks = Loop(orca(), columns).steer();
  CHECK(walks[0].x > 0.5);
  CHECK(walks[1].x < -0.5);
}

TEST_CASE("orca: constraints from outside are kept to, and walls win over them") {
  Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
  const Slot slot = columns.add({{10, 10}, 0}, {1.3, 0});
  Loop loop(orca(), columns);
  const std::vector<HalfPlane> leftwards{{{0, 0.5}, {1, 0}}};
  loop.constraints = {leftwards};
  CHECK(loop.steer()[slot].y == doctest::Approx(0.5));
  loop.people.put(slot, {{10, 19.75}, 0});
  CHECK(loop.steer()[slot].y == doctest::Approx(0));
}
