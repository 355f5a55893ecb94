#include "routes/tangent_windows.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "geometry/elementary.hpp"
#include "geometry/tolerances.hpp"
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
/// Radians by which limits of windows are off through rounding at posts close to the root, in slits of a millimetre.
constexpr double limit_error = 1e-9;
/// Sine of an angle at which where two lines cross is well defined.
constexpr double clearly_across = 0.01;
/// Metres by which points are off through rounding, on a map of a kilometre.
constexpr double position_error = 1e-13;

double distance_to_segment(Vec2 p, Vec2 a, Vec2 b) { return length(p - navmesh::nearest_on({.a = a, .b = b}, p)); }

/// How far a path turns, by the angle between where it comes from and where it goes to.
double full_angle(double angle) {
  const double turn = angle < 0 ? angle + full_turn : angle;
  return turn > full_turn - rounding_angle ? 0 : turn;
}

}  // namespace

Vec2 turn_of(const Bend& root, Vec2 from, Vec2 to) {
  const double sign = root.radius < 0 ? -1 : 1;
  return {dot(from, to), sign * cross(from, to)};
}

double arc_length(const Bend& root, double angle) {
  return root.radius == 0 ? 0 : std::abs(root.radius) * full_angle(angle);
}

double arc_length(const Bend& root, Vec2 from, Vec2 to) {
  if (root.radius == 0) return 0;
  const Vec2 turn = turn_of(root, from, to);
  return arc_length(root, geometry::arc_tangent(turn.y, turn.x));
}

Approach approach(const Bend& root, Vec2 place) {
  const Vec2 from_centre = place - root.centre;
  const double away = length(from_centre);
  if (away >= std::abs(root.radius)) return {away, tangent(root, {place, 0})};
  if (away == 0) return {};
  return {away, perpendicular(from_centre) * ((root.radius > 0 ? 1 : -1) / away)};
}

DiscTiles::DiscTiles(std::shared_ptr<const CorridorTiles> tiles, double radius, double width)
    : tiles_(std::move(tiles)), disc_(std::max(radius, tangent_point_radius)) {
  if (width <= 0) return;
  for (Index arc = 0; arc < mesh().arc_count(); ++arc) closed_.push_back(2 * tiles_->bottleneck(arc) < width ? 1 : 0);
}

/// Between two walls the narrowest place is at a gate; beside a corner it is where the way between the two sites is shortest.
std::uint8_t DiscTiles::side_of(Index tile, Vec2 p) const {
  if (!tiles_->is_arc(tile)) return 0;
  const navmesh::Mesh& mesh = tiles_->graph().mesh();
  const navmesh::Arc& arc = mesh.arc(tile);
  const navmesh::Site& left = mesh.site(arc.site[0]);
  const navmesh::Site& right = mesh.site(arc.site[1]);
  if (!left.is_corner() && !right.is_corner())
    return tiles_->gates(tile)[0].clearance >= tiles_->gates(tile)[1].clearance ? 0 : 1;
  // A wall runs with its free space on the left: along the arc where it is the right site, against it where it is the left one.
  const Vec2 along =
      left.is_corner() ? (right.is_corner() ? perpendicular(right.a - left.a) : right.b - right.a) : left.a - left.b;
  const Vec2 corner = left.is_corner() ? left.a : right.a;
  return dot(p - corner, along) >= 0 ? 0 : 1;
}

/// How deep a straight line to p cuts into the discs of a tile's own corners: others are not in the way (corridor_tiles.hpp).
double DiscTiles::hidden_in(Index tile, const TangentRoot& root, Vec2 from, Vec2 p) const {
  if (!tiles_->is_arc(tile)) return 0;
  const navmesh::Mesh& mesh = tiles_->graph().mesh();
  double deep = 0;
  for (const Index s : mesh.arc(tile).site) {
    if (!mesh.site(s).is_corner() || s == root.corner) continue;
    const Vec2 corner = mesh.site(s).a;
    deep = std::max(deep, disc_ - length(navmesh::nearest_on({.a = from, .b = p}, corner) - corner));
  }
  return deep;
}

