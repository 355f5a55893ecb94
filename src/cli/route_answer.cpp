#include "cli/route_answer.hpp"

#include <fmt/format.h>

#include <cmath>

#include "cli/outputs.hpp"
#include "environment/formats/picture.hpp"
#include "navmesh/files/mesh_drawing.hpp"
#include "text/output_file.hpp"

namespace throng::cli {
namespace {

using navmesh::Mesh;
using navmesh::Place;
using routes::Route;

/// Metres: how far the printed points may lie off the exact curve.
constexpr double flattening = 1e-3;

}  // namespace

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

Json class_of(const RouteDesk& desk, const Route& route) {
  const auto topology = routes::topology_of(desk.planner.graph(), route);
  return topology ? Json(routes::text_of(topology->chains)) : Json(nullptr);
}

namespace {

/// What costs at most infinitely much has no bound.
Json bound_of(double bound) { return bound < routes::unreachable ? Json(bound) : Json(nullptr); }

void add_search(Json& json, const RouteDesk& desk, const routes::SearchAnswer& search) {
  json["surface"] = routes::grid_shape_names[std::size_t(desk.grid->shape())];
  json["cell"] = desk.grid->cell();
  json["search"] = routes::search_kind_names[std::size_t(desk.settings.kind)];
  json["expansions"] = search.expansions;
  json["bound"] = bound_of(search.bound);
  Json stages = Json::array();
  for (const routes::SearchStage& stage : search.stages)
    stages.push_back({{"cost", stage.cost}, {"bound", bound_of(stage.bound)}, {"expansions", stage.expansions}});
  if (!stages.empty()) json["stages"] = std::move(stages);
}

Json ground_of(const TimedRoute& timed) {
  Json metres = Json::object();
  for (const auto& [type, length] : timed.metres) metres[type] = length;
  return metres;
}

/// On which sides a route passes which obstacles.
Json obstacles_of(const Mesh& mesh, const RouteDesk& desk, const Route& route) {
  const navmesh::Obstacles& obstacles = desk.graph->sides()->obstacles();
  const auto decisions = routes::decisions_of(mesh, obstacles, route);
  if (!decisions) return nullptr;
  Json list = Json::array();
  for (const routes::Decision decision : decisions->decisions()) {
    const Place& at = obstacles[decision.about].at;
    const std::string name = desk.names.name_of(decision.about);
    Json place{at.point.x, at.point.y};
    if (mesh.layers.size() > 1) place.push_back(mesh.layers[at.layer].id);
    list.push_back({{"name", name.empty() ? Json(nullptr) : Json(name)},
                    {"at", std::move(place)},
                    {"side", routes::name_of(decision.side)}});
  }
  return list;
}

}  // namespace

Json answer_of(const Mesh& mesh, const RouteDesk& desk, const TimedRoute& timed, bool curve) {
  const bool found = timed.found();
  Json json{{"found", found}, {"reason", found ? Json(nullptr) : Json(reason_of(desk, timed.reason))}};
  json["length"] = found ? Json(timed.route.length) : Json(nullptr);
  json["cost"] = found ? Json(timed.cost) : Json(nullptr);
  json["bound"] = found && timed.bound ? Json(*timed.bound) : Json(nullptr);
  json["ground"] = found ? ground_of(timed) : Json(nullptr);
  json["explored"] = timed.explored;
  json["class"] = timed.topology ? Json(routes::text_of(timed.topology->chains)) : Json(nullptr);
  json["obstacles"] = found ? obstacles_of(mesh, desk, timed.route) : Json(nullptr);
  if (curve) {
    json["points"] = found ? points_of(mesh, timed.route) : Json::array();
    json["segments"] = found ? segments_of(mesh, timed.route) : Json::array();
  }
  if (desk.grid) add_search(json, desk, timed.search);
  json["build_ms"] = desk.build_ms;
  json["ms"] = timed.ms;
  return json;
}

namespace {

/// Colours of routes: the body's width in a light one, its centre line in a strong one.
struct RouteColours {
  environment::Colour band, line;
};
/// Told apart by everybody (Okabe, Ito 2008). The first is that of a single route.
constexpr RouteColours route_colours[] = {{{240, 170, 60}, {200, 60, 0}},   {{140, 200, 240}, {0, 90, 170}},
                                          {{130, 210, 180}, {0, 120, 90}},  {{235, 180, 215}, {170, 50, 120}},
                                          {{250, 235, 120}, {150, 130, 0}}, {{195, 195, 195}, {60, 60, 60}}};

/// Routes over the plan, the first on top.
std::string picture(const LoadedMesh& loaded, const std::vector<const Route*>& routes, bool ipe,
                    const std::string& title, const std::map<std::string, std::string>& notes) {
  const Mesh& mesh = *loaded.mesh;
  const environment::CleanEnvironment* clean = loaded.environment ? &loaded.environment->clean : nullptr;
  const environment::Layout layout = clean ? environment::lay_out(*clean) : navmesh::lay_out(mesh);
  const auto canvas = ipe ? environment::make_ipe_canvas(layout.width, layout.height, title)
                          : environment::make_svg_canvas(layout.width, layout.height, title);
  if (clean)
    environment::draw_environment(*canvas, *clean, layout, title, notes);
  else
    navmesh::draw_obstacles(*canvas, mesh, layout, title);
  for (const environment::Panel& panel : layout.panels) {
    canvas->set_view(panel.view);
    const auto draw = [&](const Route& route, const environment::Style& style) {
      for (const routes::Piece& piece : route.pieces) {
        if (piece.layer != panel.layer) continue;
        std::vector<Vec2> line;
        const int parts = piece.is_arc() ? 2 + int(std::abs(piece.turn) * 12) : 1;
        for (int i = 0; i <= parts; ++i) line.push_back(piece.at(piece.length * i / parts));
        canvas->polyline(line, style);
      }
    };
    for (std::size_t i = routes.size(); i-- > 0;) {
      const Route& route = *routes[i];
      const auto& [band, line] = route_colours[i % std::size(route_colours)];
      canvas->begin_group(routes.size() == 1 ? "route " + mesh.layers[panel.layer].id
                                             : fmt::format("route {} {}", i + 1, mesh.layers[panel.layer].id));
      if (route.radius > 0) draw(route, environment::Style::line(band, 2 * route.radius * layout.scale));
      draw(route, environment::Style::line(line, 1.2));
      for (const Place& end : {route.start, route.goal})
        if (end.layer == panel.layer) canvas->dot(end.point, 3, environment::Style::area({160, 0, 0}));
      canvas->end_group();
    }
  }
  return canvas->finish();
}

/// The weight of each type, for the legend; nothing where nobody asked for weights.
std::map<std::string, std::string> legend_of(const RouteDesk& desk, const Parsed& parsed) {
  std::map<std::string, std::string> notes;
  if (!desk.atlas || !(parsed.given("weights") || parsed.given("profile") || desk.ground)) return notes;
  for (std::size_t kind = 0; kind < desk.kind_count(); ++kind) {
    const bool left_out = !desk.row.never.empty() && desk.row.never[kind];
    std::string weight = left_out ? "never" : fmt::format("x {:g}", desk.row.weight[kind]);
    if (desk.atlas->regions().kinds()[kind].slopes() && !left_out)
      weight = fmt::format("x {:g} up, {:g} across, {:g} down", desk.row.weight[desk.kind_count() + kind],
                           desk.row.weight[kind], desk.row.weight[2 * desk.kind_count() + kind]);
    notes[desk.atlas->regions().types()[kind]] = std::move(weight);
  }
  return notes;
}

}  // namespace

Problems write_picture(const Parsed& parsed, const LoadedMesh& loaded, const RouteDesk& desk,
                       const std::vector<const Route*>& routes, const std::string& what) {
  const std::string path = parsed.text("output");
  const std::string title = fmt::format("{}: {}", parsed.text("ENV"), what);
  const bool ipe = format_of_output(parsed, path) == "ipe";
  Problems failures = environment::replace_file(path, picture(loaded, routes, ipe, title, legend_of(desk, parsed)));
  if (failures.empty() && !parsed.json()) say_written(path);
  return failures;
}

void print_search(const RouteDesk& desk, const routes::SearchAnswer& search) {
  const auto bound = [](double value) {
    return value < routes::unreachable ? fmt::format("at most {:.4g} times the best", value) : std::string("no bound");
  };
  for (const routes::SearchStage& stage : search.stages)
    fmt::print("  after {} expansions {:.3f} m, {}\n", stage.expansions, stage.cost, bound(stage.bound));
  fmt::print("{} of {:g} m cells, {}: {} expansions, {}\n", routes::grid_shape_names[std::size_t(desk.grid->shape())],
             desk.grid->cell(), routes::search_kind_names[std::size_t(desk.settings.kind)], search.expansions,
             bound(search.bound));
}

void print_ground(const RouteDesk& desk, const TimedRoute& timed) {
  std::string ground;
  for (const auto& [type, length] : timed.metres)
    ground += fmt::format("{}{} {:.2f} m", ground.empty() ? "" : ", ", type, length);
  fmt::print("costs {:.4f}{}: {}\n", timed.cost,
             timed.bound ? fmt::format(", proven to be at most {:.4f} times the best", *timed.bound) : std::string(),
             ground);
  if (desk.ground)
    fmt::print("{}: {} points explored, made ready in {:.1f} ms\n",
               routes::ground_method_names[std::size_t(desk.numbers.method)], timed.explored, desk.build_ms);
}

}  // namespace throng::cli
