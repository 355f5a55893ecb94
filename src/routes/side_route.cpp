// Routes along the axis, or at a distance from the obstacles on one side of it (Planner::write_axis, write_side).
#include <algorithm>
#include <cmath>

#include "navmesh/arc.hpp"
#include "routes/planner.hpp"

namespace throng::routes {

namespace {

using navmesh::ArcCurve;
using navmesh::Mesh;
using navmesh::Site;

/// How far a chord may lie off the axis, in metres.
constexpr double axis_tolerance = 0.01;
/// Chords shorter than this, in metres, are not divided further: they are within tolerance::route_clearance of the curve.
constexpr double shortest_chord = 5e-4;

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) {
  const double square = squared_length(b - a);
  const double t = square == 0 ? 0 : std::clamp(dot(p - a, b - a) / square, 0.0, 1.0);
  return distance(p, a + (b - a) * t);
}

/// A stretch of one arc, in the direction of travel.
struct Stretch {
  const Site& left;
  const Site& right;
  ArcCurve curve;
  Index layer;
};

/// Whether a chord of the curve keeps the radius. It can come too near only to a corner, around which the curve bends: a wall
/// is farthest in between, or as far as at the ends.
bool chord_keeps(const Stretch& s, Vec2 a, Vec2 b, double radius) {
  for (const Site* site : {&s.left, &s.right})
    if (site->is_corner() && distance_to_segment(site->a, a, b) < radius) return false;
  return true;
}

void write_chords(RouteBuilder& builder, const Stretch& s, double from, double to, double radius) {
  const Vec2 a = s.curve.point(from);
  const Vec2 b = s.curve.point(to);
  if (s.curve.is_parabola()) {
    const double middle = (from + to) / 2;
    const double length = distance(a, b);
    const bool near =
        distance_to_segment(s.curve.point(middle), a, b) <= axis_tolerance && chord_keeps(s, a, b, radius);
    if (!near && length > shortest_chord) {
      write_chords(builder, s, from, middle, radius);
      write_chords(builder, s, middle, to, radius);
      return;
    }
  }
  builder.line(a, b, s.layer);
}

/// Parameters at which the clearance along a stretch is `keep`, ascending, with 0 and 1 around them. Clearance is convex along an
/// arc, so there are at most two.
std::vector<double> cuts(const Stretch& s, double keep) {
  const auto excess = [&](double t) {
    const Vec2 p = s.curve.point(t);
    return distance(p, navmesh::nearest_on(s.left, p)) - keep;
  };
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {  // to the lowest point
    const double third = (high - low) / 3;
    (excess(low + third) <= excess(high - third) ? high : low) +=
        excess(low + third) <= excess(high - third) ? -third : third;
  }
  const double lowest = (low + high) / 2;
  const auto root = [&](double outside, double inside) {
    for (int i = 0; i < 60; ++i) {
      const double middle = (outside + inside) / 2;
      (excess(middle) > 0 ? outside : inside) = middle;
    }
    return outside;
  };
  std::vector<double> at{0};
  if (excess(lowest) < 0 && excess(0) > 0) at.push_back(root(0, lowest));
  if (excess(lowest) < 0 && excess(1) > 0) at.push_back(root(1, lowest));
  at.push_back(1);
  return at;
}

}  // namespace

/// The stretch of the i-th arc of the path: the first begins, the last ends where an end point was put on the axis.
Planner::PathArc Planner::path_arc(std::size_t i) const {
  const Mesh& mesh = graph_->mesh();
  const Index directed = path_.arcs[i];
  const navmesh::Arc& arc = mesh.arc(directed / 2);
  const bool forward = directed % 2 == 0;
  PathArc stretch;
  stretch.left = arc.site[forward ? 0 : 1];
  stretch.right = arc.site[forward ? 1 : 0];
  stretch.from = i == 0 ? start_.on_axis.point : mesh.node(forward ? arc.from : arc.to).point;
  stretch.to = i + 1 == path_.arcs.size() ? goal_.on_axis.point : mesh.node(forward ? arc.to : arc.from).point;
  return stretch;
}

void Planner::write_axis(Route& route) const {
  const Mesh& mesh = graph_->mesh();
  const Index layer = start_.place.layer;
  RouteBuilder builder(route);
  builder.line(start_.place.point, start_.on_axis.point, layer);
  for (std::size_t i = 0; i < path_.arcs.size(); ++i) {
    const PathArc arc = path_arc(i);
    if (arc.from == arc.to) continue;
    const Site& left = mesh.site(arc.left);
    const Site& right = mesh.site(arc.right);
    write_chords(builder, {left, right, ArcCurve(left, right, arc.from, arc.to), layer}, 0, 1, query_.radius);
  }
  builder.line(goal_.on_axis.point, goal_.place.point, layer);
}

/// From each axis point the route lies `keep` away from the nearest obstacle on its side, or on the axis where that is
/// nearer. Between two obstacles it crosses the empty disc around their common axis point, which is as far from both.
void Planner::write_side(Route& route, bool on_left, double keep) const {
  const Mesh& mesh = graph_->mesh();
  const Index layer = start_.place.layer;
  RouteBuilder builder(route);
  const auto beside = [&](const Site& site, Vec2 axis) {
    const Vec2 wall = navmesh::nearest_on(site, axis);
    const double clearance = distance(wall, axis);
    return clearance <= keep ? axis : wall + (axis - wall) * (keep / clearance);
  };
  Vec2 at = start_.place.point;
  const auto go_to = [&](Vec2 to) {
    builder.line(at, to, layer);
    at = to;
  };
  if (start_.on_left != on_left) go_to(start_.on_axis.point);
  for (std::size_t i = 0; i < path_.arcs.size(); ++i) {
    const PathArc arc = path_arc(i);
    const Site& site = mesh.site(on_left ? arc.left : arc.right);
    const Stretch stretch{site, mesh.site(on_left ? arc.right : arc.left),
                          ArcCurve(mesh.site(arc.left), mesh.site(arc.right), arc.from, arc.to), layer};
    go_to(beside(site, arc.from));
    if (arc.from == arc.to) continue;
    const std::vector<double> at_keep = cuts(stretch, keep);
    for (std::size_t c = 1; c < at_keep.size(); ++c) {
      const Vec2 middle = stretch.curve.point((at_keep[c - 1] + at_keep[c]) / 2);
      const Vec2 end = beside(site, stretch.curve.point(at_keep[c]));
      if (beside(site, middle) == middle) {
        write_chords(builder, stretch, at_keep[c - 1], at_keep[c], query_.radius);
      } else if (site.is_corner()) {
        builder.arc(at, end, site.a, keep, on_left, layer);
      } else {
        builder.line(at, end, layer);
      }
      at = end;
    }
  }
  if (goal_.on_left != on_left) go_to(goal_.on_axis.point);
  go_to(goal_.place.point);
}

}  // namespace throng::routes
