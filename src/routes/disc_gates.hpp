// The gates between tiles as a disc of one radius finds them, with the circles that lead to them: all that the view from a place
// (place_view.hpp) asks of a tile, in one place of memory, and in an order that leaves little to ask. What lies along an edge of the graph
// follows each other as it is walked, once for each direction; the gates of a node are listed twice, so that whichever one enters by, all others
// follow each other, apart from those into dead ends.
//
// A row is a few tiles of which each leads on to the next only, dead ends aside, without turning much: a street between two crossings, or a
// part of one. Whoever looks along it need not look at every tile: but for the last gate, only circles around corners limit straight lines through it. For let
// a line from a place before the row enter it and lead to its last gate, but leave it in between. The border of the row (walls moved inwards, arcs of circles,
// gates into dead ends) then reaches over the line from one side. Turned around the place just far enough to pass, the line touches that border where it
// bends back. Walls do not, and neither do the ends of gates into dead ends (both are as far from the node, so the way from one to the other is within a right angle of that to the
// node, on the inner side). So it is on an arc: a tangent from the place touches a circle in the row, and the line passes the circle on the wrong side or cuts it.
//
// Laws
// 1. Gates are those of CorridorTiles, by the same numbers, with their ends moved inwards by the radius.
// 2. Steps of a row follow each other. It lists every circle that borders its tiles, in order, as far as they do, on either side.
// 3. No gate of a row is turned by more than 60 degrees from its first: no row overlaps itself, whatever the layers.
// O(n log n) to make. Thread-safety: immutable.
#pragma once

#include <array>
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
  Index step = none;  ///< of a row that it is part of, entered like that
};

/// A direction, about.
struct RoughVec {
  float x = 0, y = 0;
};

/// A circle beside a row, from where gates first touch it to where they last do.
struct PassedCircle {
  Vec2 centre;
  RoughVec first, last;  ///< units, from the centre; both 0 where it is about half a turn or more from one to the other
  Index corner = none;
  Index step = none;  ///< the first that it is beside
};

/// A tile of a row, as it is passed in one direction. All that is asked of it in one line of the cache.
struct alignas(64) RowStep {
  DiscGate gate;  ///< by which it is left
  BehindGate behind;
  Index row_end = none;  ///< behind the last step
  /// Circles beside this tile or one after it, on either side.
  Index right_begin = none, right_end = none, left_begin = none, left_end = none;
};

/// A way out of an arc's tile for whoever entered it by the other gate.
struct ArcExit {
  DiscGate gate;
  Vec2 right_centre, left_centre;  ///< of the circles at the tile's sides that lead to the ends, if any do
  Index right_corner = none, left_corner = none;  ///< what they are around
  BehindGate behind;
  Index entry = 0;         ///< number of the other gate
  Index next_node = none;  ///< what all this leads to: a NodeEntry
  Index step = none;       ///< of a row
};

/// A way out of a node's tile.
struct NodeExit {
  DiscGate gate;
  BehindGate behind;
  Index twig = none;  ///< the edge behind it, if it leads into a dead end
};

/// A gate that a node's tile is entered by.
struct NodeEntry {
  Index number = 0;                         ///< of the gate
  Index in_core = none, core_count = 0;     ///< the other ways out that do not lead into dead ends,
  Index into_twigs = none, twig_count = 0;  ///< and those that do
  Index step = none;                        ///< of a row
};

class DiscGates {
 public:
  explicit DiscGates(const DiscTiles& tiles);

  [[nodiscard]] bool is_arc(Index tile) const { return tile < arc_count_; }
  [[nodiscard]] const ArcExit& arc_exit(Index at) const { return arc_exits_[at]; }
  [[nodiscard]] const NodeEntry& node_entry(Index at) const { return node_entries_[at]; }
  [[nodiscard]] std::span<const NodeExit> core_exits(const NodeEntry& entry) const {
    return {node_exits_.data() + entry.in_core, entry.core_count};
  }
  [[nodiscard]] std::span<const NodeExit> twig_exits(const NodeEntry& entry) const {
    return {node_exits_.data() + entry.into_twigs, entry.twig_count};
  }
  /// By the number of its gate.
  [[nodiscard]] const ArcExit& exit_of_arc(Index tile, Index gate) const { return arc_exits_[at_[2 * tile + gate]]; }
  /// A tile as whoever enters it by a gate finds it.
  [[nodiscard]] BehindGate entering(Index tile, Index gate) const {
    const Index at = is_arc(tile) ? at_[2 * tile + 1 - gate] : at_[arc_count_ + tile] + gate;
    return {tile, at, step_at(tile, at)};
  }
  [[nodiscard]] const RowStep& step(Index number) const { return steps_[number]; }
  /// Beside the rest of a row.
  [[nodiscard]] std::span<const PassedCircle> right_circles(const RowStep& from) const {
    return {passed_circles_.data() + from.right_begin, from.right_end - from.right_begin};
  }
  [[nodiscard]] std::span<const PassedCircle> left_circles(const RowStep& from) const {
    return {passed_circles_.data() + from.left_begin, from.left_end - from.left_begin};
  }
  /// The steps through a tile, one each way; none where there is none.
  using Through = std::array<Index, 2>;
  [[nodiscard]] const Through& steps_through(Index tile) const { return through_[tile]; }
  /// Any gate of a tile, for whoever is inside.
  struct Exit {
    DiscGate gate;
    BehindGate behind;
  };
  [[nodiscard]] Exit way_out(Index tile, Index number) const;
  [[nodiscard]] Index gate_count(Index tile) const { return Index(tiles_.tiles().gates(tile).size()); }
  /// Asks for what will be needed soon of a tile that is about to be entered: the row it is part of, or the tile itself.
  void prefetch(const BehindGate& behind) const {
    if (behind.step != none)
      prefetch(&steps_[behind.step], 1);
    else
      prefetch_tile(behind);
  }
  void prefetch_tile(const BehindGate& behind) const {
    if (is_arc(behind.tile))
      prefetch(&arc_exits_[behind.at], 2);
    else
      prefetch_node(behind.at);
  }
  void prefetch_node(Index at) const { __builtin_prefetch(&node_entries_[at]); }
  [[nodiscard]] std::size_t bytes() const {
    return arc_exits_.capacity() * sizeof(ArcExit) + node_exits_.capacity() * sizeof(NodeExit) +
           node_entries_.capacity() * sizeof(NodeEntry) + at_.capacity() * sizeof(Index) +
           steps_.capacity() * sizeof(RowStep) + passed_circles_.capacity() * sizeof(PassedCircle) +
           through_.capacity() * sizeof(Through);
  }

 private:
  class Builder;
  class RowBuilder;

  [[nodiscard]] Index step_at(Index tile, Index at) const {
    return is_arc(tile) ? arc_exits_[at].step : node_entries_[at].step;
  }

  static void prefetch(const void* from, int lines) {
    for (int line = 0; line < lines; ++line) __builtin_prefetch(static_cast<const char*>(from) + 64 * line);
  }

  const DiscTiles& tiles_;
  Index arc_count_ = 0;  ///< tiles before are those of arcs
  std::vector<ArcExit> arc_exits_;
  std::vector<NodeExit> node_exits_;
  std::vector<NodeEntry> node_entries_;
  std::vector<Index> at_;  ///< of both exits of each arc's tile; after them, of the first entry of each node's
  std::vector<RowStep> steps_;
  std::vector<PassedCircle> passed_circles_;
  std::vector<Through> through_;  ///< of each tile
};

}  // namespace throng::routes
