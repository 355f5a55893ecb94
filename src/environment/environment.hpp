// What a world is, as its author drew it: the source features, in file order, untouched but for being well-formed.
// docs/formats.md says what each kind means; `clean/clean.hpp` makes exact free space of it. Features are those of the public header.
//
// Laws (check_environment() in check.hpp verifies them; readers establish them)
// 1. There is at least one layer; layer ids are distinct; every feature names existing layers by index.
// 2. Every coordinate is finite and at most `max_metres` in size.
// 3. Rings are not closed by a repeated point, and have at least three points; lines have at least two.
// 4. A walkable, opening, region or area has polygons only; an obstacle polygons or lines; a connection exactly one line of
//    two distinct points, and two different layers.
// Units: metres. Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "geometry/snap_grid.hpp"
#include "throng/environment.hpp"

namespace throng::environment {

/// Larger coordinates are refused: at this size a double still resolves a micrometre.
inline constexpr double max_metres = 1e9;

using throng::Elevation;
using throng::Environment;
using throng::Feature;
using throng::GeoOrigin;
using throng::Kind;
using throng::Layer;
using throng::Line;
using throng::name_of;
using throng::Polygon;
using throng::Ring;

/// "feature 7 (obstacle 'van')", for messages.
[[nodiscard]] std::string describe(const Feature& feature);

}  // namespace throng::environment
