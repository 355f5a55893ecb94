#include "routes/planner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "navmesh/arc.hpp"
#include "navmesh/queries.hpp"
#include "routes/alternatives_finder.hpp"
#include "routes/chain_corridor.hpp"
#include "routes/shortest_finder.hpp"

namespace throng::routes {

namespace {

using navmesh::Mesh;
using navmesh::Place;
using navmesh::Site;

/// Metres that even a point keeps from corners: on a corner it would be on no side of it, and at the end of a connection in two
/// layers at once.
constexpr double point_radius = 1e-8;
/// Metres: routes of wider bodies are checked, because the discs of many corners overlap and the funnel may go wrong between them.
constexpr double checked_from = 0.5;
/// Radians: no tight route turns around a corner by clearly more than half a turn.
constexpr double most_turn = 3.2;

bool is_finite(const Place& place) { return std::isfinite(place.point.x) && std::isfinite(place.point.y); }

/// How far p lies beyond the line from left to right, seen by someone who walks through it.
double beyond(Vec2 left, Vec2 right, Vec2 p) {
  const double length = distance(left, right);
  return length > 0 ? cross(right - left, p - left) / length : 0;
}

/// An end of a way, for exact searches; its cell is found where it is not known yet.
ShortestFinder::End exact_end(const Mesh& mesh, const Place& place, Index cell) {
  return {place, cell != none ? cell : navmesh::locate(mesh, place).cell};
}

}  // namespace

std::string_view reason_of(NoRoute reason) {
  switch (reason) {
    case NoRoute::found: return "";
    case NoRoute::bad_query: return "the query is not a route query: a coordinate or the radius is not a usable number";
    case NoRoute::start_blocked: return "the start is outside of what is walkable, in an obstacle, or too close to one";
    case NoRoute::goal_blocked: return "the goal is outside of what is walkable, in an obstacle, or too close to one";
    case NoRoute::not_connected: return "start and goal are not connected";
    case NoRoute::too_narrow: return "every way from start to goal is too narrow";
    case NoRoute::forbidden_ground: return "forbidden ground";
    case NoRoute::too_long: return "the search was given up: it took more steps than it was allowed";
    case NoRoute::not_as_told: return "no way from start to goal passes the obstacles as told";
  }
  return "";
}

Planner::Planner(std::shared_ptr<const RouteGraph> graph) : graph_(std::move(graph)), finder_(*graph_) {}
Planner::~Planner() = default;
Planner::Planner(Planner&&) noexcept = default;

NoRoute Planner::plan(const RouteQuery& query, Route& route) {
  const NoRoute begun = begin(query);
  if (begun != NoRoute::found) return route = {}, begun;
  return finish(advance(~std::size_t{0}) == SearchStatus::found, route);
}

NoRoute Planner::begin(const RouteQuery& query) {
  query_ = query;
  const bool sound = is_finite(query.from) && is_finite(query.to) && query.radius >= 0 && std::isfinite(query.radius) &&
                     std::isfinite(query.clearance) && query.adjust >= 0 && query.method <= RouteMethod::shortest;
  if (!sound) return NoRoute::bad_query;
  const std::optional<End> start = validated(query.from);
  if (!start) return NoRoute::start_blocked;
  const std::optional<End> goal = validated(query.to);
  if (!goal) return NoRoute::goal_blocked;
  start_ = *start;
  goal_ = *goal;
  if (!are_connected()) return NoRoute::not_connected;
  exact_expansions_ = 0;
  // Labels let one hope for a length; without them the way along the axis does.
  if (query.method == RouteMethod::shortest && query.by_labels && begin_exact(std::nullopt))
    stage_ = Stage::exact;
  else
    begin_along_axis();
  return NoRoute::found;
}

void Planner::begin_along_axis() {
  stage_ = Stage::along_axis;
  finder_.begin(start_.on_axis, goal_.on_axis, query_.radius - tolerance::same);
}

SearchStatus Planner::advance(std::size_t budget) {
  if (stage_ == Stage::exact) {
    const SearchStatus status = advance_exact(budget);
    if (status == SearchStatus::running) return status;
    if (status == SearchStatus::found)
      stage_ = Stage::found_exact;
    else
      begin_along_axis();
  }
  if (stage_ == Stage::along_axis) {
    const SearchStatus status = finder_.advance(budget);
    if (status != SearchStatus::found || query_.method != RouteMethod::shortest) return status;
    // No shortest way is longer than this one; found once more where it is the shortest, so that its bits do not hang on how it was found.
    finder_.collect(path_);
    write_along_path(along_axis_);
    stage_ = begin_exact(along_axis_.length * (1 + tolerance::same_part) + tolerance::same) ? Stage::exact_within
                                                                                            : Stage::found_along_axis;
  }
  if (stage_ == Stage::exact_within) {
    const SearchStatus status = advance_exact(budget);
    if (status == SearchStatus::running) return status;
    stage_ = status == SearchStatus::found ? Stage::found_exact : Stage::found_along_axis;
  }
  return SearchStatus::found;
}

bool Planner::are_connected() const {
  const auto component = [&](const End& end) { return graph_->component_of(graph_->mesh().arc(end.on_axis.arc).edge); };
  return component(start_) == component(goal_);
}

NoRoute Planner::finish(bool found, Route& route) {
  route.pieces.clear(), route.prefix.clear();
  route.length = 0;
  if (!found) return NoRoute::too_narrow;
  if (stage_ == Stage::found_exact) {
    write_exact(*way_, route);
    return NoRoute::found;
  }
  if (stage_ == Stage::found_along_axis) {
    route = std::move(along_axis_);
    route.cost = route.length;
    return NoRoute::found;
  }
  finder_.collect(path_);
  write_along_path(route);
  return NoRoute::found;
}

void Planner::write_along_path(Route& route) {
  write_ends(route);
  route.cost = path_.length;
  write_method(route);
}

NoRoute Planner::plan_by(const RouteQuery& query, const PathFinder& find, Route& route) {
  route = {};
  if (query.method == RouteMethod::shortest) return NoRoute::bad_query;
  const NoRoute begun = begin(query);
  if (begun != NoRoute::found) return begun;
  if (!find(start_.on_axis, goal_.on_axis, query.radius - tolerance::same, path_)) return NoRoute::too_narrow;
  write_along_path(route);
  return NoRoute::found;
}

NoRoute Planner::plan_along(const RouteQuery& query, std::span<const Index> chains, Route& route) {
  bool leads_there = true;
  const NoRoute verdict = plan_by(
      query,
      [&](const OnAxis& from, const OnAxis& to, double radius, AxisPath& path) {
        leads_there = path_along(*graph_, from, to, chains, -unreachable, path);
        return leads_there && path_along(*graph_, from, to, chains, radius, path);
      },
      route);
  return leads_there ? verdict : NoRoute::bad_query;
}

void Planner::write_ends(Route& route) const {
  route.radius = query_.radius;
  route.start = start_.place;
  route.goal = goal_.place;
  route.generation = graph_->mesh().generation;
}

void Planner::write_method(Route& route) {
  if (query_.method == RouteMethod::shortest) query_.clearance = 0;
  if (query_.method != RouteMethod::shortest_in_corridor && query_.method != RouteMethod::shortest) {
    start_.on_left = path_arc(0).left == start_.site;
    goal_.on_left = path_arc(path_.arcs.size() - 1).left == goal_.site;
    if (query_.method == RouteMethod::medial)
      write_axis(route);
    else
      write_side(route, query_.method == RouteMethod::left, std::max(query_.radius, query_.clearance));
    split_at_connections(graph_->mesh(), route);
    return;
  }
  list_gates();
  // Discs of one radius cannot overlap in the corridor, larger ones of different radii can where it turns back on itself:
  // then the route keeps less of the clearance it would like.
  double keep = std::max(query_.radius, query_.clearance);
  wall_radius_ = 0;
  every_gate_ = false;
  while (!write_tightest(keep, route)) keep = keep > 1.5 * query_.radius ? (keep + query_.radius) / 2 : query_.radius;
  if (query_.radius > checked_from || is_suspect(route)) mend(route);
}

/// Begins to look for the shortest way of at most a length, or of one to hope for. False for ends on the rim, to rounding.
bool Planner::begin_exact(std::optional<double> most) {
  if (!shortest_) {
    shortest_ = std::make_unique<ShortestFinder>(graph_);
    way_ = std::make_unique<ShortestWay>();
  }
  const ShortestFinder::End start = exact_end(graph_->mesh(), start_.place, start_.cell);
  const ShortestFinder::End goal = exact_end(graph_->mesh(), goal_.place, goal_.cell);
  if (start.cell == none || goal.cell == none) return false;
  shortest_->go_by(query_.by_labels ? GoalBound::labels : GoalBound::straight);
  shortest_->begin(start, goal, query_.radius, most);
  return true;
}

SearchStatus Planner::advance_exact(std::size_t budget) {
  const SearchStatus status = shortest_->advance(budget);
  if (status == SearchStatus::running) return status;
  exact_expansions_ += shortest_->expansions();
  if (status == SearchStatus::found) shortest_->collect(*way_);
  return status;
}

/// An exact way as a route.
void Planner::write_exact(const ShortestWay& way, Route& route) {
  write_ends(route);
  write_way(way, route);
  route.cost = route.length;
}

/// The lines and arcs of an exact way.
void Planner::write_way(const ShortestWay& way, Route& route) {
  const Mesh& mesh = graph_->mesh();
  route.pieces.clear(), route.prefix.clear();
  route.length = 0;
  write_bends(way.bends, route);
  split_at_connections(mesh, route);
}

NoRoute Planner::plan_alternatives(const RouteQuery& query, std::size_t count, Alternatives& found) {
  found = {};
  RouteQuery along_axis = query;  // tells whether there is a way
  along_axis.method = RouteMethod::shortest_in_corridor;
  const NoRoute begun = begin(along_axis);
  if (begun != NoRoute::found) return begun;
  if (advance(~std::size_t{0}) != SearchStatus::found) return NoRoute::too_narrow;
  const ShortestFinder::End start = exact_end(graph_->mesh(), start_.place, start_.cell);
  const ShortestFinder::End goal = exact_end(graph_->mesh(), goal_.place, goal_.cell);
  if (start.cell == none) return NoRoute::start_blocked;
  if (goal.cell == none) return NoRoute::goal_blocked;
  AlternativesFinder finder(std::make_shared<const CorridorTiles>(graph_), query.radius);
  std::vector<ShortestWay> ways;
  finder.find(start, goal, count, ways);
  found.complete = finder.complete();
  found.expansions = finder.expansions();
  for (const ShortestWay& way : ways) write_exact(way, found.routes.emplace_back());
  return NoRoute::found;
}

/// The funnel is told only of the gates where the corridor turns or has a corner, and believes what it is told. Where a wide corridor
/// turns back between few corners it may therefore cut through a wall, and beside a corner's disc it may take a wall's point for one
/// it has to go around: the route then winds around it. Both are rare and cheap to notice, so only what looks wrong is looked at
/// closely.
bool Planner::is_suspect(const Route& route) const {
  return !passes_gates(route) || std::any_of(route.pieces.begin(), route.pieces.end(),
                                             [](const Piece& piece) { return std::abs(piece.turn) > most_turn; });
}

/// Whether the route goes through the gates one after the other, between their posts. Between two gates a corridor is bounded by
/// straight walls and corners, so a line that passes both does not leave it.
bool Planner::passes_gates(const Route& route) const {
  std::size_t piece = 0;
  int part = 0;
  int parts = 0;
  Vec2 from{}, to{};
  double passed = 0;  // share of the line that lies before the last gate
  const auto next_line = [&] {
    if (part == parts) {
      if (piece == route.pieces.size()) return false;
      const Piece& entered = route.pieces[piece++];
      part = 0;
      parts = entered.is_arc() ? 1 + int(std::abs(entered.turn) * 2) : 1;
      to = entered.from;
    }
    const Piece& current = route.pieces[piece - 1];
    from = to;
    to = ++part == parts ? current.to : current.at(current.length * part / parts);
    passed = 0;
    return true;
  };
  if (!next_line()) return true;
  for (std::size_t i = told_from_; i < told_to_; ++i) {
    const Vec2 left = gates_[i].left.point;
    const Vec2 right = gates_[i].right.point;
    for (;;) {
      const double before = cross(right - left, from - left);
      const double after = cross(right - left, to - left);
      const double at_left = cross(to - from, left - from), at_right = cross(to - from, right - from);
      if (at_left >= 0 && at_right <= 0 && before <= 0 && after >= 0) {
        const double share = after > before ? before / (before - after) : 0;
        if (share >= passed - tolerance::same_part) {
          passed = std::max(passed, share);
          const double nearest = std::min(at_left, -at_right);
          const bool is_near = nearest * nearest < query_.radius * query_.radius * squared_length(to - from);
          if (is_near && !route.pieces[piece - 1].is_arc() && cuts_corner(gates_[i], from, to)) return false;
          break;
        }
      }
      if (!next_line()) return false;
    }
  }
  return true;
}

/// Whether a line comes too near to a corner at a gate that it passes: between two gates the disc around it may reach farther in than at either.
bool Planner::cuts_corner(const Gate& gate, Vec2 from, Vec2 to) const {
  const double least = std::max(0.0, query_.radius - tolerance::route_clearance / 2);
  const auto is_cut = [&](const Post& post, const std::vector<Corner>& corners) {
    if (post.corner == none) return false;
    const Vec2 corner = corners[post.corner].point;
    return squared_length(corner - navmesh::nearest_on({.a = from, .b = to}, corner)) < least * least;
  };
  return is_cut(gate.left, left_corners_) || is_cut(gate.right, right_corners_);
}

/// Tries with every gate told to the funnel, and with walls kept at the radius; if even that comes too near, the way along the axis
/// keeps the radius in any case.
void Planner::mend(Route& route) {
  if (keeps_radius(route)) return;
  for (const double wall_radius : {0.0, std::max(query_.radius, point_radius)}) {
    for (const bool every_gate : {true, false}) {
      if (wall_radius == 0 && !every_gate) continue;  // as it was
      wall_radius_ = wall_radius;
      every_gate_ = every_gate;
      write_tightest(query_.radius, route);
      if (keeps_radius(route)) return;
    }
  }
  route.pieces.clear(), route.prefix.clear();
  route.length = 0;
  start_.on_left = path_arc(0).left == start_.site;
  goal_.on_left = path_arc(path_.arcs.size() - 1).left == goal_.site;
  write_axis(route);
  split_at_connections(graph_->mesh(), route);
}

bool Planner::write_tightest(double keep, Route& route) {
  pull_tight(keep);
  if (!funnel_.consistent() && keep > query_.radius) return false;
  route.pieces.clear(), route.prefix.clear();
  route.length = 0;
  write_bends(funnel_.bends(), route);
  split_at_connections(graph_->mesh(), route);
  return keep <= query_.radius || keeps_radius(route);
}

namespace {

/// Whether a disc can slide along a line of one layer. Where layers join, pieces end on connections, and nothing tells which side of
/// one a rounded point is on: so it is looked at from the middle, up to just before the ends.
bool slides(const Mesh& mesh, Vec2 from, Vec2 to, Index layer, double radius) {
  if (mesh.connection_count() == 0) return navmesh::visible(mesh, {from, layer}, {to, layer}, radius);
  const Vec2 middle = (from + to) / 2;
  const double length = distance(from, to);
  if (length <= 2 * tolerance::distinct) return true;
  const Vec2 back = (to - from) * (tolerance::distinct / length);
  return navmesh::visible(mesh, {middle, layer}, {from + back, layer}, radius) &&
         navmesh::visible(mesh, {middle, layer}, {to - back, layer}, radius);
}

}  // namespace

bool Planner::keeps_radius(const Route& route) const {
  const Mesh& mesh = graph_->mesh();
  const double radius = query_.radius - tolerance::route_clearance / 2;
  for (const Piece& piece : route.pieces) {
    Vec2 at = piece.from;
    const int parts = piece.is_arc() ? 1 + int(std::abs(piece.turn) * 8) : 1;
    for (int i = 1; i <= parts; ++i) {
      const Vec2 next = piece.at(piece.length * i / parts);
      // A chord of an arc comes nearer to its corner than the arc does; the arc itself is as far as its radius says.
      const double sagitta = piece.is_arc() ? piece.radius * piece.turn * piece.turn / (8.0 * parts * parts) : 0;
      if (!slides(mesh, at, next, piece.layer, std::max(0.0, radius - sagitta))) return false;
      at = next;
    }
  }
  return true;
}

std::optional<Planner::End> Planner::validated(const Place& place) const {
  const Mesh& mesh = graph_->mesh();
  const navmesh::Located at = navmesh::locate(mesh, place);
  if (!at) return nearest_valid(place, false);
  if (at.clearance >= query_.radius) {
    const navmesh::Retraction on_axis = navmesh::retract(mesh, at, place.point);
    return End{place, {on_axis.point, on_axis.arc}, at.site, at.cell};
  }
  if (const auto moved = moved_from_wall(place, at)) return moved;
  return nearest_valid(place, true);
}

/// Straight away from the nearest obstacle clearance grows by what one moves, up to the axis.
std::optional<Planner::End> Planner::moved_from_wall(const Place& place, const navmesh::Located& at) const {
  const Mesh& mesh = graph_->mesh();
  const navmesh::Retraction on_axis = navmesh::retract(mesh, at, place.point);
  if (on_axis.clearance < query_.radius || query_.radius - at.clearance > query_.adjust) return std::nullopt;
  const Vec2 direction = (on_axis.point - at.nearest) / on_axis.clearance;
  const Vec2 point = at.nearest + direction * query_.radius;
  return End{{point, navmesh::layer_at(mesh, at.cell, point)}, {on_axis.point, on_axis.arc}, at.site};
}

/// The nearest of the valid points that lie straight away from obstacles around the place. From a walkable place they must be in
/// sight: an end point is never moved through a wall.
std::optional<Planner::End> Planner::nearest_valid(const Place& place, bool walkable) const {
  const Mesh& mesh = graph_->mesh();
  const double reach = query_.adjust + query_.radius;
  const Vec2 corner{reach, reach};
  if (place.layer >= mesh.layers.size() || !mesh.grid.contains(place.point - corner) ||
      !mesh.grid.contains(place.point + corner))
    return std::nullopt;
  std::optional<End> best;
  double best_distance = query_.adjust;
  const geometry::GridBox box{mesh.grid.snap(place.point - corner), mesh.grid.snap(place.point + corner)};
  graph_->site_index().for_each_in(box, [&](std::uint32_t s) {
    const Site& site = mesh.site(s);
    if (site.layer != place.layer) return;
    for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c) {
      // The valid point of each cell that is nearest to the place, or nearly so: beside the middle of its arc and its ends.
      const navmesh::ArcCurve curve(mesh, mesh.site_cell(c) / 2);
      for (double t : {0.0, 0.25, 0.5, 0.75, 1.0}) {
        const Vec2 axis = curve.point(t);
        const Vec2 wall = navmesh::nearest_on(site, axis);
        const double clearance = distance(axis, wall);
        if (clearance < query_.radius || clearance == 0) continue;
        const Vec2 point = wall + (axis - wall) * (query_.radius / clearance);
        const double moved = distance(point, place.point);
        if (moved >= best_distance) continue;
        const Place candidate{point, navmesh::layer_at(mesh, mesh.site_cell(c), point)};
        if (walkable && !navmesh::visible(mesh, place, candidate, 0)) continue;
        best_distance = moved;
        best = End{candidate, {axis, mesh.site_cell(c) / 2}, s};
      }
    }
  });
  return best;
}

