// `throng experiment NAME`: runs a registered experiment (experiment.hpp).
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <thread>

#include "cli/experiment.hpp"
#include "cli/load_mesh.hpp"
#include "text/csv.hpp"
#include "text/nearest_name.hpp"
#include "text/output_file.hpp"

namespace throng::cli {

namespace {

std::map<std::string, Experiment>& registry() {
  static std::map<std::string, Experiment> all;
  return all;
}

std::string text_of(const Json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "";
  if (value.is_number_float()) return fmt::format("{:.3f}", value.get<double>());
  return value.dump();
}

/// As spreadsheets read it: quoted where it must be.
std::string csv_field(const Json& value) {
  if (value.is_null()) return {};
  if (!value.is_string()) return value.dump();
  return environment::csv_field(value.get<std::string>());
}

}  // namespace

ExperimentRegistration::ExperimentRegistration(Experiment experiment) {
  registry().emplace(experiment.name, std::move(experiment));
}

const std::map<std::string, Experiment>& experiments() { return registry(); }

void ExperimentTable::print(bool json) const {
  if (json) {
    for (const auto& row : rows_) {
      Json object;
      for (std::size_t i = 0; i < columns_.size(); ++i) object[columns_[i]] = row[i];
      print_json(object);
    }
    return;
  }
  std::vector<std::vector<std::string>> rows{columns_};
  for (const auto& row : rows_) {
    std::vector<std::string>& line = rows.emplace_back();
    for (const Json& value : row) line.push_back(text_of(value));
  }
  fmt::print("{}", table(rows));
}

std::optional<std::size_t> ExperimentTable::place_of(std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  return found == columns_.end() ? std::nullopt : std::optional(std::size_t(found - columns_.begin()));
}

void ExperimentTable::print(bool json, std::string_view experiment, const FigureColumns& columns) const {
  if (!json) return print(false);
  for (const auto& row : rows_) print_figures(experiment, columns, row);
}

void ExperimentTable::print_figures(std::string_view experiment, const FigureColumns& columns,
                                    const std::vector<Json>& row) const {
  std::vector<bool> is_measure(columns_.size(), true);
  const auto take = [&](std::string_view column) -> const Json& {
    static const Json nothing;
    const std::optional<std::size_t> place = place_of(column);
    if (!place) return nothing;
    is_measure[*place] = false;
    return row[*place];
  };
  const auto joined = [&](const std::vector<std::string_view>& names) {
    std::string text;
    for (const std::string_view name : names)
      if (const std::string word = text_of(take(name)); !word.empty()) text += (text.empty() ? "" : " ") + word;
    return text;
  };
  Json figure;
  figure["experiment"] = experiment;
  figure["scene"] = joined(columns.scene);
  figure["method"] = joined(columns.method);
  figure["variant"] = joined(columns.variant);
  figure["measure"] = figure["value"] = figure["deviation"] = nullptr;
  figure["runs"] = columns.runs.empty() ? Json(1) : take(columns.runs);
  for (const auto& [measure, beside] : columns.published) take(beside);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!is_measure[i]) continue;
    figure["measure"] = columns_[i];
    figure["value"] = row[i];
    figure["published"] = nullptr;
    for (const auto& [measure, beside] : columns.published)
      if (measure == columns_[i]) figure["published"] = take(beside);
    print_json(figure);
  }
}

std::string ExperimentTable::csv() const {
  std::string text;
  for (std::size_t i = 0; i < columns_.size(); ++i) text += (i > 0 ? "," : "") + columns_[i];
  text += '\n';
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) text += (i > 0 ? "," : "") + csv_field(row[i]);
    text += '\n';
  }
  return text;
}

Problems ExperimentFigures::finish(const ExperimentOptions& options) const {
  ExperimentTable table(
      {"experiment", "scene", "method", "variant", "measure", "value", "deviation", "runs", "published"});
  const auto number = [](std::optional<double> value) { return value ? Json(*value) : Json(nullptr); };
  for (const Figure& f : figures_)
    table.add({experiment_, f.scene, f.method, f.variant, f.measure, f.value, number(f.deviation), f.runs,
               number(f.published)});
  table.print(options.json);
  return write_into(options, experiment_ + ".csv", table.csv());
}

Problems write_into(const ExperimentOptions& options, const std::string& name, const std::string& content) {
  if (options.folder.empty()) return {};
  return environment::replace_file((std::filesystem::path(options.folder) / name).string(), content);
}

struct TrialProgress::State {
  std::mutex mutex;
  std::size_t count = 0, finished = 0;
  bool shown = false;
};

