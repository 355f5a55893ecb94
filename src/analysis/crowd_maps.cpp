#include "analysis/crowd_maps.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace throng::analysis {

namespace {

constexpr std::int32_t not_made = -1;
/// Squares that keep less than this of their area are walls but for rounding.
constexpr double least_part = 0.01;
/// Windows end when this close to their full length: times are sums of steps.
constexpr double time_rounding = 1e-6;

/// Squares larger than the circle still have neighbours.
double reach_of(double side) { return std::max(kernel_radius, side * 1.01); }

}  // namespace

CrowdMapper::CrowdMapper(const environment::CleanEnvironment& environment) {
  maps_.side = raster_side(environment);
  for (std::size_t i = 0; i < environment.layers.size(); ++i) {
    const GroundRaster raster(environment, i, maps_.side);
    const std::size_t n = raster.size();
    maps_.layers.push_back({raster, std::vector<float>(n), std::vector<float>(n), std::vector<float>(n), {}});
    Layer& layer = layers_.emplace_back();
    layer.kernel_of.assign(n, not_made);
    layer.now.assign(n, 0), layer.now_moving.assign(n, 0), layer.now_speed.assign(n, 0);
    layer.sum.assign(n, 0), layer.window.assign(n, 0), layer.moving.assign(n, 0), layer.speed.assign(n, 0);
    layer.stairs = environment.layers[i].layer.elevation.stairs;
  }
}

/// Whether all squares of the circle are there, wholly free.
bool CrowdMapper::is_open(const GroundRaster& raster, std::size_t centre, const Kernel& kernel) {
  const double side = raster.side(), reach = reach_of(side);
  std::size_t whole = 0;
  for (auto dy = std::int64_t(-reach / side) - 1; double(dy) * side < reach; ++dy)
    for (auto dx = std::int64_t(-reach / side) - 1; double(dx) * side < reach; ++dx)
      whole += side * std::sqrt(double(dx * dx + dy * dy)) < reach;
  return kernel.size() == whole && std::all_of(kernel.begin(), kernel.end(), [&](const Share& share) {
           return raster.free_area(std::size_t(std::int64_t(centre) + share.offset)) > 0.999 * side * side;
         });
}

const CrowdMapper::Kernel& CrowdMapper::kernel(std::size_t layer, std::size_t square) {
  Layer& l = layers_[layer];
  if (l.kernel_of[square] == not_made) {
    const GroundRaster& raster = maps_.layers[layer].raster;
    Kernel kernel = make_kernel(raster, square);
    const bool open = is_open(raster, square, kernel);
    if (open && l.open_kernel != not_made) return l.kernels[std::size_t(l.kernel_of[square] = l.open_kernel)];
    l.kernel_of[square] = std::int32_t(l.kernels.size());
    if (open) l.open_kernel = l.kernel_of[square];
    l.kernels.push_back(std::move(kernel));
  }
  return l.kernels[std::size_t(l.kernel_of[square])];
}

/// Walks from square to linked square within the circle.
CrowdMapper::Kernel CrowdMapper::make_kernel(const GroundRaster& raster, std::size_t centre) {
  const double side = raster.side(), least = least_part * side * side;
  const double reach = reach_of(side);
  const std::size_t width = raster.width();
  const auto distance = [&](std::size_t square) {
    const auto dx = std::int64_t(square % width) - std::int64_t(centre % width);
    const auto dy = std::int64_t(square / width) - std::int64_t(centre / width);
    return side * std::sqrt(double(dx * dx + dy * dy));
  };
  // A box of squares around the centre in which the circle fits, to remember who was met.
  const auto across = std::int64_t(reach / side) * 2 + 3;
  const auto place = [&](std::size_t square) {
    const auto dx = std::int64_t(square % width) - std::int64_t(centre % width);
    const auto dy = std::int64_t(square / width) - std::int64_t(centre / width);
    return std::size_t((dy + across / 2) * across + dx + across / 2);
  };
  std::vector<bool> met(std::size_t(across * across), false);
  std::vector<std::size_t> found{centre};
  met[place(centre)] = true;
  const auto visit = [&](std::size_t square, bool linked) {
    if (!linked || raster.free_area(square) < least || distance(square) >= reach || met[place(square)]) return;
    met[place(square)] = true;
    found.push_back(square);
  };
  for (std::size_t i = 0; i < found.size(); ++i) {  // NOLINT(modernize-loop-convert): it grows on the way
    const std::size_t s = found[i];
    if (s % width + 1 < width) visit(s + 1, raster.linked_right(s));
    if (s % width > 0) visit(s - 1, raster.linked_right(s - 1));
    if (s + width < raster.size()) visit(s + width, raster.linked_up(s));
    if (s >= width) visit(s - width, raster.linked_up(s - width));
  }
  double total = 0;
  for (const std::size_t s : found) total += (1 - distance(s) / reach) * std::max(least, raster.free_area(s));
  Kernel kernel;
  kernel.reserve(found.size());
  for (const std::size_t s : found)
    kernel.push_back({std::int32_t(std::int64_t(s) - std::int64_t(centre)), float((1 - distance(s) / reach) / total)});
  return kernel;
}

