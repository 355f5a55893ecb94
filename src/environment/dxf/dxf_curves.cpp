#include "environment/dxf/dxf_curves.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "geometry/elementary.hpp"

namespace throng::environment {
namespace {

/// Halvings of a piece at most.
constexpr int deepest = 9;

void append(std::vector<Vec3>& out, Vec3 p) {
  if (out.empty() || out.back() != p) out.push_back(p);
}

double distance_to_line(Vec3 p, Vec3 a, Vec3 b) {
  const Vec3 along = b - a;
  const double squared = dot(along, along);
  const double share = squared > 0 ? std::clamp(dot(p - a, along) / squared, 0.0, 1.0) : 0.0;
  return length(p - (a + share * along));
}

/// Halves [t0, t1] until its chord is near the curve. `at` gives the curve's point.
template <class At>
void subdivide(At&& at, double t0, Vec3 p0, double t1, Vec3 p1, double tolerance, int depth, std::vector<Vec3>& out) {
  const double half = 0.5 * (t0 + t1);
  const Vec3 middle = at(half);
  const auto near = [&](Vec3 p) { return distance_to_line(p, p0, p1) <= tolerance; };
  if (depth >= deepest || (near(middle) && near(at(0.5 * (t0 + half))) && near(at(0.5 * (half + t1)))))
    return append(out, p1);
  subdivide(at, t0, p0, half, middle, tolerance, depth + 1, out);
  subdivide(at, half, middle, t1, p1, tolerance, depth + 1, out);
}

struct Weighted {
  Vec3 p;  ///< times w
  double w = 1;
};

constexpr int highest_degree = 25;

/// The curve's point at t in the span [knots[k], knots[k + 1]).
Vec3 de_boor(const Spline& s, std::size_t k, double t) {
  const std::size_t degree = std::size_t(s.degree);
  std::array<Weighted, highest_degree + 1> d;
  for (std::size_t j = 0; j <= degree; ++j) {
    const std::size_t i = j + k - degree;
    const double w = s.weights.empty() ? 1.0 : s.weights[i];
    d[j] = {w * s.control[i], w};
  }
  for (std::size_t r = 1; r <= degree; ++r)
    for (std::size_t j = degree; j >= r; --j) {
      const double low = s.knots[j + k - degree], high = s.knots[j + 1 + k - r];
      const double share = high > low ? (t - low) / (high - low) : 0.0;
      d[j] = {(1 - share) * d[j - 1].p + share * d[j].p, (1 - share) * d[j - 1].w + share * d[j].w};
    }
  return d[degree].w != 0 ? (1 / d[degree].w) * d[degree].p : d[degree].p;
}

void flatten_control(const Spline& s, double tolerance, std::vector<Vec3>& out) {
  const std::size_t first = std::size_t(s.degree), last = s.control.size();
  append(out, de_boor(s, first, s.knots[first]));
  for (std::size_t k = first; k < last; ++k) {
    const double from = s.knots[k], to = s.knots[k + 1];
    if (!(to > from)) continue;
    const auto at = [&](double t) { return de_boor(s, k, t); };
    Vec3 p = at(from);
    for (int piece = 0; piece < s.degree; ++piece) {  // a piece for every turn that the degree allows
      const double t0 = from + (to - from) * piece / s.degree, t1 = from + (to - from) * (piece + 1) / s.degree;
      const Vec3 q = at(t1);
      subdivide(at, t0, p, t1, q, tolerance, 0, out);
      p = q;
    }
  }
}

/// Slopes at fit points, by chord length.
std::vector<Vec3> slopes(const std::vector<Vec3>& points, const std::vector<double>& step, bool closed) {
  const std::size_t n = points.size();
  std::vector<Vec3> slope(n);
  const auto rise = [&](std::size_t i) { return (1 / step[i]) * (points[(i + 1) % n] - points[i]); };
  for (std::size_t i = 0; i < n; ++i) {
    if (!closed && n == 2) {
      slope[i] = rise(0);
    } else if (!closed && i == 0) {
      slope[i] = rise(0) - (step[0] / (step[0] + step[1])) * (rise(1) - rise(0));
    } else if (!closed && i + 1 == n) {
      slope[i] = rise(n - 2) + (step[n - 2] / (step[n - 3] + step[n - 2])) * (rise(n - 2) - rise(n - 3));
    } else {
      const std::size_t before = (i + n - 1) % n;
      slope[i] = (1 / (step[before] + step[i])) * (step[i] * rise(before) + step[before] * rise(i));
    }
  }
  return slope;
}

void flatten_fit(const Spline& s, double tolerance, std::vector<Vec3>& out) {
  std::vector<Vec3> points;
  for (Vec3 p : s.fit) append(points, p);
  const bool closed = s.closed && points.size() > 2;
  if (closed && points.front() == points.back()) points.pop_back();
  const std::size_t n = points.size();
  if (n < 2) return;
  std::vector<double> step;
  for (std::size_t i = 0; i < (closed ? n : n - 1); ++i) step.push_back(length(points[(i + 1) % n] - points[i]));
  const std::vector<Vec3> slope = slopes(points, step, closed && n > 2);
  append(out, points[0]);
  for (std::size_t i = 0; i < step.size(); ++i) {
    const Vec3 a = points[i], d = points[(i + 1) % n];
    const Vec3 b = a + (step[i] / 3) * slope[i], c = d - (step[i] / 3) * slope[(i + 1) % n];
    const auto at = [&](double t) {
      const double u = 1 - t;
      return (u * u * u) * a + (3 * u * u * t) * b + (3 * u * t * t) * c + (t * t * t) * d;
    };
    subdivide(at, 0, a, 0.5, at(0.5), tolerance, 0, out);
    subdivide(at, 0.5, at(0.5), 1, d, tolerance, 0, out);
  }
}

void halve_bulge(Vec3 a, Vec3 b, double bulge, double tolerance, int depth, std::vector<Vec3>& out) {
  const Vec3 chord = b - a;
  // Asked first: the length of a chord may be beyond all numbers.
  if (bulge == 0 || depth >= deepest || std::abs(bulge) * length(chord) / 2 <= tolerance) return append(out, b);
  const Vec3 middle = 0.5 * (a + b) + (bulge / 2) * Vec3{chord.y, -chord.x, 0};
  const double half = bulge / (1 + std::sqrt(1 + bulge * bulge));  // the tangent of half the angle
  halve_bulge(a, middle, half, tolerance, depth + 1, out);
  halve_bulge(middle, b, half, tolerance, depth + 1, out);
}

}  // namespace

void flatten(const EllipticArc& arc, double tolerance, std::vector<Vec3>& out) {
  // A chord over the angle 2h is off by r (1 - cos h) <= r h^2 / 2.
  const double radius = std::max(length(arc.u), length(arc.v));
  const double half_angle = radius > 0 ? std::sqrt(2 * tolerance / radius) : 1.0;
  const double wanted = std::ceil(std::abs(arc.sweep) * std::numbers::pi / half_angle);
  const double least = std::ceil(8 * std::abs(arc.sweep)), most = std::ceil(most_pieces * std::abs(arc.sweep));
  const int pieces = int(std::max(1.0, std::min(std::max(wanted, least), most)));
  for (int i = 0; i <= pieces; ++i) {
    const Vec2 direction = geometry::unit_direction(arc.start + arc.sweep * i / pieces);
    append(out, arc.centre + direction.x * arc.u + direction.y * arc.v);
  }
}

void flatten_bulge(Vec3 a, Vec3 b, double bulge, double tolerance, std::vector<Vec3>& out) {
  append(out, a);
  halve_bulge(a, b, bulge, tolerance, 0, out);
}

void flatten(const Spline& spline, double tolerance, std::vector<Vec3>& out) {
  spline.control.empty() ? flatten_fit(spline, tolerance, out) : flatten_control(spline, tolerance, out);
}

}  // namespace throng::environment
