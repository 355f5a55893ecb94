#include "geometry/snap_grid.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "support/random.hpp"

namespace throng::geometry {
namespace {

TEST_CASE("the default unit is the smallest power of ten, from a millimetre, that fits two million units") {
  const auto unit_of_side = [](double side) { return SnapGrid::for_box({{0, 0}, {side, 1}}).unit(); };
  CHECK(unit_of_side(0) == 0.001);
  CHECK(unit_of_side(40) == 0.001);
  CHECK(unit_of_side(2000) == 0.001);
  CHECK(unit_of_side(2000.001) == 0.01);
  CHECK(unit_of_side(20000) == 0.01);
  CHECK(unit_of_side(150000) == 0.1);
  CHECK(unit_of_side(2e6) == 1);
  CHECK(unit_of_side(1e9) == 1000);
  CHECK(SnapGrid::for_box({{0, 0}, {1, 2500}}).unit() == 0.01);
}

TEST_CASE("the origin is near the middle of the box, in whole units") {
  const SnapGrid grid = SnapGrid::for_box({{1000, -40}, {1100, 60}});
  CHECK(grid.origin_x() == 1050000);
  CHECK(grid.origin_y() == 10000);
  CHECK(grid.snap({1050, 10}) == GridPoint{0, 0});
}

TEST_CASE("grid points survive the way to metres and back") {
  INFO("THRONG_TEST_SEED=" << test::test_seed());
  test::Random random(test::test_seed());
  for (const double unit : {0.001, 0.003, 0.01, 0.1, 1.0, 7.0, 1000.0}) {
    const SnapGrid grid(unit, random.whole(-1'000'000'000, 1'000'000'000), random.whole(-1'000'000'000, 1'000'000'000));
    for (int i = 0; i < 1000; ++i) {
      const auto coordinate = [&] { return std::int32_t(random.whole(1 - max_coordinate, max_coordinate - 1)); };
      const GridPoint p{coordinate(), coordinate()};
      REQUIRE(grid.snap(grid.to_world(p)) == p);
    }
  }
}

TEST_CASE("metres are the doubles nearest to the decimal numbers") {
  const SnapGrid grid = SnapGrid::for_box({{0, 0}, {100, 100}});
  CHECK(grid.to_world(grid.snap({12.345, 0.1})) == Vec2{12.345, 0.1});
  CHECK(grid.to_world(grid.snap({99.999, 33.333})) == Vec2{99.999, 33.333});
}

TEST_CASE("halves are rounded up on both sides of zero, so that moving the world moves the result") {
  const SnapGrid grid(1, 0, 0);
  CHECK(grid.snap({0.5, 1.5}) == GridPoint{1, 2});
  CHECK(grid.snap({-0.5, -1.5}) == GridPoint{0, -1});
}

TEST_CASE("a unit that nobody can measure with, or in which the box does not fit, is refused") {
  const Box room{{0, 0}, {40, 20}};
  CHECK(SnapGrid::for_box(room, 0.002).has_value());
  for (const double unit : {0.0, -1.0, 1e-10, 1e10, 1.4e306, std::numeric_limits<double>::infinity(), std::nan("")})
    CHECK_MESSAGE(!SnapGrid::for_box(room, unit).has_value(), unit);
  CHECK(!SnapGrid::for_box(room, 1e-6).has_value());
  CHECK(!SnapGrid::for_box({{1e9, 0}, {1e9 + 1, 1}}, 1e-7).has_value());
}

}  // namespace
}  // namespace throng::geometry