double DiscTiles::outside(const TangentRoot& root, const TangentWindow& window, Index tile, Vec2 p,
                          const Approach& by) const {
  const auto& [away, direction] = by;
  // Directions are compared, not sides of lines: close to a disc a point may lie behind where a tangent begins.
  double off = 0;
  if (!window.right_open) off = std::max(off, -away * cross(window.right, direction));
  if (!window.left_open) off = std::max(off, -away * cross(direction, window.left));
  if (off > tolerance::route_clearance || away <= std::abs(root.bend.radius)) return off;
  return std::max(off, hidden_in(tile, root, touch(root.bend, direction), p));
}

TileMeasures::TileMeasures(const DiscTiles& tiles) {
  number_stretches(tiles);
  measure(tiles);
}

void TileMeasures::number_stretches(const DiscTiles& tiles) {
  const navmesh::Mesh& mesh = tiles.mesh();
  stretch_.assign(4 * mesh.arc_count(), none);
  rank_.assign(4 * mesh.arc_count(), none);
  Index count = 0;
  for (const navmesh::Site& site : mesh.all_sites()) {
    if (!site.is_corner() || site.cell_count == 0) continue;
    // Counterclockwise around a corner: along the arcs it is left of, against those it is right of.
    const Index first = count++;
    Index node = none;
    for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c) {
      const Index cell = mesh.site_cell(c);
      const navmesh::Arc& arc = mesh.arc(cell / 2);
      const Index begins_at = cell % 2 == 0 ? 1 : 0;
      const bool goes_on = node == none || (node == (begins_at == 1 ? arc.from : arc.to) &&
                                            mesh.node(node).clearance >= tiles.disc() - tolerance::same);
      if (!goes_on) ++count;
      stretch_[2 * cell + begins_at] = count - 1;
      if (tiles.is_narrow(cell / 2)) ++count;
      stretch_[2 * cell + 1 - begins_at] = count - 1;
      rank_[2 * cell] = rank_[2 * cell + 1] = c;
      node = begins_at == 1 ? arc.to : arc.from;
    }
    goes_all_around_.resize(count, 0);
    close_circle(tiles, site, node, first, count - 1);
  }
  stretch_count_ = count;
  corner_of_.assign(count, none);
  for (Index arc = 0; arc < mesh.arc_count(); ++arc)
    for (const Index end : {0u, 1u, 2u, 3u})
      if (const Index stretch = stretch_[4 * arc + end]; stretch != none)
        corner_of_[stretch] = mesh.arc(arc).site[end / 2];
}

/// Around a corner with free space on all sides the last stretch goes on as the first.
void TileMeasures::close_circle(const DiscTiles& tiles, const navmesh::Site& site, Index last_node, Index first,
                                Index last) {
  const navmesh::Mesh& mesh = tiles.mesh();
  const Index first_cell = mesh.site_cell(site.first_cell);
  const navmesh::Arc& arc = mesh.arc(first_cell / 2);
  const bool closed = last_node == (first_cell % 2 == 0 ? arc.from : arc.to);
  if (!closed || mesh.node(last_node).clearance < tiles.disc() - tolerance::same) return;
  if (first == last) {
    goes_all_around_[first] = 1;
    return;
  }
  for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c)
    for (const Index end : {0u, 1u}) {
      const Index at = 2 * mesh.site_cell(c) + end;
      if (stretch_[at] == first) rank_[at] += site.cell_count;
      if (stretch_[at] == last) stretch_[at] = first;
    }
}

