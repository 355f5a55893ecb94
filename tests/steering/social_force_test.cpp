#include "steering/social_force.hpp"

#include <doctest/doctest.h>

#include "steering/people_of.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

/// As published: points, and forces not turned.
class Published : public Loop {
 public:
  explicit Published(const Columns& columns) : Loop(social_force(), columns) {
    set("body_decay", 0);
    set("sidestep", 0);
  }
};

}  // namespace

TEST_CASE("social_force: alone, the preferred velocity is taken up within the relaxation time") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {1, 0});
  Published loop(columns);
  CHECK(length(loop.steer()[slot] - Vec2{1, 0}) < 1e-12);
  loop.people.velocity[slot] = {0, 0};  // 0.1 s of 0.5
  CHECK(length(loop.steer()[slot] - Vec2{0.2, 0}) < 1e-12);
}

TEST_CASE("social_force: somebody standing repels along the line, and counts half from behind") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {1, 0});
  const Slot other = columns.add({{0.6, 0}, 0});
  Published loop(columns);
  // 2.1 / 0.3 exp(-0.6 / 0.3) = 0.947 m/s^2 for 0.1 s.
  CHECK(loop.steer()[slot].x == doctest::Approx(1 - 0.0947347).epsilon(1e-5));
  loop.people.put(other, {{-0.6, 0}, 0});
  CHECK(loop.steer()[slot].x == doctest::Approx(1 + 0.0473673).epsilon(1e-5));
  // Bodies have a gap of 0.1 m: 7 exp(-1) = 2.575 on top; where they overlap, 7.
  loop.people.put(other, {{0.6, 0}, 0});
  loop.set("body_decay", 0.1);
  CHECK(loop.steer()[slot].x == doctest::Approx(1 - 0.0947347 - 0.2575156).epsilon(1e-5));
  loop.people.put(other, {{0.3, 0}, 0});
  CHECK(loop.steer()[slot].x == doctest::Approx(1 - 0.7 * std::exp(-1.0) - 0.7).epsilon(1e-5));
}

TEST_CASE("social_force: somebody walking repels from its next step") {
  Columns columns(hall());
  // It stands beside the middle of the other's next step from (0, 0) to (2, 0), 1 m off it: r = (1, 1), r - u dt = (-1, 1),
  // 2 b = sqrt(8 - 4), the gradient of b is 2.828 (0, 1.414) / 4 = (0, 1).
  const Slot slot = columns.add({{1, 1}, 0}, {}, 0.25, 1);
  columns.add({{0, 0}, 0}, {1, 0});
  Published loop(columns);
  loop.people.heading[slot] = {0, -1};
  const Vec2 walks = loop.steer()[slot];
  CHECK(std::abs(walks.x) < 1e-12);
  CHECK(walks.y == doctest::Approx(0.1 * 7 * std::exp(-1 / 0.3)).epsilon(1e-9));
}

TEST_CASE("social_force: walls repel, the nearest point of each") {
  Columns columns(test::build(test::World(test::box(0, 0, 20, 20)).clean()));
  const Slot slot = columns.add({{19.6, 10}, 0}, {});
  Published loop(columns);
  CHECK(loop.steer()[slot].x == doctest::Approx(-0.1 * 50 * std::exp(-2.0)).epsilon(1e-5));
  CHECK(std::abs(loop.steer()[slot].y) < 1e-9);
  // On the wall itself: away from it, as fast as one may.
  loop.people.put(slot, {{20, 10}, 0});
  CHECK(loop.steer()[slot].x == doctest::Approx(-1.3 * 1.34));
}

TEST_CASE("social_force: two exactly head-on, and two in one place, give way to their right") {
  Columns columns(hall());
  columns.add({{-1, 0}, 0}, {1.3, 0});
  columns.add({{1, 0}, 0}, {-1.3, 0});
  columns.add({{20, 0}, 0}, {0, 1});
  columns.add({{20, 0}, 0}, {0, 1});
  Published loop(columns);
  // As published there is no force where the potential has no gradient.
  CHECK(loop.steer()[0].y == 0);
  CHECK(loop.steer()[2].x == 0);
  loop.set("sidestep", 1);
  const std::vector<Vec2> walks = loop.steer();
  CHECK(walks[0].y < -0.3);
  CHECK(length(walks[0] + walks[1]) < 1e-9);
  CHECK(walks[2].x > 0.3);
}

TEST_CASE("social_force: who has somebody standing straight ahead gives way to the right, unless told not to") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0}, {1, 0});
  columns.add({{1, 0}, 0});
  Loop loop(social_force(), columns);
  CHECK(loop.steer()[slot].y < 0);
  loop.set("sidestep", 0);
  CHECK(loop.steer()[slot].y == 0);
}

TEST_CASE("social_force: at rest with nobody near nothing moves") {
  Columns columns(hall());
  const Slot slot = columns.add({{0, 0}, 0});
  CHECK(Loop(social_force(), columns).steer()[slot] == Vec2{});
}
