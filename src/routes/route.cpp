#include "routes/route.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/visibility.hpp"

namespace throng::routes {

namespace {

constexpr double full_turn = 2 * std::numbers::pi;
/// No route goes round a corner by nearly a full turn; what seems to is rounding the other way.
constexpr double rounding_angle = 1e-6;

Vec2 rotated(Vec2 v, double angle) {
  const Vec2 u = geometry::unit_direction(angle / full_turn);
  return {v.x * u.x - v.y * u.y, v.x * u.y + v.y * u.x};
}

/// Angle from u to v in [0, 2 pi), counterclockwise.
double angle_between(Vec2 u, Vec2 v) {
  const double angle = geometry::arc_tangent(cross(u, v), dot(u, v));
  return angle < 0 ? angle + full_turn : angle;
}

}  // namespace

Vec2 Piece::at_on_arc(double along) const { return centre + rotated(from - centre, turn * (along / length)); }

Vec2 Piece::direction_at_on_arc(double along) const {
  const Vec2 outward = (at(along) - centre) / radius;
  return turn > 0 ? perpendicular(outward) : -perpendicular(outward);
}

double Piece::closest_on_arc(Vec2 p) const {
  const double angle = turn > 0 ? angle_between(from - centre, p - centre) : angle_between(p - centre, from - centre);
  if (angle <= std::abs(turn)) return angle * radius;
  // Beyond the ends: the nearer one.
  return squared_length(p - from) <= squared_length(p - to) ? 0 : length;
}

RoutePoint Route::at(double along) const {
  if (pieces.empty()) return {start.point, start.layer, 0, 0};
  const auto after = std::upper_bound(prefix.begin(), prefix.end(), along);
  const std::size_t i = after == prefix.begin() ? 0 : std::size_t(after - prefix.begin() - 1);
  const double inside = std::clamp(along - prefix[i], 0.0, pieces[i].length);
  return {pieces[i].at(inside), pieces[i].layer, Index(i), prefix[i] + inside};
}

RoutePoint Route::closest(Vec2 p, double from, double to) const {
  RoutePoint best = at(from);
  double best_distance = squared_length(p - best.point);
  for (std::size_t i = best.piece; i < pieces.size() && prefix[i] <= to; ++i) {
    const double inside = std::clamp(pieces[i].closest(p), std::max(0.0, from - prefix[i]),
                                     std::max(0.0, std::min(pieces[i].length, to - prefix[i])));
    const Vec2 point = pieces[i].at(inside);
    const double distance = squared_length(p - point);
    if (distance < best_distance) {
      best_distance = distance;
      best = {point, pieces[i].layer, Index(i), prefix[i] + inside};
    }
  }
  return best;
}

Route Route::stretch(double from, double to) const {
  Route part;
  part.radius = radius;
  part.generation = generation;
  const RoutePoint begin = at(from);
  const RoutePoint end = at(std::max(from, to));
  part.start = {begin.point, begin.layer};
  part.goal = {end.point, end.layer};
  RouteBuilder builder(part);
  for (Index i = begin.piece; i <= end.piece && i < pieces.size(); ++i) {
    Piece piece = pieces[i];
    const double head = i == begin.piece ? begin.along - prefix[i] : 0;
    const double tail = i == end.piece ? end.along - prefix[i] : piece.length;
    piece.from = pieces[i].at(head);
    piece.to = pieces[i].at(tail);
    piece.turn = pieces[i].length > 0 ? piece.turn * ((tail - head) / pieces[i].length) : 0;
    piece.length = tail - head;
    builder.piece(piece);
  }
  part.cost = part.length;
  return part;
}

namespace {

/// Finest division of an arc: at a thousand parts a radian its tangents are within tolerance::route_clearance of it.
constexpr int most_parts = 4096;

/// The arc as tangents that touch it at both ends of each part, the last point left out.
void tangents_of(const Piece& arc, int parts, std::vector<Vec2>& out) {
  const double part = arc.turn / parts;
  const double farther = 1 / geometry::unit_direction(part / 2 / full_turn).x;
  for (int i = 0; i < parts; ++i)
    out.push_back(arc.centre + rotated(arc.from - arc.centre, part * (i + 0.5)) * farther);
}

bool keeps(const navmesh::Mesh& mesh, const Piece& arc, const std::vector<Vec2>& tangents, double radius) {
  navmesh::Place at{arc.from, arc.layer};
  for (std::size_t i = 0; i <= tangents.size(); ++i) {
    const navmesh::Place next{i < tangents.size() ? tangents[i] : arc.to, arc.layer};
    if (!navmesh::visible(mesh, at, next, radius)) return false;
    at = next;
  }
  return true;
}

}  // namespace

std::vector<navmesh::Place> Route::flatten(const navmesh::Mesh& mesh, double tolerance) const {
  std::vector<navmesh::Place> points{start};
  std::vector<Vec2> tangents;
  for (const Piece& piece : pieces) {
    if (piece.is_arc()) {
      // Tangents at both ends of a part of angle a meet outside the arc, farther by radius (1/cos(a/2) - 1), about r a^2 / 8.
      const double widest = std::min(1.0, 2 * std::sqrt(2 * tolerance / piece.radius));
      int parts = std::max(1, int(std::ceil(std::abs(piece.turn) / widest)));
      for (;; parts *= 2) {
        tangents.clear();
        tangents_of(piece, parts, tangents);
        if (parts >= most_parts || keeps(mesh, piece, tangents, std::max(0.0, radius - tolerance::route_clearance)))
          break;
      }
      for (Vec2 p : tangents) points.push_back({p, piece.layer});
    }
    points.push_back({piece.to, piece.layer});
  }
  return points;
}

std::size_t Route::bytes() const {
  const auto held = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof *this + held(pieces) + held(prefix);
}

void RouteBuilder::line(Vec2 from, Vec2 to, Index layer) {
  piece({.from = from, .to = to, .length = length(to - from), .layer = layer});
}

void RouteBuilder::arc(Vec2 from, Vec2 to, Vec2 centre, double radius, bool left, Index layer) {
  double angle = left ? angle_between(from - centre, to - centre) : angle_between(to - centre, from - centre);
  if (angle > full_turn - rounding_angle) angle = 0;  // no arc at all, turned back by rounding
  piece({.from = from,
         .to = to,
         .centre = centre,
         .radius = radius,
         .turn = left ? angle : -angle,
         .length = angle * radius,
         .layer = layer});
}

void RouteBuilder::piece(const Piece& piece) {
  if (!(piece.length > 0)) return;
  route_.pieces.push_back(piece);
  route_.prefix.push_back(route_.length);
  route_.length += piece.length;
}

}  // namespace throng::routes
