#include "routes/ground_atlas.hpp"

#include <algorithm>
#include <cmath>

#include "routes/ground_search.hpp"

namespace throng::routes {

namespace {

constexpr double most_weight = 1e6;

}  // namespace

GroundRow row_of(std::span<const double> weights, const ground::GroundKinds& kinds) {
  GroundRow row;
  row.weight.assign(weights.begin(), weights.end());
  if (row.weight.empty()) row.weight.assign(kinds.row_size(), 1.0);
  double most = 0;
  for (const double w : row.weight)
    if (std::isfinite(w)) most = std::max(most, w);
  if (most == 0) most = 1;
  for (std::size_t i = 0; i < row.weight.size(); ++i) {
    if (std::isfinite(row.weight[i])) continue;
    if (row.never.empty()) row.never.assign(kinds.size(), false);
    row.never[i % kinds.size()] = true;
    row.weight[i] = std::min(2 * most, most_weight);
  }
  return row;
}

struct GroundAtlas::Entry {
  ground::SurfaceRadii radii;
  std::once_flag made;
  GroundSheetPtr sheet;
  Problems problems;
};

GroundAtlas::GroundAtlas(std::shared_ptr<const environment::CleanEnvironment> world,
                         std::shared_ptr<const RouteGraph> graph)
    : world_(std::move(world)), graph_(std::move(graph)), regions_(*world_) {}

GroundAtlas::~GroundAtlas() = default;

double GroundAtlas::radius_class(double radius) {
  // Whole centimetres stay what they are, though 0.29 * 100 is a little above 29.
  return std::ceil(radius * 100 - 1e-9) / 100;
}

Result<GroundSheetPtr> GroundAtlas::sheet(double radius, bool body) const {
  const double size = radius_class(radius);
  const ground::SurfaceRadii radii{size, body ? size : 0.0};
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(entries_.begin(), entries_.end(), [&](const auto& e) { return e->radii == radii; });
    if (at != entries_.end()) {
      entry = *at;
      std::rotate(at, at + 1, entries_.end());
    } else {
      entry = std::make_shared<Entry>();
      entry->radii = radii;
      if (entries_.size() == most_surfaces) entries_.erase(entries_.begin());
      entries_.push_back(entry);
    }
  }
  std::call_once(entry->made, [&] {
    Result<ground::Surface> made = ground::Surface::make(*world_, radii);
    if (made.ok())
      entry->sheet = std::make_shared<const GroundSheet>(std::move(made).value());
    else
      entry->problems = made.problems();
  });
  if (!entry->sheet) return entry->problems;
  return entry->sheet;
}

struct GroundAtlas::Marked {
  GroundSheetPtr sheet;
  GroundRow row;
  std::once_flag made;
  std::shared_ptr<const GroundLandmarks> landmarks;
};

std::shared_ptr<const GroundLandmarks> GroundAtlas::landmarks(const GroundSheetPtr& sheet, const GroundRow& row,
                                                              const ground::GroundCosts& costs) const {
  std::shared_ptr<Marked> entry;
  {
    const std::lock_guard lock(mutex_);
    const auto at =
        std::find_if(marked_.begin(), marked_.end(), [&](const auto& m) { return m->sheet == sheet && m->row == row; });
    if (at != marked_.end()) {
      entry = *at;
      std::rotate(at, at + 1, marked_.end());
    } else {
      entry = std::make_shared<Marked>();
      entry->sheet = sheet, entry->row = row;
      if (marked_.size() == most_rows) marked_.erase(marked_.begin());
      marked_.push_back(entry);
    }
  }
  std::call_once(entry->made, [&] { entry->landmarks = std::make_shared<const GroundLandmarks>(sheet->rough, costs); });
  return entry->landmarks;
}

}  // namespace throng::routes
