// throng mesh: builds the Explicit Corridor Map of an environment, checks it, and writes it as data or as a picture.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/outputs.hpp"
#include "cli/report.hpp"
#include "environment/clean/changing_plan.hpp"
#include "environment/formats/formats.hpp"
#include "navmesh/build.hpp"
#include "navmesh/files/mesh_drawing.hpp"
#include "navmesh/mesh_io.hpp"
#include "navmesh/validate.hpp"
#include "scenario/changes_reader.hpp"
#include "text/files.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

using navmesh::Mesh;

struct Output {
  std::string_view format;
  std::string (*write)(const LoadedMesh& loaded, const std::string& title);
};

const environment::CleanEnvironment* clean_of(const LoadedMesh& loaded) {
  return loaded.environment ? &loaded.environment->clean : nullptr;
}

constexpr Output outputs[] = {
    {"svg", [](const LoadedMesh& l, const std::string& title) { return write_mesh_svg(*l.mesh, clean_of(l), title); }},
    {"ipe", [](const LoadedMesh& l, const std::string& title) { return write_mesh_ipe(*l.mesh, clean_of(l), title); }},
    {"geojson", [](const LoadedMesh& l, const std::string&) { return write_mesh_geojson(*l.mesh); }},
    {"json", [](const LoadedMesh& l, const std::string&) { return write_mesh_json(*l.mesh); }},
    {"tmesh", [](const LoadedMesh& l, const std::string&) { return write_tmesh(*l.mesh); }},
};

const Output* output_of(const Parsed& parsed, const std::string& path) {
  const std::string format = format_of_output(parsed, path);
  const auto* found =
      std::find_if(std::begin(outputs), std::end(outputs), [&](const Output& o) { return o.format == format; });
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
  fmt::print("{}", table({{"layers", std::to_string(mesh.layers.size())},
                          {"unit m", fmt::format("{:g}", mesh.grid.unit())},
                          {"obstacle vertices", grouped(figures.obstacle_vertices)},
                          {"vertices", grouped(figures.vertices)},
                          {"edges", grouped(mesh.edge_count())},
                          {"annotations", grouped(figures.annotations)},
                          {"cells", grouped(mesh.cell_count())},
                          {"passages", grouped(mesh.passage_count())},
                          {"build ms", fmt::format("{:.2f}", loaded.build_ms)},
                          {"of it Voronoi", fmt::format("{:.2f}", loaded.voronoi_ms)},
                          {"bytes", grouped(mesh.bytes())},
                          {"valid", checked},
                          {"hash", hash}}));
}

/// A mesh whose environment is at hand is checked law by law; null where it is not, or where nobody wants it.
Json check(const LoadedMesh& loaded, bool wanted) {
  if (!wanted || !loaded.environment) return nullptr;
  const Problems problems = navmesh::validate(*loaded.mesh, loaded.environment->clean);
  print_problems(problems);
  return problems.empty();
}

std::string text_of_hash(const Mesh& mesh) { return fmt::format("{:016x}", mesh.hash()); }

/// The plan written to a file, read again, cleaned and built from nothing.
Result<std::string> hash_from_scratch(const environment::Environment& plan) {
  const environment::Format* format = environment::find_format("geojson");
  const Result<std::string> text = format->write_source(plan, {});
  if (!text) return text.problems();
  const Result<environment::Environment> read = environment::parse_environment("geojson", *text, "the changed plan");
  if (!read) return read.problems();
  const Result<environment::CleanEnvironment> clean = environment::clean(*read);
  if (!clean) return clean.problems();
  const Result<navmesh::MeshPtr> mesh = navmesh::build_mesh(*clean);
  if (!mesh) return mesh.problems();
  return text_of_hash(**mesh);
}

std::size_t cells_in(const Mesh& mesh, const std::vector<navmesh::Index>& layers) {
  std::size_t cells = 0;
  for (const navmesh::Site& site : mesh.all_sites())
    if (std::binary_search(layers.begin(), layers.end(), site.layer)) cells += site.cell_count;
  return cells;
}

