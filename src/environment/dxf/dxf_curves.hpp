// The curves of CAD drawings as polylines that stay within a tolerance of them.
//
// Laws
// 1. Every function appends to `out`; the first point of the curve is appended too, unless `out` ends with it.
// 2. The polyline is within `tolerance` of the curve (splines: checked at the quarters of every piece), but a full turn never takes
//    more than `most_pieces` pieces: a sheet-wide arc is no reason for a million points.
// 3. Same bits on every machine: no elementary functions of libm.
#pragma once

#include <vector>

#include "geometry/vec3.hpp"

namespace throng::environment {

using geometry::Vec3;

inline constexpr int most_pieces = 720;

/// c + cos(t) u + sin(t) v for t from `start` over `sweep`, both in full turns.
struct EllipticArc {
  Vec3 centre, u, v;
  double start = 0, sweep = 1;
};
void flatten(const EllipticArc& arc, double tolerance, std::vector<Vec3>& out);

/// The circular arc from a to b whose bulge is the tangent of a quarter of its angle, counterclockwise where positive.
void flatten_bulge(Vec3 a, Vec3 b, double bulge, double tolerance, std::vector<Vec3>& out);

struct Spline {
  int degree = 3;
  bool closed = false;  ///< only fit points need it: control points repeat themselves
  std::vector<double> knots;
  std::vector<double> weights;  ///< empty: all 1
  std::vector<Vec3> control;
  std::vector<Vec3> fit;  ///< used where there are no control points
};
/// A NURBS curve (de Boor 1972), or, of fit points only, a smooth curve through them: each piece a cubic whose end slopes
/// are those of the parabolas through three neighbours. Requires control points with degree + 1 knots more, in rising order, or
/// at least two fit points.
void flatten(const Spline& spline, double tolerance, std::vector<Vec3>& out);

}  // namespace throng::environment
