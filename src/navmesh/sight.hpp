// Distances on the joined surface of all layers, straight from the cleaned boundary: slow, simple, and independent of
// any mesh. validate() and the tests measure meshes against it.
//
// What is nearest can be seen in a straight line, and whatever hides something is nearer than it. So from a place every
// boundary segment of its layer counts; through a connection what lies beyond it counts, as far as it lies in the cone
// from the place through the connection; and so on through further connections.
//
// Units: grid units from the grid's origin. Cost: O(log n + segments within the distance). Thread-safe: read-only.
#pragma once

#include <vector>

#include "environment/clean/clean.hpp"
#include "geometry/box_index.hpp"
#include "navmesh/mesh.hpp"

namespace throng::navmesh {

class SightIndex {
 public:
  explicit SightIndex(const environment::CleanEnvironment& environment);

  /// Distance to the nearest boundary point that can be seen from a place of the free space, or `limit` where none is
  /// nearer.
  [[nodiscard]] double clearance(Vec2 point, Index layer, double limit) const;
  /// The same without a limit.
  [[nodiscard]] double clearance(Vec2 point, Index layer) const;

 private:
  struct Segment {
    geometry::GridPoint a, b;
    Index connection = none;  ///< which one it is, if any
    Index beyond = none;      ///< the layer behind it
  };
  struct LayerIndex {
    std::vector<Segment> segments;
    geometry::BoxIndex index;
  };
  struct Cone;

  void look(Index layer, const Cone& cone, std::vector<Index>& passed, double& nearest) const;

  std::vector<LayerIndex> layers_;
  double extent_ = 0;
};

}  // namespace throng::navmesh
