// The graph of Steiner points over a ground surface, for one row of weights:
// its links are never stored. Jaklin 2016, 4.1; Aleksandrov, Lanthier,
// Maheshwari, Sack 1998.
//
// Nodes are the surface's vertices, then points on its edges, edge by edge from
// a to b. Two nodes on different edges of a triangle are linked at its weight,
// a vertex with the points opposite; neighbours on an edge at the smaller
// weight of its two sides.
//
// Laws
// 1. `approximation` places points so that the cheapest path over nodes,
// between vertices, costs at most (1 + eps) times the
//    best: intervals grow by 1 + 0.6 eps sin(angle) from 0.15 eps (w_lo / w_hi)
//    h off either end, h being the distance from the vertex to the edges
//    opposite it (the paper's closed surfaces have no walls; measured to the
//    rim of its triangles it would be 0 at each). No interval is below
//    `least_interval`: the cost is then off by at most that, times the weight,
//    for each edge crossed.
// 2. `rough` places few points by length: enough to find the edges that a good
// path crosses.
// 3. Triangles of infinite weight have no links. Where edges are told to be
// left out, their points have none either. Thread-safety: immutable.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ground/surface.hpp"
#include "routes/open_list.hpp"

namespace throng::routes {

/// No interval between points is shorter, in metres: slivers cost nothing.
inline constexpr double least_interval = 0.01;

struct SteinerPlacement {
  bool approximation = false;
  double eps = 0.1;
};

/// How a link runs: through a triangle, or along an edge.
struct LinkVia {
  Index index = 0;
  bool along = false;
  [[nodiscard]] Index packed() const { return 2 * index + (along ? 1 : 0); }
  static LinkVia from(Index packed) { return {packed / 2, packed % 2 == 1}; }
  friend bool operator==(const LinkVia&, const LinkVia&) = default;
};

class GroundGraph {
 public:
  GroundGraph(const ground::Surface& surface, const ground::GroundCosts& costs, const SteinerPlacement& placement);

  [[nodiscard]] std::size_t node_count() const { return positions_.size(); }
  [[nodiscard]] Vec2 position(Index node) const { return positions_[node]; }
  [[nodiscard]] bool is_vertex(Index node) const { return node < surface_->vertices().size(); }
  /// Of a point on an edge.
  [[nodiscard]] Index edge_of(Index node) const { return edge_of_[node - surface_->vertices().size()]; }
  [[nodiscard]] Index first_point(Index edge) const { return first_point_[edge]; }
  [[nodiscard]] Index point_end(Index edge) const { return first_point_[edge + 1]; }
  [[nodiscard]] const ground::Surface& surface() const { return *surface_; }
  [[nodiscard]] const ground::GroundCosts& costs() const { return *costs_; }

  /// Only these edges take part from now on (one flag an edge); empty: all.
  void keep_only(std::vector<bool> edges) { kept_ = std::move(edges); }
  [[nodiscard]] bool keeps(Index edge) const { return kept_.empty() || kept_[edge]; }

  /// How a place is joined to the nodes around it: visit(node, cost, via).
  template <class Visit>
  void for_each_beside(const ground::Surface::Located& at, Visit&& visit) const;
  /// Triangles that a place lies in or on the border of, and edges that it lies
  /// on.
  void around_place(const ground::Surface::Located& at, std::vector<LinkVia>& around) const;

  template <class Visit>
  void for_each_neighbour(Index node, Visit&& visit) const;

 private:
  template <class Visit>
  void visit_points(Index edge, Vec2 from, double weight, Index via, Visit&& visit) const {
    if (!keeps(edge)) return;
    for (Index p = first_point_[edge]; p < first_point_[edge + 1]; ++p)
      visit(p, weight * distance(positions_[p], from), via);
  }
  template <class Visit>
  void visit_vertex(Index v, Vec2 from, double weight, Index via, Visit&& visit) const {
    visit(v, weight * distance(positions_[v], from), via);
  }
  void place_rough(Index edge, double eps);
  void place_approximation(Index edge, double eps);
  void measure_vertices();
  void add_point(Index edge, double t);

  const ground::Surface* surface_;
  const ground::GroundCosts* costs_;
  std::vector<Vec2> positions_;
  std::vector<Index> first_point_;
  std::vector<Index> edge_of_;
  std::vector<bool> kept_;
  std::vector<double> vicinity_;  ///< by vertex, only while points are placed: (w_lo / w_hi) h
};

template <class Visit>
void GroundGraph::for_each_neighbour(Index node, Visit&& visit) const {
  const Vec2 here = positions_[node];
  if (!is_vertex(node)) {
    const Index e = edge_of(node);
    if (!keeps(e)) return;
    const auto& edge = surface_->edges()[e];
    const double along = costs_->along(e);
    const LinkVia via{e, true};
    visit_vertex(node > first_point_[e] ? node - 1 : edge.a, here, along, via.packed(), visit);
    visit_vertex(node + 1 < first_point_[e + 1] ? node + 1 : edge.b, here, along, via.packed(), visit);
    for (const Index t : edge.triangle) {
      if (t == none || !costs_->open(t)) continue;
      const auto& triangle = surface_->triangles()[t];
      const double weight = costs_->of_triangle(t);
      const Index through = LinkVia{t, false}.packed();
      for (const Index other : triangle.edge)
        if (other != e) visit_points(other, here, weight, through, visit);
      visit_vertex(triangle.vertex[std::size_t(triangle.side_of(e))], here, weight, through, visit);
    }
    return;
  }
  for (const Index e : surface_->edges_at(node)) {
    const auto& edge = surface_->edges()[e];
    if (keeps(e)) {
      const bool from_a = edge.a == node;
      const bool bare = first_point_[e] == first_point_[e + 1];
      const Index next = bare ? (from_a ? edge.b : edge.a) : from_a ? first_point_[e] : first_point_[e + 1] - 1;
      const double along = costs_->along(e);
      visit_vertex(next, here, along, LinkVia{e, true}.packed(), visit);
    }
    for (const Index t : edge.triangle) {  // every triangle of the fan lies
                                           // counterclockwise of one edge
      if (t == none || !costs_->open(t)) continue;
      const auto& triangle = surface_->triangles()[t];
      const int corner = triangle.corner_of(node);
      if (corner < 0 || triangle.edge[std::size_t(corner + 2) % 3] != e) continue;
      visit_points(triangle.edge[std::size_t(corner)], here, costs_->of_triangle(t), LinkVia{t, false}.packed(), visit);
    }
  }
}

template <class Visit>
void GroundGraph::for_each_beside(const ground::Surface::Located& at, Visit&& visit) const {
  std::vector<LinkVia> around;
  around_place(at, around);
  for (const LinkVia via : around) {
    if (via.along) {
      const double along = costs_->along(via.index);
      visit_points(via.index, at.point, along, via.packed(), visit);
      visit_vertex(surface_->edges()[via.index].a, at.point, along, via.packed(), visit);
      visit_vertex(surface_->edges()[via.index].b, at.point, along, via.packed(), visit);
    } else if (costs_->open(via.index)) {
      const double weight = costs_->of_triangle(via.index);
      for (const Index e : surface_->triangles()[via.index].edge)
        visit_points(e, at.point, weight, via.packed(), visit);
      for (const Index v : surface_->triangles()[via.index].vertex)
        visit_vertex(v, at.point, weight, via.packed(), visit);
    }
  }
}

}  // namespace throng::routes
