// Diagrams that can be trusted: every one is checked, and made again in another pose where a check fails.
//
// Boost.Polygon drops vertices in silence on long edges a few units off the axis (known, open). What it gets wrong
// depends on the direction of its sweep, so a diagram that fails is computed again from turned and mirrored copies of
// the segments. A pose multiplies points by a Gaussian integer p + qi (an exact turn with scaling), after mirroring at
// the x axis if asked.
//
// Laws
// 1. A diagram that is handed out has passed check_voronoi(), and its medial axis the caller's own check.
// 2. The result is in the coordinates and orientation of the segments, whatever pose it was computed in.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

#include "navmesh/boundary.hpp"
#include "navmesh/voronoi.hpp"

namespace throng::navmesh {

struct Pose {
  int p = 1, q = 0;
  bool mirrored = false;
};

/// The poses tried, in this order. Quarter turns and mirror images keep the extent; the others enlarge it up to 3.2
/// times.
[[nodiscard]] std::span<const Pose> poses();

[[nodiscard]] std::vector<VoronoiSegment> posed(std::span<const VoronoiSegment> segments, Pose pose);
/// From the coordinates of the pose back to those of the segments.
void unpose(VoronoiDiagram& diagram, Pose pose);

/// What is wrong with the diagram of a boundary by Euler's formula or for lack of a vertex at an end point; empty when
/// nothing is. Equidistance is checked with the medial axis, where distances are computed anyway. O(n).
[[nodiscard]] std::string check_voronoi(const Boundary& boundary, const VoronoiDiagram& diagram);

/// Looks at a checked diagram and says what is wrong with it; empty when nothing is.
using DiagramCheck = std::function<std::string(const VoronoiDiagram&)>;

/// Tries poses until a diagram passes check_voronoi() and `accept`; refuses with every pose's reason if none does.
[[nodiscard]] Result<VoronoiDiagram> checked_voronoi(const Boundary& boundary, const VoronoiGenerator& generator,
                                                     const DiagramCheck& accept);

}  // namespace throng::navmesh
