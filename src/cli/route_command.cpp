// throng route: one route, or many from a file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/places.hpp"
#include "cli/report.hpp"
#include "environment/files.hpp"
#include "environment/picture.hpp"
#include "navmesh/mesh_drawing.hpp"
#include "routes/planner.hpp"
#include "routes/waypoints.hpp"

namespace throng::cli {
namespace {

using navmesh::Mesh;
using navmesh::Place;
using routes::NoRoute;
using routes::Route;

/// Metres: how far the printed points may lie off the exact curve.
constexpr double flattening = 1e-3;

ExitCode misuse(std::string_view message) {
  fmt::print(stderr, "throng route: {}\n", message);
  return ExitCode::misuse;
}

struct Timed {
  Route route;
  NoRoute reason = NoRoute::found;
  double ms = 0;
};

/// What routes are planned with.
struct Desk {
  routes::Planner planner;
  routes::WaypointGraphs waypoints;
  routes::Search search;
};

Timed plan(Desk& desk, const routes::RouteQuery& query) {
  Timed timed;
  std::size_t expansions = 0;
  const auto begin = std::chrono::steady_clock::now();
  timed.reason = routes::plan_by_method(query, desk.waypoints, desk.planner, desk.search, timed.route, expansions);
  timed.ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  return timed;
}

Json points_of(const Mesh& mesh, const Route& route) {
  Json points = Json::array();
  for (const Place& place : route.flatten(mesh, flattening)) {
    Json point{place.point.x, place.point.y};
    if (mesh.layers.size() > 1) point.push_back(mesh.layers[place.layer].id);
    points.push_back(std::move(point));
  }
  return points;
}

Json segments_of(const Mesh& mesh, const Route& route) {
  Json segments = Json::array();
  for (const routes::Piece& piece : route.pieces) {
    Json segment{{"type", piece.is_arc() ? "arc" : "line"},
                 {"from", {piece.from.x, piece.from.y}},
                 {"to", {piece.to.x, piece.to.y}}};
    if (piece.is_arc()) {
      segment["centre"] = {piece.centre.x, piece.centre.y};
      segment["radius"] = piece.radius;
      segment["turn"] = piece.turn;
    }
    segment["layer"] = mesh.layers[piece.layer].id;
    segments.push_back(std::move(segment));
  }
  return segments;
}

Json answer(const Mesh& mesh, const Timed& timed, bool curve) {
  const bool found = timed.reason == NoRoute::found;
  Json json{{"found", found}, {"reason", found ? Json(nullptr) : Json(routes::reason_of(timed.reason))}};
  json["length"] = found ? Json(timed.route.length) : Json(nullptr);
  json["cost"] = found ? Json(timed.route.cost) : Json(nullptr);
  if (curve) {
    json["points"] = found ? points_of(mesh, timed.route) : Json::array();
    json["segments"] = found ? segments_of(mesh, timed.route) : Json::array();
  }
  json["ms"] = timed.ms;
  return json;
}

/// The route over the plan: the body's width in a light band, its centre line in a strong one.
std::string picture(const LoadedMesh& loaded, const Route& route, bool ipe, const std::string& title) {
  const Mesh& mesh = *loaded.mesh;
  const environment::CleanEnvironment* clean = loaded.environment ? &loaded.environment->clean : nullptr;
  const environment::Layout layout = clean ? environment::lay_out(*clean) : navmesh::lay_out(mesh);
  const auto canvas = ipe ? environment::make_ipe_canvas(layout.width, layout.height, title)
                          : environment::make_svg_canvas(layout.width, layout.height, title);
  if (clean)
    environment::draw_environment(*canvas, *clean, layout, title);
  else
    navmesh::draw_obstacles(*canvas, mesh, layout, title);
  for (const environment::Panel& panel : layout.panels) {
    canvas->set_view(panel.view);
    canvas->begin_group("route " + mesh.layers[panel.layer].id);
    const auto draw = [&](const environment::Style& style) {
      for (const routes::Piece& piece : route.pieces) {
        if (piece.layer != panel.layer) continue;
        std::vector<Vec2> line;
        const int parts = piece.is_arc() ? 2 + int(std::abs(piece.turn) * 12) : 1;
        for (int i = 0; i <= parts; ++i) line.push_back(piece.at(piece.length * i / parts));
        canvas->polyline(line, style);
      }
    };
    if (route.radius > 0) draw(environment::Style::line({240, 170, 60}, 2 * route.radius * layout.scale));
    draw(environment::Style::line({200, 60, 0}, 1.2));
    for (const Place& end : {route.start, route.goal})
      if (end.layer == panel.layer) canvas->dot(end.point, 3, environment::Style::area({160, 0, 0}));
    canvas->end_group();
  }
  return canvas->finish();
}

ExitCode plan_one(const Parsed& parsed, const LoadedMesh& loaded, Desk& desk, const routes::RouteQuery& query) {
  const Mesh& mesh = *loaded.mesh;
  const Timed timed = plan(desk, query);
  if (parsed.given("output") && timed.reason == NoRoute::found) {
    const std::string path = parsed.text("output");
    const std::string title =
        fmt::format("{}: route of {:.2f} m for radius {:g} m", parsed.text("ENV"), timed.route.length, query.radius);
    const Problems failures =
        environment::replace_file(path, picture(loaded, timed.route, path.ends_with(".ipe"), title));
    if (!failures.empty()) return refused(failures);
  }
  if (parsed.json()) {
    print_json(answer(mesh, timed, true));
  } else if (timed.reason == NoRoute::found) {
    fmt::print("{:.3f} m, {} pieces, through {} passages, planned in {:.3f} ms\n", timed.route.length,
               timed.route.pieces.size(), timed.route.passages.size(), timed.ms);
  } else {
    fmt::print("no route: {}\n", routes::reason_of(timed.reason));
  }
  return ExitCode::done;
}

ExitCode plan_many(const Parsed& parsed, const LoadedMesh& loaded, Desk& desk, routes::RouteQuery query) {
  const std::string path = parsed.text("queries");
  const Result<std::vector<PlaceRow>> rows = read_place_csv(path, 2);
  if (!rows) return refused(rows.problems());
  std::vector<std::pair<Place, Place>> ends;
  Problems problems;
  for (const PlaceRow& row : *rows) {
    const std::string origin = fmt::format("{}:{}", path, row.line);
    const Result<Place> from = resolve(row.places[0], *loaded.mesh, origin);
    const Result<Place> to = resolve(row.places[1], *loaded.mesh, origin);
    for (const auto* place : {&from, &to})
      if (!*place) problems.insert(problems.end(), place->problems().begin(), place->problems().end());
    if (from && to) ends.emplace_back(*from, *to);
  }
  if (has_errors(problems)) return refused(problems);
  std::vector<double> ms;
  std::size_t found = 0;
  double total = 0;
  for (const auto& [from, to] : ends) {
    query.from = from, query.to = to;
    const Timed timed = plan(desk, query);
    found += timed.reason == NoRoute::found;
    ms.push_back(timed.ms);
    total += timed.ms;
    print_json(answer(*loaded.mesh, timed, parsed.flag("points")));
  }
  std::sort(ms.begin(), ms.end());
  const std::size_t count = ms.size();
  print_json({{"queries", count},
              {"found_count", found},
              {"mean_ms", count > 0 ? total / double(count) : 0.0},
              {"p99_ms", count > 0 ? ms[std::min(count - 1, count * 99 / 100)] : 0.0},
              {"queries_per_s", total > 0 ? double(count) / total * 1000 : 0.0}});
  return ExitCode::done;
}

ExitCode run(const Parsed& parsed) {
  const bool many = parsed.given("queries");
  if (many ? parsed.given("from") || parsed.given("to") || parsed.given("output")
           : !parsed.given("from") || !parsed.given("to"))
    return misuse("it takes --from and --to, or --queries alone");
  for (const char* length : {"radius", "clearance"})
    if (parsed.given(length) && *parsed.number(length) < 0)
      return misuse(fmt::format("--{} wants a length from 0 on", length));
  if (const std::string path = parsed.text("output");
      !path.empty() && !path.ends_with(".svg") && !path.ends_with(".ipe"))
    return misuse("pictures are .svg or .ipe");
  std::vector<WrittenPlace> written;
  for (const char* option : {"from", "to"}) {
    if (!parsed.given(option)) continue;
    const Result<WrittenPlace> place = parse_place(parsed.text(option));
    if (!place) return misuse(fmt::format("--{}: {}", option, place.problems().front().message));
    written.push_back(*place);
  }
  const Result<LoadedMesh> loaded = load_mesh(parsed);
  if (!loaded) return refused(loaded.problems());
  print_problems(loaded.problems());

  routes::RouteQuery query;
  query.radius = parsed.number("radius").value_or(0.25);
  query.clearance = parsed.number("clearance").value_or(query.radius);
  const auto& names = routes::route_method_names;
  const auto method =
      std::find(std::begin(names), std::end(names), parsed.given("method") ? parsed.text("method") : "short");
  query.method = routes::RouteMethod(method - std::begin(names));
  Desk desk{routes::Planner(std::make_shared<routes::RouteGraph>(loaded->mesh)), {}, {}};
  if (routes::uses_waypoints(query.method)) desk.waypoints.make(loaded->mesh, query.method, query.radius);
  if (many) return plan_many(parsed, *loaded, desk, query);
  const Result<Place> from = resolve(written[0], *loaded->mesh, "--from");
  const Result<Place> to = resolve(written[1], *loaded->mesh, "--to");
  Problems problems = from.problems();
  problems.insert(problems.end(), to.problems().begin(), to.problems().end());
  if (!from || !to) return refused(problems);
  query.from = *from, query.to = *to;
  return plan_one(parsed, *loaded, desk, query);
}

const Registration registration({
    .name = "route",
    .summary = "the way from one place to another for a body of a given radius",
    .arguments = mesh_arguments()
                     .option("--from", "PLACE", "X,Y[,LAYER]; without a layer, the first where it is walkable")
                     .option("--to", "PLACE", "where to")
                     .option("--queries", "FILE.csv",
                             "many at once: x0,y0[,layer0],x1,y1[,layer1] a line; - is standard input")
                     .choice("--method", "M", "short (default), medial, left, right, visibility, voronoi_sites",
                             {std::begin(routes::route_method_names), std::end(routes::route_method_names)})
                     .option("--radius", "R", "of the body, in metres; 0.25 without it", Type::number)
                     .option("--clearance", "C", "distance from obstacles it would like to keep; the radius without it",
                             Type::number)
                     .flag("--points", "with --queries: print the points and segments of each route")
                     .option("-o,--output", "FILE", "draw the route: .svg, .ipe"),
    .run = run,
    .details = "JSON: found, reason, length, cost (along the axis), points, segments (lines and arcs), ms. With "
               "--queries a line\n"
               "each, then one of totals: queries, found_count, mean_ms, p99_ms, queries_per_s.\n"
               "No route is an answer, not an error: the exit code is 0 and the reason says why.",
});

}  // namespace
}  // namespace throng::cli
