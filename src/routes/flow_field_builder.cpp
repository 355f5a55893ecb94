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
/// Metres beside a limit, a gate or a disc that are rounding, and what share of a disc at most: a point's disc is small itself.
constexpr double most_beside = 1e-8;
constexpr double share_beside = 1e-2;
/// Sine of an angle at which where two lines cross is well defined.
constexpr double clearly_across = 0.01;
/// Metres by which points are off through rounding, on a map of a kilometre.
constexpr double position_error = 1e-13;
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
      disc_(field.disc_),
      beside_(std::min(most_beside, share_beside * disc_)),
      ceiling_(tiles_.size(), unreachable) {
  number_stretches();
  measure_tiles();
}

void FlowFieldBuilder::number_stretches() {
  stretch_.assign(4 * mesh_.arcs.size(), none);
  Index count = 0;
  for (const navmesh::Site& site : mesh_.sites) {
    if (!site.is_corner() || site.cell_count == 0) continue;
    // Counterclockwise around a corner: along the arcs it is left of, against those it is right of.
    const Index first = count++;
    Index node = none;
    for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c) {
      const Index cell = mesh_.site_cells[c];
      const navmesh::Arc& arc = mesh_.arcs[cell / 2];
      const Index begins_at = cell % 2 == 0 ? 1 : 0;
      const bool goes_on = node == none || (node == (begins_at == 1 ? arc.from : arc.to) &&
                                            mesh_.nodes[node].clearance >= disc_ - fit_tolerance);
      if (!goes_on) ++count;
      stretch_[2 * cell + begins_at] = count - 1;
      if (field_.is_narrow(cell / 2)) ++count;
      stretch_[2 * cell + 1 - begins_at] = count - 1;
      node = begins_at == 1 ? arc.to : arc.from;
    }
    close_circle(site, node, first, count - 1);
  }
  first_root_.assign(2 * count, none);
}

/// Around a corner with free space on all sides the last stretch goes on as the first.
void FlowFieldBuilder::close_circle(const navmesh::Site& site, Index last_node, Index first, Index last) {
  const Index first_cell = mesh_.site_cells[site.first_cell];
  const navmesh::Arc& arc = mesh_.arcs[first_cell / 2];
  const bool closed = last_node == (first_cell % 2 == 0 ? arc.from : arc.to);
  if (!closed || mesh_.nodes[last_node].clearance < disc_ - fit_tolerance) return;
  for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c)
    for (const Index end : {0u, 1u})
      if (Index& stretch = stretch_[2 * mesh_.site_cells[c] + end]; stretch == last) stretch = first;
}

/// A tile lies in the hull of its gates; a way in it bends around its own corners only, by at most half a turn each.
void FlowFieldBuilder::measure_tiles() {
  reach_.reserve(tiles_.size());
  for (Index t = 0; t < tiles_.size(); ++t) {
    double square = 0;
    for (const TileGate& g : tiles_.gates(t))
      for (const TileGate& h : tiles_.gates(t))
        for (const Vec2 p : {g.left_for(disc_), g.right_for(disc_)})
          for (const Vec2 q : {h.left_for(disc_), h.right_for(disc_)}) square = std::max(square, squared_length(p - q));
    double bends = 0;
    if (tiles_.is_arc(t))
      for (const Index site : mesh_.arcs[t].site) bends += mesh_.sites[site].is_corner() ? half_turn * disc_ : 0;
    reach_.push_back(std::sqrt(square) + bends);
  }
}

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
  if (at.clearance < disc_) {
    const navmesh::Retraction on_axis = navmesh::retract(mesh_, at, point);
    if (on_axis.clearance < disc_ - fit_tolerance || on_axis.clearance == 0) return;
    point = at.nearest + (on_axis.point - at.nearest) * (disc_ / on_axis.clearance);
  }
  const Index tile = tiles_.tile_at(at.cell, point, disc_);
  const Index root = Index(field_.roots_.size());
  field_.roots_.push_back({.bend = {point, 0}, .tag = goal.tag});
  push(tile, none, {.root = root, .right_open = true, .left_open = true, .side = field_.side_of(tile, point)}, 0);
}

double FlowFieldBuilder::bound_at(const TileGate& gate, const Window& window) const {
  const Root& root = field_.roots_[window.root];
  const double to_gate = distance_to_segment(root.bend.centre, gate.left_for(disc_), gate.right_for(disc_));
  return root.distance + std::max(0.0, to_gate - std::abs(root.bend.radius));
}

