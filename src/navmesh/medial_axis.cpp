#include "navmesh/medial_axis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

namespace throng::navmesh {
namespace {

using geometry::GridPoint;

bool tiny(Vec2 d) { return std::abs(d.x) <= vertex_tolerance && std::abs(d.y) <= vertex_tolerance; }

/// An edge of the diagram that lies in free space; its ends still are Voronoi vertices.
struct FreeEdge {
  Index vertex[2];
  Index site[2];
  Index corner;  ///< the boundary vertex two segments share, if the edge may run into it
};

class AxisMaker {
 public:
  AxisMaker(const Boundary& boundary, const VoronoiDiagram& diagram, Index layer)
      : boundary_(boundary), diagram_(diagram), layer_(layer), node_of_(diagram.vertices.size(), none) {}

  MedialAxis make() {
    collect();
    add_arcs();
    if (axis_.fault.empty()) check_area();
    return std::move(axis_);
  }

 private:
  void fail(std::string why) {
    if (axis_.fault.empty()) axis_.fault = std::move(why);
  }

  /// The site a segment shows on the side where the edge lies; none where that side is blocked. One end may lie on the
  /// segment (in a corner), so the end farther from it decides.
  Index side_site(std::uint32_t segment, Vec2 p, Vec2 q) const {
    const Vec2 a = to_vec(boundary_.segments[segment].a);
    const Vec2 d = to_vec(boundary_.segments[segment].b) - a;
    const double at_p = cross(d, p - a);
    const double at_q = cross(d, q - a);
    const double side = std::abs(at_p) >= std::abs(at_q) ? at_p : at_q;
    return boundary_.side_sites[segment][side >= 0 ? 0 : 1];
  }

  Index end_of(VoronoiSource source) const { return boundary_.ends[source.segment][source.part - 1]; }

  Index site_of(VoronoiSource source, Vec2 p, Vec2 q) const {
    return source.part == VoronoiSource::interior ? side_site(source.segment, p, q)
                                                  : boundary_.corner_sites[end_of(source)];
  }

  bool is_secondary(const VoronoiEdge& edge) const {
    const bool left_end = edge.source[0].part != VoronoiSource::interior;
    if (left_end == (edge.source[1].part != VoronoiSource::interior)) return false;
    const Index end = end_of(edge.source[left_end ? 0 : 1]);
    const auto& ends = boundary_.ends[edge.source[left_end ? 1 : 0].segment];
    return end == ends[0] || end == ends[1];
  }

  Index shared_end(const VoronoiEdge& edge) const {
    if (edge.source[0].part != VoronoiSource::interior || edge.source[1].part != VoronoiSource::interior) return none;
    const auto& l = boundary_.ends[edge.source[0].segment];
    const auto& r = boundary_.ends[edge.source[1].segment];
    return l[0] == r[0] || l[0] == r[1] ? l[0] : l[1] == r[0] || l[1] == r[1] ? l[1] : none;
  }

  void collect() {
    edges_.reserve(diagram_.edges.size());
    for (const VoronoiEdge& edge : diagram_.edges) {
      // Free space is bounded, so what runs to infinity is not in it.
      if (edge.vertex[0] == VoronoiEdge::at_infinity || edge.vertex[1] == VoronoiEdge::at_infinity) continue;
      const Vec2 p = diagram_.vertices[edge.vertex[0]];
      const Vec2 q = diagram_.vertices[edge.vertex[1]];
      if (tiny(p - q)) {
        merge(edge.vertex[0], edge.vertex[1]);
        continue;
      }
      if (is_secondary(edge)) continue;
      const Index left = site_of(edge.source[0], p, q);
      const Index right = site_of(edge.source[1], p, q);
      if (left == none && right == none) continue;
      if (left == none || right == none)
        fail(fmt::format("an edge at ({}, {}) is free on one side only", p.x, p.y));
      else
        edges_.push_back({{edge.vertex[0], edge.vertex[1]}, {left, right}, shared_end(edge)});
    }
  }

  /// Cocircular sites give several vertices in one place, with edges of no length between them.
  void merge(Index one, Index other) {
    if (parent_.empty()) {
      parent_.resize(diagram_.vertices.size());
      std::iota(parent_.begin(), parent_.end(), Index{0});
    }
    const Index a = root(one), b = root(other);
    parent_[std::max(a, b)] = std::min(a, b);
  }

  Index root(Index vertex) {
    if (parent_.empty()) return vertex;
    while (parent_[vertex] != vertex) vertex = parent_[vertex] = parent_[parent_[vertex]];
    return vertex;
  }

