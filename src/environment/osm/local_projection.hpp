// From longitude and latitude to metres about an origin: the transverse Mercator projection of the WGS 84 ellipsoid whose central
// meridian runs through the origin, with scale 1 there, by the series of Snyder, Map Projections - A Working Manual (USGS 1987),
// equations 3-21, 8-9 and 8-10. x points east, y north, (0, 0) is the origin. docs/imports-osm.md writes the formula out.
//
// Laws
// 1. Same input, same bits on every machine (geometry/elementary.hpp).
// 2. Within `widest_reach` degrees of longitude the series is right to a millimetre; lengths are stretched by
//    x^2 / (2 R^2) with R = 6371 km: a millionth at 9 km from the meridian.
// Thread-safety: values.
#pragma once

#include "environment/environment.hpp"
#include "throng/vec2.hpp"

namespace throng::environment {

class LocalProjection {
 public:
  /// Degrees of longitude to either side of the origin.
  static constexpr double widest_reach = 2;
  /// Degrees of latitude to either side of the equator.
  static constexpr double highest_latitude = 84;

  explicit LocalProjection(GeoOrigin origin);

  /// Metres. Requires a place within the reach.
  [[nodiscard]] Vec2 operator()(double longitude, double latitude) const;
  [[nodiscard]] GeoOrigin origin() const { return origin_; }

 private:
  GeoOrigin origin_;
  double origin_arc_ = 0;  ///< along the meridian, from the equator to the origin
};

}  // namespace throng::environment
