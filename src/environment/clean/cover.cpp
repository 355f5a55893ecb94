#include "environment/clean/cover.hpp"

#include <cmath>
#include <optional>

namespace throng::environment {

namespace {

/// Where a polygon overlaps itself by less than this, in units, it does so by rounding, and that is mended without a word.
constexpr double tolerated_overlap = 2;

}  // namespace

void Cover::set_feature(Id owner, std::size_t f) {
  if (feature_of_.size() <= owner) feature_of_.resize(owner + 1, no_feature);
  feature_of_[owner] = f;
}

void Cover::set_outside(Id owner, std::int32_t winding) {
  if (outside_.size() <= owner) outside_.resize(owner + 1, 0);
  outside_[owner] = winding;
}

std::vector<GridRing> snapped(const CleanContext& context, const Feature& feature, const Polygon& polygon) {
  std::vector<GridRing> rings = snapped(context.grid, polygon);
  if (twice_area(rings[0]) == 0)
    context.report(Severity::warning, feature, context.grid.snap(polygon.outer[0]),
                   feature.kind == Kind::obstacle
                       ? "thinner than the snap grid: kept as a thin wall, or gone if a point"
                       : "thinner than the snap grid: it has no effect");
  return rings;
}

void Cover::add(const CleanContext& context, geometry::Overlay& overlay, std::size_t f) {
  const Feature& feature = context.environment.features[f];
  for (const Polygon& polygon : feature.polygons) set_feature(overlay.add_part(snapped(context, feature, polygon)), f);
}

bool report_broken(const CleanContext& context, const geometry::Overlay& overlay, const Feature& feature,
                   geometry::Overlay::Id part, geometry::Overlay::Id face, int winding) {
  const auto [twice_area, border] = overlay.graph().area_and_border(face);
  if (twice_area <= tolerated_overlap * border) return false;
  if (const std::optional<GridPoint> crossing = overlay.self_crossing(part)) {
    context.report(Severity::error, feature, *crossing, "the polygon's boundary crosses itself here");
  } else {
    const GridPoint at = overlay.graph().origin_of(overlay.graph().border_of(face)[0]);
    context.report(
        Severity::error, feature, at,
        winding < 0 ? "a hole lies outside its polygon, or inside another hole" : "the polygon overlaps itself here");
  }
  return true;
}

}  // namespace throng::environment
