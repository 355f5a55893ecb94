// The laws of constrained Delaunay triangulations, told by code of its own: areas, neighbours, in-circle by another formula in wide integers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "geometry/grid_polygon.hpp"
#include "geometry/triangulation.hpp"

namespace throng::test {

using geometry::GridPoint;
using geometry::GridRing;
using geometry::GridSegment;
using geometry::Triangulation;

__extension__ using Wide = __int128;

/// The in-circle determinant as a plain 4 x 4 one, developed by its last column: minors of lifted points.
inline int in_circle_by_minors(GridPoint a, GridPoint b, GridPoint c, GridPoint d) {
  const auto minor = [](GridPoint p, GridPoint q, GridPoint r) {
    const auto lift = [](GridPoint v) { return Wide(v.x) * v.x + Wide(v.y) * v.y; };
    return Wide(p.x) * (Wide(q.y) * lift(r) - Wide(r.y) * lift(q)) -
           Wide(p.y) * (Wide(q.x) * lift(r) - Wide(r.x) * lift(q)) + lift(p) * (Wide(q.x) * r.y - Wide(r.x) * q.y);
  };
  const Wide sum = -minor(b, c, d) + minor(a, c, d) - minor(a, b, d) + minor(a, b, c);
  return (sum > 0) - (sum < 0);
}

inline std::int64_t twice_hull_area(const std::vector<GridPoint>& sorted) {
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
  return hull.size() < 3 ? 0 : geometry::twice_area(hull);
}

/// What is wrong with a triangulation; empty: nothing.
inline std::string fault_of(const Triangulation& t, const std::vector<GridSegment>& constraints) {
  std::map<std::pair<Triangulation::Id, Triangulation::Id>, std::pair<Triangulation::Id, int>> side;  // directed edges
  std::int64_t area = 0;
  for (Triangulation::Id i = 0; i < t.triangles.size(); ++i) {
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
    const Triangulation::Id beyond = other == side.end() ? Triangulation::nothing : other->second.first;
    if (triangle.beyond[at.second] != beyond) return "neighbours are not mutual";
    if (beyond == Triangulation::nothing || triangle.constrained[at.second]) continue;
    const auto& v = triangle.vertex;
    const Triangulation::Id apex = t.triangles[beyond].vertex[other->second.second];
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

}  // namespace throng::test
