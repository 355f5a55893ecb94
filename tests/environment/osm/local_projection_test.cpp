#include "environment/osm/local_projection.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace throng;
using namespace throng::environment;

namespace {

/// Krueger's series (1912) to the third order of the third flattening: another way to the same projection, with libm.
Vec2 by_krueger(GeoOrigin origin, double longitude, double latitude) {
  constexpr double f = 1 / 298.257223563, n = f / (2 - f);
  constexpr double radius = 6378137 / (1 + n) * (1 + n * n / 4 + n * n * n * n / 64);
  constexpr double alpha[] = {n / 2 - 2 * n * n / 3 + 5 * n * n * n / 16, 13 * n * n / 48 - 3 * n * n * n / 5,
                              61 * n * n * n / 240};
  const auto plane = [&](double lon, double lat) {
    const double phi = lat * std::numbers::pi / 180, lambda = (lon - origin.longitude) * std::numbers::pi / 180;
    const double s = 2 * std::sqrt(n) / (1 + n);
    const double t = std::sinh(std::atanh(std::sin(phi)) - s * std::atanh(s * std::sin(phi)));
    const double xi = std::atan2(t, std::cos(lambda)), eta = std::atanh(std::sin(lambda) / std::sqrt(1 + t * t));
    double x = eta, y = xi;
    for (int j = 1; j <= 3; ++j) {
      x += alpha[j - 1] * std::cos(2 * j * xi) * std::sinh(2 * j * eta);
      y += alpha[j - 1] * std::sin(2 * j * xi) * std::cosh(2 * j * eta);
    }
    return Vec2{radius * x, radius * y};
  };
  return plane(longitude, latitude) - plane(origin.longitude, origin.latitude);
}

}  // namespace

TEST_CASE("the origin is (0, 0), east is right and north is up") {
  const LocalProjection project({9, 50});
  CHECK(project(9, 50) == Vec2{0, 0});
  CHECK(project(9.001, 50).x > 71);
  CHECK(project(9.001, 50).x < 72);
  CHECK(project(9, 50.001).y > 111);
  CHECK(project(9, 50.001).y < 111.5);
}

TEST_CASE("the projection is the transverse Mercator, within a millimetre of Krueger's series all over its reach") {
  for (const double latitude : {-80.0, -33.9, 0.0, 12.5, 49.44, 60.0, 78.0}) {
    const GeoOrigin origin{7.77, latitude};
    const LocalProjection project(origin);
    for (double east = -LocalProjection::widest_reach; east <= LocalProjection::widest_reach; east += 0.25)
      for (double north = -1; north <= 1; north += 0.5) {
        const Vec2 got = project(origin.longitude + east, latitude + north);
        const Vec2 wanted = by_krueger(origin, origin.longitude + east, latitude + north);
        CAPTURE(latitude);
        CAPTURE(east);
        CHECK(std::abs(got.x - wanted.x) < 0.001);
        CHECK(std::abs(got.y - wanted.y) < 0.001);
      }
  }
}

TEST_CASE("the projection gives the same bits everywhere") {
  const Vec2 p = LocalProjection({7.7689, 49.4401})(7.7725003, 49.4433331);
  // From this program itself: a change of compiler or library that moves places on maps must not go unseen.
  CHECK(p.x == 0x1.05182708fab4cp+8);
  CHECK(p.y == 0x1.6796091ab33cfp+8);
}
