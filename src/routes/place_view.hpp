// What a place sees of the disc's free space: bundles of straight lines, spread from tile to tile (tangent_windows.hpp). The same as
// WindowGeometry finds for a root without a radius, but without square roots where a tile's circles leave a bundle alone, as most do.
//
// Laws
// 1. Every circle that WindowGeometry::reaches for one of the bundles is shown, and no other; a circle between two tiles perhaps once
//    instead of in both.
// 2. Bundles go wherever WindowGeometry::pass lets them, to rounding, but for gates the visitor does not want. Rows of tiles (disc_gates.hpp)
//    they pass at once, up to where they may see a circle or the visitor wants to be told.
// Thread-safety: one a search.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "routes/disc_gates.hpp"

namespace throng::routes {

/// The shortest way from p to q by way of the segment ab.
[[nodiscard]] double by_way_of(Vec2 p, Vec2 a, Vec2 b, Vec2 q);

/// A line of sight that limits a bundle.
struct SightLimit {
  Vec2 direction;       ///< of any length
  double away = 0;      ///< metres to what it is drawn to, if it is drawn along a circle; 0: its length
  Index circle = none;  ///< the corner it is drawn along

  [[nodiscard]] double square() const { return squared_length(direction); }
};

/// A bundle that enters a tile by a gate.
struct Sight {
  SightLimit right, left;
  BehindGate behind;
  Index gate = none;  ///< number of the gate, once the tile is looked at
};

class PlaceView {
 public:
  PlaceView(const DiscTiles& tiles, const DiscGates& gates, const WindowGeometry& geometry)
      : tiles_(tiles),
        gates_(gates),
        geometry_(geometry),
        disc_(tiles.disc()),
        beside_(std::min(most_beside, share_beside * disc_)),
        clear_turn_(beside_ / disc_ + clearly_beside),
        clear_touch_(clearly_aside + clearly_beside / disc_) {}

  /// Begins to look around from a place of a tile.
  void begin(Vec2 point, Index tile);
  /// Looks around, or goes on with it; where there is a choice, first to where the visitor wants to get. Whether there is more to see. The visitor is asked
  ///   pauses()                 whether it has seen enough for now
  ///   begin(root, entry)       for each window that has no limit on a side: the one that all begins with, and rarely one beyond
  ///   enter(root, sight)       for all others, in the tile they enter; for those that pass several at once, in the first
  ///   circle(side, seen)       for circles seen through a window of that side
  ///   halts(step, end)         of these steps of a row, the first at which it has to be told more than of circles; the end: at none
  ///   looks_into_dead_ends()   whether there is a need to look into some,
  ///   leads_nowhere(twig)      and none to look into this one, if it is one
  ///   towards(), most()        a place, and how long a way to it may be: there is no need to look beyond a gate that makes it longer
  template <class Visitor>
  bool look(Visitor& visitor);

  /// A bundle as others know it.
  [[nodiscard]] static WindowEntry entry_of(const Sight& sight) {
    const auto unit = [](const SightLimit& limit) { return limit.direction / std::sqrt(limit.square()); };
    const TangentWindow window{
        .right = unit(sight.right), .left = unit(sight.left), .root = 0, .side = std::uint8_t(sight.gate)};
    return {sight.behind.tile, sight.gate, window, 0, {}, {}};
  }

 private:
  static constexpr double most_beside = 1e-8;      ///< metres beside a limit that are rounding,
  static constexpr double share_beside = 1e-2;     ///< and what share of a disc at most
  static constexpr double clearly_beside = 2e-6;   ///< metres beside a limit that are not,
  static constexpr double clear_angle = 2e-9;      ///< and radians
  static constexpr double position_error = 1e-13;  ///< metres by which points are off through rounding
  static constexpr double clearly_away = 1e-3;     ///< metres
  static constexpr double least_span = 1e-4;       ///< metres of a gate whose direction is well defined
  static constexpr double clearly_inside = 1e-7;   ///< metres
  static constexpr double clearly_across = 1e-6;   ///< sine of an angle at which where two lines cross is well defined
  static constexpr double clearly_aside = 1e-5;    ///< sine of an angle that is not rounding

  template <class Visitor>
  void begin(const WindowEntry& entry, Visitor& visitor);
  template <class Visitor>
  bool follow(Sight sight, Visitor& visitor);
  template <class Visitor>
  bool pass_arc(Sight& sight, Visitor& visitor);
  enum class Passed { yes, ends_there, not_clear };
  template <class Visitor>
  Passed pass_row(Sight& sight, Visitor& visitor);
  template <class Visitor>
  void show_circle(const WindowEntry& entry, Index side, Index towards, Visitor& visitor);
  template <class Visitor>
  bool leave_node(Sight& sight, Visitor& visitor);

