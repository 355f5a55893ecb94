#include "steering/sidestep.hpp"

#include <doctest/doctest.h>

#include "geometry/elementary.hpp"
#include "steering/people_of.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

/// A walker to the right, and people who stand in a half ring around where it wants to go.
Columns held_up(Vec2 others_face, double distance = 0.5) {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1.3, 0});
  for (int degrees = -20; degrees <= 100; degrees += 30)
    columns.heading[columns.add({geometry::unit_direction(degrees / 360.0) * distance, 0})] = others_face;
  return columns;
}

/// What the first person looks for instead.
Vec2 aside(const Columns& columns, Vec2 found, double sidestep) {
  Loop loop(*find_avoider("moussaid"), columns);
  (void)loop.steer();
  return wanted_aside(loop.view(), 0, {1.3, 0}, found, sidestep);
}

}  // namespace

TEST_CASE("sidestep: who is slowed by people close ahead who face another way wants to go right, the more the slower") {
  const Columns oncoming = held_up({-1, 0});
  const Vec2 wanted{1.3, 0};
  const Vec2 standing = aside(oncoming, {}, 1), slow = aside(oncoming, {0.4, 0}, 1);
  CHECK(length(standing - Vec2{0, -1.3}) < 1e-9);  // a quarter turn
  CHECK(slow.y < 0);
  CHECK(slow.x > 0);
  CHECK(length(slow) == doctest::Approx(1.3));
  CHECK(aside(oncoming, {0.65, 0}, 1) == wanted);  // half as fast
  CHECK(aside(oncoming, {}, 0) == wanted);
  CHECK(aside(held_up({1, 0}), {}, 1) == wanted);        // they go the same way
  CHECK(aside(held_up({-1, 0}, 3.2), {}, 1) == wanted);  // not close
}

TEST_CASE("sidestep: what rules allow is taken before what they do not") {
  CHECK(better({{1, 0}}, {{0, -0.5}}).velocity == Vec2{0, -0.5});
  CHECK(better({{0.1, 0}}, {{0, -1}, false}).velocity == Vec2{0.1, 0});
  CHECK(better({{1, 0}, false}, {{0, -0.1}}).velocity == Vec2{0, -0.1});
  CHECK(better({{1, 0}, false}, {{0, -0.1}, false}).velocity == Vec2{0, -0.1});
}

TEST_CASE(
    "sidestep: one rule in four methods: aside from who faces one, in a queue behind who does not (but in orca)") {
  for (const char* name : {"karamouzas", "moussaid", "orca", "sampling"}) {
    CAPTURE(std::string(name));
    const auto steered = [&](Vec2 others_face, double sidestep) {
      Loop loop(*find_avoider(name), held_up(others_face));
      if (loop.has("keep_right")) loop.set("keep_right", 0);
      loop.set("sidestep", sidestep);
      return loop.steer()[0];
    };
    if (std::string(name) != "orca") CHECK(steered({1, 0}, 1) == steered({1, 0}, 0));
    const Vec2 without = steered({-1, 0}, 0), with = steered({-1, 0}, 1);
    if (length(without) < 0.6)
      CHECK(with != without);
    else
      CHECK(with == without);
    CHECK(with.y <= 0);
  }
}
