// Polygons of a part of a drawing: what is cut out of faces that go on beyond it.
#pragma once

#include "geometry/grid_polygon.hpp"

namespace throng::geometry {

struct OpenPolygons {
  std::vector<GridPolygon> polygons;  ///< closed within the part, in canonical order
  std::vector<GridRing> loose;        ///< clockwise, sorted: holes of what lies around the part
};

/// What face_polygons() makes of faces of label 0, where the unbounded face may have that label, too.
[[nodiscard]] OpenPolygons open_polygons(const PlaneGraph& graph, std::span<const std::int32_t> labels,
                                         const std::vector<bool>& pinned);

}  // namespace throng::geometry
