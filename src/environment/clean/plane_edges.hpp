// Edges of a plane drawing that claim to be disjoint, and the two checks of that claim that verify_clean() is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "geometry/grid_point.hpp"

namespace throng::environment {

using geometry::GridPoint;

/// What lies beside an edge: a face's number, or nothing.
inline constexpr std::int32_t nothing = -1;
/// Not said by the edge itself: whatever lies on one side lies on the other too.
inline constexpr std::int32_t same_on_both_sides = -2;

/// An edge, `from` before `to` in canonical order, with what lies above it (left of from->to) and below it.
struct PlaneEdge {
  GridPoint from, to;
  std::int32_t above = nothing;
  std::int32_t below = nothing;
};

/// The edge a->b with `left` on its left and `right` on its right, in either direction.
[[nodiscard]] PlaneEdge plane_edge(GridPoint a, GridPoint b, std::int32_t left, std::int32_t right);

/// The boxes of edges in an R-tree.
class EdgeBoxes {
 public:
  explicit EdgeBoxes(const std::vector<PlaneEdge>& edges);
  ~EdgeBoxes();
  EdgeBoxes(EdgeBoxes&&) noexcept;
  EdgeBoxes& operator=(EdgeBoxes&&) noexcept;

  /// Calls `visit` with the number of every edge whose box meets the closed box low-high, in no particular order.
  void visit(GridPoint low, GridPoint high, const std::function<void(std::size_t)>& visit) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

enum class Meeting { apart, at_common_vertex, touch, cross, overlap };

/// How two edges of at least one unit meet. `touch`: a vertex of one lies within the other.
[[nodiscard]] Meeting meeting_of(const PlaneEdge& e, const PlaneEdge& f);

/// Calls `found(i, j, how)` for every pair of edges that touch, cross or overlap.
void find_bad_meetings(const std::vector<PlaneEdge>& edges,
                       const std::function<void(std::size_t, std::size_t, Meeting)>& found);

/// Sweeps over edges that meet in common vertices only, and calls `found(place, said, is)` wherever an edge, or the outside of
/// everything, says that one face lies beside it and its neighbour says another. Edges of `same_on_both_sides` are given the face they
/// lie in.
void find_disagreements(std::vector<PlaneEdge>& edges,
                        const std::function<void(GridPoint, std::int32_t, std::int32_t)>& found);

/// The face each query point lies in, by the same sweep; for points on an edge, one of the two beside it.
/// Requires edges without bad meetings or disagreements.
[[nodiscard]] std::vector<std::int32_t> faces_at(const std::vector<PlaneEdge>& edges,
                                                 const std::vector<GridPoint>& points);

}  // namespace throng::environment
