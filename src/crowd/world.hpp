// What a crowd walks on: a cleaned environment, its mesh, the graph for routes, its regions and the places it knows. Immutable and
// shared; making it is the expensive part of starting a simulation.
#pragma once

#include <memory>
#include <vector>

#include "environment/clean/clean.hpp"
#include "following/region_map.hpp"
#include "goals/area.hpp"
#include "navmesh/mesh.hpp"
#include "routes/route_graph.hpp"
#include "throng/result.hpp"

namespace throng::crowd {

struct World {
  environment::CleanEnvironment environment;
  navmesh::MeshPtr mesh;
  std::shared_ptr<const routes::RouteGraph> graph;
  std::shared_ptr<const following::RegionMap> regions;
};
using WorldPtr = std::shared_ptr<const World>;

/// Builds mesh, graph and regions of a cleaned environment.
[[nodiscard]] Result<WorldPtr> make_world(environment::CleanEnvironment environment);

}  // namespace throng::crowd
