// What followers share who walk along a route: how far they have come, what of the route they see, and how they head for a point
// of it. As MIRAN does these (miran.hpp): the same reference, the same sight, the same way around corners that the route hugs.
//
// Laws
// 1. The reference is the first point nearest to the person of the stretch between the last reference and the last attraction; it never
//    goes back.
// 2. Sight is the body's: the line keeps the radius less `tolerance::sight`, or what distance the body has.
// 3. The preferred velocity leads to the attraction point, at most at the person's speed, and not past it. Where the route goes out of
//    sight within a step, that point lies beyond the last visible one, on the line to it.
// 4. Who sees its reference and nothing beyond goes there.
// Complexity: a ray for each point that is looked at. Thread-safety: one window a thread.
#pragma once

#include <optional>

#include "following/follower.hpp"
#include "following/route_sight.hpp"
#include "following/route_window.hpp"

namespace throng::following {

/// One person's step along its route.
class AlongRoute {
 public:
  AlongRoute(const FollowView& view, Slot slot, double sampling, RouteWindow& window);

  /// Finds the reference and keeps it in the memory. To be called first.
  void find_reference(FollowMemory& memory);

  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] double reference() const { return sight_.reference().along; }
  [[nodiscard]] const navmesh::Place& here() const { return here_; }
  /// The last point within a radius of a place between the reference and `until`, as distance along the route, to a millimetre.
  [[nodiscard]] std::optional<double> last_within(Vec2 centre, double radius, double until);

  /// A point of the route to head for.
  struct Target {
    routes::RoutePoint at;
    bool last_seen = false;  ///< just beyond it the route goes out of sight
  };
  /// The farthest visible point up to a distance along the route: that itself, or the end of a visible stretch that samples tell of.
  [[nodiscard]] std::optional<Target> farthest_seen(double until);
  /// The point before the first that is out of sight, from the reference on; where that is hidden, from the last attraction on.
  [[nodiscard]] std::optional<Target> seen_without_a_break(double until);

  /// Writes the answer. Without a target, the person needs a route.
  void head_for(const std::optional<Target>& target, FollowMemory& memory, const FollowOutput& out);

 private:
  using Mark = RouteSight::Mark;
  bool go_on(Vec2 direction, double distance, const routes::RoutePoint& last, FollowMemory& memory);

  const People& people_;
  Slot slot_;
  const routes::PackedRoute& packed_;
  RouteWindow& window_;
  navmesh::Place here_;
  double length_;
  RouteSight sight_;
  Vec2 aim_{};
};

/// Where a route ends.
[[nodiscard]] navmesh::Place goal_of(const routes::PackedRoute& route, RouteWindow& window);

/// Writes the velocity that leads straight to a point.
void head_straight_for(const People& people, Slot slot, Vec2 aim, bool needs_route, const FollowOutput& out);

}  // namespace throng::following
