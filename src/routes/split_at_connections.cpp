#include <algorithm>
#include <cmath>

#include "routes/route.hpp"

namespace throng::routes {

namespace {

using navmesh::Connection;

/// Left of a->b, strictly: a point on the line counts as right of it, so that a route that meets the line where two pieces join
/// crosses it once, and one that only touches it not at all.
bool is_left(Vec2 a, Vec2 b, Vec2 p) { return cross(b - a, p - a) > 0; }

bool is_between(Vec2 a, Vec2 b, Vec2 p) { return dot(p - a, b - a) >= 0 && dot(p - b, a - b) >= 0; }

/// Where a stretch of a piece that goes one way with respect to the line a-b crosses it, by bisection; the last place before.
double crossing_between(const Piece& piece, Vec2 a, Vec2 b, double low, double high) {
  const bool side = is_left(a, b, piece.at(low));
  for (int i = 0; i < 200 && high - low > 0; ++i) {
    const double middle = low + (high - low) / 2;
    if (middle == low || middle == high) break;
    (is_left(a, b, piece.at(middle)) == side ? low : high) = middle;
  }
  return high;
}

/// Distance along a piece, from `from` on, where it first crosses the segment a-b; infinite where it does not.
double crossing(const Piece& piece, Vec2 a, Vec2 b, double from) {
  // An arc turns back at most at the two points where it runs parallel to the line.
  double turns[] = {from, piece.length, piece.length, piece.length};
  if (piece.is_arc()) {
    const Vec2 normal = perpendicular(b - a) / std::sqrt(squared_length(b - a)) * piece.radius;
    turns[1] = std::max(from, piece.closest(piece.centre + normal));
    turns[2] = std::max(from, piece.closest(piece.centre - normal));
    if (turns[1] > turns[2]) std::swap(turns[1], turns[2]);
  }
  for (int i = 1; i < 4; ++i) {
    if (is_left(a, b, piece.at(turns[i - 1])) == is_left(a, b, piece.at(turns[i]))) continue;
    const double along = crossing_between(piece, a, b, turns[i - 1], turns[i]);
    if (is_between(a, b, piece.at(along))) return along;
  }
  return unreachable;
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
  if (mesh.connection_count() == 0) return;
  const std::vector<Piece> whole = std::move(route.pieces);
  route.pieces.clear(), route.prefix.clear();
  route.length = 0;
  RouteBuilder builder(route);
  Index layer = route.start.layer;
  for (const Piece& piece : whole) {
    double from = 0;
    for (;;) {
      double at = unreachable;
      const Connection* through = nullptr;
      for (const Connection& connection : mesh.all_connections()) {
        if (connection.left_layer != layer && connection.right_layer != layer) continue;
        const double here = crossing(piece, connection.a, connection.b, from);
        if (here < at) at = here, through = &connection;
      }
      if (through == nullptr) break;
      builder.piece(part_of(piece, from, at, layer));
      layer = through->left_layer == layer ? through->right_layer : through->left_layer;
      from = at;
    }
    builder.piece(part_of(piece, from, piece.length, layer));
  }
}

}  // namespace throng::routes
