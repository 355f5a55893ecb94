// Distance and direction to the nearest of a set of goals, for bodies of one radius, from everywhere (Jaklin, Geraerts 2016, "Potential
// Fields"). Computed once, shared by all who walk there; O(1) a question.
//
// Exact: the continuous Dijkstra over the tiles of the disc's free space (tangent_windows.hpp). Windows are spread from tile to tile,
// nearest first. A tile keeps the windows that enter it, and a question is answered by the best of those that hold the place.
//
// Laws
// 1. Where a body of the radius can stand, `distance` is the length of its shortest way to the nearest goal, to rounding; infinite
//    where there is none.
// 2. `direction` leads along that way: straight to `next`, where it begins to bend or ends, keeping the radius. So whoever follows
//    it gets nearer by what they walk, and arrives.
// 3. The same goals and radius give the same bits.
// 4. Nearer to obstacles than the radius the answer leads back: it is that of the place straight away from the nearest obstacle,
//    `next` too, but its direction turned outwards, the more the deeper. In gaps too narrow for the body it leads towards where there is more room; infinite only where that
//    is out of reach.
// A goal that is not walkable is left out; one that is too close to an obstacle counts where it is moved straight away from it.
//
// Complexity: a window costs O(log n) to make; there are a few for each tile. A question looks at the windows of one tile.
// Thread-safety: immutable once made.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "navmesh/locate.hpp"
#include "routes/flow_goal.hpp"
#include "routes/tangent_windows.hpp"

namespace throng::routes {

class GroundField;  // ground_field.hpp

class FlowField {
 public:
  FlowField(std::shared_ptr<const CorridorTiles> tiles, std::span<const FlowGoal> goals, double radius);
  /// Leads along the cheapest way over weighted ground instead: `distance` is the length of that way, and the nearest goal the cheapest.
  FlowField(std::shared_ptr<const CorridorTiles> tiles, std::shared_ptr<const GroundField> ground, double radius);

  struct Answer {
    double distance = unreachable;
    Vec2 direction = {};  ///< unit; zero on the goal and where there is no way
    Vec2 next = {};       ///< the way is straight up to here
    Index tag = none;     ///< of the nearest goal
    [[nodiscard]] bool reachable() const { return distance < unreachable; }
  };
  /// `cell` is the place's own, as locate() says.
  [[nodiscard]] Answer ask(Vec2 point, Index cell) const;
  /// What somebody asks of a field.
  struct Question {
    const FlowField* field = nullptr;
    Vec2 point;
    Index cell = none;     ///< the place's own
    double clearance = 0;  ///< of the point, if it is known: it need not be found again
  };
  /// The same answers, for many in little more time than their arithmetic takes: what each needs of memory is asked for while others
  /// are answered. As many answers as questions.
  static void ask_all(std::span<const Question> questions, std::span<Answer> answers);
  [[nodiscard]] double distance(const navmesh::Place& place, Index cell) const {
    return ask(place.point, cell).distance;
  }
  [[nodiscard]] Vec2 direction(const navmesh::Place& place, Index cell) const {
    return ask(place.point, cell).direction;
  }
  [[nodiscard]] Index nearest_goal(const navmesh::Place& place, Index cell) const { return ask(place.point, cell).tag; }

  [[nodiscard]] double radius() const { return radius_; }
  /// Of the mesh it was made on.
  [[nodiscard]] std::uint32_t generation() const { return disc_tiles_.mesh().generation; }
  [[nodiscard]] std::size_t window_count() const { return windows_.size(); }
  [[nodiscard]] std::size_t most_windows_in_a_tile() const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class FlowFieldBuilder;

  /// The root that the shortest way from a place comes from; null where none does.
  struct Origin {
    const TangentRoot* root = nullptr;
    Approach by;
  };
  [[nodiscard]] static Answer along(const Origin& origin, Vec2 p, double arc);
  [[nodiscard]] Origin best_origin(Index tile, Vec2 p) const;
  [[nodiscard]] Answer best_at(Index tile, Vec2 p) const;
  [[nodiscard]] bool is_too_near(Vec2 point, Index cell) const;
  [[nodiscard]] Answer too_near(Vec2 p, Index cell) const;
  [[nodiscard]] Answer towards_room(Vec2 p, Index tile) const;
  [[nodiscard]] double disc() const { return disc_tiles_.disc(); }
  [[nodiscard]] Answer over_ground(Vec2 point, Index cell) const;

  DiscTiles disc_tiles_;
  double radius_ = 0;
  std::shared_ptr<const GroundField> ground_;  ///< none: over even ground
  std::vector<TangentRoot> roots_;
  std::vector<TangentWindow> windows_;  ///< by tile
  std::vector<Index> first_window_;     ///< of each tile, one more at the end
};

}  // namespace throng::routes
