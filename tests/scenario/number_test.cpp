#include "scenario/number.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "support/random.hpp"

using namespace throng;
using namespace throng::scenario;

namespace {

struct Moments {
  double mean = 0, deviation = 0, least = 1e300, most = -1e300;
};

Moments moments_of(const Number& number, int count = 50000) {
  geometry::RandomStream stream(test::test_seed(), {.purpose = 3});
  double sum = 0, squares = 0;
  Moments m;
  for (int i = 0; i < count; ++i) {
    const double value = number.draw(stream);
    sum += value, squares += value * value;
    m.least = std::min(m.least, value), m.most = std::max(m.most, value);
  }
  m.mean = sum / count;
  m.deviation = std::sqrt(std::max(0.0, squares / count - m.mean * m.mean));
  return m;
}

}  // namespace

TEST_CASE("a constant is itself") {
  const Moments m = moments_of(Number(0.24), 10);
  CHECK(m.least == 0.24);
  CHECK(m.most == 0.24);
}

TEST_CASE("uniform draws fill their range") {
  const Moments m = moments_of(Number::uniform(2, 5));
  CHECK(m.least >= 2);
  CHECK(m.most <= 5);
  CHECK(m.mean == doctest::Approx(3.5).epsilon(0.01));
  CHECK(m.deviation == doctest::Approx(3 / std::sqrt(12.0)).epsilon(0.02));
}

TEST_CASE("normal draws have mean and deviation, and keep their bounds by being drawn again") {
  const Moments wide = moments_of(Number::normal(1.34, 0.26));
  CHECK(wide.mean == doctest::Approx(1.34).epsilon(0.01));
  CHECK(wide.deviation == doctest::Approx(0.26).epsilon(0.02));
  // Half a normal distribution: mean + deviation * sqrt(2 / pi), which clamping would not give.
  const Moments half = moments_of(Number::normal(1, 0.5, 1, 100));
  CHECK(half.least >= 1);
  CHECK(half.mean == doctest::Approx(1 + 0.5 * std::sqrt(2 / 3.14159265)).epsilon(0.01));
  const Moments narrow = moments_of(Number::normal(1, 0.5, 1, 1), 10);
  CHECK(narrow.least == 1);
  CHECK(narrow.most == 1);
}

TEST_CASE("choices come with their weights") {
  const Number number = Number::choose({{1, 3}, {2, 1}, {7, 0}});
  std::map<double, int> counts;
  geometry::RandomStream stream(test::test_seed(), {.purpose = 4});
  for (int i = 0; i < 40000; ++i) ++counts[number.draw(stream)];
  CHECK(counts.size() == 2);
  CHECK(counts[1] / 40000.0 == doctest::Approx(0.75).epsilon(0.02));
  CHECK(number.least() == 1);
  CHECK(number.most() == 7);
  CHECK(number.mean() == doctest::Approx(1.25));
}

TEST_CASE("lognormal, gamma and weibull draws have the moments of their distributions") {
  constexpr double far = Number::unbounded;
  const Moments lognormal = moments_of(Number::lognormal(0.5, 0.4, 0, far));
  CHECK(lognormal.mean == doctest::Approx(std::exp(0.5 + 0.08)).epsilon(0.01));
  CHECK(lognormal.deviation == doctest::Approx(std::exp(0.58) * std::sqrt(std::exp(0.16) - 1)).epsilon(0.03));
  for (const double shape : {0.4, 1.291, 9.0}) {
    const Moments gamma = moments_of(Number::gamma(shape, 2, 0, far));
    CHECK(gamma.mean == doctest::Approx(2 * shape).epsilon(0.02));
    CHECK(gamma.deviation == doctest::Approx(2 * std::sqrt(shape)).epsilon(0.03));
  }
  const Moments weibull = moments_of(Number::weibull(1.195, 139.285, 0, far));
  CHECK(weibull.mean == doctest::Approx(139.285 * std::tgamma(1 + 1 / 1.195)).epsilon(0.02));
  const Moments cut = moments_of(Number::weibull(1.195, 139.285, 50, 100));
  CHECK(cut.least >= 50);
  CHECK(cut.most <= 100);
}

TEST_CASE("a number is read off a table by another one, linear between rows and constant beyond them") {
  geometry::RandomStream stream(test::test_seed());
  const Number speed = Number::table("age", {{20, 1.6}, {40, 1.4}, {80, 0.6}},
                                     Number::table("man", {{0, 1}, {1, 1.1}}, 1, 0, 0, 10), 0, 0, 10);
  const auto at = [&](double age, double man) { return speed.draw(stream, {{"age", age}, {"man", man}}); };
  CHECK(at(20, 0) == doctest::Approx(1.6));
  CHECK(at(30, 0) == doctest::Approx(1.5));
  CHECK(at(60, 1) == doctest::Approx(1.1));
  CHECK(at(5, 0) == doctest::Approx(1.6));
  CHECK(at(99, 0) == doctest::Approx(0.6));
}

TEST_CASE("a deviation spreads what is read off a table, as a part of it") {
  geometry::RandomStream stream(test::test_seed());
  const Number speed = Number::table("age", {{0, 1}, {100, 2}}, 1, 0.2, 0, 10);
  double sum = 0, squares = 0;
  constexpr int count = 20000;
  for (int i = 0; i < count; ++i) {
    const double value = speed.draw(stream, {{"age", 50}});
    sum += value, squares += value * value;
  }
  CHECK(sum / count == doctest::Approx(1.5).epsilon(0.01));
  CHECK(std::sqrt(squares / count - sum * sum / count / count) == doctest::Approx(0.3).epsilon(0.03));
}
