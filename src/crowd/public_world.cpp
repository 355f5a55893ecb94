// The public World (include/throng/world.hpp): the inside of it under plain names.
#include <cmath>

#include "crowd/world.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/random_point.hpp"
#include "navmesh/visibility.hpp"
#include "routes/planner.hpp"
#include "throng/world.hpp"

namespace throng {

namespace {

/// Metres within which the points of a way follow its curve.
constexpr double flattening = 0.001;

navmesh::Place place_of(const Position& position) { return {position.point, position.layer}; }
Position position_of(const navmesh::Place& place) { return {place.point, place.layer}; }
bool is_finite(Vec2 p) { return std::isfinite(p.x) && std::isfinite(p.y); }

Result<World> world_of(Result<environment::Environment> source) {
  if (!source) return source.problems();
  Result<environment::CleanEnvironment> clean = environment::clean(*source);
  if (!clean) return clean.problems();
  Problems warnings = source.problems();
  warnings.insert(warnings.end(), clean.problems().begin(), clean.problems().end());
  Result<crowd::WorldPtr> inside = crowd::make_world(std::move(clean).value());
  if (!inside) return inside.problems();
  return {World(std::move(inside).value()), std::move(warnings)};
}

}  // namespace

Result<World> World::load(const std::string& path) { return world_of(environment::read_environment(path)); }

Result<World> World::from_geojson(std::string_view text) {
  return world_of(environment::parse_environment("geojson", std::string(text), "text"));
}

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
  routes::Planner planner(inside_->graph);
  routes::Route route;
  const routes::NoRoute verdict = planner.plan({place_of(from), place_of(to), radius, clearance}, route);
  if (verdict != routes::NoRoute::found)
    return Problem{Severity::error, ProblemCode::value, "route", std::string(routes::reason_of(verdict))};
  Way way;
  way.length = route.length;
  for (const navmesh::Place& place : route.flatten(*inside_->mesh, flattening))
    way.points.push_back(position_of(place));
  return way;
}

}  // namespace throng
