// Level 5: where a person goes, one goal after the other (docs/scenarios.md, populations).
//
// A goal is reached
//   point    once the centre is within `radius` of it, in its layer;
//   areas    once the centre is in one of them. Of several the one with the shortest route is taken when the person sets out.
//            With `quickest`, the one that takes least time as queues are foreseen.
//   person   once the centre is within `radius` of theirs, on their layer, wherever they are by then. Who goes to somebody plans to where they
//            are, again once they have moved on, and is lost when they leave. At the last goal with `stay` one stays with them.
// Who waits, or stays at the last goal, first walks on to their own place in the area, drawn for them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "navmesh/mesh.hpp"

namespace throng::goals {

using navmesh::Index;

struct Goal {
  navmesh::Place point;
  double radius = 0.5;       ///< metres
  std::vector<Index> areas;  ///< numbers of areas the crowd knows; empty: the point is meant
  double wait = 0;           ///< seconds
  bool quickest =
      false;  ///< of several areas the one that takes least time, queues foreseen (crowd/queues.hpp), instead of the nearest
  std::uint64_t person = 0;  ///< serial of somebody who is meant instead of a place; 0: nobody
};

enum class AtLastGoal { leave, stay };

struct Itinerary {
  std::vector<Goal> goals;  ///< empty: stands where it is
  AtLastGoal at_last = AtLastGoal::leave;
};
using ItineraryPtr = std::shared_ptr<const Itinerary>;

}  // namespace throng::goals
