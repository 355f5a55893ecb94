// Planar GeoJSON out: a feature a line, the grid recorded where there is one. What read_geojson reads back is the same
// environment, feature by feature and bit by bit.
#pragma once

#include "environment/formats/formats.hpp"

namespace throng::environment {

[[nodiscard]] Result<std::string> write_geojson(const Environment& environment, const WriteOptions& options);
[[nodiscard]] Result<std::string> write_clean_geojson(const CleanEnvironment& environment, const WriteOptions& options);

}  // namespace throng::environment
