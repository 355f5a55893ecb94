// The gates between tiles as a disc of one radius finds them, with the circles that lead to them: all that whoever follows a straight line
// (tile_walk.hpp) asks of a tile, in one place of memory. What lies along an edge of the graph follows each other as it is walked, once for each
// direction; the gates of a node are listed twice, so that whichever one enters by, all others follow each other.
//
// Law: gates are those of CorridorTiles, by the same numbers, with their ends moved inwards by the radius.
// O(n log n) to make. Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "routes/tangent_windows.hpp"

namespace throng::routes {

/// Ends of a gate.
struct DiscGate {
  Vec2 right, left;
};

/// What is behind a gate.
struct BehindGate {
  Index tile = none;  ///< none: the disc does not get there
  /// Of an arc's tile the number of the exit at its other end (ArcExit), of a node's that of the gate (NodeEntry).
  Index at = none;
};

/// A way out of an arc's tile for whoever entered it by the other gate.
struct ArcExit {
  DiscGate gate;
  Vec2 right_centre, left_centre;  ///< of the circles at the tile's sides that lead to the ends, if any do
  Index right_corner = none, left_corner = none;  ///< what they are around
  BehindGate behind;
  Index entry = 0;  ///< number of the other gate
};

/// A way out of a node's tile.
struct NodeExit {
  DiscGate gate;
  BehindGate behind;
};

/// A gate that a node's tile is entered by.
struct NodeEntry {
  Index number = 0;               ///< of the gate
  Index first = none, count = 0;  ///< of the other ways out
};

class DiscGates {
 public:
  explicit DiscGates(const DiscTiles& tiles);

  [[nodiscard]] bool is_arc(Index tile) const { return tile < arc_count_; }
  [[nodiscard]] bool is_narrow(Index tile) const { return tiles_.is_narrow(tile); }
  [[nodiscard]] double disc() const { return tiles_.disc(); }
  [[nodiscard]] const ArcExit& arc_exit(Index at) const { return arc_exits_[at]; }
  [[nodiscard]] const NodeEntry& node_entry(Index at) const { return node_entries_[at]; }
  [[nodiscard]] std::span<const NodeExit> exits(const NodeEntry& entry) const {
    return {node_exits_.data() + entry.first, entry.count};
  }
  /// By the number of its gate.
  [[nodiscard]] const ArcExit& exit_of_arc(Index tile, Index gate) const { return arc_exits_[at_[2 * tile + gate]]; }
  /// A tile as whoever enters it by a gate finds it.
  [[nodiscard]] BehindGate entering(Index tile, Index gate) const {
    return {tile, is_arc(tile) ? at_[2 * tile + 1 - gate] : at_[arc_count_ + tile] + gate};
  }
  /// Any gate of a tile, for whoever is inside.
  struct Exit {
    DiscGate gate;
    BehindGate behind;
  };
  [[nodiscard]] Exit way_out(Index tile, Index number) const;
  [[nodiscard]] Index gate_count(Index tile) const { return Index(tiles_.tiles().gates(tile).size()); }
  [[nodiscard]] std::size_t bytes() const {
    return arc_exits_.capacity() * sizeof(ArcExit) + node_exits_.capacity() * sizeof(NodeExit) +
           node_entries_.capacity() * sizeof(NodeEntry) + at_.capacity() * sizeof(Index);
  }

 private:
  class Builder;

  const DiscTiles& tiles_;
  Index arc_count_ = 0;  ///< tiles before are those of arcs
  std::vector<ArcExit> arc_exits_;
  std::vector<NodeExit> node_exits_;
  std::vector<NodeEntry> node_entries_;
  std::vector<Index> at_;  ///< of both exits of each arc's tile; after them, of the first entry of each node's
};

}  // namespace throng::routes
