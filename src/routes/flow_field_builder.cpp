#include "routes/flow_field_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "geometry/elementary.hpp"
#include "navmesh/queries.hpp"

namespace throng::routes {

namespace {

constexpr double full_turn = 2 * std::numbers::pi;
/// No way turns by nearly a full turn; what seems to is rounding the other way.
constexpr double rounding_angle = 1e-6;
/// A corner is turned around by at most half a turn between two lines that touch it outside of obstacles.
constexpr double half_turn = std::numbers::pi + 1e-3;
/// Gates of one corner that lines beside its disc can cross; a guard, no corner has so many within a radius.
constexpr int most_stubs_a_corner = 64;
/// Sine of the angle between directions that are one.
constexpr double same_direction = 1e-12;
/// Metres: ways that differ by less are the same.
constexpr double same_length = 1e-9;

double length_of(Vec2 v) { return std::sqrt(squared_length(v)); }

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) { return length_of(p - navmesh::nearest_on({.a = a, .b = b}, p)); }

/// Angle from one direction to another, the way a path turns around a bend.
double turn_of(const Bend& bend, Vec2 from, Vec2 to) {
  const double sign = bend.radius < 0 ? -1 : 1;
  const double angle = geometry::arc_tangent(sign * cross(from, to), dot(from, to));
  const double turn = angle < 0 ? angle + full_turn : angle;
  return turn > full_turn - rounding_angle ? 0 : turn;
}

bool later(const auto& a, const auto& b) { return a.bound != b.bound ? a.bound > b.bound : a.serial > b.serial; }

}  // namespace

double arc_length(const Bend& root, Vec2 from, Vec2 to) {
  return root.radius == 0 ? 0 : std::abs(root.radius) * turn_of(root, from, to);
}

FlowFieldBuilder::FlowFieldBuilder(FlowField& field)
    : field_(field),
      tiles_(*field.tiles_),
      mesh_(tiles_.graph().mesh()),
      disc_(std::max(field.radius_, flow_point_radius)),
      fit_(field.radius_ - flow_fit_tolerance),
      ceiling_(tiles_.size(), unreachable),
      first_root_(2 * mesh_.sites.size(), none) {}

void FlowFieldBuilder::run(std::span<const FlowGoal> goals) {
  for (const FlowGoal& goal : goals) start_at(goal);
  while (!open_.empty()) {
    std::pop_heap(open_.begin(), open_.end(), later<Pushed, Pushed>);
    const Pushed next = open_.back();
    open_.pop_back();
    if (next.bound <= ceiling_[next.tile]) expand(next);
  }
  store();
}

void FlowFieldBuilder::start_at(const FlowGoal& goal) {
  const navmesh::Located at = navmesh::locate(mesh_, goal.place);
  if (!at) return;
  Vec2 point = goal.place.point;
  if (at.clearance < field_.radius_) {
    const navmesh::Retraction on_axis = navmesh::retract(mesh_, at, point);
    if (on_axis.clearance < fit_ || on_axis.clearance == 0) return;
    point = at.nearest + (on_axis.point - at.nearest) * (field_.radius_ / on_axis.clearance);
  }
  const Index tile = tiles_.tile_at(at.cell, point);
  const Index root = Index(field_.roots_.size());
  field_.roots_.push_back({.bend = {point, 0}, .tag = goal.tag});
  push(tile, none, {.root = root, .right_open = true, .left_open = true, .side = field_.side_of(tile, point)});
}

double FlowFieldBuilder::bound_of(Index tile, Index entry, const Window& window) const {
  const Root& root = field_.roots_[window.root];
  if (entry == none) return root.distance;
  const TileGate& gate = tiles_.gates(tile)[entry];
  const double to_gate = distance_to_segment(root.bend.centre, gate.left.point, gate.right.point);
  return root.distance + std::max(0.0, to_gate - std::abs(root.bend.radius));
}

