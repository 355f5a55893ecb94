// From a draft of the axis to the graph and the cells of a Mesh, in canonical order (laws 1, 5, 9, 12 of mesh.hpp).
//
// Order: sites by layer, then a, then b; nodes by layer, then x, then y (nodes in one place, where free wedges touch in
// a boundary vertex: by their first site); edges run from the smaller node to the larger and are sorted by from, to,
// left site; arcs by edge. All of it follows from geometry alone.
#pragma once

#include <string>

#include "navmesh/axis_draft.hpp"
#include "navmesh/mesh.hpp"

namespace throng::navmesh {

/// Fills sites, nodes, arcs, edges, edge_ends and site_cells; mesh.grid must be set. Says what is wrong with the draft
/// (a site whose arcs form no chain), or nothing. O(n log n).
[[nodiscard]] std::string assemble_graph(const AxisDraft& draft, Mesh& mesh);

}  // namespace throng::navmesh
