// Which cells a connection runs through or along: their points may be in either of its layers.
#pragma once

#include "navmesh/layer_walk.hpp"
#include "navmesh/mesh.hpp"

namespace throng::navmesh {

/// Fills mesh.straddles from its graph and connections. A cell that a connection only runs along is listed too, one
/// that it touches in its own end only is not. O(cells * log(connections)).
void find_straddles(Mesh& mesh, const LayerWalk& walk);

}  // namespace throng::navmesh
