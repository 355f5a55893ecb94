#include "cli/validate_against.hpp"

#include <fmt/format.h>

#include "cli/load_environment.hpp"
#include "cli/load_mesh.hpp"
#include "cli/report.hpp"
#include "text/files.hpp"
#include "validation/against.hpp"

namespace throng::cli {
namespace {

using validation::Comparison;

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng validate: {}\n", what);
  return ExitCode::misuse;
}

/// "door=0,1,2,1"; nothing where it is none.
std::optional<validation::NamedLine> line_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  double numbers[4];
  std::size_t at = equals + 1;
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t end = i < 3 ? text.find(',', at) : text.size();
    if (end == std::string::npos || at >= text.size() || !is_number(text.substr(at, end - at), Type::number))
      return std::nullopt;
    numbers[i] = std::stod(text.substr(at, end - at));
    at = end + 1;
  }
  return validation::NamedLine{text.substr(0, equals), {numbers[0], numbers[1]}, {numbers[2], numbers[3]}};
}

void print_as_json(const Comparison& result) {
  Json json;
  json["people"] = result.people;
  json["moved"] = result.moved;
  json["mean_moved"] = result.mean_moved;
  json["most_moved"] = result.most_moved;
  json["never_started"] = result.never_started;
  json["arrived"] = result.arrived;
  json["recorded_last"] = result.recorded_last;
  json["walked_last"] = result.walked_last;
  json["lines"] = Json::array();
  for (const validation::ComparedLine& line : result.lines)
    json["lines"].push_back({{"name", line.name},
                             {"recorded", line.recorded.size()},
                             {"walked", line.walked.size()},
                             {"recorded_flow", line.recorded_flow},
                             {"walked_flow", line.walked_flow},
                             {"most_persons", line.most_persons},
                             {"most_seconds", line.most_seconds}});
  json["areas"] = Json::array();
  for (const validation::ComparedArea& area : result.areas)
    json["areas"].push_back({{"name", area.name},
                             {"recorded_density", area.recorded_density},
                             {"walked_density", area.walked_density},
                             {"recorded_speed", area.recorded_speed},
                             {"walked_speed", area.walked_speed}});
  cli::print_json(json);
}

void print(const Comparison& result) {
  fmt::print("{} people; {} starts moved apart, {:.2f} m on average, {:.2f} m at most; {} arrived", result.people,
             result.moved, result.mean_moved, result.most_moved, result.arrived);
  if (result.never_started > 0) fmt::print("; {} never found a place to start", result.never_started);
  fmt::print("\nlast seen after {:.1f} s, last one out after {:.1f} s\n", result.recorded_last, result.walked_last);
  std::vector<std::vector<std::string>> rows{
      {"line", "recorded", "walked", "recorded /s", "walked /s", "persons apart", "seconds apart"}};
  for (const validation::ComparedLine& line : result.lines)
    rows.push_back({line.name, fmt::format("{}", line.recorded.size()), fmt::format("{}", line.walked.size()),
                    fmt::format("{:.3f}", line.recorded_flow), fmt::format("{:.3f}", line.walked_flow),
                    fmt::format("{:.0f}", line.most_persons), fmt::format("{:.1f}", line.most_seconds)});
  if (rows.size() > 1) fmt::print("{}", table(rows));
  rows = {{"area", "recorded /m2", "walked /m2", "recorded m/s", "walked m/s"}};
  for (const validation::ComparedArea& area : result.areas)
    rows.push_back({area.name, fmt::format("{:.2f}", area.recorded_density), fmt::format("{:.2f}", area.walked_density),
                    fmt::format("{:.2f}", area.recorded_speed), fmt::format("{:.2f}", area.walked_speed)});
  if (rows.size() > 1) fmt::print("{}", table(rows));
}

}  // namespace

void add_against_arguments(Arguments& arguments) {
  arguments.group("A recorded experiment")
      .pair("--against", "TRACKS ENV",
            "PeTrack's text and the plan: people start where and when these did; what comes of it beside what was "
            "recorded")
      .option("--fps", "F", "frames a second, where the tracks do not say", Type::number)
      .choice("--unit", "U", "of the tracks, where they do not say", {"m", "cm"})
      .option("--radius", "R", "of bodies; 0.24 m without it", Type::number)
      .repeated("--line", "NAME=X0,Y0,X1,Y1",
                "counts who crosses it from its left to its right; areas of ENV are compared by themselves");
}

ExitCode validate_against(const Parsed& parsed) {
  validation::AgainstOptions options;
  for (const std::string& text : parsed.list("line")) {
    const std::optional<validation::NamedLine> line = line_of(text);
    if (!line) return misuse("--line wants NAME=X0,Y0,X1,Y1");
    options.lines.push_back(*line);
  }
  const double rate = parsed.number("fps").value_or(0);
  if (parsed.given("fps") && !(rate > 0)) return misuse("--fps wants more than 0");
  const double unit = parsed.text("unit") == "cm" ? 0.01 : parsed.text("unit") == "m" ? 1 : 0;
  options.radius = parsed.number("radius").value_or(options.radius);
  if (!(options.radius >= 0.01 && options.radius <= 10)) return misuse("--radius wants 0.01 to 10");
  if (parsed.given("method")) options.method = parsed.text("method");
  options.seed = std::uint64_t(parsed.whole_number("seed").value_or(1));
  const std::string file = parsed.list("against").at(0);
  const Result<std::string> text = environment::read_file(file);
  if (!text) return refused(text.problems());
  const Result<recording::Tracks> tracks = validation::read_petrack(*text, file, rate, unit);
  if (!tracks) return refused(tracks.problems());
  const Result<LoadedEnvironment> environment = load_environment(parsed.list("against").at(1));
  if (!environment) return refused(environment.problems());
  const Result<crowd::WorldPtr> world = crowd::make_world(environment->clean, &environment->source);
  if (!world) return refused(world.problems());
  const Result<Comparison> result = validation::walk_again(*tracks, *world, options);
  if (!result) return refused(result.problems());
  if (parsed.json())
    print_as_json(*result);
  else
    print(*result);
  return ExitCode::done;
}

}  // namespace throng::cli
