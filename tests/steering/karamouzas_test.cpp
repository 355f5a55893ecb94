#include "steering/karamouzas.hpp"

#include <doctest/doctest.h>

#include "steering/people_of.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

/// Angle off the x axis, in degrees, positive to the left.
double degrees(Vec2 v) { return std::atan2(v.y, v.x) * 180 / 3.14159265358979; }

}  // namespace

TEST_CASE("karamouzas: alone, or where collisions are far off in time, the preferred velocity") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {0.3, 1.2});
  const Slot other = columns.add({{3, 0}, 0}, {0.3, 1.2});
  Loop loop(karamouzas(), columns);
  CHECK(loop.steer()[slot] == Vec2{0.3, 1.2});
  // Straight ahead, but it will take 8 s: 9.25 m with 1 m/s, less the personal space and its body.
  loop.people.preferred[slot] = {1, 0};
  loop.people.heading[slot] = {1, 0};
  loop.people.velocity[other] = {};
  loop.people.put(other, {{8.8, 0}, 0});
  CHECK(loop.steer()[slot] == Vec2{1, 0});
  loop.people.put(other, {{8.7, 0}, 0});
  loop.set("turning", 0);  // so that any gain pays
  loop.set("deviation", 0);
  CHECK(loop.steer()[slot].y < 0);
}

TEST_CASE("karamouzas: the time to the collision bounds the turn") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {1, 0});
  const Slot other = columns.add({{4.75, 0}, 0});
  Loop loop(karamouzas(), columns);
  // A collision with the personal space after 4 s: turns of at most 30 degrees, and 1.3 times the speed.
  loop.set("collision", 1000);
  loop.set("personal_space", 10);
  loop.people.put(other, {{9, 0}, 0});  // already inside: it is its body that counts, 8.5 s away
  CHECK(loop.steer()[slot] == Vec2{1, 0});
  loop.set("personal_space", 2);
  loop.people.put(other, {{6.25, 0}, 0});  // 4 s; 30 degrees do, asin(2.25 / 6.25) = 21 degrees are needed
  CHECK(degrees(loop.steer()[slot]) == doctest::Approx(-23).epsilon(0.01));
  loop.people.put(other, {{5, 0}, 0});  // 2.75 s; 26.7 degrees needed
  CHECK(degrees(loop.steer()[slot]) == doctest::Approx(-30).epsilon(0.01));
}

TEST_CASE("karamouzas: two head-on give way to the right, and mirror each other") {
  Columns columns(hall());
  columns.add({{-3, 0}, 0}, {1.3, 0});
  columns.add({{3, 0}, 0}, {-1.3, 0});
  const std::vector<Vec2> walks = Loop(karamouzas(), columns).steer();
  CHECK(walks[0].y < -0.05);
  CHECK(walks[0].x > 1);
  CHECK(length(walks[0] + walks[1]) < 1e-6);
}

TEST_CASE("karamouzas: who comes from the side is passed behind, who is slower is overtaken") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1.3, 0});
  columns.add({{3, -2.5}, 0}, {0, 1.3});  // at the crossing a little earlier
  columns.add({{20, 0}, 0}, {1.3, 0});
  columns.add({{22, 0.1}, 0}, {0.5, 0});
  const std::vector<Vec2> walks = Loop(karamouzas(), columns).steer();
  // Its way leads the other by: slower, or turned to the right.
  const auto nearest = [](Vec2 walk) {
    double least = INFINITY;
    for (double t = 0; t < 4; t += 0.01) least = std::min(least, length(Vec2{3, -2.5} + (Vec2{0, 1.3} - walk) * t));
    return least;
  };
  CHECK(nearest({1.3, 0}) < 0.5);
  CHECK(nearest(walks[0]) > 0.7);
  CHECK(dot(walks[0], {1, 1}) < 1.25);
  CHECK(walks[2].y < 0);
  CHECK(walks[2].x > 0.9);
}

TEST_CASE("karamouzas: who overlaps comes no closer, and walks apart freely") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {-1, 0});
  columns.add({{0.4, 0}, 0}, {1, 0});
  columns.add({{0, 20}, 0}, {1, 0});
  columns.add({{0.4, 20}, 0}, {-1, 0});
  const std::vector<Vec2> walks = Loop(karamouzas(), columns).steer();
  CHECK(walks[0] == Vec2{-1, 0});
  CHECK(walks[1] == Vec2{1, 0});
  CHECK(walks[2].x <= 1e-6);
  CHECK(walks[3].x >= -1e-6);
}

TEST_CASE("karamouzas: at rest it stays at rest, and at a wall it walks along it") {
  Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
  const Slot standing = columns.add({{5, 5}, 0});
  const Slot slot = columns.add({{19.75, 10}, 0}, {1, 1});
  Loop loop(karamouzas(), columns);
  CHECK(loop.steer()[standing] == Vec2{});
  CHECK(length(loop.steer()[slot] - Vec2{0, 1}) < 1e-9);
}
