#include "crowd/world.hpp"

#include <utility>

namespace throng::crowd {
namespace {

void add_graph_and_regions(World& world) {
  world.graph = std::make_shared<routes::RouteGraph>(world.mesh);
  world.regions = std::make_shared<following::RegionMap>(world.environment);
}

/// Null where there are none.
std::shared_ptr<const environment::Environment> named_obstacles(const environment::Environment& plan) {
  environment::Environment named;
  for (const environment::Feature& feature : plan.features)
    if (feature.kind == environment::Kind::obstacle && !(feature.name.empty() && feature.id.empty()))
      named.features.push_back(feature);
  if (named.features.empty()) return nullptr;
  return std::make_shared<const environment::Environment>(std::move(named));
}

WorldPtr changeable(environment::Environment plan, environment::CleanEnvironment clean, navmesh::MeshBuild build) {
  auto world = std::make_shared<World>();
  world->environment = std::move(clean);
  world->mesh = build.mesh;
  world->changeable = std::make_shared<const World::Changeable>(World::Changeable{std::move(plan), std::move(build)});
  add_graph_and_regions(*world);
  return world;
}

}  // namespace

navmesh::ObstacleNames obstacle_names(const World& world, const navmesh::Obstacles& obstacles) {
  const environment::Environment* plan = world.changeable ? &world.changeable->plan : world.named.get();
  return plan != nullptr ? navmesh::ObstacleNames(*world.mesh, obstacles, *plan) : navmesh::ObstacleNames();
}

Result<WorldPtr> make_world(environment::CleanEnvironment environment, const environment::Environment* plan) {
  Result<navmesh::MeshPtr> mesh = navmesh::build_mesh(environment);
  if (!mesh) return mesh.problems();
  auto world = std::make_shared<World>();
  world->environment = std::move(environment);
  world->mesh = std::move(mesh).value();
  add_graph_and_regions(*world);
  if (plan != nullptr) world->named = named_obstacles(*plan);
  return WorldPtr(std::move(world));
}

Result<WorldPtr> make_changeable_world(environment::Environment plan) {
  Result<environment::CleanEnvironment> clean = environment::clean(plan);
  if (!clean) return clean.problems();
  Result<navmesh::MeshBuild> build = navmesh::first_build(*clean);
  if (!build) return build.problems();
  plan = environment::fixed_plan(std::move(plan), clean->grid);
  Problems warnings = clean.problems();
  return {changeable(std::move(plan), std::move(clean).value(), std::move(build).value()), std::move(warnings)};
}

Result<WorldPtr> with_changes(const World& world, const std::vector<environment::Change>& changes) {
  if (!world.changeable)
    return Problem{Severity::error, ProblemCode::unsupported, "",
                   "this world was made of a cleaned environment: its obstacles have no names to change them by"};
  environment::Environment plan = world.changeable->plan;
  if (Problems wrong = environment::check_changes(plan, changes); !wrong.empty()) return wrong;
  for (const environment::Change& change : changes) environment::apply(plan, change);
  Result<environment::CleanEnvironment> clean = environment::clean(plan);
  if (!clean) return clean.problems();
  Result<navmesh::MeshBuild> build = navmesh::rebuild_mesh(*clean, world.environment, world.changeable->build);
  if (!build) return build.problems();
  Problems warnings = clean.problems();
  return {changeable(std::move(plan), std::move(clean).value(), std::move(build).value()), std::move(warnings)};
}

}  // namespace throng::crowd
