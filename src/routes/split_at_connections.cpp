#include <algorithm>
#include <cmath>

#include "routes/route.hpp"

namespace throng::routes {

namespace {

using navmesh::Connection;

/// Distance along a piece where it first crosses the segment a-b after `from`; infinite where it does not.
double crossing(const Piece& piece, Vec2 a, Vec2 b, double from) {
  const auto between = [&](Vec2 p) { return dot(p - a, b - a) >= 0 && dot(p - b, a - b) >= 0; };
  if (!piece.is_arc()) {
    const double start = cross(b - a, piece.from - a);
    const double end = cross(b - a, piece.to - a);
    if (start == end || start * end > 0) return unreachable;
    const double along = piece.length * (start / (start - end));
    return along > from && between(piece.at(along)) ? along : unreachable;
  }
  // Where the circle meets the line.
  const Vec2 d = b - a;
  const Vec2 foot = a + d * (dot(piece.centre - a, d) / squared_length(d));
  const double rest = piece.radius * piece.radius - squared_length(piece.centre - foot);
  if (rest <= 0) return unreachable;
  double best = unreachable;
  for (double sign : {-1.0, 1.0}) {
    const Vec2 p = foot + d * (sign * std::sqrt(rest / squared_length(d)));
    const double along = piece.closest(p);
    if (along > from && along < piece.length && between(p)) best = std::min(best, along);
  }
  return best;
}

Piece part_of(const Piece& piece, double from, double to, Index layer) {
  Piece part = piece;
  part.from = piece.at(from);
  part.to = piece.at(to);
  part.turn = piece.turn * ((to - from) / piece.length);
  part.length = to - from;
  part.layer = layer;
  return part;
}

}  // namespace

void split_at_connections(const navmesh::Mesh& mesh, Route& route) {
  if (mesh.connections.empty()) return;
  const std::vector<Piece> whole = std::move(route.pieces);
  route.pieces.clear(), route.prefix.clear();
  route.length = 0;
  RouteBuilder builder(route);
  Index layer = route.start.layer;
  const Connection* entered_by = nullptr;
  for (const Piece& piece : whole) {
    double from = 0;
    for (;;) {
      double at = unreachable;
      const Connection* through = nullptr;
      for (const Connection& connection : mesh.connections) {
        if (connection.left_layer != layer && connection.right_layer != layer) continue;
        // Right after a connection was crossed it is behind, by rounding perhaps a little ahead.
        const double beyond = from + (&connection == entered_by ? 1e-9 : 0);
        const double here = crossing(piece, connection.a, connection.b, beyond);
        if (here < at) at = here, through = &connection;
      }
      if (through == nullptr) break;
      builder.piece(part_of(piece, from, at, layer));
      layer = through->left_layer == layer ? through->right_layer : through->left_layer;
      entered_by = through;
      from = at;
    }
    builder.piece(part_of(piece, from, piece.length, layer));
  }
}

}  // namespace throng::routes
