// The program against a fine grid of velocities.
#include "steering/velocity_program.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "geometry/elementary.hpp"
#include "steering/people_of.hpp"

using namespace throng;
using namespace throng::steering;
using test::Random;

namespace {

double broken(const HalfPlane& plane, Vec2 v) { return cross(v - plane.point, plane.direction); }

using Programs = VelocityPrograms;

/// What one person finds, in a lane of its own, beside others who have other programs.
Vec2 nearest_velocity(std::span<const HalfPlane> planes, std::size_t hard, double limit, Vec2 wanted,
                      std::size_t lane = 0) {
  Programs programs;
  std::array<Programs::Question, Programs::lanes> questions;
  for (std::size_t i = 0; i < planes.size(); ++i)
    i < hard ? programs.add_hard(lane, planes[i]) : programs.add_soft(lane, planes[i]);
  questions[lane] = {true, limit, wanted};
  return programs.nearest(questions)[lane];
}

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
    const Vec2 found = nearest_velocity(planes, walls, limit, wanted);
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
  const std::vector<HalfPlane> planes{{{0, 1}, {1, 0}}, {{0, -1}, {-1, 0}}};
  CHECK(nearest_velocity(planes, 2, 2, {1, 0}) == Vec2{});
}

TEST_CASE("velocity programs: nobody's answer depends on who is beside one, nor on who asks") {
  Random random(test::test_seed());
  struct Program {
    std::vector<HalfPlane> planes;
    std::size_t hard = 0;
    Vec2 wanted;
  };
  const double limit = 1.7;
  Programs together;
  for (int round = 0; round < 300; ++round) {
    std::array<Program, Programs::lanes> programs;
    std::array<Programs::Question, Programs::lanes> questions;
    together.clear();
    for (std::size_t lane = 0; lane < Programs::lanes; ++lane) {
      Program& program = programs[lane];
      program.hard = random.below(3);
      const std::size_t count = program.hard + random.below(12);
      for (std::size_t i = 0; i < count; ++i) {
        const Vec2 inwards = geometry::unit_direction(random.uniform(0, 1));
        const bool is_hard = i < program.hard;
        // Some pairs are parallel, some the same.
        const Vec2 along = i > 2 && random.below(5) == 0 ? program.planes[i - 1].direction : perpendicular(inwards);
        program.planes.push_back({inwards * random.uniform(is_hard ? 0 : -0.9, 1.5), along});
        is_hard ? together.add_hard(lane, program.planes[i]) : together.add_soft(lane, program.planes[i]);
      }
      program.wanted = {random.uniform(-2, 2), random.uniform(-2, 2)};
      questions[lane] = {random.below(4) != 0, limit, program.wanted};
    }
    const std::array<Vec2, Programs::lanes> found = together.nearest(questions);
    for (std::size_t lane = 0; lane < Programs::lanes; ++lane) {
      if (!questions[lane].is_asked) continue;
      const Program& program = programs[lane];
      for (const std::size_t elsewhere : {std::size_t{0}, Programs::lanes - 1})
        CHECK(found[lane] == nearest_velocity(program.planes, program.hard, limit, program.wanted, elsewhere));
    }
  }
}
