#include "steering/orca_planes.hpp"

#include <cmath>

#include "geometry/wide_vectors.hpp"

namespace throng::steering {

THRONG_WIDE_VECTORS void find_changes(const Encounters& others, double horizon, double time_step, Changes& changes) {
  // Whole vectors: what the last ones hold is of no matter.
  constexpr std::size_t lanes = 4;
  static_assert(Encounters::capacity % lanes == 0);
  const std::size_t padded = (others.count + lanes - 1) / lanes * lanes;
  for (std::size_t i = 0; i < padded; ++i) {
    const double x = others.offset_x[i], y = others.offset_y[i];
    const double ax = others.approach_x[i], ay = others.approach_y[i];
    const double radii = others.radii[i];
    const double distance2 = x * x + y * y;
    const double radii2 = radii * radii;
    const double time = distance2 <= radii2 ? time_step : horizon;
    const double from_x = ax - x / time, from_y = ay - y / time;  // from the centre of the disc
    const double along = from_x * x + from_y * y;
    const double from2 = from_x * from_x + from_y * from_y;

    // Out of the disc.
    const double length = std::sqrt(from2);
    const double out_x = from_x / length;
    const double out_y = from_y / length;
    const double way_out = radii / time - length;

    // Sideways: the offset turned to the tangent on the nearer side.
    const double left = x * from_y - y * from_x;
    const double side = left > 0 ? radii : -radii;
    const double leg = std::sqrt(distance2 - radii2);
    const double tangent_x = (x * leg + -y * side) / distance2;
    const double tangent_y = (y * leg + x * side) / distance2;
    const double kept = ax * tangent_x + ay * tangent_y;

    const double from_disc = along < 0 ? along * along - radii2 * from2 : 0.0;
    const double is_disc = distance2 <= radii2 ? 1.0 : from_disc;
    changes.x[i] = is_disc > 0 ? out_x * way_out : tangent_x * kept - ax;
    changes.y[i] = is_disc > 0 ? out_y * way_out : tangent_y * kept - ay;
    const double tangent_border_x = left > 0 ? tangent_x : -tangent_x;
    const double tangent_border_y = left > 0 ? tangent_y : -tangent_y;
    changes.border_x[i] = is_disc > 0 ? out_y : tangent_border_x;
    changes.border_y[i] = is_disc > 0 ? -out_x : tangent_border_y;
  }
}

}  // namespace throng::steering