void FlowFieldBuilder::push(Index tile, Index entry, const Window& window, double bound) {
  if (bound > ceiling_[tile]) return;
  open_.push_back({bound, serial_++, tile, entry, window});
  std::push_heap(open_.begin(), open_.end(), later<Pushed, Pushed>);
}

void FlowFieldBuilder::expand(const Pushed& pushed) {
  const auto& [bound, serial, tile, entry, window] = pushed;
  kept_.push_back({tile, window});
  if (entry != none) lower_ceiling(tile, tiles_.gates(tile)[entry], window);
  if (tiles_.is_arc(tile))
    for (const Index towards : {0u, 1u})
      for (const Index side : {0u, 1u})
        if (towards != entry) turn_around(tile, window, side, towards);
  for (Index g = 0; g < tiles_.gates(tile).size(); ++g)
    if (g != entry) pass(tile, entry, window, g);
}

/// From the point where a limit of the window enters, every place of the tile is at most its reach away.
void FlowFieldBuilder::lower_ceiling(Index tile, const TileGate& gate, const Window& window) {
  if (field_.is_narrow(tile) || (window.right_open && window.left_open)) return;
  const Root& root = field_.roots_[window.root];
  const Vec2 direction = window.right_open ? window.left : window.right;
  const Vec2 from = touch(root.bend, direction);
  const Vec2 right = gate.right_for(disc_);
  double along = std::max(length_of(right - from), length_of(gate.left_for(disc_) - from));
  // Where the line crosses the gate, unless it runs along it.
  const double slant = cross(direction, gate.across());
  if (std::abs(slant) > clearly_across * length_of(gate.across()))
    along = std::clamp(cross(right - from, gate.across()) / slant, 0.0, along);
  const double entry = root.distance + arc_length(root.bend, root.arrival, direction) + along;
  ceiling_[tile] = std::min(ceiling_[tile], entry + reach_[tile]);
}

/// The circle at a side of an arc's tile as whoever leaves by a gate bends around it; of no radius where that side is a wall.
Bend FlowFieldBuilder::border(Index tile, Index side, Index towards) const {
  const navmesh::Site& site = mesh_.sites[mesh_.arcs[tile].site[side]];
  if (!site.is_corner()) return {};
  return {site.a, side == towards ? disc_ : -disc_};
}

/// By how much rounding turns a tangent to something at that distance: close to the disc it leaves it has few digits.
double FlowFieldBuilder::direction_error(double away) const {
  return position_error / std::max(away, std::sqrt(position_error * disc_));
}

/// Makes a limit stricter by the direction of something at a distance, unless it is already.
void FlowFieldBuilder::narrow(const Window& window, Limit& limit, Vec2 direction, double away, bool at_left) const {
  const double sign = at_left ? -1 : 1;
  const double error = direction_error(away);
  if (limit.blocked || (!limit.open && sign * cross(limit.direction, direction) <= error)) return;
  const bool other_open = at_left ? window.right_open : window.left_open;
  const Vec2 other = at_left ? window.right : window.left;
  if (!other_open && sign * cross(direction, other) < -error) {
    limit.blocked = true;
    return;
  }
  limit = {direction, false, false, error};
}

/// What a gate's end and the circle that leads to it leave of a window.
FlowFieldBuilder::Limit FlowFieldBuilder::limit_at(Index tile, Index entry, const Window& window, Index number,
                                                   bool at_left) const {
  const TileGate& gate = tiles_.gates(tile)[number];
  const GatePost& post = at_left ? gate.left : gate.right;
  const Root& root = field_.roots_[window.root];
  const double sign = at_left ? 1 : -1;
  Limit limit{at_left ? window.left : window.right, at_left ? window.left_open : window.right_open};
  if (post.corner != none && post.corner == root.corner) {
    limit.blocked = sign * root.bend.radius < 0;
    return limit;
  }
  if (limit.open && root.corner != none && entry != none) {
    // The circle ends at the entry: nothing leaves it later than there.
    const TileGate& behind = tiles_.gates(tile)[entry];
    const GatePost& last = at_left ? behind.right : behind.left;
    if (last.corner == root.corner) limit = {perpendicular(last.inward) * sign};
  }
  const auto narrow_by = [&](const Bend& bend) {
    const Vec2 direction = tangent(root.bend, bend);
    if (direction == Vec2{}) return;
    narrow(window, limit, direction, dot(direction, bend.centre - root.bend.centre), at_left);
  };
  narrow_by({at_left ? gate.left_for(disc_) : gate.right_for(disc_), 0});
  if (!tiles_.is_arc(tile)) return limit;
  const Index side = at_left ? number : 1 - number;
  const Bend bend = border(tile, side, number);
  if (bend.radius == 0 || mesh_.arcs[tile].site[side] == root.corner) return limit;
  // Touched behind the gate it is the business of another tile.
  if (gate.inside(touch(bend, tangent(root.bend, bend)), disc_) >= 0) narrow_by(bend);
  return limit;
}

