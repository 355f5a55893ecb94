#include "navmesh/arc.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/elementary.hpp"

namespace throng::navmesh {
namespace {

/// Integral of sqrt(1 + s^2) from 0 to s: length along the parabola y = x^2 / 2.
double parabola_length(double s) {
  const double size = std::abs(s);
  const double root = std::sqrt(1 + size * size);
  const double length = 0.5 * (size * root + geometry::natural_log(size + root));
  return s < 0 ? -length : length;
}

double square(double x) { return x * x; }

}  // namespace

Vec2 parabola_control(Vec2 focus, Vec2 directrix_a, Vec2 directrix_b, Vec2 p, Vec2 q) {
  // In the frame with the foot of the focus as origin and the directrix as u axis the parabola is v = (u^2 + f^2) / (2 f), f
  // the focus' height; tangents at u0 and u1 meet at u = (u0 + u1) / 2, v = (u0 u1 + f^2) / (2 f).
  const Vec2 direction = directrix_b - directrix_a;
  const Vec2 along = direction / std::sqrt(squared_length(direction));
  const Vec2 up = perpendicular(along);
  const double height = dot(focus - directrix_a, up);
  const double u0 = dot(p - focus, along);
  const double u1 = dot(q - focus, along);
  const Vec2 foot = focus - up * height;
  return foot + along * (0.5 * (u0 + u1)) + up * ((u0 * u1 / height + height) * 0.5);
}

ArcCurve::ArcCurve(const Site& left, const Site& right, Vec2 from, Vec2 to)
    : from_(from), control_((from + to) * 0.5), to_(to), parabola_(left.is_corner() != right.is_corner()) {
  if (!parabola_) return;
  const Site& focus = left.is_corner() ? left : right;
  const Site& directrix = left.is_corner() ? right : left;
  control_ = parabola_control(focus.a, directrix.a, directrix.b, from, to);
}

ArcCurve::ArcCurve(const Mesh& mesh, Index arc)
    : ArcCurve(mesh.sites[mesh.arcs[arc].site[0]], mesh.sites[mesh.arcs[arc].site[1]],
               mesh.nodes[mesh.arcs[arc].from].point, mesh.nodes[mesh.arcs[arc].to].point) {}

Vec2 ArcCurve::point(double t) const {
  if (t == 1) return to_;
  const double s = 1 - t;
  return from_ * (s * s) + control_ * (2 * s * t) + to_ * (t * t);
}

Vec2 ArcCurve::tangent(double t) const { return ((control_ - from_) * (1 - t) + (to_ - control_) * t) * 2; }

double ArcCurve::length() const {
  const Vec2 chord = to_ - from_;
  const double straight = std::sqrt(squared_length(chord));
  const Vec2 bend = (from_ - control_) + (to_ - control_);
  const double bend_length = std::sqrt(squared_length(bend));
  // The second derivative points along the parabola's axis; across it the curve runs uniformly in t. With that direction as y
  // the slope runs linearly from s0 to s1, and length is (width / (s1 - s0)) times the integral of sqrt(1 + s^2).
  if (bend_length == 0 || straight == 0) return straight;
  const Vec2 axis = bend / bend_length;
  const double width = std::abs(cross(axis, chord));
  // Nearly straight, that difference of integrals loses digits; two terms of its series then are exact to 1e-13.
  if (bend_length <= 1e-3 * straight) return straight * (1 + square(bend_length * width / (straight * straight)) / 6);
  const double rise0 = 2 * dot(control_ - from_, axis);
  const double rise1 = 2 * dot(to_ - control_, axis);
  return width * width / (rise1 - rise0) * (parabola_length(rise1 / width) - parabola_length(rise0 / width));
}

double ArcCurve::lens_area() const { return parabola_ ? std::abs(cross(control_ - from_, to_ - from_)) / 3 : 0; }

ArcCurve ArcCurve::section(double t0, double t1) const {
  ArcCurve part = *this;
  part.from_ = point(t0);
  part.to_ = point(t1);
  const double s0 = 1 - t0, s1 = 1 - t1;
  part.control_ = from_ * (s0 * s1) + control_ * (s0 * t1 + t0 * s1) + to_ * (t0 * t1);
  return part;
}

void ArcCurve::flatten(double tolerance, std::vector<Vec2>& out) const {
  // Between equal steps h of t the curve leaves its chord by at most |second derivative| h^2 / 8.
  const double bend = 2 * std::sqrt(squared_length((from_ - control_) + (to_ - control_)));
  constexpr double most_steps = 4096;
  const double steps = parabola_ ? std::ceil(std::sqrt(bend / (8 * tolerance))) : 1;
  const int count = static_cast<int>(std::clamp(steps, 1.0, most_steps));
  for (int i = 1; i <= count; ++i) out.push_back(point(i == count ? 1 : static_cast<double>(i) / count));
}

ArcCurve::Crossings ArcCurve::crossings(Vec2 a, Vec2 b) const {
  // Signed distance to the line a-b is a quadratic in t; its roots count where the point lies between a and b.
  const Vec2 d = b - a;
  const double h0 = cross(d, from_ - a);
  const double h1 = cross(d, control_ - a);
  const double h2 = cross(d, to_ - a);
  const double qa = h0 - 2 * h1 + h2;
  const double qb = h1 - h0;  // half the linear coefficient
  Crossings found;
  const auto keep = [&](double t) {
    if (!(t >= 0 && t <= 1)) return;
    const double along = dot(point(t) - a, d);
    if (along >= 0 && along <= squared_length(d)) found.t[static_cast<std::size_t>(found.count++)] = t;
  };
  if (!parabola_) {
    if (h0 != h2) keep(h0 / (h0 - h2));
    return found;
  }
  const double discriminant = qb * qb - qa * h0;
  if (discriminant < 0) return found;
  const double root = qb >= 0 ? -(qb + std::sqrt(discriminant)) : -qb + std::sqrt(discriminant);
  // Of the two forms of each root this pair loses no digits: t = root / qa and t = h0 / root.
  const double first = qa != 0 ? root / qa : -1;
  const double second = root != 0 ? h0 / root : -1;
  keep(std::min(first, second));
  if (first != second) keep(std::max(first, second));
  return found;
}

}  // namespace throng::navmesh
