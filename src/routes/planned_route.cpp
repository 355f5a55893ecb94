#include "routes/planned_route.hpp"
#include "geometry/tolerances.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace throng::routes {

namespace {

PlannedRoutePtr shared(PackedRoute way, std::unique_ptr<const RouteDetails> details) {
  auto route = std::make_shared<PlannedRoute>();
  route->way = std::move(way);
  route->details = std::move(details);
  return route;
}

}  // namespace

std::size_t RouteDetails::bytes() const {
  return sizeof *this + (topology.chains.capacity() + topology.passages.capacity()) * sizeof(Index);
}

std::size_t PlannedRoute::bytes() const { return sizeof *this + way.bytes() + (details ? details->bytes() : 0); }

PlannedRoutePtr share(const Route& route) { return shared(PackedRoute(route), nullptr); }

PlannedRoutePtr share(const Route& route, const RouteGraph& graph) {
  std::optional<RouteTopology> topology = topology_of(graph, route);
  if (!topology) return nullptr;
  topology->chains.shrink_to_fit(), topology->passages.shrink_to_fit();
  return shared(PackedRoute(route), std::make_unique<const RouteDetails>(RouteDetails{
                                        route.cost, route.radius, std::move(*topology), route.generation}));
}

Route unpacked(const PlannedRoute& route) {
  Route whole;
  whole.start = whole.goal = route.way.start();
  for (Index leg = 0; leg < route.way.legs(); ++leg) route.way.unpack(leg, whole);
  if (!whole.pieces.empty()) whole.goal = {whole.pieces.back().to, whole.pieces.back().layer};
  whole.length = route.way.length();
  whole.cost = whole.length;
  if (!route.details) return whole;
  whole.cost = route.details->cost;
  whole.radius = route.details->radius;
  whole.generation = route.details->generation;
  return whole;
}

PlannedRoutePtr cut(const PlannedRoute& route, double from, double to, const RouteGraph& graph) {
  const Route whole = unpacked(route);
  Route part = whole.stretch(from, to);
  if (whole.length > 0) part.cost = whole.cost * (part.length / whole.length);
  return route.details ? share(part, graph) : share(part);
}

PlannedRoutePtr join(const PlannedRoute& first, const PlannedRoute& second) {
  Route route = unpacked(first);
  const Route rest = unpacked(second);
  const bool meet =
      route.goal.layer == rest.start.layer && distance(route.goal.point, rest.start.point) <= tolerance::distinct;
  const bool both = first.details && second.details;
  if (!meet || (both && route.generation != rest.generation)) return nullptr;
  RouteBuilder builder(route);
  for (const Piece& piece : rest.pieces) builder.piece(piece);
  route.goal = rest.goal;
  if (!both) return share(route);
  return shared(PackedRoute(route), std::make_unique<const RouteDetails>(RouteDetails{
                                        route.cost + rest.cost, std::min(route.radius, rest.radius),
                                        joined(first.details->topology, second.details->topology), route.generation}));
}

void save(const PlannedRoute& route, geometry::ArchiveWriter& archive) {
  route.way.save(archive);
  archive.put(std::uint8_t(route.details ? 1 : 0));
  if (!route.details) return;
  archive.put(route.details->cost), archive.put(route.details->radius);
  archive.put_list(route.details->topology.chains), archive.put_list(route.details->topology.passages);
}

PlannedRoutePtr load_planned_route(geometry::ArchiveReader& archive, const RouteGraph& graph) {
  PackedRoute way;
  if (!way.load(archive, Index(graph.mesh().layers.size())) || !way) return nullptr;
  std::uint8_t has_details = 0;
  archive.get(has_details);
  if (archive.failed() || has_details > 1) return nullptr;
  if (has_details == 0) return shared(std::move(way), nullptr);
  RouteDetails details;
  archive.get(details.cost), archive.get(details.radius);
  archive.get_list(details.topology.chains), archive.get_list(details.topology.passages);
  details.generation = graph.mesh().generation;
  const auto below = [](const std::vector<Index>& list, std::size_t count) {
    return std::ranges::all_of(list, [&](Index directed) { return directed / 2 < count; });
  };
  const bool sound = !archive.failed() && std::isfinite(details.cost) && std::isfinite(details.radius) &&
                     below(details.topology.chains, graph.chains().size()) &&
                     below(details.topology.passages, graph.mesh().passage_count());
  return sound ? shared(std::move(way), std::make_unique<const RouteDetails>(std::move(details))) : nullptr;
}

}  // namespace throng::routes
