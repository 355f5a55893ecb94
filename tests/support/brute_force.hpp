// Answers about one cleaned layer by going through every boundary edge: slow, simple, and independent of any mesh.
#pragma once

#include <cstddef>
#include <vector>

#include "environment/clean/clean.hpp"
#include "throng/vec2.hpp"

namespace throng::test {

class BruteForce {
 public:
  struct Edge {
    Vec2 a, b;
    bool wall = false;  ///< thin: free on both sides
  };

  explicit BruteForce(const environment::CleanEnvironment& world, std::size_t layer = 0);

  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] Vec2 min() const { return min_; }
  [[nodiscard]] Vec2 max() const { return max_; }
  [[nodiscard]] double extent() const;
  /// In the free space, thin walls not counting; not to be asked of points on the boundary.
  [[nodiscard]] bool walkable(Vec2 p) const;
  /// Distance to the nearest boundary point.
  [[nodiscard]] double clearance(Vec2 p) const;
  /// Smallest distance of a segment from the boundary; 0 where they cross.
  [[nodiscard]] double clearance(Vec2 p, Vec2 q) const;
  /// Distance from p along a unit direction to the boundary.
  [[nodiscard]] double ray(Vec2 p, Vec2 direction) const;
  /// Area of what p sees: rays just beside every boundary vertex, triangles between.
  [[nodiscard]] double visible_area(Vec2 p) const;

 private:
  std::vector<Edge> edges_;
  Vec2 min_, max_;
};

[[nodiscard]] double distance_to_segment(Vec2 p, Vec2 a, Vec2 b);
[[nodiscard]] double distance_of_segments(Vec2 a, Vec2 b, Vec2 c, Vec2 d);

}  // namespace throng::test