/// The corner on a side of an arc, as a number into that side's list; none for a wall. Consecutive arcs share it.
Index Planner::corner_of(bool left, Index directed_arc) {
  const ArcBorder& border = graph_->border(directed_arc / 2);
  const int side = left == (directed_arc % 2 == 0) ? 0 : 1;
  const Index site = border.corner[side];
  if (site == none) return none;
  std::vector<Corner>& corners = left ? left_corners_ : right_corners_;
  if (corners.empty() || corners.back().site != site) corners.push_back({site, border.at_to[side], unreachable, 0});
  corners.back().clearance = std::min(corners.back().clearance, border.clearance);
  return Index(corners.size() - 1);
}

void Planner::list_gates() {
  gates_.clear();
  left_corners_.clear();
  right_corners_.clear();
  Index left = corner_of(true, path_.arcs[0]);
  Index right = corner_of(false, path_.arcs[0]);
  for (std::size_t i = 1; i < path_.arcs.size(); ++i) {
    const Index before = path_.arcs[i - 1];
    const Index after = path_.arcs[i];
    const ArcBorder& behind = graph_->border(before / 2);
    const ArcBorder& ahead = graph_->border(after / 2);
    // Against an arc its left is right, and its `from` the end.
    const Vec2* const ends = before % 2 == 0 ? behind.at_to : behind.at_from;
    const Vec2* const begins = after % 2 == 0 ? ahead.at_from : ahead.at_to;
    Gate gate{{ends[before % 2], left}, {ends[1 - before % 2], right}, before};
    left = corner_of(true, after);
    right = corner_of(false, after);
    const Gate next{{begins[after % 2], left}, {begins[1 - after % 2], right}, before};
    const auto same = [](const Post& p, const Post& q) {
      return squared_length(p.point - q.point) <= tolerance::same * tolerance::same;
    };
    if (same(gate.left, next.left) && same(gate.right, next.right)) {
      // An event point: a wall ends in a corner, and the corner counts.
      if (gate.left.corner == none) gate.left = next.left;
      if (gate.right.corner == none) gate.right = next.right;
      gates_.push_back(gate);
    } else {
      gates_.push_back(gate);
      gates_.push_back(next);
    }
  }
}

