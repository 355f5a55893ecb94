// What every route promises.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/visibility.hpp"
#include "routes/route.hpp"

namespace throng::routes::test_worlds {

/// visible(), looked at from the middle: with radius 0 the ends of a line lie on corners, where there is no inside to start from.
/// Where storeys join, pieces end on a connection, to rounding on either side of it: a micrometre before is in their own layer.
inline bool slides(const navmesh::Mesh& mesh, const navmesh::Place& from, const navmesh::Place& to, double radius) {
  const navmesh::Place middle{(from.point + to.point) / 2, from.layer};
  const double kept = std::max(0.0, radius - tolerance::route_clearance);
  const auto before = [&](const navmesh::Place& end) {
    const double length = distance(end.point, middle.point);
    const double back = mesh.connection_count() == 0 || length == 0 ? 0 : std::min(1.0, 1e-6 / length);
    return navmesh::Place{end.point + (middle.point - end.point) * back, end.layer};
  };
  return navmesh::visible(mesh, middle, before(from), kept) && navmesh::visible(mesh, middle, before(to), kept);
}

/// Everything Route and Planner promise of one route.
inline void check_route(const navmesh::Mesh& mesh, const Route& route, double radius) {
  Vec2 at = route.start.point;
  double length = 0;
  for (std::size_t i = 0; i < route.pieces.size(); ++i) {
    const Piece& piece = route.pieces[i];
    CHECK(distance(piece.from, at) < 1e-7);
    CHECK(route.prefix[i] == length);
    length += piece.length;
    at = piece.to;
    if (piece.is_arc()) {
      CHECK(distance(piece.from, piece.centre) == doctest::Approx(piece.radius).epsilon(1e-9));
      CHECK(piece.radius >= radius - 1e-9);
      for (int k = 0; k <= 16; ++k) {
        const navmesh::Located place = navmesh::locate(mesh, {piece.at(piece.length * k / 16), piece.layer});
        REQUIRE(place);
        CHECK(place.clearance >= radius - tolerance::route_clearance);
      }
    } else {
      CHECK(slides(mesh, {piece.from, piece.layer}, {piece.to, piece.layer}, radius));
    }
  }
  CHECK(distance(at, route.goal.point) < 1e-7);
  CHECK(route.length == length);
  if (!route.pieces.empty()) {
    CHECK(route.pieces.front().layer == route.start.layer);
    CHECK(route.pieces.back().layer == route.goal.layer);
  }
}

}  // namespace throng::routes::test_worlds
