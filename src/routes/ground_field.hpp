// The cheapest way over weighted ground to the nearest of a set of goals, from everywhere, for bodies of one radius and one row of weights:
// what a flow field is over even ground (flow_field.hpp). One search backwards from the goals over the surface's rough points, whose ways are
// then pulled straight: a point heads for the farthest point of its way that it reaches at no more cost in a straight line.
//
// Laws
// 1. From a place the way leads to the point of its triangle that is best, or straight to where that one heads if this is no dearer.
//    Costs are those of ways that can be walked, so never below the cheapest.
// 2. Ground that is left out is not entered. Who stands on it is led off it by the shortest way.
// 3. The same goals, radius and row give the same bits.
// Complexity: O(points of a triangle + triangles crossed) a question. Thread-safety: immutable once made.
#pragma once

#include <span>
#include <vector>

#include "routes/flow_goal.hpp"
#include "routes/ground_atlas.hpp"

namespace throng::routes {

class GroundField {
 public:
  GroundField(GroundSheetPtr sheet, const GroundRow& row, std::span<const FlowGoal> goals);

  struct Answer {
    double cost = unreachable;
    double metres = unreachable;
    Vec2 next = {};    ///< the way is straight up to here
    Vec2 from = {};    ///< where it begins: the place, or the nearest point that the body has room at
    Index tag = none;  ///< of the goal
    [[nodiscard]] bool reachable() const { return cost < unreachable; }
  };
  [[nodiscard]] Answer ask(const navmesh::Place& place) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  using Located = ground::Surface::Located;
  /// Goals come after the points.
  struct Node {
    double cost = unreachable, metres = unreachable;
    Index next = none;  ///< node it heads for; none: a goal
    Index tag = none;
  };
  class Maker;
  [[nodiscard]] Vec2 position(Index node) const;
  [[nodiscard]] double leg(const Located& from, Vec2 to) const;
  /// What a step in a triangle costs: ground that is left out is very dear.
  [[nodiscard]] double step(Index triangle, Vec2 step) const;

  GroundSheetPtr sheet_;
  ground::GroundCosts costs_;
  double leaving_ = 0;  ///< weight of ground that is left out
  std::vector<Node> nodes_;
  std::vector<Located> goals_;
  std::vector<std::pair<Index, Index>> goals_in_;  ///< (triangle, goal), sorted
  std::vector<Index> triangle_of_;                 ///< some open triangle of a node
};

}  // namespace throng::routes
