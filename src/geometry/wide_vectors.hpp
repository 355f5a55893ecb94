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

// Where loops do not vectorise by themselves: functions with __attribute__((target("avx2"))), written with intrinsics, where
// THRONG_HAS_AVX2 is defined; to be called only if has_avx2(). With THRONG_NO_AVX2 in the program's environment that is never so: results
// must be the same, and a test compares them.
#if defined(__x86_64__)
#define THRONG_HAS_AVX2
#include <immintrin.h>

#include <cstdlib>

namespace throng {

[[nodiscard]] inline bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0 && std::getenv("THRONG_NO_AVX2") == nullptr;
  return has;
}

}  // namespace throng
#endif
