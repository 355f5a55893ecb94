#include "analysis/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "analysis/map_figure.hpp"
#include "analysis/plot.hpp"
#include "analysis/reference_curves.hpp"
#include "analysis/spread.hpp"

namespace throng::analysis {

namespace {

using Json = nlohmann::ordered_json;

/// Of all ways together.
constexpr std::size_t bytes_for_ways = 1'400'000;
constexpr std::size_t most_curve_points = 400;

/// How a figure of `throng run --json` is shown.
struct FigureInfo {
  std::string_view key, label, unit;
  int decimals = 0;
  bool of_people = true;   ///< rather than of the computation
  bool comparable = true;  ///< whether a mean over runs says something
};

constexpr FigureInfo known_figures[] = {
    {"agents", "people", ""},
    {"arrived", "arrived", ""},
    {"waiting_outside", "still waiting outside at the end", ""},
    {"lost", "without a way to their goal", ""},
    {"stuck", "stuck at the end", ""},
    {"evacuated_50", "half had arrived after", "s", 1},
    {"evacuated_95", "95 % had arrived after", "s", 1},
    {"evacuated_100", "all had arrived after", "s", 1},
    {"mean_travel_time", "mean travel time", "s", 1},
    {"mean_distance", "mean distance walked", "m", 1},
    {"mean_speed", "mean speed on the way", "m/s", 2},
    {"mean_slow_time", "mean time below 0.5 m/s", "s", 1},
    {"mean_energy", "mean change of kinetic energy a step", "J", 2, false},
    {"collisions", "collisions (overlap above 1 cm)", "", 0, false},
    {"collision_steps", "steps with a collision, over all pairs", "", 0, false},
    {"max_overlap", "deepest overlap", "m", 3, false},
    {"sim_time", "simulated time", "s", 1, false},
    {"steps", "steps", "", 0, false},
    {"wall_s", "computing time", "s", 1, false},
    {"ms_per_step", "computing time a step", "ms", 2, false},
    {"realtime_factor", "times real time", "", 1, false},
    {"seed", "seed", "", 0, false, false},
    {"stopped", "stopped before its end", "", 0, false, false},
    {"hash", "hash of all ways", "", 0, false, false},
};

std::string with_unit(const std::string& number, std::string_view unit) {
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

/// A value as it is shown, and with all its digits.
Cell cell_of(const Json& value, const FigureInfo& info, std::string key) {
  if (value.is_null()) return {"\u2013", "null", std::move(key)};
  if (value.is_boolean()) return {value.get<bool>() ? "yes" : "no", value.dump(), std::move(key)};
  if (value.is_string()) return {value.get<std::string>(), value.get<std::string>(), std::move(key)};
  if (value.is_number_integer()) return {with_unit(value.dump(), info.unit), value.dump(), std::move(key)};
  return {with_unit(fmt::format("{:.{}f}", value.get<double>(), info.decimals), info.unit), value.dump(),
          std::move(key)};
}

Cell number_cell(double value, int decimals, std::string key = {}) {
  return {fmt::format("{:.{}f}", value, decimals), Json(value).dump(), std::move(key)};
}

std::string seconds(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} s", *value) : std::string("\u2013");
}

/// The value below which a part of sorted values lies (nearest rank).
std::optional<double> quantile(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return std::nullopt;
  const auto rank = std::size_t(std::max(1.0, std::ceil(part * double(sorted.size()))));
  return sorted[rank - 1];
}

std::vector<double> travel_times(const RecordedRun& run, std::optional<std::uint32_t> population = std::nullopt) {
  std::vector<double> times;
  for (const Person& person : run.people)
    if (const std::optional<double> time = person.travel_time();
        time && (!population || person.population == *population))
      times.push_back(*time);
  std::sort(times.begin(), times.end());
  return times;
}

/// Fewer points of a curve, ends included.
std::vector<Vec2> thinned(const std::vector<Vec2>& points) {
  if (points.size() <= most_curve_points) return points;
  std::vector<Vec2> result;
  for (std::size_t i = 0; i < most_curve_points; ++i)
    result.push_back(points[i * (points.size() - 1) / (most_curve_points - 1)]);
  return result;
}

/// How many of sorted values lie up to each.
std::vector<Vec2> cumulative(const std::vector<double>& sorted, double from, double factor, double until) {
  // A recording that goes on from a snapshot begins after the first of them.
  std::vector<Vec2> points{{sorted.empty() ? from : std::min(from, sorted.front()), 0}};
  for (std::size_t i = 0; i < sorted.size(); ++i) points.push_back({sorted[i], factor * double(i + 1)});
  points.push_back({std::max(until, points.back().x), points.back().y});
  return thinned(points);
}

double round_bin(double rough) {
  for (const double width : {1.0, 2.0, 5.0, 10.0, 20.0, 30.0, 60.0, 120.0, 300.0, 600.0})
    if (rough <= width) return width;
  return 600 * std::ceil(rough / 600);
}

class Reporter {
 public:
  Reporter(const std::vector<RecordedRun>& runs, const ReportOptions& options) : runs_(runs), options_(options) {
    for (const RecordedRun& run : runs) {
      sheets_.push_back(sheets_of(run.environment, run.maps));
      for (const RecordedRun& other : runs)
        same_place_ = same_place_ && run.environment.hash() == other.environment.hash();
      begin_ = std::min(begin_, run.begin);
      end_ = std::max(end_, run.end);
    }
    name_runs();
  }

