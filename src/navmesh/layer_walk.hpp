// Which layer one is in after walking in a straight line: connections are doors that one walks through.
// Units: grid units. O(connections of the layers passed). Thread-safe: read-only.
#pragma once

#include <vector>

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"

namespace throng::navmesh {

class LayerWalk {
 public:
  explicit LayerWalk(const environment::CleanEnvironment& environment);

  /// The layer one arrives in when walking from a place in a straight line through free space. A place on a connection
  /// is in both of its layers; either may be named.
  [[nodiscard]] Index layer_after(Vec2 from, Index layer, Vec2 to) const;

 private:
  /// One side of a connection: left of a->b lies the layer it belongs to.
  struct Door {
    Vec2 a, b;
    Index beyond;
    Index connection;
  };
  std::vector<std::vector<Door>> doors_;  ///< of each layer
  std::size_t door_count_ = 0;
};

}  // namespace throng::navmesh
