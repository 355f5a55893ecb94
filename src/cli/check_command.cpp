// throng check: reads, cleans and verifies files, and says all that is wrong with them at once.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "cli/command.hpp"
#include "cli/load_environment.hpp"
#include "cli/report.hpp"

namespace throng::cli {
namespace {

/// What is told of a file; the environment itself is let go before the next one is read.
struct Summary {
  std::string format;
  std::size_t layers = 0, features = 0, vertices = 0, clean_vertices = 0, connections = 0;
  double area = 0, unit = 0;
  std::uint64_t hash = 0;
};

struct Checked {
  std::string file;
  Problems problems;
  std::optional<Summary> summary;  ///< none: refused
};

Checked check(const std::string& file, const LoadOptions& options) {
  const Result<LoadedEnvironment> result = load_environment(file, options);
  Checked checked{file, result.problems(), std::nullopt};
  if (!result) return checked;
  const environment::CleanEnvironment& clean = result->clean;
  checked.summary = Summary{.format = result->format,
                            .layers = clean.layers.size(),
                            .features = result->source.features.size(),
                            .vertices = vertex_count(result->source),
                            .clean_vertices = clean.vertex_count(),
                            .connections = clean.connections.size(),
                            .area = free_area(clean),
                            .unit = clean.grid.unit(),
                            .hash = clean.hash()};
  return checked;
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
                           fmt::format("{:g}", summary->unit)});
  else
    row.insert(row.end(), 6, "-");
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
  std::vector<std::vector<std::string>> rows = {
      {"file", "layers", "features", "vertices", "cleaned", "area m2", "unit m", "errors", "warnings", "result"}};
  for (const Checked& checked : all) rows.push_back(to_row(checked));
  fmt::print("{}", table(rows));
}

ExitCode run(const Parsed& parsed) {
  const std::optional<double> unit = parsed.number("grid");
  if (unit && *unit <= 0) {
    fmt::print(stderr, "--grid wants a length above 0\n");
    return ExitCode::misuse;
  }
  std::vector<Checked> all;
  ExitCode code = ExitCode::done;
  for (const std::string& file : parsed.list("FILE")) {
    all.push_back(check(file, {parsed.text("from"), unit.value_or(0)}));
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
    .summary = "validates environments: everything wrong at once, with its place",
    .arguments = Arguments()
                     .positional("FILE", "environments: .geojson, .json, .wkt, .map, .poly; - is standard input",
                                 Count::one_or_more)
                     .option("--grid", "UNIT", "snap unit in metres, instead of the recorded or default one",
                             Type::number)
                     .option("--from", "FORMAT", "read as geojson, wkt, map or poly, whatever the ending"),
    .run = run,
    .details =
        "Each file is read, cleaned on the snap grid and verified with exact arithmetic. Problems go to standard\n"
        "error, the table to standard output. Scenarios cannot be checked yet.",
});

}  // namespace
}  // namespace throng::cli
