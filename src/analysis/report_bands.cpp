// Of the report: many runs that differ by their seed alone, as a band and its middle instead of a line each.
#include <algorithm>
#include <cmath>

#include "analysis/reporter.hpp"

namespace throng::analysis {
namespace {

/// A curve's value; before its beginning and after its end as there, or none.
std::optional<double> value_at(const Series& series, double x, bool holds) {
  const std::vector<Vec2>& points = series.points;
  if (points.empty()) return std::nullopt;
  if (!holds && (x < points.front().x || x > points.back().x)) return std::nullopt;
  const auto after = std::upper_bound(points.begin(), points.end(), x, [](double at, Vec2 p) { return at < p.x; });
  if (after == points.begin()) return points.front().y;
  const Vec2 a = *(after - 1);
  if (after == points.end() || series.mark == Mark::steps) return a.y;
  return a.y + (after->y - a.y) * (x - a.x) / (after->x - a.x);
}

}  // namespace

bool Reporter::are_seeds() const {
  if (runs_.size() < 3) return false;
  return std::all_of(runs_.begin(), runs_.end(), [&](const RecordedRun& run) {
    return run.meta.scenario_json == runs_[0].meta.scenario_json &&
           run.environment.hash() == runs_[0].environment.hash();
  });
}

void Reporter::add_runs(Plot& plot, std::vector<Series> runs, const std::string& name, std::size_t colour,
                        bool holds) const {
  if (!are_seeds()) {
    for (Series& series : runs) plot.series.push_back(std::move(series));
    return;
  }
  constexpr std::size_t places = 200;
  double from = std::numeric_limits<double>::infinity(), to = -from;
  for (const Series& series : runs)
    if (!series.points.empty())
      from = std::min(from, series.points.front().x), to = std::max(to, series.points.back().x);
  const std::string of = name.empty() ? "" : name + ", ";
  Series all{.name = of + "lowest to highest", .mark = Mark::band, .colour = colour};
  Series middle{.name = of + "median of the runs", .colour = colour, .plain = true};
  for (std::size_t k = 0; from <= to && k <= places; ++k) {
    const double x = from + (to - from) * double(k) / places;
    std::vector<double> values;
    for (const Series& series : runs)
      if (const std::optional<double> value = value_at(series, x, holds); value && std::isfinite(*value))
        values.push_back(*value);
    if (values.empty()) continue;
    std::sort(values.begin(), values.end());
    all.points.push_back({x, values.front()});
    all.upper.push_back({x, values.back()});
    middle.points.push_back({x, *quantile(values, 0.5)});
  }
  plot.series.push_back(std::move(all));
  plot.series.push_back(std::move(middle));
}

}  // namespace throng::analysis
