// Numbers and vectors of four people at once, and what is computed of them. The same operations as for one, so the same bits.
#pragma once

#include <cmath>
#include <cstddef>

#include "geometry/wide_vectors.hpp"

namespace throng::steering {

inline constexpr std::size_t four = sizeof(Four) / sizeof(double);

struct FourVecs {
  Four x{}, y{};
};

/// Whether it is true of anybody. It is asked before every branch, so it takes as few instructions as there can be: every bit of what is
/// true is 1, so that the signs tell.
THRONG_INLINED bool any(const FourBools& who) {
#ifdef __SSE2__
  const auto either = __builtin_shufflevector(who, who, 0, 1) | __builtin_shufflevector(who, who, 2, 3);
  return _mm_movemask_pd(__m128d(either)) != 0;
#else
  return (who[0] | who[1] | who[2] | who[3]) != 0;
#endif
}

THRONG_INLINED void magnitude(const Four& v, Four& result) {
  result = Four(FourBools(v) & 0x7fffffffffffffff);  // all but the sign
}

THRONG_INLINED void square_root(const Four& v, Four& result) {
  result = Four{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
}

}  // namespace throng::steering
