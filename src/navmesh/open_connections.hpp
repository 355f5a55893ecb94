// Opens the connections of a draft whose layers were built with them closed (Jaklin 2016, 11.2.2).
//
// Each connection is a segment site in both of its layers. Opening it removes the two and repairs the diagram in their
// regions, which lie on either side of it. Its ends need care: the free wedges of the two layers become one there. Less
// than 180 degrees make a convex corner (an arc starts there), 180 degrees nothing (two segments on one line go on
// being two sites), more a corner site. Where a connection's two sides follow each other around an end, that end was
// the last bit of boundary there, between connections opened before, and vanishes.
#pragma once

#include <string>

#include "environment/clean/clean.hpp"
#include "navmesh/axis_draft.hpp"

namespace throng::navmesh {

/// Says what cannot be done and where, or nothing. Connections are opened in their order; the result does not depend on
/// it.
[[nodiscard]] std::string open_connections(AxisDraft& draft, const environment::CleanEnvironment& environment);

}  // namespace throng::navmesh
