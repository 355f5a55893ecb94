// The Explicit Corridor Map (ECM): the medial axis of the free space, annotated with nearest obstacles, as one immutable value.
// Jaklin 2016, 2.1.3 and 11; Geraerts 2010; van Toll et al. 2011 (layers); van Toll, Pettre 2019, A.2.1 (passages).
//
// Words
//   site     what clearance is measured to: one side of a boundary segment, or a corner (a boundary vertex seen from one free
//            wedge of more than 180 degrees). A thin wall has two segment sites, one for each side; a boundary vertex has one
//            corner site for each such wedge.
//   node     a point of the axis: a graph vertex (one axis edge ends there, or three and more meet), or an event point (the
//            nearest site on one side changes there).
//   arc      the axis between two consecutive nodes: a straight or parabolic piece with one site on its left, one on its right.
//   edge     a maximal chain of arcs between two graph vertices; its arcs are consecutive in `arcs`, directed from -> to.
//   cell     what lies between an arc and one of its sites: bounded by the arc, the site, and the two lines from the arc's ends
//            to their nearest points on the site. Cell 2i is left of arc i, cell 2i + 1 is right of it.
//
// Laws (validate() in validate.hpp has a checker for each, by these numbers)
//  1. Every index is in range, every number finite; arcs of an edge are contiguous and head to tail; an edge's inner nodes are
//     event points and belong to that edge only.
//  2. Nodes are equidistant: at either end of an arc both its sites are at distance `clearance`, to `distance_tolerance`.
//  3. Nodes are nearest: no site that can be seen from the node in a straight line is nearer than its clearance.
//  4. Arcs lie on the bisector of their two sites: sampled points are equidistant and no other site is nearer.
//  5. Cells of one site tile its region: consecutive in order, sharing the line at their common node (`site_cells`).
//  6. Cells tile the free space: their areas sum to its area; none is negative.
//  7. The graph is connected exactly as the free space is.
//  8. Clearance is continuous across connections: both layers give the same value along it.
//  9. Graph vertices have degree 1 or at least 3 (2 only on a closed loop without any other vertex, its smallest node).
// 10. A node of clearance 0 is a convex corner of the free space and has degree 1.
// 11. Passages are interior local minima of clearance along an edge, with the axis point between its two nearest points; at
//     most one for each minimum; ordered by edge, then along it.
// 12. Canonical: node, edge and site order depend on geometry only, not on the order of the input; neither does hash().
//
// Units: metres in the world's coordinates. All planning happens in the plane projection of the layers.
// Thread-safety: immutable after building; every query may run on any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "environment/clean/clean.hpp"
#include "throng/vec2.hpp"

namespace throng::navmesh {

using Index = std::uint32_t;
inline constexpr Index none = ~Index{0};

/// A place in the world: layers may lie above each other, so a point alone does not say where one is.
struct Place {
  Vec2 point;
  Index layer = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

struct Site {
  Vec2 a, b;             ///< a == b: a corner. Otherwise a segment with its free space to the left of a->b
  Index layer = 0;       ///< of a corner at the end of connections: the lowest of the layers that meet there
  Index first_cell = 0;  ///< this site's cells are site_cells[first_cell .. first_cell + cell_count): along a->b for a
  Index cell_count =
      0;  ///< segment, counterclockwise around a corner. Segments seen by nobody and flat corners have none

  [[nodiscard]] bool is_corner() const { return a == b; }
};

struct Node {
  Vec2 point;
  double clearance = 0;
  Index layer = 0;           ///< on a connection: either of its layers
  Index first_edge_end = 0;  ///< graph vertices: edge_ends[first_edge_end ..), counterclockwise; event points have none
  Index degree = 0;          ///< number of axis edges that end here; 0 for event points
};

struct Arc {
  Index from = 0, to = 0;  ///< nodes
  Index site[2] = {0, 0};  ///< left and right of from->to
  Index edge = 0;
};

struct Edge {
  Index from = 0, to = 0;  ///< nodes that are graph vertices
  Index first_arc = 0;
  Index arc_count = 0;
  double length = 0;         ///< of the exact curve
  double min_clearance = 0;  ///< smallest clearance along it, ends included: the widest disc that can walk it whole
};

/// One end of an edge at a graph vertex.
struct EdgeEnd {
  Index edge = 0;
  bool at_to = false;  ///< this is the edge's `to` end
};

/// A narrowest place: the segment between the two nearest points of a local minimum of clearance (van Toll, Pettre 2019, A.2.1). It is crossed by
/// one arc, at `point`; directed half-edges of it are 2i (along the edge) and 2i + 1 (against it).
struct Passage {
  Vec2 point;
  double clearance = 0;
  Index arc = 0;
  Vec2 left, right;          ///< nearest obstacle points, left and right of the arc
  Index region[2] = {0, 0};  ///< the region behind it and the one ahead, along the arc; may be the same
};

/// Where two layers join: free space of `left_layer` left of a->b, of `right_layer` right of it.
struct Connection {
  Vec2 a, b;
  Index left_layer = 0, right_layer = 0;
};

/// A cell that a connection runs through or along: points of it may be in either of the connection's layers.
struct Straddle {
  Index cell = 0;
  Index connection = 0;
};

/// Ids for callers that outlive a mesh version: they know which version they were made on.
struct CellId {
  Index index = none;
  std::uint32_t generation = 0;
  friend bool operator==(const CellId&, const CellId&) = default;
};
struct EdgeId {
  Index index = none;
  std::uint32_t generation = 0;
  friend bool operator==(const EdgeId&, const EdgeId&) = default;
};

class Locator;  // locate.hpp

/// Outside navmesh/ a mesh is read through the functions below and never through its arrays, so that storage may change.
struct Mesh {
  geometry::SnapGrid grid;
  std::vector<environment::Layer> layers;
  std::vector<Site> sites;
  std::vector<Node> nodes;
  std::vector<Arc> arcs;
  std::vector<Edge> edges;
  std::vector<EdgeEnd> edge_ends;
  std::vector<Index> site_cells;
  std::vector<Passage> passages;  ///< ordered by arc
  Index region_count = 0;         ///< regions are what remains connected when every passage is cut
  std::vector<Connection> connections;
  std::vector<Straddle> straddles;  ///< ordered by cell, then connection
  std::uint64_t environment_hash = 0;
  std::uint32_t generation = 0;  ///< the version: every built, loaded or changed mesh of a process has its own
  std::shared_ptr<const Locator> locator;

