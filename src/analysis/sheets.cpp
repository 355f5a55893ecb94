#include "analysis/sheets.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace throng::analysis {

namespace {

using environment::CleanConnection;
using environment::CleanEnvironment;
using environment::Elevation;

constexpr double same_height = 0.05;      // metres
constexpr double overlap_allowed = 0.02;  // of the smaller layer

bool is_free(const GroundRaster& raster, std::int64_t column, std::int64_t row) {
  column -= raster.first_column(), row -= raster.first_row();
  if (column < 0 || row < 0 || column >= std::int64_t(raster.width()) || row >= std::int64_t(raster.height()))
    return false;
  const auto square = std::size_t(row) * raster.width() + std::size_t(column);
  return raster.free_area(square) > 0.5 * raster.side() * raster.side();
}

/// Whether so much of the smaller raster lies on the other that one would hide the other.
bool overlap(const GroundRaster& a, const GroundRaster& b) {
  const GroundRaster& small = a.size() < b.size() ? a : b;
  const GroundRaster& large = a.size() < b.size() ? b : a;
  std::size_t both = 0, all = 0;
  for (std::size_t i = 0; i < small.size(); ++i) {
    const std::int64_t column = small.first_column() + std::int64_t(i % small.width());
    const std::int64_t row = small.first_row() + std::int64_t(i / small.width());
    if (!is_free(small, column, row)) continue;
    ++all;
    both += is_free(large, column, row);
  }
  return double(both) > overlap_allowed * double(all);
}

double top_of(const Elevation& e) { return e.ramp ? std::max(e.z_from, e.z_to) : e.z; }

class Sorter {
 public:
  Sorter(const CleanEnvironment& environment, const CrowdMaps& maps) : environment_(environment), maps_(maps) {}

  std::vector<Sheet> sort() && {
    for (std::size_t i = 0; i < environment_.layers.size(); ++i)
      if (!elevation(i).ramp) place_storey(i);
    by_height();
    for (std::size_t i = 0; i < environment_.layers.size(); ++i)
      if (elevation(i).ramp) place_ramp(i);
    by_height();
    for (Sheet& sheet : sheets_) finish(sheet);
    return std::move(sheets_);
  }

 private:
  [[nodiscard]] const Elevation& elevation(std::size_t layer) const {
    return environment_.layers[layer].layer.elevation;
  }

  void by_height() {
    std::stable_sort(sheets_.begin(), sheets_.end(),
                     [](const Sheet& a, const Sheet& b) { return a.height > b.height; });
  }

  [[nodiscard]] bool fits(const Sheet& sheet, std::size_t layer) const {
    return std::none_of(sheet.layers.begin(), sheet.layers.end(), [&](std::size_t other) {
      return overlap(maps_.layers[layer].raster, maps_.layers[other].raster);
    });
  }

  void place_storey(std::size_t layer) {
    const double height = elevation(layer).z;
    for (Sheet& sheet : sheets_)
      if (std::abs(sheet.height - height) < same_height && fits(sheet, layer)) return sheet.layers.push_back(layer);
    sheets_.push_back({{}, height, {layer}, {}});
  }

  [[nodiscard]] bool leads_to(std::size_t layer, const Sheet& sheet) const {
    const auto on_sheet = [&](std::size_t other) {
      return std::find(sheet.layers.begin(), sheet.layers.end(), other) != sheet.layers.end();
    };
    return std::any_of(environment_.connections.begin(), environment_.connections.end(), [&](const CleanConnection& c) {
      return (c.left_layer == layer && on_sheet(c.right_layer)) || (c.right_layer == layer && on_sheet(c.left_layer));
    });
  }

  void place_ramp(std::size_t layer) {
    for (const bool connected : {true, false})
      for (Sheet& sheet : sheets_) {
        const bool storey = !elevation(sheet.layers.front()).ramp;
        if ((connected ? leads_to(layer, sheet) : !storey) && fits(sheet, layer)) return sheet.layers.push_back(layer);
      }
    sheets_.push_back({{}, top_of(elevation(layer)), {layer}, {}});
  }

  void finish(Sheet& sheet) const {
    std::string names;
    for (std::size_t i = 0; i < sheet.layers.size(); ++i) {
      const std::size_t layer = sheet.layers[i];
      const geometry::Box box = extent_of(environment_.layers[layer], environment_.grid);
      if (i == 0) sheet.world = box;
      sheet.world.min = {std::min(sheet.world.min.x, box.min.x), std::min(sheet.world.min.y, box.min.y)};
      sheet.world.max = {std::max(sheet.world.max.x, box.max.x), std::max(sheet.world.max.y, box.max.y)};
      const bool named = !elevation(layer).ramp || elevation(sheet.layers.front()).ramp;
      if (named) names += (names.empty() ? "" : ", ") + environment_.layers[layer].layer.id;
    }
    if (sheets_.size() > 1) sheet.title = fmt::format("{} ({:g} m)", names, sheet.height);
  }

  const CleanEnvironment& environment_;
  const CrowdMaps& maps_;
  std::vector<Sheet> sheets_;
};

}  // namespace

std::vector<Sheet> sheets_of(const CleanEnvironment& environment, const CrowdMaps& maps) {
  return Sorter(environment, maps).sort();
}

}  // namespace throng::analysis
