#include "following/along_route.hpp"
#include "geometry/tolerances.hpp"

#include <algorithm>
#include <cmath>

namespace throng::following {
namespace {

using navmesh::Place;
using routes::Route;
using routes::RoutePoint;

/// To which the last point within a disc is found, in metres.
constexpr double disc_precision = 1e-3;

}  // namespace

AlongRoute::AlongRoute(const FollowView& view, Slot slot, double sampling, RouteWindow& window)
    : people_(view.people),
      slot_(slot),
      packed_(view.way(slot)),
      window_(window),
      here_(people_.place(slot)),
      length_(packed_.length()),
      sight_(people_, slot, window.pieces(), sampling) {}

void AlongRoute::find_reference(FollowMemory& memory) {
  const double last = std::clamp(memory.reference, 0.0, length_);
  const double attraction = std::max(last, std::min(memory.attraction, length_));
  window_.open(packed_, last);
  window_.reach(attraction);
  sight_.look_from(here_.point, last, attraction);
  memory.reference = reference();
}

std::optional<double> AlongRoute::last_within(Vec2 centre, double radius, double until) {
  window_.reach(until);
  const Route& route = window_.pieces();
  const auto inside = [&](Vec2 p) { return squared_length(p - centre) <= radius * radius; };
  for (std::size_t i = route.pieces.size(); i-- > sight_.reference().piece;) {
    const routes::Piece& piece = route.pieces[i];
    const double low = std::max(0.0, reference() - route.prefix[i]);
    const double high = std::min(piece.length, until - route.prefix[i]);
    if (high < low) continue;
    if (inside(piece.at(high))) return route.prefix[i] + high;
    double in = std::clamp(piece.closest(centre), low, high), beyond = high;
    if (!inside(piece.at(in))) continue;
    while (beyond - in > disc_precision) {
      const double middle = (in + beyond) / 2;
      (inside(piece.at(middle)) ? in : beyond) = middle;
    }
    return route.prefix[i] + in;
  }
  return route.pieces.empty() && inside(route.start.point) ? std::optional(length_) : std::nullopt;
}

std::optional<AlongRoute::Target> AlongRoute::farthest_seen(double until) {
  window_.reach(until);
  Mark far = sight_.mark(until);
  if (far.seen) return Target{far.at, false};
  while (far.at.along > reference()) {
    const Mark near = sight_.mark(sight_.next_before(far.at.along));
    if (near.seen) return Target{sight_.end_of_sight(near, far), true};
    far = near;
  }
  return std::nullopt;
}

std::optional<AlongRoute::Target> AlongRoute::seen_without_a_break(double until) {
  window_.reach(until);
  Mark seen = sight_.mark(reference());
  if (!seen.seen) seen = sight_.mark(std::clamp(sight_.last_attraction(), reference(), until));
  if (!seen.seen) return std::nullopt;
  while (seen.at.along < until) {
    const Mark next = sight_.mark(sight_.next_after(seen.at.along, until));
    if (!next.seen) return Target{sight_.end_of_sight(seen, next), true};
    seen = next;
  }
  return Target{seen.at, false};
}

bool AlongRoute::go_on(Vec2 direction, double distance, const RoutePoint& last, FollowMemory& memory) {
  const auto onward = sight_.go_on(here_.point, direction, distance, last, length_);
  if (!onward) return false;
  aim_ = onward->aim;
  memory.attraction = onward->along;
  return true;
}

void AlongRoute::head_for(const std::optional<Target>& target, FollowMemory& memory, const FollowOutput& out) {
  aim_ = here_.point;
  bool lost = !target;
  memory.attraction = target ? target->at.along : reference();
  if (target) {
    aim_ = target->at.point;
    const Vec2 way = aim_ - here_.point;
    const double distance = throng::length(way);
    const bool at_goal = target->at.along >= length_;
    if (distance <= tolerance::distinct && !at_goal) {
      const Route& route = window_.pieces();
      const Index piece = target->at.piece;
      lost = !go_on(route.pieces[piece].direction_at(target->at.along - route.prefix[piece]), 0, target->at, memory);
    } else if (target->last_seen && distance < sight_.step() && target->at.along > reference() + tolerance::distinct) {
      go_on(way / distance, distance, target->at, memory);
    }
  }
  head_straight_for(people_, slot_, aim_, lost, out);
}

Place goal_of(const routes::PackedRoute& route, RouteWindow& window) {
  window.open(route, route.length());
  const Route& end = window.pieces();
  return end.pieces.empty() ? end.start : Place{end.pieces.back().to, end.pieces.back().layer};
}

void head_straight_for(const People& people, Slot slot, Vec2 aim, bool needs_route, const FollowOutput& out) {
  const Vec2 way = aim - people.position[slot];
  const double distance = length(way);
  if (!out.attraction_point.empty()) out.attraction_point[slot] = aim;
  out.needs_route[slot] = needs_route ? 1 : 0;
  out.preferred_velocity[slot] = distance <= people.speed[slot] * people.time_step
                                     ? way / people.time_step
                                     : way * (people.speed[slot] / distance);
}

}  // namespace throng::following
