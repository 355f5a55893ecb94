// The free wedges around the corners of a surface: where a shortest way can bend, and in which directions it can be touched.
//
// A wedge runs counterclockwise from one wall to the next and goes on across connections from layer to layer; its angles count from
// the first wall. A tight way touches a corner where both walls lie on the same side of it: for the direction from the corner to the
// way (its normal) that is at least a right angle from either wall. So wedges of less than 180 degrees are never touched.
// Requires that wedges span at most 540 degrees, so that a direction says where it lies among the normals.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "support/walled_surface.hpp"
#include "throng/vec2.hpp"

namespace throng::test {

struct CornerWedge {
  /// What lies in one layer, from this angle to the next sector's.
  struct Sector {
    double begin = 0, end = 0;
    std::size_t layer = 0;
  };

  Vec2 at;
  double first = 0;  ///< direction of the first wall, from the x axis
  double span = 0;
  std::vector<Sector> sectors;
  double least = 0, most = 0;      ///< of the normals of tight ways
  Vec2 least_normal, most_normal;  ///< the same as directions
  bool convex_normals = false;     ///< normals span at most 180 degrees: two signs tell whether one is among them

  /// Radians by which rounding may turn a direction.
  static constexpr double turned = 1e-9;

  /// False: certainly no tight way has this normal, of length one.
  [[nodiscard]] bool may_be_touched(Vec2 normal) const {
    return !convex_normals || (cross(least_normal, normal) >= -turned && cross(normal, most_normal) >= -turned &&
                               dot(normal, least_normal + most_normal) >= -turned);
  }
  /// The angle of a normal, where a tight way may have it.
  [[nodiscard]] std::optional<double> angle_of(Vec2 normal) const;
  [[nodiscard]] Vec2 direction(double angle) const;
  /// Of a small step in this direction.
  [[nodiscard]] std::size_t layer_at(double angle) const;
  /// The same; between two layers it is both.
  [[nodiscard]] bool leads_into(double angle, std::size_t layer) const;
};

/// All that a tight way may touch, flat ones too.
[[nodiscard]] std::vector<CornerWedge> corner_wedges(const WalledSurface& surface);

}  // namespace throng::test
