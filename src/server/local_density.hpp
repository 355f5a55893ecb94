// How crowded it is around people: those within the 3 by 3 squares of a metre around each one's own, themselves included, over 9 m2.
// A quick figure for the plots, and in the browser for colours (viewer/src/density.ts); walls within the squares are not taken off.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::server {

/// Persons a square metre, the mean over everybody; 0 where there is nobody. O(n log n).
[[nodiscard]] double mean_local_density(std::span<const Vec2> positions, std::span<const std::uint32_t> layers);

}  // namespace throng::server