/// A world while a list of changes is applied to it.
class ChangingWorld {
 public:
  ChangingWorld(environment::ChangingPlan drawn, navmesh::MeshBuild build)
      : drawn_(std::move(drawn)), build_(std::move(build)) {}

  /// Cleans what changed and makes the mesh of it, with the time that took.
  Problems apply(const environment::Change& change, double& ms) {
    const auto start = std::chrono::steady_clock::now();
    Result<environment::ChangingPlan> drawn = drawn_.after({change});
    if (!drawn) return drawn.problems();
    Result<navmesh::MeshBuild> build = navmesh::rebuild_mesh(drawn->clean(), drawn_.clean(), build_);
    if (!build) return build.problems();
    ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    drawn_ = std::move(drawn).value();
    build_ = std::move(build).value();
    return {};
  }

  [[nodiscard]] const environment::ChangingPlan& drawn() const { return drawn_; }
  [[nodiscard]] const environment::Environment& plan() const { return drawn_.plan(); }
  [[nodiscard]] const environment::CleanEnvironment& clean() const { return drawn_.clean(); }
  [[nodiscard]] const navmesh::MeshBuild& build() const { return build_; }

  /// What is written after the last change.
  void hand_over(LoadedMesh& loaded) {
    loaded.mesh = build_.mesh;
    loaded.environment->source = drawn_.plan();
    loaded.environment->clean = drawn_.clean();
  }

 private:
  environment::ChangingPlan drawn_;
  navmesh::MeshBuild build_;
};

/// One JSON line: what a change took and what came of it. False: it is not what it should be.
bool print_change(const ChangingWorld& world, const environment::Change& change, double ms, const Parsed& parsed) {
  const navmesh::MeshBuild& build = world.build();
  Json line{{"change", environment::name_of(change.kind)},
            {"ms", ms},
            {"cells", cells_in(*build.mesh, build.rebuilt)},
            {"hash", text_of_hash(*build.mesh)},
            {"rebuilt", build.rebuilt.size()},
            {"pieces", world.drawn().redone().pieces},
            {"cleaned_whole", world.drawn().redone().whole}};
  bool fine = true;
  line["valid"] = nullptr;
  if (!parsed.flag("no-check")) {
    const Problems problems = navmesh::validate(*build.mesh, world.clean());
    print_problems(problems);
    line["valid"] = fine = problems.empty();
  }
  if (parsed.flag("verify")) {
    const Result<std::string> scratch = hash_from_scratch(world.plan());
    if (!scratch) print_problems(scratch.problems());
    const bool same = scratch && *scratch == text_of_hash(*build.mesh);
    line["same"] = same;
    fine = fine && same;
  }
  print_json(line);
  return fine;
}

ExitCode misuse(const std::string& what) {
  fmt::print(stderr, "throng mesh: {}\n", what);
  return ExitCode::misuse;
}

/// Reads the list, checks it whole, applies it. The mesh and the environment that are left are those after the last change.
ExitCode apply_changes(const Parsed& parsed, LoadedMesh& loaded) {
  const std::string path = parsed.text("changes");
  if (!loaded.environment) return misuse("--changes wants an environment: a mesh file keeps no obstacles");
  const Result<std::string> text = environment::read_file(path);
  if (!text) return refused(text.problems());
  const Result<std::vector<environment::Change>> changes =
      scenario::read_changes(*text, path, loaded.environment->source.layers);
  if (!changes) return refused(changes.problems());
  Result<environment::ChangingPlan> drawn = environment::ChangingPlan::make(loaded.environment->source);
  if (!drawn) return refused(drawn.problems());
  if (Problems wrong = environment::check_changes(drawn->plan(), *changes); !wrong.empty()) {
    for (Problem& problem : wrong) problem.place = path + ": " + problem.place;
    return refused(wrong);
  }
  Result<navmesh::MeshBuild> built = navmesh::first_build(drawn->clean());  // with what changes use again
  if (!built) return refused(built.problems());
  ChangingWorld world(*std::move(drawn), *std::move(built));
  bool fine = true;
  for (std::size_t i = 0; i < changes->size(); ++i) {
    double ms = 0;
    if (Problems wrong = world.apply((*changes)[i], ms); !wrong.empty()) {
      for (Problem& problem : wrong) problem.place = fmt::format("{}: change {}: {}", path, i, problem.place);
      return refused(wrong);
    }
    fine = print_change(world, (*changes)[i], ms, parsed) && fine;
  }
  world.hand_over(loaded);
  return fine ? ExitCode::done : ExitCode::fault;
}

