// Lines as they lie on the ground: a path drawn by its middle becomes a strip, a wall gets gaps, and either is cut to a box.
//
// Laws
// 1. Every polygon is convex or a simple strip piece, counterclockwise, and not empty; together they are the strip.
// 2. Coordinates of results are whole millimetres: files stay short, and neighbours share their corners exactly.
// Units: metres. Cost: linear. Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "environment/environment.hpp"
#include "geometry/snap_grid.hpp"

namespace throng::environment {

/// To the nearest millimetre.
[[nodiscard]] Vec2 rounded_to_mm(Vec2 p);

/// The strip of `width` about a line: corners are mitred where the line bends by less than a right angle and bevelled where
/// by more; its ends are straight, `beyond` metres further out than the line's. A part a segment, or two; empty for a line
/// of no length. The line may be closed (its last point its first).
[[nodiscard]] std::vector<Polygon> widened(std::span<const Vec2> line, double width, double beyond = 0);

/// A place along a line that is left open: `width` metres of it, half to either side of the point of that index.
struct Gap {
  std::size_t at = 0;
  double width = 0;
};
/// What is left of a line between its gaps. A line whose last point is its first is a ring: gaps reach over its seam.
[[nodiscard]] std::vector<Line> without_gaps(std::span<const Vec2> line, std::span<const Gap> gaps);

/// The part of a ring in a box (Sutherland, Hodgman 1974); where the ring leaves and comes back, edges run along the box.
/// Empty where nothing of an area is left.
[[nodiscard]] Ring clipped(Ring ring, const geometry::Box& box);
/// The same of polygons; what has no area left is dropped.
[[nodiscard]] std::vector<Polygon> clipped(std::vector<Polygon> polygons, const geometry::Box& box);
/// The parts of a line in a box.
[[nodiscard]] std::vector<Line> clipped_line(std::span<const Vec2> line, const geometry::Box& box);

/// A regular octagon about a point, its sides at the distance `radius`.
[[nodiscard]] Ring octagon(Vec2 middle, double radius);

}  // namespace throng::environment
