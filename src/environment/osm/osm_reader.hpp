// OpenStreetMap (.osm, .osm.pbf, also compressed) as environments. Registered in formats.cpp; docs/imports-osm.md is for users.
//
// - A table (osm_rules.hpp) says what elements are; places are projected to metres about an origin that the environment keeps
//   (local_projection.hpp), rounded to millimetres, and cut to a box: the one asked for, the file's own bounds, or none.
// - The box is walkable where the table makes nothing walkable. Of a box in degrees the rectangle in the plane is taken whose
//   middle lines are the box's.
// - Nodes that the table calls gaps open the barriers and rooms they lie on.
// - Level 0 of buildings (osm_indoor.hpp) is on the ground layer; other levels with rooms or corridors are layers of their own.
// - What is broken is left out with a warning that names it; the outline of a broken obstacle stays as thin walls.
// - Features come in the order: walkable, obstacles, openings, indoor walls, stairs, regions (later rules first), areas, connections;
//   within these by number. Obstacles carry "way/123" as their id.
#pragma once

#include "environment/formats/formats.hpp"

namespace throng::environment {

[[nodiscard]] Result<Environment> import_osm(const ImportSource& source, const ImportOptions& options);

}  // namespace throng::environment
