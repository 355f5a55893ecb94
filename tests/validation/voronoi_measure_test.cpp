#include "validation/voronoi_measure.hpp"

#include <doctest/doctest.h>

#include <numbers>

using namespace throng;
using namespace throng::validation;

namespace {

const std::vector<Vec2> walls{{0, 0}, {20, 0}, {20, 4}, {0, 4}};
const std::vector<Vec2> area{{8, 0}, {10, 0}, {10, 4}, {8, 4}};

/// A square lattice as far apart, half of that from the walls, that moves at a speed.
std::vector<MovingPoint> lattice(double apart, double speed) {
  std::vector<MovingPoint> people;
  for (double x = apart / 2; x < 20; x += apart)
    for (double y = apart / 2; y < 4; y += apart) people.push_back({{x, y}, speed});
  return people;
}

}  // namespace

TEST_CASE("a lattice has its density and its speed exactly") {
  for (const double apart : {0.5, 1.0}) {
    const DensityAndSpeed found = voronoi_measure(lattice(apart, 1.2), walls, area, 1);
    CHECK(found.density == doctest::Approx(1 / (apart * apart)).epsilon(1e-9));
    REQUIRE(found.speed);
    CHECK(*found.speed == doctest::Approx(1.2).epsilon(1e-9));
  }
}

TEST_CASE("speeds count by the ground that people have in the area") {
  // Two columns, one of which has a quarter of the area.
  std::vector<MovingPoint> people;
  for (const double x : {8.0, 9.0, 11.0})
    for (double y = 0.25; y < 4; y += 0.5) people.push_back({{x, y}, x < 8.5 ? 2.0 : 1.0});
  const DensityAndSpeed found = voronoi_measure(people, walls, area, 2);
  REQUIRE(found.speed);
  CHECK(*found.speed == doctest::Approx(0.25 * 2 + 0.75 * 1).epsilon(1e-6));
}

TEST_CASE("somebody alone has a disc of ground, cut at the walls") {
  const DensityAndSpeed inside = voronoi_measure({{{9, 2}, 1.0}}, walls, area, 1);
  CHECK(inside.density == doctest::Approx(1.0 / 8).epsilon(1e-6));
  const DensityAndSpeed far = voronoi_measure({{{2, 2}, 1.0}}, walls, area, 1);
  CHECK(far.density == 0);
  CHECK(!far.speed);
  const DensityAndSpeed across = voronoi_measure({{{10, 2}, {}}}, walls, area, 1);
  CHECK(across.density == doctest::Approx(0.5 / 8).epsilon(1e-6));
  CHECK(!across.speed);
}