ExitCode run(const Parsed& parsed) {
  if (parsed.flag("verify") && !parsed.given("changes")) return misuse("--verify belongs to --changes");
  if (const std::string wrong = mesh_misuse(parsed); !wrong.empty()) return misuse(wrong);
  for (const std::string& path : parsed.list("output"))
    if (output_of(parsed, path) == nullptr)
      return misuse(fmt::format("cannot write '{}': .svg, .ipe, .geojson, .json and .tmesh are known", path));
  if (const auto code =
          Outputs("mesh").reads({parsed.text("ENV"), parsed.text("changes")}).writes(parsed.list("output")).refused())
    return *code;
  Result<LoadedMesh> loaded = load_mesh(parsed);
  if (!loaded) return refused(loaded.problems());
  print_problems(loaded.problems());
  const bool changes = parsed.given("changes");
  if (changes)
    if (const ExitCode code = apply_changes(parsed, *loaded); code != ExitCode::done) return code;
  const Json valid = changes ? Json(nullptr) : check(*loaded, !parsed.flag("no-check"));
  const std::string title = std::filesystem::path(parsed.text("ENV")).filename().string();
  for (const std::string& path : parsed.list("output")) {
    const Problems failures = environment::replace_file(path, output_of(parsed, path)->write(*loaded, title));
    if (!failures.empty()) return refused(failures);
    if (!parsed.json()) say_written(path);
  }
  if (!changes) print_result(*loaded, valid, parsed.json());
  return valid.is_boolean() && !valid.get<bool>() ? ExitCode::fault : ExitCode::done;
}

const Registration registration({
    .name = "mesh",
    .summary = "builds the navigation mesh (the Explicit Corridor Map) of an environment",
    .use = Use::worlds,
    .arguments = with_mesh_imports(
        mesh_arguments({"svg", "ipe", "geojson", "json", "tmesh"})
            .option("-o,--output", "FILE", "write it: .svg, .ipe, .geojson (pictures), .json, .tmesh (data)")
            .option("--changes", "FILE", "apply a list of changes to the obstacles, a JSON line each")
            .flag("--verify", "with --changes: build anew after each one and compare")
            .flag("--no-check", "do not check the mesh against its laws")),
    .run = run,
    .details =
        "JSON: layers, unit, obstacle_vertices, vertices and edges of the medial axis, annotations (places along edges "
        "with\n"
        "nearest obstacle points), cells, passages, regions, build_ms, voronoi_ms, bytes, valid (null: not checked), "
        "hash.\n"
        "--changes FILE: a JSON list of {\"insert\": [{\"id\", \"polygon\" or \"wall\", \"layer\"}]}, {\"remove\": "
        "[id]} and "
        "{\"replace\":\n"
        "[...]}. The list is checked whole before the first change. A line each: change, ms (cleaning and mesh), cells "
        "(redone),\n"
        "hash, rebuilt (layers computed anew), pieces (of the boundary, cleaned anew), cleaned_whole (the plan was, "
        "where pieces\n"
        "could not decide), valid, and with --verify same; -o then writes the world after the last "
        "one.\n"
        "A .tmesh or mesh .json can be given wherever an environment is asked for; it loads faster than it builds.",
});

}  // namespace
}  // namespace throng::cli
