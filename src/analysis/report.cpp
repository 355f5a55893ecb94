#include "analysis/report.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/reporter.hpp"
#include "analysis/spread.hpp"

namespace throng::analysis {

using Json = nlohmann::ordered_json;

namespace {

/// Of a curve.
constexpr std::size_t most_curve_points = 400;

std::string with_unit(const std::string& number, std::string_view unit) {
  return unit.empty() ? number : fmt::format("{} {}", number, unit);
}

/// A value as it is shown, and with all its digits.
Cell cell_of(const Json& value, const FigureOfRun& figure, std::string key) {
  if (value.is_null()) return {"\u2013", "null", std::move(key)};
  if (value.is_boolean()) return {value.get<bool>() ? "yes" : "no", value.dump(), std::move(key)};
  if (value.is_string()) return {value.get<std::string>(), value.get<std::string>(), std::move(key)};
  if (value.is_number_integer()) return {with_unit(value.dump(), figure.unit), value.dump(), std::move(key)};
  return {with_unit(fmt::format("{:.{}f}", value.get<double>(), figure.decimals), figure.unit), value.dump(),
          std::move(key)};
}

}  // namespace

Cell number_cell(double value, int decimals, std::string key) {
  return {fmt::format("{:.{}f}", value, decimals), Json(value).dump(), std::move(key)};
}

std::string seconds(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} s", *value) : std::string("\u2013");
}

std::optional<double> quantile(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return std::nullopt;
  const auto rank = std::size_t(std::max(1.0, std::ceil(part * double(sorted.size()))));
  return sorted[rank - 1];
}

std::vector<Vec2> thinned(const std::vector<Vec2>& points) {
  if (points.size() <= most_curve_points) return points;
  std::vector<Vec2> result;
  for (std::size_t i = 0; i < most_curve_points; ++i)
    result.push_back(points[i * (points.size() - 1) / (most_curve_points - 1)]);
  return result;
}

Reporter::Reporter(const std::vector<RecordedRun>& runs, const ReportOptions& options)
    : runs_(runs), options_(options) {
  for (const RecordedRun& run : runs) {
    sheets_.push_back(sheets_of(run.environment, run.maps));
    for (const RecordedRun& other : runs)
      same_place_ = same_place_ && run.environment.hash() == other.environment.hash();
    begin_ = std::min(begin_, run.begin);
    end_ = std::max(end_, run.end);
  }
  name_runs();
}

Result<Document> Reporter::report() && {
  head();
  document_.sections.push_back(summary());
  for (auto part : {&Reporter::exits, &Reporter::changes})
    if (Section section = (this->*part)(); !section.blocks.empty()) document_.sections.push_back(std::move(section));
  for (auto part : {&Reporter::ways, &Reporter::density, &Reporter::speed}) {
    Result<Section> section = (this->*part)();
    if (!section) return section.problems();
    document_.sections.push_back(std::move(section).value());
  }
  for (auto part : {&Reporter::times, &Reporter::groups, &Reporter::flows, &Reporter::areas, &Reporter::settings,
                    &Reporter::validity, &Reporter::method}) {
    Section section = (this->*part)();
    if (!section.blocks.empty()) document_.sections.push_back(std::move(section));
  }
  return std::move(document_);
}

void Reporter::name_runs() {
  for (const RecordedRun& run : runs_) names_.push_back(run.name);
  const auto distinct = [&] { return std::set<std::string>(names_.begin(), names_.end()).size() == names_.size(); };
  if (!distinct())
    for (std::size_t i = 0; i < runs_.size(); ++i)
      names_[i] = fmt::format("{}, seed {}", runs_[i].name, runs_[i].meta.seed);
  if (!distinct())
    for (std::size_t i = 0; i < runs_.size(); ++i) names_[i] = fmt::format("{} ({})", runs_[i].name, i + 1);
}

