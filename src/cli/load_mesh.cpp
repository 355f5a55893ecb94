#include "cli/load_mesh.hpp"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "cli/import_arguments.hpp"
#include "cli/report.hpp"
#include "environment/formats/formats.hpp"
#include "navmesh/boost_voronoi.hpp"
#include "navmesh/build.hpp"
#include "navmesh/mesh_io.hpp"
#include "text/files.hpp"

namespace throng::cli {
namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Boost's generator with a stopwatch. One mesh is built at a time, on one thread.
class TimedVoronoi : public navmesh::VoronoiGenerator {
 public:
  [[nodiscard]] std::string_view name() const override { return boost_.name(); }
  [[nodiscard]] Result<navmesh::VoronoiDiagram> generate(
      std::span<const navmesh::VoronoiSegment> segments) const override {
    const Clock::time_point start = Clock::now();
    Result<navmesh::VoronoiDiagram> diagram = boost_.generate(segments);
    ms_ += ms_since(start);
    return diagram;
  }
  [[nodiscard]] double ms() const { return ms_; }

 private:
  navmesh::BoostVoronoi boost_;
  mutable double ms_ = 0;
};

Result<LoadedMesh> read_mesh(const std::string& content, const std::string& source) {
  const Clock::time_point start = Clock::now();
  Result<navmesh::MeshPtr> mesh =
      navmesh::is_tmesh(content) ? navmesh::read_tmesh(content, source) : navmesh::read_mesh_json(content, source);
  if (!mesh) return mesh.problems();
  LoadedMesh loaded;
  loaded.mesh = *std::move(mesh);
  loaded.build_ms = ms_since(start);
  return loaded;
}

Result<LoadedMesh> build(LoadedEnvironment environment, Problems warnings) {
  const TimedVoronoi generator;
  const Clock::time_point start = Clock::now();
  Result<navmesh::MeshPtr> mesh = navmesh::build_mesh(environment.clean, {.generator = &generator});
  if (!mesh) return mesh.problems();
  LoadedMesh loaded;
  loaded.build_ms = ms_since(start);
  loaded.voronoi_ms = generator.ms();
  loaded.mesh = *std::move(mesh);
  loaded.environment = std::move(environment);
  return {std::move(loaded), std::move(warnings)};
}

bool ends_with(const std::string& path, std::string_view ending) {
  return path.size() >= ending.size() && path.compare(path.size() - ending.size(), ending.size(), ending) == 0;
}

}  // namespace

Result<LoadedMesh> load_mesh(const std::string& path, const LoadOptions& options) {
  // Only these endings can be a mesh; other files are not read twice.
  if (options.format.empty() && (ends_with(path, ".tmesh") || ends_with(path, ".json"))) {
    const Result<std::string> content = environment::read_file(path);
    if (!content) return content.problems();
    if (ends_with(path, ".tmesh") || navmesh::is_mesh_json(*content)) {
      if (options.unit > 0)
        return Problem{Severity::error, ProblemCode::value, path,
                       "is a mesh, which has its grid: --grid is for environments"};
      return read_mesh(*content, path);
    }
  }
  Result<LoadedEnvironment> environment = load_environment(path, options);
  if (!environment) return environment.problems();
  Problems warnings = environment.problems();
  return build(*std::move(environment), std::move(warnings));
}

Arguments mesh_arguments(std::vector<std::string> formats) {
  Arguments arguments;
  arguments
      .positional("ENV",
                  "an environment: .geojson, .json, .wkt, .map, .poly, .dxf, .obj, .gltf, .glb, .osm, .pbf; or a mesh: "
                  ".tmesh, .json")
      .option("--grid", "UNIT", "snap unit in metres, instead of the recorded or default one", Type::number)
      .choice("--input-format", "F", "read ENV as this format, whatever its ending", input_formats())
      .renamed("--format", "--input-format");
  if (!formats.empty())
    arguments.choice("--format", "F", "of -o, where its ending does not say it", std::move(formats));
  return arguments;
}

Arguments with_mesh_imports(Arguments arguments) { return with_import_arguments(std::move(arguments)); }

std::string mesh_misuse(const Parsed& parsed) {
  if (const std::optional<double> unit = parsed.number("grid"); unit && !(*unit > 0))
    return "--grid wants a length above 0";
  if (parsed.has("format") && parsed.given("format")) {
    if (!parsed.given("output")) return "--format is of -o, which is missing; that of ENV is --input-format";
    if (parsed.list("output").size() > 1) return "--format is for one output";
  }
  const Result<environment::ImportOptions> import = import_options(parsed, {parsed.text("ENV")});
  return import ? std::string() : to_string(import.problems().front());
}

Result<LoadedMesh> load_mesh(const Parsed& parsed) {
  const Result<environment::ImportOptions> import = import_options(parsed, {parsed.text("ENV")});
  if (!import) return import.problems();
  return load_mesh(parsed.text("ENV"), {parsed.text("input-format"), parsed.number("grid").value_or(0), *import});
}

std::string picture_misuse(const Parsed& parsed, std::initializer_list<const char*> lengths) {
  for (const char* length : lengths)
    if (parsed.given(length) && *parsed.number(length) < 0) return fmt::format("--{} wants a length from 0 on", length);
  const std::string format = format_of_output(parsed, parsed.text("output"));
  return parsed.given("output") && format != "svg" && format != "ipe" ? "pictures are .svg or .ipe" : "";
}

std::string format_of_output(const Parsed& parsed, const std::string& path) {
  if (parsed.given("format")) return parsed.text("format");
  const std::size_t dot = path.find_last_of("./");
  return dot == std::string::npos || path[dot] != '.' ? std::string() : path.substr(dot + 1);
}

ExitCode refused(const Problems& problems) {
  print_problems(problems);
  return has_fault(problems) ? ExitCode::fault : ExitCode::refused;
}

}  // namespace throng::cli
