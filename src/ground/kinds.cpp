#include "ground/kinds.hpp"

#include <cmath>
#include <set>
#include <tuple>

namespace throng::ground {

namespace {

/// A unit vector, the same for slopes of any length.
Vec2 unit(Vec2 v) {
  const double size = std::sqrt(squared_length(v));
  return size > 0 ? v / size : Vec2{};
}

bool before(const GroundKind& a, const GroundKind& b) {
  return std::tie(a.type, a.uphill.x, a.uphill.y) < std::tie(b.type, b.uphill.x, b.uphill.y);
}

GroundKind kind_of(const environment::CleanRegion& region) { return {region.type, unit(region.slope)}; }

GroundKind base_of(const environment::Layer& layer) {
  const environment::Elevation& e = layer.elevation;
  if (!e.ramp) return {};
  const Vec2 axis = unit(e.to - e.from);
  const Vec2 uphill = e.z_to > e.z_from ? axis : e.z_to < e.z_from ? -axis : Vec2{};
  return {e.stairs ? stairs_type : ramp_type, uphill};
}

}  // namespace

GroundKinds::GroundKinds(const environment::CleanEnvironment& world) {
  std::set<GroundKind, decltype(&before)> all(&before);
  for (const auto& layer : world.layers) {
    all.insert(base_of(layer.layer));
    for (const auto& region : layer.regions)
      if (!region.polygons.empty()) all.insert(kind_of(region));
  }
  all.erase(GroundKind{});
  kinds_ = {GroundKind{}};
  kinds_.insert(kinds_.end(), all.begin(), all.end());
  for (const GroundKind& kind : kinds_) {
    names_.push_back(kind.type);
    slopes_ = slopes_ || kind.slopes();
  }
}

Index GroundKinds::find(const GroundKind& kind) const {
  return Index(std::lower_bound(kinds_.begin(), kinds_.end(), kind, before) - kinds_.begin());
}

Index GroundKinds::of(const environment::CleanRegion& region) const { return find(kind_of(region)); }
Index GroundKinds::base(const environment::Layer& layer) const { return find(base_of(layer)); }

void GroundKinds::set(std::span<double> row, Index kind, const GroundWeight& weight) const {
  row[kind] = weight.across;
  if (!slopes_) return;
  row[size() + kind] = kinds_[kind].slopes() ? weight.up : weight.across;
  row[2 * size() + kind] = kinds_[kind].slopes() ? weight.down : weight.across;
}

std::string misfit_of(const GroundWeight& weight) {
  if (weight.is_never()) return "";
  for (const double w : {weight.across, weight.up, weight.down})
    if (!(w >= 1e-3 && w <= 1e6)) return "a weight is a number from 0.001 to 1e6, or never";
  if (weight.up + weight.down < 2 * weight.across)
    return "up and down together must be at least twice across: else zigzags would pay";
  return "";
}

std::vector<double> row_of(const GroundKinds& kinds, const std::map<std::string, GroundWeight>& weights) {
  std::vector<double> row(kinds.row_size(), 1.0);
  for (Index k = 0; k < kinds.size(); ++k) {
    const auto at = weights.find(k == 0 ? std::string(plain_type) : kinds[k].type);
    if (at != weights.end()) kinds.set(row, k, at->second);
  }
  return row;
}

void weights_in_direction(const GroundKinds& kinds, const double* row, Vec2 direction, std::vector<double>& weights) {
  const std::size_t count = kinds.size();
  weights.assign(row, row + count);
  for (std::size_t k = 0; k < count; ++k) {
    if (!kinds[k].slopes() || !std::isfinite(row[k])) continue;
    const double rise = dot(direction, kinds[k].uphill);
    weights[k] += rise > 0 ? (row[count + k] - row[k]) * rise : (row[k] - row[2 * count + k]) * rise;
  }
}

}  // namespace throng::ground