void Reporter::head() {
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

void Reporter::warn() {
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

void Reporter::highlight() {
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

double Reporter::crowded_part(const RecordedRun& run) {
  double all = 0;
  for (const double s : run.maps.person_seconds) all += s;
  return all > 0 ? (run.maps.person_seconds[4] + run.maps.person_seconds[5]) / all : 0;
}

Section Reporter::summary() const {
  Section section{"summary", several() ? "The runs beside each other" : "Figures", {}};
  const bool spread = runs_.size() >= 3;
  Table people = figure_table("People", spread), run = figure_table("The run itself", spread);
  for (const FigureOfRun& figure : figures()) add_figure(figure.of_people ? people : run, figure, spread);
  for (const std::string& key : other_figures())
    add_figure(run, {.key = key, .label = key, .decimals = 3, .of_people = false, .comparable = false}, spread);
  section.blocks.emplace_back(std::move(people));
  section.blocks.emplace_back(std::move(run));
  if (Table ground = ground_table(); !ground.rows.empty()) section.blocks.emplace_back(std::move(ground));
  return section;
}

Table Reporter::figure_table(std::string caption, bool spread) const {
  Table table{std::move(caption), {"figure"}, {}};
  for (const std::string& name : names_) table.head.push_back(several() ? name : "value");
  if (spread) table.head.insert(table.head.end(), {"mean", "deviation"});
  return table;
}

/// Metres and seconds by population and type of ground, a column a run.
Table Reporter::ground_table() const {
  std::map<std::string, std::vector<Cell>> rows;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!runs_[i].figures.contains("ground") || !runs_[i].figures["ground"].is_object()) continue;
    for (const auto& [population, types] : runs_[i].figures["ground"].items()) {
      if (!types.is_object()) continue;
      for (const auto& [type, walk] : types.items()) {
        if (!walk.is_object() || !walk.contains("metres") || !walk["metres"].is_number() || !walk.contains("seconds") ||
            !walk["seconds"].is_number())
          continue;
        std::vector<Cell>& row = rows[population + " on " + type];
        row.resize(runs_.size(), Cell{"\u2013"});
        row[i] = {fmt::format("{:.1f} m, {:.1f} s", walk["metres"].get<double>(), walk["seconds"].get<double>())};
      }
    }
  }
  Table table = figure_table("Metres and seconds by ground", false);
  for (auto& [label, cells] : rows) {
    std::vector<Cell> row{{label}};
    row.insert(row.end(), cells.begin(), cells.end());
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::set<std::string> Reporter::other_figures() const {
  std::set<std::string> keys;
  for (const RecordedRun& run : runs_)
    for (const auto& [key, value] : run.figures.items())
      if (value.is_primitive()) keys.insert(key);
  for (const FigureOfRun& figure : figures()) keys.erase(std::string(figure.key));
  return keys;
}

void Reporter::add_figure(Table& table, const FigureOfRun& figure, bool spread) const {
  const std::string key(figure.key);
  if (std::none_of(runs_.begin(), runs_.end(), [&](const RecordedRun& run) { return run.figures.contains(key); }) ||
      key == "ground")  // a table of its own
    return;
  std::vector<Cell> row{{std::string(figure.label)}};
  Spread values;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    if (!runs_[i].figures.contains(key)) {
      row.push_back({"not known"});
      continue;
    }
    row.push_back(cell_of(runs_[i].figures[key], figure, fmt::format("run-{}.{}", i + 1, key)));
    // A mean of those who arrived, where nobody did.
    if (key.starts_with("mean_") && runs_[i].figure("arrived") == 0.0) row.back().text = "\u2013";
    // What was cut short says nothing about the whole.
    if (!runs_[i].finished || runs_[i].stopped) continue;
    if (const std::optional<double> value = runs_[i].figure(key)) values.values.push_back(*value);
  }
  if (spread) {
    const bool says_something = figure.comparable && values.values.size() >= 2;
    const int decimals = std::max(figure.decimals, 1);
    row.push_back(says_something ? number_cell(values.mean(), decimals) : Cell{""});
    row.push_back(says_something ? number_cell(values.deviation(), decimals) : Cell{""});
  }
  table.rows.push_back(std::move(row));
}

Section Reporter::settings() const {
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
  add("recorded",
      [](const RecordedRun& run) { return fmt::format("{} frames, every {:g} s", run.frames, run.meta.frame_time()); });
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

Table Reporter::profile_table() const {
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

Section Reporter::method() const {
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

Result<Document> make_report(const std::vector<RecordedRun>& runs, const ReportOptions& options) {
  return Reporter(runs, options).report();
}

}  // namespace throng::analysis