void FlowFieldBuilder::push(Index tile, Index entry, const Window& window) {
  const double bound = bound_of(tile, entry, window);
  if (bound > ceiling_[tile]) return;
  open_.push_back({bound, serial_++, tile, entry, window});
  std::push_heap(open_.begin(), open_.end(), later<Pushed, Pushed>);
}

void FlowFieldBuilder::expand(const Pushed& pushed) {
  kept_.push_back({pushed.tile, pushed.window});
  if (pushed.entry != none) lower_ceiling(pushed.tile, tiles_.gates(pushed.tile)[pushed.entry], pushed.window);
  for (Index g = 0; g < tiles_.gates(pushed.tile).size(); ++g)
    if (g != pushed.entry) pass(pushed.tile, pushed.window, g);
}

/// From the point where a limit of the window enters, every place of the tile is at most its diameter away, and a bend around
/// each corner of it.
void FlowFieldBuilder::lower_ceiling(Index tile, const TileGate& gate, const Window& window) {
  if (field_.is_narrow(tile) || (window.right_open && window.left_open)) return;
  const Root& root = field_.roots_[window.root];
  const Vec2 direction = window.right_open ? window.left : window.right;
  const Vec2 from = touch(root.bend, direction);
  const Vec2 across = gate.left.point - gate.right.point;
  const double denominator = cross(direction, across);
  if (denominator == 0) return;
  const double along = cross(gate.right.point - from, across) / denominator;
  const double share = dot(from + direction * along - gate.right.point, across) / squared_length(across);
  if (!(along >= 0 && share >= 0 && share <= 1)) return;
  const double entry = root.distance + arc_length(root.bend, root.arrival, direction) + along;
  const double bends = 4 * disc_ * double(tiles_.gates(tile).size());
  ceiling_[tile] = std::min(ceiling_[tile], entry + tiles_.diameter(tile) + bends);
}

FlowFieldBuilder::Limit FlowFieldBuilder::limit_right(const Window& window, const GatePost& post) const {
  const Root& root = field_.roots_[window.root];
  const Limit same{window.right, window.right_open, false, false};
  const Limit blocked{.blocked = true};
  if (post.corner != none && post.corner == root.corner) return root.bend.radius < 0 ? same : blocked;
  const bool inside = squared_length(post.point - root.bend.centre) < root.bend.radius * root.bend.radius;
  if (post.corner == none && inside) return root.bend.radius < 0 ? same : blocked;
  const Vec2 direction = tangent(root.bend, {post.point, post.corner == none ? 0 : -disc_});
  if (direction == Vec2{}) return blocked;
  if (!window.right_open && cross(window.right, direction) <= same_direction) return same;
  if (!window.left_open && cross(direction, window.left) < 0) return blocked;
  return {direction, false, true, false};
}

FlowFieldBuilder::Limit FlowFieldBuilder::limit_left(const Window& window, const GatePost& post) const {
  const Root& root = field_.roots_[window.root];
  const Limit same{window.left, window.left_open, false, false};
  const Limit blocked{.blocked = true};
  if (post.corner != none && post.corner == root.corner) return root.bend.radius > 0 ? same : blocked;
  const bool inside = squared_length(post.point - root.bend.centre) < root.bend.radius * root.bend.radius;
  if (post.corner == none && inside) return root.bend.radius > 0 ? same : blocked;
  const Vec2 direction = tangent(root.bend, {post.point, post.corner == none ? 0 : disc_});
  if (direction == Vec2{}) return blocked;
  if (!window.left_open && cross(direction, window.left) <= same_direction) return same;
  if (!window.right_open && cross(window.right, direction) < 0) return blocked;
  return {direction, false, true, false};
}

