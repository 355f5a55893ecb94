// Decisions of velocities, case by case as drawn in docs/strategies.md, and what must hold of all of them.
#include "steering/velocity_decisions.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "support/random.hpp"

using namespace throng;
using namespace throng::steering;

namespace {

constexpr std::optional<Side> nothing = std::nullopt;
constexpr std::optional<Side> left = Side::left, right = Side::right;
/// Everybody at the origin, walks along x for two seconds at 1 m/s.
constexpr Vec2 here{0, 0}, on{1, 0};
constexpr double window = 2;

std::optional<Side> about(Vec2 other, Vec2 walk) { return decision_about_person(here, on, window, other, walk); }
std::optional<Side> wall(Vec2 a, Vec2 b, Vec2 velocity = on) {
  return decision_about_wall(here, velocity, window, a, b);
}
Vec2 mirrored(Vec2 v) { return {v.x, -v.y}; }
std::optional<Side> swapped(std::optional<Side> side) {
  return side ? std::optional(routes::other_side(*side)) : std::nullopt;
}

/// Decision about an obstacle of several walls.
std::optional<Side> about_all(Vec2 p, Vec2 velocity, double seconds, std::span<const SeenWall> walls) {
  routes::StrategyDraft draft;
  for (const SeenWall& w : walls)
    if (const auto side = decision_about_wall(p, velocity, seconds, w.a, w.b)) draft.try_to_set(0, *side);
  routes::Strategy strategy;
  draft.finish(strategy, [](routes::Index) { return true; });
  return strategy.side_of(0);
}

/// A convex polygon, free space on the right of its sides.
std::vector<SeenWall> random_obstacle(test::Random& random) {
  std::vector<Vec2> points;
  const Vec2 centre{random.uniform(-4, 4), random.uniform(-4, 4)};
  const double wide = random.uniform(0.2, 3);
  const int count = 3 + int(random.below(5));
  const double first = random.uniform(0, 6.2831853);
  for (int i = 0; i < count; ++i) {
    const double angle = first + 6.2831853 * i / count;
    points.push_back(centre + Vec2{std::cos(angle), std::sin(angle)} * wide);
  }
  std::vector<SeenWall> walls;
  for (int i = 0; i < count; ++i) walls.push_back({points[std::size_t(i)], points[std::size_t((i + 1) % count)]});
  return walls;
}

}  // namespace

TEST_CASE("decisions about people: behind, ahead of the end, beside, standing") {
  CHECK(about({-1, 0.5}, {1, 0}) == nothing);   // behind, though quicker than that in the end
  CHECK(about({1.5, 0.3}, {1, 0}) == nothing);  // ends in front
  CHECK(about({1, 0.5}, {0, 0}) == right);      // stands on the left
  CHECK(about({1, -0.5}, {0, 0}) == left);      // stands on the right
  CHECK(about({1, 0}, {0, 0}) == nothing);      // stands exactly on the line
  CHECK(about({1.5, 0.4}, {-1, 0}) == right);   // comes towards one on the left
  CHECK(about({3, 0.4}, {-1, 0}) == right);     // the same, and was beyond the end at first
  CHECK(about({5, 0.4}, {-1, 0}) == nothing);   // is not met within the window
  CHECK(decision_about_person(here, {}, window, {1, 0.5}, {}) == nothing);  // who stands decides nothing
}

TEST_CASE("decisions about people: who crosses is passed on the side where they will be") {
  // Crosses from the right to the left, and is over on the left by the time one gets there (the paper's figure 3).
  CHECK(about({1, -0.5}, {0, 1}) == right);
  // Crosses so late that it is still on the right when one gets there: one passes before it.
  CHECK(about({1, -1.5}, {0, 1}) == left);
  CHECK(about({1, 0.5}, {0, -1}) == left);
  CHECK(about({1, 1.5}, {0, -1}) == right);
  // Is on the line just when one gets there.
  CHECK(about({1, -1}, {0, 1}) == nothing);
  // Where it will be lies before the strip beside one's own way: the side of the line all the same.
  CHECK(about({0.2, -0.3}, {0, 1}) == left);
}

