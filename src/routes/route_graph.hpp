// The mesh's graph as searches see it: dead ends peeled off, chains of edges drawn together. On a city map nine of ten axis
// vertices vanish that way, and A* with them.
//
// Words
//   junction  a graph vertex of the mesh where three or more edges meet after peeling, or the last vertex of a component that
//             is a tree.
//   chain     edges in a row between two junctions, neither peeled nor with a choice in between.
//   twig      a peeled edge: it leads from somewhere into a dead end; `towards core` is the other way.
//
// Laws
// 1. Every edge of the mesh is in exactly one chain, or is a twig. Following twigs towards the core ends at a vertex of the
//    core, by a unique way.
// 2. `clearance` of a chain is the smallest along it; a body fits through it if its radius is at most that.
// Independent of radius: built once for a mesh. O(n). Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "geometry/box_index.hpp"
#include "navmesh/mesh.hpp"
#include "routes/search.hpp"

namespace throng::routes {

/// An edge walked in a direction.
struct Step {
  Index edge = none;
  bool forward = true;  ///< from -> to
  friend bool operator==(const Step&, const Step&) = default;
};

struct Chain {
  Index from = none, to = none;  ///< junctions
  Index first_step = 0;          ///< steps[first_step .. first_step + step_count) lead from -> to
  Index step_count = 0;
  double length = 0;
  double clearance = 0;
};

/// A chain seen from one of its ends, all that a search asks of it in one place.
struct ChainEnd {
  Index to = none;   ///< the junction at the other end
  Index via = none;  ///< 2 * chain + (1 if it is walked from the chain's `to`)
  double length = 0;
  double clearance = 0;
};

/// What borders an arc, left (0) and right (1) of it: nearest obstacle points at its nodes, corners, how much room there is.
struct ArcBorder {
  Vec2 at_from[2], at_to[2];
  Index corner[2] = {none, none};  ///< the site, where it is a corner: then all points of its side are that corner
  double clearance = 0;            ///< smallest along the arc, ends included
};

class ChainSides;       // chain_sides.hpp
class CornerDistances;  // corner_distances.hpp
class CorridorTiles;    // corridor_tiles.hpp
class TangentTable;     // tangent_table.hpp

class RouteGraph {
 public:
  explicit RouteGraph(navmesh::MeshPtr mesh);
  RouteGraph(const RouteGraph&) = delete;  // what exact routes need knows where it is
  RouteGraph& operator=(const RouteGraph&) = delete;

  [[nodiscard]] const navmesh::Mesh& mesh() const { return *mesh_; }
  [[nodiscard]] const navmesh::MeshPtr& mesh_ptr() const { return mesh_; }

  [[nodiscard]] std::size_t junction_count() const { return junction_node_.size(); }
  [[nodiscard]] const std::vector<Chain>& chains() const { return chains_; }
  [[nodiscard]] std::span<const Step> steps_of(const Chain& chain) const {
    return {steps_.data() + chain.first_step, chain.step_count};
  }
  [[nodiscard]] std::span<const ChainEnd> chain_ends(Index junction) const {
    return {chain_ends_.data() + first_chain_end_[junction],
            first_chain_end_[junction + 1] - first_chain_end_[junction]};
  }
  [[nodiscard]] Vec2 point_of(Index junction) const { return junction_point_[junction]; }

  /// The junction at a mesh node; none elsewhere.
  [[nodiscard]] Index junction_at(Index node) const { return junction_at_[node]; }
  /// The chain an edge is part of, and its place in it; none for twigs.
  [[nodiscard]] Index chain_of(Index edge) const { return chain_of_[edge]; }
  [[nodiscard]] Index place_in_chain(Index edge) const { return place_in_chain_[edge]; }
  [[nodiscard]] bool is_twig(Index edge) const { return chain_of_[edge] == none; }
  /// From a graph vertex that lies in a dead end, the step towards the core; edge none at vertices of the core.
  [[nodiscard]] Step towards_core(Index node) const { return towards_core_[node]; }
  /// Smallest clearance along an arc, ends included.
  [[nodiscard]] double arc_clearance(Index arc) const { return borders_[arc].clearance; }
  [[nodiscard]] const ArcBorder& border(Index arc) const { return borders_[arc]; }
  /// Length of an edge before an arc of it, from the edge's `from`.
  [[nodiscard]] double arc_offset(Index arc) const { return arc_offset_[arc]; }
  /// The first passage on an arc, or after it: those on the arc end where the next arc's begin.
  [[nodiscard]] Index first_passage(Index arc) const { return first_passage_[arc]; }
  /// For a vertex of the core that is no junction: an edge of the chain it is on. The vertex is one of that edge's ends.
  [[nodiscard]] Index core_edge_at(Index node) const { return core_edge_at_[node]; }