/// Whether a tangent to one post of a gate runs into the other before it gets there.
bool FlowFieldBuilder::comes_first(const Root& root, Vec2 direction, const GatePost& other, bool other_is_left,
                                   const GatePost& post) const {
  const double sign = other_is_left ? 1 : -1;
  const double radius = other.corner == none ? 0 : disc_;
  if (sign * left_of(root.bend, direction, other.point) >= radius - flow_on_line) return false;
  const double along = dot(direction, other.point - root.bend.centre);
  return along > 0 && along < dot(direction, post.point - root.bend.centre);
}

/// The corner at a gate's post as a root, reached along a tangent; none where it is known to be reached as well or better.
Index FlowFieldBuilder::add_root(const Root& from, Vec2 direction, const GatePost& post, bool left) {
  const Bend bend{post.point, left ? disc_ : -disc_};
  const double straight = dot(direction, touch(bend, direction) - touch(from.bend, direction));
  const double distance = from.distance + arc_length(from.bend, from.arrival, direction) + std::max(0.0, straight);
  Index& first = first_root_[2 * post.corner + (left ? 1 : 0)];
  for (Index r = first; r != none; r = field_.roots_[r].next) {
    const Root& known = field_.roots_[r];
    const double turn = turn_of(bend, known.arrival, direction);
    if (turn <= half_turn && known.distance + disc_ * turn <= distance + same_length) return none;
  }
  const Index root = Index(field_.roots_.size());
  field_.roots_.push_back({bend, post.corner, from.tag, direction, distance, first});
  first = root;
  return root;
}

void FlowFieldBuilder::pass(Index tile, const Window& window, Index number) {
  const TileGate gate = tiles_.gates(tile)[number];
  if (gate.tile == none || gate.clearance < fit_) return;
  if (field_.is_narrow(tile) && number != window.side) return;
  const Limit right = limit_right(window, gate.right);
  const Limit left = limit_left(window, gate.left);
  const bool both = !right.blocked && !left.blocked;
  if (both && (right.open || left.open || cross(right.direction, left.direction) > 0)) {
    push(gate.tile, gate.back,
         {right.direction, left.direction, window.root, none, right.open, left.open, std::uint8_t(gate.back)});
  }
  add_stubs(tile, window, number, right, left);
  turn_around(tile, window, number, right, false);
  turn_around(tile, window, number, left, true);
}

/// Where a disc at a gate's end limits a window, the way leads on around it, unless the disc at the other end is met first.
void FlowFieldBuilder::turn_around(Index tile, const Window& window, Index number, const Limit& limit, bool at_left) {
  const TileGate gate = tiles_.gates(tile)[number];
  const GatePost& post = at_left ? gate.left : gate.right;
  const GatePost& other = at_left ? gate.right : gate.left;
  const Root root = field_.roots_[window.root];
  if (!limit.moved || post.corner == none || comes_first(root, limit.direction, other, !at_left, post)) return;
  if (ends_before(window, limit.direction, post)) return;
  const Index turned = add_root(root, limit.direction, post, at_left);
  if (turned == none) return;
  const Window around{limit.direction, limit.direction, turned, none, !at_left, at_left, window.side};
  kept_.push_back({tile, around});
  pass(tile, around, number);
}

/// Lines that come through a gate beside a disc and end at it later: no way leads on along them, but what lies before the disc is
/// seen, and discs on the other side may be met before.
void FlowFieldBuilder::add_stubs(Index tile, const Window& window, Index number, const Limit& right,
                                 const Limit& left) {
  const TileGate gate = tiles_.gates(tile)[number];
  const auto stands_in_the_way = [](const Limit& limit, const GatePost& post) {
    return post.corner != none && (limit.moved || limit.blocked);
  };
  for (const bool at_left : {false, true}) {
    const GatePost& post = at_left ? gate.left : gate.right;
    if (!stands_in_the_way(at_left ? left : right, post)) continue;
    Window stub = window;
    stub.ends_at = post.corner;
    add_stub(tile, stub, number, 0);
  }
}

