// The public World (include/throng/world.hpp): the inside of it under plain names.
#include <cmath>

#include "crowd/world.hpp"
#include "environment/clean/clean.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility.hpp"
#include "routes/planner.hpp"
#include "text/guarded.hpp"
#include "throng/world.hpp"

namespace throng {

namespace {

/// Metres within which the points of a way follow its curve.
constexpr double flattening = 0.001;

navmesh::Place place_of(const Position& position) { return {position.point, position.layer}; }
Position position_of(const navmesh::Place& place) { return {place.point, place.layer}; }
bool is_finite(Vec2 p) { return std::isfinite(p.x) && std::isfinite(p.y); }

std::vector<environment::Feature> features_of(const std::vector<Obstacle>& obstacles) {
  std::vector<environment::Feature> features;
  for (const Obstacle& obstacle : obstacles) {
    environment::Feature& feature = features.emplace_back();
    feature.kind = environment::Kind::obstacle;
    feature.id = obstacle.id;
    feature.layer = obstacle.layer;
    if (!obstacle.polygon.empty())
      feature.polygons = {{obstacle.polygon.front(), {obstacle.polygon.begin() + 1, obstacle.polygon.end()}}};
    if (!obstacle.wall.empty()) feature.lines = {obstacle.wall};
  }
  return features;
}

}  // namespace

Result<World> World::make(const Environment& drawn) {
  return guarded("environment", [&]() -> Result<World> {
    Environment source = drawn;
    for (std::size_t i = 0; i < source.features.size(); ++i) source.features[i].number = i;
    Result<crowd::WorldPtr> inside = crowd::make_changeable_world(std::move(source));
    if (!inside) return inside.problems();
    Problems warnings = inside.problems();
    return {World(std::move(inside).value()), std::move(warnings)};
  });
}

Result<World> World::with(const std::vector<WorldChange>& changes) const {
  return guarded("change", [&]() -> Result<World> {
    std::vector<environment::Change> steps;
    for (const WorldChange& change : changes) {
      using Step = environment::Change::Kind;
      if (!change.remove.empty()) steps.push_back({Step::remove, {}, change.remove});
      if (!change.replace.empty()) steps.push_back({Step::replace, features_of(change.replace), {}});
      if (!change.insert.empty()) steps.push_back({Step::insert, features_of(change.insert), {}});
    }
    Result<crowd::WorldPtr> changed = crowd::with_changes(*inside_, steps);
    if (!changed) return changed.problems();
    Problems warnings = changed.problems();
    return {World(std::move(changed).value()), std::move(warnings)};
  });
}

std::uint64_t World::mesh_hash() const { return inside_->mesh->hash(); }

std::size_t World::layer_count() const { return inside_->mesh->layers.size(); }

std::string World::layer_id(std::uint32_t layer) const {
  return layer < layer_count() ? inside_->mesh->layers[layer].id : std::string{};
}

bool World::is_walkable(const Position& position, double radius) const {
  const std::optional<Nearest> near = nearest(position);
  return near && near->clearance >= radius;
}

std::optional<Nearest> World::nearest(const Position& position) const {
  if (!is_finite(position.point)) return std::nullopt;
  const navmesh::Located at = navmesh::locate(*inside_->mesh, place_of(position));
  if (!at) return std::nullopt;
  return Nearest{at.clearance, at.nearest};
}

Ray World::ray(const Position& from, Vec2 to) const {
  if (!is_finite(from.point) || !is_finite(to)) return {true, from, 0};
  const navmesh::Hit hit = navmesh::first_hit(*inside_->mesh, place_of(from), to);
  if (hit.cell == navmesh::none) return {true, from, 0};
  return {hit.blocked, {hit.point, hit.layer}, hit.t};
}

bool World::sees(const Position& from, const Position& to, double radius) const {
  return is_finite(from.point) && is_finite(to.point) && radius >= 0 &&
         navmesh::visible(*inside_->mesh, place_of(from), place_of(to), radius);
}

std::optional<Position> World::random_point(std::uint32_t layer, double u, double v, double w) const {
  const std::optional<navmesh::Place> place = navmesh::random_point(*inside_->mesh, layer, u, v, w);
  return place ? std::optional(position_of(*place)) : std::nullopt;
}

Result<Way> World::route(const Position& from, const Position& to, double radius, double clearance) const {
  return guarded("route", [&]() -> Result<Way> {
    routes::Planner planner(inside_->graph);
    routes::Route route;
    const routes::NoRoute verdict = planner.plan({place_of(from), place_of(to), radius, clearance}, route);
    if (verdict != routes::NoRoute::found)
      return Problem{Severity::error, ProblemCode::value, "route", std::string(routes::reason_of(verdict))};
    Way way;
    way.length = way.cost = route.length;
    for (const navmesh::Place& place : route.flatten(*inside_->mesh, flattening))
      way.points.push_back(position_of(place));
    return way;
  });
}

}  // namespace throng
