// Straight lines over a ground surface: which triangles and edges they run through.
#pragma once

#include <optional>
#include <vector>

#include "routes/ground_path.hpp"

namespace throng::routes {

/// What a straight line meets, in order.
struct StraightWalk {
  std::vector<GroundPath::Leg> pieces;  ///< each in one triangle, or along one edge where the line runs on it
  std::vector<Index> crossed;           ///< edges
};

/// Walks straight from a place to a point, and appends what the line meets. Along an edge the smaller weight of both sides counts.
/// Nothing: an obstacle, or ground of infinite weight, is in the way. O(triangles crossed).
[[nodiscard]] std::optional<ground::Surface::Located> walk_straight(const ground::Surface& surface,
                                                                    const ground::GroundCosts& costs,
                                                                    const ground::Surface::Located& from, Vec2 to,
                                                                    StraightWalk* walk = nullptr);

/// Distance of two segments that do not cross; either may be a point.
[[nodiscard]] double distance_between(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

}  // namespace throng::routes
