// Elementary functions that give the same bits on every machine.
//
// The C library's sin, log and friends differ from one version to the next in the last bit, which is enough to send two runs of
// one seed apart. These use +, -, *, / only, whose results IEEE 754 fixes (contraction is off in this project).
//
// Laws
// 1. Same input, same bits, on every x86-64 and from every compiler the project supports.
// 2. The error is below 4 units in the last place of the result's largest component.
// Thread-safety: pure functions.
#pragma once

#include <span>

#include "throng/vec2.hpp"

namespace throng::geometry {

/// The unit vector `turns` full turns counterclockwise of the x axis: exact at quarter turns. Requires |turns| <= 2^30.
[[nodiscard]] Vec2 unit_direction(double turns);

/// The angle of (x, y) from the x axis, in radians, in [-pi, pi]; 0 for (0, 0).
[[nodiscard]] double arc_tangent(double y, double x);
/// The same of many, to the bit, in a fraction of the time. As many of each.
void arc_tangents(std::span<const double> y, std::span<const double> x, std::span<double> angles);

/// Natural logarithm. Requires a positive, normal, finite x.
[[nodiscard]] double natural_log(double x);

/// e to the power of x; 0 below -700. Requires x <= 700.
[[nodiscard]] double exponential(double x);

}  // namespace throng::geometry
