// What the readers of foreign formats are told: which of a drawing's or map's contents are walls, openings and floors, and how
// far they may be bent to fit. One struct a format; each reader documents its own. Defaults serve the usual file.
//
// Thread-safety: values.
#pragma once

#include "environment/osm_options.hpp"

namespace throng::environment {

struct ImportOptions {
  OsmOptions osm = {};
};

}  // namespace throng::environment
