#include "cli/load_environment.hpp"

#include <algorithm>
#include <utility>

#include "environment/clean/verify_clean.hpp"
#include "environment/formats/formats.hpp"

namespace throng::cli {

namespace {

void append(Problems& to, const Problems& from) { to.insert(to.end(), from.begin(), from.end()); }

}  // namespace

Result<LoadedEnvironment> load_environment(const std::string& path, const LoadOptions& options) {
  Result<environment::Environment> source = environment::read_environment(path, {options.format, options.import});
  if (!source) return source.problems();
  Problems problems = source.problems();
  Result<environment::CleanEnvironment> clean = environment::clean(*source, {.unit = options.unit});
  append(problems, clean.problems());
  if (!clean) return problems;
  for (Problem fault : environment::verify_clean(*clean)) {
    fault.code = ProblemCode::internal;
    fault.place = fault.place.empty() ? path : path + ": " + fault.place;
    fault.message = "cleaning went wrong, please report this file: " + fault.message;
    problems.push_back(std::move(fault));
  }
  if (has_errors(problems)) return problems;
  LoadedEnvironment loaded;
  loaded.format = options.format.empty() ? std::string((*environment::format_of_path(path))->name) : options.format;
  loaded.source = std::move(source).value();
  loaded.clean = std::move(clean).value();
  return {std::move(loaded), std::move(problems)};
}

std::size_t vertex_count(const environment::Environment& environment) {
  std::size_t count = 0;
  for (const environment::Feature& feature : environment.features) {
    for (const environment::Polygon& polygon : feature.polygons) {
      count += polygon.outer.size();
      for (const environment::Ring& hole : polygon.holes) count += hole.size();
    }
    for (const environment::Line& line : feature.lines) count += line.size();
  }
  return count;
}

double free_area(const environment::CleanEnvironment& environment) {
  double sum = 0;
  for (const environment::CleanLayer& layer : environment.layers)
    sum += environment::area(layer.free, environment.grid);
  return sum;
}

bool has_fault(const Problems& problems) {
  return std::any_of(problems.begin(), problems.end(),
                     [](const Problem& problem) { return problem.code == ProblemCode::internal; });
}

}  // namespace throng::cli
