// Plots as SVG text: axes with units, ticks at round numbers, a legend; readable in print, without scripts.
//
// Laws
// 1. The same data give the same text: no dates, no locale.
// 2. Numbers that are not finite are left out. Without any data the frame is drawn and says so.
// Units: as the labels say. Thread-safety: pure functions.
#pragma once

#include <string>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::analysis {

enum class Mark { line, steps, dots, bars };

struct Series {
  std::string name;
  std::vector<Vec2> points;  ///< x ascending for lines and bars
  Mark mark = Mark::line;
};

struct Plot {
  std::string title;
  std::string x_label, y_label;  ///< with units: "time (s)"
  std::vector<Series> series;
  double width = 460, height = 300;  ///< points
};

/// About `wanted` round numbers from low to high, both within.
[[nodiscard]] std::vector<double> ticks(double low, double high, int wanted);

[[nodiscard]] std::string draw_plot(const Plot& plot);

/// Text that may stand in HTML and SVG.
[[nodiscard]] std::string escaped(const std::string& text);

/// The colour of the n-th series: told apart by most eyes (Okabe, Ito 2008).
[[nodiscard]] std::string series_colour(std::size_t n);

}  // namespace throng::analysis
