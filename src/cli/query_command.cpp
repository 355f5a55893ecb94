// throng query: what the mesh knows about points: walkable, clearance, nearest obstacle point, retraction.
#include <fmt/format.h>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/places.hpp"
#include "cli/report.hpp"
#include "navmesh/queries.hpp"

namespace throng::cli {
namespace {

Json answer(const navmesh::Mesh& mesh, const navmesh::Place& place, bool named) {
  const navmesh::Located located = navmesh::locate(mesh, place);
  if (!located) {
    const Json layer = named ? Json(mesh.layers[place.layer].id) : Json(nullptr);
    return {
        {"walkable", false}, {"layer", layer}, {"clearance", nullptr}, {"nearest", nullptr}, {"retraction", nullptr}};
  }
  const navmesh::Retraction retraction = navmesh::retract(mesh, located, place.point);
  return {{"walkable", true},
          {"layer", mesh.layers[place.layer].id},
          {"clearance", located.clearance},
          {"nearest", {located.nearest.x, located.nearest.y}},
          {"retraction", {retraction.point.x, retraction.point.y}}};
}

ExitCode run(const Parsed& parsed) {
  std::string wrong = mesh_misuse(parsed);
  if (wrong.empty() && !parsed.given("points")) wrong = "--points FILE.csv is missing";
  if (!wrong.empty()) {
    fmt::print(stderr, "throng query: {}\n", wrong);
    return ExitCode::misuse;
  }
  const Result<std::vector<PlaceRow>> rows = read_place_csv(parsed.text("points"), 1);
  const Result<LoadedMesh> loaded = load_mesh(parsed);
  Problems problems = rows.problems();
  problems.insert(problems.end(), loaded.problems().begin(), loaded.problems().end());
  if (!rows || !loaded) return refused(problems);
  const navmesh::Mesh& mesh = *loaded->mesh;
  std::vector<navmesh::Place> places;
  for (const PlaceRow& row : *rows) {
    const Result<navmesh::Place> place =
        resolve(row.places[0], mesh, fmt::format("{}:{}", parsed.text("points"), row.line));
    if (place)
      places.push_back(*place);
    else
      problems.insert(problems.end(), place.problems().begin(), place.problems().end());
  }
  if (has_errors(problems)) return refused(problems);
  print_problems(problems);
  for (std::size_t i = 0; i < places.size(); ++i)
    print_json(answer(mesh, places[i], (*rows)[i].places[0].layer.has_value()));
  return ExitCode::done;
}

const Registration registration({
    .name = "query",
    .summary = "tells for points whether they are walkable, their clearance, nearest obstacle and retraction",
    .use = Use::worlds,
    .arguments = with_mesh_imports(
        mesh_arguments().option("--points", "FILE.csv", "x,y[,layer] a line, heading optional; - is standard input")),
    .run = run,
    .details = "Prints a JSON line a point: walkable, layer, clearance, nearest, retraction. A point without a layer "
               "is asked\n"
               "for in the first layer where it is walkable; where it is in none, layer and what follows are null.",
});

}  // namespace
}  // namespace throng::cli
