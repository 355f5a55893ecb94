// Narrowest places along the axis and the regions between them (van Toll, Pettre 2019, A.2.1).
//
// A passage is an interior local minimum of clearance along an edge; between parallel walls, where clearance does not
// change for a while, it is the middle of that stretch. At such a minimum the axis point lies between its two nearest
// points.
// A minimum never lies on a graph vertex: three nearest points leave gaps of which one at most reaches 180 degrees, and
// clearance falls along an edge that leaves through a smaller gap. Corners of clearance 0 are no passages.
// Regions are numbered by the first node in them, then along edges.
#pragma once

#include "navmesh/mesh.hpp"

namespace throng::navmesh {

/// Fills passages and region_count of a mesh whose graph is complete. O(n).
void find_passages(Mesh& mesh);

}  // namespace throng::navmesh