TrialProgress::TrialProgress(std::size_t count) : state_(std::make_unique<State>()) {
  state_->count = count;
  state_->shown = isatty(STDERR_FILENO) != 0;
}

TrialProgress::~TrialProgress() {
  if (state_->shown) fmt::print(stderr, "\r{:78}\r", "");
}

void TrialProgress::done(const std::string& what) {
  const std::lock_guard lock(state_->mutex);
  ++state_->finished;
  if (!state_->shown) return;
  fmt::print(stderr, "\r{:78}\r{} of {}: {}", "", state_->finished, state_->count, what.substr(0, 60));
  std::fflush(stderr);
}

namespace {

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng experiment: {}\n", what);
  return ExitCode::misuse;
}

std::string misuse_of(const Parsed& parsed) {
  if (!parsed.given("NAME")) return "which experiment? `throng experiment --list` names them";
  if (!experiments().contains(parsed.text("NAME"))) {
    std::vector<std::string_view> names;
    for (const auto& [name, experiment] : experiments()) names.emplace_back(name);
    return fmt::format("there is no experiment {}; `throng experiment --list` explains them",
                       environment::suggest(parsed.text("NAME"), names));
  }
  const std::vector<std::string_view>& takes = experiments().at(parsed.text("NAME")).takes;
  for (const std::string_view option : {"only", "runs", "tiles", "stream", "avoid"})
    if (parsed.given(std::string(option)) && std::ranges::find(takes, option) == takes.end())
      return fmt::format("the experiment '{}' takes no --{}", parsed.text("NAME"), option);
  if (const auto seed = parsed.whole_number("seed"); seed && *seed < 0) return "--seed wants a number from 0 on";
  if (const auto runs = parsed.whole_number("runs"); runs && (*runs < 1 || *runs > 1'000'000))
    return "--runs wants 1 to 1000000";
  if (const auto tiles = parsed.whole_number("tiles"); tiles && (*tiles < 1 || *tiles > 64))
    return "--tiles wants 1 to 64";
  if (const auto threads = parsed.whole_number("threads"); threads && (*threads < 1 || *threads > 1024))
    return "--threads wants 1 to 1024";
  return {};
}

ExitCode run(const Parsed& parsed) {
  if (parsed.flag("list")) {
    ExperimentTable list({"name", "description"});
    for (const auto& [name, experiment] : experiments()) list.add({name, experiment.description});
    list.print(parsed.json());
    return ExitCode::done;
  }
  if (const std::string what = misuse_of(parsed); !what.empty()) return misuse(what);
  ExperimentOptions options;
  options.quick = parsed.flag("quick");
  options.json = parsed.json();
  options.folder = parsed.text("output");
  options.seed = std::uint64_t(parsed.whole_number("seed").value_or(1));
  options.runs = std::uint64_t(parsed.whole_number("runs").value_or(0));
  options.only = parsed.text("only");
  options.stream = parsed.text("stream");
  options.avoid = parsed.text("avoid");
  options.tiles = unsigned(parsed.whole_number("tiles").value_or(16));
  options.threads =
      unsigned(parsed.whole_number("threads").value_or(std::max(1u, std::thread::hardware_concurrency())));
  if (!options.folder.empty()) {
    std::error_code failure;
    std::filesystem::create_directories(options.folder, failure);
    if (failure || !std::filesystem::is_directory(options.folder))
      return refused({{Severity::error, ProblemCode::io, options.folder, "is no folder and cannot be made one"}});
  }
  return experiments().at(parsed.text("NAME")).run(options);
}

const Registration registration({
    .name = "experiment",
    .summary = "runs a published experiment or a comparison of methods",
    .use = Use::research,
    .arguments = Arguments()
                     .positional("NAME", "the experiment", Count::optional)
                     .flag("--list", "name the experiments there are")
                     .flag("--quick", "few people, short: shows that it works")
                     .option("--only", "SCENE", "of experiments with several scenes: this one alone")
                     .option("--stream", "METHOD", "of pairs: every case with this method for streams, too")
                     .option("--avoid", "METHOD", "of streams: with this avoidance method alone")
                     .option("--tiles", "N", "of weighted-large: tiles a side; 16 without it", Type::whole_number)
                     .option("-o,--output", "FOLDER", "tables as CSV and pictures go here")
                     .option("--seed", "N", "of the first run; 1 without it", Type::whole_number)
                     .option("--runs", "N", "runs of each case, with the following seeds", Type::whole_number)
                     .option("--threads", "N", "cases at the same time; all the machine has without it",
                             Type::whole_number),
    .run = run,
    .details = "docs/experiments.md describes each. All figures but wall times depend on the seed only.",
});

}  // namespace
}  // namespace throng::cli
