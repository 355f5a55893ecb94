#include "environment/dxf/ring_nesting.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>

#include "environment/sketch.hpp"
#include "geometry/box_index.hpp"

namespace throng::environment {
namespace {

geometry::Box box_of(const Ring& ring) {
  geometry::Box box{ring[0], ring[0]};
  for (Vec2 p : ring) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
}

bool inside(const geometry::Box& inner, const geometry::Box& outer) {
  return inner.min.x >= outer.min.x && inner.min.y >= outer.min.y && inner.max.x <= outer.max.x &&
         inner.max.y <= outer.max.y;
}

/// The middle of the longest edge: rings may touch in corners, but not there.
Vec2 witness(const Ring& ring) {
  Vec2 best = ring[0];
  double longest = -1;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
    if (const double size = squared_length(b - a); size > longest) longest = size, best = 0.5 * (a + b);
  }
  return best;
}

}  // namespace

std::vector<Polygon> nest_rings(std::vector<Ring> rings) {
  std::vector<geometry::Box> boxes;
  for (const Ring& ring : rings) boxes.push_back(box_of(ring));
  std::vector<geometry::GridBox> cells;  // an index wants whole numbers; kilometres apart or not, only order matters
  geometry::Box all = boxes.empty() ? geometry::Box{} : boxes[0];
  for (const geometry::Box& box : boxes) {
    all.min = {std::min(all.min.x, box.min.x), std::min(all.min.y, box.min.y)};
    all.max = {std::max(all.max.x, box.max.x), std::max(all.max.y, box.max.y)};
  }
  const double extent = std::max({all.max.x - all.min.x, all.max.y - all.min.y, 1e-9});
  const auto cell = [&](Vec2 p) {
    return geometry::GridPoint{std::int32_t(std::floor((p.x - all.min.x) / extent * 1e6)),
                               std::int32_t(std::floor((p.y - all.min.y) / extent * 1e6))};
  };
  for (const geometry::Box& box : boxes) cells.push_back({cell(box.min), cell(box.max)});
  const geometry::BoxIndex index(cells);

  std::vector<std::vector<std::uint32_t>> around(rings.size());
  for (std::uint32_t r = 0; r < rings.size(); ++r) {
    const Vec2 p = witness(rings[r]);
    index.for_each_in({cell(p), cell(p)}, [&](std::uint32_t o) {
      if (o != r && inside(boxes[r], boxes[o]) && contains(rings[o], p)) around[r].push_back(o);
    });
  }
  std::vector<Polygon> polygons;
  std::map<std::uint32_t, std::size_t> polygon_of;
  for (std::uint32_t r = 0; r < rings.size(); ++r) {
    if (around[r].size() % 2 != 0) continue;
    polygon_of[r] = polygons.size();
    polygons.push_back({rings[r], {}});
  }
  for (std::uint32_t r = 0; r < rings.size(); ++r) {
    if (around[r].size() % 2 == 0) continue;
    const auto area = [&](std::uint32_t o) { return std::abs(signed_area(rings[o])); };
    const std::uint32_t smallest = *std::min_element(
        around[r].begin(), around[r].end(), [&](std::uint32_t a, std::uint32_t b) { return area(a) < area(b); });
    const auto owner = polygon_of.find(smallest);
    if (owner == polygon_of.end())
      polygons.push_back({rings[r], {}});  // overlaps partly with what is around it
    else
      polygons[owner->second].holes.push_back(rings[r]);
  }
  return polygons;
}

}  // namespace throng::environment