void Planner::set_radii(std::vector<Corner>& corners, double keep) const {
  const double least = std::max(query_.radius, point_radius);
  for (Corner& corner : corners) {
    corner.radius = least;
    if (keep <= query_.radius) continue;
    const double to_ends =
        std::min(distance(corner.point, start_.place.point), distance(corner.point, goal_.place.point));
    corner.radius = std::max(corner.radius, std::min({keep, corner.clearance, to_ends}));
  }
  if (keep <= query_.radius) return;
  const auto limit = [](Corner& corner, const Corner& beside) {
    corner.radius = std::min(corner.radius, beside.radius + distance(corner.point, beside.point));
  };
  for (std::size_t i = 1; i < corners.size(); ++i) limit(corners[i], corners[i - 1]);
  for (std::size_t i = corners.size(); i-- > 1;) limit(corners[i - 1], corners[i]);
}

void Planner::pull_tight(double keep) {
  set_radii(left_corners_, keep);
  set_radii(right_corners_, keep);
  const Vec2 from = start_.place.point;
  const Vec2 to = goal_.place.point;
  // A gate is a chord: the cell that holds an end point may reach over it, and its posts' discs reach to both sides. Gates
  // that an end point is not clearly in front of, or behind, are left out, and their corners looked at afterwards.
  std::size_t begin = 0;
  std::size_t end = gates_.size();
  while (begin < end && reaches_over(gates_[begin], from, -1)) ++begin;
  while (begin < end && reaches_over(gates_[end - 1], to, 1)) --end;
  told_from_ = begin;
  told_to_ = end;
  funnel_.begin(from);
  Vec2 turned_to{};  // the last gate that told the funnel which way the corridor leads
  Post last_left, last_right;
  for (std::size_t i = begin; i < end; ++i) {
    const auto& [left, right, arc] = gates_[i];
    const Vec2 across = right.point - left.point;
    const double aligned = dot(across, turned_to);
    const bool turned =
        every_gate_ || aligned <= 0 || 4 * aligned * aligned < squared_length(across) * squared_length(turned_to);
    const bool new_left = left.corner != none && left.corner != last_left.corner;
    const bool new_right = right.corner != none && right.corner != last_right.corner;
    if (!turned && !new_left && !new_right) continue;
    if (new_left) funnel_.add_left(left.point, left_corners_[left.corner].radius);
    if (new_right) funnel_.add_right(right.point, right_corners_[right.corner].radius);
    if (new_left) last_left = left;
    if (new_right) last_right = right;
    if (!turned || tells_little(left, last_left, left_corners_) || tells_little(right, last_right, right_corners_))
      continue;
    if (left.corner == none) funnel_.add_left_wall(left.point, wall_radius_);
    if (right.corner == none) funnel_.add_right_wall(right.point, wall_radius_);
    turned_to = across;
  }
  funnel_.finish(to);
  list_corners(0, begin);
  funnel_.bend_around(beside_, true);
  list_corners(end, gates_.size());
  funnel_.bend_around(beside_, false);
}

