// A route: lines and arcs that a body's centre follows, from a start to a goal, with lengths along it.
//
// Laws
// 1. Pieces join: each begins where the last one ended; each lies in one layer; none is of length zero, unless the route is
//    a single point.
// 2. Lines meet arcs tangentially, to rounding; a route of kind `short` turns on arcs only.
// 3. prefix[i] is the length before piece i, summed in order; length is the sum of all.
// 4. No point of it is nearer to an obstacle than the radius it was planned for, less `tolerance::route_clearance`.
// Its class and the passages it crosses are found from its pieces, for those who need them (axis_trace.hpp).
// Immutable and shared between agents once planned. Units: metres, radians.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "navmesh/mesh.hpp"
#include "routes/route_graph.hpp"
#include "throng/vec2.hpp"

namespace throng::routes {

/// A straight line (radius 0), or an arc around `centre`, turning left (counterclockwise) where `turn` is positive.
struct Piece {
  Vec2 from, to;
  Vec2 centre = {};
  double radius = 0;  ///< 0: a line
  double turn = 0;    ///< angle of an arc, signed; 0 for a line
  double length = 0;
  Index layer = 0;

  [[nodiscard]] bool is_arc() const { return radius > 0; }
  /// The point at a distance along the piece.
  [[nodiscard]] Vec2 at(double along) const {
    if (along <= 0) return from;
    if (along >= length) return to;
    return is_arc() ? at_on_arc(along) : from + (to - from) * (along / length);
  }
  /// Unit direction of travel at a distance along the piece.
  [[nodiscard]] Vec2 direction_at(double along) const {
    if (is_arc()) return direction_at_on_arc(along);
    return length > 0 ? (to - from) / length : Vec2{};
  }
  /// Distance along the piece of its point nearest to p.
  [[nodiscard]] double closest(Vec2 p) const {
    if (length == 0) return 0;
    return is_arc() ? closest_on_arc(p) : std::clamp(dot(p - from, to - from) / length, 0.0, length);
  }

 private:
  [[nodiscard]] Vec2 at_on_arc(double along) const;
  [[nodiscard]] Vec2 direction_at_on_arc(double along) const;
  [[nodiscard]] double closest_on_arc(Vec2 p) const;
};

/// A place on a route.
struct RoutePoint {
  Vec2 point;
  Index layer = 0;
  Index piece = 0;
  double along = 0;  ///< distance from the route's start
};

struct Route {
  std::vector<Piece> pieces;
  std::vector<double> prefix;  ///< length before each piece
  double length = 0;
  double cost = 0;    ///< what the search minimised: length along the axis
  double radius = 0;  ///< of the body it was planned for
  navmesh::Place start, goal;
  std::uint32_t generation = 0;  ///< of the mesh it was planned on

  [[nodiscard]] RoutePoint at(double along) const;
  /// The first point of the stretch [from, to] of the route that is nearest to p.
  [[nodiscard]] RoutePoint closest(Vec2 p, double from = 0, double to = unreachable) const;
  /// The stretch between two distances along the route.
  [[nodiscard]] Route stretch(double from, double to) const;
  /// Points of the route such that the polyline is within `tolerance` of it and itself keeps the radius: arcs are replaced by
  /// tangents on their outer side, more of them where the way is tight.
  [[nodiscard]] std::vector<navmesh::Place> flatten(const navmesh::Mesh& mesh, double tolerance) const;
  [[nodiscard]] std::size_t bytes() const;
};

using RoutePtr = std::shared_ptr<const Route>;

/// Appends pieces and keeps the sums. Pieces of no length are left out.
class RouteBuilder {
 public:
  explicit RouteBuilder(Route& route) : route_(route) {}
  void line(Vec2 from, Vec2 to, Index layer);
  void arc(Vec2 from, Vec2 to, Vec2 centre, double radius, bool left, Index layer);
  void piece(const Piece& piece);

 private:
  Route& route_;
};

/// Follows a route from its start's layer to the others: a connection is crossed from the layer on one side of it to that on the
/// other, and pieces are cut there.
void split_at_connections(const navmesh::Mesh& mesh, Route& route);

}  // namespace throng::routes