  /// A circle at a side of a tile, as a bundle that enters the tile finds it.
  struct Meeting {
    bool sees = false;     ///< perhaps: the bundle may hold the tangent to it, which may touch it in the tile
    bool surely = false;   ///< it does, and nothing is in the way
    bool narrows = false;  ///< the tangent to it limits what leaves the tile
    SightLimit limit;      ///< that tangent
    Bend bend;             ///< the circle
  };

  /// Whether a circle is out of a bundle on one side, for sure: on the right of its right limit (sign 1), or on the left of its left one (-1).
  [[nodiscard]] bool is_outside(const SightLimit& limit, Vec2 centre, double sign) const {
    const Vec2 to = centre - root_.bend.centre;
    const double beside = -sign * cross(limit.direction, to);
    const double margin = disc_ + clearly_beside + clear_angle * (std::abs(to.x) + std::abs(to.y));
    return (beside > 0) & (beside * beside > margin * margin * limit.square()) & (dot(limit.direction, to) > 0);
  }

  /// Of the steps of a row before `end`, the first beside a circle on one side that a bundle may see. It does not see those that are outside, those that the tangent
  /// touches elsewhere, and the one that limits it already.
  [[nodiscard]] Index first_seen(const SightLimit& limit, std::span<const PassedCircle> circles, double sign,
                                 Index end) const {
    for (const PassedCircle& circle : circles) {
      if (circle.step >= end) break;
      const Vec2 to = circle.centre - root_.bend.centre;
      // The tangent is off the line to the centre by a radius, and at a right angle to the radius where it touches.
      const double margin = 2 * disc_ + clear_touch_ * (std::abs(to.x) + std::abs(to.y));
      const auto along = [&](const RoughVec& v) { return double(v.x) * to.x + double(v.y) * to.y; };
      const bool may_touch = (along(circle.first) <= margin) & (along(circle.last) >= -margin);
      if (may_touch && circle.corner != limit.circle && !is_outside(limit, circle.centre, sign)) return circle.step;
    }
    return end;
  }

  /// Whether a point lies inside a gate (1) or beyond it (-1), clearly; 0 where that is for others to tell.
  static int side_of_gate(const DiscGate& gate, Vec2 p) {
    const Vec2 across = gate.left - gate.right;
    const double span = std::abs(across.x) + std::abs(across.y);
    const double inside = cross(across, p - gate.right);
    if (span < least_span || std::abs(inside) < clearly_inside * span) return 0;
    return inside > 0 ? 1 : -1;
  }

  /// Whether the line to a point passes the circle at a side of the tile, if there is one, for sure.
  [[nodiscard]] bool is_clear(Vec2 to, Vec2 direction, const ArcExit& exit, bool at_left) const {
    if ((at_left ? exit.left_corner : exit.right_corner) == none) return true;
    const Vec2 from = root_.bend.centre;
    const Vec2 centre = at_left ? exit.left_centre : exit.right_centre;
    const double along = std::clamp(dot(centre - from, direction), 0.0, std::max(0.0, dot(to - from, direction)));
    const double away = disc_ + clearly_beside;
    return squared_length(from + direction * along - centre) > away * away;
  }

  [[nodiscard]] Meeting meet(const Sight& sight, const ArcExit& exit, bool at_left) const {
    const Index corner = at_left ? exit.left_corner : exit.right_corner;
    const SightLimit& limit = at_left ? sight.left : sight.right;
    const Vec2 centre = at_left ? exit.left_centre : exit.right_centre;
    Meeting met;
    if (corner == none || corner == limit.circle || is_outside(limit, centre, at_left ? -1 : 1)) return met;
    const Bend bend{centre, at_left ? disc_ : -disc_};
    const Vec2 direction = tangent(root_.bend, bend);
    if (direction == Vec2{}) return met;
    const Vec2 at = touch(bend, direction);
    const int before_exit = side_of_gate(exit.gate, at);
    if (before_exit < 0) return met;  // touched behind the gate it is the business of another tile
    met.narrows = before_exit > 0 || tiles_.tiles().gates(sight.behind.tile)[1 - exit.entry].inside(at, disc_) >= 0;
    met.limit = {direction, std::max(dot(direction, centre - root_.bend.centre), nearest()), corner};
    const auto beside = [&](const SightLimit& a) {
      return clear_turn_ * (std::abs(a.direction.x) + std::abs(a.direction.y));
    };
    const double in_right = cross(sight.right.direction, direction), in_left = cross(direction, sight.left.direction);
    if (in_right < -beside(sight.right) || in_left < -beside(sight.left)) return met;
    const int after_entry = side_of_gate(gates_.exit_of_arc(sight.behind.tile, exit.entry).gate, at);
    met.sees = after_entry >= 0;
    met.surely = after_entry > 0 && before_exit > 0 && exit.behind.tile != none && in_right > beside(sight.right) &&
                 in_left > beside(sight.left) && is_clear(at, direction, exit, !at_left);
    met.bend = bend;
    return met;
  }

