#include "cli/route_desk.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/ground_arguments.hpp"
#include "cli/places.hpp"

namespace throng::cli {
namespace {

using navmesh::Mesh;
using navmesh::Place;
using routes::NoRoute;

void plan_on_ground(RouteDesk& desk, const routes::RouteQuery& query, TimedRoute& timed) {
  const routes::GroundQuery asked = desk.ground_query(query);
  routes::GroundAnswer answer;
  timed.ms = milliseconds_of([&] { answer = desk.ground->plan(asked); });
  timed.reason = answer.verdict;
  timed.route = std::move(answer.route);
  timed.explored = answer.explored;
  timed.bound = answer.bound;
}

void plan_on_mesh(RouteDesk& desk, const routes::RouteQuery& query, TimedRoute& timed) {
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

}  // namespace

TimedRoute plan_route(RouteDesk& desk, const routes::RouteQuery& query) {
  TimedRoute timed;
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

std::string_view reason_of(const RouteDesk& desk, routes::GroundVerdict reason) {
  if (desk.grid && reason == routes::GroundVerdict::not_connected) return "the search found no way over the grid";
  return routes::reason_of(reason);
}

Problems read_told(const Parsed& parsed, const LoadedMesh& loaded, RouteDesk& desk) {
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

std::optional<routes::GroundMethod> ground_method(const Parsed& parsed) {
  const auto& names = routes::ground_method_names;
  const auto at = std::find(std::begin(names), std::end(names), parsed.text("method"));
  if (at == std::end(names)) return {};
  return routes::GroundMethod(at - std::begin(names));
}

Problems lay_ground(const Parsed& parsed, const LoadedMesh& loaded, routes::RouteQuery& query, RouteDesk& desk) {
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

Problems lay_grid(const Parsed& parsed, const LoadedMesh& loaded, double radius, RouteDesk& desk) {
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

}  // namespace throng::cli
