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
