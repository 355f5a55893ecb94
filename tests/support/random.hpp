// Random numbers for tests: the same on every machine, from a seed that a failure prints and a user can give.
//
//   const std::uint64_t seed = test_seed();
//   INFO("THRONG_TEST_SEED=" << seed);
//   Random random(seed);
//
// THRONG_TEST_SEED=N runs every random test from that seed; THRONG_TEST_SEED=random from a new one each
// time. Without it the seed is fixed, so that nobody's change fails by chance.
#pragma once

#include <cassert>
#include <cstdint>

namespace throng::test {

/// The seed of this run: the same for every call.
[[nodiscard]] std::uint64_t test_seed();

/// SplitMix64 (Steele, Lea, Flood 2014). Good enough to make test inputs; simulations use their own generator.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  /// In [0, count); the bias of the remainder does not matter here.
  std::uint64_t below(std::uint64_t count) { return assert(count > 0), next() % count; }
  /// In [low, high].
  std::int64_t whole(std::int64_t low, std::int64_t high) {
    assert(low <= high);
    return low + std::int64_t(below(std::uint64_t(high - low) + 1));
  }
  /// In [low, high).
  double uniform(double low, double high) { return low + (high - low) * (double(next() >> 11) * 0x1p-53); }
  bool chance(double probability) { return uniform(0, 1) < probability; }

 private:
  std::uint64_t state_;
};

}  // namespace throng::test
