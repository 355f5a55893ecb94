// Triangulations against their laws, by code of its own: areas, neighbours, in-circle by another formula in wide integers.
#include "geometry/triangulation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "geometry/grid_polygon.hpp"
#include "support/random.hpp"
#include "support/triangulation_laws.hpp"

using namespace throng;
using namespace throng::geometry;
using namespace throng::test;

namespace {

std::vector<GridSegment> rounded(const std::vector<GridSegment>& segments) {
  std::vector<GridSegment> links;
  for (const Link& link : snap_round(segments)) links.push_back({link.a, link.b});
  return links;
}

}  // namespace

TEST_CASE("triangulation: in-circle is exact at the largest coordinates") {
  const std::int32_t m = max_coordinate;
  CHECK(in_circle({-m, -m}, {m, -m}, {m, m}, {-m, m}) == 0);
  CHECK(in_circle({-m, -m}, {m, -m}, {m, m}, {-m + 1, m}) > 0);
  CHECK(in_circle({-m, -m}, {m, -m}, {m, m - 1}, {-m, m}) < 0);
}

TEST_CASE("triangulation: 500 random scenes are exactly constrained Delaunay") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  for (int scene = 0; scene < 500; ++scene) {
    INFO("scene " << scene);
    // Few values make many points on a line and on a circle.
    const std::int64_t extent = scene % 3 == 0 ? 6 : scene % 3 == 1 ? 200 : max_coordinate;
    std::vector<GridSegment> segments;
    const auto point = [&] {
      return GridPoint{std::int32_t(random.whole(-extent, extent)), std::int32_t(random.whole(-extent, extent))};
    };
    const std::int64_t count = random.whole(0, 40);
    for (std::int64_t i = 0; i < count; ++i) segments.push_back({point(), point()});
    const std::vector<GridSegment> links = rounded(segments);
    std::vector<GridPoint> more;
    for (const GridSegment& s : links) more.push_back(s.a);
    if (links.empty())
      for (int i = 0; i < 30; ++i) more.push_back(point());
    const auto made = triangulate(links, more);
    REQUIRE(made.ok());
    if (!made->triangles.empty()) CHECK(fault_of(*made, links) == "");
  }
}

TEST_CASE("triangulation: points on a line have no triangles, and crossing constraints are refused with their place") {
  const std::vector<GridPoint> line{{0, 0}, {2, 2}, {5, 5}};
  CHECK(triangulate({}, line)->triangles.empty());
  CHECK(triangulate({}, {})->triangles.empty());
  const std::vector<GridSegment> crossing{{{0, 0}, {10, 10}}, {{0, 10}, {10, 0}}};
  const auto refused = triangulate(crossing);
  REQUIRE(!refused.ok());
  CHECK(to_string(refused.problems()[0]).find("between its ends") != std::string::npos);
  const std::vector<GridSegment> through{{{0, 0}, {10, 10}}, {{5, 5}, {10, 0}}, {{0, 10}, {0, 0}}};
  CHECK(!triangulate(through).ok());
}
