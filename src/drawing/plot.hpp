// Plots as SVG text: axes with units, ticks at round numbers, a legend below; readable in print and without colour, without scripts.
//
// Laws
// 1. The same data give the same text: no dates, no locale.
// 2. Numbers that are not finite are left out. Without any data the frame is drawn and says so.
// 3. Nothing is drawn outside the frame: what lies beyond a given end of an axis is cut off there.
// 4. Lines differ in their dashes as well as in their colour. Colours are attributes, so that a style sheet of the page around can set
//    others: classes are `plot`, `grid`, `axis`, and `s0`, `s1`, ... for series.
// Units: as the labels say. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "throng/vec2.hpp"

namespace throng::analysis {

enum class Mark {
  line,
  steps,  ///< holds each value until the next
  dots,
  bars,
  band,  ///< between `points` and `upper`
};

struct Series {
  std::string name;          ///< empty: not in the legend
  std::vector<Vec2> points;  ///< x ascending for lines and bars
  Mark mark = Mark::line;
  std::vector<Vec2> upper = {};            ///< of a band
  std::optional<std::size_t> colour = {};  ///< of the palette; its place in the list where it is not given
  bool plain = false;                      ///< a full line, whatever its colour
};

struct Plot {
  std::string title;
  std::string x_label, y_label;  ///< with units: "time (s)"
  std::vector<Series> series;
  double width = 460, height = 290;                         ///< points, the legend not counted
  std::optional<double> x_from = {}, x_to = {}, y_to = {};  ///< ends of the axes, where the data should not decide
  std::vector<std::string> x_names = {};                    ///< names instead of numbers at x = 0, 1, ...
  std::string description = {};                             ///< for those who cannot see it
};

/// About `wanted` round numbers from low to high, both within.
[[nodiscard]] std::vector<double> ticks(double low, double high, int wanted);

[[nodiscard]] std::string draw_plot(const Plot& plot);

/// The text as UTF-8: bytes that are none (file names may be anything) become U+FFFD.
[[nodiscard]] std::string mended(const std::string& text);

/// Text that may stand in HTML and SVG.
[[nodiscard]] std::string escaped(const std::string& text);

/// The colour of the n-th series: told apart by most eyes (Okabe, Ito 2008).
[[nodiscard]] std::string series_colour(std::size_t n);

/// How wide a text is drawn, about, in points.
[[nodiscard]] double text_width(const std::string& text, double size);

}  // namespace throng::analysis
