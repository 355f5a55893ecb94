#include "steering/moussaid.hpp"

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

TEST_CASE("moussaid: alone, the new velocity is the preferred one") {
  for (const Avoider* method : {&moussaid(), &moussaid_jaklin()}) {
    Columns columns(hall());
    const Slot slot = columns.add({{0, 0}, 0}, {0.3, 1.2});
    Loop loop(*method, columns);
    CHECK(length(loop.steer()[slot] - Vec2{0.3, 1.2}) < 1e-12);
    loop.people.heading[slot] = {0, -1};  // it looks away: turns first
    CHECK(length(loop.steer()[slot] - Vec2{0.3, 1.2}) < 1e-12);
    loop.people.preferred[slot] = {};
    CHECK(loop.steer()[slot] == Vec2{});
  }
}

TEST_CASE("moussaid: somebody standing in the way is passed on the right, and the jaklin variant turns less far back") {
  for (const Avoider* method : {&moussaid(), &moussaid_jaklin()}) {
    Columns columns(hall());
    const Slot slot = columns.add({{0, 0}, 0}, {1.3, 0});
    columns.add({{3, 0}, 0});
    Loop loop(*method, columns);
    const Vec2 walks = loop.steer()[slot];
    CHECK(walks.y < 0);
    CHECK(length(walks) == doctest::Approx(1.3));
    // The smallest step that passes: the two bodies need asin(0.5 / 3) = 9.6 degrees.
    CHECK(walks.y == doctest::Approx(1.3 * -0.17364817766));
  }
}

TEST_CASE("moussaid: the speed keeps a collision half a second away") {
  Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
  const Slot slot = columns.add({{19.5, 10}, 0}, {1.3, 0});
  Loop loop(moussaid(), columns);
  // 0.25 m free ahead, and nowhere within the field of view is much freer towards the goal.
  loop.set("half_view_degrees", 5);
  CHECK(loop.steer()[slot].x == doctest::Approx(0.5));
  loop.set("relaxation_time", 1);
  CHECK(loop.steer()[slot].x == doctest::Approx(0.25));
}

TEST_CASE("moussaid: overlapping people and people at a wall walk apart freely") {
  for (const Avoider* method : {&moussaid(), &moussaid_jaklin()}) {
    Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
    columns.add({{10, 10}, 0}, {-1, 0});
    columns.add({{10.2, 10}, 0}, {1, 0});
    columns.add({{0.2, 5}, 0}, {1, 0});     // nearer to the wall than its radius
    columns.add({{0.25, 15}, 0}, {0, 1});   // along it
    columns.add({{15, 5}, 0}, {1, 0});      // walking into
    columns.add({{15.3, 5}, 0}, {0.5, 0});  // somebody slower, whom it overlaps
    Loop loop(*method, columns);
    for (Slot slot = 0; slot < 6; ++slot) loop.people.preferred[slot] = columns.velocity[slot];
    loop.people.heading[0] = {-1, 0};
    const std::vector<Vec2> walks = loop.steer();
    CHECK(length(walks[0] - Vec2{-1, 0}) < 1e-9);
    CHECK(length(walks[1] - Vec2{1, 0}) < 1e-9);
    CHECK(length(walks[2] - Vec2{1, 0}) < 1e-9);
    CHECK(length(walks[3] - Vec2{0, 1}) < 1e-9);
    CHECK(dot(walks[4], {1, 0}) <= 0.5 + 1e-6);  // no closer to whom it overlaps
  }
}

TEST_CASE("moussaid: a wall ahead is turned away from, its end is cleared by the body") {
  Columns columns(test::build(test::World(test::box(0, 0, 40, 40)).wall({{20, 19.9}, {20, 40}}).clean()));
  const Slot slot = columns.add({{17, 20}, 0}, {1.3, 0});
  Loop loop(moussaid(), columns);
  const Vec2 walks = loop.steer()[slot];
  CHECK(walks.y < 0);
  // Following the direction, the body passes the wall's end.
  const Vec2 end{3, -0.1};
  CHECK(std::abs(cross(walks, end)) / length(walks) >= 0.25 - 1e-4);
}

TEST_CASE("moussaid: constraints are kept to while any direction allows it") {
  for (const Avoider* method : {&moussaid(), &moussaid_jaklin()}) {
    Columns columns(hall());
    const Slot slot = columns.add({{0, 0}, 0}, {1.3, 0});
    Loop loop(*method, columns);
    const std::vector<HalfPlane> leftwards{{{0, 0.5}, {1, 0}}};  // y at least 0.5
    loop.constraints.by_slot = {leftwards};
    CHECK(loop.steer()[slot].y >= 0.5);
    const std::vector<HalfPlane> impossible{{{0, 5}, {1, 0}}};
    loop.constraints.by_slot = {impossible};
    CHECK(length(loop.steer()[slot] - Vec2{1.3, 0}) < 1e-9);
  }
}

TEST_CASE("moussaid: who is held up steps aside to the right, unless told not to") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {1.3, 0});
  // A half ring of people who stand, touching: no direction in view is free.
  for (int degrees = -20; degrees <= 100; degrees += 30)
    columns.heading[columns.add({geometry::unit_direction(degrees / 360.0) * 0.5, 0})] = {-1, 0};
  Loop loop(moussaid(), columns);
  const Vec2 aside = loop.steer()[slot];
  CHECK(aside.y < 0);
  CHECK(length(aside) > 0.65);
  loop.set("sidestep", 0);
  CHECK(length(loop.steer()[slot]) < 0.01);
}