/// A tile lies in the hull of its gates; a way in it bends around its own corners only, by at most half a turn each.
void TileMeasures::measure(const DiscTiles& disc_tiles) {
  const CorridorTiles& tiles = disc_tiles.tiles();
  const navmesh::Mesh& mesh = disc_tiles.mesh();
  const double disc = disc_tiles.disc();
  reach_.reserve(tiles.size());
  for (Index t = 0; t < tiles.size(); ++t) {
    double square = 0;
    for (const TileGate& g : tiles.gates(t))
      for (const TileGate& h : tiles.gates(t))
        for (const Vec2 p : {g.left_for(disc), g.right_for(disc)})
          for (const Vec2 q : {h.left_for(disc), h.right_for(disc)}) square = std::max(square, squared_length(p - q));
    double bends = 0;
    if (tiles.is_arc(t))
      for (const Index site : mesh.arc(t).site) bends += mesh.site(site).is_corner() ? half_turn * disc : 0;
    reach_.push_back(std::sqrt(square) + bends);
  }
}

WindowGeometry::WindowGeometry(const DiscTiles& tiles)
    : disc_tiles_(tiles),
      tiles_(tiles.tiles()),
      mesh_(tiles.mesh()),
      disc_(tiles.disc()),
      beside_(std::min(most_beside, share_beside * disc_)) {}

WindowSpread::WindowSpread(const DiscTiles& tiles, const TileMeasures& measures, Keep keep)
    : disc_tiles_(tiles),
      measures_(measures),
      tiles_(tiles.tiles()),
      geometry_(tiles),
      keep_(keep),
      disc_(tiles.disc()),
      ceiling_(tiles_.size(), unreachable),
      first_root_(2 * std::size_t(measures.stretch_count()), none) {}

void WindowSpread::clear() {
  roots_.clear();
  for (const Index tile : lowered_) ceiling_[tile] = unreachable;
  for (const Index sense : rooted_) first_root_[sense] = none;
  lowered_.clear();
  rooted_.clear();
}

WindowSpread::Entry WindowSpread::begin(Vec2 point, Index cell, Index tag) {
  const Index tile = tiles_.tile_at(cell, point, disc_);
  const Index root = Index(roots_.size());
  roots_.push_back({.bend = {point, 0}, .tag = tag});
  return {tile, none,  {.root = root, .right_open = true, .left_open = true, .side = disc_tiles_.side_of(tile, point)},
          0,    point, point};
}

double WindowSpread::bound_of(const Entry& entered) const {
  const TangentRoot& root = roots_[entered.window.root];
  const double to_gate = distance_to_segment(root.bend.centre, entered.left, entered.right);
  return root.distance + std::max(0.0, to_gate - std::abs(root.bend.radius));
}

void WindowSpread::expand(const Entry& entered, std::vector<Entry>& into) {
  const Index tile = entered.tile;
  if (entered.gate != none) lower_ceiling(entered);
  if (tiles_.is_arc(tile))
    for (const Index towards : {0u, 1u})
      for (const Index side : {0u, 1u})
        if (towards != entered.gate) turn_around(entered, side, towards, into);
  const std::size_t before = into.size();
  for (Index g = 0; g < tiles_.gates(tile).size(); ++g)
    if (g != entered.gate) geometry_.pass(roots_[entered.window.root], entered, g, into);
  for (std::size_t i = before; i < into.size(); ++i) into[i].bound = bound_of(into[i]);
}

/// From the point where a limit of the window enters, every place of the tile is at most its reach away.
void WindowSpread::lower_ceiling(const Entry& entered) {
  const auto& [tile, number, window, bound, right_end, left_end] = entered;
  const TileGate& gate = tiles_.gates(tile)[number];
  if (disc_tiles_.is_narrow(tile) || (window.right_open && window.left_open)) return;
  const TangentRoot& root = roots_[window.root];
  const Vec2 direction = window.right_open ? window.left : window.right;
  const Vec2 from = touch(root.bend, direction);
  const Vec2 right = gate.right_for(disc_);
  double along = std::max(length(right - from), length(gate.left_for(disc_) - from));
  // Where the line crosses the gate, unless it runs along it.
  const double slant = cross(direction, gate.across());
  if (std::abs(slant) > clearly_across * length(gate.across()))
    along = std::clamp(cross(right - from, gate.across()) / slant, 0.0, along);
  const double entry = root.distance + arc_length(root.bend, root.arrival, direction) + along;
  if (ceiling_[tile] == unreachable) lowered_.push_back(tile);
  ceiling_[tile] = std::min(ceiling_[tile], entry + measures_.reach(tile));
}

