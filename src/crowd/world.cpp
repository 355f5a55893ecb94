#include "crowd/world.hpp"

#include <utility>

#include "environment/clean/changing_plan.hpp"

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

/// What every changeable world keeps: its plan in pieces beside what others ask for.
struct Kept : World::Changeable {
  environment::ChangingPlan drawn;
};

const environment::ChangingPlan& drawn_of(const World& world) {
  return static_cast<const Kept&>(*world.changeable).drawn;  // changeable() below makes all there are
}

Result<WorldPtr> changeable(environment::ChangingPlan drawn, navmesh::MeshBuild build) {
  auto world = std::make_shared<World>();
  world->environment = drawn.clean();
  world->mesh = build.mesh;
  Problems warnings = drawn.warnings();
  environment::Environment plan = drawn.plan();
  world->changeable = std::make_shared<const Kept>(Kept{{std::move(plan), std::move(build)}, std::move(drawn)});
  add_graph_and_regions(*world);
  return {WorldPtr(std::move(world)), std::move(warnings)};
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
  Result<environment::ChangingPlan> drawn = environment::ChangingPlan::make(std::move(plan));
  if (!drawn) return drawn.problems();
  Result<navmesh::MeshBuild> build = navmesh::first_build(drawn->clean());
  if (!build) return build.problems();
  return changeable(std::move(drawn).value(), std::move(build).value());
}

Result<WorldPtr> with_changes(const World& world, const std::vector<environment::Change>& changes) {
  if (!world.changeable)
    return Problem{Severity::error, ProblemCode::unsupported, "",
                   "this world was made of a cleaned environment: its obstacles have no names to change them by"};
  const environment::ChangingPlan& before = drawn_of(world);
  if (Problems wrong = environment::check_changes(before.plan(), changes); !wrong.empty()) return wrong;
  Result<environment::ChangingPlan> drawn = before.after(changes);
  if (!drawn) return drawn.problems();
  Result<navmesh::MeshBuild> build = navmesh::rebuild_mesh(drawn->clean(), before.clean(), world.changeable->build);
  if (!build) return build.problems();
  return changeable(std::move(drawn).value(), std::move(build).value());
}

}  // namespace throng::crowd
