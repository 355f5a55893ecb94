#include "steering/sampling.hpp"

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
constexpr double step = 180.0 / 14;

}  // namespace

TEST_CASE("sampling: alone, the preferred velocity; at rest, none") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {0.3, 1.2});
  Loop loop(sampling(), columns);
  CHECK(loop.steer()[slot] == Vec2{0.3, 1.2});
  // Full speed though it walked slowly: the speed term does not reward walking slowly.
  loop.people.velocity[slot] = {0.03, 0.12};
  CHECK(loop.steer()[slot] == Vec2{0.3, 1.2});
  loop.people.preferred[slot] = {};
  CHECK(loop.steer()[slot] == Vec2{});
}

TEST_CASE("sampling: somebody standing ahead is passed on the right by the smallest of the turns that pays") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {1.3, 0});
  const Slot other = columns.add({{3, 0}, 0});
  Loop loop(sampling(), columns);
  // The bodies need asin(0.5 / 3) = 9.6 degrees: one step costs 2 x 0.224, straight on 2.5 m of free way are lacking.
  Vec2 walks = loop.steer()[slot];
  CHECK(degrees(walks) == doctest::Approx(-step));
  CHECK(length(walks) == doctest::Approx(1.3));
  // At 1.5 m they need 19.5 degrees: two steps.
  loop.people.put(other, {{1.5, 0}, 0});
  CHECK(degrees(loop.steer()[slot]) == doctest::Approx(-2 * step));
  // To the left where it walks to the left already: the angle to the velocity counts.
  loop.people.velocity[slot] = {1.2, 0.3};
  CHECK(degrees(loop.steer()[slot]) == doctest::Approx(2 * step));
  // A collision 5 m away does not count.
  loop.people.put(other, {{5.6, 0}, 0});
  loop.people.velocity[slot] = {1.3, 0};
  CHECK(loop.steer()[slot] == Vec2{1.3, 0});
}

TEST_CASE("sampling: who comes from the side is let pass or passed, without a collision for the next metres") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1.3, 0});
  columns.add({{3, -3}, 0}, {0, 1.3});
  Loop loop(sampling(), columns);
  const std::vector<Vec2> walks = loop.steer();
  CHECK(length(walks[0] - Vec2{1.3, 0}) > 0.1);
  const auto gap_at = [&](double t) { return length(Vec2{3, -3} + Vec2{0, 1.3} * t - walks[0] * t); };
  for (double t = 0; t < 3; t += 0.05) CHECK(gap_at(t) > 0.5 - 1e-3);
}

TEST_CASE("sampling: stands still where everything is blocked, and only there") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {1.3, 0});
  for (int i = -4; i <= 4; ++i) columns.add({geometry::unit_direction(i * 0.0625) * 0.52, 0});
  Loop loop(sampling(), columns);
  loop.set("sidestep", 0);
  loop.people.heading[slot] = {1, 0};
  CHECK(loop.steer()[slot] == Vec2{});
  loop.set("standing", 0);  // as published, nobody ever stops
  CHECK(length(loop.steer()[slot]) > 0.5);
}

TEST_CASE("sampling: overlapping people walk apart freely") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {-1, 0});
  columns.add({{0.4, 0}, 0}, {1, 0});
  const std::vector<Vec2> walks = Loop(sampling(), columns).steer();
  CHECK(walks[0] == Vec2{-1, 0});
  CHECK(walks[1] == Vec2{1, 0});
}

TEST_CASE("sampling: a goal right before a wall is walked to, another way into a wall is not taken") {
  Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
  const Slot slot = columns.add({{18.5, 10}, 0}, {1.3, 0});
  Loop loop(sampling(), columns);
  CHECK(length(loop.steer()[slot] - Vec2{1.3, 0}) < 1e-9);
  // Along a wall on the right, somebody ahead: to the left, though the right comes first.
  loop.people.put(slot, {{10, 0.4}, 0});
  loop.people.add({{12, 0.4}, 0});
  CHECK(loop.steer()[slot].y > 0.1);
}