  Result<Document> report() && {
    head();
    document_.sections.push_back(summary());
    for (auto part : {&Reporter::ways, &Reporter::density, &Reporter::speed}) {
      Result<Section> section = (this->*part)();
      if (!section) return section.problems();
      document_.sections.push_back(std::move(section).value());
    }
    for (auto part : {&Reporter::times, &Reporter::flows, &Reporter::areas, &Reporter::settings, &Reporter::method}) {
      Section section = (this->*part)();
      if (!section.blocks.empty()) document_.sections.push_back(std::move(section));
    }
    return std::move(document_);
  }

 private:
  [[nodiscard]] bool several() const { return runs_.size() > 1; }
  /// "" for one run, " in NAME" for one of several.
  [[nodiscard]] std::string in_run(std::size_t i) const { return several() ? " in " + names_[i] : std::string(); }
  /// Maps of several runs stand side by side.
  [[nodiscard]] double map_width() const { return several() ? 540 : 1000; }
  [[nodiscard]] static std::string id(const std::string& what, std::size_t run) {
    return fmt::format("{}-{}", what, run + 1);
  }

  /// File names where they differ, else with the seed, else with a number.
  void name_runs() {
    for (const RecordedRun& run : runs_) names_.push_back(run.name);
    const auto distinct = [&] { return std::set<std::string>(names_.begin(), names_.end()).size() == names_.size(); };
    if (!distinct())
      for (std::size_t i = 0; i < runs_.size(); ++i)
        names_[i] = fmt::format("{}, seed {}", runs_[i].name, runs_[i].meta.seed);
    if (!distinct())
      for (std::size_t i = 0; i < runs_.size(); ++i) names_[i] = fmt::format("{} ({})", runs_[i].name, i + 1);
  }

  void head() {
    document_.title = options_.title;
    if (document_.title.empty())
      document_.title = several() ? fmt::format("{} runs compared", runs_.size()) : runs_[0].name;
    std::string list;
    for (const std::string& name : names_) list += (list.empty() ? "" : ", ") + name;
    document_.subtitle = several() ? "Simulated runs: " + list
                                   : fmt::format("A simulated run of {:.0f} s, seed {}",
                                                 runs_[0].figure("sim_time").value_or(0), runs_[0].meta.seed);
    document_.footer = options_.program + ". Definitions are at the end of this report and in docs/reports.md.";
    warn();
    if (!several()) highlight();
  }

  void warn() {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!runs_[i].finished)
        document_.warnings.push_back(fmt::format(
            "{}: this run is unfinished. Its recording ends at {:.1f} s without the closing figures, because the "
            "simulation was interrupted or still goes on. What can be told from the recorded positions is shown; "
            "people who "
            "stay at their goal count as on the way.",
            names_[i], runs_[i].end));
      else if (runs_[i].stopped)
        document_.warnings.push_back(fmt::format("{}: this run was stopped by hand at {:.1f} s, before its end.",
                                                 names_[i], runs_[i].figure("sim_time").value_or(0)));
    }
    if (!same_place_)
      document_.warnings.emplace_back(
          "These runs took place in different environments. Figures and curves stand beside each other; "
          "every run has its own plan.");
  }

