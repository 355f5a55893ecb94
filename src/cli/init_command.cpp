// throng init: a folder with a scenario and an environment to start from, both explained where they stand.
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "cli/command.hpp"
#include "cli/report.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view environment_name = "environment.geojson";
constexpr std::string_view scenario_name = "scenario.json";

// GeoJSON has no comments, but members that nobody asks for are allowed: "note" is one.
constexpr std::string_view environment_text = R"({"type": "FeatureCollection",
"note": "A hall of 30 x 20 m with two doors to the east. Metres; x to the right, y up. docs/formats.md lists all kinds.",
"features": [
{"type": "Feature", "note": "Where people can walk at all. Without one, the box of everything drawn.",
 "properties": {"kind": "walkable"},
 "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [40, 0], [40, 20], [0, 20], [0, 0]]]}},
{"type": "Feature", "note": "A LineString is a thin wall: here the one between the hall and the street.",
 "properties": {"kind": "obstacle", "name": "east wall"},
 "geometry": {"type": "LineString", "coordinates": [[30, 0], [30, 20]]}},
{"type": "Feature", "note": "An opening takes away what was drawn before it: a door of 2 m.",
 "properties": {"kind": "opening"},
 "geometry": {"type": "Polygon", "coordinates": [[[29.5, 3], [30.5, 3], [30.5, 5], [29.5, 5], [29.5, 3]]]}},
{"type": "Feature", "note": "And one of 1.2 m.",
 "properties": {"kind": "opening"},
 "geometry": {"type": "Polygon", "coordinates": [[[29.5, 15], [30.5, 15], [30.5, 16.2], [29.5, 16.2], [29.5, 15]]]}},
{"type": "Feature", "note": "A Polygon is solid.",
 "properties": {"kind": "obstacle", "name": "counter"},
 "geometry": {"type": "Polygon", "coordinates": [[[12, 8], [18, 8], [18, 12], [12, 12], [12, 8]]]}},
{"type": "Feature", "note": "Ground of a type: profiles give it a weight, and people walk around it where that is cheaper.",
 "properties": {"kind": "region", "type": "carpet"},
 "geometry": {"type": "Polygon", "coordinates": [[[20, 6], [26, 6], [26, 14], [20, 14], [20, 6]]]}},
{"type": "Feature", "note": "Named places: where people start, go to, and are counted.",
 "properties": {"kind": "area", "name": "seats"},
 "geometry": {"type": "Polygon", "coordinates": [[[1, 1], [10, 1], [10, 19], [1, 19], [1, 1]]]}},
{"type": "Feature",
 "properties": {"kind": "area", "name": "street"},
 "geometry": {"type": "Polygon", "coordinates": [[[36, 1], [39, 1], [39, 19], [36, 19], [36, 1]]]}}
]}
)";

constexpr std::string_view scenario_text =
    R"(// Who walks where, and how. Comments are allowed here; docs/scenarios.md explains every member.
{
  "throng": 1,
  "environment": "environment.geojson",   // beside this file; any format that `throng convert` reads
  "duration": 120,                        // seconds; it ends earlier when everybody has arrived
  "seed": 1,                              // same seed, same run, bit for bit
  "profiles": {
    "adult": {
      // Every number may be a distribution.
      "radius": {"uniform": [0.2, 0.26]},
      "speed": {"normal": [1.34, 0.26], "min": 0.5, "max": 2.2},
      "route": {"method": "weighted"},    // ways are chosen by what ground costs
      "weights": {"carpet": 2},           // a metre of carpet counts as two
      "stream": {"method": "view"}        // where it gets dense, they go with those ahead of them
    }
  },
  "populations": [
    // Everybody leaves their seats for the street.
    {"name": "audience", "profile": "adult", "count": 80, "start": {"area": "seats"}, "goals": [{"area": "street"}]},
    // And some come in from the street for the first minute: one every two seconds.
    // Most are alone, some in twos, who walk together and wait for each other.
    {"name": "visitors", "profile": "adult", "rate": 0.5, "until": 60, "start": {"area": "street"},
     "goals": [{"area": "seats"}], "groups": {"size": {"choose": {"1": 70, "2": 30}}}}
  ],
  // Flow through the wide door (positive to the right of the line, walking from its first point to its second), density in the street.
  "measure": [{"line": [[30, 3], [30, 5]], "name": "wide door"}, {"area": "street", "every": 1}]
}
)";

ExitCode refuse(std::string place, std::string message, bool json) {
  const Problems problems = {{Severity::error, ProblemCode::io, std::move(place), std::move(message)}};
  print_problems(problems);
  if (json) print_json({{"created", Json::array()}, {"problems", to_json(problems)}});
  return ExitCode::refused;
}

ExitCode run(const Parsed& parsed) {
  const fs::path folder = parsed.text("NAME");
  std::error_code error;
  if (fs::exists(fs::symlink_status(folder, error)))
    return refuse(folder.string(), "there is something of that name already; nothing was written", parsed.json());
  if (!fs::create_directories(folder, error))
    return refuse(folder.string(), "the folder cannot be made: " + error.message(), parsed.json());
  const std::array<std::pair<fs::path, std::string_view>, 2> files = {
      {{folder / environment_name, environment_text}, {folder / scenario_name, scenario_text}}};
  Json created = Json::array();
  for (const auto& [path, text] : files) {
    if (const Problems problems = environment::replace_file(path.string(), text); !problems.empty())
      return refuse(path.string(), problems.front().message, parsed.json());
    created.push_back(path.string());
  }
  const std::string scenario = files[1].first.string();
  if (parsed.json())
    print_json({{"created", std::move(created)}, {"problems", Json::array()}});
  else
    fmt::print(stderr, "{}\n{}\nTry: throng run {}\n     throng view {}\n", files[0].first.string(), scenario, scenario,
               scenario);
  return ExitCode::done;
}

const Registration registration({
    .name = "init",
    .summary = "makes a folder with a commented scenario and environment to start from",
    .use = Use::start,
    .arguments = Arguments().positional("NAME", "the folder to make; one that is there already is left alone"),
    .run = run,
    .details = "NAME/scenario.json says who walks where, NAME/environment.geojson where one can walk.",
});

}  // namespace
}  // namespace throng::cli
