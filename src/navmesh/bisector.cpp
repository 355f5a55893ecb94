#include "navmesh/bisector.hpp"

#include <cmath>

namespace throng::navmesh {
namespace {

/// Roots of a x^2 + 2 b x + c, without loss of digits where they differ much in size.
Bisector::Meetings roots(double a, double b, double c) {
  Bisector::Meetings found;
  const double discriminant = b * b - a * c;
  // A double root (touching) may come out slightly negative.
  if (discriminant < -1e-12 * b * b) return found;
  const double root = std::sqrt(std::max(discriminant, 0.0));
  const double q = -(b + (b >= 0 ? root : -root));
  if (q == 0) {
    if (a != 0) found.parameter[std::size_t(found.count++)] = 0;
    return found;
  }
  found.parameter[std::size_t(found.count++)] = c / q;
  if (a != 0) found.parameter[std::size_t(found.count++)] = q / a;
  return found;
}

}  // namespace

LocalSite local_site(const BoundarySite& site, Index index) {
  LocalSite local;
  local.site = index;
  local.a = to_vec(site.a);
  local.b = to_vec(site.b);
  local.corner = site.is_corner();
  if (local.corner) return local;
  const Vec2 d = local.b - local.a;
  local.high = length(d);
  local.along = d / local.high;
  return local;
}

Bisector::Bisector(const LocalSite& left, const LocalSite& right) {
  if (left.corner && right.corner) {
    halfway(left.a, right.a);
    return;
  }
  // With the segment's free space above it, what has it on its left runs from right to left.
  if (!left.corner) {
    direction_ = -1;
    between(left, right);
  } else {
    between(right, left);
  }
}

void Bisector::halfway(Vec2 left, Vec2 right) {
  kind_ = Kind::between_corners;
  const Vec2 d = left - right;
  focus_ = length(d) / 2;
  exists_ = focus_ > 0;
  origin_ = (left + right) * 0.5;
  x_axis_ = exists_ ? -perpendicular(d) / (2 * focus_) : Vec2{1, 0};
}

void Bisector::between(const LocalSite& segment, const LocalSite& other) {
  x_axis_ = segment.along;
  const Vec2 y_axis = perpendicular(x_axis_);
  if (other.corner) {
    kind_ = Kind::parabola;
    focus_ = dot(other.a - segment.a, y_axis);
    exists_ = focus_ > vertex_tolerance;
    origin_ = other.a - y_axis * focus_;
    return;
  }
  origin_ = segment.a;
  const Vec2 normal = perpendicular(other.along);
  // Distance from the other line is A x + B y + C; on the bisector it is y.
  const double one_minus_b = 1 - dot(normal, y_axis);
  exists_ = one_minus_b > 1e-14;
  if (!exists_) return;
  beta_ = dot(normal, x_axis_) / one_minus_b;
  alpha_ = other.distance(origin_) / one_minus_b;
}

Vec2 Bisector::at(double parameter) const {
  const double x = direction_ * parameter;
  double y = 0;
  if (kind_ == Kind::straight) y = alpha_ + beta_ * x;
  if (kind_ == Kind::parabola) y = (x * x / focus_ + focus_) / 2;
  return origin_ + x_axis_ * x + perpendicular(x_axis_) * y;
}

Bisector::Meetings Bisector::meetings(const LocalSite& third) const {
  const Vec2 y_axis = perpendicular(x_axis_);
  Meetings found;
  if (third.corner) {
    const Vec2 q{dot(third.a - origin_, x_axis_), dot(third.a - origin_, y_axis)};
    if (kind_ == Kind::straight) {
      found = roots(1, -(q.x + q.y * beta_), squared_length(q) - 2 * q.y * alpha_);
    } else if (kind_ == Kind::parabola) {
      found = roots(1 - q.y / focus_, -q.x, squared_length(q) - q.y * focus_);
    } else {
      found = roots(0, -q.x, squared_length(q) - focus_ * focus_);
    }
  } else {
    const Vec2 normal = perpendicular(third.along);
    const double a = dot(normal, x_axis_), b = dot(normal, y_axis), c = third.distance(origin_);
    if (kind_ == Kind::straight) {
      found = roots(0, (a + (b - 1) * beta_) / 2, (b - 1) * alpha_ + c);
    } else if (kind_ == Kind::parabola) {
      found = roots((b - 1) / (2 * focus_), a / 2, c + (b - 1) * focus_ / 2);
    } else {
      found = roots(a * a - 1, a * c, c * c - focus_ * focus_);
    }
  }
  for (double& x : found.parameter) x *= direction_;
  return found;
}

Bisector::Meetings Bisector::crossings(Vec2 point, Vec2 normal) const {
  const double a = dot(normal, x_axis_), b = dot(normal, perpendicular(x_axis_)), c = dot(normal, origin_ - point);
  Meetings found;
  if (kind_ == Kind::straight) found = roots(0, (a + b * beta_) / 2, c + b * alpha_);
  if (kind_ == Kind::parabola) found = roots(b / (2 * focus_), a / 2, c + b * focus_ / 2);
  if (kind_ == Kind::between_corners) found = roots(0, a / 2, c);
  for (double& x : found.parameter) x *= direction_;
  return found;
}

Vec2 equidistant_point(const LocalSite& s, const LocalSite& t, const LocalSite& u, Vec2 guess) {
  Vec2 p = guess;
  for (int step = 0; step < 4; ++step) {
    const double f = s.distance(p) - t.distance(p), g = s.distance(p) - u.distance(p);
    const Vec2 df = s.normal(p) - t.normal(p), dg = s.normal(p) - u.normal(p);
    const double determinant = cross(df, dg);
    if (std::abs(determinant) < 1e-9) break;
    const Vec2 move{(g * df.y - f * dg.y) / determinant, (f * dg.x - g * df.x) / determinant};
    if (!(std::abs(move.x) < 1) || !(std::abs(move.y) < 1)) return guess;
    p += move;
    if (squared_length(move) < 1e-26) break;
  }
  return p;
}

}  // namespace throng::navmesh
