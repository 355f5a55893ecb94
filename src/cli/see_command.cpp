// throng see: what can be seen from a place, or whether a disc can slide to another.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/outputs.hpp"
#include "cli/places.hpp"
#include "cli/report.hpp"
#include "navmesh/files/mesh_drawing.hpp"
#include "navmesh/visibility.hpp"
#include "navmesh/visibility_polygon.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

using navmesh::Mesh;
using navmesh::Place;

ExitCode misuse(std::string_view message) {
  fmt::print(stderr, "throng see: {}\n", message);
  return ExitCode::misuse;
}

Json json_of(Vec2 p) { return {p.x, p.y}; }

/// Vertices without those that two walls share twice.
std::vector<navmesh::VisibilityPolygon::Vertex> corners_of(const navmesh::VisibilityPolygon& polygon) {
  std::vector<navmesh::VisibilityPolygon::Vertex> corners;
  for (const auto& vertex : polygon.vertices())
    if (corners.empty() || corners.back().point != vertex.point) corners.push_back(vertex);
  while (corners.size() > 1 && corners.back().point == corners.front().point) corners.pop_back();
  return corners;
}

std::string picture(const LoadedMesh& loaded, const Place& from, const navmesh::VisibilityPolygon& polygon, bool ipe,
                    const std::string& title) {
  const Mesh& mesh = *loaded.mesh;
  const environment::CleanEnvironment* clean = loaded.environment ? &loaded.environment->clean : nullptr;
  const environment::Layout layout = clean ? environment::lay_out(*clean) : navmesh::lay_out(mesh);
  const auto canvas = ipe ? environment::make_ipe_canvas(layout.width, layout.height, title)
                          : environment::make_svg_canvas(layout.width, layout.height, title);
  if (clean)
    environment::draw_environment(*canvas, *clean, layout, title);
  else
    navmesh::draw_obstacles(*canvas, mesh, layout, title);
  std::vector<std::vector<Vec2>> rings(1);
  for (const auto& vertex : polygon.vertices()) rings[0].push_back(vertex.point);
  for (const environment::Panel& panel : layout.panels) {
    canvas->set_view(panel.view);
    canvas->begin_group("view " + mesh.layers[panel.layer].id);
    if (panel.layer == from.layer) {
      canvas->polygon(rings, environment::Style::area({240, 180, 0}, 0.45).with_outline({200, 120, 0}, 0.6));
      canvas->dot(from.point, 3, environment::Style::area({200, 0, 0}));
    }
  }
  canvas->end_group();
  return canvas->finish();
}

ExitCode look_around(const Parsed& parsed, const LoadedMesh& loaded, const Place& from) {
  const Mesh& mesh = *loaded.mesh;
  navmesh::VisibilityPolygon polygon;
  polygon.compute(mesh, from, parsed.number("range").value_or(INFINITY));
  const std::vector<navmesh::VisibilityPolygon::Vertex> corners = corners_of(polygon);
  if (parsed.given("output")) {
    const std::string path = parsed.text("output");
    const std::string title = fmt::format("{}: seen from ({:g}, {:g})", parsed.text("ENV"), from.point.x, from.point.y);
    const Problems failures =
        environment::replace_file(path, picture(loaded, from, polygon, format_of_output(parsed, path) == "ipe", title));
    if (!failures.empty()) return refused(failures);
    if (!parsed.json()) say_written(path);
  }
  if (!parsed.json()) {
    fmt::print("from ({:g}, {:g}) in {}: {:.3f} m2 in view, {} corners\n", from.point.x, from.point.y,
               mesh.layers[from.layer].id, polygon.area(), corners.size());
    return ExitCode::done;
  }
  Json points = Json::array(), layers = Json::array();
  for (const auto& corner : corners) {
    points.push_back(json_of(corner.point));
    layers.push_back(mesh.layers[corner.layer].id);
  }
  print_json({{"from", json_of(from.point)},
              {"layer", mesh.layers[from.layer].id},
              {"area", polygon.area()},
              {"points", std::move(points)},
              {"layers", std::move(layers)}});
  return ExitCode::done;
}

