// What a world is, as its author drew it: the source features, in file order, untouched but for being well-formed.
// docs/formats.md says what each kind means; `clean.hpp` makes exact free space of it.
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
#include "throng/vec2.hpp"

namespace throng::environment {

/// Larger coordinates are refused: at this size a double still resolves a micrometre.
inline constexpr double max_metres = 1e9;

using Ring = std::vector<Vec2>;
using Line = std::vector<Vec2>;

struct Polygon {
  Ring outer;
  std::vector<Ring> holes;
};

enum class Kind { walkable, obstacle, opening, region, connection, area };
inline constexpr std::string_view kind_names[] = {"walkable", "obstacle", "opening", "region", "connection", "area"};
[[nodiscard]] constexpr std::string_view name_of(Kind kind) { return kind_names[std::size_t(kind)]; }

/// Height of a layer: constant, or linear along the axis of a ramp and clamped beyond its ends.
struct Elevation {
  bool ramp = false;
  bool stairs = false;  ///< people climb here (slower than a ramp); only with `ramp`
  double z = 0;         ///< the height where there is no ramp
  Vec2 from, to;        ///< the ramp's axis in the plane
  double z_from = 0, z_to = 0;

  [[nodiscard]] double at(Vec2 p) const;
  friend bool operator==(const Elevation&, const Elevation&) = default;
};

struct Layer {
  std::string id;
  Elevation elevation;
};

struct Feature {
  Kind kind = Kind::obstacle;
  std::size_t layer = 0;
  std::size_t other_layer = 0;    ///< connections only
  std::vector<Polygon> polygons;  ///< parts of a MultiPolygon may overlap: they are united
  std::vector<Line> lines;        ///< thin walls, or the connection
  std::string name;               ///< obstacle, area
  std::string id;                 ///< obstacle
  std::string type;               ///< region
  std::size_t number = 0;         ///< which feature of the file this is, counted from 0, for messages
};

/// Where on earth (0, 0) lies: degrees east and north, WGS 84. Plans that come from maps keep it (local_projection.hpp).
struct GeoOrigin {
  double longitude = 0, latitude = 0;
  friend bool operator==(const GeoOrigin&, const GeoOrigin&) = default;
};

struct Environment {
  std::string source;  ///< file name, for messages; may be empty
  std::vector<Layer> layers;
  std::vector<Feature> features;
  std::optional<geometry::SnapGrid> grid;  ///< as recorded in the file, or asked for by the user
  std::optional<GeoOrigin> origin = {};
};

/// "feature 7 (obstacle 'van')", for messages.
[[nodiscard]] std::string describe(const Feature& feature);

}  // namespace throng::environment
