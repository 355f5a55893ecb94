#include "geometry/elementary.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "geometry/random.hpp"

using namespace throng;
using namespace throng::geometry;

TEST_CASE("unit_direction is cosine and sine, and exact at quarter turns") {
  CHECK(unit_direction(0) == Vec2{1, 0});
  CHECK(unit_direction(0.25) == Vec2{0, 1});
  CHECK(unit_direction(0.5) == Vec2{-1, 0});
  CHECK(unit_direction(0.75) == Vec2{0, -1});
  CHECK(unit_direction(-3) == Vec2{1, 0});
  RandomStream stream(1);
  for (int i = 0; i < 20000; ++i) {
    const double turns = stream.uniform(-2, 2);
    const Vec2 v = unit_direction(turns);
    const double radians = 2 * std::numbers::pi * turns;
    CAPTURE(turns);
    REQUIRE(std::abs(v.x - std::cos(radians)) < 4e-15);  // the angle itself is rounded here
    REQUIRE(std::abs(v.y - std::sin(radians)) < 4e-15);
    REQUIRE(std::abs(squared_length(v) - 1) < 1e-15);
  }
}

TEST_CASE("arc_tangent is the angle, and many at once are the same to the bit") {
  RandomStream stream(4);
  std::vector<double> y{0, 0, 0, 1, -1, 1, -0.0}, x{0, 1, -1, 0, 0, 1, 0};
  for (int i = 0; i < 20000; ++i) {
    y.push_back(stream.uniform(-2, 2));
    x.push_back(i % 3 == 0 ? stream.uniform(-1e-3, 1e-3) : stream.uniform(-2, 2));
  }
  std::vector<double> angles(x.size());
  arc_tangents(y, x, angles);
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(y[i]);
    CAPTURE(x[i]);
    REQUIRE(std::abs(arc_tangent(y[i], x[i]) - std::atan2(y[i], x[i])) <= 2e-15);
    REQUIRE(angles[i] == arc_tangent(y[i], x[i]));
  }
}

TEST_CASE("natural_log is the logarithm") {
  CHECK(natural_log(1) == 0);
  RandomStream stream(2);
  for (int i = 0; i < 20000; ++i) {
    const double x = std::ldexp(stream.uniform(1, 2), stream.integer(-1020, 1020));
    CAPTURE(x);
    REQUIRE(std::abs(natural_log(x) - std::log(x)) <= 4e-16 * std::abs(std::log(x)));
  }
  for (int i = 0; i < 20000; ++i) {
    const double x = stream.uniform(0.5, 2);
    CAPTURE(x);
    REQUIRE(std::abs(natural_log(x) - std::log(x)) <= 9e-16 * std::abs(std::log(x)));
  }
}

TEST_CASE("exponential is e to the power of x") {
  CHECK(exponential(0) == 1);
  CHECK(exponential(-701) == 0);
  CHECK(exponential(-INFINITY) == 0);
  RandomStream stream(3);
  for (int i = 0; i < 20000; ++i) {
    const double x = i % 2 == 0 ? stream.uniform(-700, 700) : stream.uniform(-3, 3);
    CAPTURE(x);
    REQUIRE(std::abs(exponential(x) - std::exp(x)) <= 1e-15 * std::exp(x));
  }
}
