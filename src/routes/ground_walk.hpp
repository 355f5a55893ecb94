// Straight lines over a ground surface: which triangles and edges they run
// through.
#pragma once

#include <optional>
#include <vector>

#include "routes/ground_path.hpp"

namespace throng::routes {

/// Walks straight from a place to a point. Appends the pieces of the line, each
/// in one triangle, or along one edge where it runs on it (the smaller weight
/// of both sides counts there). Nothing: an obstacle, or ground of infinite
/// weight, is in the way. O(triangles crossed).
[[nodiscard]] std::optional<ground::Surface::Located> walk_straight(const ground::Surface& surface,
                                                                    const ground::GroundCosts& costs,
                                                                    const ground::Surface::Located& from, Vec2 to,
                                                                    std::vector<GroundPath::Leg>* pieces = nullptr);

/// Distance of two segments that do not cross; either may be a point.
[[nodiscard]] double distance_between(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

}  // namespace throng::routes
