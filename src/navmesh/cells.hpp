// Closed forms on arcs and cells: narrowest place of an arc, area of a cell.
// Units: metres. O(1). Thread-safe: they only read the mesh.
#pragma once

#include <optional>

#include "navmesh/mesh.hpp"

namespace throng::navmesh {

/// Where clearance is smallest strictly between the two ends of an arc: only on a parabola, or between two corners, and
/// only where the line between the two nearest points passes through the axis there.
struct Narrowest {
  Vec2 point;
  double clearance = 0;
};
[[nodiscard]] std::optional<Narrowest> narrowest_inside(const Mesh& mesh, Index arc);

/// Smallest clearance on an arc, ends included.
[[nodiscard]] double min_clearance(const Mesh& mesh, Index arc);

/// Area of a cell, exact but for rounding (parabolas included). Negative where an arc runs the wrong way (law 6).
[[nodiscard]] double cell_area(const Mesh& mesh, Index cell);

}  // namespace throng::navmesh
