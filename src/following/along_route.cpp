#include "following/along_route.hpp"

#include <algorithm>
#include <cmath>

#include "following/miran.hpp"
#include "navmesh/visibility.hpp"

namespace throng::following {
namespace {

using navmesh::Place;
using routes::Route;
using routes::RoutePoint;

/// Points nearer than this count as one, in metres: nobody heads for where it stands.
constexpr double same_place = 1e-6;
/// Ends of what is seen are found to this part of the sampling distance, and of the way to them.
constexpr double end_precision = 1.0 / 32, end_precision_near = 1.0 / 8;
/// Halvings that tell doubles apart at any scale of a world.
constexpr int most_halvings = 40;
/// To which the last point within a disc is found, in metres.
constexpr double disc_precision = 1e-3;

Place place_of(const RoutePoint& p) { return {p.point, p.layer}; }

}  // namespace

AlongRoute::AlongRoute(const FollowView& view, Slot slot, double sampling, RouteWindow& window)
    : people_(view.people),
      slot_(slot),
      packed_(view.way(slot)),
      window_(window),
      here_(people_.place(slot)),
      sampling_(sampling),
      length_(packed_.length()),
      kept_(std::min(std::max(0.0, people_.radius[slot] - sight_slack), people_.clearance[slot])),
      step_(people_.speed[slot] * people_.time_step) {}

void AlongRoute::find_reference(FollowMemory& memory) {
  const double last = std::clamp(memory.reference, 0.0, length_);
  last_attraction_ = std::max(last, std::min(memory.attraction, length_));
  window_.open(packed_, last);
  window_.reach(last_attraction_);
  reference_ = window_.pieces().closest(here_.point, last, last_attraction_);
  reference_.along = std::max(reference_.along, last);  // to the bit: sums of prefixes round
  memory.reference = reference_.along;
}

bool AlongRoute::sees(const Place& place) const {
  return navmesh::visible_from(*people_.mesh, people_.standpoint(slot_), place, kept_);
}

RoutePoint AlongRoute::point_ahead(double along) const {
  const Route& route = window_.pieces();
  if (route.pieces.empty()) return {route.start.point, route.start.layer, 0, along};
  Index i = reference_.piece;
  while (i + 1 < route.pieces.size() && route.prefix[i + 1] <= along) ++i;
  return {route.pieces[i].at(along - route.prefix[i]), route.pieces[i].layer, i, along};
}

AlongRoute::Mark AlongRoute::mark(double along) const {
  const RoutePoint p = point_ahead(along);
  return {p, sees(place_of(p))};
}

std::optional<double> AlongRoute::last_within(Vec2 centre, double radius, double until) {
  window_.reach(until);
  const Route& route = window_.pieces();
  const auto inside = [&](Vec2 p) { return squared_length(p - centre) <= radius * radius; };
  for (std::size_t i = route.pieces.size(); i-- > reference_.piece;) {
    const routes::Piece& piece = route.pieces[i];
    const double low = std::max(0.0, reference_.along - route.prefix[i]);
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

double AlongRoute::next_before(double along) const {
  const double limit = along - same_place;
  double next = reference_.along;
  const auto consider = [&](double other) {
    if (other <= limit) next = std::max(next, other);
  };
  consider(last_attraction_);
  consider(reference_.along + step_);
  double sample = std::floor(along / sampling_) * sampling_;
  if (sample > limit) sample -= sampling_;
  consider(sample);
  return next;
}

double AlongRoute::next_after(double along, double until) const {
  const double limit = along + same_place;
  double next = until;
  const auto consider = [&](double other) {
    if (other >= limit) next = std::min(next, other);
  };
  consider(reference_.along + step_);
  consider((std::floor(along / sampling_) + 1) * sampling_);
  consider((std::floor(along / sampling_) + 2) * sampling_);
  return next;
}

RoutePoint AlongRoute::last_seen_between(Mark seen, Mark hidden) const {
  for (int i = 0; i < most_halvings; ++i) {
    const double ahead = seen.at.along - reference_.along;
    if (hidden.at.along - seen.at.along <= std::min(end_precision * sampling_, end_precision_near * ahead)) break;
    const Mark middle = mark((seen.at.along + hidden.at.along) / 2);
    (middle.seen ? seen : hidden) = middle;
  }
  return seen.at;
}

std::optional<AlongRoute::Target> AlongRoute::farthest_seen(double until) {
  window_.reach(until);
  Mark far = mark(until);
  if (far.seen) return Target{far.at, false};
  while (far.at.along > reference_.along) {
    const Mark near = mark(next_before(far.at.along));
    if (near.seen) return Target{last_seen_between(near, far), true};
    far = near;
  }
  return std::nullopt;
}

std::optional<AlongRoute::Target> AlongRoute::seen_without_a_break(double until) {
  window_.reach(until);
  Mark seen = mark(reference_.along);
  if (!seen.seen) seen = mark(std::clamp(last_attraction_, reference_.along, until));
  if (!seen.seen) return std::nullopt;
  while (seen.at.along < until) {
    const Mark next = mark(next_after(seen.at.along, until));
    if (!next.seen) return Target{last_seen_between(seen, next), true};
    seen = next;
  }
  return Target{seen.at, false};
}

/// Around a corner that the route hugs: on beyond its last visible point, as far as there is room, at most by the radius, so that
/// the turn is no more than 45 degrees wide of the corner.
bool AlongRoute::go_on(Vec2 direction, double distance, const RoutePoint& last, FollowMemory& memory) {
  const double least = std::max(step_ / 64, same_place);
  for (double more = std::min(step_ - distance, people_.radius[slot_]); more > least; more /= 2) {
    const Vec2 point = here_.point + direction * (distance + more);
    if (!sees({point, last.layer})) continue;
    aim_ = point;
    memory.attraction = std::min(last.along + more, length_);
    return true;
  }
  return false;
}

void AlongRoute::head_for(const std::optional<Target>& target, FollowMemory& memory, const FollowOutput& out) {
  aim_ = here_.point;
  bool lost = !target;
  memory.attraction = target ? target->at.along : reference_.along;
  if (target) {
    aim_ = target->at.point;
    const Vec2 way = aim_ - here_.point;
    const double distance = throng::length(way);
    const bool at_goal = target->at.along >= length_;
    if (distance <= same_place && !at_goal) {
      const Route& route = window_.pieces();
      const Index piece = target->at.piece;
      lost = !go_on(route.pieces[piece].direction_at(target->at.along - route.prefix[piece]), 0, target->at, memory);
    } else if (target->last_seen && distance < step_ && target->at.along > reference_.along + same_place) {
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
