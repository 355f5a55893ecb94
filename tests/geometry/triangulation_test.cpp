// Triangulations against their laws, by code of its own: areas, neighbours, in-circle by another formula in wide integers.
#include "geometry/triangulation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "geometry/grid_polygon.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::geometry;
using namespace throng::test;

namespace {

__extension__ using Wide = __int128;
using Id = Triangulation::Id;

/// The in-circle determinant as a plain 4 x 4 one, developed by its last column: minors of lifted points.
int in_circle_by_minors(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
  const auto minor = [](GridPoint p, GridPoint q, GridPoint r) {
    const auto lift = [](GridPoint v) { return Wide(v.x) * v.x + Wide(v.y) * v.y; };
    return Wide(p.x) * (Wide(q.y) * lift(r) - Wide(r.y) * lift(q)) -
           Wide(p.y) * (Wide(q.x) * lift(r) - Wide(r.x) * lift(q)) + lift(p) * (Wide(q.x) * r.y - Wide(r.x) * q.y);
  };
  const Wide sum = -minor(b, c, d) + minor(a, c, d) - minor(a, b, d) + minor(a, b, c);
  return (sum > 0) - (sum < 0);
}

std::int64_t twice_hull_area(const std::vector<GridPoint>& sorted) {
  GridRing hull;
  for (const int pass : {0, 1}) {
    const std::size_t from = hull.size();
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const GridPoint p = pass == 0 ? sorted[i] : sorted[sorted.size() - 1 - i];
      while (hull.size() >= from + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
  }
  return hull.size() < 3 ? 0 : twice_area(hull);
}

/// What is wrong with a triangulation; empty: nothing.
std::string fault_of(const Triangulation& t, const std::vector<GridSegment>& constraints) {
  std::map<std::pair<Id, Id>, std::pair<Id, int>> side;  // directed edges
  std::int64_t area = 0;
  for (Id i = 0; i < t.triangles.size(); ++i) {
    const auto& v = t.triangles[i].vertex;
    const std::int64_t twice = cross(t.points[v[0]], t.points[v[1]], t.points[v[2]]);
    if (twice <= 0) return "a triangle without area";
    area += twice;
    for (int k = 0; k < 3; ++k)
      if (!side.insert({{v[(k + 1) % 3], v[(k + 2) % 3]}, {i, k}}).second) return "two triangles left of an edge";
  }
  if (area != twice_hull_area(t.points)) return "the hull is not covered";
  for (const auto& [edge, at] : side) {
    const auto& triangle = t.triangles[at.first];
    const auto other = side.find({edge.second, edge.first});
    const Id beyond = other == side.end() ? Triangulation::nothing : other->second.first;
    if (triangle.beyond[at.second] != beyond) return "neighbours are not mutual";
    if (beyond == Triangulation::nothing || triangle.constrained[at.second]) continue;
    const auto& v = triangle.vertex;
    const Id apex = t.triangles[beyond].vertex[other->second.second];
    if (in_circle_by_minors(t.points[v[0]], t.points[v[1]], t.points[v[2]], t.points[apex]) > 0)
      return "an edge that is not locally Delaunay";
  }
  std::set<std::pair<GridPoint, GridPoint>> wanted, there;
  for (const GridSegment& s : constraints) wanted.insert({std::min(s.a, s.b), std::max(s.a, s.b)});
  for (const auto& [edge, at] : side)
    if (t.triangles[at.first].constrained[at.second]) {
      const GridPoint a = t.points[edge.first], b = t.points[edge.second];
      there.insert({std::min(a, b), std::max(a, b)});
    }
  if (wanted != there) return "constraints are not those asked for";
  return {};
}

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
