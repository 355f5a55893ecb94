// The free space of a disc as tiles: what lies between two gates of an arc, and between all gates of a graph vertex. A gate is the
// chord between the two nearest obstacle points of a node (Jaklin 2016, 2.1.3; Geraerts 2010), each moved towards the node by the disc's
// radius: the disc of that clearance around the node is free, and so is a chord of it.
//
// Laws, for every radius
// 1. Tiles hold no place nearer to an obstacle than the radius; together they cover all that are not.
// 2. The tile of a graph vertex is convex. The tile of an arc has its two gates as ends and the arc's two sites, moved inwards by the
//    radius, as sides: a straight line for a wall, an arc of a circle around a corner. No other corner's disc reaches into it, however
//    many overlap elsewhere: that is what makes the Voronoi cell of a site its own. A line between two gates of a tile is free
//    exactly if it does not cut the discs around the tile's own two corners.
// 3. Gates of an arc's tile do not cross, and the whole tile lies on the inner side of the line of each. (Chords are normal to the
//    axis. Between two walls, or two corners, they are parallel; between a corner and a wall their lines all meet in the point
//    of the corner's disc that is farthest from the wall.)
// 4. Gates are shared: tile(gate).gates[gate.back] leads back through the same two points, to the bit.
// 5. A gate's end is marked with the obstacle corner it is nearest to, if it is one, on both sides of the gate.
// What is stored is independent of the radius: built once for a mesh. O(n). Thread-safety: immutable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "geometry/tolerances.hpp"
#include "routes/route_graph.hpp"

namespace throng::routes {

/// One end of a gate.
struct GatePost {
  Vec2 point;           ///< on the obstacle
  Index corner = none;  ///< the corner's site; none: a point of a wall
  Vec2 inward = {};     ///< unit, from the obstacle to the node; zero at a node on an obstacle
};

/// A way out of a tile. Seen by whoever leaves, `right` is right and `left` left; the tile lies left of right->left.
struct TileGate {
  GatePost right, left;
  double clearance = 0;  ///< of the node it runs across: a wider body does not get through
  Index tile = none;     ///< beyond; none: a dead end
  Index back = none;     ///< the same gate's number in that tile

  /// A door of exactly twice the radius lets the disc through.
  [[nodiscard]] bool lets_through(double radius) const { return clearance >= radius - tolerance::same; }
  /// The ends for a disc. One that does not fit through has both of them at the node.
  [[nodiscard]] Vec2 right_for(double radius) const { return right.point + right.inward * std::min(radius, clearance); }
  [[nodiscard]] Vec2 left_for(double radius) const { return left.point + left.inward * std::min(radius, clearance); }
  /// From right to left, of any length: also of a gate that a disc just fits through.
  [[nodiscard]] Vec2 across() const { return right.inward - left.inward; }
  /// How far inside the tile a point lies, in lengths of across(). Not negative for all points of the tile.
  [[nodiscard]] double inside(Vec2 p, double radius) const { return cross(across(), p - right_for(radius)); }
};

class CorridorTiles {
 public:
  explicit CorridorTiles(std::shared_ptr<const RouteGraph> graph);

  [[nodiscard]] const RouteGraph& graph() const { return *graph_; }
  [[nodiscard]] std::size_t size() const { return first_gate_.size() - 1; }
  [[nodiscard]] std::span<const TileGate> gates(Index tile) const {
    return {gates_.data() + first_gate_[tile], first_gate_[tile + 1] - first_gate_[tile]};
  }
  /// Asks for the gates of a tile of an arc, which will be needed soon.
  void prefetch(Index tile) const {
    const char* first = reinterpret_cast<const char*>(gates_.data() + first_gate_[tile]);
    for (std::size_t byte = 0; byte < 2 * sizeof(TileGate); byte += 64) __builtin_prefetch(first + byte);
  }
  /// Tiles of arcs are numbered like them; those of nodes follow.
  [[nodiscard]] bool is_arc(Index tile) const { return tile < graph_->mesh().arc_count(); }
  /// Whether a disc fits through the whole tile. Where not, and the tile is an arc's, it has two parts, one at each gate.
  [[nodiscard]] bool is_narrow(Index tile, double radius) const {
    return is_arc(tile) && graph_->arc_clearance(tile) < radius - tolerance::same;
  }
  /// The narrowest place inside an arc's tile, if the axis has one there: where a corner is nearest to the other site. Half of the distance between both;
  /// infinite where clearance only grows or shrinks along the arc. The disc of that radius in the middle is free.
  [[nodiscard]] double bottleneck(Index arc) const;
  /// The tile that holds a point of a cell, for a disc that fits there: that of the cell's arc, or one a few steps from it, dozens in a wide square with many
  /// corners around it.
  [[nodiscard]] Index tile_at(Index cell, Vec2 p, double radius) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  class Builder;

  std::shared_ptr<const RouteGraph> graph_;
  std::vector<TileGate> gates_;
  std::vector<Index> first_gate_;
};

}  // namespace throng::routes
