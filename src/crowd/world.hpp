// What a crowd walks on: a cleaned environment, its mesh, the graph for routes, its regions and the places it knows. Immutable and
// shared; making it is the expensive part of starting a simulation.
#pragma once

#include <memory>
#include <vector>

#include "environment/clean/change.hpp"
#include "environment/clean/clean.hpp"
#include "following/region_map.hpp"
#include "goals/area.hpp"
#include "navmesh/build.hpp"
#include "navmesh/mesh.hpp"
#include "navmesh/obstacle_names.hpp"
#include "routes/route_graph.hpp"
#include "throng/result.hpp"

namespace throng::crowd {

struct World {
  environment::CleanEnvironment environment;
  navmesh::MeshPtr mesh;
  std::shared_ptr<const routes::RouteGraph> graph;
  std::shared_ptr<const following::RegionMap> regions;
  /// What can be changed: the source features with grid and ground written down, and the mesh's parts. None where the world was
  /// made of a cleaned environment, whose features have no names any more.
  struct Changeable {
    environment::Environment plan;
    navmesh::MeshBuild build;
  };
  std::shared_ptr<const Changeable> changeable = {};
  /// The source features that have names or ids, by which obstacles are known; none where nobody said.
  std::shared_ptr<const environment::Environment> named = {};
};
using WorldPtr = std::shared_ptr<const World>;

/// A world that can be changed: cleans the plan and builds everything of it. Warnings of cleaning come with it.
[[nodiscard]] Result<WorldPtr> make_changeable_world(environment::Environment plan);
/// The world after a list of changes, each whole or none at all: what make_changeable_world() would make of the changed plan, to the
/// bit. Layers that no change touches keep their axis; routes' graph and regions are made anew.
[[nodiscard]] Result<WorldPtr> with_changes(const World& world, const std::vector<environment::Change>& changes);
/// Builds mesh, graph and regions of a cleaned environment. Obstacles have the names of the obstacles in `plan`.
[[nodiscard]] Result<WorldPtr> make_world(environment::CleanEnvironment environment,
                                          const environment::Environment* plan = nullptr);
/// What the obstacles of a world are called.
[[nodiscard]] navmesh::ObstacleNames obstacle_names(const World& world, const navmesh::Obstacles& obstacles);

}  // namespace throng::crowd
