// THRONG_WIDE_VECTORS before a function: compiled a second time for processors with AVX2, and chosen when the program starts. The same
// bits either way: only operations that are rounded alike are used, and none are fused (-ffp-contract=off).
#pragma once

#include <cstdint>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define THRONG_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define THRONG_SANITIZED
#endif

// Sanitizers are not ready yet when the choice is made.
#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(THRONG_SANITIZED)
#define THRONG_WIDE_VECTORS __attribute__((target_clones("avx2", "default")))
#else
#define THRONG_WIDE_VECTORS
#endif

namespace throng {

/// Four numbers, worked on element by element, in one register where the processor has such. Comparisons give FourBools, `a < b ? c : d`
/// chooses element by element. Functions that take these must be inlined, so that they belong to the function with THRONG_WIDE_VECTORS.
typedef double Four __attribute__((vector_size(32), aligned(32)));             // NOLINT: `using` loses the alignment
typedef std::int64_t FourBools __attribute__((vector_size(32), aligned(32)));  // NOLINT
#define THRONG_INLINED [[gnu::always_inline]] inline

}  // namespace throng

// Where whole numbers have to be sorted out lane by lane, which vectors of the compiler cannot do: a few named operations on four lanes, for
// functions with THRONG_AVX2, where THRONG_HAS_AVX2 is defined; to be called only if has_avx2(). With THRONG_NO_AVX2 in the program's
// environment that is never so: each has a plain twin beside it that gives the same bits, and a test compares them.
#if defined(__x86_64__)
#define THRONG_HAS_AVX2
#include <immintrin.h>

#include <array>
#include <cstddef>
#include <cstdlib>

#define THRONG_AVX2 __attribute__((target("avx2")))

namespace throng {

[[nodiscard]] inline bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && std::getenv("THRONG_NO_AVX2") == nullptr;
  return has;
}

namespace lanes {

inline constexpr std::size_t count = 4;

/// A set of lanes, a bit each.
using Set = unsigned;
/// The first so many, at most four.
[[nodiscard]] constexpr Set first(std::size_t many) { return (1U << (many < count ? many : count)) - 1; }

/// Four doubles from memory that need not be aligned.
[[nodiscard]] THRONG_INLINED THRONG_AVX2 Four load(const double* from) { return Four(_mm256_loadu_pd(from)); }
/// Those lanes in which a comparison held.
[[nodiscard]] THRONG_INLINED THRONG_AVX2 Set where(FourBools holds) {
  return Set(_mm256_movemask_pd(_mm256_castsi256_pd(__m256i(holds))));
}
[[nodiscard]] THRONG_INLINED THRONG_AVX2 Four absolute(Four values) {
  return Four(FourBools(values) & FourBools{INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX});
}

/// Four whole numbers of 32 bits.
typedef std::uint32_t FourWholes __attribute__((vector_size(16)));  // NOLINT: `using` loses the alignment
[[nodiscard]] THRONG_INLINED THRONG_AVX2 FourWholes load(const std::uint32_t* from) {
  return FourWholes(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
}
/// Those lanes that hold this number.
[[nodiscard]] THRONG_INLINED THRONG_AVX2 Set where_equal(FourWholes values, std::uint32_t to) {
  const __m128i equal = _mm_cmpeq_epi32(__m128i(values), _mm_set1_epi32(std::int32_t(to)));
  return Set(_mm_movemask_ps(_mm_castsi128_ps(equal)));
}

namespace detail {

/// For every set of lanes, where a vector must take its lanes from to hold those of the set first.
struct Packing {
  alignas(32) std::array<std::array<std::int32_t, 8>, 16> doubles{};
  alignas(16) std::array<std::array<std::int8_t, 16>, 16> wholes{};
  constexpr Packing() {
    for (std::size_t set = 0; set < 16; ++set) {
      std::size_t to = 0;
      for (std::size_t lane = 0; lane < count; ++lane) {
        if ((set >> lane & 1) == 0) continue;
        doubles[set][2 * to] = std::int32_t(2 * lane);
        doubles[set][2 * to + 1] = std::int32_t(2 * lane + 1);
        for (std::size_t byte = 0; byte < 4; ++byte) wholes[set][4 * to + byte] = std::int8_t(4 * lane + byte);
        ++to;
      }
    }
  }
};
inline constexpr Packing packing;

}  // namespace detail

/// Stores the lanes of a set one after the other; what lies behind them, up to four in all, is overwritten with anything.
THRONG_INLINED THRONG_AVX2 void store_packed(double* to, Four values, Set set) {
  const __m256i from = _mm256_load_si256(reinterpret_cast<const __m256i*>(detail::packing.doubles[set].data()));
  _mm256_storeu_pd(to, _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(__m256d(values)), from)));
}
THRONG_INLINED THRONG_AVX2 void store_packed(std::uint32_t* to, FourWholes values, Set set) {
  const __m128i from = _mm_load_si128(reinterpret_cast<const __m128i*>(detail::packing.wholes[set].data()));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(__m128i(values), from));
}

/// Eight whole numbers of 32 bits, for sums that are looked up: sums of table entries, and the least of each lane.
class EightLeast {
 public:
  THRONG_INLINED THRONG_AVX2 explicit EightLeast(std::uint32_t begin)
      : least_(_mm256_set1_epi32(std::int32_t(begin))) {}
  /// Of eight words the upper half times 2^shift, and to that what the table has for the lower half.
  template <int shift>
  THRONG_INLINED THRONG_AVX2 void take(const void* words, const std::uint32_t* table) {
    const __m256i known = _mm256_loadu_si256(static_cast<const __m256i*>(words));
    const __m256i upper = _mm256_slli_epi32(_mm256_srli_epi32(known, 16), shift);
    const __m256i lower = _mm256_and_si256(known, _mm256_set1_epi32(0xffff));
    const __m256i more = _mm256_i32gather_epi32(reinterpret_cast<const std::int32_t*>(table), lower, 4);
    least_ = _mm256_min_epu32(least_, _mm256_add_epi32(upper, more));
  }
  /// The least of all lanes.
  [[nodiscard]] THRONG_INLINED THRONG_AVX2 std::uint32_t least() const {
    __m128i half = _mm_min_epu32(_mm256_castsi256_si128(least_), _mm256_extracti128_si256(least_, 1));
    half = _mm_min_epu32(half, _mm_shuffle_epi32(half, 0b01'00'11'10));
    half = _mm_min_epu32(half, _mm_shuffle_epi32(half, 0b10'11'00'01));
    return std::uint32_t(_mm_cvtsi128_si32(half));
  }

 private:
  __m256i least_;
};

}  // namespace lanes
}  // namespace throng
#endif
