// World::route by any method (include/throng/world.hpp).
#include <algorithm>
#include <cmath>
#include <mutex>

#include "crowd/world.hpp"
#include "routes/ground_planner.hpp"
#include "routes/ground_route.hpp"
#include "routes/waypoints.hpp"
#include "throng/world.hpp"

namespace throng {

namespace {

/// Metres: how far points may lie off the exact curve.
constexpr double flattening = 1e-3;

Problem wrong(const std::string& where, const std::string& what) {
  return {Severity::error, ProblemCode::value, where, what};
}

template <class Names>
std::optional<std::size_t> place_of_name(const Names& names, std::string_view name) {
  const auto at = std::find(std::begin(names), std::end(names), name);
  if (at == std::end(names)) return {};
  return std::size_t(at - std::begin(names));
}

std::optional<Problem> read_weights(const std::map<std::string, GroundWeight>& weights,
                                    const ground::GroundKinds& kinds, routes::GroundRow& row) {
  for (const auto& [type, weight] : weights) {
    if (type.empty() || (type != ground::plain_type && !place_of_name(kinds.names(), type)))
      return wrong("weights", "there is no ground of the type '" + type + "'");
    if (const std::string why = ground::misfit_of(weight); !why.empty())
      return wrong("weights", "'" + type + "': " + why);
  }
  row = routes::row_of(ground::row_of(kinds, weights), kinds);
  return {};
}

std::optional<Problem> read_numbers(const RouteOptions& options, routes::GroundNumbers& numbers) {
  for (const auto& [name, value] : options.numbers) {
    if (name == "eps" && value > 0 && value <= 0.5)
      numbers.eps = value;
    else if (name == "cell" && value > 0 && std::isfinite(value))
      numbers.cell = value;
    else if (name == "body" && (value == 0 || value == 1))
      numbers.body = value == 1;
    else
      return wrong("numbers", "'" + name + "': eps is above 0 and at most 0.5, cell above 0, body 0 or 1");
  }
  for (const auto& [name, value] : options.choices) {
    const auto nodes = place_of_name(routes::grid_nodes_names, value),
               prune = place_of_name(routes::pruning_names, value),
               points = place_of_name(routes::placement_names, value);
    if (name == "nodes" && nodes)
      numbers.nodes = routes::GridNodes(*nodes);
    else if (name == "prune" && prune)
      numbers.prune = routes::Pruning(*prune);
    else if (name == "points" && points && *points > 0)
      numbers.points = routes::PointPlacement(*points);
    else
      return wrong(
          "choices",
          "'" + name + "': nodes is centres or corners, prune triangle, edge or vertex, points published or proven");
  }
  numbers.prove = options.prove;
  return {};
}

}  // namespace

struct World::Ground {
  std::once_flag made;
  std::shared_ptr<const routes::GroundAtlas> atlas;
};

World::World(std::shared_ptr<const crowd::World> inside)
    : inside_(std::move(inside)), ground_(std::make_shared<Ground>()) {}

Result<Way> World::route(const Position& from, const Position& to, const RouteOptions& options) const {
  std::call_once(ground_->made, [&] {
    ground_->atlas = std::make_shared<routes::GroundAtlas>(
        std::make_shared<environment::CleanEnvironment>(inside_->environment), inside_->graph);
  });
  const routes::GroundAtlas& atlas = *ground_->atlas;
  const auto on_ground = place_of_name(routes::ground_method_names, options.method);
  const auto on_mesh = place_of_name(routes::route_method_names, options.method);
  if (!on_ground && (!on_mesh || routes::uses_waypoints(routes::RouteMethod(*on_mesh))))
    return wrong("route", "there is no method '" + options.method + "'");
  routes::GroundQuery query;
  query.from = {from.point, from.layer}, query.to = {to.point, to.layer};
  query.radius = options.radius, query.clearance = options.clearance;
  if (const auto problem = read_weights(options.weights, atlas.regions().kinds(), query.row)) return *problem;
  if (const auto problem = read_numbers(options, query.numbers)) return *problem;
  routes::Route route;
  routes::GroundVerdict verdict{};
  Way way;
  if (on_ground) {
    query.numbers.method = routes::GroundMethod(*on_ground);
    routes::GroundPlanner planner(ground_->atlas);
    routes::GroundAnswer answer = planner.plan(query);
    verdict = answer.verdict;
    route = std::move(answer.route);
    way.bound = answer.bound;
  } else {
    routes::Planner planner(inside_->graph);
    verdict = routes::verdict_of(
        planner.plan({query.from, query.to, query.radius, query.clearance, routes::RouteMethod(*on_mesh)}, route));
  }
  if (verdict != routes::GroundVerdict::found) return wrong("route", std::string(routes::reason_of(verdict)));
  way.length = route.length;
  for (const navmesh::Place& place : route.flatten(*inside_->mesh, flattening))
    way.points.push_back({place.point, place.layer});
  std::vector<double> metres(atlas.regions().types().size(), 0);
  ground::RegionMap::Scratch scratch;
  way.cost = routes::weigh_route(atlas.regions(), route, query.numbers.body ? options.radius : 0,
                                 query.row.weight.data(), scratch, metres);
  for (std::size_t i = 0; i < metres.size(); ++i)
    if (metres[i] > 0) way.ground[i == 0 ? ground::plain_type : atlas.regions().types()[i]] += metres[i];
  return way;
}

}  // namespace throng
