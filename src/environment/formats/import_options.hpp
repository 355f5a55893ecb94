// What the readers of foreign formats are told: which of a drawing's or map's contents are walls, openings and floors, and how
// far they may be bent to fit. One struct a format; each reader documents its own. Defaults serve the usual file.
//
// Thread-safety: values.
#pragma once

#include "environment/dxf/dxf_options.hpp"
#include "environment/model/surface_options.hpp"
#include "environment/osm/osm_options.hpp"

namespace throng::environment {

struct ImportOptions {
  DxfOptions dxf;
  SurfaceOptions surface;
  OsmOptions osm;
};

}  // namespace throng::environment
