// Whether two ways over weighted ground are of one kind. Jaklin 2016, definition 1.
//
// Two paths with the same ends are region-homotopic if they are homotopic once all regions that either of them meets are free and all
// others are obstacles. A region is a connected part of the ground of one set of types; a crawl along a border meets the cheaper side
// only, and touching a region in a point does not count.
//
// How: what neither path meets, and real obstacles, are holes of what is left. From each hole a ray goes straight up; each path's
// crossings of rays are a word of signed letters; what goes there and back cancels. Homotopic exactly if the words are equal.
// For surfaces of one layer; rays begin on the upper rim of a hole, a hair right of its highest corner, so paths through vertices need no
// special case. Comparisons allow for the rounding of bends (1e-9 m).
#pragma once

#include <span>

#include "routes/ground_path.hpp"

namespace throng::routes {

[[nodiscard]] bool region_homotopic(const ground::Surface& surface, const ground::GroundCosts& costs,
                                    std::span<const GroundPath::Leg> one, std::span<const GroundPath::Leg> other);

}  // namespace throng::routes
