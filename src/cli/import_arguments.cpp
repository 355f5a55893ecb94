#include "cli/import_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/osm_arguments.hpp"
#include "environment/dxf/dxf_picture.hpp"
#include "environment/dxf/dxf_reader.hpp"
#include "environment/formats/formats.hpp"
#include "text/csv.hpp"
#include "text/nearest_name.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

using environment::DxfOptions;
using environment::DxfRole;
using environment::ImportOptions;

Problem misuse(std::string message) { return {Severity::error, ProblemCode::value, "", std::move(message)}; }

/// In the order rules are looked at: --ignore '*' leaves only what the others name.
constexpr std::pair<std::string_view, DxfRole> layer_options[] = {
    {"walls", DxfRole::walls},         {"doors", DxfRole::doors},     {"walkable", DxfRole::walkable},
    {"obstacles", DxfRole::obstacles}, {"regions", DxfRole::regions}, {"areas", DxfRole::areas},
    {"ignore", DxfRole::ignored}};

constexpr std::pair<std::string_view, double> units[] = {{"mm", 0.001}, {"cm", 0.01},   {"dm", 0.1},
                                                         {"m", 1},      {"in", 0.0254}, {"ft", 0.3048}};

Arguments& add_dxf_arguments(Arguments& arguments) {
  std::vector<std::string> names;
  for (const auto& [name, metres] : units) names.emplace_back(name);
  arguments.group("CAD plans (.dxf)")
      .option("--walls", "PATTERNS", "layers that are walls: names, * and ? in them, parted by commas")
      .option("--doors", "PATTERNS", "layers of doors; their lines stop nobody, closed shapes cut walls")
      .option("--walkable", "PATTERNS", "layers whose closed shapes are the floor")
      .option("--obstacles", "PATTERNS", "layers whose closed shapes are solid")
      .option("--regions", "PATTERNS", "layers of ground types, named by the layer")
      .option("--areas", "PATTERNS", "layers of named places")
      .option("--ignore", "PATTERNS", "layers to leave out")
      .choice("--units", "UNIT", "the drawing's unit, instead of its header's", std::move(names))
      .option("--gap", "METRES", "line ends nearer than this are joined (0.02)", Type::number)
      .option("--flatness", "METRES", "how far lines may lie from the curves they stand for (0.005)", Type::number)
      .option("--wall-thickness", "METRES", "what walls enclose is solid below this, a room from it on (0.4)",
              Type::number)
      .option("--outside", "METRES", "people may walk so far around the drawing too (0: inside only)", Type::number)
      .flag("--no-rooms", "do not make an area of every room");
  return arguments;
}

Arguments& add_surface_arguments(Arguments& arguments) {
  arguments.group("3D models (.obj, .gltf, .glb)")
      .choice("--up", "AXIS", "the axis that points up (y)", {"y", "z"})
      .option("--scale", "METRES", "metres a unit of the model (1)", Type::number)
      .option("--slope", "DEGREES", "what faces up and is less steep is floor (45)", Type::number)
      .option("--climb", "METRES", "the highest step (0.3)", Type::number)
      .option("--head-room", "METRES", "what is lower over the floor blocks it (2)", Type::number)
      .option("--weld", "METRES", "gaps between triangles up to this are closed (0.01)", Type::number);
  return arguments;
}

/// A length that may not be below `least`.
void take_length(const Parsed& parsed, const std::string& key, double least, double& length, Problems& problems) {
  const std::optional<double> given = parsed.number(key);
  if (!given) return;
  length = *given;
  if (length < least) problems.push_back(misuse(fmt::format("--{} wants a length of at least {:g} m", key, least)));
}

void take_patterns(const std::string& list, DxfRole role, DxfOptions& options) {
  for (std::string_view rest = list; !rest.empty();) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (const std::string_view pattern = environment::trimmed(rest.substr(0, comma)); !pattern.empty())
      options.rules.push_back({std::string(pattern), role});
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
}

void take_dxf(const Parsed& parsed, DxfOptions& options, Problems& problems) {
  for (const auto& [name, role] : layer_options) take_patterns(parsed.text(std::string(name)), role, options);
  for (const auto& [name, metres] : units)
    if (parsed.text("units") == name) options.unit = metres;
  take_length(parsed, "gap", 0, options.gap, problems);
  take_length(parsed, "flatness", 1e-6, options.flatness, problems);
  take_length(parsed, "wall-thickness", 0, options.wall_thickness, problems);
  take_length(parsed, "outside", 0, options.outside, problems);
  options.rooms = !parsed.flag("no-rooms");
}

