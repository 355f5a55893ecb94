#include "server/view.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "navmesh/queries.hpp"
#include "navmesh/visibility_polygon.hpp"
#include "routes/planner.hpp"
#include "server/line_count.hpp"
#include "server/world_pack.hpp"

namespace throng::server {
namespace {

template <class Number>
std::optional<Number> parsed(const Request& request, const std::string& name) {
  const auto found = request.query.find(name);
  if (found == request.query.end()) return std::nullopt;
  Number number{};
  const char* end = found->second.data() + found->second.size();
  const auto [stop, error] = std::from_chars(found->second.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

}  // namespace

std::optional<double> number_in(const Request& request, const std::string& name) {
  const std::optional<double> number = parsed<double>(request, name);
  return number && std::isfinite(*number) ? number : std::nullopt;
}

std::optional<std::uint64_t> count_in(const Request& request, const std::string& name) {
  return parsed<std::uint64_t>(request, name);
}

namespace {

/// "x0", "y0", "layer0" of a request, as a place of a world.
std::optional<navmesh::Place> place_in(const Request& request, const std::string& number, Vec2 origin,
                                       std::size_t layers) {
  const auto x = number_in(request, "x" + number), y = number_in(request, "y" + number);
  const auto layer = count_in(request, "layer" + number);
  if (!x || !y || !layer || *layer >= layers) return std::nullopt;
  return navmesh::Place{Vec2{*x, *y} + origin, navmesh::Index(*layer)};
}

constexpr std::string_view no_place = "x, y and layer say where; layer is one of the session's";

}  // namespace

Response answer_count(const Request& request, const std::string& recording, Vec2 origin, std::size_t layers,
                      const std::atomic<bool>& stop) {
  static std::mutex one_at_a_time;
  const auto layer = count_in(request, "layer");
  const auto x0 = number_in(request, "x0"), y0 = number_in(request, "y0");
  const auto x1 = number_in(request, "x1"), y1 = number_in(request, "y1");
  if (!x0 || !y0 || !x1 || !y1 || !layer || *layer >= layers) return refusal(400, no_place);
  const CountedLine line{Vec2{*x0, *y0} + origin, Vec2{*x1, *y1} + origin, std::uint32_t(*layer)};
  const std::lock_guard lock(one_at_a_time);
  const Result<std::vector<LineCrossing>> crossings = count_crossings(recording, line, stop);
  if (!crossings) return refusal(500, crossings.problems().front().message);
  Json list = Json::array();
  for (const LineCrossing& crossing : *crossings) list.push_back({crossing.time, crossing.direction});
  return json_response(
      dump({{"length", std::sqrt(squared_length(line.to - line.from))}, {"crossings", std::move(list)}}));
}

WorldView::WorldView(StaticFiles client, std::string name, crowd::WorldPtr world)
    : client_(std::move(client)),
      name_(std::move(name)),
      origin_(origin_of(world->environment)),
      world_(std::move(world)) {}

Json WorldView::session() {
  Json layers = Json::array();
  const crowd::WorldPtr now = world();
  for (const environment::CleanLayer& layer : now->environment.layers) layers.push_back(layer.layer.id);
  return {{"mode", "environment"},
          {"name", name_},
          {"world_version", world_version()},
          {"origin", {origin_.x, origin_.y}},
          {"layers", std::move(layers)}};
}

std::string WorldView::greeting() {
  Json hello = session();
  hello["type"] = "hello";
  return dump(hello);
}

crowd::WorldPtr WorldView::world() const {
  const std::lock_guard lock(mutex_);
  return world_;
}

std::uint64_t WorldView::world_version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

void WorldView::set_world(crowd::WorldPtr world) {
  const std::lock_guard lock(mutex_);
  world_ = std::move(world);
  ++version_;
  world_pack_ = mesh_pack_ = nullptr;
}

Bytes WorldView::packed_world() {
  const std::lock_guard lock(mutex_);
  if (!world_pack_) world_pack_ = bytes_of(pack_world(world_->environment, origin_));
  return world_pack_;
}

Bytes WorldView::packed_mesh() {
  const std::lock_guard lock(mutex_);
  if (!mesh_pack_) mesh_pack_ = bytes_of(pack_mesh(*world_->mesh, origin_));
  return mesh_pack_;
}

Response WorldView::see(const Request& request) const {
  const auto x = number_in(request, "x"), y = number_in(request, "y");
  const auto layer = count_in(request, "layer");
  const crowd::WorldPtr now = world();
  if (!x || !y || !layer || *layer >= now->mesh->layers.size())
    return refusal(400, "x, y and layer say from where; layer is one of the session's");
  navmesh::VisibilityPolygon polygon;
  Json points = Json::array();
  if (polygon.compute(*now->mesh, {Vec2{*x, *y} + origin_, navmesh::Index(*layer)}))
    for (const navmesh::VisibilityPolygon::Vertex& vertex : polygon.vertices())
      points.push_back({vertex.point.x - origin_.x, vertex.point.y - origin_.y, vertex.layer});
  return json_response(dump({{"area", points.empty() ? 0.0 : polygon.area()}, {"points", std::move(points)}}));
}

Response WorldView::at(const Request& request) const {
  const crowd::WorldPtr now = world();
  const std::optional<navmesh::Place> place = place_in(request, "", origin_, now->mesh->layers.size());
  if (!place) return refusal(400, no_place);
  const navmesh::Located located = navmesh::locate(*now->mesh, *place);
  return json_response(
      dump({{"walkable", bool(located)}, {"clearance", located ? Json(located.clearance) : Json(nullptr)}}));
}

/// What a game developer asks first: the way between two clicks.
Response WorldView::way(const Request& request) const {
  constexpr double usual_radius = 0.25, largest_radius = 1000, flat = 0.02;
  const crowd::WorldPtr now = world();
  const auto from = place_in(request, "0", origin_, now->mesh->layers.size());
  const auto to = place_in(request, "1", origin_, now->mesh->layers.size());
  if (!from || !to) return refusal(400, no_place);
  routes::RouteQuery query{.from = *from, .to = *to};
  query.radius = query.clearance = number_in(request, "radius").value_or(usual_radius);
  if (!(query.radius >= 0 && query.radius <= largest_radius)) return refusal(400, "radius is 0 to 1000 m");
  routes::Planner planner(now->graph);
  routes::Route route;
  const routes::NoRoute reason = planner.plan(query, route);
  const bool found = reason == routes::NoRoute::found;
  Json points = Json::array();
  double narrowest = std::numeric_limits<double>::infinity();
  if (found)
    for (const navmesh::Place& place : route.flatten(*now->mesh, flat)) {
      points.push_back({place.point.x - origin_.x, place.point.y - origin_.y, place.layer});
      if (const navmesh::Located located = navmesh::locate(*now->mesh, place))
        narrowest = std::min(narrowest, located.clearance);
    }
  return json_response(dump({{"found", found},
                             {"reason", found ? std::string() : std::string(routes::reason_of(reason))},
                             {"length", found ? Json(route.length) : Json(nullptr)},
                             {"clearance", std::isfinite(narrowest) ? Json(narrowest) : Json(nullptr)},
                             {"points", std::move(points)}}));
}

Response WorldView::answer(const Request& request) {
  if (!request.path.starts_with("/api/") && !request.path.starts_with("/download/"))
    return client_.answer(request.path);
  if (request.path == "/api/session") return json_response(dump(session()));
  if (request.path == "/api/world") return {200, "application/octet-stream", packed_world()};
  if (request.path == "/api/mesh") return {200, "application/octet-stream", packed_mesh()};
  if (request.path == "/api/see") return see(request);
  if (request.path == "/api/at") return at(request);
  if (request.path == "/api/way") return way(request);
  if (std::optional<Response> own = answer_own(request)) return std::move(*own);
  return refusal(404, "there is no " + request.path);
}

}  // namespace throng::server
