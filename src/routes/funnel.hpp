// The tightest path between discs: which bends a string takes that is pulled tight through a corridor whose left and
// right borders are given as discs, in order.
//
// The funnel algorithm (Lee, Preparata 1984; Chazelle 1982; for discs: Demyen, Buro 2006), with discs of any radius. A path keeps left discs on its left, so it turns left around them, and right ones on its right.
//
// Laws
// 1. Requires: the start lies in no disc; discs of one side do not contain each other; a left and a right disc do not overlap.
//    Where that is broken, `consistent()` says so and the bends are not to be used.
// 2. The bends, from start to goal, are those of the only locally shortest path that passes the discs on their sides, in order.
// Amortised O(1) a disc, no allocation once buffers have grown. Thread-safety: one a thread.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::routes {

/// What a path bends around: a left disc has a positive radius, a right one a negative one, start, goal and points none.
struct Bend {
  Vec2 centre;
  double radius = 0;
};

/// Unit direction of the line that leaves `a` and arrives at `b` on the sides their signs say; zero where there is none.
[[nodiscard]] inline Vec2 tangent(const Bend& a, const Bend& b) {
  constexpr double touching = 1e-9;  // relative: discs that touch within this still have a tangent
  const Vec2 d = b.centre - a.centre;
  const double difference = b.radius - a.radius;
  const double square = squared_length(d);
  const double rest = square - difference * difference;
  if (square == 0 || rest < -touching * square) return {};
  const double along = rest > 0 ? std::sqrt(rest) : 0;
  return (d * along - perpendicular(d) * difference) / square;
}

/// Where a line of that direction touches a bend.
[[nodiscard]] inline Vec2 touch(const Bend& bend, Vec2 direction) {
  return bend.centre - perpendicular(direction) * bend.radius;
}

class Funnel {
 public:
  void begin(Vec2 start);
  void add_left(Vec2 centre, double radius) { add(left_, right_, 1, {centre, radius}, false); }
  void add_right(Vec2 centre, double radius) { add(right_, left_, -1, {centre, -radius}, false); }
  /// Points of walls: the path never bends around them, but where it turns back around a corner on the other side they tell how
  /// far it has turned.
  void add_left_wall(Vec2 point, double radius) { add(left_, right_, 1, {point, radius}, true); }
  void add_right_wall(Vec2 point, double radius) { add(right_, left_, -1, {point, -radius}, true); }
  void finish(Vec2 goal);
  /// Bends the finished path around discs beside its start or its goal that were not added because the end point lies almost
  /// between them: near an end point a disc may be in the way or not, and only the finished path tells.
  void bend_around(std::span<const Bend> discs, bool at_start);

  [[nodiscard]] bool consistent() const { return consistent_; }
  [[nodiscard]] std::span<const Bend> bends() const { return path_; }

 private:
  struct Link {
    Bend bend;
    Vec2 direction;  ///< of the tangent from the link before, or from the apex
    bool wall;
  };
  /// One side of the funnel, from the apex on.
  struct Side {
    std::vector<Link> links;
    std::size_t first = 0;
    [[nodiscard]] bool empty() const { return first == links.size(); }
    void clear() { links.clear(), first = 0; }
  };

  void add(Side& side, Side& other, double sign, const Bend& bend, bool wall);
  bool pass_other_side(Side& other, double sign, const Bend& bend, bool wall);
  void drop_first(Side& side);
  void drop_slack();

  Side left_, right_;
  std::vector<Bend> path_;  ///< settled; the last one is the apex
  bool consistent_ = true;
  bool finishing_ = false;
};

}  // namespace throng::routes
