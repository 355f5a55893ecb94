// throng check: reads, cleans and verifies files, and says all that is wrong with them at once.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cli/command.hpp"
#include "cli/import_arguments.hpp"
#include "cli/load_environment.hpp"
#include "cli/report.hpp"
#include "environment/clean/verify_clean.hpp"
#include "scenario/check_scenario.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "text/files.hpp"

namespace throng::cli {
namespace {

/// What is told of a file; the environment itself is let go before the next one is read.
struct Summary {
  std::string format;
  std::size_t layers = 0, features = 0, vertices = 0, clean_vertices = 0, connections = 0;
  double area = 0, unit = 0;
  std::uint64_t hash = 0;
  /// Scenarios: what else there is beside their environment, above.
  struct People {
    std::size_t populations = 0, people = 0, sources = 0;
  };
  std::optional<People> scenario;
};

struct Checked {
  std::string file;
  Problems problems;
  std::optional<Summary> summary;  ///< none: refused
};

Summary summary_of(std::string format, const environment::Environment& source,
                   const environment::CleanEnvironment& clean) {
  return {.format = std::move(format),
          .layers = clean.layers.size(),
          .features = source.features.size(),
          .vertices = vertex_count(source),
          .clean_vertices = clean.vertex_count(),
          .connections = clean.connections.size(),
          .area = free_area(clean),
          .unit = clean.grid.unit(),
          .hash = clean.hash(),
          .scenario = {}};
}

Checked check_environment(const std::string& file, const LoadOptions& options) {
  const Result<LoadedEnvironment> result = load_environment(file, options);
  Checked checked{file, result.problems(), std::nullopt};
  if (result) checked.summary = summary_of(result->format, result->source, result->clean);
  return checked;
}

void append(Problems& to, const Problems& from) { to.insert(to.end(), from.begin(), from.end()); }

Checked check_scenario(const std::string& file) {
  const Result<scenario::Scenario> scenario = scenario::read_scenario(file, scenario::installed_methods());
  Checked checked{file, scenario.problems(), std::nullopt};
  if (!scenario) return checked;
  const Result<crowd::WorldPtr> world = scenario::make_world(*scenario);
  append(checked.problems, world.problems());
  if (!world) return checked;
  for (Problem fault : environment::verify_clean((*world)->environment)) {
    fault.code = ProblemCode::internal;
    checked.problems.push_back(std::move(fault));
  }
  const scenario::ScenarioCheck result = scenario::check_scenario(*scenario, **world);
  append(checked.problems, result.problems);
  if (has_errors(checked.problems)) return checked;
  checked.summary = summary_of("scenario", scenario->environment, (*world)->environment);
  const auto sources = std::count_if(scenario->populations.begin(), scenario->populations.end(),
                                     [](const auto& p) { return std::holds_alternative<scenario::Rate>(p.who); });
  checked.summary->scenario = {scenario->populations.size(), result.people, std::size_t(sources)};
  return checked;
}

/// By its content where the ending leaves a choice.
bool is_scenario(const std::string& file, const LoadOptions& options) {
  if (!options.format.empty()) return options.format == "scenario";
  if (!file.ends_with(".json")) return false;
  const Result<std::string> text = environment::read_file(file);
  return text && scenario::looks_like_scenario(*text);
}

Checked check(const std::string& file, const LoadOptions& options) {
  return is_scenario(file, options) ? check_scenario(file) : check_environment(file, options);
}

Json to_json(const Checked& checked) {
  Json object = {{"file", checked.file}, {"valid", checked.summary.has_value()}};
  if (const auto& summary = checked.summary) {
    object["format"] = summary->format;
    object["layers"] = summary->layers;
    object["features"] = summary->features;
    object["vertices"] = summary->vertices;
    object["clean_vertices"] = summary->clean_vertices;
    object["connections"] = summary->connections;
    object["area"] = summary->area;
    object["unit"] = summary->unit;
    object["hash"] = fmt::format("{:016x}", summary->hash);
    if (const auto& scenario = summary->scenario) {
      object["populations"] = scenario->populations;
      object["people"] = scenario->people;
      object["sources"] = scenario->sources;
    }
  }
  object["problems"] = cli::to_json(checked.problems);
  return object;
}

std::vector<std::string> to_row(const Checked& checked) {
  const auto count = [&](Severity severity) {
    return std::to_string(std::count_if(checked.problems.begin(), checked.problems.end(),
                                        [&](const Problem& problem) { return problem.severity == severity; }));
  };
  std::vector<std::string> row = {checked.file};
  if (const auto& summary = checked.summary)
    row.insert(row.end(), {std::to_string(summary->layers), grouped(summary->features), grouped(summary->vertices),
                           grouped(summary->clean_vertices), fmt::format("{:.1f}", summary->area),
                           fmt::format("{:g}", summary->unit),
                           summary->scenario ? grouped(summary->scenario->people) : std::string("-")});
  else
    row.insert(row.end(), 7, "-");
  row.insert(row.end(), {count(Severity::error), count(Severity::warning), checked.summary ? "verified" : "refused"});
  return row;
}

void print_result(const std::vector<Checked>& all, bool json) {
  const bool valid =
      std::all_of(all.begin(), all.end(), [](const Checked& checked) { return checked.summary.has_value(); });
  if (json) {
    Json files = Json::array();
    for (const Checked& checked : all) files.push_back(to_json(checked));
    return print_json({{"valid", valid}, {"files", std::move(files)}});
  }
  std::vector<std::vector<std::string>> rows = {{"file", "layers", "features", "vertices", "cleaned", "area m2",
                                                 "unit m", "people", "errors", "warnings", "result"}};
  for (const Checked& checked : all) rows.push_back(to_row(checked));
  fmt::print("{}", table(rows));
}

std::vector<std::string> with_scenario(std::vector<std::string> formats) {
  formats.emplace_back("scenario");
  return formats;
}

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng check: {}\n", what);
  return ExitCode::misuse;
}

ExitCode run(const Parsed& parsed) {
  const std::optional<double> unit = parsed.number("grid");
  const std::string format = parsed.text("input-format");
  const std::vector<std::string>& files = parsed.list("FILE");
  if (unit && *unit <= 0) return misuse("--grid wants a length above 0");
  if (unit && std::all_of(files.begin(), files.end(), [&](const std::string& file) {
        return is_scenario(file, {format, 0, {}});
      }))
    return misuse("--grid is for environments; a scenario is checked on the grid that it runs on");
  const Result<environment::ImportOptions> import = import_options(parsed, files);
  Problems wrong = import.problems();
  if (import && parsed.given("open-ends") && files.size() > 1)
    wrong.push_back({Severity::error, ProblemCode::value, "", "--open-ends draws one file"});
  else if (import)
    wrong = draw_open_ends(parsed, files[0], format, *import);
  if (!wrong.empty()) {
    print_problems(wrong);
    return ExitCode::misuse;
  }
  std::vector<Checked> all;
  ExitCode code = ExitCode::done;
  for (const std::string& file : files) {
    all.push_back(check(file, {format, unit.value_or(0), *import}));
    const Checked& checked = all.back();
    print_problems(checked.problems);
    if (!checked.summary && code != ExitCode::fault)
      code = has_fault(checked.problems) ? ExitCode::fault : ExitCode::refused;
  }
  print_result(all, parsed.json());
  return code;
}

const Registration registration({
    .name = "check",
    .summary = "validates environments and scenarios: everything wrong at once, with its place",
    .use = Use::start,
    .arguments = with_drawn_import_arguments(
        Arguments()
            .positional("FILE",
                        "environments: .geojson, .json, .wkt, .map, .poly, .dxf, .obj, .gltf, .glb, .osm, .pbf; "
                        "scenarios: .json; "
                        "- is standard "
                        "input",
                        Count::one_or_more)
            .option("--grid", "UNIT", "snap unit in metres, instead of the recorded or default one", Type::number)
            .choice("--input-format", "F", "read as this, whatever the ending", with_scenario(input_formats()))
            .renamed("--from", "--input-format")),
    .run = run,
    .details =
        "Each file is read, cleaned on the snap grid and verified with exact arithmetic. Of a scenario, everybody is\n"
        "placed as at the start of a run, and routes are planned to the goals; the table tells of its environment and\n"
        "how many people are there at the start. Problems go to standard error, the table to standard output.",
});

}  // namespace
}  // namespace throng::cli
