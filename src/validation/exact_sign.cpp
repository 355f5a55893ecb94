#include "validation/exact_sign.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

namespace throng::validation {
namespace {

using Rational = boost::multiprecision::cpp_rational;

int side_by_rationals(Vec2 a, Vec2 b, Vec2 c) {
  const Rational ax(a.x), ay(a.y);
  const Rational area = (Rational(b.x) - ax) * (Rational(c.y) - ay) - (Rational(b.y) - ay) * (Rational(c.x) - ax);
  return area.sign();
}

/// Whether c, known to be on the line through a and b, lies between them.
bool between(Vec2 a, Vec2 b, Vec2 c) {
  return std::min(a.x, b.x) <= c.x && c.x <= std::max(a.x, b.x) && std::min(a.y, b.y) <= c.y &&
         c.y <= std::max(a.y, b.y);
}

}  // namespace

int exact_side(Vec2 a, Vec2 b, Vec2 c) {
  const double left = (b.x - a.x) * (c.y - a.y);
  const double right = (b.y - a.y) * (c.x - a.x);
  const double area = left - right;
  // Shewchuk 1997, 4.3: beyond this bound the sign of the rounded area is right; the least number covers underflow.
  const double bound = 4e-16 * (std::abs(left) + std::abs(right)) + 1e-300;
  if (std::abs(area) > bound) return area > 0 ? 1 : -1;
  return side_by_rationals(a, b, c);
}

bool exactly_meet(Vec2 a, Vec2 b, Vec2 c, Vec2 d) {
  const int c_side = exact_side(a, b, c), d_side = exact_side(a, b, d);
  const int a_side = exact_side(c, d, a), b_side = exact_side(c, d, b);
  if (c_side * d_side < 0 && a_side * b_side < 0) return true;
  return (c_side == 0 && between(a, b, c)) || (d_side == 0 && between(a, b, d)) || (a_side == 0 && between(c, d, a)) ||
         (b_side == 0 && between(c, d, b));
}

}  // namespace throng::validation
