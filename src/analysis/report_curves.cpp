// The parts of a report that show when: arrivals, travel and evacuation times, flows at lines, areas over time.
#include <algorithm>
#include <cmath>

#include "analysis/reporter.hpp"

namespace throng::analysis {

std::vector<Vec2> cumulative(const std::vector<double>& sorted, double from, double factor, double until) {
  // A recording that goes on from a snapshot begins after the first of them.
  std::vector<Vec2> points{{sorted.empty() ? from : std::min(from, sorted.front()), 0}};
  for (std::size_t i = 0; i < sorted.size(); ++i) points.push_back({sorted[i], factor * double(i + 1)});
  points.push_back({std::max(until, points.back().x), points.back().y});
  return thinned(points);
}

namespace {

std::vector<double> travel_times(const RecordedRun& run, std::optional<std::uint32_t> population = std::nullopt) {
  std::vector<double> times;
  for (const Person& person : run.people)
    if (const std::optional<double> time = person.travel_time();
        time && (!population || person.population == *population))
      times.push_back(*time);
  std::sort(times.begin(), times.end());
  return times;
}

double round_bin(double rough) {
  for (const double width : {1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0})
    if (rough <= width) return width;
  return 600 * std::ceil(rough / 600);
}

}  // namespace

Section Reporter::times() const {
  Section section{"times", "Arrivals and travel times", {}};
  section.blocks.emplace_back(arrivals_plot());
  section.blocks.emplace_back(presence_plot());
  section.blocks.emplace_back(travel_plot());
  section.blocks.emplace_back(several() ? evacuation_plot() : histogram());
  section.blocks.emplace_back(evacuation_table());
  section.blocks.emplace_back(travel_table());
  return section;
}

Plot Reporter::time_plot(std::string title, std::string y_label) const {
  Plot plot{.title = std::move(title), .x_label = "time (s)", .y_label = std::move(y_label)};
  plot.x_from = begin_, plot.x_to = end_;
  return plot;
}

Figure Reporter::arrivals_plot() const {
  Plot plot = time_plot("Arrivals", "people who have arrived");
  std::vector<Series> curves;
  for (std::size_t i = 0; i < runs_.size(); ++i)
    curves.push_back({.name = several() ? names_[i] : "arrived",
                      .points = cumulative(runs_[i].arrivals(), runs_[i].begin, 1, runs_[i].end),
                      .mark = Mark::steps});
  add_runs(plot, std::move(curves));
  if (!several()) {
    std::vector<double> appeared;
    for (const Person& person : runs_[0].people) appeared.push_back(person.appeared);
    std::sort(appeared.begin(), appeared.end());
    plot.series.push_back(
        {.name = "appeared", .points = cumulative(appeared, runs_[0].begin, 1, runs_[0].end), .mark = Mark::steps});
    plot.y_label = "people";
  }
  plot.description = "How many people had arrived by each time.";
  return {"arrivals", "Arrivals.", "How many people had arrived at their last goal by each time.", draw_plot(plot),
          false};
}

Figure Reporter::presence_plot() const {
  Plot plot = time_plot("People present", "people");
  std::vector<Series> curves;
  for (std::size_t i = 0; i < runs_.size(); ++i)
    curves.push_back({.name = names_[i], .points = thinned(runs_[i].presence)});
  add_runs(plot, std::move(curves));
  plot.description = "How many people were there at each time.";
  return {"presence", "People present.", "Everybody who is there, those who stay at their goal included.",
          draw_plot(plot), false};
}

Figure Reporter::travel_plot() const {
  Plot plot{.title = "Travel times", .x_label = "travel time (s)", .y_label = "share of arrivals (%)", .y_to = 100};
  double longest = 1;
  std::vector<Series> curves;
  const auto add = [&](const std::string& name, const std::vector<double>& times) {
    if (times.empty()) return;
    longest = std::max(longest, times.back());
    curves.push_back(
        {.name = name, .points = cumulative(times, 0, 100 / double(times.size()), 0), .mark = Mark::steps});
  };
  for (std::size_t i = 0; i < runs_.size(); ++i) add(several() ? names_[i] : "everybody", travel_times(runs_[i]));
  const std::vector<std::string>& populations = runs_[0].meta.populations;
  if (!several() && populations.size() > 1)
    for (std::uint32_t p = 0; p < populations.size(); ++p) add(populations[p], travel_times(runs_[0], p));
  add_runs(plot, std::move(curves));
  plot.x_from = 0, plot.x_to = longest;
  plot.description = "The share of those who arrived that took at most so long.";
  return {
      "travel-times", "Travel times.",
      "From appearing to arriving, premovement and waits included: the share of arrivals that took at most so long.",
      draw_plot(plot), false};
}

Figure Reporter::histogram() const {
  const std::vector<double> times = travel_times(runs_[0]);
  const double width = round_bin(times.empty() ? 1 : times.back() / 25);
  Plot plot{.title = "Travel times, how often",
            .x_label = "travel time (s)",
            .y_label = fmt::format("people in {:g} s", width)};
  Series series{.name = "", .mark = Mark::bars};
  const auto bins = times.empty() ? 0 : std::size_t(times.back() / width) + 1;
  for (std::size_t b = 0; b < bins; ++b) series.points.push_back({(double(b) + 0.5) * width, 0});
  for (const double time : times) series.points[std::size_t(std::max(0.0, time) / width)].y += 1;
  plot.series.push_back(std::move(series));
  plot.x_from = 0;
  plot.description = "How many people took how long.";
  return {"travel-histogram", "Travel times, how often.", fmt::format("In classes of {:g} s.", width), draw_plot(plot),
          false};
}

Figure Reporter::evacuation_plot() const {
  Plot plot{.title = "Evacuation times", .x_label = "run", .y_label = "time (s)"};
  constexpr std::pair<const char*, const char*> parts[] = {
      {"evacuated_50", "half"}, {"evacuated_95", "95 %"}, {"evacuated_100", "all"}};
  std::size_t colour = 0;
  for (const auto& [key, name] : parts) {
    Series series{.name = name, .mark = Mark::dots, .colour = colour++};
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (const std::optional<double> time = runs_[i].figure(key)) series.points.push_back({double(i), *time});
    plot.series.push_back(std::move(series));
  }
  double widest = 0;
  for (const std::string& name : names_) widest = std::max(widest, text_width(name, 14));
  const bool fits = widest * double(runs_.size()) < 0.8 * plot.width;
  for (std::size_t i = 0; i < runs_.size(); ++i) plot.x_names.push_back(fits ? names_[i] : fmt::format("{}", i + 1));
  plot.x_from = -0.5, plot.x_to = double(runs_.size()) - 0.5;
  plot.description = "When half, 95 % and all people had arrived, run by run.";
  return {"evacuation", "Evacuation times.",
          "When half, 95 % and all of those who appeared had arrived; missing where fewer did.", draw_plot(plot),
          false};
}

Table Reporter::evacuation_table() const {
  Table table{
      "When people had arrived (s)", {"run", "10 %", "25 %", "half", "75 %", "90 %", "95 %", "all", "not arrived"}, {}};
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::vector<double> arrivals = runs_[i].arrivals();
    const std::size_t people = runs_[i].people.size();
    std::vector<Cell> row{{names_[i]}};
    for (const double part : {0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 1.0}) {
      const std::optional<double> time = evacuated(arrivals, people, part);
      row.push_back(time ? number_cell(*time, 1, fmt::format("run-{}.evacuated.{:g}", i + 1, 100 * part))
                         : Cell{"\u2013"});
    }
    row.push_back({fmt::format("{}", people - arrivals.size())});
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table Reporter::travel_table() const {
  Table table{"Travel times by population (s)",
              {"population", "people", "arrived", "mean", "median", "95th percentile", "longest"},
              {}};
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (std::uint32_t p = 0; p < runs_[i].meta.populations.size(); ++p) {
      const std::vector<double> times = travel_times(runs_[i], p);
      const auto people = std::count_if(runs_[i].people.begin(), runs_[i].people.end(),
                                        [&](const Person& person) { return person.population == p; });
      std::vector<Cell> row{{(several() ? names_[i] + ": " : std::string()) + runs_[i].meta.populations[p]},
                            {fmt::format("{}", people)},
                            {fmt::format("{}", times.size())}};
      double sum = 0;
      for (const double time : times) sum += time;
      row.push_back(times.empty() ? Cell{"\u2013"} : number_cell(sum / double(times.size()), 1));
      for (const double part : {0.5, 0.95, 1.0}) {
        const std::optional<double> value = quantile(times, part);
        row.push_back(value ? number_cell(*value, 1) : Cell{"\u2013"});
      }
      table.rows.push_back(std::move(row));
    }
  return table;
}

Section Reporter::flows() const {
  Section section{"flow", "Flow at lines", {}};
  std::vector<std::string> names;
  for (const RecordedRun& run : runs_)
    for (const LineResult& line : run.lines)
      if (std::find(names.begin(), names.end(), line.line.name) == names.end()) names.push_back(line.line.name);
  for (std::size_t n = 0; n < names.size(); ++n) add_flow_figures(section, names[n], n);
  if (!names.empty()) section.blocks.emplace_back(flow_table());
  return section;
}

const LineResult* Reporter::line_of(const RecordedRun& run, const std::string& name) {
  const auto found =
      std::find_if(run.lines.begin(), run.lines.end(), [&](const LineResult& line) { return line.line.name == name; });
  return found == run.lines.end() ? nullptr : &*found;
}

std::vector<double> Reporter::crossing_times(const LineResult& line, int direction) {
  std::vector<double> times;
  for (const Crossing& c : line.crossings)
    if (direction == 0 || c.direction == direction) times.push_back(c.time);
  std::sort(times.begin(), times.end());
  return times;
}

void Reporter::add_flow_figures(Section& section, const std::string& name, std::size_t number) const {
  const double bin = round_bin(std::max(5.0, (end_ - begin_) / 40));
  Plot counted = time_plot("Crossings: " + name, "people"), rate = time_plot("Flow: " + name, "persons / s");
  std::vector<Series> counts, rates;
  const auto add = [&](const std::string& label, const std::vector<double>& times, const RecordedRun& run) {
    counts.push_back({.name = label, .points = cumulative(times, run.begin, 1, run.end), .mark = Mark::steps});
    Series flow{.name = label, .mark = Mark::steps};
    const double start = times.empty() ? run.begin : std::min(run.begin, times.front());
    const auto bins = std::size_t(std::max(0.0, run.end - start) / bin) + 1;
    for (std::size_t b = 0; b <= bins; ++b) flow.points.push_back({start + double(b) * bin, 0});
    for (const double time : times) flow.points[std::min(bins - 1, std::size_t((time - start) / bin))].y += 1 / bin;
    flow.points.back().y = flow.points[bins - 1].y;
    rates.push_back(std::move(flow));
  };
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const LineResult* line = line_of(runs_[i], name);
    if (line == nullptr) continue;
    if (several()) {
      add(names_[i], crossing_times(*line, 0), runs_[i]);
    } else {
      add("from left to right", crossing_times(*line, 1), runs_[i]);
      add("from right to left", crossing_times(*line, -1), runs_[i]);
    }
  }
  add_runs(counted, std::move(counts));
  add_runs(rate, std::move(rates));
  counted.description = "How many people had crossed the line " + name + " by each time.";
  rate.description = "How many people a second crossed the line " + name + ".";
  section.blocks.emplace_back(
      Figure{id("crossings", number), "Crossings of \u201c" + name + "\u201d.",
             several() ? "Both directions together." : "Left and right as seen from its first point to its last.",
             draw_plot(counted), false});
  section.blocks.emplace_back(Figure{id("flow-at-line", number), "Flow at \u201c" + name + "\u201d.",
                                     fmt::format("Crossings a second, in classes of {:g} s.", bin), draw_plot(rate),
                                     false});
}

Table Reporter::flow_table() const {
  Table table{"Flow at lines",
              {"line", "length (m)", "crossings", "left to right", "right to left", "net", "mean flow (/s)",
               "a metre (/(m s))"},
              {}};
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (const LineResult& line : runs_[i].lines) {
      const double length = std::sqrt(squared_length(line.line.to - line.line.from));
      const std::string key = fmt::format("run-{}.line.{}", i + 1, line.line.name);
      const auto count = [](std::size_t n) { return Cell{fmt::format("{}", n)}; };
      table.rows.push_back(
          {{(several() ? names_[i] + ": " : std::string()) + line.line.name},
           number_cell(length, 2),
           {fmt::format("{}", line.crossings.size()), fmt::format("{}", line.crossings.size()), key + ".crossings"},
           count(crossing_times(line, 1).size()),
           count(crossing_times(line, -1).size()),
           {fmt::format("{}", line.net()), fmt::format("{}", line.net()), key + ".net"},
           number_cell(line.flow(), 2, key + ".flow"),
           length > 0 ? number_cell(line.flow() / length, 2) : Cell{"\u2013"}});
    }
  return table;
}

Section Reporter::areas() const {
  Section section{"areas", "Density in measured areas", {}};
  std::vector<std::string> names;
  for (const RecordedRun& run : runs_)
    for (const AreaResult& area : run.areas)
      if (std::find(names.begin(), names.end(), area.name) == names.end()) names.push_back(area.name);
  if (names.empty()) return section;
  if (several())
    for (std::size_t n = 0; n < names.size(); ++n) section.blocks.emplace_back(area_plot({names[n]}, n));
  else
    section.blocks.emplace_back(area_plot(names, 0));
  section.blocks.emplace_back(area_table());
  return section;
}

Figure Reporter::area_plot(const std::vector<std::string>& names, std::size_t number) const {
  Plot plot = time_plot(several() ? "Density in " + names[0] : "Density in areas", "density (persons / m\u00b2)");
  std::vector<Series> curves;
  for (const std::string& name : names)
    for (std::size_t i = 0; i < runs_.size(); ++i)
      for (const AreaResult& area : runs_[i].areas) {
        if (area.name != name) continue;
        Series series{.name = several() ? names_[i] : name};
        for (const DensitySample& sample : area.samples) series.points.push_back({sample.time, sample.density});
        series.points = thinned(series.points);
        curves.push_back(std::move(series));
      }
  add_runs(plot, std::move(curves));
  if (!several()) plot.width = 940, plot.height = 320;
  plot.description = "Persons a square metre in measured areas over time.";
  return {id("area", number), several() ? "Density in " + names[0] + "." : "Density in measured areas.",
          "Persons in the area / its free square metres.", draw_plot(plot), !several()};
}

Table Reporter::area_table() const {
  Table table{"Density in measured areas (persons / m\u00b2)",
              {"area", "free ground (m\u00b2)", "mean", "highest", "level of the mean", "level of the highest"},
              {}};
  for (std::size_t i = 0; i < runs_.size(); ++i)
    for (const AreaResult& area : runs_[i].areas) {
      const std::string key = fmt::format("run-{}.area.{}", i + 1, area.name);
      const auto level = [](double density) {
        return Cell{std::string(1, level_names[level_of_service(density, false)])};
      };
      table.rows.push_back({{(several() ? names_[i] + ": " : std::string()) + area.name},
                            number_cell(area.square_metres, 1),
                            number_cell(area.mean_density(), 2, key + ".mean"),
                            number_cell(area.most(), 2, key + ".most"),
                            level(area.mean_density()),
                            level(area.most())});
    }
  return table;
}

}  // namespace throng::analysis
