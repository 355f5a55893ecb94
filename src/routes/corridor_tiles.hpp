// The free space as convex tiles whose vertices all lie on obstacles: what lies between two gates of an arc, and between all gates
// of a graph vertex. A gate is the chord between the two nearest obstacle points of a node (J 2.1.3; Geraerts 2010). Whoever
// passes an obstacle corner crosses a gate that ends in it, so corners are met at gates and nowhere else.
//
// Laws
// 1. Tiles are convex and hold no obstacle; together they cover the free space.
// 2. Gates are shared: tile(gate).gates[gate.back] leads back through the same two points, to the bit.
// 3. A gate's end is marked with the obstacle corner it lies in, if it does, on both sides of the gate.
// Independent of radius: built once for a mesh. O(n). Thread-safety: immutable.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "routes/route_graph.hpp"

namespace throng::routes {

/// One end of a gate.
struct GatePost {
  Vec2 point;
  Index corner = none;  ///< the corner's site; none: a point of a wall
};

/// A way out of a tile. Seen by whoever leaves, `right` is right and `left` left; the tile lies left of right->left.
struct TileGate {
  GatePost right, left;
  double clearance = 0;  ///< of the node it runs across: a wider body does not get through
  Index tile = none;     ///< beyond; none: a dead end
  Index back = none;     ///< the same gate's number in that tile
};

class CorridorTiles {
 public:
  explicit CorridorTiles(std::shared_ptr<const RouteGraph> graph);

  [[nodiscard]] const RouteGraph& graph() const { return *graph_; }
  [[nodiscard]] std::size_t size() const { return first_gate_.size() - 1; }
  [[nodiscard]] std::span<const TileGate> gates(Index tile) const {
    return {gates_.data() + first_gate_[tile], first_gate_[tile + 1] - first_gate_[tile]};
  }
  /// Largest distance between ends of a tile's gates: nothing in the tile is farther from anything else in it.
  [[nodiscard]] double diameter(Index tile) const { return diameter_[tile]; }
  /// Tiles of arcs are numbered like them; those of nodes follow.
  [[nodiscard]] bool is_arc(Index tile) const { return tile < graph_->mesh().arcs.size(); }
  /// The tile that holds a point of a cell. O(1): the tile of the cell's arc, or a neighbour of it.
  [[nodiscard]] Index tile_at(Index cell, Vec2 p) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  class Builder;

  std::shared_ptr<const RouteGraph> graph_;
  std::vector<TileGate> gates_;
  std::vector<Index> first_gate_;
  std::vector<double> diameter_;
};

}  // namespace throng::routes
