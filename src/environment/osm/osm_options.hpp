// What the reader of OpenStreetMap files is told (osm_reader.hpp).
//
// Thread-safety: values.
#pragma once

#include <optional>
#include <string>

#include "environment/environment.hpp"

namespace throng::environment {

/// Degrees, WGS 84.
struct GeoBox {
  double west = 0, south = 0, east = 0, north = 0;
};

struct OsmOptions {
  std::optional<GeoBox> box = {};        ///< what lies outside is cut off; none: the file's own bounds
  std::optional<GeoOrigin> origin = {};  ///< what becomes (0, 0); none: the middle of the box
  std::string table = {};                ///< JSON text of the table of tags (osm_rules.hpp); empty: the built-in one
  std::string table_name = {};           ///< what problems call it
  double storey_height = 3;              ///< metres from one level of a building to the next
};

}  // namespace throng::environment
