// Planar GeoJSON (RFC 7946, in metres) as docs/formats.md describes it. Registered in formats.cpp.
//
// Choices where the contract is silent
// - MultiPolygon is accepted wherever Polygon is, MultiLineString wherever an obstacle may be a LineString.
// - Rings that are not closed are closed, with a warning. Third and further numbers of a position are left out.
// - Unknown members outside "throng" are checked to be JSON and left out: foreign files have many.
// - A `name`, `layer` or `id` of null counts as absent; a numeric `id` becomes its text.
#pragma once

#include <string>

#include "environment/environment.hpp"
#include "throng/result.hpp"

namespace throng::environment {

[[nodiscard]] Result<Environment> read_geojson(std::string text, const std::string& source);

}  // namespace throng::environment
