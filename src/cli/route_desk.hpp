// What `throng route` plans with: made from the command line, asked for one route after the other.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "navmesh/obstacle_names.hpp"
#include "routes/axis_trace.hpp"
#include "routes/decided_route.hpp"
#include "routes/grid_surface.hpp"
#include "routes/ground_planner.hpp"
#include "routes/ground_route.hpp"
#include "routes/planner.hpp"
#include "routes/waypoints.hpp"

namespace throng::cli {

/// A route, or why there is none, and what planning it took.
struct TimedRoute {
  routes::Route route;
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
struct RouteDesk {
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

[[nodiscard]] TimedRoute plan_route(RouteDesk& desk, const routes::RouteQuery& query);

/// On a grid that there is no way is said of the grid only.
[[nodiscard]] std::string_view reason_of(const RouteDesk& desk, routes::GroundVerdict reason);

/// What --pass says: SIDE:OBSTACLE, by name or by a place.
[[nodiscard]] Problems read_told(const Parsed& parsed, const LoadedMesh& loaded, RouteDesk& desk);

/// Which method of weighted ground is meant; nothing: another one.
[[nodiscard]] std::optional<routes::GroundMethod> ground_method(const Parsed& parsed);

/// Reads weights, and makes the surface and the points or the grid of a method on weighted ground.
[[nodiscard]] Problems lay_ground(const Parsed& parsed, const LoadedMesh& loaded, routes::RouteQuery& query,
                                  RouteDesk& desk);

/// Makes the grid that --surface names.
[[nodiscard]] Problems lay_grid(const Parsed& parsed, const LoadedMesh& loaded, double radius, RouteDesk& desk);

/// The place of a name in a list, its first where it was not given.
template <class Choice>
Choice chosen(const Parsed& parsed, const char* option, std::span<const std::string_view> names) {
  if (!parsed.given(option)) return Choice(0);
  return Choice(std::find(names.begin(), names.end(), parsed.text(option)) - names.begin());
}

}  // namespace throng::cli
