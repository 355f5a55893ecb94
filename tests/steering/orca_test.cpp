#include "steering/orca.hpp"

#include <doctest/doctest.h>

#include "geometry/elementary.hpp"
#include "steering/orca_walls.hpp"
#include "steering/people_of.hpp"
#include "steering/time_to_collision.hpp"

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
  loop.constraints.by_slot = {leftwards};
  CHECK(loop.steer()[slot].y == doctest::Approx(0.5));
  loop.people.put(slot, {{10, 19.75}, 0});
  CHECK(loop.steer()[slot].y == doctest::Approx(0));
}

TEST_CASE("orca: the half plane of a wall touches its velocity obstacle where that is nearest, and holds none of it") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  test::Random random(seed);
  const auto anywhere = [&](double size) { return Vec2{random.uniform(-size, size), random.uniform(-size, size)}; };
  int met = 0, inside = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec2 a = anywhere(2), b = i % 10 == 0 ? a * random.uniform(1, 3) : anywhere(2);
    const double radius = random.uniform(0.1, 0.5), horizon = random.uniform(0.3, 4);
    if (length(navmesh::nearest_on({.a = a, .b = b}, {})) < radius + 0.01) continue;
    const Vec2 velocity = anywhere(2);
    HalfPlane plane;
    REQUIRE(plane_of_segment({a, b, a, b}, radius, horizon, velocity, plane));
    const auto collides = [&](Vec2 v) { return time_to_segment(a, b, v, radius) < horizon; };
    const bool is_inside = collides(velocity);
    inside += is_inside;
    CHECK(length(plane.direction) == doctest::Approx(1));
    CHECK((cross(plane.direction, velocity - plane.point) < 1e-9) == is_inside);
    // The border of what is allowed: a little to one side it collides, to the other it does not.
    const Vec2 out = perpendicular(plane.direction);
    CHECK(!collides(plane.point + out * 1e-6));
    CHECK(collides(plane.point - out * 1e-4));
    for (int k = 0; k < 100; ++k) {
      const Vec2 other = anywhere(3);
      const bool is_met = collides(other);
      met += is_met;
      if (is_met) CHECK(cross(plane.direction, other - plane.point) < 1e-6);
      if (is_met != is_inside) CHECK(length(other - velocity) > length(plane.point - velocity) - 1e-6);
    }
  }
  CHECK(met > 1000);
  CHECK(inside > 100);
}

TEST_CASE("orca: with walls as segments people walk past the end of a wall as fast as they want, and never into one") {
  const navmesh::MeshPtr mesh =
      test::build(test::World(test::box(-20, -20, 20, 20)).wall({{2, 0.35}, {2, 10}}).clean());
  Columns columns(mesh);
  columns.add({{1.6, 0}, 0}, {1.3, 0});
  Loop loop(orca(), columns);
  CHECK(loop.steer()[0].x < 1);  // the end's nearest point is ahead
  loop.set("walls", 1);
  CHECK(loop.steer()[0].x > 1.2);
  for (const double angle : {0.0, 0.05, 0.1, 0.2, 0.3}) {
    Columns corner(test::build(test::World(test::box(0, 0, 10, 10)).obstacle(test::box(4, 4, 6, 6)).clean()));
    const Vec2 way = geometry::unit_direction(angle) * 1.34;
    const Slot slot = corner.add({{2, 2}, 0}, way);
    Loop walk(orca(), corner);
    walk.set("walls", 1);
    double nearest = INFINITY;
    for (int i = 0; i < 200; ++i) {
      walk.people.preferred[slot] = way;
      walk.step();
      nearest = std::min(nearest, walk.people.clearance[slot]);
    }
    CAPTURE(angle);
    CHECK(nearest > 0.25 - 1e-4);
  }
}
