// What figures of a case are: gauges of its runs, and what is reckoned from other figures.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "validation/case.hpp"
#include "validation/gauge.hpp"

namespace throng::validation {

[[nodiscard]] bool is_measure(std::string_view name);
/// The runs that a figure is gauged in; none where it is reckoned from others.
[[nodiscard]] std::vector<std::string> runs_of(const FigureSpec& figure, const Case& one);

using Curves = std::map<std::string, std::vector<Vec2>, std::less<>>;

/// Null for a figure that is reckoned.
[[nodiscard]] Result<GaugePtr> gauge_of(const FigureSpec& figure);

/// Adds what is reckoned, in the order of the case.
///   ratio       {"of": [A, B]}: A / B                          part        {"of": A, "by": number}: A / number
///   less        {"of": [A, B]}: A - B                          sum         {"of": [A, B, ...]}
///   most, least {"of": [A, B, ...]}                            line        {"of": [A, ...], "x": [...]}: what a straight line explains
///   in_band     {"of": [curves], "band": [[x, low, high], ...], "bins": 0.25, "least": 10, "by": "bins" or "samples"}: the part inside
///   at          {"of": [curves], "x": 1.5, "bins": 0.5, "free": A}: y at x, linear between means of bins, over A where given
///   above       {"of": [upper, lower], "bins": 0.2, "least": 3}: of the bins that both curves have, the part where the first is higher
///   peak        {"of": [curves], "bins": 0.25}: the highest of x * y by bins; "where": true: at which x
[[nodiscard]] Problems reckon(const Case& one, Figures& figures, const Curves& curves);

}  // namespace throng::validation
