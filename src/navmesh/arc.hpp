// The exact curve of one arc of the axis: the bisector of its two sites between its two nodes.
//
// Two segments or two corners have a straight bisector; a corner and a segment have a parabola with the corner as focus and
// the segment's line as directrix. A piece of a parabola is exactly a quadratic Bezier curve whose control point is where the
// tangents at its ends meet, so every arc is kept as one (a straight arc has its control point in the middle).
//
// Laws
// 1. point(0) == from and point(1) == to, to the bit; point(t) for t in [0, 1] lies on the bisector, to rounding.
// 2. The curve lies within the triangle from, control, to. A parabola bends away from its focus: the chord and the focus lie on
//    the same side of it, the control point on the other.
// 3. length() is the closed form, the same bits on every machine.
//
// Units: metres. Complexity: O(1) but for flatten, which is linear in what it puts out. Thread-safety: a plain value.
#pragma once

#include <array>
#include <vector>

#include "navmesh/mesh.hpp"

namespace throng::navmesh {

class ArcCurve {
 public:
  /// The bisector of two sites from one point on it to another.
  ArcCurve(const Site& left, const Site& right, Vec2 from, Vec2 to);
  /// The curve of an arc of a mesh.
  ArcCurve(const Mesh& mesh, Index arc);

  [[nodiscard]] Vec2 from() const { return from_; }
  [[nodiscard]] Vec2 control() const { return control_; }
  [[nodiscard]] Vec2 to() const { return to_; }
  [[nodiscard]] bool is_parabola() const { return parabola_; }

  /// The point at a Bezier parameter, 0 at `from`, 1 at `to`. Uniform along a straight arc; along a parabola uniform in the
  /// foot on its directrix.
  [[nodiscard]] Vec2 point(double t) const;
  /// Derivative of point(t): points along the arc, not normalised. Zero only where from == to.
  [[nodiscard]] Vec2 tangent(double t) const;
  [[nodiscard]] double length() const;
  /// Area between the curve and its chord, at least 0.
  [[nodiscard]] double lens_area() const;

  /// The piece between two parameters.
  [[nodiscard]] ArcCurve section(double t0, double t1) const;

  /// Appends points of the curve, `to` included and `from` left out, so that the polyline is nowhere farther from the curve
  /// than the tolerance.
  void flatten(double tolerance, std::vector<Vec2>& out) const;

  /// Where the curve crosses the segment a-b: parameters of the curve in ascending order.
  struct Crossings {
    std::array<double, 2> t{};
    int count = 0;
  };
  [[nodiscard]] Crossings crossings(Vec2 a, Vec2 b) const;

 private:
  Vec2 from_, control_, to_;
  bool parabola_ = false;
};

/// Where the tangents at two points of a parabola meet. The directrix is the line through two distinct points.
[[nodiscard]] Vec2 parabola_control(Vec2 focus, Vec2 directrix_a, Vec2 directrix_b, Vec2 p, Vec2 q);

}  // namespace throng::navmesh
