#include "geometry/grid_polygon.hpp"

#include <algorithm>
#include <numeric>

#include "geometry/open_polygons.hpp"

namespace throng::geometry {

namespace {

__extension__ using Int128 = __int128;
using Id = PlaneGraph::Id;
constexpr Id nothing = ~Id{0};

/// Traces the borders of labelled faces into simple rings.
class BorderTracer {
 public:
  BorderTracer(const PlaneGraph& graph, std::span<const std::int32_t> labels, const std::vector<bool>& pinned)
      : graph_(graph),
        labels_(labels),
        pinned_(pinned),
        traced_(graph.half_edge_count(), false),
        place_on_path_(graph.vertex_count(), nothing),
        component_(graph.face_count()) {
    count_border_edges();
    join_faces();
  }

  struct Traced {
    std::int32_t label;
    Id component;
    std::int64_t area2;
    GridRing ring;
  };

  std::vector<Traced> trace() {
    for (Id h = 0; h < graph_.half_edge_count(); ++h)
      if (is_border(h) && !traced_[h]) trace_from(h);
    return std::move(rings_);
  }

 private:
  [[nodiscard]] std::int32_t label(Id half_edge) const { return labels_[graph_.face_of(half_edge)]; }
  /// Whether the face to the left is labelled, and differently from the one to the right.
  [[nodiscard]] bool is_border(Id h) const { return label(h) != no_label && label(h) != label(h ^ 1u); }

  void count_border_edges() {
    border_degree_.assign(graph_.vertex_count(), 0);
    for (Id h = 0; h < graph_.half_edge_count(); ++h)
      if (label(h) != label(h ^ 1u)) ++border_degree_[graph_.vertex_of(h)];
  }

  void join_faces() {
    std::iota(component_.begin(), component_.end(), 0u);
    for (Id h = 0; h < graph_.half_edge_count(); h += 2) {
      if (label(h) != label(h ^ 1u)) continue;
      const Id a = root(graph_.face_of(h));
      const Id b = root(graph_.face_of(h ^ 1u));
      component_[std::max(a, b)] = std::min(a, b);
    }
  }

  Id root(Id face) {
    while (component_[face] != face) face = component_[face] = component_[component_[face]];
    return face;
  }

  /// Follows the border with its face on the left; whenever the path comes back to a vertex, the loop in between is a ring.
  void trace_from(Id start) {
    path_.clear();
    Id h = start;
    do {
      traced_[h] = true;
      step_to(graph_.vertex_of(h), start);
      h = graph_.clockwise(h ^ 1u);
      while (label(h) == label(h ^ 1u)) h = graph_.clockwise(h);
    } while (h != start);
    step_to(graph_.vertex_of(start), start);
    place_on_path_[path_.back()] = nothing;
  }

  void step_to(Id vertex, Id start) {
    if (place_on_path_[vertex] != nothing) {
      const auto loop = path_.begin() + place_on_path_[vertex];
      close_ring({loop, path_.end()}, start);
      for (auto v = loop; v != path_.end(); ++v) place_on_path_[*v] = nothing;
      path_.erase(loop, path_.end());
    }
    place_on_path_[vertex] = Id(path_.size());
    path_.push_back(vertex);
  }

  void close_ring(std::span<const Id> vertices, Id start) {
    GridRing ring;
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const Id before = vertices[(i + vertices.size() - 1) % vertices.size()];
      const Id after = vertices[(i + 1) % vertices.size()];
      if (!is_straight(before, vertices[i], after)) ring.push_back(graph_.point_of(vertices[i]));
    }
    std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
    const std::int64_t area2 = twice_area(ring);
    rings_.push_back({label(start), root(graph_.face_of(start)), area2, std::move(ring)});
  }

  [[nodiscard]] bool is_straight(Id before, Id vertex, Id after) const {
    return border_degree_[vertex] == 2 && !pinned_[vertex] &&
           side(graph_.point_of(before), graph_.point_of(vertex), graph_.point_of(after)) == 0;
  }

  const PlaneGraph& graph_;
  std::span<const std::int32_t> labels_;
  const std::vector<bool>& pinned_;
  std::vector<bool> traced_;
  std::vector<Id> place_on_path_;
  std::vector<Id> component_;
  std::vector<std::uint32_t> border_degree_;
  std::vector<Id> path_;
  std::vector<Traced> rings_;
};

/// By component, the outer ring (the only one of positive area) before its holes.
std::vector<BorderTracer::Traced> sorted_rings(const PlaneGraph& graph, std::span<const std::int32_t> labels,
                                               const std::vector<bool>& pinned) {
  std::vector<BorderTracer::Traced> rings = BorderTracer(graph, labels, pinned).trace();
  std::sort(rings.begin(), rings.end(), [](const auto& r, const auto& s) {
    if (r.component != s.component) return r.component < s.component;
    if ((r.area2 > 0) != (s.area2 > 0)) return r.area2 > 0;
    return r.ring < s.ring;
  });
  return rings;
}

}  // namespace

std::int64_t twice_area(const GridRing& ring) {
  Int128 sum = 0;  // partial sums of a ring of many large triangles leave 64 bits, though the total does not
  for (std::size_t i = 2; i < ring.size(); ++i) sum += cross(ring[0], ring[i - 1], ring[i]);
  return std::int64_t(sum);
}

std::vector<std::vector<GridPolygon>> face_polygons(const PlaneGraph& graph, std::span<const std::int32_t> labels,
                                                    std::size_t label_count, const std::vector<bool>& pinned) {
  std::vector<BorderTracer::Traced> rings = sorted_rings(graph, labels, pinned);
  std::vector<std::vector<GridPolygon>> polygons(label_count);
  for (BorderTracer::Traced& traced : rings) {
    std::vector<GridPolygon>& of_label = polygons[std::size_t(traced.label)];
    if (traced.area2 > 0)
      of_label.push_back({std::move(traced.ring), {}});
    else
      of_label.back().holes.push_back(std::move(traced.ring));
  }
  for (std::vector<GridPolygon>& of_label : polygons) std::sort(of_label.begin(), of_label.end());
  return polygons;
}

OpenPolygons open_polygons(const PlaneGraph& graph, std::span<const std::int32_t> labels,
                           const std::vector<bool>& pinned) {
  OpenPolygons result;
  Id closed = nothing;  // the component whose outer ring came last
  for (BorderTracer::Traced& traced : sorted_rings(graph, labels, pinned)) {
    if (traced.area2 > 0) {
      closed = traced.component;
      result.polygons.push_back({std::move(traced.ring), {}});
    } else {
      std::vector<GridRing>& holes = traced.component == closed ? result.polygons.back().holes : result.loose;
      holes.push_back(std::move(traced.ring));
    }
  }
  std::sort(result.polygons.begin(), result.polygons.end());
  return result;
}

}  // namespace throng::geometry
