// throng route: one route, or many from a file.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>

#include "cli/command.hpp"
#include "cli/ground_arguments.hpp"
#include "cli/load_mesh.hpp"
#include "cli/outputs.hpp"
#include "cli/places.hpp"
#include "cli/report.hpp"
#include "environment/formats/picture.hpp"
#include "navmesh/files/mesh_drawing.hpp"
#include "navmesh/obstacle_names.hpp"
#include "routes/alternatives_finder.hpp"
#include "routes/axis_trace.hpp"
#include "routes/decided_route.hpp"
#include "routes/grid_surface.hpp"
#include "routes/ground_planner.hpp"
#include "routes/ground_route.hpp"
#include "routes/planner.hpp"
#include "routes/waypoints.hpp"
#include "text/output_file.hpp"

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
  routes::GroundVerdict reason = routes::GroundVerdict::found;
  double ms = 0;
  std::size_t explored = 0;
  double cost = 0;                                ///< weighted length
  std::map<std::string, double> metres;           ///< by type of ground, where there are any
  std::optional<double> bound;                    ///< of methods on weighted ground
  routes::SearchAnswer search;                    ///< on grids
  std::optional<routes::RouteTopology> topology;  ///< of a route that was found

  [[nodiscard]] bool found() const { return reason == routes::GroundVerdict::found; }
};

/// What routes are planned with.
struct Desk {
  std::shared_ptr<const routes::RouteGraph> graph;
  routes::Planner planner{graph};
  routes::WaypointGraphs waypoints;
  routes::Search search;
  std::optional<routes::GridSurface> grid;  ///< where --surface names one
  routes::SearchSettings settings;
  routes::AnySearch any_search;
  std::shared_ptr<const routes::GroundAtlas> atlas;  ///< none where a mesh without its regions was read
  std::optional<routes::GroundPlanner> ground;       ///< where the method is one of weighted ground
  routes::GroundNumbers numbers;
  routes::GroundRow row{{1.0}, {}};
  bool many = false;    ///< queries: what is kept for all of them pays
  double build_ms = 0;  ///< of what the method needs besides the mesh
  navmesh::ObstacleNames names;
  std::optional<routes::Strategy> told;  ///< on which sides obstacles are to be passed
  std::unique_ptr<routes::DecidedPlanner> decided;

  [[nodiscard]] std::size_t kind_count() const { return atlas ? atlas->regions().kinds().size() : 1; }
  [[nodiscard]] std::string type_name(std::size_t kind) const {
    return kind == 0 ? ground::plain_type : atlas->regions().types()[kind];
  }
  [[nodiscard]] routes::GroundQuery ground_query(const routes::RouteQuery& query) const {
    return {query.from, query.to, query.radius, query.clearance, row, numbers, many, query.adjust};
  }
};

