// Whether the mean of one sample is lower than another's (Welch 1947), one-sided: from means, deviations and numbers, as papers print them.
// Thread-safety: pure functions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace throng::analysis {

struct Sample {
  double mean = 0, deviation = 0;
  std::size_t runs = 0;
};

namespace detail {

/// The regularised incomplete beta function by its continued fraction (Lentz), for x below (a + 1) / (a + b + 2).
[[nodiscard]] inline double beta_fraction(double a, double b, double x) {
  constexpr double tiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < tiny ? tiny : d);
  double f = d;
  for (int i = 1; i <= 300; ++i) {
    const double m = i;
    for (const double term : {m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
                              -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))}) {
      d = 1 + term * d;
      d = 1 / (std::abs(d) < tiny ? tiny : d);
      c = 1 + term / c;
      if (std::abs(c) < tiny) c = tiny;
      f *= c * d;
    }
    if (std::abs(c * d - 1) < 1e-14) break;
  }
  return f;
}

[[nodiscard]] inline double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log(1 - x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

}  // namespace detail

/// How likely Student's t with so many degrees of freedom is at most t.
[[nodiscard]] inline double student_below(double t, double freedom) {
  const double tail = detail::incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2;
  return t < 0 ? tail : 1 - tail;
}

/// How likely `a` would be found so far below `b` if both means were the same. Without any deviation the means decide: 0 where a's is lower,
/// else 1.
[[nodiscard]] inline double chance_of_being_lower(const Sample& a, const Sample& b) {
  const double va = a.deviation * a.deviation / double(std::max<std::size_t>(1, a.runs));
  const double vb = b.deviation * b.deviation / double(std::max<std::size_t>(1, b.runs));
  if (!(va + vb > 0)) return a.mean < b.mean ? 0 : 1;
  double freedom = 0;
  if (va > 0 && a.runs > 1) freedom += va * va / double(a.runs - 1);
  if (vb > 0 && b.runs > 1) freedom += vb * vb / double(b.runs - 1);
  freedom = freedom > 0 ? (va + vb) * (va + vb) / freedom : 1;
  return student_below((a.mean - b.mean) / std::sqrt(va + vb), freedom);
}

}  // namespace throng::analysis
