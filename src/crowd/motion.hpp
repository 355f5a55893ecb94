// Moving a body among hard walls: as far along its way as it fits, sliding along what it meets.
//
// Laws
// 1. If the body had clearance at least radius - tolerance::wall before, it has it afterwards; and its centre crosses no wall on the
//    way, because every straight bit of it lies in the clearance disc of the bit's start.
// 2. Where the way is free (clearance of the whole way at least the radius) the body ends at its end.
// 3. A body is never moved farther than it wanted to go, but for the rounding of pushes off walls (a tenth of its radius a bit).
// Complexity: O(1) in the open, O(length / radius) along walls. No allocation. Thread-safety: the mesh is only read.
#pragma once

#include "navmesh/locate.hpp"

namespace throng::crowd {

/// Where a body is, and what is known about the place.
struct Standing {
  navmesh::Place place;
  navmesh::Index cell = navmesh::none;
  double clearance = 0;
  Vec2 nearest;  ///< obstacle point
};

/// Where a body stands; cell none where that is not in free space. `hint`: a cell near by.
[[nodiscard]] Standing standing_at(const navmesh::Mesh& mesh, const navmesh::Place& place,
                                   navmesh::Index hint = navmesh::none);

[[nodiscard]] Standing move_body(const navmesh::Mesh& mesh, const Standing& from, Vec2 displacement, double radius);

}  // namespace throng::crowd
