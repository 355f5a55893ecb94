// Whether a mesh keeps its laws, checked one by one against the cleaned environment it was built from.
//
// Every checker goes its own way, from the boundary and the arrays of the mesh alone; none asks the code that built it.
// Problems name the law and the place ("law 3: node 17 at (3.5, 2)"); of each law the first `most_problems_a_law` are
// told.
// Cost: O(n log n), a few times that of building. Thread-safe: read-only.
#pragma once

#include <cstddef>

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"
#include "throng/result.hpp"

namespace throng::navmesh {

inline constexpr std::size_t most_problems_a_law = 8;

/// How far positions and distances may be off, in metres: 1e-9 of the longer side of the mesh's box, but not less than
/// the rounding of its coordinates.
[[nodiscard]] double distance_tolerance(const Mesh& mesh);

/// Empty when every law holds.
[[nodiscard]] Problems validate(const Mesh& mesh, const environment::CleanEnvironment& environment);

}  // namespace throng::navmesh
