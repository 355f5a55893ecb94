#include "routes/flow_field.hpp"

#include <algorithm>
#include <cmath>

#include "routes/flow_field_builder.hpp"

namespace throng::routes {

namespace {

/// Metres that a place may lie outside a window and still count as in it: windows share their limits, to rounding.
constexpr double beside_window = 1e-7;
/// Tiles that are looked at for a place in a tile without any window: too near to obstacles for the body.
constexpr int most_steps_back = 16;

double length_of(Vec2 v) { return std::sqrt(squared_length(v)); }

/// Direction in which a path leaves a root for p; inside the disc, in which it passes the nearest point of its rim.
Vec2 direction_to(const Bend& root, Vec2 p, double away) {
  if (away >= std::abs(root.radius)) return tangent(root, {p, 0});
  if (away == 0) return {};
  return perpendicular(p - root.centre) * ((root.radius > 0 ? 1 : -1) / away);
}

}  // namespace

FlowField::FlowField(std::shared_ptr<const CorridorTiles> tiles, std::span<const FlowGoal> goals, double radius)
    : tiles_(std::move(tiles)), radius_(radius) {
  FlowFieldBuilder(*this).run(goals);
}

bool FlowField::is_narrow(Index tile) const {
  return tiles_->is_arc(tile) && tiles_->graph().arc_clearance(tile) < radius_ - flow_fit_tolerance;
}

/// The gate of an arc's tile on whose side of the narrowest place a point lies. Only between a corner and a wall can that place be
/// inside the tile: elsewhere it is at a gate, which then is closed.
std::uint8_t FlowField::side_of(Index tile, Vec2 p) const {
  if (!tiles_->is_arc(tile)) return 0;
  const navmesh::Mesh& mesh = tiles_->graph().mesh();
  const navmesh::Arc& arc = mesh.arcs[tile];
  const navmesh::Site& left = mesh.sites[arc.site[0]];
  const navmesh::Site& right = mesh.sites[arc.site[1]];
  const TileGate& to = tiles_->gates(tile)[0];
  const TileGate& from = tiles_->gates(tile)[1];
  if (left.is_corner() == right.is_corner()) return to.clearance >= from.clearance ? 0 : 1;
  const Vec2 corner = left.is_corner() ? left.a : right.a;
  const navmesh::Site& wall = left.is_corner() ? right : left;
  const Vec2 along = wall.b - wall.a;
  // A wall runs with its free space on the left: along the arc where it is the right site, against it where it is the left one.
  const double ahead = dot(p - corner, along) * (left.is_corner() ? 1 : -1);
  return ahead >= 0 ? 0 : 1;
}

/// How deep a straight line to p cuts into a corner's disc. Where p itself is nearer than it should be, that hides nothing.
double FlowField::hidden_by(Vec2 corner, Vec2 from, Vec2 p) const {
  const double allowed = std::min(std::max(radius_, flow_point_radius), length_of(p - corner));
  return allowed - length_of(navmesh::nearest_on({.a = from, .b = p}, corner) - corner);
}

/// The same for the discs at the ends of a tile's gates, from a root.
double FlowField::hidden_in(Index tile, const Bend& root, Vec2 p) const {
  const Vec2 from = touch(root, tangent(root, {p, 0}));
  double deep = 0;
  for (const TileGate& gate : tiles_->gates(tile))
    for (const GatePost* post : {&gate.right, &gate.left})
      if (post->corner != none && post->point != root.centre) deep = std::max(deep, hidden_by(post->point, from, p));
  return deep;
}

double FlowField::outside(const Window& window, const Spot& spot) const {
  const Bend& bend = roots_[window.root].bend;
  const double away = length_of(spot.point - bend.centre);
  const Vec2 direction = direction_to(bend, spot.point, away);
  // Directions are compared, not sides of lines: close to a disc a point may lie behind where a tangent begins.
  double off = 0;
  if (!window.right_open) off = std::max(off, -away * cross(window.right, direction));
  if (!window.left_open) off = std::max(off, -away * cross(direction, window.left));
  if (off > beside_window || away <= std::abs(bend.radius)) return off;
  off = std::max(off, hidden_in(spot.tile, bend, spot.point));
  if (spot.own_tile != spot.tile) off = std::max(off, hidden_in(spot.own_tile, bend, spot.point));
  if (window.ends_at == none) return off;
  const Vec2 corner = tiles_->graph().mesh().sites[window.ends_at].a;
  return std::max(off, hidden_by(corner, touch(bend, direction), spot.point));
}

FlowField::Answer FlowField::along(const Window& window, Vec2 p) const {
  const Root& root = roots_[window.root];
  const Vec2 from_centre = p - root.bend.centre;
  const double away = length_of(from_centre);
  const double disc = std::abs(root.bend.radius);
  if (disc > 0 && away < disc) {
    // Inside the disc: along it, and outwards the more the deeper.
    if (away == 0) return {root.distance, -root.arrival, p, root.tag};
    const Vec2 outward = from_centre / away;
    const Vec2 onward = direction_to(root.bend, p, away);
    const Vec2 back = outward * ((disc - away) / disc) - onward;
    const double length = root.distance + arc_length(root.bend, root.arrival, onward) + (disc - away);
    return {length, back / length_of(back), root.bend.centre + outward * disc, root.tag};
  }
  if (away == 0) return {root.distance, {}, p, root.tag};
  const Vec2 direction = tangent(root.bend, {p, 0});
  const Vec2 next = touch(root.bend, direction);
  const double straight = length_of(p - next);
  return {root.distance + arc_length(root.bend, root.arrival, direction) + straight, -direction, next, root.tag};
}

FlowField::Answer FlowField::best_at(const Spot& spot) const {
  Answer best;
  double least_off = unreachable;
  const auto look_in = [&](Index tile) {
    const bool narrow = is_narrow(tile);
    for (Index w = first_window_[tile]; w < first_window_[tile + 1]; ++w) {
      if (narrow && windows_[w].side != side_of(tile, spot.point)) continue;
      const Root& root = roots_[windows_[w].root];
      const double at_least = root.distance - std::abs(root.bend.radius);
      if (least_off == 0 && at_least + length_of(spot.point - root.bend.centre) > best.distance) continue;
      const double off = outside(windows_[w], spot);
      // Of windows that hold the place the shortest counts; where none does, the one that almost does.
      const double counted = off <= beside_window ? 0 : off;
      if (counted > least_off) continue;
      const Answer answer = along(windows_[w], spot.point);
      if (counted < least_off || answer.distance < best.distance) best = answer;
      least_off = counted;
    }
  };
  look_in(spot.tile);
  if (spot.own_tile != spot.tile) look_in(spot.own_tile);
  return best;
}

FlowField::Answer FlowField::ask(Vec2 point, Index cell) const {
  Index tile = tiles_->tile_at(cell, point);
  Answer answer = best_at({point, tile, cell / 2});
  // A place too near to obstacles may lie where no window reaches: back to where there is more room.
  for (int step = 0; step < most_steps_back && !answer.reachable(); ++step) {
    const TileGate* widest = nullptr;
    for (const TileGate& gate : tiles_->gates(tile))
      if (gate.tile != none && (widest == nullptr || gate.clearance > widest->clearance)) widest = &gate;
    if (widest == nullptr || widest->clearance >= radius_) break;
    tile = widest->tile;
    const Vec2 middle = (widest->right.point + widest->left.point) / 2;
    answer = best_at({middle, tile, tile});
    if (!answer.reachable()) continue;
    const double way = length_of(middle - point);
    if (way > 0) answer = {answer.distance + way, (middle - point) / way, middle, answer.tag};
  }
  return answer;
}

std::size_t FlowField::most_windows_in_a_tile() const {
  std::size_t most = 0;
  for (std::size_t t = 0; t + 1 < first_window_.size(); ++t)
    most = std::max<std::size_t>(most, first_window_[t + 1] - first_window_[t]);
  return most;
}

std::size_t FlowField::bytes() const {
  const auto held = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof *this + held(roots_) + held(windows_) + held(first_window_);
}

}  // namespace throng::routes