void CrowdMapper::spread(const Presence& person) {
  Layer& layer = layers_[person.layer];
  const std::size_t square = maps_.layers[person.layer].raster.at(person.position);
  const bool moving = person.speed >= 0 && person.on_the_way;
  for (const Share& share : kernel(person.layer, square)) {
    const auto at = std::size_t(std::int64_t(square) + share.offset);
    if (layer.now[at] == 0) layer.touched.push_back(at);
    layer.now[at] += share.density;
    if (!moving) continue;
    layer.now_moving[at] += share.density;
    layer.now_speed[at] += share.density * float(person.speed);
  }
}

/// Takes the sample of a layer into its sums.
void CrowdMapper::settle(std::size_t number, double time) {
  Layer& layer = layers_[number];
  LayerMaps& maps = maps_.layers[number];
  for (const std::size_t s : layer.touched) {
    const float density = layer.now[s];
    layer.sum[s] += density;
    layer.window[s] += density;
    layer.moving[s] += layer.now_moving[s];
    layer.speed[s] += layer.now_speed[s];
    maps.maximum[s] = std::max(maps.maximum[s], density);
    if (density > maps_.highest_density) {
      const GroundRaster& raster = maps.raster;
      maps_.highest_density = density;
      maps_.highest_layer = std::uint32_t(number);
      maps_.highest_time = time;
      const std::size_t column = s % raster.width(), row = s / raster.width();
      maps_.highest_at = raster.low() + Vec2{double(column) + 0.5, double(row) + 0.5} * raster.side();
    }
    layer.now[s] = layer.now_moving[s] = layer.now_speed[s] = 0;
  }
  layer.touched.clear();
}

void CrowdMapper::count_levels(double time, std::span<const Presence> people, double seconds) {
  for (const Presence& person : people) {
    const Layer& layer = layers_[person.layer];
    const double density = layer.now[maps_.layers[person.layer].raster.at(person.position)];
    maps_.person_seconds[level_of_service(density, layer.stairs)] += seconds;
    maps_.tight.add(person.layer, person.position, density, time, seconds);
  }
}

void CrowdMapper::add(double time, std::span<const Presence> people, double seconds) {
  for (const Presence& person : people) spread(person);
  count_levels(time, people, seconds);
  for (std::size_t i = 0; i < layers_.size(); ++i) settle(i, time);
  ++samples_, ++window_samples_;
  window_seconds_ += seconds;
  if (window_seconds_ + time_rounding >= lasting_seconds) close_window();
}

void CrowdMapper::close_window() {
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    std::vector<float>& lasting = maps_.layers[i].lasting;
    std::vector<double>& window = layers_[i].window;
    for (std::size_t s = 0; s < window.size(); ++s)
      lasting[s] = std::max(lasting[s], float(window[s] / double(window_samples_)));
    std::fill(window.begin(), window.end(), 0.0);
  }
  window_seconds_ = 0;
  window_samples_ = 0;
  ++windows_;
}

CrowdMaps CrowdMapper::finish() && {
  if (windows_ == 0 && window_samples_ > 0)
    close_window();  // what is left of a last window would be no lasting density
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    LayerMaps& maps = maps_.layers[i];
    maps.speed.assign(maps.raster.size(), std::numeric_limits<float>::quiet_NaN());
    for (std::size_t s = 0; s < maps.raster.size(); ++s) {
      if (samples_ > 0) maps.mean[s] = float(layers_[i].sum[s] / double(samples_));
      if (layers_[i].moving[s] > 0) maps.speed[s] = float(layers_[i].speed[s] / layers_[i].moving[s]);
    }
  }
  return std::move(maps_);
}

}  // namespace throng::analysis