  void add_arcs() {
    axis_.arcs.reserve(edges_.size());
    axis_.nodes.reserve(edges_.size() + boundary_.vertices.size());
    for (const FreeEdge& edge : edges_) {
      if (!parent_.empty() && root(edge.vertex[0]) == root(edge.vertex[1])) continue;
      DraftArc arc;
      for (int end : {0, 1}) arc.node[end] = node_at(edge, edge.vertex[end]);
      arc.site[0] = edge.site[0];
      arc.site[1] = edge.site[1];
      axis_.arcs.push_back(arc);
      check_arc(arc);
    }
  }

  Index node_at(const FreeEdge& edge, Index vertex) {
    if (edge.corner != none) {
      // Free wedges that meet in one boundary vertex are not connected there: each gets a node of its own.
      const Vec2 corner = to_vec(boundary_.vertices[edge.corner]);
      if (tiny(diagram_.vertices[vertex] - corner)) return add_node(corner, 0);
    }
    Index& node = node_of_[root(vertex)];
    if (node == none) {
      const Vec2 point = diagram_.vertices[root(vertex)];
      node = add_node(point, distance(boundary_.sites[edge.site[0]], point));
    }
    return node;
  }

  Index add_node(Vec2 point, double clearance) {
    axis_.nodes.push_back({point, clearance, layer_});
    return Index(axis_.nodes.size() - 1);
  }

  void check_arc(const DraftArc& arc) {
    const double tolerance = 1e-10 * boundary_.extent + 2 * vertex_tolerance;
    for (const Index n : arc.node)
      for (const Index s : arc.site) {
        const DraftNode& node = axis_.nodes[n];
        if (!(std::abs(distance(boundary_.sites[s], node.point) - node.clearance) <= tolerance))
          fail(fmt::format("the vertex at ({}, {}) is not equidistant", node.point.x, node.point.y));
      }
    const Vec2 from = axis_.nodes[arc.node[0]].point, to = axis_.nodes[arc.node[1]].point;
    const CellAreas areas = cell_areas(boundary_.sites[arc.site[0]], boundary_.sites[arc.site[1]], from, to);
    area_ += areas.left + areas.right;
    length_ += length(to - from);
  }

  void check_area() {
    // Vertices err by a few units in the last place, and with them areas by that times the axis' length.
    const double tolerance = 1e-10 * boundary_.free_area + vertex_tolerance * length_;
    if (!(std::abs(area_ - boundary_.free_area) <= tolerance))
      fail(fmt::format("cells cover {} of {} square units", area_, boundary_.free_area));
  }

  const Boundary& boundary_;
  const VoronoiDiagram& diagram_;
  Index layer_;
  std::vector<FreeEdge> edges_;
  std::vector<Index> parent_;   ///< union-find over vertices; empty while nothing coincides
  std::vector<Index> node_of_;  ///< of each vertex
  MedialAxis axis_;
  double area_ = 0;
  double length_ = 0;
};

/// Height of a corner over a segment's line: the parabola's distance from focus to directrix.
double focal_height(const BoundarySite& corner, const BoundarySite& segment) {
  const Vec2 d = to_vec(segment.b) - to_vec(segment.a);
  return cross(d, to_vec(corner.a) - to_vec(segment.a)) / length(d);
}

/// How far the feet of from -> to on a segment run against its direction: positive for the site left of the arc.
double run_against(const BoundarySite& segment, Vec2 from, Vec2 to) {
  const Vec2 d = to_vec(segment.b) - to_vec(segment.a);
  return dot(from - to, d) / length(d);
}

double chord_area(const BoundarySite& site, Vec2 from, Vec2 to) {
  if (site.is_corner()) return cross(from - to_vec(site.a), to - to_vec(site.a)) / 2;
  const Vec2 a = to_vec(site.a);
  const Vec2 d = to_vec(site.b) - a;
  return dot(from - to, d) * (cross(d, from - a) + cross(d, to - a)) / (2 * squared_length(d));
}

}  // namespace

CellAreas cell_areas(const BoundarySite& left, const BoundarySite& right, Vec2 from, Vec2 to) {
  CellAreas areas{chord_area(left, from, to), chord_area(right, to, from)};
  if (left.is_corner() == right.is_corner()) return areas;
  // Between chord and parabola lie run^3 / (12 f), f from focus to directrix; the arc bends to the directrix.
  const double run = left.is_corner() ? run_against(right, to, from) : run_against(left, from, to);
  const double lens =
      run * run * run / (12 * (left.is_corner() ? focal_height(left, right) : focal_height(right, left)));
  (left.is_corner() ? areas.left : areas.right) += lens;
  (left.is_corner() ? areas.right : areas.left) -= lens;
  return areas;
}

MedialAxis medial_axis_of(const Boundary& boundary, const VoronoiDiagram& diagram, Index layer) {
  return AxisMaker(boundary, diagram, layer).make();
}

}  // namespace throng::navmesh
