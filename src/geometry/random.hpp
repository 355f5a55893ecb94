// Random numbers that depend on what they are for, and on nothing else.
//
// Philox4x32-10 is counter-based: a keyed bijection of 128-bit counters (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as
// easy as 1, 2, 3", SC 2011, section 3.3). A stream is a seed and the three things the number is drawn for; there is no state to
// share, so adding a population or a thread leaves every other stream as it was.
//
// Laws
// 1. philox4x32_10 gives the published known answers of Random123.
// 2. Streams that differ in seed, population, number, purpose or step have no block in common, up to 2^32 blocks of four words.
// 3. Distributions are our own: the same bits on every machine. Each of `uniform`, `normal`, `chance` uses exactly two words, so that
//    the n-th draw is the same number whatever was asked for before; `below` uses one, and very rarely more.
// Thread-safety: a stream belongs to one thread; making one costs nothing.
#pragma once

#include <array>
#include <cassert>
#include <cstdint>

namespace throng::geometry {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Ten rounds of Philox4x32.
[[nodiscard]] constexpr PhiloxCounter philox4x32_10(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {std::uint32_t(b >> 32) ^ counter[1] ^ key[0], std::uint32_t(b),
               std::uint32_t(a >> 32) ^ counter[3] ^ key[1], std::uint32_t(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// What a number is drawn for. Purposes are small numbers that each user of a seed gives out itself.
struct DrawFor {
  std::uint32_t population = 0;  ///< below 2^20
  std::uint32_t purpose = 0;     ///< below 2^12
  std::uint32_t number = 0;      ///< which member of the population
  std::uint32_t step = 0;
};

/// The quantile function of the standard normal distribution, to 1e-15 (Wichura, algorithm AS 241, 1988). Requires 0 < p < 1.
[[nodiscard]] double normal_quantile(double p);

class RandomStream {
 public:
  constexpr explicit RandomStream(std::uint64_t seed, DrawFor what = {})
      : key_{std::uint32_t(seed), std::uint32_t(seed >> 32)},
        counter_{0, what.step, what.number, (what.population << 12) | what.purpose} {
    assert(what.population < (1u << 20) && what.purpose < (1u << 12));
  }

  constexpr std::uint32_t word() {
    if (used_ == 4) {
      block_ = philox4x32_10(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return block_[used_++];
  }

  /// 53 random bits: a multiple of 2^-53 in [0, 1).
  constexpr double unit() {
    const std::uint64_t high = word();
    return double((high << 21) | (word() >> 11)) * 0x1p-53;
  }
  /// In [low, high); high itself may come out where rounding makes it so.
  constexpr double uniform(double low, double high) { return low + (high - low) * unit(); }
  /// True with this probability.
  constexpr bool chance(double probability) { return unit() < probability; }
  /// A whole number in [0, count), each alike (Lemire 2019). Requires count > 0.
  constexpr std::uint32_t below(std::uint32_t count) {
    assert(count > 0);
    const std::uint32_t unfair = -count % count;
    std::uint64_t product = std::uint64_t{word()} * count;
    while (std::uint32_t(product) < unfair) product = std::uint64_t{word()} * count;
    return std::uint32_t(product >> 32);
  }
  /// A whole number in [low, high], both included.
  constexpr std::int32_t integer(std::int32_t low, std::int32_t high) {
    assert(low <= high && std::int64_t{high} - low < 0xffffffffLL);
    return std::int32_t(low + std::int64_t{below(std::uint32_t(std::int64_t{high} - low + 1))});
  }
  double normal(double mean, double deviation) {
    const double half_step = 0x1p-54;  // keeps the argument off 0
    return mean + deviation * normal_quantile(unit() + half_step);
  }

 private:
  PhiloxKey key_;
  PhiloxCounter counter_;
  PhiloxCounter block_{};
  unsigned used_ = 4;
};

}  // namespace throng::geometry