  /// Makes a limit stricter; false where nothing is left of what the other limit's direction leaves.
  static bool narrow(SightLimit& limit, Vec2 other, const SightLimit& by, double sign) {
    const auto rounding = [&](Vec2 direction) {  // as a share of the length of `by`
      const double span = std::abs(direction.x) + std::abs(direction.y);
      return position_error * span / (by.away > 0 ? by.away : 1);
    };
    if (by.direction == Vec2{} || sign * cross(limit.direction, by.direction) <= rounding(limit.direction)) return true;
    if (sign * cross(by.direction, other) < -rounding(other)) return false;
    limit = by;
    return true;
  }

  [[nodiscard]] SightLimit limit_at(Vec2 end) const { return {end - root_.bend.centre, 0, none}; }

  [[nodiscard]] double nearest() const { return std::sqrt(position_error * disc_); }

  /// Whether the limits have not passed each other.
  [[nodiscard]] bool is_open(const SightLimit& right, const SightLimit& left, const DiscGate& gate) const {
    const double open = cross(right.direction, left.direction);
    if (open >= 0) return true;
    const auto error = [&](const SightLimit& limit) {
      return position_error / std::max(limit.away > 0 ? limit.away : std::sqrt(limit.square()), nearest());
    };
    const double away = std::sqrt(squared_length(gate.right - root_.bend.centre));
    return open >= -(beside_ / away + error(right) + error(left)) * std::sqrt(right.square() * left.square());
  }

  /// Where a limit crosses a gate, or the gate's end that it is drawn to or beyond.
  [[nodiscard]] Vec2 crossing(const SightLimit& limit, const DiscGate& gate, Vec2 end) const {
    const Vec2 across = gate.left - gate.right;
    const double slant = cross(limit.direction, across);
    if (slant * slant <= clearly_across * clearly_across * squared_length(across) * limit.square()) return end;
    const double share = cross(root_.bend.centre - gate.right, limit.direction) / -slant;
    return gate.right + across * std::clamp(share, 0.0, 1.0);
  }

  /// Whether a line from the place may touch the circle at a side of its tile in the tile, going on to a gate.
  [[nodiscard]] bool may_touch(Index tile, Index side, Index towards) const {
    const ArcExit& exit = gates_.exit_of_arc(tile, towards);
    const bool at_left = side == towards;
    if ((at_left ? exit.left_corner : exit.right_corner) == none) return false;
    const Bend bend{at_left ? exit.left_centre : exit.right_centre, at_left ? disc_ : -disc_};
    const Vec2 at = touch(bend, tangent(root_.bend, bend));
    return tiles_.is_narrow(tile) ||
           (side_of_gate(exit.gate, at) >= 0 && side_of_gate(gates_.exit_of_arc(tile, exit.entry).gate, at) >= 0);
  }

  /// Leaves the tile that the place lies in by a gate, where it is clear what is seen beyond; false where it is not.
  bool leave(Index tile, Index number) {
    const ArcExit* exit = gates_.is_arc(tile) ? &gates_.exit_of_arc(tile, number) : nullptr;
    const auto [gate, behind] = gates_.way_out(tile, number);
    if (behind.tile == none || side_of_gate(gate, root_.bend.centre) <= 0) return false;
    SightLimit right = limit_at(gate.right), left = limit_at(gate.left);
    if (std::min(right.square(), left.square()) < clearly_away * clearly_away) return false;
    const auto narrow_by = [&](Index corner, Vec2 centre, SightLimit& limit, double sign) {
      if (corner == none) return true;
      const Bend bend{centre, -sign * disc_};
      const Vec2 direction = tangent(root_.bend, bend);
      if (direction == Vec2{}) return false;
      const int inside = side_of_gate(gate, touch(bend, direction));
      if (inside < 0) return true;
      const double away = dot(direction, centre - root_.bend.centre);
      if (inside == 0 || away < clearly_away) return false;
      if (sign * cross(limit.direction, direction) > 0) limit = {direction, away, corner};
      return true;
    };
    if (exit != nullptr && (!narrow_by(exit->right_corner, exit->right_centre, right, 1) ||
                            !narrow_by(exit->left_corner, exit->left_centre, left, -1)))
      return false;
    const double open = cross(right.direction, left.direction);
    if (open * open < clearly_beside * right.square() * left.square()) return false;
    if (open > 0) sights_.push_back({right, left, behind});
    return open > 0 || dot(right.direction, left.direction) > 0;
  }

