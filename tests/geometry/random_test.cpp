#include "geometry/random.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using namespace throng::geometry;

TEST_CASE("philox gives the published known answers of Random123") {
  // The lines "philox4x32 10 ..." of Random123's kat_vectors.
  CHECK(philox4x32_10({0, 0, 0, 0}, {0, 0}) == PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox4x32_10({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("a stream is the blocks of its counter, in order") {
  RandomStream stream(0x0123456789abcdefULL, {.population = 3, .purpose = 5, .number = 7, .step = 11});
  for (std::uint32_t block = 0; block < 3; ++block)
    for (const std::uint32_t word : philox4x32_10({block, 11, 7, (3u << 12) | 5}, {0x89abcdef, 0x01234567}))
      CHECK(stream.word() == word);
}

TEST_CASE("streams for different things differ") {
  const DrawFor variants[] = {{}, {.population = 1}, {.purpose = 1}, {.number = 1}, {.step = 1}};
  std::vector<std::uint64_t> firsts;
  for (const DrawFor& what : variants) {
    RandomStream stream(1, what);
    const std::uint64_t high = stream.word();
    firsts.push_back((high << 32) | stream.word());
  }
  for (std::size_t i = 0; i < firsts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) CHECK(firsts[i] != firsts[j]);
}

TEST_CASE("unit lies in [0, 1) and has the moments of the uniform distribution") {
  RandomStream stream(42);
  double sum = 0, squares = 0;
  const int draws = 200000;
  for (int i = 0; i < draws; ++i) {
    const double u = stream.unit();
    REQUIRE(u >= 0);
    REQUIRE(u < 1);
    sum += u;
    squares += u * u;
  }
  // Five standard errors.
  CHECK(std::abs(sum / draws - 1.0 / 2) < 5 * std::sqrt(1.0 / 12 / draws));
  CHECK(std::abs(squares / draws - 1.0 / 3) < 5 * std::sqrt(4.0 / 45 / draws));
}

TEST_CASE("below is fair, also where the count does not divide 2^32") {
  RandomStream stream(7);
  const std::uint32_t count = 7;
  const int draws = 140000;
  std::vector<int> seen(count);
  for (int i = 0; i < draws; ++i) ++seen[stream.below(count)];
  double chi_square = 0;
  const double expected = double(draws) / count;
  for (const int n : seen) chi_square += (n - expected) * (n - expected) / expected;
  CHECK(chi_square < 22.5);  // 6 degrees of freedom, one in a thousand
  // Two thirds of 2^32: without rejection the first half would come out twice as often as the second.
  const std::uint32_t unfair = 0xAAAAAAABu;
  int low = 0;
  for (int i = 0; i < 20000; ++i) low += stream.below(unfair) < unfair / 2;
  CHECK(std::abs(low - 10000) < 5 * std::sqrt(5000.0));
}

TEST_CASE("integer reaches both ends and nothing beyond") {
  RandomStream stream(9);
  bool low = false, high = false;
  for (int i = 0; i < 1000; ++i) {
    const std::int32_t n = stream.integer(-3, 4);
    REQUIRE(n >= -3);
    REQUIRE(n <= 4);
    low |= n == -3;
    high |= n == 4;
  }
  CHECK(low);
  CHECK(high);
  CHECK(stream.integer(5, 5) == 5);
  const std::int32_t most = std::numeric_limits<std::int32_t>::max();
  CHECK(stream.integer(most - 1, most) >= most - 1);
}

TEST_CASE("normal_quantile inverts the normal distribution function") {
  for (const double p :
       {1e-300, 1e-100, 1e-16, 1e-9, 1e-4, 0.01, 0.07, 0.0750001, 0.2, 0.5, 0.9, 0.93, 0.999, 1 - 1e-9}) {
    const double x = normal_quantile(p);
    CAPTURE(p);
    CHECK(std::abs(0.5 * std::erfc(-x / std::sqrt(2.0)) / p - 1) < 1e-12 * std::max(1.0, x * x));
    if (p > 1e-15) CHECK(normal_quantile(1 - p) == doctest::Approx(-x).epsilon(1e-6));
  }
  CHECK(normal_quantile(0.5) == 0);
}

TEST_CASE("normal has the mean and deviation asked for") {
  RandomStream stream(11);
  const int draws = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < draws; ++i) {
    const double x = stream.normal(1.34, 0.26);
    sum += x;
    squares += (x - 1.34) * (x - 1.34);
  }
  CHECK(std::abs(sum / draws - 1.34) < 5 * 0.26 / std::sqrt(double(draws)));
  CHECK(std::abs(std::sqrt(squares / draws) - 0.26) < 5 * 0.26 / std::sqrt(2.0 * draws));
}

TEST_CASE("the numbers of a seed never change") {
  // Recordings and hashes of old runs rest on these.
  RandomStream stream(2024, {.population = 1, .purpose = 2, .number = 3, .step = 4});
  CHECK(stream.unit() == 0x1.a9883eb89d15p-1);
  CHECK(stream.below(1000) == 74);
  CHECK(stream.normal(0, 1) == 0x1.17b5f3e93cb51p+0);
}