void take_surface(const Parsed& parsed, environment::SurfaceOptions& options, Problems& problems) {
  if (parsed.text("up") == "z") options.up = environment::UpAxis::z;
  take_length(parsed, "scale", 1e-6, options.scale, problems);
  take_length(parsed, "climb", 0, options.climb, problems);
  take_length(parsed, "head-room", 0, options.head_room, problems);
  take_length(parsed, "weld", 1e-6, options.weld, problems);
  options.slope = parsed.number("slope").value_or(options.slope);
  if (!(options.slope > 0 && options.slope < 90)) problems.push_back(misuse("--slope wants an angle between 0 and 90"));
}

/// Options that speak of files of some formats only.
struct FormatOptions {
  std::vector<std::string_view> formats;
  std::string_view what;
  std::vector<std::string> keys;
};

const std::vector<FormatOptions>& format_options() {
  static const std::vector<FormatOptions> all = [] {
    const auto keys_of = [](void (*add)(Arguments&)) {
      Arguments arguments;
      add(arguments);
      std::vector<std::string> keys;
      for (const Argument& argument : arguments.list()) keys.push_back(argument.key());
      return keys;
    };
    std::vector<FormatOptions> options{
        {{"dxf"}, "CAD plans (.dxf)", keys_of([](Arguments& a) { add_dxf_arguments(a); })},
        {{"obj", "gltf"}, "3D models (.obj, .gltf, .glb)", keys_of([](Arguments& a) { add_surface_arguments(a); })},
        {{"osm"}, "OpenStreetMap (.osm, .pbf)", keys_of(add_osm_arguments)}};
    options[0].keys.emplace_back("open-ends");
    return options;
  }();
  return all;
}

/// What speaks of another format than the files have.
Problems misapplied(const Parsed& parsed, const std::vector<std::string>& files) {
  const std::string given = parsed.has("input-format") ? parsed.text("input-format") : std::string();
  std::vector<std::string_view> present;
  if (!given.empty()) present.emplace_back(given);
  for (const std::string& file : files)
    if (const auto format = environment::format_of_path(file); given.empty() && format)
      present.push_back((*format)->name);
  Problems problems;
  for (const FormatOptions& options : format_options()) {
    const bool applies = std::any_of(present.begin(), present.end(), [&](std::string_view name) {
      return std::find(options.formats.begin(), options.formats.end(), name) != options.formats.end();
    });
    for (const std::string& key : options.keys)
      if (!applies && parsed.has(key) && parsed.given(key))
        problems.push_back(misuse(fmt::format("--{} is for {}, and {} is none", key, options.what,
                                              files.size() == 1 ? environment::in_quotes(files[0]) : "what is read")));
  }
  return problems;
}

}  // namespace

Arguments with_import_arguments(Arguments arguments) {
  add_dxf_arguments(arguments);
  add_surface_arguments(arguments);
  add_osm_arguments(arguments);
  arguments.group("");
  return arguments;
}

Arguments with_drawn_import_arguments(Arguments arguments) {
  add_dxf_arguments(arguments);
  arguments.option("--open-ends", "FILE.svg", "draw the lines, and red what could not be closed");
  add_surface_arguments(arguments);
  add_osm_arguments(arguments);
  arguments.group("");
  return arguments;
}

std::vector<std::string> input_formats() {
  std::vector<std::string> names;
  for (const environment::Format& format : environment::formats())
    if (format.read != nullptr || format.import != nullptr) names.emplace_back(format.name);
  return names;
}

std::vector<std::string> output_formats() {
  std::vector<std::string> names;
  for (const environment::Format& format : environment::formats())
    if (format.write_clean != nullptr) names.emplace_back(format.name);
  return names;
}

Result<ImportOptions> import_options(const Parsed& parsed, const std::vector<std::string>& files) {
  ImportOptions options;
  Problems problems = misapplied(parsed, files);
  take_dxf(parsed, options.dxf, problems);
  take_surface(parsed, options.surface, problems);
  if (Result<environment::OsmOptions> osm = osm_options(parsed))
    options.osm = std::move(osm).value();
  else
    problems.insert(problems.end(), osm.problems().begin(), osm.problems().end());
  if (has_errors(problems)) return problems;
  return options;
}

Problems draw_open_ends(const Parsed& parsed, const std::string& file, const std::string& format,
                        const ImportOptions& options) {
  if (!parsed.given("open-ends")) return {};
  const Result<const environment::Format*> found = environment::format_of_path(file);
  if (format.empty() ? !found || (*found)->name != "dxf" : format != "dxf")
    return {misuse("--open-ends draws DXF plans only")};
  if (file == "-") return {misuse("--open-ends wants a file, not standard input")};
  if (environment::same_file(parsed.text("open-ends"), file))
    return {misuse("--open-ends would overwrite the plan that it draws")};
  const Result<environment::DxfPlan> plan = environment::read_dxf_plan({.name = file}, options);
  if (!plan) return {};  // reading it for good tells why
  return environment::replace_file(parsed.text("open-ends"), environment::draw_open_ends(*plan, file));
}

}  // namespace throng::cli