  [[nodiscard]] const Site& site(Index i) const { return sites[i]; }
  [[nodiscard]] const Node& node(Index i) const { return nodes[i]; }
  [[nodiscard]] const Arc& arc(Index i) const { return arcs[i]; }
  [[nodiscard]] const Edge& edge(Index i) const { return edges[i]; }
  [[nodiscard]] const Passage& passage(Index i) const { return passages[i]; }
  [[nodiscard]] const Connection& connection(Index i) const { return connections[i]; }
  /// How many numbers there are: every number is below its count.
  [[nodiscard]] std::size_t site_count() const { return sites.size(); }
  [[nodiscard]] std::size_t node_count() const { return nodes.size(); }
  [[nodiscard]] std::size_t arc_count() const { return arcs.size(); }
  [[nodiscard]] std::size_t edge_count() const { return edges.size(); }
  [[nodiscard]] std::size_t passage_count() const { return passages.size(); }
  [[nodiscard]] std::size_t connection_count() const { return connections.size(); }
  /// All of a kind, by ascending number. What is walked is not promised to lie in one array.
  [[nodiscard]] std::span<const Site> all_sites() const { return sites; }
  [[nodiscard]] std::span<const Node> all_nodes() const { return nodes; }
  [[nodiscard]] std::span<const Edge> all_edges() const { return edges; }
  [[nodiscard]] std::span<const Passage> all_passages() const { return passages; }
  [[nodiscard]] std::span<const Connection> all_connections() const { return connections; }
  /// A site's cells, along a->b or counterclockwise; site_cell(c) for c from first_cell on gives the same ones.
  [[nodiscard]] std::span<const Index> cells_of(const Site& site) const {
    return std::span(site_cells).subspan(site.first_cell, site.cell_count);
  }
  [[nodiscard]] Index site_cell(Index i) const { return site_cells[i]; }
  /// The edges that end at a node, counterclockwise; none at event points.
  [[nodiscard]] std::span<const EdgeEnd> edge_ends_at(Index node) const {
    return std::span(edge_ends).subspan(nodes[node].first_edge_end, nodes[node].degree);
  }
  [[nodiscard]] std::size_t cell_count() const { return 2 * arcs.size(); }
  [[nodiscard]] Index site_of(Index cell) const { return arcs[cell / 2].site[cell % 2]; }
  [[nodiscard]] Index opposite_site_of(Index cell) const { return arcs[cell / 2].site[1 - cell % 2]; }
  [[nodiscard]] CellId id_of_cell(Index cell) const { return {cell, generation}; }
  [[nodiscard]] EdgeId id_of_edge(Index edge) const { return {edge, generation}; }
  [[nodiscard]] bool holds(CellId id) const { return id.generation == generation && id.index < cell_count(); }
  [[nodiscard]] bool holds(EdgeId id) const { return id.generation == generation && id.index < edges.size(); }
  [[nodiscard]] std::size_t bytes() const;   ///< memory held, locator included
  [[nodiscard]] std::uint64_t hash() const;  ///< FNV-1a 64 over the geometry and the graph in canonical order
};

/// Meshes are shared between threads and versions; a change makes a new one (docs/architecture.md, mesh versions).
using MeshPtr = std::shared_ptr<const Mesh>;

/// The point of a site nearest to p (in the plane; the caller knows that p sees it).
[[nodiscard]] inline Vec2 nearest_on(const Site& site, Vec2 p) {
  const Vec2 d = site.b - site.a;
  const double length2 = squared_length(d);
  if (length2 == 0) return site.a;
  const double t = dot(p - site.a, d) / length2;
  return t <= 0 ? site.a : t >= 1 ? site.b : site.a + d * t;
}

}  // namespace throng::navmesh
