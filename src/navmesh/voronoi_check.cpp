#include "navmesh/voronoi_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace throng::navmesh {
namespace {

constexpr Pose all_poses[] = {
    {1, 0, false}, {0, 1, false}, {-1, 0, false}, {0, -1, false}, {1, 0, true},  {0, 1, true},
    {-1, 0, true}, {0, -1, true}, {1, 1, false},  {1, -1, false}, {1, 1, true},  {1, -1, true},
    {2, 1, false}, {1, 2, false}, {2, 1, true},   {1, 2, true},   {3, 1, false}, {1, 3, false},
};

bool near(Vec2 p, geometry::GridPoint q) {
  return std::abs(p.x - q.x) <= vertex_tolerance && std::abs(p.y - q.y) <= vertex_tolerance;
}

/// The end point two sources have in common, or none: a segment and its end, or two segments that meet.
Index common_end(const Boundary& boundary, VoronoiSource left, VoronoiSource right) {
  const auto& l = boundary.ends[left.segment];
  const auto& r = boundary.ends[right.segment];
  if (left.part != VoronoiSource::interior && right.part != VoronoiSource::interior) return none;
  if (left.part != VoronoiSource::interior) {
    const Index end = l[left.part - 1];
    return end == r[0] || end == r[1] ? end : none;
  }
  if (right.part != VoronoiSource::interior) {
    const Index end = r[right.part - 1];
    return end == l[0] || end == l[1] ? end : none;
  }
  return l[0] == r[0] || l[0] == r[1] ? l[0] : l[1] == r[0] || l[1] == r[1] ? l[1] : none;
}

}  // namespace

std::span<const Pose> poses() { return all_poses; }

std::vector<VoronoiSegment> posed(std::span<const VoronoiSegment> segments, Pose pose) {
  const auto turn = [&](geometry::GridPoint g) {
    const std::int32_t y = pose.mirrored ? -g.y : g.y;
    return geometry::GridPoint{pose.p * g.x - pose.q * y, pose.q * g.x + pose.p * y};
  };
  std::vector<VoronoiSegment> result;
  result.reserve(segments.size());
  for (const VoronoiSegment& s : segments) result.push_back({turn(s.a), turn(s.b)});
  return result;
}

void unpose(VoronoiDiagram& diagram, Pose pose) {
  const double norm = double(pose.p) * pose.p + double(pose.q) * pose.q;
  for (Vec2& v : diagram.vertices) {
    v = {(pose.p * v.x + pose.q * v.y) / norm, (pose.p * v.y - pose.q * v.x) / norm};
    if (pose.mirrored) v.y = -v.y;
  }
  if (pose.mirrored)
    for (VoronoiEdge& edge : diagram.edges) std::swap(edge.source[0], edge.source[1]);
}

std::string check_voronoi(const Boundary& boundary, const VoronoiDiagram& diagram) {
  const auto euler =
      std::int64_t(diagram.vertices.size()) - std::int64_t(diagram.edges.size()) + std::int64_t(diagram.cell_count);
  if (euler != 1) return fmt::format("vertices - edges + cells is {}, not 1", euler);
  std::vector<std::uint8_t> found(boundary.vertices.size(), 0);
  for (const VoronoiEdge& edge : diagram.edges) {
    const Index end = common_end(boundary, edge.source[0], edge.source[1]);
    if (end == none) continue;
    for (const std::uint32_t vertex : edge.vertex)
      if (vertex != VoronoiEdge::at_infinity) found[end] |= near(diagram.vertices[vertex], boundary.vertices[end]);
  }
  for (std::size_t i = 0; i < found.size(); ++i)
    if (boundary.bent[i] && !found[i])
      return fmt::format("no vertex at the end point ({}, {})", boundary.vertices[i].x, boundary.vertices[i].y);
  return {};
}

Result<VoronoiDiagram> checked_voronoi(const Boundary& boundary, const VoronoiGenerator& generator,
                                       const DiagramCheck& accept) {
  std::string reasons;
  for (const Pose& pose : poses()) {
    const bool as_is = pose.p == 1 && pose.q == 0 && !pose.mirrored;
    Result<VoronoiDiagram> diagram =
        as_is ? generator.generate(boundary.segments) : generator.generate(posed(boundary.segments, pose));
    std::string reason;
    if (diagram) {
      if (!as_is) unpose(*diagram, pose);
      reason = check_voronoi(boundary, *diagram);
      if (reason.empty()) reason = accept(*diagram);
      if (reason.empty()) return diagram;
    } else {
      reason = diagram.problems().front().message;
    }
    reasons += fmt::format("{}pose ({}, {}{}): {}", reasons.empty() ? "" : "; ", pose.p, pose.q,
                           pose.mirrored ? ", mirrored" : "", reason);
  }
  return Problem{Severity::error, ProblemCode::internal, "",
                 fmt::format("the Voronoi generator '{}' gave no right diagram in {} tries: {}", generator.name(),
                             poses().size(), reasons)};
}

}  // namespace throng::navmesh
