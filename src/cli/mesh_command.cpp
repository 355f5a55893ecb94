// throng mesh: builds the Explicit Corridor Map of an environment, checks it, and writes it as data or as a picture.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/report.hpp"
#include "navmesh/files/mesh_drawing.hpp"
#include "navmesh/mesh_io.hpp"
#include "navmesh/validate.hpp"
#include "text/files.hpp"

namespace throng::cli {
namespace {

using navmesh::Mesh;

struct Output {
  std::string_view ending;
  std::string (*write)(const LoadedMesh& loaded, const std::string& title);
};

const environment::CleanEnvironment* clean_of(const LoadedMesh& loaded) {
  return loaded.environment ? &loaded.environment->clean : nullptr;
}

constexpr Output outputs[] = {
    {".svg", [](const LoadedMesh& l, const std::string& title) { return write_mesh_svg(*l.mesh, clean_of(l), title); }},
    {".ipe", [](const LoadedMesh& l, const std::string& title) { return write_mesh_ipe(*l.mesh, clean_of(l), title); }},
    {".geojson", [](const LoadedMesh& l, const std::string&) { return write_mesh_geojson(*l.mesh); }},
    {".json", [](const LoadedMesh& l, const std::string&) { return write_mesh_json(*l.mesh); }},
    {".tmesh", [](const LoadedMesh& l, const std::string&) { return write_tmesh(*l.mesh); }},
};

const Output* output_of(const std::string& path) {
  const std::string ending = std::filesystem::path(path).extension().string();
  const auto* found =
      std::find_if(std::begin(outputs), std::end(outputs), [&](const Output& o) { return o.ending == ending; });
  return found == std::end(outputs) ? nullptr : found;
}

struct Figures {
  std::size_t obstacle_vertices = 0, vertices = 0, annotations = 0;
};

Figures figures_of(const LoadedMesh& loaded) {
  const Mesh& mesh = *loaded.mesh;
  Figures figures;
  for (const navmesh::Node& node : mesh.all_nodes()) figures.vertices += node.degree > 0;
  // An edge is annotated at both its ends and at every event point between.
  figures.annotations = mesh.arc_count() + mesh.edge_count();
  if (loaded.environment) {
    figures.obstacle_vertices = loaded.environment->clean.vertex_count();
  } else {
    std::vector<std::pair<navmesh::Index, Vec2>> ends;
    for (const navmesh::Site& site : mesh.all_sites())
      ends.insert(ends.end(), {{site.layer, site.a}, {site.layer, site.b}});
    std::sort(ends.begin(), ends.end());
    figures.obstacle_vertices = std::size_t(std::unique(ends.begin(), ends.end()) - ends.begin());
  }
  return figures;
}

void print_result(const LoadedMesh& loaded, const Json& valid, bool json) {
  const Mesh& mesh = *loaded.mesh;
  const Figures figures = figures_of(loaded);
  const std::string hash = fmt::format("{:016x}", mesh.hash());
  if (json)
    return print_json({{"layers", mesh.layers.size()},
                       {"unit", mesh.grid.unit()},
                       {"obstacle_vertices", figures.obstacle_vertices},
                       {"vertices", figures.vertices},
                       {"edges", mesh.edge_count()},
                       {"annotations", figures.annotations},
                       {"cells", mesh.cell_count()},
                       {"passages", mesh.passage_count()},
                       {"regions", mesh.region_count},
                       {"build_ms", loaded.build_ms},
                       {"voronoi_ms", loaded.voronoi_ms},
                       {"bytes", mesh.bytes()},
                       {"valid", valid},
                       {"hash", hash}});
  const std::string checked = valid.is_null() ? "not checked" : valid.get<bool>() ? "yes" : "NO";
  fmt::print("{}", table({{"layers", "unit m", "obstacle vertices", "vertices", "edges", "annotations", "cells",
                           "passages", "build ms", "of it Voronoi", "bytes", "valid", "hash"},
                          {std::to_string(mesh.layers.size()), fmt::format("{:g}", mesh.grid.unit()),
                           grouped(figures.obstacle_vertices), grouped(figures.vertices), grouped(mesh.edge_count()),
                           grouped(figures.annotations), grouped(mesh.cell_count()), grouped(mesh.passage_count()),
                           fmt::format("{:.2f}", loaded.build_ms), fmt::format("{:.2f}", loaded.voronoi_ms),
                           grouped(mesh.bytes()), checked, hash}}));
}

/// A mesh whose environment is at hand is checked law by law; null where it is not, or where nobody wants it.
Json check(const LoadedMesh& loaded, bool wanted) {
  if (!wanted || !loaded.environment) return nullptr;
  const Problems problems = navmesh::validate(*loaded.mesh, loaded.environment->clean);
  print_problems(problems);
  return problems.empty();
}

ExitCode run(const Parsed& parsed) {
  for (const std::string& path : parsed.list("output"))
    if (output_of(path) == nullptr) {
      fmt::print(stderr, "throng mesh: cannot write '{}': .svg, .ipe, .geojson, .json and .tmesh are known\n", path);
      return ExitCode::misuse;
    }
  const Result<LoadedMesh> loaded = load_mesh(parsed);
  if (!loaded) return refused(loaded.problems());
  print_problems(loaded.problems());
  const Json valid = check(*loaded, !parsed.flag("no-check"));
  const std::string title = std::filesystem::path(parsed.text("ENV")).filename().string();
  for (const std::string& path : parsed.list("output")) {
    const Problems failures = environment::replace_file(path, output_of(path)->write(*loaded, title));
    if (!failures.empty()) return refused(failures);
  }
  print_result(*loaded, valid, parsed.json());
  return valid.is_boolean() && !valid.get<bool>() ? ExitCode::fault : ExitCode::done;
}

const Registration registration({
    .name = "mesh",
    .summary = "builds the navigation mesh (the Explicit Corridor Map) of an environment",
    .arguments = mesh_arguments()
                     .option("-o,--output", "FILE", "write it: .svg, .ipe, .geojson (pictures), .json, .tmesh (data)")
                     .flag("--no-check", "do not check the mesh against its laws"),
    .run = run,
    .details =
        "JSON: layers, unit, obstacle_vertices, vertices and edges of the medial axis, annotations (places along edges "
        "with\n"
        "nearest obstacle points), cells, passages, regions, build_ms, voronoi_ms, bytes, valid (null: not checked), "
        "hash.\n"
        "A .tmesh or mesh .json can be given wherever an environment is asked for; it loads faster than it builds.",
});

}  // namespace
}  // namespace throng::cli
