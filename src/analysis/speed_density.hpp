// How fast people walk at which density, as standards measure it (RiMEA test 4): squares of 2 x 2 m on level ground, persons / area
// in them and the mean speed of the people there.
//
// Only squares that are wholly free count, in layers of up to 16 square kilometres. A square's density is whole persons over its area, so that what was seen is gathered by the
// number of people; `low`, `middle`, `high` are the 10th, 50th and 90th percentile of the mean speeds.
// Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/crowd_maps.hpp"

namespace throng::analysis {

constexpr double measured_square = 2;  // metres

struct SpeedAtDensity {
  double density = 0;                    ///< persons a square metre
  std::uint64_t samples = 0;             ///< squares and times
  double low = 0, middle = 0, high = 0;  ///< metres a second, to a hundredth
};

class SpeedDensity {
 public:
  explicit SpeedDensity(const environment::CleanEnvironment& environment);
  void add(std::span<const Presence> people);
  /// By density; numbers of people that were seen fewer than ten times are left out.
  [[nodiscard]] std::vector<SpeedAtDensity> result() const;

 private:
  struct Square {
    std::uint32_t people = 0, moving = 0;
    double speed = 0;
  };
  struct Layer {
    GroundRaster raster;
    std::vector<Square> squares;
    std::vector<std::size_t> touched;
    bool measured = true;
  };
  std::vector<Layer> layers_;
  std::vector<std::vector<std::uint32_t>> seen_;  ///< by people, then by speed in hundredths
};

}  // namespace throng::analysis
