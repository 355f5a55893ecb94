#include "support/corner_wedges.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

namespace throng::test {
namespace {

constexpr double right_angle = std::numbers::pi / 2;
constexpr std::size_t nothing = WalledSurface::nothing;

/// An edge at a corner.
struct Spoke {
  double direction = 0;
  std::size_t edge = 0;
  bool begins = false;  ///< what is left of it is free
};

/// Free space around a corner from one edge to the next, in one layer.
struct Slice {
  Vec2 at;
  double direction = 0, span = 0;
  std::size_t layer = 0;
  std::size_t first_edge = 0, last_edge = 0;
};

using Corners = std::map<std::pair<std::size_t, Vec2>, std::vector<Spoke>>;

Corners spokes_of(const WalledSurface& surface) {
  Corners corners;
  for (std::size_t i = 0; i < surface.edges().size(); ++i) {
    const WalledSurface::Edge& e = surface.edges()[i];
    const Vec2 along = e.b - e.a;
    corners[{e.layer, e.a}].push_back({std::atan2(along.y, along.x), i, true});
    corners[{e.layer, e.b}].push_back({std::atan2(-along.y, -along.x), i, e.thin});
  }
  for (auto& [place, spokes] : corners)
    std::sort(spokes.begin(), spokes.end(), [](const Spoke& a, const Spoke& b) { return a.direction < b.direction; });
  return corners;
}

std::vector<Slice> slices_of(const WalledSurface& surface) {
  std::vector<Slice> slices;
  for (const auto& [place, spokes] : spokes_of(surface)) {
    for (std::size_t k = 0; k < spokes.size(); ++k) {
      if (!spokes[k].begins) continue;
      const Spoke& next = spokes[(k + 1) % spokes.size()];
      double span = next.direction - spokes[k].direction;
      if (span <= 0) span += 2 * std::numbers::pi;
      slices.push_back({place.second, spokes[k].direction, span, place.first, spokes[k].edge, next.edge});
    }
  }
  return slices;
}

/// Finishes a wedge whose sectors are known; whether a tight way may touch it.
bool finish(CornerWedge& wedge) {
  wedge.span = wedge.sectors.back().end;
  wedge.least = right_angle;
  wedge.most = wedge.span - right_angle;
  if (wedge.most < wedge.least - CornerWedge::turned) return false;
  wedge.least_normal = wedge.direction(wedge.least);
  wedge.most_normal = wedge.direction(wedge.most);
  wedge.convex_normals = wedge.most - wedge.least <= std::numbers::pi + CornerWedge::turned;
  return true;
}

}  // namespace

std::optional<double> CornerWedge::angle_of(Vec2 normal) const {
  double angle = std::atan2(normal.y, normal.x) - first;
  while (angle < least - turned) angle += 2 * std::numbers::pi;
  while (angle >= least - turned + 2 * std::numbers::pi) angle -= 2 * std::numbers::pi;
  if (angle > most + turned) return std::nullopt;
  return angle;
}

Vec2 CornerWedge::direction(double angle) const { return {std::cos(first + angle), std::sin(first + angle)}; }

std::size_t CornerWedge::layer_at(double angle) const {
  for (const Sector& sector : sectors)
    if (angle <= sector.end) return sector.layer;
  return sectors.back().layer;
}

bool CornerWedge::leads_into(double angle, std::size_t layer) const {
  return std::any_of(sectors.begin(), sectors.end(), [&](const Sector& sector) {
    return sector.layer == layer && angle >= sector.begin - turned && angle <= sector.end + turned;
  });
}

std::vector<CornerWedge> corner_wedges(const WalledSurface& surface) {
  const std::vector<Slice> slices = slices_of(surface);
  // Across a connection the wedge goes on with what its twin begins at the same corner.
  std::map<std::pair<std::size_t, Vec2>, std::size_t> begun_by;
  for (std::size_t i = 0; i < slices.size(); ++i) begun_by[{slices[i].first_edge, slices[i].at}] = i;
  const auto twin = [&](std::size_t edge) { return surface.edges()[edge].twin; };
  std::vector<CornerWedge> wedges;
  for (const Slice& start : slices) {
    if (twin(start.first_edge) != nothing) continue;
    CornerWedge wedge{.at = start.at, .first = start.direction};
    double angle = 0;
    for (const Slice* slice = &start; slice != nullptr;) {
      wedge.sectors.push_back({angle, angle + slice->span, slice->layer});
      angle += slice->span;
      const std::size_t beyond = twin(slice->last_edge);
      slice = beyond == nothing ? nullptr : &slices[begun_by.at({beyond, slice->at})];
    }
    if (finish(wedge)) wedges.push_back(std::move(wedge));
  }
  return wedges;
}

}  // namespace throng::test
