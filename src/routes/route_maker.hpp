// Level 4: two places and a body in, a route out, by a method that a profile names with its numbers.
//
// Laws
// 1. plan() depends on the wish, the world and what prepare() made for it, which itself depends on nothing else: the same wish gives the
//    same bits, whatever was planned before, on any thread.
// 2. A route is found where the planner's `short` finds one: methods that know only some ways fall back on it.
// Thread-safety: prepare() from one thread while nobody plans; plan() from any, with a desk each.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <span>

#include "agents/registry.hpp"
#include "environment/clean/clean.hpp"
#include "routes/planner.hpp"
#include "routes/search.hpp"
#include "routes/waypoints.hpp"

namespace throng::routes {

class GroundAtlas;    // ground_atlas.hpp
class GroundPlanner;  // ground_planner.hpp

/// No limit.

/// What a thread plans with.
struct PlanDesk {
  explicit PlanDesk(std::shared_ptr<const RouteGraph> graph);
  PlanDesk(PlanDesk&&) noexcept;
  ~PlanDesk();
  Planner planner;
  Search search;
  std::unique_ptr<GroundPlanner> ground;  ///< made when first needed
};

/// What routes are planned on.
struct RouteWorld {
  navmesh::MeshPtr mesh;
  std::shared_ptr<const RouteGraph> graph;
  std::shared_ptr<const environment::CleanEnvironment> environment;
};

/// What methods make once for many routes; of one world.
struct RouteTables {
  WaypointGraphs waypoints;
  std::shared_ptr<const GroundAtlas> ground;  ///< once somebody plans over weighted ground
  [[nodiscard]] std::size_t bytes() const { return waypoints.bytes(); }
};

struct RouteWish {
  navmesh::Place from, to;
  double radius = 0.25;
  const double* numbers = nullptr;  ///< of the method, in the order of its parameters
  std::span<const double> weights;  ///< of region types; empty: all 1
  std::size_t most = any_number;    ///< expansions; a search that takes more finds nothing (too_long)
};

/// The number that methods have in common: how far from obstacles one would like to walk.
[[nodiscard]] agents::Parameter clearance_number();

class RouteMaker {
 public:
  virtual ~RouteMaker() = default;
  [[nodiscard]] virtual const agents::MethodInfo& info() const = 0;
  /// Makes what plan() needs for bodies of this radius, if it is not there.
  virtual void prepare(RouteTables& tables, const RouteWorld& world, double radius) const;
  /// Adds what was expanded to `expansions`, at least 1.
  virtual NoRoute plan(const RouteWish& wish, const RouteTables& tables, PlanDesk& desk, Route& route,
                       std::size_t& expansions) const = 0;
  /// By what the best of several routes is chosen: its length, unless the method knows costs.
  [[nodiscard]] virtual double price(const Route& route) const { return route.length; }
  /// Whether the weights of ground count for it.
  [[nodiscard]] virtual bool weighs_ground() const { return false; }
  /// The preferred distance from obstacles, for those who plan ways around by other means.
  [[nodiscard]] virtual double clearance(const double* numbers) const;
};

/// short, medial, left, right, shortest, visibility, voronoi_sites, those over weighted ground, and `given` (through the population's route_points, short from there).
void add_built_in(agents::Registry<RouteMaker>& registry);

}  // namespace throng::routes
