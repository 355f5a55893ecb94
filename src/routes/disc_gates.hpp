// The gates between tiles as a disc of one radius finds them, with the circles that lead to them: all that the view from a place
// (place_view.hpp) asks of a tile, in one place of memory.
//
// Laws
// 1. Gates are those of CorridorTiles, by the same numbers, with their ends moved inwards by the radius.
// O(n) to make. Thread-safety: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "routes/tangent_windows.hpp"

namespace throng::routes {

/// A way out of a tile for whoever entered it by another gate.
struct DiscGate {
  Vec2 right, left;                ///< ends
  Vec2 right_centre, left_centre;  ///< of the circles at the tile's sides that lead to the ends, if any do
  Index right_corner = none, left_corner = none;  ///< what they are around
  Index tile = none;                              ///< beyond; none: the disc does not get there
  Index first = none;                             ///< gate of the tile beyond, among all
  Index twig = none;                              ///< the edge beyond, if it leads into a dead end
  std::uint32_t back = 0;                         ///< the same gate's number beyond
};

class DiscGates {
 public:
  explicit DiscGates(const DiscTiles& tiles);

  [[nodiscard]] std::span<const DiscGate> of(Index tile) const {
    return {gates_.data() + first_[tile], first_[tile + 1] - first_[tile]};
  }
  /// By its number among all: those of a tile follow each other.
  [[nodiscard]] const DiscGate& operator[](Index gate) const { return gates_[gate]; }
  [[nodiscard]] Index first_of(Index tile) const { return first_[tile]; }
  [[nodiscard]] std::size_t bytes() const {
    return gates_.capacity() * sizeof(DiscGate) + first_.capacity() * sizeof(Index);
  }

 private:
  std::vector<DiscGate> gates_;
  std::vector<Index> first_;  ///< of each tile, one more at the end
};

}  // namespace throng::routes
