// The plane graph of edges that meet in end points only: its faces, which edge borders which, and polygons made of faces.
//
// Words
//   half-edge  2e runs from the smaller to the larger end of edge e, 2e + 1 back; h ^ 1 is the other one of its edge.
//   face       what lies to the left of a half-edge; face 0 is the unbounded one.
//
// Laws
// 1. Requires: edges are distinct, of positive length, and do not cross or overlap (snap_round establishes that).
// 2. Every half-edge borders exactly one face; components inside a face belong to it, whether or not they touch its border.
// 3. Nothing depends on the order in which edges were given, except the numbers of edges themselves.
// Cost: O(n log n). Thread-safety: a plain value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "geometry/snap_rounding.hpp"

namespace throng::geometry {

class PlaneGraph {
 public:
  using Id = std::uint32_t;

  explicit PlaneGraph(std::span<const GridSegment> edges);

  [[nodiscard]] std::size_t face_count() const { return face_count_; }
  [[nodiscard]] std::size_t half_edge_count() const { return face_of_.size(); }
  [[nodiscard]] Id face_of(Id half_edge) const { return face_of_[half_edge]; }
  [[nodiscard]] GridPoint origin_of(Id half_edge) const { return points_[origin_[half_edge]]; }
  [[nodiscard]] Id vertex_of(Id half_edge) const { return origin_[half_edge]; }
  [[nodiscard]] std::size_t vertex_count() const { return points_.size(); }
  [[nodiscard]] GridPoint point_of(Id vertex) const { return points_[vertex]; }
  [[nodiscard]] std::span<const Id> half_edges_from(Id vertex) const {
    return {around_.data() + first_around_[vertex], first_around_[vertex + 1] - first_around_[vertex]};
  }
  /// The next half-edge out of the same vertex, clockwise.
  [[nodiscard]] Id clockwise(Id half_edge) const;

  /// Walks over all faces from the unbounded one, depth first: enter(h) when it steps over half-edge h into face_of(h),
  /// visit(face) once there, leave(h) when it steps back. Whoever adds up what each edge changes knows in `visit` what covers
  /// the face.
  template <class Enter, class Visit, class Leave>
  void walk_faces(Enter&& enter, Visit&& visit, Leave&& leave) const;

  /// Twice the area and the length of a face's border (0 for the unbounded face).
  [[nodiscard]] std::pair<double, double> area_and_border(Id face) const;
  [[nodiscard]] std::span<const Id> border_of(Id face) const {
    return {by_face_.data() + first_by_face_[face], first_by_face_[face + 1] - first_by_face_[face]};
  }

 private:
  void number_vertices(std::span<const GridSegment> edges);
  void sort_around_vertices();
  [[nodiscard]] std::vector<Id> trace_cycles();
  void number_faces(std::vector<Id> cycle_of);
  void list_borders();

  std::vector<GridPoint> points_;  ///< sorted
  std::vector<Id> origin_;         ///< of each half-edge
  std::vector<Id> around_;         ///< half-edges by origin, counterclockwise from straight down
  std::vector<Id> first_around_;
  std::vector<Id> position_;  ///< of each half-edge in around_
  std::vector<Id> face_of_;
  std::vector<Id> by_face_;
  std::vector<Id> first_by_face_;
  std::size_t cycle_count_ = 0;
  std::size_t face_count_ = 0;
};

template <class Enter, class Visit, class Leave>
void PlaneGraph::walk_faces(Enter&& enter, Visit&& visit, Leave&& leave) const {
  struct Step {
    Id entered_by;  // half-edge whose left face this is; none for the unbounded face
    Id face;
    Id next;  // position in by_face_
  };
  constexpr Id nothing = ~Id{0};
  std::vector<bool> seen(face_count_, false);
  std::vector<Step> path{{nothing, 0, first_by_face_[0]}};
  seen[0] = true;
  visit(Id{0});
  while (!path.empty()) {
    Step& step = path.back();
    if (step.next == first_by_face_[step.face + 1]) {
      if (step.entered_by != nothing) leave(step.entered_by);
      path.pop_back();
      continue;
    }
    const Id over = by_face_[step.next++] ^ 1u;
    const Id face = face_of_[over];
    if (seen[face]) continue;
    seen[face] = true;
    enter(over);
    visit(face);
    path.push_back({over, face, first_by_face_[face]});
  }
}

}  // namespace throng::geometry
