// What figures are made of: distributions, their distance, means by bins, lines through points.
// Thread-safety: pure functions.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::validation {

/// P(X <= x).
[[nodiscard]] double normal_below(double x, double mean, double deviation);
/// The regularised lower incomplete gamma function of x / scale.
[[nodiscard]] double gamma_below(double x, double shape, double scale);
[[nodiscard]] double weibull_below(double x, double shape, double scale);
[[nodiscard]] double lognormal_below(double x, double mean, double deviation);

/// The largest distance of the values' distribution from the uniform one on [0, 1], as a part of what 5 % of samples would exceed
/// (1.36 / sqrt(n)): above 1 they are not distributed so. Requires values.
[[nodiscard]] double kolmogorov_smirnov(std::vector<double> values);

[[nodiscard]] double mean_of(const std::vector<double>& values);
/// Of a sample; 0 for fewer than two.
[[nodiscard]] double deviation_of(const std::vector<double>& values);

/// Points gathered by their x.
struct Bin {
  double x = 0, mean = 0;                ///< means
  double low = 0, middle = 0, high = 0;  ///< 10, 50, 90 % of y
  std::size_t samples = 0;
};
/// By x, those with at least so many points.
[[nodiscard]] std::vector<Bin> bins_of(std::vector<Vec2> points, double width, std::size_t least);
/// Linear from mean to mean; nothing beyond them.
[[nodiscard]] std::optional<double> read_off(const std::vector<Bin>& bins, double x);

/// How much of the spread of y a straight line explains.
[[nodiscard]] double explained_by_line(const std::vector<Vec2>& points);

}  // namespace throng::validation