  void highlight() {
    const RecordedRun& run = runs_[0];
    const auto whole = [&](const char* key) { return fmt::format("{:.0f}", run.figure(key).value_or(0)); };
    auto& list = document_.highlights;
    list.emplace_back(whole("agents"), "people");
    list.emplace_back(whole("arrived"), "arrived");
    const std::optional<double> most_arrived = run.figure("evacuated_95");
    list.emplace_back(most_arrived ? seconds(most_arrived) : "not reached", "until 95 % had arrived");
    const bool any_arrived = run.figure("arrived").value_or(0) > 0;
    list.emplace_back(seconds(any_arrived ? run.figure("mean_travel_time") : std::nullopt), "mean travel time");
    list.emplace_back(fmt::format("{:.1f} /m\u00b2", run.maps.highest_density), "highest density");
    list.emplace_back(fmt::format("{:.0f} %", 100 * crowded_part(run)), "of all time spent at level of service E or F");
  }

  static double crowded_part(const RecordedRun& run) {
    double all = 0;
    for (const double s : run.maps.person_seconds) all += s;
    return all > 0 ? (run.maps.person_seconds[4] + run.maps.person_seconds[5]) / all : 0;
  }

  Section summary() const {
    Section section{"summary", several() ? "The runs beside each other" : "Figures", {}};
    const bool spread = runs_.size() >= 3;
    Table people = figure_table("People", spread), run = figure_table("The run itself", spread);
    for (const FigureInfo& info : known_figures) add_figure(info.of_people ? people : run, info, spread);
    for (const std::string& key : other_figures()) add_figure(run, {key, key, "", 3, false, false}, spread);
    section.blocks.emplace_back(std::move(people));
    section.blocks.emplace_back(std::move(run));
    return section;
  }

  [[nodiscard]] Table figure_table(std::string caption, bool spread) const {
    Table table{std::move(caption), {"figure"}, {}};
    for (const std::string& name : names_) table.head.push_back(several() ? name : "value");
    if (spread) table.head.insert(table.head.end(), {"mean", "deviation"});
    return table;
  }

  /// Figures of a newer program, which this one does not know by name.
  [[nodiscard]] std::set<std::string> other_figures() const {
    std::set<std::string> keys;
    for (const RecordedRun& run : runs_)
      for (const auto& [key, value] : run.figures.items()) keys.insert(key);
    for (const FigureInfo& info : known_figures) keys.erase(std::string(info.key));
    return keys;
  }

