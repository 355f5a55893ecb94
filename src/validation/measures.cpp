#include "validation/measures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "validation/statistics.hpp"

namespace throng::validation {
namespace {

/// Figures and curves as a reckoned figure names them.
class Source {
 public:
  Source(const FigureSpec& figure, const Figures& figures, const Curves& curves)
      : json_(figure.arguments), figures_(figures), curves_(curves) {}

  [[nodiscard]] const Json& json() const { return json_; }
  [[nodiscard]] std::vector<std::string> names() const {
    const Json& of = json_.at("of");
    if (of.is_string()) return {of.get<std::string>()};
    return of.get<std::vector<std::string>>();
  }
  [[nodiscard]] double figure(const std::string& name) const {
    const auto found = figures_.find(name);
    return found == figures_.end() ? not_measured : found->second;
  }
  [[nodiscard]] std::vector<double> values() const {
    std::vector<double> all;
    for (const std::string& name : names()) all.push_back(figure(name));
    return all;
  }
  [[nodiscard]] std::vector<Vec2> curve(const std::string& name) const {
    const auto found = curves_.find(name);
    return found == curves_.end() ? std::vector<Vec2>() : found->second;
  }
  [[nodiscard]] std::vector<Vec2> all_points() const {
    std::vector<Vec2> all;
    for (const std::string& name : names()) {
      const std::vector<Vec2> points = curve(name);
      all.insert(all.end(), points.begin(), points.end());
    }
    return all;
  }
  [[nodiscard]] std::vector<Bin> bins(const std::vector<Vec2>& points) const {
    return bins_of(points, json_.value("bins", 0.25), json_.value("least", std::size_t{10}));
  }

 private:
  const Json& json_;
  const Figures& figures_;
  const Curves& curves_;
};

double ratio(const Source& source) {
  const std::vector<double> values = source.values();
  return values.at(0) / values.at(1);
}
double part(const Source& source) { return source.values().at(0) / source.json().at("by").get<double>(); }
double less(const Source& source) { return source.values().at(0) - source.values().at(1); }
double sum(const Source& source) {
  double all = 0;
  for (const double value : source.values()) all += value;
  return all;
}
/// Not a number where one of them is none.
double extreme(const Source& source, bool is_most) {
  const std::vector<double> values = source.values();
  if (!std::ranges::all_of(values, [](double value) { return std::isfinite(value); })) return not_measured;
  return is_most ? std::ranges::max(values) : std::ranges::min(values);
}
double most(const Source& source) { return extreme(source, true); }
double least(const Source& source) { return extreme(source, false); }

double line(const Source& source) {
  const std::vector<double> ys = source.values();
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < ys.size(); ++i) points.push_back({source.json().at("x").at(i).get<double>(), ys[i]});
  if (!std::ranges::all_of(points, [](Vec2 p) { return std::isfinite(p.y); })) return not_measured;
  return explained_by_line(points);
}

/// Low and high at x, linear between the rows; nothing beyond them.
std::optional<Vec2> band_at(const Json& band, double x) {
  for (std::size_t i = 0; i + 1 < band.size(); ++i) {
    const double a = band.at(i).at(0), b = band.at(i + 1).at(0);
    if (x < a || x > b) continue;
    const double part = (x - a) / (b - a);
    const auto value = [&](std::size_t column) {
      const double low = band.at(i).at(column), high = band.at(i + 1).at(column);
      return low + (high - low) * part;
    };
    return Vec2{value(1), value(2)};
  }
  return std::nullopt;
}

double in_band(const Source& source) {
  const std::vector<Vec2> points = source.all_points();
  std::vector<Vec2> judged = points;
  if (source.json().value("by", "bins") == "bins") {
    judged.clear();
    for (const Bin& bin : source.bins(points)) judged.push_back({bin.x, bin.mean});
  }
  double inside = 0, all = 0;
  for (const Vec2 p : judged)
    if (const std::optional<Vec2> band = band_at(source.json().at("band"), p.x)) {
      ++all;
      inside += p.y >= band->x && p.y <= band->y ? 1 : 0;
    }
  return all > 0 ? inside / all : not_measured;
}

double at(const Source& source) {
  const std::optional<double> y = read_off(source.bins(source.all_points()), source.json().at("x"));
  if (!y) return not_measured;
  return source.json().contains("free") ? *y / source.figure(source.json().at("free")) : *y;
}

double above(const Source& source) {
  const double width = source.json().value("bins", 0.25);
  const std::vector<Bin> high = source.bins(source.curve(source.names().at(0)));
  const std::vector<Bin> low = source.bins(source.curve(source.names().at(1)));
  double shared = 0, higher = 0;
  for (const Bin& a : high)
    for (const Bin& b : low) {
      if (std::floor(a.x / width) != std::floor(b.x / width)) continue;
      ++shared;
      higher += a.mean > b.mean ? 1 : 0;
    }
  return shared > 0 ? higher / shared : not_measured;
}

double peak(const Source& source) {
  double best = not_measured, where = not_measured;
  for (const Bin& bin : source.bins(source.all_points()))
    if (!(bin.x * bin.mean <= best)) best = bin.x * bin.mean, where = bin.x;
  return source.json().value("where", false) ? where : best;
}

const std::map<std::string_view, double (*)(const Source&)>& reckonings() {
  static const std::map<std::string_view, double (*)(const Source&)> all{
      {"ratio", ratio}, {"part", part}, {"less", less},       {"sum", sum},     {"most", most}, {"least", least},
      {"line", line},   {"at", at},     {"in_band", in_band}, {"above", above}, {"peak", peak}};
  return all;
}

const std::map<std::string_view, MakeGauge>& gauges() {
  static const std::map<std::string_view, MakeGauge> all = [] {
    std::map<std::string_view, MakeGauge> made;
    for (const auto* kinds : {&line_gauges(), &area_gauges(), &people_gauges()})
      for (const GaugeKind& kind : *kinds) made[kind.name] = kind.make;
    return made;
  }();
  return all;
}

}  // namespace

bool is_measure(std::string_view name) { return gauges().contains(name) || reckonings().contains(name); }

std::vector<std::string> runs_of(const FigureSpec& figure, const Case& one) {
  if (!gauges().contains(figure.measure)) return {};
  if (figure.arguments.contains("run")) return {figure.arguments.at("run").get<std::string>()};
  if (figure.arguments.contains("runs")) return figure.arguments.at("runs").get<std::vector<std::string>>();
  std::vector<std::string> all;
  for (const RunSpec& run : one.runs) all.push_back(run.name);
  return all;
}

Result<GaugePtr> gauge_of(const FigureSpec& figure) {
  const auto kind = gauges().find(figure.measure);
  if (kind == gauges().end()) return GaugePtr();
  try {
    return kind->second(figure.arguments);
  } catch (const std::exception& wrong) {
    return Problem{Severity::error, ProblemCode::schema, figure.name, wrong.what()};
  }
}

Problems reckon(const Case& one, Figures& figures, const Curves& curves) {
  Problems problems;
  for (const FigureSpec& figure : one.figures) {
    const auto reckoning = reckonings().find(figure.measure);
    if (reckoning == reckonings().end()) continue;
    try {
      figures[figure.name] = reckoning->second(Source(figure, figures, curves));
    } catch (const std::exception& wrong) {
      problems.push_back(
          {Severity::error, ProblemCode::schema, one.name + "/" + figure.name, std::string(wrong.what())});
    }
  }
  return problems;
}

}  // namespace throng::validation