/// A wall's point close to the disc turned around last: the line from that disc to it leads into the wall, and tells nothing of
/// where the corridor leads. A later gate will.
bool Planner::tells_little(const Post& post, const Post& last, const std::vector<Corner>& corners) const {
  if (post.corner != none || last.corner == none) return false;
  const double far = 4 * corners[last.corner].radius;
  return squared_length(post.point - last.point) < far * far;
}

/// Whether an end point that is near a gate is not clearly on its side of it: ahead (1) or behind (-1). Farther away the side of
/// the chord's line says nothing: the corridor may have turned.
bool Planner::reaches_over(const Gate& gate, Vec2 p, double ahead) const {
  const double reach = reach_of(gate);
  if (ahead * beyond(gate.left.point, gate.right.point, p) >= reach) return false;
  const Mesh& mesh = graph_->mesh();
  const navmesh::Arc& arc = mesh.arc(gate.arc / 2);
  const Vec2 node = mesh.node(gate.arc % 2 == 0 ? arc.to : arc.from).point;
  return distance(p, node) <= distance(gate.left.point, node) + reach;
}

/// How far the discs of a gate's corners reach over it.
double Planner::reach_of(const Gate& gate) const {
  const double left = gate.left.corner == none ? 0 : left_corners_[gate.left.corner].radius;
  const double right = gate.right.corner == none ? 0 : right_corners_[gate.right.corner].radius;
  return std::max(left, right);
}

