// The situations every avoidance method must have an answer to, computed by hand or by the published formula written out once more:
// somebody ahead, crossing, overtaking, overlapping, at rest, exactly symmetric. What a method's own test file has is not repeated.
#include <doctest/doctest.h>

#include <cmath>

#include "geometry/elementary.hpp"
#include "steering/cellular.hpp"
#include "steering/karamouzas.hpp"
#include "steering/moussaid.hpp"
#include "steering/orca.hpp"
#include "steering/people_of.hpp"
#include "steering/proximity.hpp"
#include "steering/sampling.hpp"
#include "steering/social_force.hpp"

using namespace throng;
using namespace throng::steering;
using test::Columns;
using test::Loop;

namespace {

navmesh::MeshPtr hall() { return test::build(test::World(test::box(-50, -50, 50, 50)).clean()); }

/// Somebody who walks along x at 1.3 m/s, and one other; bodies of 0.25 m.
struct Other {
  Vec2 offset, velocity;
};

std::vector<Vec2> answers(const Avoider& method, const Other& other) {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1.3, 0});
  columns.add({other.offset, 0}, other.velocity);
  Loop loop(method, columns);
  if (loop.has("keep_right")) loop.set("keep_right", 0);  // as published
  return loop.steer();
}

/// When discs whose centres are 0.5 m apart meet: infinite where they do not.
double meet_in(Vec2 offset, Vec2 relative) {
  const double a = squared_length(relative), b = dot(offset, relative), c = squared_length(offset) - 0.25;
  const double root = b * b - a * c;
  if (a == 0 || root < 0 || b >= 0) return INFINITY;
  return (-b - std::sqrt(root)) / a;
}

/// Moussaid et al. 2011, equation 1, over directions 5 degrees apart up to 75, ties to the right; then equation 2.
Vec2 moussaid_by_formula(const Other& other) {
  constexpr double farthest = 10, speed = 1.3;
  double least = INFINITY, chosen_free = 0;
  Vec2 chosen;
  for (int i = 0; i <= 15; ++i)
    for (const int side : {-1, 1}) {
      const Vec2 direction = geometry::unit_direction(side * i * 5.0 / 360);
      const double free = std::min(farthest, speed * meet_in(other.offset, other.velocity - direction * speed));
      const double off = farthest * farthest + free * free - 2 * farthest * free * direction.x;
      if (off < least - 1e-9) least = off, chosen = direction, chosen_free = free;
    }
  return chosen * std::min(speed, chosen_free / 0.5);
}

const Other crossing_from_right{{4, -4}, {0, 1.3}}, crossing_from_left{{4, 4}, {0, 1.3 * -1}};
const Other slower_ahead{{2, 0}, {0.6, 0}}, as_fast_ahead{{2, 0}, {1.3, 0}}, head_on{{6, 0}, {-1.3, 0}};

}  // namespace

TEST_CASE("moussaid: crossing, overtaking and head-on, by the published formula") {
  for (const Other& other : {crossing_from_right, crossing_from_left, slower_ahead, as_fast_ahead, head_on}) {
    CAPTURE(other.offset.x);
    CAPTURE(other.offset.y);
    CAPTURE(other.velocity.x);
    CHECK(length(answers(moussaid(), other)[0] - moussaid_by_formula(other)) < 1e-9);
  }
  // Who walks ahead as fast as oneself is in nobody's way.
  CHECK(answers(moussaid(), as_fast_ahead)[0] == Vec2{1.3, 0});
  // Head-on both turn by the same angle to their right.
  const std::vector<Vec2> both = answers(moussaid(), head_on);
  CHECK(both[0].y < 0);
  CHECK(length(both[0] + both[1]) < 1e-9);
}

TEST_CASE("orca: somebody standing ahead, by hand") {
  // Relative place (3, 0), velocity (1.3, 0), 3 s, bodies and margin 0.55 m: the velocity lies beyond the cut-off circle, and the right
  // leg of the cone is nearest, along (cos a, -sin a) with sin a = 0.55 / 3. Half of the way to it is one's own.
  const double sine = 0.55 / 3, cosine = std::sqrt(1 - sine * sine);
  const Vec2 leg{cosine, -sine};
  const Vec2 onto_leg = leg * dot(leg, Vec2{1.3, 0}) - Vec2{1.3, 0};
  const Vec2 walks = answers(orca(), {{3, 0}, {}})[0];
  CHECK(length(walks - (Vec2{1.3, 0} + onto_leg * 0.5)) < 1e-6);
}

