// Where a crowd was dense and where it was slow: maps over the squares of a raster, gathered sample by sample.
//
// Definitions (docs/reports.md)
//   density    Every person is spread over the free ground within `kernel_radius` that can be walked to without leaving that circle, in
//              the person's own layer, with a weight that falls linearly from 1 at the person's square to 0 at the circle. The weights of
//              one person add up to one person: walls, thin ones too, do not let anybody leak, and density times area summed over a layer
//              is the number of people in it.
//   mean       over all samples
//   maximum    the highest of any sample
//   lasting    the highest mean over `lasting_seconds` one after the other (over the whole run where that is shorter): what levels of
//              service are read from
//   speed      of the people there, each by the weight it has there; not a number where nobody ever was
//
// Laws
// 1. The same samples give the same bits.
// 2. Maps of a layer are as long as its raster; squares without free ground hold 0.
// Cost: O(people * squares in a kernel) a sample. Thread-safety: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "analysis/ground_raster.hpp"
#include "analysis/level_of_service.hpp"
#include "analysis/tight_places.hpp"

namespace throng::analysis {

/// A person alone in the open makes 3 / (pi r^2) = 0.24 /m2 where it is: level A. In effect 4 m2 are averaged over.
constexpr double kernel_radius = 2;  // metres
constexpr double lasting_seconds = 60;

struct LayerMaps {
  GroundRaster raster;
  std::vector<float> mean, maximum, lasting;  ///< persons a square metre
  std::vector<float> speed;                   ///< metres a second
};

/// One person at one time.
struct Presence {
  Vec2 position;
  std::uint32_t layer = 0;
  double speed = 0;        ///< negative: not known
  bool on_the_way = true;  ///< whether the speed says how one walks here, and not that one stands for another reason
};

struct CrowdMaps {
  double side = 0;  ///< of a square, in metres
  std::vector<LayerMaps> layers;
  std::array<double, level_count> person_seconds = {};  ///< spent at each level of service, by the density where one is
  double highest_density = 0;
  std::uint32_t highest_layer = 0;
  Vec2 highest_at;
  double highest_time = 0;
  TightPlaces tight;
};

class CrowdMapper {
 public:
  explicit CrowdMapper(const environment::CleanEnvironment& environment);

  /// Everybody at a time; samples come one after the other, `seconds` apart.
  void add(double time, std::span<const Presence> people, double seconds);
  [[nodiscard]] CrowdMaps finish() &&;
  /// So far.
  [[nodiscard]] const TightPlaces& tight() const { return maps_.tight; }

 private:
  /// Squares and the persons a square metre that one person makes there.
  struct Share {
    std::int32_t offset = 0;  ///< from the square the person is in
    float density = 0;
  };
  using Kernel = std::vector<Share>;
  struct Layer {
    std::vector<std::int32_t> kernel_of;  ///< by square: none yet, or into kernels
    std::vector<Kernel> kernels;
    std::int32_t open_kernel = -1;  ///< that of squares far from every wall, which share it
    std::vector<float> now, now_moving, now_speed;
    std::vector<double> sum, window, moving, speed;
    std::vector<std::size_t> touched;  ///< squares of `now` that are not 0
    bool stairs = false;
  };

  const Kernel& kernel(std::size_t layer, std::size_t square);
  [[nodiscard]] static Kernel make_kernel(const GroundRaster& raster, std::size_t centre);
  [[nodiscard]] static bool is_open(const GroundRaster& raster, std::size_t centre, const Kernel& kernel);
  void spread(const Presence& person);
  void settle(std::size_t number, double time);
  void count_levels(double time, std::span<const Presence> people, double seconds);
  void close_window();

  CrowdMaps maps_;
  std::vector<Layer> layers_;
  double window_seconds_ = 0;
  std::size_t samples_ = 0, window_samples_ = 0, windows_ = 0;
};

}  // namespace throng::analysis
