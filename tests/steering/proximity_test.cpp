#include "steering/proximity.hpp"

#include <doctest/doctest.h>

#include "geometry/elementary.hpp"
#include "steering/people_of.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }
double degrees(Vec2 v) { return std::atan2(v.y, v.x) * 180 / 3.14159265358979; }

/// What somebody walking along x at 1 m/s does about one other.
Vec2 met_by(Vec2 offset, Vec2 velocity) {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1, 0});
  columns.add({offset, 0}, velocity);
  return Loop(proximity(), columns).steer()[0];
}

}  // namespace

TEST_CASE("proximity: turns 20 degrees away from who is close ahead, to the right of who is straight ahead") {
  CHECK(degrees(met_by({1.9, 0}, {1, 0})) == doctest::Approx(-20));
  CHECK(degrees(met_by({1.9, 0.2}, {1, 0})) == doctest::Approx(-20));
  CHECK(degrees(met_by({1.9, -0.2}, {1, 0})) == doctest::Approx(20));
  CHECK(length(met_by({1.9, 0}, {1, 0})) == doctest::Approx(1));
  CHECK(degrees(met_by({0.2, 0}, {1, 0})) == doctest::Approx(-20));  // overlapping
  CHECK(degrees(met_by({0, 0}, {1, 0})) == doctest::Approx(-20));    // in one place
}

TEST_CASE("proximity: ignores who is beside, behind or farther than both circles reach") {
  CHECK(met_by({2.1, 0}, {1, 0}) == Vec2{1, 0});
  CHECK(met_by(geometry::unit_direction(41.0 / 360), {1, 0}) == Vec2{1, 0});
  CHECK(degrees(met_by(geometry::unit_direction(39.0 / 360), {1, 0})) == doctest::Approx(-20));
  CHECK(met_by({-0.6, 0}, {1, 0}) == Vec2{1, 0});
}

TEST_CASE("proximity: foresees who will be close ahead in 1.6 s") {
  // Standing 3.5 m ahead: in 1.6 s 1.9 m ahead.
  CHECK(degrees(met_by({3.5, 0}, {})) == doctest::Approx(-20));
  CHECK(met_by({3.7, 0}, {}) == Vec2{1, 0});
  // Crossing from the right: then 1.5 m ahead, 0.4 m to the left.
  CHECK(degrees(met_by({3.1, -1.2}, {0, 1})) == doctest::Approx(-20));
}

TEST_CASE("proximity: at a wall it walks along it, at rest it stands") {
  Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
  const Slot slot = columns.add({{19.75, 10}, 0}, {1, 1});
  const Slot standing = columns.add({{5, 5}, 0});
  const std::vector<Vec2> walks = Loop(proximity(), columns).steer();
  CHECK(length(walks[slot] - Vec2{0, 1}) < 1e-9);
  CHECK(walks[standing] == Vec2{});
}
