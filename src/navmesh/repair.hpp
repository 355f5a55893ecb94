// Local repair: re-do the diagram in a neighbourhood.
//
// When sites vanish, only their regions change hands (after van Toll et al. 2011 for layers and 2012 for
// dynamic obstacles). What remains nearest in there are the sites that bordered on those regions, and of a segment only
// the part that faced them: from a point of the region the way to its new nearest point leaves through the border, and
// from there on it is the old one. So the arcs of the vanished sites are taken out, and from every node on the border
// bisectors are followed inwards, from junction to junction, until each has met its counterpart. Inside there are no
// cycles to find: every new cell touches the border, so following arcs from there reaches all of them.
//
// Laws
// 1. After a repair the draft is what it would be had the removed sites never been there, up to rounding.
// 2. Nothing outside the removed regions changes, but for arcs that are prolonged across their old end.
// 3. Where a repair fails (reported, not silent), the draft is unchanged.
// Cost: O(k^2) for k sites bordering on the region. The plane projection of the region must not overlap itself.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "navmesh/axis_editor.hpp"

namespace throng::navmesh {

struct RepairTask {
  std::vector<Index> removed;  ///< sites that vanish
  /// Corners that come to face the region though no arc of theirs borders on it.
  std::vector<Index> corners;
  /// Convex corners of the free space that appear: an arc starts there, away from the corner.
  struct Start {
    Vec2 point;
    Index left, right;  ///< segments, as seen along the arc that leaves
  };
  std::vector<Start> starts;
  std::function<Index(Vec2)> layer_at;  ///< of a point in the region
};

/// Says why it failed, or nothing. Marks the removed sites.
[[nodiscard]] std::string repair(AxisEditor& editor, const RepairTask& task);

}  // namespace throng::navmesh