  /// Number of the connected part of the free space that an edge lies in.
  [[nodiscard]] Index component_of(Index edge) const { return component_of_[edge]; }
  /// Sites near a point of a layer, for points that are not walkable themselves.
  [[nodiscard]] const geometry::BoxIndex& site_index() const { return site_index_; }

  /// Which obstacles lie left and right of chains. Made when first asked for, by whichever thread.
  [[nodiscard]] const std::shared_ptr<const ChainSides>& sides() const;
  /// For exact routes. Made when first asked for, by whichever thread; not to be used for longer than the graph.
  [[nodiscard]] const std::shared_ptr<const CorridorTiles>& corridor_tiles() const;
  /// The same for each class of radii.
  [[nodiscard]] const std::shared_ptr<const CornerDistances>& corner_distances(double radius) const;
  /// The same for one radius; the tables of the radii asked for last are kept.
  /// Where labels may not be made, and are not there, without: searches then go by the straight line.
  [[nodiscard]] std::shared_ptr<const TangentTable> tangents(double radius, bool with_labels = true) const;

  [[nodiscard]] std::size_t bytes() const;

 private:
  void peel();
  void number_components();
  void draw_chains();
  void walk_chain(Index junction, Step first);

  navmesh::MeshPtr mesh_;
  std::vector<Index> junction_node_;
  std::vector<Index> junction_at_;
  std::vector<Chain> chains_;
  std::vector<Step> steps_;
  std::vector<Vec2> junction_point_;
  std::vector<ChainEnd> chain_ends_;
  std::vector<Index> first_chain_end_;
  std::vector<Index> chain_of_, place_in_chain_;
  std::vector<Step> towards_core_;
  std::vector<Index> core_edge_at_;
  std::vector<Index> core_degree_;
  std::vector<Index> component_of_;
  geometry::BoxIndex site_index_;
  std::vector<ArcBorder> borders_;
  std::vector<double> arc_offset_;
  std::vector<Index> first_passage_;  ///< of each arc, one more at the end
  template <class T>
  struct MadeOnce {
    std::once_flag made;
    std::shared_ptr<const T> it;
  };
  mutable MadeOnce<ChainSides> sides_;
  mutable MadeOnce<CorridorTiles> corridor_tiles_;
  mutable std::map<int, MadeOnce<CornerDistances>> corner_distances_;  ///< by class of radii
  mutable std::mutex corner_distances_mutex_;
  mutable std::mutex tangents_mutex_;
  mutable std::vector<std::shared_ptr<const TangentTable>> tangents_;  ///< the last asked for at the end
};

/// The junctions and chains that are wide enough for a body, as searches see graphs. Chains lead both ways.
struct WideChains {
  const RouteGraph& graph;
  double radius = 0;

  [[nodiscard]] std::size_t node_count() const { return graph.junction_count(); }
  template <class Visit>
  void for_each_neighbour(Index junction, Visit&& visit) const {
    for (const ChainEnd& end : graph.chain_ends(junction))
      if (end.clearance >= radius) visit(end.to, end.length, end.via);
  }
};

/// Smallest clearance along an arc between two of its points (both on it).
[[nodiscard]] double arc_clearance_between(const navmesh::Mesh& mesh, Index arc, Vec2 p, Vec2 q);

/// The node where a step begins, or ends.
[[nodiscard]] inline Index start_of(const navmesh::Mesh& mesh, Step step) {
  return step.forward ? mesh.edge(step.edge).from : mesh.edge(step.edge).to;
}
[[nodiscard]] inline Index end_of(const navmesh::Mesh& mesh, Step step) {
  return step.forward ? mesh.edge(step.edge).to : mesh.edge(step.edge).from;
}
[[nodiscard]] inline Step reversed(Step step) { return {step.edge, !step.forward}; }

}  // namespace throng::routes
