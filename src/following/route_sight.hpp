// What a person sees of the stretch of its route ahead: which points are looked at, whether they are seen, where sight ends, and how
// one goes on around a corner that hides the rest. MIRAN (miran.hpp) and all followers along a route (along_route.hpp) look this way.
//
// Laws
// 1. Looked at are the reference, a step ahead of it, the last attraction, and whole multiples of `sampling` along the route.
// 2. Sight is the body's: the line keeps `kept` from obstacles, the radius less `tolerance::sight`, or what distance the body has.
// 3. Where sight ends is found by bisection, to a part of the sampling distance; for the last visible point also to a part of the way to it.
// Complexity: a ray for each point. Thread-safety: only reads.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "following/follower.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/visibility.hpp"
#include "routes/route.hpp"

namespace throng::following {

[[nodiscard]] inline navmesh::Place place_of(const routes::RoutePoint& p) { return {p.point, p.layer}; }

/// Sight from where a person stands, as wide as its body (law 2).
class BodySight {
 public:
  BodySight(const People& people, Slot slot)
      : people_(people),
        slot_(slot),
        kept_(std::min(std::max(0.0, people.radius[slot] - tolerance::sight), people.clearance[slot])),
        step_(people.speed[slot] * people.time_step) {}

  [[nodiscard]] bool sees(const navmesh::Place& place) const {
    return navmesh::visible_from(*people_.mesh, people_.standpoint(slot_), place, kept_);
  }
  /// Distance from obstacles on the way to a point.
  [[nodiscard]] double kept() const { return kept_; }
  /// Metres that the person walks in a time step.
  [[nodiscard]] double step() const { return step_; }
  [[nodiscard]] double radius() const { return people_.radius[slot_]; }

 private:
  const People& people_;
  Slot slot_;
  double kept_, step_;
};

class RouteSight : public BodySight {
 public:
  /// The pieces are those of the route that are looked at, and must outlive the sight.
  RouteSight(const People& people, Slot slot, const routes::Route& pieces, double sampling)
      : BodySight(people, slot), pieces_(pieces), sampling_(sampling) {}

  /// A point of the route and whether it can be seen.
  struct Mark {
    routes::RoutePoint at;
    bool seen = false;
  };

  /// How far along the route the person has come and where it headed last, as distances along it. The reference is the first of the
  /// points nearest to the person between `last` and `attraction`; to be called before anything below is asked.
  void look_from(Vec2 person, double last, double attraction) {
    reference_ = pieces_.closest(person, last, attraction);
    reference_.along = std::max(reference_.along, last);  // to the bit: sums of prefixes round
    last_attraction_ = attraction;
  }
  [[nodiscard]] double sampling() const { return sampling_; }
  [[nodiscard]] const routes::RoutePoint& reference() const { return reference_; }
  [[nodiscard]] double last_attraction() const { return last_attraction_; }
  [[nodiscard]] Mark mark(double along) const {
    const routes::RoutePoint p = point_ahead(along);
    return {p, sees(place_of(p))};
  }
  /// Route::at() for what is not behind the reference: no search, the piece is one of the next few.
  [[nodiscard]] routes::RoutePoint point_ahead(double along) const {
    if (pieces_.pieces.empty()) return {pieces_.start.point, pieces_.start.layer, 0, along};
    Index i = reference_.piece;
    while (i + 1 < pieces_.pieces.size() && pieces_.prefix[i + 1] <= along) ++i;
    return {pieces_.pieces[i].at(along - pieces_.prefix[i]), pieces_.pieces[i].layer, i, along};
  }
  /// The next place to look at before `along`.
  [[nodiscard]] double next_before(double along) const {
    const double limit = along - tolerance::distinct;  // nobody heads for where it stands
    double next = reference_.along;
    const auto consider = [&](double other) {
      if (other <= limit) next = std::max(next, other);
    };
    consider(last_attraction_);
    consider(reference_.along + step());
    double sample = std::floor(along / sampling_) * sampling_;
    if (sample > limit) sample -= sampling_;
    consider(sample);
    return next;
  }
  /// The next place to look at after `along`, at most `until`.
  [[nodiscard]] double next_after(double along, double until) const;
  /// The last visible point after one that is seen, or the first before one.
  [[nodiscard]] routes::RoutePoint end_of_sight(Mark seen, Mark hidden) const;

  /// A point to head for and how far along the route it counts as.
  struct Onward {
    Vec2 aim;
    double along = 0;
  };
  /// Around a corner that the route hugs: on in a direction beyond its last visible point `distance` from `from`, as far as there is
  /// room, at most by the radius, so that the turn is no more than 45 degrees wide of the corner; nothing where there is none.
  [[nodiscard]] std::optional<Onward> go_on(Vec2 from, Vec2 direction, double distance, const routes::RoutePoint& last,
                                            double route_length) const;

 private:
  const routes::Route& pieces_;
  double sampling_;
  routes::RoutePoint reference_;
  double last_attraction_ = 0;
};

}  // namespace throng::following
