// throng check: reads, cleans and verifies files, and says all that is wrong with them at once.
#include <fmt/format.h>

#include <algorithm>

#include "cli/command.hpp"
#include "cli/load_environment.hpp"
#include "cli/report.hpp"

namespace throng::cli {
namespace {

struct Checked {
  std::string file;
  Result<LoadedEnvironment> result;
};

Json to_json(const Checked& checked) {
  Json object = {{"file", checked.file}, {"valid", checked.result.ok()}};
  if (checked.result) {
    const LoadedEnvironment& loaded = *checked.result;
    object["format"] = loaded.format;
    object["layers"] = loaded.clean.layers.size();
    object["features"] = loaded.source.features.size();
    object["vertices"] = vertex_count(loaded.source);
    object["clean_vertices"] = loaded.clean.vertex_count();
    object["connections"] = loaded.clean.connections.size();
    object["area"] = free_area(loaded.clean);
    object["unit"] = loaded.clean.grid.unit();
    object["hash"] = fmt::format("{:016x}", loaded.clean.hash());
  }
  object["problems"] = cli::to_json(checked.result.problems());
  return object;
}

std::vector<std::string> to_row(const Checked& checked) {
  const Problems& problems = checked.result.problems();
  const auto warnings = std::count_if(problems.begin(), problems.end(),
                                      [](const Problem& problem) { return problem.severity == Severity::warning; });
  std::vector<std::string> row = {checked.file};
  if (checked.result) {
    const LoadedEnvironment& loaded = *checked.result;
    row.insert(row.end(), {std::to_string(loaded.clean.layers.size()), grouped(loaded.source.features.size()),
                           grouped(vertex_count(loaded.source)), grouped(loaded.clean.vertex_count()),
                           fmt::format("{:.1f}", free_area(loaded.clean)), fmt::format("{:g}", loaded.clean.grid.unit())});
  } else {
    row.insert(row.end(), 6, "-");
  }
  const auto errors = std::ptrdiff_t(problems.size()) - warnings;
  row.insert(row.end(), {std::to_string(errors), std::to_string(warnings), checked.result ? "verified" : "refused"});
  return row;
}

void print_result(const std::vector<Checked>& all, bool json) {
  const bool valid = std::all_of(all.begin(), all.end(), [](const Checked& checked) { return checked.result.ok(); });
  if (json) {
    Json files = Json::array();
    for (const Checked& checked : all) files.push_back(to_json(checked));
    return print_json({{"valid", valid}, {"files", std::move(files)}});
  }
  std::vector<std::vector<std::string>> rows = {{"file", "layers", "features", "vertices", "cleaned", "area m2", "unit m",
                                                 "errors", "warnings", "result"}};
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
    Checked checked{file, load_environment(file, {parsed.text("from"), unit.value_or(0)})};
    print_problems(checked.result.problems());
    if (!checked.result && code != ExitCode::fault)
      code = has_fault(checked.result.problems()) ? ExitCode::fault : ExitCode::refused;
    all.push_back(std::move(checked));
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
                     .option("--grid", "UNIT", "snap unit in metres, instead of the recorded or default one", Type::number)
                     .option("--from", "FORMAT", "read as geojson, wkt, map or poly, whatever the ending"),
    .run = run,
    .details = "Each file is read, cleaned on the snap grid and verified with exact arithmetic. Problems go to standard\n"
               "error, the table to standard output. Scenarios cannot be checked yet.",
});

}  // namespace
}  // namespace throng::cli
