#include "analysis/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "environment/picture.hpp"

namespace throng::analysis {

namespace {

constexpr double left_margin = 58, right_margin = 14, top_margin = 30, bottom_margin = 46;

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void take(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  [[nodiscard]] bool empty() const { return low > high; }
};

bool is_finite(Vec2 p) { return std::isfinite(p.x) && std::isfinite(p.y); }

/// Where data lie on the page.
class Frame {
 public:
  explicit Frame(const Plot& plot) : plot_(plot) {
    Range x, y;
    y.take(0);
    for (const Series& series : plot.series)
      for (const Vec2 p : series.points)
        if (is_finite(p)) x.take(p.x), y.take(p.y);
    if (x.empty()) x = {0, 1};
    if (x.high == x.low) x.high = x.low + 1;
    if (y.high == y.low) y.high = y.low + 1;
    x_ = x;
    y_ = {y.low, y.high + 0.05 * (y.high - y.low)};
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

void draw_axes(std::string& out, const Plot& plot, const Frame& frame) {
  const double bottom = plot.height - bottom_margin;
  const double right = plot.width - right_margin;
  auto to = std::back_inserter(out);
  for (const double t : ticks(frame.x_range().low, frame.x_range().high, 6)) {
    const double x = frame.x(t);
    fmt::format_to(to, R"(<line x1="{0:.1f}" y1="{1}" x2="{0:.1f}" y2="{2:.1f}" stroke="#ddd"/>)", x, top_margin,
                   bottom);
    fmt::format_to(to, R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{:g}</text>)", x, bottom + 15, t);
  }
  for (const double t : ticks(frame.y_range().low, frame.y_range().high, 5)) {
    const double y = frame.y(t);
    fmt::format_to(to, R"(<line x1="{0}" y1="{1:.1f}" x2="{2:.1f}" y2="{1:.1f}" stroke="#ddd"/>)", left_margin, y,
                   right);
    fmt::format_to(to, R"(<text x="{:.1f}" y="{:.1f}" text-anchor="end">{:g}</text>)", left_margin - 5, y + 4, t);
  }
  fmt::format_to(to, R"(<path d="M{0},{1}V{2:.1f}H{3:.1f}" fill="none" stroke="#333"/>)", left_margin, top_margin,
                 bottom, right);
  fmt::format_to(to, R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle">{}</text>)", (left_margin + right) / 2,
                 plot.height - 10, escaped(plot.x_label));
  fmt::format_to(to, R"s(<text transform="translate(14,{:.1f}) rotate(-90)" text-anchor="middle">{}</text>)s",
                 (top_margin + bottom) / 2, escaped(plot.y_label));
  fmt::format_to(to, R"(<text x="{}" y="18" font-weight="bold">{}</text>)", left_margin, escaped(plot.title));
}

std::string path_of(const Series& series, const Frame& frame) {
  std::string path;
  bool pen_down = false;
  for (const Vec2 p : series.points) {
    if (!is_finite(p)) {
      pen_down = false;
      continue;
    }
    if (pen_down && series.mark == Mark::steps) fmt::format_to(std::back_inserter(path), "H{:.2f}", frame.x(p.x));
    fmt::format_to(std::back_inserter(path), "{}{:.2f},{:.2f}", pen_down ? 'L' : 'M', frame.x(p.x), frame.y(p.y));
    pen_down = true;
  }
  return path;
}

void draw_series(std::string& out, const Series& series, const std::string& colour, const Frame& frame) {
  auto to = std::back_inserter(out);
  if (series.mark == Mark::line || series.mark == Mark::steps) {
    fmt::format_to(to, R"(<path d="{}" fill="none" stroke="{}" stroke-width="1.6"/>)", path_of(series, frame), colour);
  } else if (series.mark == Mark::dots) {
    for (const Vec2 p : series.points)
      if (is_finite(p))
        fmt::format_to(to, R"(<circle cx="{:.2f}" cy="{:.2f}" r="2" fill="{}" fill-opacity="0.6"/>)", frame.x(p.x),
                       frame.y(p.y), colour);
  } else {
    const double width = series.points.size() > 1 ? frame.x(series.points[1].x) - frame.x(series.points[0].x) : 20;
    for (const Vec2 p : series.points)
      if (is_finite(p))
        fmt::format_to(
            to, R"(<rect x="{:.2f}" y="{:.2f}" width="{:.2f}" height="{:.2f}" fill="{}" fill-opacity="0.7"/>)",
            frame.x(p.x) - width / 2, frame.y(p.y), std::max(0.5, width - 1), frame.y(0) - frame.y(p.y), colour);
  }
}

void draw_legend(std::string& out, const Plot& plot) {
  if (plot.series.size() < 2) return;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    const double y = top_margin + 12 + 14 * double(i);
    fmt::format_to(
        std::back_inserter(out),
        R"(<rect x="{0:.1f}" y="{1:.1f}" width="10" height="10" fill="{2}"/><text x="{3:.1f}" y="{4:.1f}">{5}</text>)",
        left_margin + 8, y - 9, series_colour(i), left_margin + 22, y, escaped(plot.series[i].name));
  }
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
  for (double k = first; k * step <= high + 1e-9 * step; ++k) values.push_back(k * step == 0 ? 0.0 : k * step);
  return values;
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
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

std::string draw_plot(const Plot& plot) {
  const Frame frame(plot);
  std::string out = fmt::format(
      R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {0:g} {1:g}" width="{0:g}" height="{1:g}" font-family="sans-serif" font-size="11" fill="#222">)",
      plot.width, plot.height);
  draw_axes(out, plot, frame);
  bool any = false;
  for (std::size_t i = 0; i < plot.series.size(); ++i) {
    draw_series(out, plot.series[i], series_colour(i), frame);
    any = any || !plot.series[i].points.empty();
  }
  if (!any)
    fmt::format_to(std::back_inserter(out),
                   R"(<text x="{:.1f}" y="{:.1f}" text-anchor="middle" fill="#777">no data</text>)", plot.width / 2,
                   plot.height / 2);
  draw_legend(out, plot);
  return out + "</svg>";
}

}  // namespace throng::analysis
