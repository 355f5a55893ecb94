#include "analysis/speed_density.hpp"

#include <algorithm>
#include <cmath>

namespace throng::analysis {

namespace {

constexpr double area = measured_square * measured_square;
constexpr double wholly_free = 0.999;
constexpr std::size_t speeds = 400;  // hundredths of a metre a second
constexpr std::uint64_t fewest = 10;
/// Of a layer: 16 square kilometres.
constexpr double most_squares = 4e6;

/// The middle of the first hundredth at which the part is reached.
double percentile(const std::vector<std::uint32_t>& counts, std::uint64_t total, double part) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += counts[i];
    if (sum >= part * double(total)) return (double(i) + 0.5) / 100;
  }
  return double(counts.size()) / 100;
}

}  // namespace

SpeedDensity::SpeedDensity(const environment::CleanEnvironment& environment) {
  for (std::size_t i = 0; i < environment.layers.size(); ++i) {
    const geometry::Box box = extent_of(environment.layers[i], environment.grid);
    const double squares = (box.max.x - box.min.x) * (box.max.y - box.min.y) / area;
    const bool measured = !environment.layers[i].layer.elevation.ramp && squares <= most_squares;
    GroundRaster raster(environment, i, measured ? measured_square : raster_side(environment));
    const std::size_t size = measured ? raster.size() : 0;
    layers_.push_back({std::move(raster), std::vector<Square>(size), {}, measured});
  }
}

void SpeedDensity::add(std::span<const Presence> people) {
  for (const Presence& person : people) {
    Layer& layer = layers_[person.layer];
    if (!layer.measured) continue;
    const std::size_t at = layer.raster.at(person.position);
    if (layer.raster.free_area(at) < wholly_free * area) continue;
    Square& square = layer.squares[at];
    if (square.people++ == 0) layer.touched.push_back(at);
    if (person.speed < 0 || !person.on_the_way) continue;
    ++square.moving;
    square.speed += person.speed;
  }
  for (Layer& layer : layers_) {
    for (const std::size_t at : layer.touched) {
      Square& square = layer.squares[at];
      if (square.moving > 0) {
        seen_.resize(std::max<std::size_t>(seen_.size(), square.people + 1), std::vector<std::uint32_t>(speeds));
        const double hundredths = 100 * square.speed / square.moving;
        ++seen_[square.people][std::min(speeds - 1, std::size_t(hundredths))];
      }
      square = {};
    }
    layer.touched.clear();
  }
}

std::vector<SpeedAtDensity> SpeedDensity::result() const {
  std::vector<SpeedAtDensity> result;
  for (std::size_t people = 1; people < seen_.size(); ++people) {
    std::uint64_t total = 0;
    for (const std::uint32_t count : seen_[people]) total += count;
    if (total < fewest) continue;
    result.push_back({double(people) / area, total, percentile(seen_[people], total, 0.1),
                      percentile(seen_[people], total, 0.5), percentile(seen_[people], total, 0.9)});
  }
  return result;
}

}  // namespace throng::analysis
