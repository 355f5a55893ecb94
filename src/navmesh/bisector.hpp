// The bisector of two sites as a curve one can follow, and where a third site comes as near: what tracing a Voronoi
// diagram takes. In a frame with one segment as x axis the bisector is y = alpha + beta x (with another segment) or a
// parabola (with a corner); between two corners it is the line half-way. In each, "as near as the third" is a quadratic
// equation.
//
// Laws
// 1. The parameter grows in the direction in which the left site is on the left.
// 2. at(parameter(p)) is p for points of the bisector, to rounding.
// Units: grid units. Rounding: a few units in the last place of the coordinates, over the sine of the angle at which
// curves meet.
#pragma once

#include <array>

#include "navmesh/axis_draft.hpp"

namespace throng::navmesh {

/// A site, or the part of a segment that counts: [low, high] along it.
struct LocalSite {
  Index site = none;
  bool corner = false;
  Vec2 a, b;   ///< ends of the segment; twice the corner
  Vec2 along;  ///< unit vector of the segment
  double low = 0, high = 0;

  /// To a corner, or to the line of a segment: negative behind it.
  [[nodiscard]] double distance(Vec2 p) const { return corner ? length(p - a) : cross(along, p - a); }
  /// Whether the nearest point on the segment's line belongs to the part that counts.
  [[nodiscard]] bool faces(Vec2 p, double tolerance) const {
    if (corner) return true;
    const double x = dot(p - a, along);
    return x >= low - tolerance && x <= high + tolerance;
  }
  /// Away from the nearest point: the gradient of the distance.
  [[nodiscard]] Vec2 normal(Vec2 p) const {
    if (!corner) return perpendicular(along);
    const Vec2 d = p - a;
    const double size = length(d);
    return size > 0 ? d / size : Vec2{};
  }
};

/// A corner, or a segment with all of it counting.
[[nodiscard]] LocalSite local_site(const BoundarySite& site, Index index);

class Bisector {
 public:
  Bisector(const LocalSite& left, const LocalSite& right);

  /// False: the sites have none (a corner on the line of the segment, segments on one line).
  [[nodiscard]] bool exists() const { return exists_; }
  [[nodiscard]] double parameter(Vec2 p) const { return direction_ * dot(p - origin_, x_axis_); }
  [[nodiscard]] Vec2 at(double parameter) const;

  struct Meetings {
    std::array<double, 2> parameter{};
    int count = 0;
  };
  /// Parameters at which a third site is as near as the two, in no order. Not for neighbours on the boundary.
  [[nodiscard]] Meetings meetings(const LocalSite& third) const;
  /// Parameters at which the bisector crosses a line, given by a point and its normal. A segment and the corner at its
  /// end, or two segments that go on from each other in one line, take over from each other across the line through
  /// their common point; their distances only touch there, which equations of distance are bad at.
  [[nodiscard]] Meetings crossings(Vec2 point, Vec2 normal) const;

 private:
  enum class Kind { straight, parabola, between_corners };

  void between(const LocalSite& segment, const LocalSite& other);
  void halfway(Vec2 left, Vec2 right);

  Kind kind_ = Kind::straight;
  bool exists_ = true;
  Vec2 origin_, x_axis_;
  double direction_ = 1;         ///< of the parameter along the x axis
  double alpha_ = 0, beta_ = 0;  ///< straight: y = alpha + beta x
  double focus_ = 0;  ///< parabola: height of the corner over the origin; between corners: half their distance
};

/// The point equidistant from three sites next to a first guess (Newton's method); the guess where there is none.
[[nodiscard]] Vec2 equidistant_point(const LocalSite& s, const LocalSite& t, const LocalSite& u, Vec2 guess);

}  // namespace throng::navmesh