/// Calls the work and says how many milliseconds it took.
double milliseconds_of(const auto& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

void plan_on_ground(Desk& desk, const routes::RouteQuery& query, Timed& timed) {
  const routes::GroundQuery asked = desk.ground_query(query);
  routes::GroundAnswer answer;
  timed.ms = milliseconds_of([&] { answer = desk.ground->plan(asked); });
  timed.reason = answer.verdict;
  timed.route = std::move(answer.route);
  timed.explored = answer.explored;
  timed.bound = answer.bound;
}

void plan_on_mesh(Desk& desk, const routes::RouteQuery& query, Timed& timed) {
  NoRoute reason{};
  timed.ms = milliseconds_of([&] {
    if (desk.told)
      reason = desk.decided->plan(query, *desk.told, desk.planner, timed.route, timed.explored);
    else if (desk.grid)
      reason = desk.grid->plan(query, desk.settings, desk.any_search, timed.route, timed.search);
    else
      reason = routes::plan_by_method(query, desk.waypoints, desk.planner, desk.search, timed.route, timed.explored);
  });
  if (desk.grid) timed.explored = timed.search.expansions;
  timed.reason = routes::verdict_of(reason);
}

Timed plan(Desk& desk, const routes::RouteQuery& query) {
  Timed timed;
  if (desk.ground)
    plan_on_ground(desk, query, timed);
  else
    plan_on_mesh(desk, query, timed);
  if (!timed.found()) return timed;
  timed.topology = routes::topology_of(desk.planner.graph(), timed.route);
  std::vector<double> metres(desk.kind_count(), 0);
  if (desk.atlas) {
    ground::RegionMap::Scratch scratch;
    timed.cost = routes::weigh_route(desk.atlas->regions(), timed.route, desk.numbers.body ? query.radius : 0,
                                     desk.row.weight.data(), scratch, metres);
  } else {
    timed.cost = metres[0] = timed.route.length;
  }
  for (std::size_t kind = 0; kind < metres.size(); ++kind)
    if (metres[kind] > 0) timed.metres[desk.type_name(kind)] += metres[kind];
  return timed;
}

/// On a grid that there is no way is said of the grid only.
std::string_view reason_of(const Desk& desk, routes::GroundVerdict reason) {
  if (desk.grid && reason == routes::GroundVerdict::not_connected) return "the search found no way over the grid";
  return routes::reason_of(reason);
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

/// Null where the class is not known, as of no planned route.
Json class_of(const Desk& desk, const Route& route) {
  const auto topology = routes::topology_of(desk.planner.graph(), route);
  return topology ? Json(routes::text_of(topology->chains)) : Json(nullptr);
}

/// What costs at most infinitely much has no bound.
Json bound_of(double bound) { return bound < routes::unreachable ? Json(bound) : Json(nullptr); }

void add_search(Json& json, const Desk& desk, const routes::SearchAnswer& search) {
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

Json ground_of(const Timed& timed) {
  Json metres = Json::object();
  for (const auto& [type, length] : timed.metres) metres[type] = length;
  return metres;
}

/// On which sides a route passes which obstacles.
Json obstacles_of(const Mesh& mesh, const Desk& desk, const Route& route) {
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

Json answer(const Mesh& mesh, const Desk& desk, const Timed& timed, bool curve) {
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
std::map<std::string, std::string> legend_of(const Desk& desk, const Parsed& parsed) {
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

Problems write_picture(const Parsed& parsed, const LoadedMesh& loaded, const Desk& desk,
                       const std::vector<const Route*>& routes, const std::string& what) {
  const std::string path = parsed.text("output");
  const std::string title = fmt::format("{}: {}", parsed.text("ENV"), what);
  const bool ipe = format_of_output(parsed, path) == "ipe";
  Problems failures = environment::replace_file(path, picture(loaded, routes, ipe, title, legend_of(desk, parsed)));
  if (failures.empty() && !parsed.json()) say_written(path);
  return failures;
}

void print_search(const Desk& desk, const routes::SearchAnswer& search) {
  const auto bound = [](double value) {
    return value < routes::unreachable ? fmt::format("at most {:.4g} times the best", value) : std::string("no bound");
  };
  for (const routes::SearchStage& stage : search.stages)
    fmt::print("  after {} expansions {:.3f} m, {}\n", stage.expansions, stage.cost, bound(stage.bound));
  fmt::print("{} of {:g} m cells, {}: {} expansions, {}\n", routes::grid_shape_names[std::size_t(desk.grid->shape())],
             desk.grid->cell(), routes::search_kind_names[std::size_t(desk.settings.kind)], search.expansions,
             bound(search.bound));
}

/// What it costs, and over which ground it leads.
void print_ground(const Desk& desk, const Timed& timed) {
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

ExitCode plan_one(const Parsed& parsed, const LoadedMesh& loaded, Desk& desk, const routes::RouteQuery& query) {
  const Mesh& mesh = *loaded.mesh;
  const Timed timed = plan(desk, query);
  const bool priced = desk.ground || parsed.given("weights") || parsed.given("profile");
  if (parsed.given("output") && timed.found()) {
    std::string what = fmt::format("route of {:.2f} m for radius {:g} m", timed.route.length, query.radius);
    if (priced) what += fmt::format(", costs {:.2f}", timed.cost);
    const Problems failures = write_picture(parsed, loaded, desk, {&timed.route}, what);
    if (!failures.empty()) return refused(failures);
  }
  if (parsed.json()) {
    print_json(answer(mesh, desk, timed, true));
  } else if (timed.found()) {
    fmt::print("{:.3f} m, {} pieces, through {} passages, planned in {:.3f} ms\n", timed.route.length,
               timed.route.pieces.size(), timed.topology ? timed.topology->passages.size() : 0, timed.ms);
    if (priced) print_ground(desk, timed);
  } else {
    fmt::print("no route: {}\n", reason_of(desk, timed.reason));
  }
  if (desk.grid && !parsed.json() && timed.reason != routes::GroundVerdict::start_blocked &&
      timed.reason != routes::GroundVerdict::goal_blocked)
    print_search(desk, timed.search);
  return ExitCode::done;
}

ExitCode plan_alternatives(const Parsed& parsed, const LoadedMesh& loaded, Desk& desk,
                           const routes::RouteQuery& query) {
  routes::Planner::Alternatives found;
  NoRoute reason{};
  const std::size_t count = std::size_t(*parsed.whole_number("alternatives"));
  const double ms = milliseconds_of([&] { reason = desk.planner.plan_alternatives(query, count, found); });
  if (parsed.given("output") && !found.routes.empty()) {
    std::vector<const Route*> routes;
    for (const Route& route : found.routes) routes.push_back(&route);
    const Problems failures =
        write_picture(parsed, loaded, desk, routes,
                      fmt::format("the {} best ways for radius {:g} m, from {:.2f} to {:.2f} m", routes.size(),
                                  query.radius, routes.front()->length, routes.back()->length));
    if (!failures.empty()) return refused(failures);
  }
  if (parsed.json()) {
    Json alternatives = Json::array();
    for (const Route& route : found.routes)
      alternatives.push_back({{"length", route.length},
                              {"class", class_of(desk, route)},
                              {"points", points_of(*loaded.mesh, route)},
                              {"segments", segments_of(*loaded.mesh, route)}});
    print_json({{"found", reason == NoRoute::found},
                {"reason", reason == NoRoute::found ? Json(nullptr) : Json(routes::reason_of(reason))},
                {"alternatives", std::move(alternatives)},
                {"complete", found.complete},
                {"expansions", found.expansions},
                {"ms", ms}});
    return ExitCode::done;
  }
  if (reason != NoRoute::found) {
    fmt::print("no route: {}\n", routes::reason_of(reason));
    return ExitCode::done;
  }
  for (std::size_t i = 0; i < found.routes.size(); ++i) {
    const Route& route = found.routes[i];
    const auto topology = routes::topology_of(desk.planner.graph(), route);
    fmt::print("{}: {:.3f} m, {:+.1f} %, {} pieces, through {} passages\n", i + 1, route.length,
               route.length > 0 ? 100 * (route.length / found.routes.front().length - 1) : 0.0, route.pieces.size(),
               topology ? topology->passages.size() : 0);
  }
  fmt::print("{} of {} asked for{}, planned in {:.1f} ms\n", found.routes.size(), count,
             found.routes.size() == count ? ""
             : found.complete             ? "; there are no more"
                                          : "; given up, there may be more",
             ms);
  return ExitCode::done;
}

/// What of the options for grids and alternatives does not go together; empty where all does.
std::string misfit(const Parsed& parsed) {
  const bool grid = parsed.given("surface") && parsed.text("surface") != "mesh";
  for (const std::string& told : parsed.list("pass"))
    if (!(told.starts_with("left:") || told.starts_with("right:")) || told.ends_with(':'))
      return fmt::format("--pass wants left:OBSTACLE or right:OBSTACLE, by name or X,Y[,LAYER], not '{}'", told);
  if (parsed.given("pass") && (grid || parsed.given("alternatives")))
    return fmt::format("--pass does not go with {}", grid ? "a grid" : "--alternatives");
  if (!grid)
    for (const char* option : {"cell", "search", "weight", "width", "budget"})
      if (parsed.given(option)) return fmt::format("--{} goes with --surface grid4, grid8 or hex", option);
  for (const char* option : {"method", "clearance"})
    if (parsed.given(option) && (grid || parsed.given("alternatives")))
      return fmt::format("--{} does not go with {}", option, grid ? "a grid" : "--alternatives");
  if (parsed.given("cell") && *parsed.number("cell") <= 0) return "--cell wants a length above 0";
  if (parsed.given("weight") && *parsed.number("weight") < 1) return "--weight wants a number from 1 on";
  for (const char* option : {"width", "budget"})
    if (parsed.given(option) && *parsed.whole_number(option) < 1)
      return fmt::format("--{} wants a whole number from 1 on", option);
  if (!parsed.given("alternatives")) return "";
  if (grid) return "--alternatives are looked for on the mesh, not on a grid";
  if (parsed.given("queries")) return "--alternatives takes one query: --from and --to";
  const long long count = *parsed.whole_number("alternatives");
  constexpr auto most = (long long)routes::AlternativesFinder::most_count;
  return count >= 1 && count <= most ? "" : fmt::format("--alternatives wants a whole number from 1 to {}", most);
}

/// The same for weighted ground; `ground` where the method is one of its own.
std::string ground_misfit(const Parsed& parsed, bool ground) {
  if (ground && parsed.given("pass")) return "--pass goes with routes on the mesh, not over weighted ground";
  if (!ground)
    for (const char* option : {"eps", "numbers", "prove"})
      if (parsed.given(option)) return fmt::format("--{} goes with --method weighted, spm, vbp or grid", option);
  if (parsed.given("weights") && parsed.given("profile")) return "--weights or --profile, not both";
  return "";
}

/// What --pass says: SIDE:OBSTACLE, by name or by a place.
Problems read_told(const Parsed& parsed, const LoadedMesh& loaded, Desk& desk) {
  const Mesh& mesh = *loaded.mesh;
  const navmesh::Obstacles& obstacles = desk.graph->sides()->obstacles();
  if (loaded.environment) desk.names = navmesh::ObstacleNames(mesh, obstacles, loaded.environment->source);
  if (!parsed.given("pass")) return {};
  desk.told.emplace();
  desk.decided = std::make_unique<routes::DecidedPlanner>(*desk.graph);
  Problems problems;
  for (const std::string& text : parsed.list("pass")) {
    const std::string origin = fmt::format("--pass {}", text);
    const std::size_t colon = text.find(':');
    const std::string word = text.substr(0, colon), what = text.substr(colon + 1);
    navmesh::ObstacleRef wanted{.name = what, .near = {}, .describe = fmt::format("'{}'", what)};
    if (const Result<WrittenPlace> place = parse_place(what)) {
      wanted.name.clear();
      const Result<Place> near = resolve(*place, mesh, origin);
      if (!near) {
        problems.insert(problems.end(), near.problems().begin(), near.problems().end());
        continue;
      }
      wanted.near = *near;
    }
    const auto found = navmesh::find_obstacles(mesh, obstacles, desk.names, wanted, origin);
    if (!found) {
      problems.insert(problems.end(), found.problems().begin(), found.problems().end());
      continue;
    }
    const routes::Side side = word == "left" ? routes::Side::left : routes::Side::right;
    for (const navmesh::Index obstacle : *found) {
      if (desk.told->says(obstacle, routes::other_side(side)))
        problems.push_back({Severity::error, ProblemCode::value, origin,
                            "it is one obstacle with another that was told to the other side"});
      desk.told->set({obstacle, side});
    }
  }
  return problems;
}

/// Which method of weighted ground is meant; nothing: another one.
std::optional<routes::GroundMethod> ground_method(const Parsed& parsed) {
  const auto& names = routes::ground_method_names;
  const auto at = std::find(std::begin(names), std::end(names), parsed.text("method"));
  if (at == std::end(names)) return {};
  return routes::GroundMethod(at - std::begin(names));
}

/// Reads weights, and makes the surface and the points or the grid of a method on weighted ground.
Problems lay_ground(const Parsed& parsed, const LoadedMesh& loaded, routes::RouteQuery& query, Desk& desk) {
  std::map<std::string, GroundWeight> weights;
  if (parsed.given("profile")) {
    const Result<ProfileGround> profile = read_profile_ground(parsed.text("profile"));
    if (!profile) return profile.problems();
    weights = profile->weights;
    if (!parsed.given("radius")) query.radius = profile->radius;
    if (!parsed.given("clearance")) query.clearance = std::max(query.radius, profile->clearance);
  }
  if (!loaded.environment) {
    if (!ground_method(parsed) && !parsed.given("weights")) return {};
    return {{Severity::error, ProblemCode::value, parsed.text("ENV"),
             "a mesh file does not say what the ground is: give the environment"}};
  }
  desk.atlas = std::make_shared<routes::GroundAtlas>(
      std::make_shared<environment::CleanEnvironment>(loaded.environment->clean), desk.graph);
  const std::vector<std::string>& types = desk.atlas->regions().types();
  if (parsed.given("weights")) {
    const auto given = parse_weights(parsed.text("weights"), types);
    if (!given) return given.problems();
    weights = *given;
  }
  const ground::GroundKinds& kinds = desk.atlas->regions().kinds();
  desk.row = routes::row_of(ground::row_of(kinds, weights), kinds);
  if (!ground_method(parsed)) return {};
  desk.ground.emplace(desk.atlas);
  routes::GroundVerdict ready{};
  desk.build_ms = milliseconds_of([&] { ready = desk.ground->prepare(desk.ground_query(query)); });
  if (ready == routes::GroundVerdict::too_many_cells || ready == routes::GroundVerdict::too_crowded)
    return {{Severity::error, ProblemCode::limit, "--method", std::string(routes::reason_of(ready))}};
  return {};
}

/// The place of a name in a list, its first where it was not given.
template <class Choice>
Choice chosen(const Parsed& parsed, const char* option, std::span<const std::string_view> names) {
  if (!parsed.given(option)) return Choice(0);
  return Choice(std::find(names.begin(), names.end(), parsed.text(option)) - names.begin());
}

/// Makes the grid that --surface names.
Problems lay_grid(const Parsed& parsed, const LoadedMesh& loaded, double radius, Desk& desk) {
  if (!parsed.given("surface") || parsed.text("surface") == "mesh") return {};
  const auto shape = chosen<routes::GridShape>(parsed, "surface", routes::grid_shape_names);
  Result<routes::GridSurface> grid =
      routes::GridSurface::make(loaded.mesh, shape, parsed.number("cell").value_or(0.5), radius);
  if (!grid) return grid.problems();
  desk.grid.emplace(std::move(grid).value());
  desk.settings.kind = chosen<routes::SearchKind>(parsed, "search", routes::search_kind_names);
  desk.settings.weight = parsed.number("weight").value_or(desk.settings.weight);
  if (parsed.given("width")) desk.settings.width = std::size_t(*parsed.whole_number("width"));
  if (parsed.given("budget")) desk.settings.budget = std::size_t(*parsed.whole_number("budget"));
  return {};
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
    found += timed.found();
    ms.push_back(timed.ms);
    total += timed.ms;
    print_json(answer(*loaded.mesh, desk, timed, parsed.flag("points")));
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
  if (const std::string wrong = mesh_misuse(parsed); !wrong.empty()) return misuse(wrong);
  const bool many = parsed.given("queries");
  if (many ? parsed.given("from") || parsed.given("to") || parsed.given("output")
           : !parsed.given("from") || !parsed.given("to"))
    return misuse("it takes --from and --to, or --queries alone");
  if (const std::string wrong = picture_misuse(parsed, {"radius", "clearance"}); !wrong.empty()) return misuse(wrong);
  if (const auto code =
          Outputs("route").reads({parsed.text("ENV"), parsed.text("queries")}).writes(parsed.text("output")).refused())
    return *code;
  if (const std::string wrong = misfit(parsed); !wrong.empty()) return misuse(wrong);
  if (const std::string wrong = ground_misfit(parsed, ground_method(parsed).has_value()); !wrong.empty())
    return misuse(wrong);
  routes::GroundNumbers numbers;
  if (const auto method = ground_method(parsed)) {
    numbers.method = *method;
    if (const std::string wrong = read_ground_numbers(parsed, numbers); !wrong.empty()) return misuse(wrong);
  }
  const Result<std::vector<WrittenPlace>> places = places_of(parsed, {"from", "to"});
  if (!places) return misuse(places.problems().front().message);
  const std::vector<WrittenPlace>& written = *places;
  const Result<LoadedMesh> loaded = load_mesh(parsed);
  if (!loaded) return refused(loaded.problems());
  print_problems(loaded.problems());

  routes::RouteQuery query;
  query.radius = parsed.number("radius").value_or(0.25);
  query.clearance = parsed.number("clearance").value_or(query.radius);
  if (!ground_method(parsed)) query.method = chosen<routes::RouteMethod>(parsed, "method", routes::route_method_names);
  Desk desk{.graph = std::make_shared<routes::RouteGraph>(loaded->mesh)};
  desk.numbers = numbers;
  desk.many = many;
  if (const Problems failures = lay_ground(parsed, *loaded, query, desk); !failures.empty()) return refused(failures);
  if (const Problems failures = read_told(parsed, *loaded, desk); !failures.empty()) return refused(failures);
  Problems failures;
  const double grid_ms = milliseconds_of([&] {
    failures = lay_grid(parsed, *loaded, query.radius, desk);
    if (routes::uses_waypoints(query.method)) desk.waypoints.make(loaded->mesh, query.method, query.radius);
  });
  if (!failures.empty()) return refused(failures);
  if (desk.grid || routes::uses_waypoints(query.method)) desk.build_ms = grid_ms;
  if (many) return plan_many(parsed, *loaded, desk, query);
  const Result<Place> from = resolve(written[0], *loaded->mesh, "--from");
  const Result<Place> to = resolve(written[1], *loaded->mesh, "--to");
  Problems problems = from.problems();
  problems.insert(problems.end(), to.problems().begin(), to.problems().end());
  if (!from || !to) return refused(problems);
  query.from = *from, query.to = *to;
  return parsed.given("alternatives") ? plan_alternatives(parsed, *loaded, desk, query)
                                      : plan_one(parsed, *loaded, desk, query);
}

std::vector<std::string> method_names() {
  std::vector<std::string> names(std::begin(routes::route_method_names), std::end(routes::route_method_names));
  names.insert(names.end(), std::begin(routes::ground_method_names), std::end(routes::ground_method_names));
  return names;
}

const Registration registration({
    .name = "route",
    .summary = "the way from one place to another for a body of a given radius",
    .use = Use::worlds,
    .arguments = with_mesh_imports(
        mesh_arguments({"svg", "ipe"})
            .option("--from", "PLACE", "X,Y[,LAYER]; without a layer, the first where it is walkable")
            .option("--to", "PLACE", "where to")
            .option("--queries", "FILE.csv", "many at once: x0,y0[,layer0],x1,y1[,layer1] a line; - is standard input")
            .choice("--method", "M",
                    "short (default), shortest, medial, left, right, visibility, voronoi_sites; on weighted ground: "
                    "weighted, spm, vbp, grid",
                    method_names())
            .option("--radius", "R", "of the body, in metres; 0.25 without it", Type::number)
            .option("--clearance", "C", "distance from obstacles it would like to keep; the radius without it",
                    Type::number)
            .option("--weights", "TYPE=W,...",
                    "what a metre on each type of ground costs, 0.001 to 1e6; 1 where it is not said")
            .option("--profile", "SCENARIO:NAME", "weights, radius and clearance of a profile in a scenario")
            .repeated("--pass", "SIDE:OBSTACLE",
                      "pass an obstacle on that side of it, by its name or the one nearest to a place: right:kiosk, "
                      "left:12.5,8; may be given again")
            .option("--eps", "E", "of weighted, spm, vbp: how near the best, above 0 and at most 0.5; 0.1 without it",
                    Type::number)
            .option("--numbers", "NAME=VALUE,...",
                    "of methods on weighted ground: cell, nodes=centres|corners (grid); grid, nodes, "
                    "prune=triangle|edge|vertex (vbp); points=published|proven (spm, vbp); body=0|1 (who feels the "
                    "ground: the centre or the whole body)")
            .flag("--prove", "prove how near the best the cost is: `bound`")
            .option("--alternatives", "K",
                    "the K best ways that differ in which side of an obstacle they pass, shortest first",
                    Type::whole_number)
            .choice("--surface", "S", "what to plan on: mesh (default), or a grid4, grid8 or hex grid",
                    {"mesh", "grid4", "grid8", "hex"})
            .option("--cell", "C", "distance of a grid's centres; 0.5 without it", Type::number)
            .choice("--search", "A",
                    "on a grid: astar (default), dijkstra, weighted, best-first, beam, bidirectional, ara, ana",
                    {std::begin(routes::search_kind_names), std::end(routes::search_kind_names)})
            .option("--weight", "W", "of weighted, and the first one of ara; 2.5 without it", Type::number)
            .option("--width", "N", "of beam: open nodes it keeps; 100 without it", Type::whole_number)
            .option("--budget", "N", "expansions after which a grid search ends with what it has", Type::whole_number)
            .flag("--points", "with --queries: print the points and segments of each route")
            .option("-o,--output", "FILE", "draw the route: .svg, .ipe")),
    .run = run,
    .details =
        "JSON: found, reason, length, cost (weighted length, by any method), bound (the cost is at most that many "
        "times the best;\n"
        "null where nothing is proven or promised), ground (metres by type), explored, class (text, equal for ways "
        "between the\n"
        "same ends that can be pulled into each other), obstacles (name, at, side: left or right of each that it "
        "passes), points, segments (lines and arcs), build_ms, ms. With "
        "--queries a line\n"
        "each, then one of totals: queries, found_count, mean_ms, p99_ms, queries_per_s.\n"
        "On a grid also: surface, cell, search, expansions, bound (the cost is at most that many times the best of "
        "the grid),\n"
        "and for ara and ana stages, each with cost, bound, expansions. With --alternatives: found, reason, "
        "alternatives (length,\n"
        "class, points, segments), complete, expansions, ms.\n"
        "No route is an answer, not an error: the exit code is 0 and the reason says why.",
});

}  // namespace
}  // namespace throng::cli
