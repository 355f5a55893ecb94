// How a report is written: its parts, each in the file its figures are of. Only report*.cpp use this.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analysis/figures.hpp"
#include "analysis/map_figure.hpp"
#include "analysis/report.hpp"
#include "drawing/plot.hpp"

namespace throng::analysis {

[[nodiscard]] Cell number_cell(double value, int decimals, std::string key = {});
[[nodiscard]] std::string seconds(const std::optional<double>& value);
/// The value below which a part of sorted values lies (nearest rank).
[[nodiscard]] std::optional<double> quantile(const std::vector<double>& sorted, double part);
/// How many of sorted values lie up to each, times a factor; from a first value on until a last one.
[[nodiscard]] std::vector<Vec2> cumulative(const std::vector<double>& sorted, double from, double factor, double until);
/// Fewer points of a curve, ends included.
[[nodiscard]] std::vector<Vec2> thinned(const std::vector<Vec2>& points);

class Reporter {
 public:
  Reporter(const std::vector<RecordedRun>& runs, const ReportOptions& options);
  Result<Document> report() &&;

 private:
  [[nodiscard]] bool several() const { return runs_.size() > 1; }
  /// "" for one run, " in NAME" for one of several.
  [[nodiscard]] std::string in_run(std::size_t i) const { return several() ? " in " + names_[i] : std::string(); }
  /// Maps of several runs stand side by side.
  [[nodiscard]] double map_width() const { return several() ? 540 : 1000; }
  [[nodiscard]] static std::string id(const std::string& what, std::size_t run) {
    return fmt::format("{}-{}", what, run + 1);
  }

  // report.cpp
  /// File names where they differ, else with the seed, else with a number.
  void name_runs();
  void head();
  void warn();
  void highlight();
  [[nodiscard]] static double crowded_part(const RecordedRun& run);
  Section summary() const;
  [[nodiscard]] Table figure_table(std::string caption, bool spread) const;
  /// Figures of a newer program, which this one does not know by name.
  [[nodiscard]] Table ground_table() const;
  [[nodiscard]] std::set<std::string> other_figures() const;
  void add_figure(Table& table, const FigureOfRun& figure, bool spread) const;

  // report_maps.cpp
  Result<Section> ways() const;
  /// One map of every run, all in one colour scale.
  Problems add_maps(Section& section, MapKind kind, const ColourScale& scale, const std::string& name,
                    const std::string& title, const std::string& description) const;
  /// The highest value of a map over all runs.
  [[nodiscard]] double highest(std::vector<float> LayerMaps::*map) const;
  Result<Section> density() const;
  [[nodiscard]] Table peaks() const;
  [[nodiscard]] Table tight_table() const;
  [[nodiscard]] static std::vector<double> level_parts(const RecordedRun& run);
  [[nodiscard]] Figure levels_plot() const;
  [[nodiscard]] Table levels_table() const;
  Result<Section> speed() const;
  /// Reference curves take the last colours, runs the first.
  void add_references(Plot& plot, bool as_flow) const;
  [[nodiscard]] Figure speed_density_plot() const;
  [[nodiscard]] Figure flow_density_plot() const;
  [[nodiscard]] Table speed_density_table() const;

  // report_groups.cpp
  Section groups() const;
  [[nodiscard]] Table groups_table() const;
  /// How often, by size of groups or by run.
  [[nodiscard]] Figure group_histogram(bool of_angles) const;

  // report_exits.cpp
  Section exits() const;
  /// How many had left by each exit by when.
  void add_exit_curves(Section& section) const;
  void add_exit_bands(Section& section) const;
  /// Where and why people took another way.
  Section changes() const;
  Section validity() const;

  // report_bands.cpp
  /// Whether the runs differ by their seed alone, three of them or more: bands say more than lines.
  [[nodiscard]] bool are_seeds() const;
  /// The same curve of several runs: a line each, or of seeds the lowest, the highest and the median. `holds`: a curve keeps its last value.
  void add_runs(Plot& plot, std::vector<Series> runs, const std::string& name = {}, std::size_t colour = 0,
                bool holds = true) const;

  // report_curves.cpp
  Section times() const;
  [[nodiscard]] Plot time_plot(std::string title, std::string y_label) const;
  [[nodiscard]] Figure arrivals_plot() const;
  [[nodiscard]] Figure presence_plot() const;
  [[nodiscard]] Figure travel_plot() const;
  [[nodiscard]] Figure histogram() const;
  [[nodiscard]] Figure evacuation_plot() const;
  [[nodiscard]] Table evacuation_table() const;
  [[nodiscard]] Table travel_table() const;
  Section flows() const;
  [[nodiscard]] static const LineResult* line_of(const RecordedRun& run, const std::string& name);
  [[nodiscard]] static std::vector<double> crossing_times(const LineResult& line, int direction);
  void add_flow_figures(Section& section, const std::string& name, std::size_t number) const;
  [[nodiscard]] Table flow_table() const;
  Section areas() const;
  /// One area in several runs, or several areas in one.
  [[nodiscard]] Figure area_plot(const std::vector<std::string>& names, std::size_t number) const;
  [[nodiscard]] Table area_table() const;

  // report.cpp
  Section settings() const;
  [[nodiscard]] Table profile_table() const;
  Section method() const;

  const std::vector<RecordedRun>& runs_;
  const ReportOptions& options_;
  std::vector<std::string> names_;
  std::vector<std::vector<Sheet>> sheets_;
  bool same_place_ = true;
  double begin_ = std::numeric_limits<double>::infinity(), end_ = -std::numeric_limits<double>::infinity();
  Document document_;
};

}  // namespace throng::analysis