/// The corners of gates that the funnel did not see, and of the arcs the end points lie beside.
void Planner::list_corners(std::size_t begin, std::size_t end) {
  beside_.clear();
  const auto add = [&](const Vec2& point, double radius) {
    if (radius != 0) beside_.push_back({point, radius});
  };
  for (std::size_t i = begin; i < end; ++i) {
    const auto& [left, right, arc] = gates_[i];
    if (left.corner != none) add(left.point, left_corners_[left.corner].radius);
    if (right.corner != none) add(right.point, -right_corners_[right.corner].radius);
  }
  // Corners along the first and the last arc: with few gates, or none, they may have no gate at all.
  for (const std::vector<Corner>* corners : {&left_corners_, &right_corners_}) {
    if (corners->empty()) continue;
    const double sign = corners == &left_corners_ ? 1 : -1;
    const Corner& corner = begin == 0 ? corners->front() : corners->back();
    add(corner.point, sign * corner.radius);
  }
}

void Planner::write_bends(std::span<const Bend> bends, Route& route) const {
  RouteBuilder builder(route);
  const Index layer = start_.place.layer;
  Vec2 at = bends[0].centre;  // where the last piece ended
  std::size_t last = 0;       // the bend it ended at
  for (std::size_t next = 1; next < bends.size(); ++next) {
    const Vec2 direction = tangent(bends[last], bends[next]);
    if (direction == Vec2{}) continue;  // the same point twice
    const Vec2 leave = touch(bends[last], direction);
    if (last > 0 && bends[last].radius != 0)
      builder.arc(at, leave, bends[last].centre, std::abs(bends[last].radius), bends[last].radius > 0, layer);
    at = touch(bends[next], direction);
    builder.line(leave, at, layer);
    last = next;
  }
}

