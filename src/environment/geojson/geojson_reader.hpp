// Planar GeoJSON (RFC 7946, in metres) as docs/formats.md describes it. Registered in formats.cpp.
//
// Choices where the contract is silent
// - MultiPolygon is accepted wherever Polygon is, MultiLineString wherever an obstacle may be a LineString.
// - Rings that are not closed are closed, with a warning. Third and further numbers of a position are left out.
// - Unknown members outside "throng" are checked to be JSON and left out: foreign files have many.
// - A `name`, `layer` or `id` of null counts as absent; a numeric `id` becomes its text.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "environment/environment.hpp"
#include "throng/result.hpp"

namespace throng::environment {

[[nodiscard]] Result<Environment> read_geojson(std::string text, const std::string& source);

///@{ A file in parts (large_geojson.hpp): a collection with what stands beside the features, which may be none; and a
/// collection of some of the features, on known layers, numbered from 0.
[[nodiscard]] Result<Environment> read_geojson_beside(std::string text, const std::string& source);
[[nodiscard]] Result<Environment> read_geojson_part(std::string text, const std::string& source,
                                                    const std::vector<Layer>& layers);
///@}

}  // namespace throng::environment
