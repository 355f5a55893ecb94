#include "navmesh/random_point.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "navmesh/locate.hpp"
#include "support/brute_force.hpp"
#include "support/random.hpp"
#include "support/scenes.hpp"

using namespace throng;
using namespace throng::navmesh;
using throng::test::BruteForce;
using throng::test::make_scene;
using throng::test::Random;
using throng::test::Scene;

TEST_CASE("random points fall evenly on a grid of squares") {
  const std::vector<environment::Environment> worlds = test::degenerate_worlds();
  const Scene scene = make_scene(worlds[0].source, worlds[0]);
  CHECK(free_area(*scene.mesh, 0) == doctest::Approx(96));
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  std::map<std::pair<int, int>, int> counts;
  const int count = 96 * 400;
  for (int i = 0; i < count; ++i) {
    const auto place = random_point(*scene.mesh, 0, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
    REQUIRE(place);
    ++counts[{int(place->point.x), int(place->point.y)}];
  }
  double chi2 = 0;
  int squares = 0;
  for (int x = 0; x < 11; ++x)
    for (int y = 0; y < 11; ++y) {
      const int n = counts[{x, y}];
      if (x % 2 == 1 && y % 2 == 1) {
        CHECK(n == 0);
      } else {
        chi2 += (n - 400.0) * (n - 400.0) / 400.0;
        ++squares;
      }
    }
  CHECK(squares == 96);
  // 95 degrees of freedom: mean 95, standard deviation 13.8; seven deviations will not be met by chance.
  CHECK(chi2 < 95 + 7 * 13.8);
  CHECK(chi2 > 95 - 5 * 13.8);
}

TEST_CASE("random points are walkable, and areas are those of the cleaned world") {
  const std::uint64_t seed = test::test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  for (std::uint64_t i = 0; i < 10; ++i) {
    const Scene scene = make_scene("random world", test::random_world(seed + i));
    const BruteForce brute(scene.world);
    CHECK(free_area(*scene.mesh, 0) ==
          doctest::Approx(environment::area(scene.world.layers[0].free, scene.world.grid)).epsilon(1e-9));
    Random random(seed + i);
    for (int k = 0; k < 300; ++k) {
      const auto place = random_point(*scene.mesh, 0, random.uniform(0, 1), random.uniform(0, 1), random.uniform(0, 1));
      REQUIRE(place);
      const bool good = brute.walkable(place->point) || brute.clearance(place->point) < 1e-8;
      CHECK(good);
      CHECK(locate(*scene.mesh, *place));
    }
    CHECK(random_point(*scene.mesh, 0, 0, 0, 0));
    CHECK(random_point(*scene.mesh, 0, std::nextafter(1.0, 0.0), std::nextafter(1.0, 0.0), std::nextafter(1.0, 0.0)));
    CHECK(!random_point(*scene.mesh, 1, 0.5, 0.5, 0.5));
  }
}