Result<Route> given_route(const Mesh& mesh, const std::vector<Place>& points, double radius) {
  const auto refuse = [](std::string place, std::string why) {
    return Problem{Severity::error, ProblemCode::value, std::move(place), std::move(why)};
  };
  if (points.size() < 2) return refuse("route", "a given route needs at least two points");
  Route route;
  route.radius = radius;
  route.start = points.front();
  route.goal = points.back();
  route.generation = mesh.generation;
  RouteBuilder builder(route);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const navmesh::Hit end = navmesh::first_hit(mesh, points[i - 1], points[i].point);
    // From both ends: along an edge of the axis the look from one may get lost.
    const double kept = std::max(0.0, radius - tolerance::same);
    const bool slides = navmesh::visible(mesh, points[i - 1], points[i], kept) ||
                        navmesh::visible(mesh, points[i], points[i - 1], kept);
    if (end.blocked || !slides)
      return refuse(fmt::format("line {} of the route, ({}, {}) to ({}, {})", i, points[i - 1].point.x,
                                points[i - 1].point.y, points[i].point.x, points[i].point.y),
                    fmt::format("comes nearer to an obstacle than the radius {}", radius));
    builder.line(points[i - 1].point, points[i].point, points[i - 1].layer);
  }
  split_at_connections(mesh, route);
  route.cost = route.length;
  return route;
}

}  // namespace throng::routes
