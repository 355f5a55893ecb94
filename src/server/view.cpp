#include "server/view.hpp"

#include <charconv>
#include <cmath>

#include "navmesh/visibility_polygon.hpp"
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

Response WorldView::answer(const Request& request) {
  if (!request.path.starts_with("/api/") && !request.path.starts_with("/download/"))
    return client_.answer(request.path);
  if (request.path == "/api/session") return json_response(dump(session()));
  if (request.path == "/api/world") return {200, "application/octet-stream", packed_world()};
  if (request.path == "/api/mesh") return {200, "application/octet-stream", packed_mesh()};
  if (request.path == "/api/see") return see(request);
  if (std::optional<Response> own = answer_own(request)) return std::move(*own);
  return refusal(404, "there is no " + request.path);
}

}  // namespace throng::server
