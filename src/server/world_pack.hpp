// A world as the browser draws it: floors, walls, regions, named areas; and its mesh. Coordinates are 32-bit floats from `origin`, a
// point near the middle, so that a millimetre stays a millimetre in a city too.
#pragma once

#include <string>

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"
#include "navmesh/queries.hpp"
#include "server/pack.hpp"

namespace throng::server {

/// The middle of the environment's box, in whole metres.
[[nodiscard]] Vec2 origin_of(const environment::CleanEnvironment& environment);

/// {"origin", "box", "layers": [{"id", "elevation", "free", "walls", "regions", "areas"}], "connections"}; a polygon is a list of rings,
/// a ring [first, count] in the array `points` (x, y).
[[nodiscard]] std::string pack_world(const environment::CleanEnvironment& environment, Vec2 origin);

/// The arrays `axis` (x, y, clearance; two points a line) with `axis_layer` (one a line), `cell` (x, y; two a line) with `cell_layer`,
/// `passage` with `passage_layer` and `passage_width`, and the surface as triangles: `surface` (x, y, clearance), `surface_layer` and
/// `surface_region`, one a corner.
[[nodiscard]] std::string pack_mesh(const navmesh::Mesh& mesh, Vec2 origin);

}  // namespace throng::server