/// The circle at a side of an arc's tile as whoever leaves by a gate bends around it; of no radius where that side is a wall.
Bend WindowGeometry::border(Index tile, Index side, Index towards) const {
  const navmesh::Site& site = mesh_.site(mesh_.arc(tile).site[side]);
  if (!site.is_corner()) return {};
  return {site.a, side == towards ? disc_ : -disc_};
}

/// By how much rounding turns a tangent to something at that distance: close to the disc it leaves it has few digits.
double WindowGeometry::direction_error(double away) const {
  return position_error / std::max(away, std::sqrt(position_error * disc_));
}

/// Makes a limit stricter by the direction of something at a distance, unless it is already.
void WindowGeometry::narrow(const TangentWindow& window, Limit& limit, Vec2 direction, double away,
                            bool at_left) const {
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
WindowGeometry::Limit WindowGeometry::limit_at(const TangentRoot& root, const WindowEntry& entered, Index number,
                                               bool at_left) const {
  const auto& [tile, entry, window, bound, right_end, left_end] = entered;
  const TileGate& gate = tiles_.gates(tile)[number];
  const GatePost& post = at_left ? gate.left : gate.right;
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
    // Most lie well outside of a window that is narrow already; that takes no root to tell.
    const Vec2 apart = bend.centre - root.bend.centre;
    const double beyond = sign * (cross(limit.direction, apart) + root.bend.radius - bend.radius);
    if (!limit.open && beyond > tolerance::distinct && dot(limit.direction, apart) > 0) return;
    const Vec2 direction = tangent(root.bend, bend);
    if (direction == Vec2{}) return;
    narrow(window, limit, direction, dot(direction, bend.centre - root.bend.centre), at_left);
  };
  narrow_by({at_left ? gate.left_for(disc_) : gate.right_for(disc_), 0});
  if (!tiles_.is_arc(tile)) return limit;
  const Index side = at_left ? number : 1 - number;
  const Bend bend = border(tile, side, number);
  if (bend.radius == 0 || mesh_.arc(tile).site[side] == root.corner) return limit;
  // Touched behind the gate it is the business of another tile.
  if (gate.inside(touch(bend, tangent(root.bend, bend)), disc_) >= 0) narrow_by(bend);
  return limit;
}

void WindowGeometry::pass(const TangentRoot& root, const WindowEntry& entered, Index number,
                          std::vector<WindowEntry>& into) const {
  const TangentWindow& window = entered.window;
  const TileGate& gate = tiles_.gates(entered.tile)[number];
  if (gate.tile == none || !gate.lets_through(disc_)) return;
  if (disc_tiles_.is_narrow(entered.tile) && number != window.side) return;
  const Limit right = limit_at(root, entered, number, false);
  if (right.blocked) return;
  const Limit left = limit_at(root, entered, number, true);
  if (left.blocked) return;
  const TangentWindow beyond{right.direction, left.direction, window.root,
                             right.open,      left.open,      std::uint8_t(gate.back)};
  const Vec2 right_end = gate.right_for(disc_);
  if (const double open = cross(right.direction, left.direction); !right.open && !left.open && open < 0) {
    const double away = length(right_end - root.bend.centre);
    if (open < -(beside_ / away + right.error + left.error)) return;
  }
  into.push_back({gate.tile, gate.back, beyond, 0, right_end, gate.left_for(disc_)});
}