TEST_CASE(
    "decisions about walls: hit, passed at either end, walked along, at a right angle, from behind, away from it") {
  // Free space on the right of a->b: below a wall that runs from left to right... seen from below.
  CHECK(wall({1, 1}, {1, -1}, {1, 0}) == nothing);        // at a right angle... from its front
  CHECK(wall({1, 1}, {1, -1}, {1, -0.2}) == right);       // hit, turning towards b
  CHECK(wall({1, 1}, {1, -1}, {1, 0.2}) == left);         // hit, turning towards a
  CHECK(wall({1, -0.1}, {1, -1}) == left);                // passed beyond a
  CHECK(wall({1, 1}, {1, 0.1}) == right);                 // passed beyond b
  CHECK(wall({-1, 1}, {3, 1}) == right);                  // along it, the wall on the left
  CHECK(wall({3, -1}, {-1, -1}) == left);                 // along it, the wall on the right
  CHECK(wall({1, -1}, {1, 1}) == nothing);                // from behind
  CHECK(wall({-3, 1}, {-1, 1}) == nothing);               // behind one
  CHECK(wall({-3, 1}, {-0.5, 1}, {1, -0.5}) == nothing);  // left obliquely
  CHECK(wall({3, 1}, {4, 1}) == nothing);                 // beside it all the time
  CHECK(wall({1, 1}, {1, 1}) == nothing);
  CHECK(wall({-1, 1}, {3, 1}, {}) == nothing);
}

TEST_CASE("decisions: mirrored scenes swap L and R") {
  test::Random random(test::test_seed());
  int decided = 0;
  for (int i = 0; i < 20000; ++i) {
    const auto any = [&] { return Vec2{random.uniform(-3, 3), random.uniform(-3, 3)}; };
    const Vec2 v = any(), other = any(), walk = any(), a = any(), b = any();
    const auto person = decision_about_person(here, v, window, other, walk);
    CHECK(decision_about_person(here, mirrored(v), window, mirrored(other), mirrored(walk)) == swapped(person));
    const auto segment = decision_about_wall(here, v, window, a, b);
    CHECK(decision_about_wall(here, mirrored(v), window, mirrored(b), mirrored(a)) == swapped(segment));
    decided += person.has_value() + segment.has_value();
  }
  CHECK(decided > 5000);
}

TEST_CASE("decisions: velocities within the half planes for one side are never decided for the other") {
  test::Random random(test::test_seed());
  int within = 0, decided = 0, wrong = 0, second = 0;
  while (within < 100000) {
    const std::vector<SeenWall> walls = random_obstacle(random);
    std::vector<SeenWall> seen;
    for (const SeenWall& w : walls)
      if (cross(w.b - w.a, here - w.a) < 0) seen.push_back(w);
    if (seen.empty() || seen.size() == walls.size()) continue;
    const Side side = random.chance(0.5) ? Side::left : Side::right;
    const PassingPlanes planes = planes_to_pass(here, 0.25, seen, side);
    REQUIRE(planes.count >= 1);
    second += planes.count == 2;
    for (int k = 0; k < 40; ++k) {
      const Vec2 v{random.uniform(-2, 2), random.uniform(-2, 2)};
      bool keeps = true;
      for (int i = 0; i < planes.count; ++i)
        keeps = keeps && cross(planes.planes[i].direction, v - planes.planes[i].point) >= 0;
      if (!keeps) continue;
      ++within;
      const auto its = about_all(here, v, random.uniform(0.5, 5), seen);
      decided += its.has_value();
      wrong += its && *its != side;
    }
  }
  CHECK(wrong == 0);
  CHECK(decided > 10000);
  CHECK(second > 100);
}

TEST_CASE("decisions about people: velocities within the plane for one side pass on it, and touch nobody") {
  test::Random random(test::test_seed());
  int within = 0, decided = 0;
  for (int i = 0; i < 200000; ++i) {
    const Vec2 other{random.uniform(-4, 4), random.uniform(-4, 4)}, walk{random.uniform(-1, 1), random.uniform(-1, 1)};
    if (length(other) < 0.6) continue;
    const Side side = random.chance(0.5) ? Side::left : Side::right;
    const HalfPlane plane = plane_to_pass(here, 0.5, other, walk, side);
    const Vec2 v{random.uniform(-2, 2), random.uniform(-2, 2)};
    const HalfPlane mirror = plane_to_pass(here, 0.5, mirrored(other), mirrored(walk), *swapped(side));
    const double inside = cross(plane.direction, v - plane.point);
    CHECK(cross(mirror.direction, mirrored(v) - mirror.point) == doctest::Approx(inside));
    if (inside < 0) continue;
    ++within;
    // Seen from the other, the way is a line beside it, or leads away.
    const Vec2 relative = v - walk;
    const double nearest = std::abs(cross(relative, other)) / length(relative);
    if (dot(relative, other) > 0) CHECK(nearest >= 0.5 - 1e-9);
    // Where the ways cross the decision is that side.
    const double apart = cross(v, walk);
    if (std::abs(apart) < 1e-6) continue;
    const double mine = cross(other, walk) / apart, theirs = cross(other, v) / apart;
    if (mine < 0 || theirs < 0 || mine > 5 || theirs > 5 || dot(relative, other) <= 0) continue;
    const auto its = decision_about_person(here, v, 5, other, walk);
    if (!its) continue;
    ++decided;
    CHECK(its == side);
  }
  CHECK(within > 50000);
  CHECK(decided > 2000);
}
