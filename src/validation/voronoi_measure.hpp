// Density and speed by Voronoi cells cut at the walls (Steffen, Seyfried 2010): everybody has the ground that is nearer to them than to others, and
// what lies of it in an area counts there.
//
// density = integral over the area of 1 / size of the cell there, over the area's size; speed = integral of the person's speed over the
// part of the area that anybody's cell covers, over that part's size. Cells end at `reach` from their person (a polygon of 64 corners).
// Requires convex walls and a convex area. Cost: O(people^2) a frame near the area. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::validation {

struct MovingPoint {
  Vec2 position;
  std::optional<double> speed;  ///< none: counts for density alone
};

struct DensityAndSpeed {
  double density = 0;
  std::optional<double> speed;  ///< nothing where nobody with a speed is near
};

[[nodiscard]] DensityAndSpeed voronoi_measure(const std::vector<MovingPoint>& people, const std::vector<Vec2>& walls,
                                              const std::vector<Vec2>& area, double reach);

/// The part of a convex polygon that lies to the left of a -> b; both counterclockwise.
[[nodiscard]] std::vector<Vec2> left_part(const std::vector<Vec2>& polygon, Vec2 a, Vec2 b);
[[nodiscard]] double size_of(const std::vector<Vec2>& polygon);

}  // namespace throng::validation
