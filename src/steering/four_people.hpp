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

THRONG_INLINED bool any(const FourBools& who) { return (who[0] | who[1] | who[2] | who[3]) != 0; }

THRONG_INLINED void magnitude(const Four& v, Four& result) { result = v < 0 ? -v : v; }

THRONG_INLINED void square_root(const Four& v, Four& result) {
  result = Four{std::sqrt(v[0]), std::sqrt(v[1]), std::sqrt(v[2]), std::sqrt(v[3])};
}

}  // namespace throng::steering
