// A route as a crowd carries it: shared by all who walk it, immutable, packed, and, for those who need it, with what it was planned for
// and which way it takes between the obstacles.
//
// Laws
// 1. All that walk a route hold the same object. Who changes a way makes another: cut(), join().
// 2. `details` are there where they were asked for (RouteDetails of a planned route), and only then: a route without them takes one
//    pointer and its geometry.
// 3. Parts have the pieces of the whole, cut at their ends, and the class and passages of their own geometry; joined routes those of
//    both, with what the second takes back cancelled. So cut(0, s) joined with cut(s, length) has the class of the whole.
// 4. The cost of a part is its share of the whole by length, of joined routes the sum: who plans by other costs knows better and says so.
// Complexity: linear in pieces. Thread-safety: immutable, any number of readers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "routes/axis_trace.hpp"
#include "routes/packed_route.hpp"
#include "routes/route.hpp"

namespace throng::routes {

/// What a route was planned for, and its topology.
struct RouteDetails {
  double cost = 0;    ///< what its search minimised
  double radius = 0;  ///< of the body it was planned for
  RouteTopology topology;
  std::uint32_t generation = 0;  ///< of the mesh it was planned on

  [[nodiscard]] std::size_t bytes() const;
};

struct PlannedRoute {
  PackedRoute way;
  std::unique_ptr<const RouteDetails> details;  ///< where asked for

  [[nodiscard]] std::size_t bytes() const;
};

using PlannedRoutePtr = std::shared_ptr<const PlannedRoute>;

/// Packs a route, without details.
[[nodiscard]] PlannedRoutePtr share(const Route& route);
/// With details. Null where the route leads through an obstacle, as no planned route does on the graph's mesh.
[[nodiscard]] PlannedRoutePtr share(const Route& route, const RouteGraph& graph);

/// The whole route, unpacked; radius, cost and generation where there are details.
[[nodiscard]] Route unpacked(const PlannedRoute& route);

/// The stretch between two distances along a route, with details where the route has them.
[[nodiscard]] PlannedRoutePtr cut(const PlannedRoute& route, double from, double to, const RouteGraph& graph);

/// A route and another that begins where it ends, to `tolerance::distinct`; null where it begins elsewhere, or was planned on another mesh. Details
/// where both have them; the radius is the smaller.
[[nodiscard]] PlannedRoutePtr join(const PlannedRoute& first, const PlannedRoute& second);

/// As bytes, and back; null where the bytes are no route in this many layers and on a graph of so many chains and passages.
void save(const PlannedRoute& route, geometry::ArchiveWriter& archive);
[[nodiscard]] PlannedRoutePtr load_planned_route(geometry::ArchiveReader& archive, const RouteGraph& graph);

}  // namespace throng::routes
