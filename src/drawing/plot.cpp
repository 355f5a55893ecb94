#include "drawing/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "drawing/drawing.hpp"
#include "text/utf8.hpp"

namespace throng::analysis {

namespace {

constexpr double left_margin = 66, right_margin = 16, top_margin = 32, bottom_margin = 46;
constexpr double font_size = 13, legend_row = 19, swatch = 26;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

/// A text, cut off where there is no room for all of it.
std::string fitted(std::string text, double size, double room) {
  if (text_width(text, size) <= room) return text;
  while (!text.empty() && text_width(text, size) > room - size) {
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
    if (!text.empty()) text.pop_back();
  }
  return text + "\u2026";
}

bool is_finite(Vec2 p) { return std::isfinite(p.x) && std::isfinite(p.y); }

/// Where data lie on the page.
class Frame {
 public:
  explicit Frame(const Plot& plot) : plot_(plot) {
    Range x, y;
    y.take(0);
    double half_bar = 0;
    for (const Series& series : plot.series) {
      for (const auto* points : {&series.points, &series.upper})
        for (const Vec2 p : *points)
          if (is_finite(p)) x.take(p.x), y.take(p.y);
      if (series.mark == Mark::bars) half_bar = std::max(half_bar, bar_spacing(series) / 2);
    }
    if (x.empty()) x = {0, 1};
    x.low -= half_bar, x.high += half_bar;
    if (plot.x_from) x.low = *plot.x_from;
    if (plot.x_to) x.high = *plot.x_to;
    if (!(x.high > x.low)) x.high = x.low + 1;
    if (!(y.high > y.low)) y.high = y.low + 1;
    x_ = x;
    y_ = {y.low, plot.y_to ? *plot.y_to : y.high + 0.05 * (y.high - y.low)};
  }

  /// The distance between bars: that of the first two, or one.
  static double bar_spacing(const Series& series) {
    return series.points.size() > 1 ? series.points[1].x - series.points[0].x : 1;
  }

  [[nodiscard]] double x(double value) const {
    return left_margin + (value - x_.low) / (x_.high - x_.low) * (plot_.width - left_margin - right_margin);
  }
  [[nodiscard]] double y(double value) const {
    return plot_.height - bottom_margin -
           (value - y_.low) / (y_.high - y_.low) * (plot_.height - top_margin - bottom_margin);
  }
  [[nodiscard]] const Range& x_range() const { return x_; }
  [[nodiscard]] const Range& y_range() const { return y_; }

