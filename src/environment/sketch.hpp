// Drawing worlds in code: what the city generator, the random scenes and the tests build their environments with.
//
// Laws
// 1. What a sketch gives satisfies the laws of environment.hpp, as long as the rings handed in have three points or more.
// 2. Every coordinate is rounded to whole millimetres, as files of surveyors are, so that writing and reading back loses nothing.
// 3. Same calls, same bits on every machine.
// Units: metres. Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "environment/environment.hpp"

namespace throng::environment {

class Sketch {
 public:
  /// One layer, "ground", at height 0.
  explicit Sketch(std::string source);
  Sketch(std::string source, std::vector<Layer> layers);

  void walkable(Polygon polygon, std::size_t layer = 0);
  void obstacle(Polygon polygon, std::size_t layer = 0);
  void wall(Line line, std::size_t layer = 0);
  void opening(Ring ring, std::size_t layer = 0);
  void region(std::string type, Polygon polygon, std::size_t layer = 0);
  void area(std::string name, Ring ring, std::size_t layer = 0);
  void connection(Vec2 a, Vec2 b, std::size_t layer, std::size_t other_layer);

  [[nodiscard]] const Environment& environment() const { return environment_; }
  [[nodiscard]] Environment take() && { return std::move(environment_); }

 private:
  Feature& add(Kind kind, std::size_t layer);

  Environment environment_;
};

/// The point `share` of the way from a to b.
[[nodiscard]] constexpr Vec2 between(Vec2 a, Vec2 b, double share) { return a + share * (b - a); }
/// v made one metre long. Requires v != 0.
[[nodiscard]] Vec2 unit(Vec2 v);

[[nodiscard]] Ring rectangle(Vec2 min, Vec2 max);
/// A rectangle around `centre`, `length` long along `axis` (a unit vector) and `width` across it.
[[nodiscard]] Ring oriented_rectangle(Vec2 centre, Vec2 axis, double length, double width);
/// Corners on a circle, the first at `turn` full turns counterclockwise of the x axis.
[[nodiscard]] Ring regular_polygon(Vec2 centre, double radius, int corners, double turn = 0);

/// Signed area, positive when counterclockwise.
[[nodiscard]] double signed_area(const Ring& ring);
[[nodiscard]] Vec2 centre_of(const Ring& ring);
/// Even-odd.
[[nodiscard]] bool contains(const Ring& ring, Vec2 p);
/// The part of a convex counterclockwise ring left of the line through p along `direction`; empty where there is none.
[[nodiscard]] Ring clip_left(const Ring& convex, Vec2 p, Vec2 direction);
/// A convex counterclockwise ring with every edge moved inwards by `distance`; empty where nothing is left.
[[nodiscard]] Ring inset(const Ring& convex, double distance);

}  // namespace throng::environment