ExitCode look_at(const Parsed& parsed, const Mesh& mesh, const Place& from, const Place& to) {
  const double radius = parsed.number("radius").value_or(0);
  const bool seen = navmesh::visible(mesh, from, to, radius);
  const navmesh::Hit hit = navmesh::first_hit(mesh, from, to.point);
  const double distance = std::sqrt(squared_length(to.point - from.point));
  if (parsed.json()) {
    print_json({{"visible", seen},
                {"radius", radius},
                {"distance", distance},
                {"hit", hit.blocked ? json_of(hit.point) : Json(nullptr)},
                {"end_layer", mesh.layers[hit.layer].id}});
    return ExitCode::done;
  }
  const std::string what = radius > 0 ? fmt::format("a disc of radius {:g} m can slide there", radius) : "it is seen";
  fmt::print("{}: {}{}\n", seen ? "yes" : "no", seen ? what : "not so that " + what,
             hit.blocked ? fmt::format("; the line meets an obstacle at ({:g}, {:g})", hit.point.x, hit.point.y)
                         : std::string());
  return ExitCode::done;
}

ExitCode run(const Parsed& parsed) {
  if (const std::string wrong = mesh_misuse(parsed); !wrong.empty()) return misuse(wrong);
  if (!parsed.given("from")) return misuse("--from X,Y[,LAYER] is missing");
  if (parsed.given("radius") && !parsed.given("to")) return misuse("--radius goes with --to");
  if (parsed.given("to") && (parsed.given("range") || parsed.given("output")))
    return misuse("--range and --output go without --to");
  if (const std::string wrong = picture_misuse(parsed, {"radius", "range"}); !wrong.empty()) return misuse(wrong);
  if (const auto code = Outputs("see").reads(parsed.text("ENV")).writes(parsed.text("output")).refused()) return *code;
  const Result<std::vector<WrittenPlace>> places = places_of(parsed, {"from", "to"});
  if (!places) return misuse(places.problems().front().message);
  const std::vector<WrittenPlace>& written = *places;
  const Result<LoadedMesh> loaded = load_mesh(parsed);
  if (!loaded) return refused(loaded.problems());
  const Mesh& mesh = *loaded->mesh;
  const Result<Place> from = resolve_walkable(written[0], mesh, "--from");
  const Result<Place> to = written.size() > 1 ? resolve(written[1], mesh, "--to") : from;
  Problems problems = from.problems();
  if (!to && written.size() > 1) problems.insert(problems.end(), to.problems().begin(), to.problems().end());
  if (!problems.empty()) return refused(problems);
  print_problems(loaded.problems());
  return written.size() > 1 ? look_at(parsed, mesh, *from, *to) : look_around(parsed, *loaded, *from);
}

const Registration registration({
    .name = "see",
    .summary = "the visibility polygon of a place, or whether a disc can slide to another place",
    .use = Use::worlds,
    .arguments =
        with_mesh_imports(mesh_arguments({"svg", "ipe"})
                              .option("--from", "PLACE", "X,Y[,LAYER]; without a layer, the first where it is walkable")
                              .option("--to", "PLACE", "where a disc should slide to")
                              .option("--radius", "R", "of the disc, in metres; 0 without it", Type::number)
                              .option("--range", "R", "how far the view need be right, in metres", Type::number)
                              .option("-o,--output", "FILE", "draw the view: .svg, .ipe")),
    .run = run,
    .details =
        "JSON with --to: visible, radius, distance, hit (the first obstacle point on the line, or null), end_layer.\n"
        "JSON without: from, layer, area in square metres, points (counterclockwise), layers (of the points).",
});

}  // namespace
}  // namespace throng::cli
