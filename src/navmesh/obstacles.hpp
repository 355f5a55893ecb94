// What a mesh's sites belong to, and in which order passages lie around regions. Van Toll, Pettre 2019, 3.1, 4.1, A.2.1.
//
// Words
//   obstacle   a boundary component of the joined surface, over layers: what one walks around when one keeps a hand on it. Cells follow each
//              other around it (piece.hpp), and so do its sites.
//   turning    how often one turns around oneself on the way around, free space on the left: +1 on the outline of a hall, -1 on a pillar in it.
//   outer      an obstacle with a turning number above 0: it runs around the free space. There is nothing to pass: left and right of it are
//              the same way, and it takes no part in decisions.
//   directed passage   2i along the arc of passage i, 2i + 1 against it.
//
// Laws (validate_obstacles() checks them)
// 1. Every site that has cells belongs to exactly one obstacle; both cells at a gap between two edge ends of a node belong to one.
// 2. Obstacles are numbered by their lowest site, so that numbers are canonical as the mesh's own.
// 3. Turning numbers of a connected part of the surface sum up to its Euler characteristic: axis vertices less axis edges.
// 4. next_left(p) is the first passage that leads out of the region that p leads into, for who keeps the left hand on the obstacle left of
//    p: both have the same obstacle on the left. next_left is a permutation, and next_right(p) == inverse(inverse permutation(inverse(p))).
// 5. Every inner obstacle has at least two passages around it: one that has fewer (an off-centre pillar in a round hall) gets one more at
//    the widest place around it. Those come after the mesh's passages, and are for decisions only.
// 6. Around every region there is one round of passages: it is a disc once all passages are cut.
// Complexity: O(n) to make. Thread-safety: immutable.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "navmesh/mesh.hpp"
#include "throng/result.hpp"

namespace throng::navmesh {

struct Obstacle {
  Index first_point = 0, point_count = 0;  ///< of its outline
  int turning = 0;
  Place at;  ///< a place that names it: nearest() of it is this obstacle

  [[nodiscard]] bool is_outer() const { return turning > 0; }
};

class Obstacles {
 public:
  explicit Obstacles(const Mesh& mesh);

  [[nodiscard]] Index count() const { return Index(obstacles_.size()); }
  [[nodiscard]] const Obstacle& operator[](Index obstacle) const { return obstacles_[obstacle]; }
  /// Whether people decide on which side to pass it.
  [[nodiscard]] bool is_inner(Index obstacle) const { return obstacle != none && !obstacles_[obstacle].is_outer(); }
  /// Its corners in order, free space on the left of the way around.
  [[nodiscard]] std::span<const Place> outline(Index obstacle) const {
    return std::span(outlines_).subspan(obstacles_[obstacle].first_point, obstacles_[obstacle].point_count);
  }
  /// None for the few sites without cells.
  [[nodiscard]] Index of_site(Index site) const { return of_site_[site]; }

  /// The mesh's passages by their numbers, then those of law 5.
  [[nodiscard]] Index passage_count() const { return Index(passages_.size()); }
  [[nodiscard]] const Passage& passage(Index i) const { return passages_[i]; }
  /// Calls visit(passage) for those on an arc, in order along it.
  template <class Visit>
  void for_each_passage_on(Index arc, Visit&& visit) const {
    for (Index i = first_on_arc_[arc]; i < first_on_arc_[arc + 1]; ++i) visit(on_arc_[i]);
  }
  [[nodiscard]] bool has_passage_on(Index arc) const { return first_on_arc_[arc] < first_on_arc_[arc + 1]; }
  /// The obstacles at the ends of a directed passage.
  [[nodiscard]] Index left(Index directed) const { return left_[directed]; }
  [[nodiscard]] Index right(Index directed) const { return left_[directed ^ 1]; }
  [[nodiscard]] Index next_left(Index directed) const { return next_left_[directed]; }
  [[nodiscard]] Index next_right(Index directed) const { return before_left_[directed ^ 1] ^ 1; }
  /// Calls visit(passage) for the passages out of the region between two passages in a row that lie on the left hand, or on the right hand.
  template <class Visit>
  void for_each_passed_by(Index from, Index to, bool on_left, Visit&& visit) const {
    const auto next = [&](Index p) { return on_left ? next_left(p) : next_right(p); };
    Index q = next(from);
    for (std::size_t most = next_left_.size(); q != to && most > 0; --most, q = next(q ^ 1)) visit(q);
  }

  /// The obstacle whose boundary on that layer is nearest to a point, walkable or not; none where the layer has no boundary. O(n).
  [[nodiscard]] Index nearest(const Mesh& mesh, const Place& place) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  void walk_around(const Mesh& mesh, Index first_cell);
  void add_points(const Mesh& mesh, std::span<const Index> cells);
  void list_passages(const Mesh& mesh);
  void widen_rings(const Mesh& mesh);
  void order_passages();
  void name_places();
  [[nodiscard]] std::span<const Index> cells_around(Index obstacle) const {
    return std::span(cells_).subspan(first_cell_[obstacle], first_cell_[obstacle + 1] - first_cell_[obstacle]);
  }

  std::vector<Obstacle> obstacles_;
  std::vector<Index> of_site_;
  std::vector<Place> outlines_;
  std::vector<Passage> passages_;
  std::vector<Index> first_on_arc_, on_arc_;
  std::vector<Index> left_;                     ///< of directed passages
  std::vector<Index> next_left_, before_left_;  ///< a permutation and its inverse
  // While it is made: the cells around each obstacle, obstacle by obstacle, free space on the left.
  std::vector<Index> cells_, first_cell_;
};

/// What of the laws does not hold; empty where all do.
[[nodiscard]] Problems validate_obstacles(const Mesh& mesh, const Obstacles& obstacles);

}  // namespace throng::navmesh
