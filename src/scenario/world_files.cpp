// Worlds from files: the part of the public World (include/throng/world.hpp) that needs the readers, which core does not have.
#include "crowd/world.hpp"
#include "environment/formats/formats.hpp"
#include "text/guarded.hpp"
#include "throng/world.hpp"

namespace throng {

namespace {

Result<World> world_of(Result<environment::Environment> source) {
  if (!source) return source.problems();
  Problems warnings = source.problems();
  Result<crowd::WorldPtr> inside = crowd::make_changeable_world(std::move(source).value());
  if (!inside) return inside.problems();
  warnings.insert(warnings.end(), inside.problems().begin(), inside.problems().end());
  return {World(std::move(inside).value()), std::move(warnings)};
}

}  // namespace

Result<World> World::load(const std::string& path) {
  return guarded("environment", [&] { return world_of(environment::read_environment(path)); });
}

Result<World> World::from_geojson(std::string_view text) {
  return guarded("environment",
                 [&] { return world_of(environment::parse_environment("geojson", std::string(text), "text")); });
}

}  // namespace throng
