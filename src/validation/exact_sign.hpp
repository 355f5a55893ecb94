// Exact predicates on doubles, for checkers only: what the library decides on the snap grid, checked off it.
#pragma once

#include "throng/vec2.hpp"

namespace throng::validation {

/// +1 when c is left of a->b, -1 when it is right, 0 when it is on the line; exact for all finite doubles.
[[nodiscard]] int exact_side(Vec2 a, Vec2 b, Vec2 c);

/// Whether the closed segments a-b and c-d have a point in common; exact. Either may be a single point.
[[nodiscard]] bool exactly_meet(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

}  // namespace throng::validation
