// From a Voronoi diagram to the medial axis of the free space: what lies in free space stays, edges between a segment
// and its own end point go, coincident vertices become one (Jaklin 2016, 2.1.3 and 11.1).
//
// Free or blocked is decided for each edge by itself: by the side of the segment it belongs to, or by whether its
// corner has a free wedge of more than 180 degrees (the cell of an end point lies within that wedge).
#pragma once

#include <string>

#include "navmesh/axis_draft.hpp"
#include "navmesh/boundary.hpp"
#include "navmesh/voronoi.hpp"

namespace throng::navmesh {

struct MedialAxis {
  std::vector<DraftNode> nodes;
  std::vector<DraftArc> arcs;  ///< sites are those of the boundary
  std::string fault;           ///< what shows that the diagram is wrong; empty when nothing does
};

/// O(n). Checks on the way that nodes are equidistant from their sites and that the cells' areas sum to the free area.
[[nodiscard]] MedialAxis medial_axis_of(const Boundary& boundary, const VoronoiDiagram& diagram, Index layer);

}  // namespace throng::navmesh