TEST_CASE(
    "orca: crossing and overtaking, both do their part and do not meet within the horizon; apart nothing changes") {
  for (const Other& other : {crossing_from_right, crossing_from_left, slower_ahead}) {
    CAPTURE(other.offset.y);
    const std::vector<Vec2> walks = answers(orca(), other);
    CHECK(meet_in(other.offset, walks[1] - walks[0]) > 3 - 1e-6);
    CHECK(meet_in(other.offset, other.velocity - Vec2{1.3, 0}) < 3);
    CHECK(length(walks[0] - Vec2{1.3, 0}) > 0.01);
    CHECK(length(walks[1] - other.velocity) > 0.01);
  }
  CHECK(length(answers(orca(), as_fast_ahead)[0] - Vec2{1.3, 0}) < 1e-9);
  // At rest, nobody near: stays.
  Columns columns(hall());
  columns.add({{0, 0}, 0});
  CHECK(Loop(orca(), columns).steer()[0] == Vec2{});
}

TEST_CASE("orca: bodies that overlap part within the step that is left for it, each by half") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {});
  columns.add({{0.4, 0}, 0}, {});
  const std::vector<Vec2> walks = Loop(orca(), columns).steer();
  CHECK(walks[0].x < -0.1);
  CHECK(length(walks[0] + walks[1]) < 1e-9);
}

TEST_CASE("sampling: overtaking takes a turn that pays, following somebody as fast does not; head-on both go right") {
  const Vec2 overtaking = answers(sampling(), slower_ahead)[0];
  CHECK(meet_in(slower_ahead.offset, slower_ahead.velocity - overtaking) >
        meet_in(slower_ahead.offset, slower_ahead.velocity - Vec2{1.3, 0}));
  CHECK(answers(sampling(), as_fast_ahead)[0] == Vec2{1.3, 0});
  // 3 m apart they meet after 1.25 m, of 5 in view: worth a turn.
  const std::vector<Vec2> both = answers(sampling(), {{3, 0}, {-1.3, 0}});
  CHECK(both[0].y < -0.1);
  CHECK(length(both[0] + both[1]) < 1e-9);
}

TEST_CASE("social_force: somebody ahead who walks the same way repels from its next step, by hand") {
  // r = (-1, 0), r - u dt = (-3, 0): 2 b = sqrt(16 - 4), the gradient of b is 4 (-2, 0) / (2 sqrt(12)) = (-1.1547, 0):
  // 7 exp(-1.73205 / 0.3) 1.1547 = 0.02513 m/s^2 back, for 0.1 s.
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1, 0});
  columns.add({{1, 0}, 0}, {1, 0});
  Loop loop(social_force(), columns);
  loop.set("body_decay", 0);
  loop.set("sidestep", 0);
  CHECK(loop.steer()[0].x == doctest::Approx(1 - 0.1 * 7 * std::exp(-std::sqrt(3.0) / 0.3) * 2 / std::sqrt(3.0)));
  // Somebody at the same height who walks to one's way from the right: pushed to the left and back.
  loop.people.put(1, {{1, -1}, 0});
  loop.people.velocity[1] = {0, 1};
  const Vec2 crossing = loop.steer()[0];
  CHECK(crossing.x < 1 - 1e-4);
}

TEST_CASE("proximity: two exactly head-on turn by the same 20 degrees to their right; who overtakes turns as well") {
  Columns columns(hall());
  columns.add({{0, 0}, 0}, {1, 0});
  columns.add({{1.5, 0}, 0}, {-1, 0});
  const std::vector<Vec2> walks = Loop(proximity(), columns).steer();
  CHECK(length(walks[0] - geometry::unit_direction(-20.0 / 360)) < 1e-9);
  CHECK(length(walks[0] + walks[1]) < 1e-9);
  CHECK(length(answers(proximity(), {{1.5, 0}, {0.6, 0}})[0] - geometry::unit_direction(-20.0 / 360) * 1.3) < 1e-9);
}

TEST_CASE("cellular: a cell ahead is taken by who crosses it or walks ahead in it as by who stands there") {
  const auto middle = [](int column, int row) { return Vec2{column * 0.5 + 0.25, row * 0.5 + 0.25}; };
  for (const Vec2 velocity : {Vec2{0, 1}, Vec2{0, -1}, Vec2{1, 0}, Vec2{}}) {
    Columns columns(hall());
    columns.add({middle(0, 0), 0}, {1, 0});
    columns.add({middle(2, 0), 0}, velocity);
    const Vec2 way = middle(1, -1) - middle(0, 0);
    CHECK(length(Loop(cellular(), columns).steer()[0] - way / length(way)) < 1e-9);
  }
}

TEST_CASE("karamouzas: following somebody as fast is no reason to turn or brake") {
  CHECK(length(answers(karamouzas(), as_fast_ahead)[0] - Vec2{1.3, 0}) < 1e-9);
}