void FlowFieldBuilder::pass(Index tile, Index entry, const Window& window, Index number) {
  const TileGate& gate = tiles_.gates(tile)[number];
  if (gate.tile == none || !gate.lets_through(disc_)) return;
  if (field_.is_narrow(tile) && number != window.side) return;
  const Limit right = limit_at(tile, entry, window, number, false);
  const Limit left = limit_at(tile, entry, window, number, true);
  if (right.blocked || left.blocked) return;
  const Window beyond{right.direction, left.direction, window.root, right.open, left.open, std::uint8_t(gate.back)};
  const double away = length_of(gate.right_for(disc_) - field_.roots_[window.root].bend.centre);
  const double rounding = beside_ / away + right.error + left.error;
  if (!right.open && !left.open && cross(right.direction, left.direction) < -rounding) return;
  push(gate.tile, gate.back, beyond, bound_at(gate, beyond));
}

/// Whether a tangent of the window gets to one of the tile's circles in the tile.
bool FlowFieldBuilder::sees(Index tile, const Window& window, Index side, Vec2 direction, const Bend& bend) const {
  const Root& root = field_.roots_[window.root];
  const Vec2 from = touch(root.bend, direction);
  const Vec2 to = touch(bend, direction);
  const double straight = dot(direction, to - from);
  if (straight < -beside_) return false;
  const double angle = std::max(beside_ / std::max(straight, disc_), direction_error(straight));
  if (!window.right_open && cross(window.right, direction) < -angle) return false;
  if (!window.left_open && cross(direction, window.left) < -angle) return false;
  const bool narrow = field_.is_narrow(tile);
  for (const Index g : {0u, 1u}) {
    const TileGate& gate = tiles_.gates(tile)[g];
    if (narrow && g != window.side) continue;
    if (gate.inside(to, disc_) < -beside_ * length_of(gate.across())) return false;
  }
  const Index opposite = mesh_.arcs[tile].site[1 - side];
  const navmesh::Site& other = mesh_.sites[opposite];
  if (opposite == root.corner) return true;
  if (other.is_corner()) return distance_to_segment(other.a, from, to) >= disc_ - beside_;
  return !narrow || length_of(to - navmesh::nearest_on(other, to)) >= disc_ - beside_;
}

/// Where one of the tile's circles limits a window, the way leads on around it.
void FlowFieldBuilder::turn_around(Index tile, const Window& window, Index side, Index towards) {
  const Bend bend = border(tile, side, towards);
  const Index corner = mesh_.arcs[tile].site[side];
  const Root root = field_.roots_[window.root];
  if (bend.radius == 0 || corner == root.corner) return;
  const Vec2 direction = tangent(root.bend, bend);
  if (direction == Vec2{} || !sees(tile, window, side, direction, bend)) return;
  const Index turned = add_root(root, direction, bend, corner, stretch_[4 * tile + 2 * side + window.side]);
  if (turned == none) return;
  const bool left = bend.radius > 0;
  push(tile, 1 - towards, {direction, direction, turned, !left, left, window.side}, field_.roots_[turned].distance);
}

/// A circle as a root, reached along a tangent; none where it is known to be reached as well or better.
Index FlowFieldBuilder::add_root(const Root& from, Vec2 direction, const Bend& bend, Index corner, Index stretch) {
  const double straight = dot(direction, touch(bend, direction) - touch(from.bend, direction));
  const double distance = from.distance + arc_length(from.bend, from.arrival, direction) + std::max(0.0, straight);
  Index& first = first_root_[2 * stretch + (bend.radius > 0 ? 1 : 0)];
  for (Index r = first; r != none; r = field_.roots_[r].next) {
    const Root& known = field_.roots_[r];
    const double turn = turn_of(bend, known.arrival, direction);
    if (turn <= half_turn && known.distance + disc_ * turn <= distance + same_length) return none;
  }
  const Index root = Index(field_.roots_.size());
  field_.roots_.push_back({bend, corner, from.tag, direction, distance, first});
  first = root;
  return root;
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
