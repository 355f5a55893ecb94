// throng route: one route, or many from a file.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>

#include "cli/command.hpp"
#include "cli/ground_arguments.hpp"
#include "cli/load_mesh.hpp"
#include "cli/outputs.hpp"
#include "cli/places.hpp"
#include "cli/report.hpp"
#include "cli/route_answer.hpp"
#include "cli/route_desk.hpp"
#include "routes/alternatives_finder.hpp"

namespace throng::cli {
namespace {

using navmesh::Mesh;
using navmesh::Place;
using routes::NoRoute;
using routes::Route;

ExitCode misuse(std::string_view message) {
  fmt::print(stderr, "throng route: {}\n", message);
  return ExitCode::misuse;
}

ExitCode plan_one(const Parsed& parsed, const LoadedMesh& loaded, RouteDesk& desk, const routes::RouteQuery& query) {
  const Mesh& mesh = *loaded.mesh;
  const TimedRoute timed = plan_route(desk, query);
  const bool priced = desk.ground || parsed.given("weights") || parsed.given("profile");
  if (parsed.given("output") && timed.found()) {
    std::string what = fmt::format("route of {:.2f} m for radius {:g} m", timed.route.length, query.radius);
    if (priced) what += fmt::format(", costs {:.2f}", timed.cost);
    const Problems failures = write_picture(parsed, loaded, desk, {&timed.route}, what);
    if (!failures.empty()) return refused(failures);
  }
  if (parsed.json()) {
    print_json(answer_of(mesh, desk, timed, true));
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

ExitCode plan_alternatives(const Parsed& parsed, const LoadedMesh& loaded, RouteDesk& desk,
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

ExitCode plan_many(const Parsed& parsed, const LoadedMesh& loaded, RouteDesk& desk, routes::RouteQuery query) {
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
    const TimedRoute timed = plan_route(desk, query);
    found += timed.found();
    ms.push_back(timed.ms);
    total += timed.ms;
    print_json(answer_of(*loaded.mesh, desk, timed, parsed.flag("points")));
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
  RouteDesk desk{.graph = std::make_shared<routes::RouteGraph>(loaded->mesh)};
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