 private:
  const Plot& plot_;
  Range x_, y_;
};

void draw_x_ticks(std::string& out, const Plot& plot, const Frame& frame) {
  const double bottom = plot.height - bottom_margin;
  auto to = std::back_inserter(out);
  const auto label = [&](double x, const std::string& text) {
    fmt::format_to(to, R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)", x, bottom + 16, escaped(text));
  };
  for (std::size_t i = 0; i < plot.x_names.size(); ++i) label(frame.x(double(i)), plot.x_names[i]);
  if (!plot.x_names.empty()) return;
  for (const double t : ticks(frame.x_range().low, frame.x_range().high, 7)) {
    fmt::format_to(to, R"(<path class="grid" d="M{:.1f},{}V{:.1f}" stroke="#dcdcdc"/>)", frame.x(t), top_margin,
                   bottom);
    label(frame.x(t), fmt::format("{:g}", t));
  }
}

void draw_axes(std::string& out, const Plot& plot, const Frame& frame) {
  const double bottom = plot.height - bottom_margin;
  const double right = plot.width - right_margin;
  auto to = std::back_inserter(out);
  draw_x_ticks(out, plot, frame);
  for (const double t : ticks(frame.y_range().low, frame.y_range().high, 5)) {
    const double y = frame.y(t);
    fmt::format_to(to, R"(<path class="grid" d="M{},{:.1f}H{:.1f}" stroke="#dcdcdc"/>)", left_margin, y, right);
    fmt::format_to(to, R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end">{:g}</text>)", left_margin - 6, y + 4, t);
  }
  fmt::format_to(to, R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)", (left_margin + right) / 2,
                 plot.height - 8, escaped(plot.x_label));
  fmt::format_to(to, R"s(<text transform="translate(15,{:.1f}) rotate(-90)" text-anchor="middle">{}</text>)s",
                 (top_margin + bottom) / 2, escaped(plot.y_label));
  fmt::format_to(to, R"(<text x="{}" y="19" font-weight="bold" font-size="14">{}</text>)", left_margin,
                 escaped(fitted(plot.title, 14, plot.width - left_margin)));
}

void draw_frame_lines(std::string& out, const Plot& plot) {
  fmt::format_to(std::back_inserter(out),
                 R"(<path class="axis" d="M{0},{1}V{2:.1f}H{3:.1f}" fill="none" stroke="#444"/>)", left_margin,
                 top_margin, plot.height - bottom_margin, plot.width - right_margin);
}

std::string path_of(const std::vector<Vec2>& points, bool steps, const Frame& frame) {
  std::string path;
  bool pen_down = false;
  for (const Vec2 p : points) {
    if (!is_finite(p)) {
      pen_down = false;
      continue;
    }
    if (pen_down && steps)
      fmt::format_to(std::back_inserter(path), "H{:.1f}V{:.1f}", frame.x(p.x), frame.y(p.y));
    else
      fmt::format_to(std::back_inserter(path), "{}{:.1f},{:.1f}", pen_down ? 'L' : 'M', frame.x(p.x), frame.y(p.y));
    pen_down = true;
  }
  return path;
}

/// There and back.
std::string band_path(const Series& series, const Frame& frame) {
  std::vector<Vec2> outline;
  std::copy_if(series.points.begin(), series.points.end(), std::back_inserter(outline), is_finite);
  std::copy_if(series.upper.rbegin(), series.upper.rend(), std::back_inserter(outline), is_finite);
  const std::string path = path_of(outline, false, frame);
  return path.empty() ? path : path + "Z";
}

std::string dashes(std::size_t colour) {
  constexpr std::array<std::string_view, 6> patterns = {"", "7 3", "2 2.5", "9 3 2 3", "4 2", "12 4"};
  const std::string_view pattern = patterns[colour % patterns.size()];
  return pattern.empty() ? std::string() : fmt::format(R"( stroke-dasharray="{}")", pattern);
}

/// How a series looks: a line drawn from the page's style, or a filled shape.
struct Look {
  std::size_t number = 0;
  std::string colour, dash;
};

Look look_of(const Series& series, std::size_t place) {
  const std::size_t number = series.colour.value_or(place);
  return {number, series_colour(number), series.plain ? std::string() : dashes(number)};
}

/// A circle, a square or a triangle.
void draw_dot(std::string& out, const Look& look, double x, double y) {
  const std::string shape = look.number % 3 == 0   ? fmt::format("M{:.1f},{:.1f}a3.2 3.2 0 1 0 .01 0Z", x, y - 3.2)
                            : look.number % 3 == 1 ? fmt::format("M{:.1f},{:.1f}h6v6h-6Z", x - 3, y - 3)
                                                   : fmt::format("M{:.1f},{:.1f}l4 7h-8Z", x, y - 4);
  fmt::format_to(std::back_inserter(out), R"(<path class="fill s{}" d="{}" fill="{}"/>)", look.number, shape,
                 look.colour);
}

void draw_series(std::string& out, const Series& series, const Look& look, const Frame& frame) {
  auto to = std::back_inserter(out);
  if (series.mark == Mark::line || series.mark == Mark::steps) {
    fmt::format_to(to, R"(<path class="line s{}" d="{}" fill="none" stroke="{}" stroke-width="1.8"{}/>)", look.number,
                   path_of(series.points, series.mark == Mark::steps, frame), look.colour, look.dash);
  } else if (series.mark == Mark::band) {
    fmt::format_to(to, R"(<path class="fill s{}" d="{}" fill="{}" fill-opacity="0.2"/>)", look.number,
                   band_path(series, frame), look.colour);
  } else if (series.mark == Mark::dots) {
    for (const Vec2 p : series.points)
      if (is_finite(p)) draw_dot(out, look, frame.x(p.x), frame.y(p.y));
  } else {
    const double width = frame.x(Frame::bar_spacing(series)) - frame.x(0);
    for (const Vec2 p : series.points)
      if (is_finite(p))
        fmt::format_to(to, R"(<rect class="fill s{}" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" fill="{}"/>)",
                       look.number, frame.x(p.x) - 0.45 * width, frame.y(std::max(p.y, 0.0)),
                       std::max(0.5, 0.9 * width), std::abs(frame.y(0) - frame.y(p.y)), look.colour);
  }
}

void draw_swatch(std::string& out, const Series& series, const Look& look, Vec2 at) {
  auto to = std::back_inserter(out);
  if (series.mark == Mark::line || series.mark == Mark::steps)
    fmt::format_to(to, R"(<path class="line s{}" d="M{:.1f},{:.1f}h{}" fill="none" stroke="{}" stroke-width="1.8"{}/>)",
                   look.number, at.x, at.y - 4, swatch - 4, look.colour, look.dash);
  else if (series.mark == Mark::dots)
    draw_dot(out, look, at.x + swatch / 2 - 2, at.y - 4);
  else
    fmt::format_to(to, R"(<rect class="fill s{}" x="{:.1f}" y="{:.1f}" width="{}" height="10" fill="{}"{}/>)",
                   look.number, at.x, at.y - 9, swatch - 6, look.colour,
                   series.mark == Mark::band ? R"( fill-opacity="0.2")" : "");
}

/// Below the plot, as many to a row as fit; how high it is.
double draw_legend(std::string& out, const Plot& plot) {
  const auto named =
      std::count_if(plot.series.begin(), plot.series.end(), [](const Series& s) { return !s.name.empty(); });
  if (named < 2) return 0;
  Vec2 at{left_margin, plot.height + 12};
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const Series& series = plot.series[i];
    if (series.name.empty()) continue;
    const std::string name = fitted(series.name, font_size, plot.width - left_margin - swatch);
    const double width = swatch + text_width(name, font_size) + 14;
    if (at.x > left_margin && at.x + width > plot.width) at = {left_margin, at.y + legend_row};
    draw_swatch(out, series, look_of(series, i), at);
    fmt::format_to(std::back_inserter(out), R"(<text x="{:.1f}" y="{:.1f}">{}</text>)", at.x + swatch, at.y,
                   escaped(name));
    at.x += width;
  }
  return at.y + 8 - plot.height;
}

}  // namespace

