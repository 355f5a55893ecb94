// Well-known text (OGC 06-103r4, 7): POLYGON and MULTIPOLYGON are walkable, LINESTRING and MULTILINESTRING are thin walls,
// GEOMETRYCOLLECTION holds any of them; EMPTY ones are left out. Names in any case, Z and M values are left out. A file may hold
// several geometries one after the other. PostGIS' "SRID=n;" in front is accepted unless it counts degrees.
// Each geometry that is not a collection is one feature, numbered from 0.
#pragma once

#include <string>

#include "environment/environment.hpp"
#include "throng/result.hpp"

namespace throng::environment {

[[nodiscard]] Result<Environment> read_wkt(std::string text, const std::string& source);

}  // namespace throng::environment
