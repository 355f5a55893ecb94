#include "geometry/elementary.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "geometry/wide_vectors.hpp"

namespace throng::geometry {

namespace {

/// cos and sin of an angle of at most an eighth turn, by their Taylor series.
Vec2 small_angle(double radians) {
  const double square = radians * radians;
  double cosine = 1;
  double sine = 1;
  // (pi/4)^18 / 18! is below 1e-17.
  for (int k = 9; k >= 1; --k) {
    cosine = 1 - square / double((2 * k - 1) * (2 * k)) * cosine;
    sine = 1 - square / double((2 * k) * (2 * k + 1)) * sine;
  }
  return {cosine, radians * sine};
}

}  // namespace

Vec2 unit_direction(double turns) {
  const double fraction = turns - std::floor(turns);
  const int quarter = int(std::floor(fraction * 4 + 0.5));
  const Vec2 v = small_angle((fraction - quarter * 0.25) * (2 * std::numbers::pi));
  switch (quarter & 3) {
    case 0: return v;
    case 1: return perpendicular(v);
    case 2: return -v;
    default: return -perpendicular(v);
  }
}

namespace {

/// Without branches, so that compilers can compute several at a time.
inline double angle_of(double y, double x) {
  const double ax = std::abs(x);
  const double ay = std::abs(y);
  const double greater = ax >= ay ? ax : ay;
  const double smaller = ax >= ay ? ay : ax;
  double t = smaller / (greater == 0 ? 1 : greater);
  // atan t = 2 atan(t / (1 + sqrt(1 + t^2))): three halvings leave an angle below 0.1 for the series.
  for (int i = 0; i < 3; ++i) t = t / (1 + std::sqrt(1 + t * t));
  const double square = t * t;
  double series = 0;
  for (int k = 17; k >= 3; k -= 2) series = (1.0 / k - series) * square;
  double angle = 8 * (t - t * series);
  angle = ax < ay ? std::numbers::pi / 2 - angle : angle;
  angle = x < 0 ? std::numbers::pi - angle : angle;
  return y < 0 ? -angle : angle;
}

}  // namespace

double arc_tangent(double y, double x) { return angle_of(y, x); }

THRONG_WIDE_VECTORS void arc_tangents(std::span<const double> y, std::span<const double> x, std::span<double> angles) {
  const double* const ys = y.data();
  const double* const xs = x.data();
  double* __restrict const to = angles.data();
  const std::size_t count = angles.size();
  for (std::size_t i = 0; i < count; ++i) to[i] = angle_of(ys[i], xs[i]);
}

double natural_log(double x) {
  // x = m * 2^e with m near 1, then log m = 2 artanh((m - 1) / (m + 1)).
  const auto bits = std::bit_cast<std::uint64_t>(x);
  int exponent = int(bits >> 52) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > std::numbers::sqrt2) m /= 2, ++exponent;
  const double s = (m - 1) / (m + 1);
  const double square = s * s;
  double series = 0;
  for (int k = 25; k >= 3; k -= 2) series = (series + 1.0 / k) * square;
  // ln 2 in two parts, the first short enough that its product with any exponent is exact.
  constexpr double ln2_high = 0x1.62e42fefa3800p-1;
  constexpr double ln2_low = 0x1.ef35793c76730p-45;
  return exponent * ln2_high + (2 * s + (2 * s * series + exponent * ln2_low));
}

double exponential(double x) {
  if (!(x > -700)) return 0;
  // x = k ln 2 + r with |r| at most half of ln 2, in two parts as above; then the Taylor series of e^r.
  constexpr double ln2_high = 0x1.62e42fefa3800p-1;
  constexpr double ln2_low = 0x1.ef35793c76730p-45;
  const double k = std::floor(x * std::numbers::log2e + 0.5);
  const double r = (x - k * ln2_high) - k * ln2_low;
  // (ln 2 / 2)^14 / 14! is below 1e-17.
  constexpr double inverse_factorials[] = {
      1.0 / 6227020800, 1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
      1.0 / 720,        1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1.0,         1.0};
  double series = 0;
  for (const double factor : inverse_factorials) series = series * r + factor;
  return series * std::bit_cast<double>(std::uint64_t(std::int64_t(k) + 1023) << 52);
}

}  // namespace throng::geometry
