// Which tiles a tight way leads through: what tells the axis's arcs it passes, and so its class.
#pragma once

#include <vector>

#include "routes/disc_gates.hpp"
#include "routes/tangent_windows.hpp"

namespace throng::routes {

/// A tile and the gate it was entered by; `gate` none: the way begins there.
struct EnteredTile {
  Index tile = none, gate = none;
};

/// Appends the tiles that a straight way of the disc enters after the one it begins in, up to the one it ends in. False, with nothing
/// appended, where it does not lead there.
bool walk_line(const DiscTiles& tiles, Vec2 from, Vec2 to, Index from_tile, Index to_tile,
               std::vector<EnteredTile>& entered);
/// The same, with the gates of the disc at hand: quicker.
bool walk_line(const DiscTiles& tiles, const DiscGates& gates, Vec2 from, Vec2 to, Index from_tile, Index to_tile,
               std::vector<EnteredTile>& entered);

enum class Walked : std::uint8_t { there, blocked, unclear };
/// Whether the disc can slide along a straight line from a place of a tile to one of another; where rounding has the last word that is not clear. The circle around
/// the corner that the line touches is not in the way.
[[nodiscard]] Walked walk_free_line(const DiscGates& gates, Vec2 from, Vec2 to, Index from_tile, Index to_tile,
                                    Index touched = none);

/// Appends the tiles of an arc around a corner, to the left (counterclockwise) or to the right.
bool walk_circle(const DiscTiles& tiles, Index corner, bool to_the_left, Index from_tile, Index to_tile,
                 std::vector<EnteredTile>& entered);

/// The arcs passed, directed, by a way through tiles, as AxisPath lists them.
void list_arcs(const CorridorTiles& tiles, const std::vector<EnteredTile>& entered, std::vector<Index>& arcs);

}  // namespace throng::routes
