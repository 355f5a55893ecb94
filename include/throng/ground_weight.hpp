// What a metre costs on a type of ground.
#pragma once

#include <limits>

namespace throng {

/// A number, `never`, or one for each direction on ground that slopes (a region's "slope", ramps, stairs).
struct GroundWeight {
  double across = 1;  ///< on even ground, and along a slope at one height; 0.001 to 1e6
  double up = 1;      ///< straight up; up + down >= 2 across, else zigzags would pay
  double down = 1;    ///< straight down

  GroundWeight() = default;
  GroundWeight(double weight) : across(weight), up(weight), down(weight) {}  ///< the same in all directions
  GroundWeight(double uphill, double level, double downhill) : across(level), up(uphill), down(downhill) {}
  /// No route enters it; who stands on it leaves by the shortest way.
  [[nodiscard]] static GroundWeight never() { return {std::numeric_limits<double>::infinity()}; }

  [[nodiscard]] bool is_never() const { return across == std::numeric_limits<double>::infinity(); }  ///< see never()
  friend bool operator==(const GroundWeight&, const GroundWeight&) = default;  ///< the same numbers
};

}  // namespace throng
