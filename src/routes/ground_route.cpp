#include "routes/ground_route.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/tolerances.hpp"
#include "navmesh/visibility.hpp"

namespace throng::routes {

namespace {

using navmesh::Mesh;
using navmesh::Place;

/// A bend that lies nearer to the line between its neighbours, in metres, is none. Far below what RegionMap takes for a crawl.
constexpr double straight = 1e-10;
/// Bends nearer together than this, in metres, are one.
constexpr double no_piece = 5e-7;
/// Steps in which a corner's distance is lowered from the clearance to the radius.
constexpr int clearance_steps = 4;
constexpr int most_clearance_rounds = 12;
/// Ends of pieces this near a turn's circle, in metres, belong to it.
constexpr double on_turn = 1e-6;
/// By how much a metre may become dearer for the sake of clearance.
constexpr double dearer = 1e-3;

/// Points where the common tangent leaves one circle and meets the next; either may be a point. Nothing where one lies in the other.
template <class Turn>
std::optional<std::pair<Vec2, Vec2>> tangent(const Turn& from, const Turn& to) {
  const Vec2 d = to.centre - from.centre;
  const double r = from.left ? from.radius : -from.radius, s = to.left ? to.radius : -to.radius;
  const double size2 = squared_length(d), off = r - s;
  if (!(size2 > off * off) || size2 == 0) return {};
  // Unit normal n, to the right of the tangent, with n . d = r - s: left turns have their centre on the left.
  const double along = off / size2, across = std::sqrt(size2 - off * off) / size2;
  const Vec2 right = d * along - perpendicular(d) * across;
  return std::pair{from.centre + right * r, to.centre + right * s};
}

bool slides(const Mesh& mesh, Vec2 from, Vec2 to, Index layer, double radius) {
  if (mesh.connection_count() == 0) return navmesh::visible(mesh, {from, layer}, {to, layer}, radius);
  const Vec2 middle = (from + to) / 2;
  const double size = distance(from, to);
  if (size <= 2 * tolerance::distinct) return true;
  const Vec2 back = (to - from) * (tolerance::distinct / size);
  return navmesh::visible(mesh, {middle, layer}, {from + back, layer}, radius) &&
         navmesh::visible(mesh, {middle, layer}, {to - back, layer}, radius);
}

}  // namespace

double weigh_route(const ground::RegionMap& regions, const Route& route, double felt, const double* weights,
                   ground::RegionMap::Scratch& scratch, std::span<double> metres) {
  double sum = 0;
  for (const Piece& piece : route.pieces)
    sum += piece.is_arc() ? regions.weighted_arc({piece.from, piece.layer}, piece.centre, piece.turn, felt, weights,
                                                 scratch, metres)
                          : regions.weighted_length({piece.from, piece.layer}, {piece.to, piece.layer}, felt, weights,
                                                    scratch, metres);
  return sum;
}

bool keeps_radius(const Mesh& mesh, const Piece& piece, double radius) {
  const double kept = radius - tolerance::route_clearance / 2;
  Vec2 at = piece.from;
  const int parts = piece.is_arc() ? 1 + int(std::abs(piece.turn) * 8) : 1;
  for (int i = 1; i <= parts; ++i) {
    const Vec2 next = piece.at(piece.length * i / parts);
    // A chord of an arc comes nearer to its corner than the arc does; the arc itself is as far as its radius says.
    const double sagitta = piece.is_arc() ? piece.radius * piece.turn * piece.turn / (8.0 * parts * parts) : 0;
    if (!slides(mesh, at, next, piece.layer, std::max(0.0, kept - sagitta))) return false;
    at = next;
  }
  return true;
}

bool keeps_radius(const Mesh& mesh, const Route& route, double radius) {
  return std::all_of(route.pieces.begin(), route.pieces.end(),
                     [&](const Piece& piece) { return keeps_radius(mesh, piece, radius); });
}

void GroundRouteWriter::find_turns(const Task& task) {
  turns_ = {{task.start.point, 0, false}};
  points_ = {task.start.point};
  for (std::size_t i = 1; i < task.legs.size(); ++i) {
    const GroundPath::Leg& leg = task.legs[i];
    const Vec2 p = leg.from, before = points_.back();
    const Vec2 in = p - before, out = leg.to - p;
    const double size = distance(before, leg.to), bend = cross(in, out);
    const Index rim = leg.vertex == none ? none : surface_.vertices()[leg.vertex].rim;
    if (rim == none && size > 0 && std::abs(cross(in, leg.to - before)) <= straight * size && dot(in, out) >= 0)
      continue;
    if (rim == none && distance(before, p) < no_piece) {
      // One of two bends at a place; a vertex says exactly where it is.
      if (leg.vertex != none && points_.size() > 1 && turns_.back().radius == 0 && turns_.back().centre == before)
        points_.back() = turns_.back().centre = p;
      continue;
    }
    points_.push_back(p);
    const bool left = bend > 0;
    const Vec2 centre = rim == none ? p : surface_.rim_centres()[rim];
    const bool around = rim != none && task.radius > 0 && bend != 0 && (cross(in, centre - p) > 0) == left;
    Turn& last = turns_.back();
    if (around && last.radius > 0 && last.centre == centre && last.left == left) continue;
    if (rim != none && !around && std::abs(bend) <= straight * size) continue;
    turns_.push_back({around ? centre : p, around ? task.radius : 0, left});
  }
  points_.push_back(task.goal.point);
  turns_.push_back({task.goal.point, 0, false});
}

bool GroundRouteWriter::join_turns(const Task& task, Route& route) const {
  route.pieces.clear(), route.prefix.clear();
  route.length = 0;
  RouteBuilder builder(route);
  Vec2 at = task.start.point;
  for (std::size_t i = 1; i < turns_.size(); ++i) {
    if (turns_[i - 1].centre == turns_[i].centre && turns_[i].radius == 0 && turns_[i - 1].radius == 0) continue;
    const auto line = tangent(turns_[i - 1], turns_[i]);
    if (!line) return false;
    const Turn& turn = turns_[i - 1];
    if (turn.radius > 0) builder.arc(at, line->first, turn.centre, turn.radius, turn.left, task.start.layer);
    builder.line(line->first, line->second, task.start.layer);
    at = line->second;
  }
  if (route.pieces.empty()) builder.line(task.start.point, task.goal.point, task.start.layer);
  // Around a corner by more than half a turn: tangents crossed each other.
  for (const Piece& piece : route.pieces)
    if (piece.is_arc() && std::abs(piece.turn) > 3.2) return false;
  split_at_connections(mesh_, route);
  return true;
}

void GroundRouteWriter::write_lines(const Task& task, Route& route) const {
  route.pieces.clear(), route.prefix.clear();
  route.length = 0;
  RouteBuilder builder(route);
  for (std::size_t i = 1; i < points_.size(); ++i) builder.line(points_[i - 1], points_[i], task.start.layer);
  if (route.pieces.empty()) builder.line(task.start.point, task.goal.point, task.start.layer);
  split_at_connections(mesh_, route);
}

double GroundRouteWriter::cost_of(const Task& task, const Route& route) {
  return weigh_route(regions_, route, task.felt, task.weights, scratch_);
}

/// All corners move outwards together; those that a piece which does not fit leads to come back, step by step. O(corners) a round.
void GroundRouteWriter::grow_turns(const Task& task, Route& route) {
  const double a_metre = cost_of(task, route) / std::max(route.length, 1e-9) * (1 + dearer);
  const std::vector<Turn> tight = turns_;
  std::vector<int> step(turns_.size(), clearance_steps);
  Route trial = route;
  for (int round = 0; round < most_clearance_rounds; ++round) {
    for (std::size_t i = 0; i < turns_.size(); ++i)
      if (tight[i].radius > 0)
        turns_[i].radius = task.radius + (task.clearance - task.radius) * step[i] / clearance_steps;
    bool lowered = false;
    const auto lower = [&](std::size_t i) {
      if (tight[i].radius > 0 && step[i] > 0) --step[i], lowered = true;
    };
    if (join_turns(task, trial)) {
      for (const Piece& piece : trial.pieces) {
        if (keeps_radius(mesh_, piece, task.radius)) continue;
        for (std::size_t i = 0; i < turns_.size(); ++i)
          for (const Vec2 end : {piece.from, piece.to})
            if (std::abs(distance(end, turns_[i].centre) - turns_[i].radius) < on_turn) lower(i);
        if (!lowered) break;  // cut at a connection, far from any turn
      }
      if (!lowered && keeps_radius(mesh_, trial, task.radius) && cost_of(task, trial) <= a_metre * trial.length) {
        std::swap(route, trial);
        return;
      }
    }
    if (!lowered)
      for (std::size_t i = 0; i < turns_.size(); ++i) lower(i);
    if (!lowered) return;
  }
}

bool GroundRouteWriter::write(const Task& task, Route& route) {
  route.radius = task.radius;
  route.start = task.start, route.goal = task.goal;
  route.generation = mesh_.generation;
  find_turns(task);
  // A point's way runs over free triangles, whatever its roundings say at the corners that it touches.
  if (join_turns(task, route) && (task.radius == 0 || keeps_radius(mesh_, route, task.radius))) {
    if (task.radius > 0 && cost_of(task, route) > task.cost * (1 + dearer)) {
      // Nearer to the corner than the polygon around it lies dearer ground.
      Route round = route;
      write_lines(task, route);
      if (cost_of(task, route) < cost_of(task, round) && keeps_radius(mesh_, route, task.radius)) return true;
      std::swap(route, round);
    }
    if (task.clearance > task.radius && task.radius > 0) grow_turns(task, route);
    return true;
  }
  write_lines(task, route);
  return task.radius == 0 || keeps_radius(mesh_, route, task.radius);
}

}  // namespace throng::routes
