// The parts of a report that show where: ways, density, levels of service, speed.
#include <algorithm>
#include <cmath>

#include "analysis/reference_curves.hpp"
#include "analysis/reporter.hpp"

namespace throng::analysis {

namespace {

/// Of all ways together.
constexpr std::size_t bytes_for_ways = 1'400'000;

}  // namespace

Result<Section> Reporter::ways() const {
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
    for (const auto& layer : run.environment.layers)
      if (!layer.regions.empty()) {
        description += " Types of ground have colours of their own.";
        break;
      }
    if (!run.lines.empty()) description += " Thick black lines are those where people are counted.";
    section.blocks.emplace_back(Figure{id("ways", i), title, description, figure.svg, !several()});
  }
  return section;
}

Problems Reporter::add_maps(Section& section, MapKind kind, const ColourScale& scale, const std::string& name,
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

double Reporter::highest(std::vector<float> LayerMaps::*map) const {
  double most = 0;
  for (const RecordedRun& run : runs_)
    for (const LayerMaps& layer : run.maps.layers)
      for (const float value : layer.*map)
        if (std::isfinite(value)) most = std::max(most, double(value));
  return most;
}

Result<Section> Reporter::density() const {
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
  section.blocks.emplace_back(tight_table());
  section.blocks.emplace_back(levels_plot());
  section.blocks.emplace_back(levels_table());
  return section;
}

Table Reporter::peaks() const {
  Table table{"Where and when it was densest", {"run", "persons / m\u00b2", "time (s)", "x (m)", "y (m)", "layer"}, {}};
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

Table Reporter::tight_table() const {
  constexpr std::size_t most_places = 5;
  Table table{fmt::format("Where it was tight: more than {:g} persons / m\u00b2", tight_density),
              {"run", "person-seconds", "from (s)", "until (s)", "highest (/m\u00b2)", "x (m)", "y (m)", "layer"},
              {}};
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    const std::vector<TightPlace> places = runs_[i].maps.tight.worst(most_places);
    for (const TightPlace& place : places)
      table.rows.push_back({{names_[i]},
                            number_cell(place.person_seconds, 0),
                            number_cell(place.from, 1),
                            number_cell(place.until, 1),
                            number_cell(place.highest, 2),
                            number_cell(place.at.x, 1),
                            number_cell(place.at.y, 1),
                            {runs_[i].meta.layers[place.layer]}});
    if (places.empty()) {
      table.rows.push_back({{names_[i]}, {"nowhere"}});
      table.rows.back().resize(table.head.size(), Cell{"\u2013"});
    }
  }
  return table;
}

std::vector<double> Reporter::level_parts(const RecordedRun& run) {
  std::vector<double> parts(run.maps.person_seconds.begin(), run.maps.person_seconds.end());
  double all = 0;
  for (const double s : parts) all += s;
  for (double& part : parts) part = all > 0 ? 100 * part / all : 0;
  return parts;
}

Figure Reporter::levels_plot() const {
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

Table Reporter::levels_table() const {
  Table table{"Time spent at each level of service", {"level", "on the level (/m\u00b2)", "on stairs (/m\u00b2)"}, {}};
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

Result<Section> Reporter::speed() const {
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

void Reporter::add_references(Plot& plot, bool as_flow) const {
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

Figure Reporter::speed_density_plot() const {
  Plot plot{.title = "Speed and density", .x_label = "density (persons / m\u00b2)", .y_label = "speed (m/s)"};
  std::vector<Series> curves;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    Series band{.name = several() ? "" : "10 to 90 % of squares", .mark = Mark::band, .colour = i};
    Series middle{.name = names_[i] + (several() ? "" : ", median"), .colour = i, .plain = i == 0};
    for (const SpeedAtDensity& s : runs_[i].speed_density) {
      band.points.push_back({s.density, s.low}), band.upper.push_back({s.density, s.high});
      middle.points.push_back({s.density, s.middle});
    }
    if (!several()) plot.series.push_back(std::move(band));
    curves.push_back(std::move(middle));
  }
  add_runs(plot, std::move(curves), {}, 0, false);
  add_references(plot, false);
  plot.x_from = 0;
  plot.description = "Median speed against density, beside Weidmann's curve and laboratory measurements.";
  return {"speed-density", "Speed and density.",
          "Squares of 2 x 2 m on level ground, wholly free, by the number of people in them; beside what was "
          "measured of real people.",
          draw_plot(plot), false};
}

Figure Reporter::flow_density_plot() const {
  Plot plot{.title = "Flow and density",
            .x_label = "density (persons / m\u00b2)",
            .y_label = "specific flow (persons / (m s))"};
  std::vector<Series> curves;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    Series series{.name = names_[i] + (several() ? "" : ", median"), .colour = i, .plain = i == 0};
    for (const SpeedAtDensity& s : runs_[i].speed_density) series.points.push_back({s.density, s.density * s.middle});
    curves.push_back(std::move(series));
  }
  add_runs(plot, std::move(curves), {}, 0, false);
  add_references(plot, true);
  plot.x_from = 0;
  plot.description = "Density times median speed, beside Weidmann's curve and laboratory measurements.";
  return {"flow-density", "Flow and density.", "Density times median speed of the same squares.", draw_plot(plot),
          false};
}

Table Reporter::speed_density_table() const {
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

}  // namespace throng::analysis
