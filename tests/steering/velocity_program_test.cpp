// The program against a fine grid of velocities.
#include "steering/velocity_program.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "geometry/elementary.hpp"
#include "steering/people_of.hpp"

using namespace throng;
using namespace throng::steering;
using test::length;
using test::Random;

namespace {

double broken(const HalfPlane& plane, Vec2 v) { return cross(v - plane.point, plane.direction); }

double worst(std::span<const HalfPlane> planes, Vec2 v) {
  double worst = -INFINITY;
  for (const HalfPlane& plane : planes) worst = std::max(worst, broken(plane, v));
  return worst;
}

/// The smallest value over the points of a grid in the disc at which it is finite.
template <class Value>
double least_on_grid(double limit, Value&& value) {
  double least = INFINITY;
  constexpr int steps = 120;
  for (int i = -steps; i <= steps; ++i)
    for (int j = -steps; j <= steps; ++j) {
      const Vec2 v{limit * i / steps, limit * j / steps};
      if (length(v) <= limit) least = std::min(least, value(v));
    }
  return least;
}

}  // namespace

TEST_CASE(
    "velocity program: as near as any point of a grid that keeps to all; else the worst is broken no more than there") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  std::vector<HalfPlane> scratch;
  int solvable = 0;
  int unsolvable = 0;
  for (int round = 0; round < 400; ++round) {
    const double limit = 1.7;
    const double step = limit / 120 * 1.5;  // the grid misses the best point by at most this
    std::vector<HalfPlane> planes;
    const std::size_t hard = random.below(4);
    for (std::size_t i = 0; i < hard + random.below(8); ++i) {
      const Vec2 inwards = geometry::unit_direction(random.uniform(0, 1));
      // Hard ones allow standing still, as walls do.
      const double offset = i < hard ? random.uniform(0, 1) : random.uniform(-0.7, 1.5);
      planes.push_back({inwards * offset, perpendicular(inwards)});
    }
    const std::size_t walls = std::min(hard, planes.size());
    const Vec2 wanted{random.uniform(-1.3, 1.3), random.uniform(-1.3, 1.3)};
    const Vec2 found = nearest_velocity(planes, walls, limit, wanted, scratch);
    CHECK(length(found) <= limit * (1 + 1e-12));
    const auto all = std::span<const HalfPlane>(planes);
    CHECK(worst(all.first(walls), found) <= 1e-9);
    const double nearest =
        least_on_grid(limit, [&](Vec2 v) { return worst(all, v) <= 0 ? length(v - wanted) : INFINITY; });
    if (nearest < INFINITY) {
      ++solvable;
      CHECK(worst(all, found) <= 1e-9);
      CHECK(length(found - wanted) <= nearest + 1e-9);
    } else {
      ++unsolvable;
      const double least = least_on_grid(
          limit, [&](Vec2 v) { return worst(all.first(walls), v) <= 0 ? worst(all.subspan(walls), v) : INFINITY; });
      CHECK(worst(all.subspan(walls), found) <= std::max(1e-9, least + 1e-9));
      CHECK(worst(all.subspan(walls), found) >= least - step);
    }
  }
  CHECK(solvable > 50);
  CHECK(unsolvable > 20);
}

TEST_CASE("velocity program: hard planes that contradict each other give standing still") {
  std::vector<HalfPlane> scratch;
  const std::vector<HalfPlane> planes{{{0, 1}, {1, 0}}, {{0, -1}, {-1, 0}}};
  CHECK(nearest_velocity(planes, 2, 2, {1, 0}, scratch) == Vec2{});
}
