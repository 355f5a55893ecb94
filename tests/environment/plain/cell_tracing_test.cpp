#include "environment/plain/cell_tracing.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "environment/sketch.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

std::size_t covered(const std::vector<Polygon>& polygons, Vec2 p) {
  std::size_t count = 0;
  for (const Polygon& polygon : polygons) {
    bool inside = contains(polygon.outer, p);
    for (const Ring& hole : polygon.holes) inside = inside && !contains(hole, p);
    count += inside;
  }
  return count;
}

bool has_corners_only(const Ring& ring) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 before = ring[(i + ring.size() - 1) % ring.size()], at = ring[i], after = ring[(i + 1) % ring.size()];
    if (cross(at - before, after - at) == 0) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("random rasters: every walkable cell is covered once, every other not at all") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  for (int round = 0; round < 300; ++round) {
    const std::size_t width = 1 + random.below(12), height = 1 + random.below(12);
    const double density = random.uniform(0.1, 0.95);
    std::vector<bool> cells(width * height);
    for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = random.chance(density);
    const std::vector<Polygon> polygons = trace_cells(cells, width, height);
    double sum = 0;
    for (const Polygon& polygon : polygons) {
      CHECK(signed_area(polygon.outer) > 0);
      CHECK(has_corners_only(polygon.outer));
      sum += signed_area(polygon.outer);
      for (const Ring& hole : polygon.holes) {
        CHECK(signed_area(hole) < 0);
        CHECK(has_corners_only(hole));
        sum += signed_area(hole);
      }
    }
    std::size_t walkable = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      walkable += cells[i];
      const Vec2 middle{double(i % width) + 0.5, double(i / width) + 0.5};
      REQUIRE(covered(polygons, middle) == (cells[i] ? 1 : 0));
    }
    CHECK(sum == double(walkable));
  }
}