std::vector<double> ticks(double low, double high, int wanted) {
  std::vector<double> values;
  if (!(high > low) || !std::isfinite(high - low)) return values;
  const double rough = (high - low) / wanted;
  double step = std::pow(10.0, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0, 10.0})
    if (step * factor >= rough) {
      step *= factor;
      break;
    }
  const double first = std::ceil(low / step - 1e-9);
  // Far from zero neighbouring doubles may lie further apart than the step: the count ends it then.
  for (int i = 0; i <= 2 * wanted && (first + i) * step <= high + 1e-9 * step; ++i)
    values.push_back(first + i == 0 ? 0.0 : (first + i) * step);
  return values;
}

std::string mended(const std::string& text) {
  std::string out;
  std::string_view rest = text;
  while (const std::optional<std::size_t> bad = environment::find_bad_utf8(rest)) {
    out.append(rest.substr(0, *bad)).append("\ufffd");
    rest.remove_prefix(*bad + 1);
  }
  return out.append(rest);
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : mended(text)) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') ? ' ' : c;
    }
  }
  return out;
}

std::string series_colour(std::size_t n) {
  const environment::Colour c = environment::palette(n);
  return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

double text_width(const std::string& text, double size) {
  const auto letters = std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; });
  return 0.56 * size * double(letters);
}

std::string draw_plot(const Plot& plot) {
  const Frame frame(plot);
  std::string body, legend;
  draw_axes(body, plot, frame);
  const double top = top_margin - 2, inside = plot.height - bottom_margin - top + 1;
  // A nested picture cuts off what lies outside it, without names that could clash on a page of many.
  fmt::format_to(std::back_inserter(body),
                 R"(<svg x="{0}" y="{1}" width="{2}" height="{3}" viewBox="{0} {1} {2} {3}">)", left_margin, top,
                 plot.width - left_margin - right_margin + 2, inside);
  bool any = false;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    draw_series(body, plot.series[i], look_of(plot.series[i], i), frame);
    any = any || !plot.series[i].points.empty();
  }
  body += "</svg>";
  draw_frame_lines(body, plot);
  if (!any)
    fmt::format_to(std::back_inserter(body),
                   R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" fill="#777">no data</text>)", plot.width / 2,
                   plot.height / 2);
  const double height = plot.height + draw_legend(legend, plot);
  const std::string said = escaped(plot.description.empty() ? plot.title : plot.description);
  return fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" class="plot" role="img" aria-label="{2}" viewBox="0 0 {0:g} {1:g}" width="{0:g}" height="{1:g}" font-family="'DejaVu Sans',Verdana,Arial,sans-serif" font-size="{3}" fill="#222"><title>{2}</title>{4}{5}</svg>)",
      plot.width, height, said, font_size, body, legend);
}

}  // namespace throng::analysis