/// Whether a line of a stub meets the disc it ends at before a post.
bool FlowFieldBuilder::ends_before(const Window& window, Vec2 direction, const GatePost& post) const {
  if (window.ends_at == none || window.ends_at == post.corner) return false;
  const Bend& root = field_.roots_[window.root].bend;
  const Vec2 corner = mesh_.sites[window.ends_at].a;
  if (std::abs(left_of(root, direction, corner)) >= disc_ - flow_on_line) return false;
  const double along = dot(direction, corner - root.centre);
  return along > 0 && along < dot(direction, post.point - root.centre);
}

/// Takes a stub through a gate and on through those that the disc it ends at reaches over. Where it crosses a gate it is outside the
/// discs at its ends.
void FlowFieldBuilder::add_stub(Index tile, Window stub, Index number, int depth) {
  const TileGate gate = tiles_.gates(tile)[number];
  if (gate.tile == none || gate.clearance < fit_ || depth > most_stubs_a_corner) return;
  if (field_.is_narrow(tile) && number != stub.side) return;
  const Limit right =
      gate.right.corner == stub.ends_at ? Limit{stub.right, stub.right_open} : limit_right(stub, gate.right);
  const Limit left = gate.left.corner == stub.ends_at ? Limit{stub.left, stub.left_open} : limit_left(stub, gate.left);
  if (depth > 0) turn_around(tile, stub, number, right, false);
  if (depth > 0) turn_around(tile, stub, number, left, true);
  if (!narrow_to_gate(stub, gate)) return;
  stub.side = std::uint8_t(gate.back);
  if (bound_of(gate.tile, gate.back, stub) > ceiling_[gate.tile]) return;
  kept_.push_back({gate.tile, stub});
  // What goes on has left other discs behind.
  if (right.blocked || left.blocked) return;
  if (right.moved) stub.right = right.direction;
  if (left.moved) stub.left = left.direction;
  if (cross(stub.right, stub.left) <= 0) return;
  const Vec2 corner = mesh_.sites[stub.ends_at].a;
  const std::span<const TileGate> onward = tiles_.gates(gate.tile);
  for (Index g = 0; g < onward.size(); ++g)
    if (g != gate.back && distance_to_segment(corner, onward[g].right.point, onward[g].left.point) < disc_)
      add_stub(gate.tile, stub, g, depth + 1);
}

/// Leaves of a window the lines that cross a gate outside the discs at its ends; false: none.
bool FlowFieldBuilder::narrow_to_gate(Window& window, const TileGate& gate) const {
  const Bend& root = field_.roots_[window.root].bend;
  const Vec2 across = gate.left.point - gate.right.point;
  const Vec2 inset = across * (disc_ / length_of(across));
  const Vec2 right = gate.right.corner == none ? gate.right.point : gate.right.point + inset;
  const Vec2 left = gate.left.corner == none ? gate.left.point : gate.left.point - inset;
  if (dot(left - right, across) < 0) return false;
  const Vec2 to_right = tangent(root, {right, 0});
  const Vec2 to_left = tangent(root, {left, 0});
  if (window.right_open || (to_right != Vec2{} && cross(window.right, to_right) > 0)) window.right = to_right;
  if (window.left_open || (to_left != Vec2{} && cross(to_left, window.left) > 0)) window.left = to_left;
  window.right_open = window.left_open = false;
  return window.right != Vec2{} && window.left != Vec2{} && cross(window.right, window.left) > 0;
}

void FlowFieldBuilder::store() {
  std::stable_sort(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.tile < b.tile; });
  field_.first_window_.assign(tiles_.size() + 1, 0);
  for (const Kept& kept : kept_) ++field_.first_window_[kept.tile + 1];
  std::partial_sum(field_.first_window_.begin(), field_.first_window_.end(), field_.first_window_.begin());
  field_.windows_.reserve(kept_.size());
  for (const Kept& kept : kept_) field_.windows_.push_back(kept.window);
}

}  // namespace throng::routes
