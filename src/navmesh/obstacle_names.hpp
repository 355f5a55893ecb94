// What the source features call the obstacles of a mesh, and obstacles by what people call them.
//
// A feature is in an obstacle where its outline is the obstacle's for a while: the middle of a site lies on an edge of the feature, or the
// middle of such an edge on the site, to what snapping may move (clean.hpp, law 6).
//
// Laws
// 1. Two named features that touch are one obstacle with two names. A feature that covers several obstacles names all of them; one that
//    another covers, or that lies outside the free space, names none.
// 2. Lists are in order of the features, then of the obstacles.
// Complexity: O((n + k) log n) to make, for k points of named features. Thread-safety: immutable.
#pragma once

#include <string>
#include <vector>

#include "environment/environment.hpp"
#include "navmesh/obstacles.hpp"
#include "throng/result.hpp"

namespace throng::navmesh {

class ObstacleNames {
 public:
  ObstacleNames() = default;  ///< nothing has a name
  ObstacleNames(const Mesh& mesh, const Obstacles& obstacles, const environment::Environment& plan);

  struct Named {
    std::string name, id;  ///< of a feature; one of them may be empty
    std::size_t feature = 0;
    std::vector<Index> obstacles;  ///< that it is in; none: it vanished
  };
  [[nodiscard]] const std::vector<Named>& features() const { return features_; }
  /// What the first feature in an obstacle is called; empty: nothing.
  [[nodiscard]] std::string name_of(Index obstacle) const;

 private:
  std::vector<Named> features_;
};

/// An obstacle as people name it.
struct ObstacleRef {
  std::string name;      ///< of a feature, or its id; empty: by the place
  Place near;            ///< the obstacle whose boundary is nearest to it
  std::string describe;  ///< how it was written, for messages
};

/// The inner obstacles that are meant. Refused: names of nothing (the nearest name is given), what vanished, and what lies around the free
/// space, where there is nothing to pass. `origin` is what problems call the place.
[[nodiscard]] Result<std::vector<Index>> find_obstacles(const Mesh& mesh, const Obstacles& obstacles,
                                                        const ObstacleNames& names, const ObstacleRef& wanted,
                                                        const std::string& origin);

}  // namespace throng::navmesh
