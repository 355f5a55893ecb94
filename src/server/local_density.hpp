// How crowded it is around each person: those within the 3 by 3 squares of a metre around their own, themselves included, over 9 m2.
// A quick figure for plots and colours, the same in the browser (viewer/src/density.ts); walls within the squares are not taken off.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::server {

/// Persons a square metre, one for each position. O(n log n).
[[nodiscard]] std::vector<float> local_densities(std::span<const Vec2> positions,
                                                 std::span<const std::uint32_t> layers);

}  // namespace throng::server
