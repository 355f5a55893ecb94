#include "validation/statistics.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "geometry/random.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::validation;

TEST_CASE("distributions have their quantiles where tables have them") {
  CHECK(normal_below(1.96, 0, 1) == doctest::Approx(0.975).epsilon(1e-3));
  CHECK(normal_below(1.2, 1.2, 0.2) == doctest::Approx(0.5));
  // Chi square of four degrees of freedom, 95 %: 9.488.
  CHECK(gamma_below(9.488, 2, 2) == doctest::Approx(0.95).epsilon(1e-3));
  CHECK(gamma_below(1, 1, 1) == doctest::Approx(1 - std::exp(-1)));
  CHECK(gamma_below(500, 1.291, 103.901) < 1);
  CHECK(weibull_below(139.285, 1.195, 139.285) == doctest::Approx(1 - std::exp(-1)));
  CHECK(lognormal_below(std::exp(4.586), 4.586, 0.967) == doctest::Approx(0.5));
  for (const double below : {gamma_below(-1, 1, 1), weibull_below(0, 1, 1), lognormal_below(0, 1, 1)})
    CHECK(below == 0);
}

TEST_CASE("the Kolmogorov-Smirnov distance of even values is small, and of others above 1") {
  std::vector<double> even, skewed;
  for (int i = 0; i < 1000; ++i) {
    even.push_back((i + 0.5) / 1000);
    skewed.push_back(even.back() * even.back());
  }
  CHECK(kolmogorov_smirnov(even) < 0.02);
  CHECK(kolmogorov_smirnov(skewed) > 5);
  // Of uniform samples 95 % are below 1.
  geometry::RandomStream stream(test::test_seed());
  int above = 0;
  for (int sample = 0; sample < 200; ++sample) {
    std::vector<double> values;
    for (int i = 0; i < 100; ++i) values.push_back(stream.unit());
    above += kolmogorov_smirnov(values) > 1 ? 1 : 0;
  }
  CHECK(above <= 25);  // 10 on average; 25 is five deviations off
}

TEST_CASE("bins have the means and percentiles of their points, and are read off linearly") {
  std::vector<Vec2> points;
  for (int i = 0; i <= 100; ++i) points.push_back({0.6, i / 100.0});
  for (int i = 0; i < 20; ++i) points.push_back({1.4, 0.1});
  points.push_back({3, 9});
  const std::vector<Bin> bins = bins_of(points, 0.5, 10);
  REQUIRE(bins.size() == 2);
  CHECK(bins[0].x == doctest::Approx(0.6));
  CHECK(bins[0].mean == doctest::Approx(0.5));
  CHECK(bins[0].low == doctest::Approx(0.1));
  CHECK(bins[0].middle == doctest::Approx(0.5));
  CHECK(bins[0].high == doctest::Approx(0.9));
  CHECK(*read_off(bins, 1.0) == doctest::Approx(0.3));
  CHECK(!read_off(bins, 0.5));
  CHECK(!read_off(bins, 1.5));
}

TEST_CASE("a straight line explains what lies on it, and little of a parabola") {
  CHECK(explained_by_line({{0, 1}, {1, 3}, {2, 5}}) == doctest::Approx(1));
  CHECK(explained_by_line({{-1, 1}, {0, 0}, {1, 1}}) == doctest::Approx(0));
}
