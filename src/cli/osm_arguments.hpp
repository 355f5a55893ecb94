// What commands that read environments take for OpenStreetMap files.
#pragma once

#include "cli/command.hpp"
#include "environment/osm/osm_options.hpp"
#include "throng/result.hpp"

namespace throng::cli {

/// Adds --bbox, --osm-origin, --osm-table, --osm-storey.
void add_osm_arguments(Arguments& arguments);

/// What was given, the table read from its file; or what is wrong with it.
[[nodiscard]] Result<environment::OsmOptions> osm_options(const Parsed& parsed);

}  // namespace throng::cli
