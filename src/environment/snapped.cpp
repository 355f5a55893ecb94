#include <cmath>

#include "environment/clean_layer.hpp"

namespace throng::environment {

namespace {

/// Metres. A ring that goes out and comes back along a line this thin has drawn a spike, not an obstacle; anything wider is
/// kept, as a thin wall where the grid folds it flat.
constexpr double spike_width = 1e-9;

/// Whether the way before -> tip -> after runs back over itself.
bool is_spike(Vec2 before, Vec2 tip, Vec2 after) {
  const Vec2 there = tip - before;
  const Vec2 back = after - tip;
  if (dot(there, back) >= 0) return false;
  const double longer = std::sqrt(std::max(squared_length(there), squared_length(back)));
  return std::abs(cross(there, back)) <= spike_width * longer;
}

/// Drops repeated points and spikes until there are none.
Ring without_spikes(const Ring& ring) {
  Ring kept;
  const auto shorten_end = [&] {
    for (;;) {
      const std::size_t n = kept.size();
      if (n >= 2 && kept[n - 1] == kept[n - 2])
        kept.pop_back();
      else if (n >= 3 && is_spike(kept[n - 3], kept[n - 2], kept[n - 1]))
        kept.erase(kept.end() - 2);
      else
        return;
    }
  };
  for (Vec2 p : ring) {
    kept.push_back(p);
    shorten_end();
  }
  // The seam: the same at the place where the ring was opened.
  for (bool changed = true; changed && kept.size() >= 3;) {
    changed = true;
    const std::size_t n = kept.size();
    if (kept.front() == kept.back() || is_spike(kept[n - 2], kept[n - 1], kept[0]))
      kept.pop_back();
    else if (is_spike(kept[n - 1], kept[0], kept[1]))
      kept.erase(kept.begin());
    else
      changed = false;
  }
  return kept;
}

}  // namespace

std::vector<GridRing> snapped(const geometry::SnapGrid& grid, const Polygon& polygon) {
  std::vector<GridRing> rings;
  const auto add = [&](const Ring& ring) {
    GridRing points;
    for (Vec2 p : without_spikes(ring)) {
      const GridPoint q = grid.snap(p);
      if (points.empty() || points.back() != q) points.push_back(q);
    }
    while (points.size() > 1 && points.front() == points.back()) points.pop_back();
    rings.push_back(std::move(points));
  };
  add(polygon.outer);
  for (const Ring& hole : polygon.holes) add(hole);
  return rings;
}

}  // namespace throng::environment
