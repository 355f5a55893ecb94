// Boost.Polygon's sweep (Fortune 1987) as a VoronoiGenerator. O(n log n). Known to drop vertices in silence on long
// edges a few units off the axis at extents of 1e7 units and more, so nobody should use it unchecked
// (voronoi_check.hpp).
#pragma once

#include "navmesh/voronoi.hpp"

namespace throng::navmesh {

class BoostVoronoi final : public VoronoiGenerator {
 public:
  [[nodiscard]] std::string_view name() const override { return "boost"; }
  [[nodiscard]] Result<VoronoiDiagram> generate(std::span<const VoronoiSegment> segments) const override;
};

}  // namespace throng::navmesh
