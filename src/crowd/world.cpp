#include "crowd/world.hpp"

#include "navmesh/build.hpp"

namespace throng::crowd {

Result<WorldPtr> make_world(environment::CleanEnvironment environment) {
  Result<navmesh::MeshPtr> mesh = navmesh::build_mesh(environment);
  if (!mesh) return mesh.problems();
  auto world = std::make_shared<World>();
  world->environment = std::move(environment);
  world->mesh = std::move(mesh).value();
  world->graph = std::make_shared<routes::RouteGraph>(world->mesh);
  world->regions = std::make_shared<following::RegionMap>(world->environment);
  return WorldPtr(std::move(world));
}

}  // namespace throng::crowd