  void add_figure(Table& table, const FigureInfo& info, bool spread) const {
    const std::string key(info.key);
    if (std::none_of(runs_.begin(), runs_.end(), [&](const RecordedRun& run) { return run.figures.contains(key); }))
      return;
    std::vector<Cell> row{{std::string(info.label)}};
    Spread values;
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      if (!runs_[i].figures.contains(key)) {
        row.push_back({"not known"});
        continue;
      }
      row.push_back(cell_of(runs_[i].figures[key], info, fmt::format("run-{}.{}", i + 1, key)));
      // A mean of those who arrived, where nobody did.
      if (key.starts_with("mean_") && runs_[i].figure("arrived") == 0.0) row.back().text = "\u2013";
      if (const std::optional<double> value = runs_[i].figure(key)) values.values.push_back(*value);
    }
    if (spread) {
      const bool says_something = info.comparable && values.values.size() >= 2;
      const int decimals = std::max(info.decimals, 1);
      row.push_back(says_something ? number_cell(values.mean(), decimals) : Cell{""});
      row.push_back(says_something ? number_cell(values.deviation(), decimals) : Cell{""});
    }
    table.rows.push_back(std::move(row));
  }

  Result<Section> ways() const {
    Section section{"plan", "Plan and ways", {}};
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const RecordedRun& run = runs_[i];
      const std::string title = "Plan with the ways people took" + in_run(i) + ".";
      const WaysFigure figure =
          draw_ways(run, sheets_[i], bytes_for_ways / runs_.size(),
                    {id("ways", i), title + " Coloured by population; the caption says whose.", map_width()});
      const std::string which = figure.people < run.people.size()
                                    ? fmt::format("{} of {} people, chosen evenly", figure.people, run.people.size())
                                    : fmt::format("all {} people", run.people.size());
      std::string description = fmt::format("The ways of {}, coloured by population.", which);
      if (sheets_[i].size() > 1)
        description +=
            " Storeys from the highest to the lowest; stairs and ramps are drawn in the storey above where it has a "
            "gap for them.";
      if (!run.lines.empty()) description += " Thick black lines are those where people are counted.";
      section.blocks.emplace_back(Figure{id("ways", i), title, description, figure.svg, !several()});
    }
    return section;
  }

  /// One map of every run, all in one colour scale.
  Problems add_maps(Section& section, MapKind kind, const ColourScale& scale, const std::string& name,
                    const std::string& title, const std::string& description) const {
    if (several()) section.blocks.emplace_back(Paragraph{title + ". " + description});  // each map begins a row
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const FigureOptions figure{id(name, i), fmt::format("{}{}. {}", title, in_run(i), description), map_width()};
      const Result<std::string> svg = draw_map(runs_[i], sheets_[i], kind, scale, figure);
      if (!svg) return svg.problems();
      section.blocks.emplace_back(
          Figure{figure.id, title + in_run(i) + ".", several() ? "" : description, *svg, !several()});
    }
    return {};
  }

  /// The highest value of a map over all runs.
  [[nodiscard]] double highest(std::vector<float> LayerMaps::*map) const {
    double most = 0;
    for (const RecordedRun& run : runs_)
      for (const LayerMaps& layer : run.maps.layers)
        for (const float value : layer.*map)
          if (std::isfinite(value)) most = std::max(most, double(value));
    return most;
  }

  Result<Section> density() const {
    Section section{"density", "Density and level of service", {}};
    ColourScale mean = density_scale(round_up(highest(&LayerMaps::mean)));
    mean.label = "mean density, persons / m\u00b2";
    ColourScale maximum = density_scale(round_up(highest(&LayerMaps::maximum)));
    maximum.label = "maximum density, persons / m\u00b2";
    Problems wrong = add_maps(section, MapKind::mean_density, mean, "mean-density", "Mean density",
                              "Persons a square metre, averaged over the whole recording.");
    if (wrong.empty())
      wrong = add_maps(section, MapKind::maximum_density, maximum, "maximum-density", "Maximum density",
                       "The highest density at any moment, place by place: not everywhere at the same time.");
    if (wrong.empty())
      wrong = add_maps(
          section, MapKind::lasting_level, mean, "level-of-service", "Level of service of the densest minute",
          fmt::format("Fruin's levels A (free) to F (jammed) of the density of each place's densest {:g} s; stairs by "
                      "Fruin's bounds for stairs.",
                      lasting_seconds));
    if (!wrong.empty()) return wrong;
    section.blocks.emplace_back(peaks());
    section.blocks.emplace_back(levels_plot());
    section.blocks.emplace_back(levels_table());
    return section;
  }

  [[nodiscard]] Table peaks() const {
    Table table{
        "Where and when it was densest", {"run", "persons / m\u00b2", "time (s)", "x (m)", "y (m)", "layer"}, {}};
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const CrowdMaps& maps = runs_[i].maps;
      table.rows.push_back({{names_[i]},
                            number_cell(maps.highest_density, 2),
                            number_cell(maps.highest_time, 1),
                            number_cell(maps.highest_at.x, 1),
                            number_cell(maps.highest_at.y, 1),
                            {runs_[i].meta.layers[maps.highest_layer]}});
    }
    return table;
  }

  [[nodiscard]] static std::vector<double> level_parts(const RecordedRun& run) {
    std::vector<double> parts(run.maps.person_seconds.begin(), run.maps.person_seconds.end());
    double all = 0;
    for (const double s : parts) all += s;
    for (double& part : parts) part = all > 0 ? 100 * part / all : 0;
    return parts;
  }

  [[nodiscard]] Figure levels_plot() const {
    Plot plot{.title = "Time spent at each level of service",
              .x_label = "level of service (Fruin)",
              .y_label = "share of all person-time (%)"};
    for (const char level : level_names) plot.x_names.emplace_back(1, level);
    const double width = 0.84 / double(runs_.size());
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      // Bars of several runs side by side are drawn as outlines of steps, each within its own slot.
      Series series{.name = several() ? names_[i] : "", .mark = several() ? Mark::line : Mark::bars};
      const std::vector<double> parts = level_parts(runs_[i]);
      for (std::size_t level = 0; level < level_count; ++level) {
        const double at = double(level);
        if (!several()) {
          series.points.push_back({at, parts[level]});
          continue;
        }
        const double left = at - 0.42 + width * double(i), right = left + 0.9 * width;
        for (const Vec2 p : {Vec2{left, 0}, Vec2{left, parts[level]}, Vec2{right, parts[level]}, Vec2{right, 0}})
          series.points.push_back(p);
        series.points.push_back({std::nan(""), 0});
      }
      plot.series.push_back(std::move(series));
    }
    plot.x_from = -0.5, plot.x_to = double(level_count) - 0.5;
    plot.description = "How much of all people's time was spent at each level of service.";
    return {"levels", "Time spent at each level of service.",
            "By the density where each person is at the moment; the table has the numbers.", draw_plot(plot), false};
  }

  [[nodiscard]] Table levels_table() const {
    Table table{
        "Time spent at each level of service", {"level", "on the level (/m\u00b2)", "on stairs (/m\u00b2)"}, {}};
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      table.head.push_back((several() ? names_[i] + ": " : std::string()) + "person-minutes");
      table.head.emplace_back("%");
    }
    for (std::size_t level = 0; level < level_count; ++level) {
      const auto range = [&](const LevelBounds& bounds) {
        return level + 1 == level_count ? fmt::format("above {:.2f}", bounds[level - 1])
                                        : fmt::format("up to {:.2f}", bounds[level]);
      };
      std::vector<Cell> row{{std::string(1, level_names[level])}, {range(walkway_levels)}, {range(stairway_levels)}};
      for (const RecordedRun& run : runs_) {
        row.push_back(number_cell(run.maps.person_seconds[level] / 60, 1));
        row.push_back(number_cell(level_parts(run)[level], 1));
      }
      table.rows.push_back(std::move(row));
    }
    table.beside = !several();
    return table;
  }

  Result<Section> speed() const {
    Section section{"speed", "Speed", {}};
    ColourScale scale = speed_scale(std::clamp(round_up(highest(&LayerMaps::speed)), 0.5, 1.5));
    scale.label = fmt::format("mean speed, m/s ({:g} or more in the last colour)", scale.high);
    if (Problems wrong = add_maps(section, MapKind::mean_speed, scale, "mean-speed", "Mean speed",
                                  "How fast people walked where they were. No colour: nobody walked there. Dark places "
                                  "are slow, or such where people "
                                  "wait on their way: look at them beside the density.");
        !wrong.empty())
      return wrong;
    section.blocks.emplace_back(speed_density_plot());
    section.blocks.emplace_back(flow_density_plot());
    section.blocks.emplace_back(speed_density_table());
    return section;
  }

  /// Reference curves take the last colours, runs the first.
  void add_references(Plot& plot, bool as_flow) const {
    const auto shown = [&](std::vector<Vec2> points) {
      if (as_flow)
        for (Vec2& p : points) p.y *= p.x;
      return points;
    };
    plot.series.push_back(
        {.name = "Weidmann (1993)", .points = shown(weidmann_curve()), .mark = Mark::line, .colour = 7});
    plot.series.push_back(
        {.name = "laboratory (HERMES)", .points = shown(laboratory_curve()), .mark = Mark::line, .colour = 3});
  }

  [[nodiscard]] Figure speed_density_plot() const {
    Plot plot{.title = "Speed and density", .x_label = "density (persons / m\u00b2)", .y_label = "speed (m/s)"};
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      Series band{.name = several() ? "" : "10 to 90 % of squares", .mark = Mark::band, .colour = i};
      Series middle{.name = names_[i] + (several() ? "" : ", median"), .colour = i, .plain = i == 0};
      for (const SpeedAtDensity& s : runs_[i].speed_density) {
        band.points.push_back({s.density, s.low}), band.upper.push_back({s.density, s.high});
        middle.points.push_back({s.density, s.middle});
      }
      if (!several()) plot.series.push_back(std::move(band));
      plot.series.push_back(std::move(middle));
    }
    add_references(plot, false);
    plot.x_from = 0;
    plot.description = "Median speed against density, beside Weidmann's curve and laboratory measurements.";
    return {"speed-density", "Speed and density.",
            "Squares of 2 x 2 m on level ground, wholly free, by the number of people in them; beside what was "
            "measured of real people.",
            draw_plot(plot), false};
  }

  [[nodiscard]] Figure flow_density_plot() const {
    Plot plot{.title = "Flow and density",
              .x_label = "density (persons / m\u00b2)",
              .y_label = "specific flow (persons / (m s))"};
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      Series series{.name = names_[i] + (several() ? "" : ", median"), .colour = i, .plain = i == 0};
      for (const SpeedAtDensity& s : runs_[i].speed_density) series.points.push_back({s.density, s.density * s.middle});
      plot.series.push_back(std::move(series));
    }
    add_references(plot, true);
    plot.x_from = 0;
    plot.description = "Density times median speed, beside Weidmann's curve and laboratory measurements.";
    return {"flow-density", "Flow and density.", "Density times median speed of the same squares.", draw_plot(plot),
            false};
  }

  [[nodiscard]] Table speed_density_table() const {
    Table table{"Speed at density (m/s)", {"persons / m\u00b2"}, {}};
    for (const std::string& name : names_) {
      const std::string prefix = several() ? name + ": " : std::string();
      table.head.insert(table.head.end(), {prefix + "10 %", "median", "90 %", "samples"});
    }
    table.head.emplace_back("Weidmann");
    std::set<double> densities;
    for (const RecordedRun& run : runs_)
      for (const SpeedAtDensity& s : run.speed_density) densities.insert(s.density);
    for (const double density : densities) {
      std::vector<Cell> row{{fmt::format("{:.2f}", density)}};
      for (const RecordedRun& run : runs_) {
        const auto found = std::find_if(run.speed_density.begin(), run.speed_density.end(),
                                        [&](const SpeedAtDensity& s) { return s.density == density; });
        const bool there = found != run.speed_density.end();
        for (const auto member : {&SpeedAtDensity::low, &SpeedAtDensity::middle, &SpeedAtDensity::high})
          row.push_back(there ? number_cell((*found).*member, 2) : Cell{""});
        row.push_back(there ? Cell{fmt::format("{}", found->samples)} : Cell{""});
      }
      row.push_back(number_cell(weidmann_speed(density), 2));
      table.rows.push_back(std::move(row));
    }
    table.folded = table.rows.size() > 8;
    return table;
  }

  Section times() const {
    Section section{"times", "Arrivals and travel times", {}};
    section.blocks.emplace_back(arrivals_plot());
    section.blocks.emplace_back(presence_plot());
    section.blocks.emplace_back(travel_plot());
    section.blocks.emplace_back(several() ? evacuation_plot() : histogram());
    section.blocks.emplace_back(evacuation_table());
    section.blocks.emplace_back(travel_table());
    return section;
  }

  [[nodiscard]] Plot time_plot(std::string title, std::string y_label) const {
    Plot plot{.title = std::move(title), .x_label = "time (s)", .y_label = std::move(y_label)};
    plot.x_from = begin_, plot.x_to = end_;
    return plot;
  }

  [[nodiscard]] Figure arrivals_plot() const {
    Plot plot = time_plot("Arrivals", "people who have arrived");
    for (std::size_t i = 0; i < runs_.size(); ++i)
      plot.series.push_back({.name = several() ? names_[i] : "arrived",
                             .points = cumulative(runs_[i].arrivals(), runs_[i].begin, 1, runs_[i].end),
                             .mark = Mark::steps});
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

  [[nodiscard]] Figure presence_plot() const {
    Plot plot = time_plot("People present", "people");
    for (std::size_t i = 0; i < runs_.size(); ++i)
      plot.series.push_back({.name = names_[i], .points = thinned(runs_[i].presence)});
    plot.description = "How many people were there at each time.";
    return {"presence", "People present.", "Everybody who is there, those who stay at their goal included.",
            draw_plot(plot), false};
  }

  [[nodiscard]] Figure travel_plot() const {
    Plot plot{.title = "Travel times", .x_label = "travel time (s)", .y_label = "share of arrivals (%)", .y_to = 100};
    double longest = 1;
    const auto add = [&](const std::string& name, const std::vector<double>& times) {
      if (times.empty()) return;
      longest = std::max(longest, times.back());
      plot.series.push_back(
          {.name = name, .points = cumulative(times, 0, 100 / double(times.size()), 0), .mark = Mark::steps});
    };
    for (std::size_t i = 0; i < runs_.size(); ++i) add(several() ? names_[i] : "everybody", travel_times(runs_[i]));
    const std::vector<std::string>& populations = runs_[0].meta.populations;
    if (!several() && populations.size() > 1)
      for (std::uint32_t p = 0; p < populations.size(); ++p) add(populations[p], travel_times(runs_[0], p));
    plot.x_from = 0, plot.x_to = longest;
    plot.description = "The share of those who arrived that took at most so long.";
    return {
        "travel-times", "Travel times.",
        "From appearing to arriving, premovement and waits included: the share of arrivals that took at most so long.",
        draw_plot(plot), false};
  }

  [[nodiscard]] Figure histogram() const {
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
    return {"travel-histogram", "Travel times, how often.", fmt::format("In classes of {:g} s.", width),
            draw_plot(plot), false};
  }

  [[nodiscard]] Figure evacuation_plot() const {
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

  [[nodiscard]] Table evacuation_table() const {
    Table table{"When people had arrived (s)",
                {"run", "10 %", "25 %", "half", "75 %", "90 %", "95 %", "all", "not arrived"},
                {}};
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

  [[nodiscard]] Table travel_table() const {
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

  Section flows() const {
    Section section{"flow", "Flow at lines", {}};
    std::vector<std::string> names;
    for (const RecordedRun& run : runs_)
      for (const LineResult& line : run.lines)
        if (std::find(names.begin(), names.end(), line.line.name) == names.end()) names.push_back(line.line.name);
    for (std::size_t n = 0; n < names.size(); ++n) add_flow_figures(section, names[n], n);
    if (!names.empty()) section.blocks.emplace_back(flow_table());
    return section;
  }

  [[nodiscard]] static const LineResult* line_of(const RecordedRun& run, const std::string& name) {
    const auto found = std::find_if(run.lines.begin(), run.lines.end(),
                                    [&](const LineResult& line) { return line.line.name == name; });
    return found == run.lines.end() ? nullptr : &*found;
  }

  [[nodiscard]] static std::vector<double> crossing_times(const LineResult& line, int direction) {
    std::vector<double> times;
    for (const Crossing& c : line.crossings)
      if (direction == 0 || c.direction == direction) times.push_back(c.time);
    std::sort(times.begin(), times.end());
    return times;
  }

  void add_flow_figures(Section& section, const std::string& name, std::size_t number) const {
    const double bin = round_bin(std::max(5.0, (end_ - begin_) / 40));
    Plot counted = time_plot("Crossings: " + name, "people"), rate = time_plot("Flow: " + name, "persons / s");
    const auto add = [&](const std::string& label, const std::vector<double>& times, const RecordedRun& run) {
      counted.series.push_back(
          {.name = label, .points = cumulative(times, run.begin, 1, run.end), .mark = Mark::steps});
      Series flow{.name = label, .mark = Mark::steps};
      const double start = times.empty() ? run.begin : std::min(run.begin, times.front());
      const auto bins = std::size_t(std::max(0.0, run.end - start) / bin) + 1;
      for (std::size_t b = 0; b <= bins; ++b) flow.points.push_back({start + double(b) * bin, 0});
      for (const double time : times) flow.points[std::min(bins - 1, std::size_t((time - start) / bin))].y += 1 / bin;
      flow.points.back().y = flow.points[bins - 1].y;
      rate.series.push_back(std::move(flow));
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

  [[nodiscard]] Table flow_table() const {
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

  Section areas() const {
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

  /// One area in several runs, or several areas in one.
  [[nodiscard]] Figure area_plot(const std::vector<std::string>& names, std::size_t number) const {
    Plot plot = time_plot(several() ? "Density in " + names[0] : "Density in areas", "density (persons / m\u00b2)");
    for (const std::string& name : names)
      for (std::size_t i = 0; i < runs_.size(); ++i)
        for (const AreaResult& area : runs_[i].areas) {
          if (area.name != name) continue;
          Series series{.name = several() ? names_[i] : name};
          for (const DensitySample& sample : area.samples) series.points.push_back({sample.time, sample.density});
          series.points = thinned(series.points);
          plot.series.push_back(std::move(series));
        }
    if (!several()) plot.width = 940, plot.height = 320;
    plot.description = "Persons a square metre in measured areas over time.";
    return {id("area", number), several() ? "Density in " + names[0] + "." : "Density in measured areas.",
            "Persons in the area / its free square metres.", draw_plot(plot), !several()};
  }

  [[nodiscard]] Table area_table() const {
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

  Section settings() const {
    Section section{"settings", "Settings", {}};
    Table table{"What was simulated", {"setting"}, {}};
    for (const std::string& name : names_) table.head.push_back(several() ? name : "value");
    const auto add = [&](const std::string& name, const auto& value_of) {
      std::vector<Cell> row{{name}};
      for (const RecordedRun& run : runs_) row.push_back({value_of(run)});
      table.rows.push_back(std::move(row));
    };
    add("recording", [](const RecordedRun& run) { return run.path; });
    add("made by", [](const RecordedRun& run) { return run.meta.program; });
    add("seed", [](const RecordedRun& run) { return fmt::format("{}", run.meta.seed); });
    add("time step", [](const RecordedRun& run) { return fmt::format("{:g} s", run.meta.time_step); });
    add("recorded", [](const RecordedRun& run) {
      return fmt::format("{} frames, every {:g} s", run.frames, run.meta.frame_time());
    });
    add("duration asked for", [](const RecordedRun& run) {
      const Json duration = run.parameters.value("duration", Json());
      return duration.is_number() ? fmt::format("{:g} s", duration.template get<double>()) : std::string("not known");
    });
    add("layers", [](const RecordedRun& run) { return fmt::format("{}", run.meta.layers.size()); });
    add("free ground", [](const RecordedRun& run) {
      double area = 0;
      for (const environment::CleanLayer& layer : run.environment.layers)
        area += environment::area(layer.free, run.environment.grid);
      return fmt::format("{:.0f} m\u00b2", area);
    });
    add("environment", [](const RecordedRun& run) { return fmt::format("{:016x}", run.environment.hash()); });
    add("maps", [](const RecordedRun& run) {
      return fmt::format("squares of {:g} m, samples every {:g} s", run.maps.side, run.sample_time);
    });
    section.blocks.emplace_back(std::move(table));
    if (Table profiles = profile_table(); !profiles.rows.empty()) section.blocks.emplace_back(std::move(profiles));
    for (std::size_t i = 0; i < runs_.size(); ++i)
      section.blocks.emplace_back(Listing{"Scenario" + in_run(i), runs_[i].meta.scenario_json});
    return section;
  }

  [[nodiscard]] Table profile_table() const {
    Table table{
        "Profiles of people", {"profile", "mean radius (m)", "mean free speed (m/s)", "follows by", "avoids by"}, {}};
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      const Json profiles = runs_[i].parameters.value("profiles", Json::object());
      if (!profiles.is_object()) continue;
      for (const auto& [name, profile] : profiles.items()) {
        std::vector<Cell> row{{(several() ? names_[i] + ": " : std::string()) + name}};
        for (const char* key : {"radius", "speed", "follow", "avoid"}) {
          const Json value = profile.is_object() ? profile.value(key, Json()) : Json();
          row.push_back({value.is_number()   ? fmt::format("{:g}", value.get<double>())
                         : value.is_string() ? value.get<std::string>()
                                             : ""});
        }
        table.rows.push_back(std::move(row));
      }
    }
    return table;
  }

  Section method() const {
    Section section{"method", "How it was measured", {}};
    const auto say = [&](std::string text) { section.blocks.emplace_back(Paragraph{std::move(text)}); };
    say("Figures, travel times, flows at lines and densities in measured areas were counted by the simulation itself, "
        "in full precision, step by "
        "step. Maps, ways, people present and the relation of speed and density come from the recorded positions "
        "(whole millimetres).");
    say(fmt::format(
        "Density in maps: every person is spread over the free ground within {:g} m that can be walked to, with a "
        "weight that falls "
        "evenly from the person to the edge of that circle; walls are not crossed, and every person counts as one. "
        "Speed is the distance "
        "walked since the sample before, in plan; people who have not set out or who have arrived are left out of it.",
        kernel_radius));
    say("Level of service after J. J. Fruin, Pedestrian Planning and Design (1971), for walkways and, on stairs, for "
        "stairs. The map takes the densest "
        "minute of each place, because the levels describe conditions that last; the table of time spent takes the "
        "density at the moment.");
    say("Weidmann: U. Weidmann, Transporttechnik der Fussg\u00e4nger (1993). Laboratory: 25 runs in wide corridors of "
        "the project HERMES. A model of a crowd "
        "belongs between the two. Flow through a line is counted between its first and its last crossing.");
    say("A simulation is a model. Its figures vary with the seed: compare several runs before you draw conclusions "
        "from one.");
    return section;
  }

  const std::vector<RecordedRun>& runs_;
  const ReportOptions& options_;
  std::vector<std::string> names_;
  std::vector<std::vector<Sheet>> sheets_;
  bool same_place_ = true;
  double begin_ = std::numeric_limits<double>::infinity(), end_ = -std::numeric_limits<double>::infinity();
  Document document_;
};

}  // namespace

Result<Document> make_report(const std::vector<RecordedRun>& runs, const ReportOptions& options) {
  return Reporter(runs, options).report();
}

}  // namespace throng::analysis