/// Whether a tangent of the window gets to one of the tile's circles in the tile.
bool WindowGeometry::sees(const TangentRoot& root, const WindowEntry& entered, Index side, Vec2 direction,
                          const Bend& bend) const {
  const Index tile = entered.tile;
  const TangentWindow& window = entered.window;
  const Vec2 from = touch(root.bend, direction);
  const Vec2 to = touch(bend, direction);
  const double straight = dot(direction, to - from);
  if (straight < -beside_) return false;
  const double angle = std::max({beside_ / std::max(straight, disc_), direction_error(straight), limit_error});
  if (!window.right_open && cross(window.right, direction) < -angle) return false;
  if (!window.left_open && cross(direction, window.left) < -angle) return false;
  const bool narrow = disc_tiles_.is_narrow(tile);
  for (const Index g : {0u, 1u}) {
    const TileGate& gate = tiles_.gates(tile)[g];
    if (narrow && g != window.side) continue;
    if (gate.inside(to, disc_) < -beside_ * length(gate.across())) return false;
  }
  const Index opposite = mesh_.arc(tile).site[1 - side];
  const navmesh::Site& other = mesh_.site(opposite);
  if (opposite == root.corner) return true;
  if (other.is_corner()) return distance_to_segment(other.a, from, to) >= disc_ - beside_;
  return !narrow || length(to - navmesh::nearest_on(other, to)) >= disc_ - beside_;
}

bool WindowGeometry::reaches(const TangentRoot& root, const WindowEntry& entered, Index side, Index towards,
                             SeenCircle& seen) const {
  const Bend bend = border(entered.tile, side, towards);
  if (bend.radius == 0 || mesh_.arc(entered.tile).site[side] == root.corner) return false;
  const Vec2 direction = tangent(root.bend, bend);
  if (direction == Vec2{} || !sees(root, entered, side, direction, bend)) return false;
  seen = {bend, direction, entered.tile, side, towards};
  return true;
}

/// Where one of the tile's circles limits a window, the way leads on around it.
void WindowSpread::turn_around(const Entry& entered, Index side, Index towards, std::vector<Entry>& into) {
  const TangentWindow& window = entered.window;
  SeenCircle seen;
  if (!geometry_.reaches(roots_[window.root], entered, side, towards, seen)) return;
  const Index corner = disc_tiles_.mesh().arc(entered.tile).site[side];
  const Index turned =
      add_root(window.root, seen.direction, seen.bend, corner, measures_.stretch(entered.tile, side, window.side));
  if (turned == none) return;
  const bool left = seen.bend.radius > 0;
  into.push_back({entered.tile,
                  1 - towards,
                  {seen.direction, seen.direction, turned, !left, left, window.side},
                  roots_[turned].distance,
                  seen.bend.centre,
                  seen.bend.centre});
}

/// Whether a root known before makes another on the same side of the same circle, reached in a direction, needless.
bool WindowSpread::is_beaten(const TangentRoot& known, Index parent, Vec2 direction, double distance) const {
  if (keep_ == Keep::every_class) return known.parent == parent;
  const Vec2 turned = turn_of(known.bend, known.arrival, direction);
  const double turn = full_angle(geometry::arc_tangent(turned.y, turned.x));
  return turn <= half_turn && known.distance + disc_ * turn <= distance + tolerance::same;
}

/// A circle as a root, reached along a tangent; none where it is known to be reached as well or better.
Index WindowSpread::add_root(Index parent, Vec2 direction, const Bend& bend, Index corner, Index stretch) {
  const TangentRoot from = roots_[parent];
  const double straight = dot(direction, touch(bend, direction) - touch(from.bend, direction));
  const double distance = from.distance + arc_length(from.bend, from.arrival, direction) + std::max(0.0, straight);
  Index sense = 2 * stretch + (bend.radius > 0 ? 1 : 0);
  // Where only roots of one parent are compared, they are listed by parent too: many classes turn around one corner.
  if (keep_ == Keep::every_class) sense = Index((sense + parent * std::uint64_t{0x9E3779B1}) % first_root_.size());
  Index& first = first_root_[sense];
  for (Index r = first; r != none; r = roots_[r].next) {
    const TangentRoot& known = roots_[r];
    if (known.corner == corner && known.bend.radius == bend.radius && is_beaten(known, parent, direction, distance))
      return none;
  }
  if (first == none) rooted_.push_back(sense);
  const Index root = Index(roots_.size());
  roots_.push_back({bend, corner, from.tag, direction, distance, first, parent});
  first = root;
  return root;
}

}  // namespace throng::routes