  /// Whether every way to a place that leads through a gate in a bundle is too long.
  [[nodiscard]] bool is_out_of_reach(const SightLimit& right, const SightLimit& left, const DiscGate& gate, Vec2 place,
                                     double most) const {
    const Vec2 from = root_.bend.centre;
    const Vec2 straight = place - from;
    if (cross(gate.left - gate.right, place - gate.right) > 0)  // on this side of the gate, and back again
      return by_way_of(from, crossing(right, gate, gate.right), crossing(left, gate, gate.left), place) >= most;
    const bool beyond_right = cross(right.direction, straight) < 0;
    const bool beyond_left = cross(straight, left.direction) < 0;
    // Most bundles hold the place, or it lies beside them: then the limit on that side is the best they have.
    if (!beyond_right && !beyond_left) return squared_length(straight) >= most * most;
    const auto by = [&](const SightLimit& limit, Vec2 end) {
      const Vec2 at = crossing(limit, gate, end);
      const double rest = most - std::sqrt(squared_length(at - from));
      return rest <= 0 || squared_length(place - at) >= rest * rest;
    };
    return (!beyond_right || by(right, gate.right)) && (!beyond_left || by(left, gate.left));
  }

  const DiscTiles& tiles_;
  const DiscGates& gates_;
  const WindowGeometry& geometry_;
  double disc_ = 0;
  double beside_ = 0;      ///< metres that are rounding
  double clear_turn_ = 0;  ///< radians that are not
  double clear_touch_ =
      0;  ///< sine of an angle by which it is clear where on a circle something is; on those of points nothing is
  TangentRoot root_;
  std::vector<Sight> sights_;
  std::vector<WindowEntry> open_, passed_;
};

template <class Visitor>
bool PlaceView::look(Visitor& visitor) {
  for (;;) {
    if (!sights_.empty()) {
      const Sight sight = sights_.back();
      sights_.pop_back();
      if (follow(sight, visitor)) return true;
    } else if (!open_.empty()) {
      const WindowEntry entry = open_.back();
      open_.pop_back();
      begin(entry, visitor);
      if (visitor.pauses()) return true;
    } else {
      return false;
    }
  }
}

/// A window without limits, step by step.
template <class Visitor>
void PlaceView::begin(const WindowEntry& entry, Visitor& visitor) {
  visitor.begin(root_, entry);
  if (tiles_.tiles().is_arc(entry.tile))
    for (const Index towards : {0u, 1u})
      for (const Index side : {0u, 1u})
        if (towards != entry.gate && may_touch(entry.tile, side, towards)) show_circle(entry, side, towards, visitor);
  const std::span<const TileGate> gates = tiles_.tiles().gates(entry.tile);
  for (Index g = 0; g < gates.size(); ++g)
    if (g != entry.gate && gates[g].tile != none && !visitor.leads_nowhere(gates[g].twig) &&
        !(entry.gate == none && leave(entry.tile, g)))
      geometry_.pass(root_, entry, g, passed_);
  for (const WindowEntry& passed : passed_) {
    const TangentWindow& window = passed.window;
    if (window.right_open || window.left_open)
      open_.push_back(passed);
    else
      sights_.push_back({{window.right, 0, none}, {window.left, 0, none}, gates_.entering(passed.tile, passed.gate)});
  }
  passed_.clear();
}

/// Follows a bundle to its end, where there is a choice first to where the visitor wants to get. Whether the visitor has seen enough
/// before that; it is asked at every node, and at the end.
template <class Visitor>
bool PlaceView::follow(Sight sight, Visitor& visitor) {
  for (;;) {
    if (sight.behind.step != none) {
      const Passed passed = pass_row(sight, visitor);
      if (passed == Passed::ends_there) return visitor.pauses();
      if (passed == Passed::yes) continue;
    }
    if (gates_.is_arc(sight.behind.tile)) {
      if (!pass_arc(sight, visitor)) return visitor.pauses();
      continue;
    }
    const bool goes_on = leave_node(sight, visitor);
    if (visitor.pauses()) {
      if (goes_on) sights_.push_back(sight);
      return true;
    }
    if (!goes_on) return false;
  }
}

/// Through tiles of a row up to one where there may be something to see, if not the first.
template <class Visitor>
PlaceView::Passed PlaceView::pass_row(Sight& sight, Visitor& visitor) {
  const Index step = sight.behind.step;
  gates_.prefetch_tile(sight.behind);  // in case that something is seen in it
  const RowStep& here = gates_.step(step);
  Index end = visitor.halts(step, here.row_end);
  end = first_seen(sight.right, gates_.right_circles(here), 1, end);
  end = first_seen(sight.left, gates_.left_circles(here), -1, end);
  if (end <= step) return Passed::not_clear;
  visitor.enter(root_, sight);
  const DiscGate& gate = gates_.step(end - 1).gate;
  const BehindGate& behind = gates_.step(end - 1).behind;
  if (behind.tile != none) gates_.prefetch(behind);
  const Vec2 before_right = sight.right.direction, before_left = sight.left.direction;
  sight.behind = behind;
  const bool goes_on = narrow(sight.right, before_left, limit_at(gate.right), 1) &&
                       narrow(sight.left, before_right, limit_at(gate.left), -1) &&
                       is_open(sight.right, sight.left, gate);
  return goes_on ? Passed::yes : Passed::ends_there;
}

/// To the other gate of an arc's tile; false where nothing gets there.
template <class Visitor>
bool PlaceView::pass_arc(Sight& sight, Visitor& visitor) {
  const ArcExit& exit = gates_.arc_exit(sight.behind.at);
  sight.gate = exit.entry;
  visitor.enter(root_, sight);
  if (exit.next_node != none) gates_.prefetch_node(exit.next_node);
  const Meeting right = meet(sight, exit, false);
  const Meeting left = meet(sight, exit, true);
  const auto show = [&](const Meeting& met, Index side) {
    const Index towards = 1 - exit.entry;
    if (met.surely)
      visitor.circle(sight.gate, {met.bend, met.limit.direction, sight.behind.tile, side, towards});
    else if (met.sees)
      show_circle(entry_of(sight), side, towards, visitor);
  };
  show(right, exit.entry);
  show(left, 1 - exit.entry);
  sight.behind = exit.behind;
  const Vec2 before_right = sight.right.direction, before_left = sight.left.direction;
  if (exit.behind.tile == none || !narrow(sight.right, before_left, limit_at(exit.gate.right), 1) ||
      !narrow(sight.left, before_right, limit_at(exit.gate.left), -1))
    return false;
  if (right.narrows && !narrow(sight.right, before_left, right.limit, 1)) return false;
  if (left.narrows && !narrow(sight.left, before_right, left.limit, -1)) return false;
  return is_open(sight.right, sight.left, exit.gate);
}

/// Through the gate of a node's tile that is nearest to where the visitor wants to get; all others are for later. False where there is none.
template <class Visitor>
bool PlaceView::leave_node(Sight& sight, Visitor& visitor) {
  const NodeEntry& entry = gates_.node_entry(sight.behind.at);
  sight.gate = entry.number;
  visitor.enter(root_, sight);
  const Sight entered = sight;
  double nearest = std::numeric_limits<double>::infinity();
  const auto try_exit = [&](const NodeExit& exit) {
    const DiscGate& gate = exit.gate;
    gates_.prefetch(exit.behind);
    Sight next{entered.right, entered.left, exit.behind};
    if (!narrow(next.right, entered.left.direction, limit_at(gate.right), 1) ||
        !narrow(next.left, entered.right.direction, limit_at(gate.left), -1) || !is_open(next.right, next.left, gate))
      return;
    if (is_out_of_reach(next.right, next.left, gate, visitor.towards(), visitor.most())) return;
    const double away = squared_length(visitor.towards() - gate.right);
    if (nearest == std::numeric_limits<double>::infinity()) {
      sight = next, nearest = away;
    } else {
      if (away <= nearest) std::swap(sight, next), nearest = away;
      sights_.push_back(next);
    }
  };
  for (const NodeExit& exit : gates_.core_exits(entry)) try_exit(exit);
  if (visitor.looks_into_dead_ends())
    for (const NodeExit& exit : gates_.twig_exits(entry))
      if (!visitor.leads_nowhere(exit.twig)) try_exit(exit);
  return nearest < std::numeric_limits<double>::infinity();
}

template <class Visitor>
void PlaceView::show_circle(const WindowEntry& entry, Index side, Index towards, Visitor& visitor) {
  SeenCircle seen;
  if (geometry_.reaches(root_, entry, side, towards, seen)) visitor.circle(entry.window.side, seen);
}

}  // namespace throng::routes
