// The circles around corners that discs of a class of radii bend around, and which parts of them such a disc can touch.
//
// Words
//   stretch  a part of the circle around a corner on which a disc that touches the corner fits between it and the other sides of bottlenecks
//            (CorridorTiles::bottleneck) beside it.
//   position of a line at a corner: the angle from the middle of the directions in which a way can pass the corner to that of the line, the way
//            it turns. A way that arrives at position p and leaves at q turns by q - p.
// O(n) to list. Thread-safety: immutable.
#pragma once

#include <span>
#include <vector>

#include "routes/tangent_windows.hpp"

namespace throng::routes {

/// Radians that directions may be off where ways pass a corner.
inline constexpr double beside_range = 2e-3;

/// Radii that share what is known of corners: from `least` on, less than `end`.
struct RadiusClass {
  double least = 0;
  double end = 0;
};
/// The number of the class a radius belongs to, and what the class with a number is.
[[nodiscard]] int radius_class_of(double radius);
[[nodiscard]] RadiusClass radius_class(int number);

/// The tiles as points find them who do not get through bottlenecks that are too narrow for a class.
[[nodiscard]] DiscTiles point_tiles(std::shared_ptr<const CorridorTiles> tiles, const RadiusClass& radii);

/// A corner that ways bend around.
struct Corner {
  Index site = none;
  Vec2 middle;      ///< from the corner to the middle of the circle around it, as far as that is free of its own walls
  double free = 0;  ///< radians of the circle that are
  double weight = 0;  ///< what a radian around the corner counts
  bool all_around = false;
  Index first = none, count = 0;  ///< of its stretches

  /// Of a line in a direction, for those who turn left or not.
  [[nodiscard]] double position(bool left, Vec2 line) const;
};

/// Radians from the middle, counterclockwise.
struct Stretch {
  Index corner = none;
  double begin = 0, end = 0;
};

struct CornerCircles {
  std::vector<Corner> corners;  ///< in the order of their sites
  std::vector<Stretch> stretches;

  CornerCircles(const DiscTiles& tiles, const RadiusClass& radii);
  [[nodiscard]] std::span<const Stretch> stretches_of(const Corner& corner) const {
    return {stretches.data() + corner.first, corner.count};
  }
};

/// From a corner to the node where one of its cells begins or ends, counterclockwise; zero where that is on an obstacle.
[[nodiscard]] Vec2 outward(const CorridorTiles& tiles, Index cell, bool begins);
/// Radians of the circle around a corner that are in each of its cells, counterclockwise.
[[nodiscard]] std::vector<double> sectors_of(const CorridorTiles& tiles, const navmesh::Site& site);
/// A direction turned counterclockwise.
[[nodiscard]] Vec2 turned(Vec2 direction, double angle);

}  // namespace throng::routes
