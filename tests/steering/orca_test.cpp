#include "steering/orca.hpp"

#include <doctest/doctest.h>

#include "geometry/elementary.hpp"
#include "steering/people_of.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

}  // namespace

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
