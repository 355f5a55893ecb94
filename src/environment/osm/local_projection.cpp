#include "environment/osm/local_projection.hpp"

#include <cmath>
#include <numbers>

#include "geometry/elementary.hpp"

namespace throng::environment {
namespace {

constexpr double equatorial_radius = 6378137;
constexpr double flattening = 1 / 298.257223563;
constexpr double e2 = flattening * (2 - flattening);  // first eccentricity, squared
constexpr double e4 = e2 * e2;
constexpr double e6 = e4 * e2;
constexpr double second_e2 = e2 / (1 - e2);

constexpr double radians(double degrees) { return degrees * (std::numbers::pi / 180); }

/// Snyder 3-21: metres along the meridian from the equator.
double meridian_arc(double latitude) {
  const double turns = latitude / 360;
  const double sine2 = geometry::unit_direction(2 * turns).y;
  const double sine4 = geometry::unit_direction(4 * turns).y;
  const double sine6 = geometry::unit_direction(6 * turns).y;
  return equatorial_radius * ((1 - e2 / 4 - 3 * e4 / 64 - 5 * e6 / 256) * radians(latitude) -
                              (3 * e2 / 8 + 3 * e4 / 32 + 45 * e6 / 1024) * sine2 +
                              (15 * e4 / 256 + 45 * e6 / 1024) * sine4 - 35 * e6 / 3072 * sine6);
}

}  // namespace

LocalProjection::LocalProjection(GeoOrigin origin) : origin_(origin), origin_arc_(meridian_arc(origin.latitude)) {}

Vec2 LocalProjection::operator()(double longitude, double latitude) const {
  const Vec2 direction = geometry::unit_direction(latitude / 360);
  const double cosine = direction.x, sine = direction.y, tangent = sine / cosine;
  // Snyder's letters: N, T, C, A.
  const double n = equatorial_radius / std::sqrt(1 - e2 * sine * sine);
  const double t = tangent * tangent;
  const double c = second_e2 * cosine * cosine;
  const double a = radians(longitude - origin_.longitude) * cosine;
  const double a2 = a * a;
  const double x = n * a * (1 + a2 * ((1 - t + c) / 6 + a2 * (5 - 18 * t + t * t + 72 * c - 58 * second_e2) / 120));
  const double rise =
      0.5 + a2 * ((5 - t + 9 * c + 4 * c * c) / 24 + a2 * (61 - 58 * t + t * t + 600 * c - 330 * second_e2) / 720);
  return {x, meridian_arc(latitude) - origin_arc_ + n * tangent * a2 * rise};
}

}  // namespace throng::environment
