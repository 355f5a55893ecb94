// What a world is, as its author drew it: layers, and features in order, for a world that is made in memory (World::make).
// docs/formats.md says what each kind of feature means; later features go before earlier ones as they do in a file.
//
// Laws (World::make refuses what breaks them, with the feature's number)
// 1. There is at least one layer; layer ids are distinct; every feature names existing layers by index.
// 2. Every coordinate is finite and at most 1e9 m in size.
// 3. Rings are not closed by a repeated point, and have at least three points; lines have at least two.
// 4. A walkable, opening, region or area has polygons only; an obstacle polygons or lines; a connection exactly one line of
//    two distinct points, and two different layers.
// Units: metres. Thread-safety: plain values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "throng/vec2.hpp"

namespace throng {

using Ring = std::vector<Vec2>;  ///< a closed line; the first point is not repeated at the end
using Line = std::vector<Vec2>;  ///< an open line of straight pieces

/// An area with holes.
struct Polygon {
  Ring outer;               ///< either sense
  std::vector<Ring> holes;  ///< either sense
};

/// What a feature is.
enum class Kind { walkable, obstacle, opening, region, connection, area };
inline constexpr std::string_view kind_names[] = {"walkable", "obstacle",   "opening",
                                                  "region",   "connection", "area"};  ///< as in files
/// The kind's name in files.
[[nodiscard]] constexpr std::string_view name_of(Kind kind) { return kind_names[std::size_t(kind)]; }

/// Height of a layer: constant, or linear along the axis of a ramp and clamped beyond its ends.
struct Elevation {
  bool ramp = false;            ///< linear along `from`-`to`
  bool stairs = false;          ///< people climb here (slower than a ramp); only with `ramp`
  double z = 0;                 ///< the height where there is no ramp
  Vec2 from, to;                ///< the ramp's axis in the plane
  double z_from = 0, z_to = 0;  ///< the heights of its ends

  [[nodiscard]] double at(Vec2 p) const;                                 ///< the height at a place
  friend bool operator==(const Elevation&, const Elevation&) = default;  ///< the same numbers
};

/// A storey, a ramp, a flight of stairs.
struct Layer {
  std::string id;       ///< distinct, not empty
  Elevation elevation;  ///< where it lies
};

/// One thing on the plan.
struct Feature {
  Kind kind = Kind::obstacle;     ///< what it is
  std::size_t layer = 0;          ///< index of its layer
  std::size_t other_layer = 0;    ///< connections only
  std::vector<Polygon> polygons;  ///< parts of a MultiPolygon may overlap: they are united
  std::vector<Line> lines;        ///< thin walls, or the connection
  std::string name;               ///< obstacle, area
  std::string id;                 ///< obstacle
  std::string type;               ///< region
  std::size_t number = 0;         ///< which feature of the file this is, counted from 0, for messages
  Vec2 slope = {};                ///< region: points uphill, of any length; (0, 0): even ground
};

/// Where on earth (0, 0) lies: degrees east and north, WGS 84. Plans that come from maps keep it.
struct GeoOrigin {
  double longitude = 0, latitude = 0;                                    ///< degrees
  friend bool operator==(const GeoOrigin&, const GeoOrigin&) = default;  ///< the same numbers
};

/// The snap grid: every coordinate is rounded to it once. Files that Throng writes record it.
struct Grid {
  double unit = 1e-3;                            ///< metres
  std::int64_t origin_x = 0;                     ///< in whole units from (0, 0)
  std::int64_t origin_y = 0;                     ///< in whole units from (0, 0)
  bool operator==(const Grid&) const = default;  ///< the same numbers
};

/// Layers and features as in a file (docs/formats.md), in memory.
struct Environment {
  std::string source = {};               ///< file name, for messages; may be empty
  std::vector<Layer> layers = {};        ///< the first is where features without a layer of their own belong
  std::vector<Feature> features = {};    ///< in the order in which they apply
  std::optional<Grid> grid = {};         ///< nothing: chosen by the size of the world
  std::optional<GeoOrigin> origin = {};  ///< of plans that come from maps
};

}  // namespace throng
