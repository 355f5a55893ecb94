// Steiner points on the edges of a ground surface: the nodes that cheapest paths are searched over. Jaklin 2016, 4.1; Aleksandrov,
// Lanthier, Maheshwari, Sack 1998.
//
// Nodes are the surface's vertices, then points on its edges, edge by edge from a to b. Links are never stored: ground_search.hpp finds
// them from the two triangles of an edge.
//
// How points are placed
//   rough      few, by length: enough to find which edges a good path crosses. Does not depend on weights, so one set serves everybody.
//   published  Jaklin's: from r_v = eps h_v off a vertex on, each interval 1 + eps sin(theta) times as far out as the last. h_v, "the least
//              distance from v to the boundary of its triangles" (J 4.1), is 0 at every wall: it is taken to the edges opposite v.
//   proven     intervals 1 + 0.6 eps sin(theta) from 0.15 eps (w_lo / w_hi) h_v on: the published ones leave out the ratio of weights that
//              the theorem of 1998 needs, and give no 1 + eps.
//
// Laws
// 1. `proven`, eps <= 0.5: the cheapest path over nodes, between vertices, costs at most (1 + eps) times the best, plus, for each edge
//    crossed, `least_interval` times the weight. Derivation: docs/ground.md.
// 2. No interval is below `least_interval`. Triangles narrower than that are slivers: they ask for no points.
// 3. An edge's points depend on the surface, the weights around it and the placement only, not on which edges are kept.
// Complexity: O(points). Thread-safety: immutable.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ground/surface.hpp"
#include "routes/open_list.hpp"

namespace throng::routes {

/// No interval between points is shorter, in metres: slivers cost nothing.
inline constexpr double least_interval = 0.01;

enum class PointPlacement { rough, published, proven };

struct SteinerPlacement {
  PointPlacement rule = PointPlacement::rough;
  double eps = 0.1;
  friend bool operator==(const SteinerPlacement&, const SteinerPlacement&) = default;
};

/// How a link runs: through a triangle, or along an edge.
struct LinkVia {
  Index index = 0;
  bool along = false;
  [[nodiscard]] Index packed() const { return 2 * index + (along ? 1 : 0); }
  static LinkVia from(Index packed) { return {packed / 2, packed % 2 == 1}; }
  friend bool operator==(const LinkVia&, const LinkVia&) = default;
};

/// What a step along a link costs.
[[nodiscard]] inline double cost_of(const ground::GroundCosts& costs, LinkVia via, Vec2 step) {
  return via.along ? costs.of_step_along(via.index, step) : costs.of_step(via.index, step);
}

/// What a link costs a metre, at its dearest.
[[nodiscard]] inline double weight_of(const ground::GroundCosts& costs, LinkVia via) {
  return via.along ? costs.along(via.index) : costs.of_triangle(via.index);
}

/// Where the points of an edge lie, as distances from its a on, in order; `graded` is `published` or `proven`. No interval is below
/// `least`.
void place_graded(const ground::Surface& surface, Index edge, const ground::GroundCosts& costs,
                  const SteinerPlacement& graded, double least, std::vector<double>& along);

class SteinerPoints {
 public:
  /// `costs` may be left out for rough points. `kept`, a flag an edge: edges that are not get none; empty: all are.
  SteinerPoints(const ground::Surface& surface, const ground::GroundCosts* costs, const SteinerPlacement& placement,
                const std::vector<bool>& kept = {});

  [[nodiscard]] std::size_t node_count() const { return positions_.size(); }
  [[nodiscard]] Vec2 position(Index node) const { return positions_[node]; }
  [[nodiscard]] bool is_vertex(Index node) const { return node < surface_->vertices().size(); }
  /// Of a point on an edge.
  [[nodiscard]] Index edge_of(Index node) const { return edge_of_[node - surface_->vertices().size()]; }
  [[nodiscard]] Index first_point(Index edge) const { return first_point_[edge]; }
  [[nodiscard]] Index point_end(Index edge) const { return first_point_[edge + 1]; }
  [[nodiscard]] const ground::Surface& surface() const { return *surface_; }
  [[nodiscard]] const SteinerPlacement& placement() const { return placement_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  void place_rough(double length);

  const ground::Surface* surface_;
  SteinerPlacement placement_;
  std::vector<Vec2> positions_;
  std::vector<Index> first_point_;
  std::vector<Index> edge_of_;
  std::vector<double> along_;  ///< of the edge at hand
};

/// Triangles that a place lies in or on the border of, and edges that it lies on.
void around_place(const ground::Surface& surface, const ground::Surface::Located& at, std::vector<LinkVia>& around);

}  // namespace throng::routes
