// Which corners may be seen from where: for each tile, the corners from which straight lines lead into it, and in which directions. Made once for a mesh and
// a class of radii; what exact routes begin and end with.
//
// Let a disc slide from a place p along a tangent to the circle around a corner c. What it covers is convex and holds p and c, so that a point gets from p to c in a
// straight line; and that line crosses no bottleneck that is too narrow for the disc (corner_distances.hpp: the proof is the same). So the disc sees no circle but those around
// corners that p sees as a point. Those are found from the corners' side: bundles of straight lines are spread from each, once, and every tile keeps those that get there.
// For a place it is then enough to look at what its tile has kept, with a comparison each.
//
// Laws
// 1. `list` has every corner that a disc of the class can reach from a place along a tangent that touches its circle. It may have others: bundles are rounded
//    outwards, to directions of a 65,536th.
// 2. The same mesh gives the same sights, on any number of threads.
// Memory: 8 bytes for a corner and the few tiles in a row that share a list. Thread-safety: immutable.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "routes/corner_circles.hpp"

namespace throng::routes {

class CornerSights {
 public:
  /// Corners that see each other as points, by their numbers in a CornerCircles, both ways, in order.
  using Lines = std::vector<std::pair<Index, Index>>;

  /// `lines` are a by-product.
  CornerSights(const DiscTiles& point_tiles, const CornerCircles& circles, const RadiusClass& radii, Lines& lines);

  /// What is asked of a corner first.
  struct Seen {
    Vec2 centre;
    float middle_x = 0, middle_y = 0;  ///< of the free part of the circle around it (Corner)
    float least_cosine = 0;            ///< of the angle from there to where a line touches the circle; none: -2
    Index site = none;

    /// How far a vector leads along the middle; of a direction from the corner to where a line touches the circle, at least `least_cosine`.
    [[nodiscard]] double along_middle(Vec2 v) const { return v.x * double(middle_x) + v.y * double(middle_y); }
  };
  /// Where lines touch circles: in ways that lead on, or in dead ends, where only those get who begin or end there.
  enum class In : std::uint8_t { core, dead_ends };
  /// Lists the corners that a place of a tile, as points find it, may see; once each.
  void list(Index tile, Vec2 place, In in, std::vector<const Seen*>& seen) const {
    const std::span<const Bundle> bundles = into(tile, in);
    seen.resize(bundles.size());
    std::size_t count = 0;
    Index last = none;
    for (const Bundle& bundle : bundles) {  // nothing foretells which: without a branch
      const Seen& corner = corners_[bundle.corner];
      const Vec2 away = place - corner.centre;
      const bool is_within = std::uint16_t(code_of(away) - bundle.first) <= bundle.span;
      const bool is_at_hand = squared_length(away) <= at_hand * at_hand;
      const bool is_taken = (is_within | is_at_hand) & (bundle.corner != last);
      seen[count] = &corner;
      count += is_taken ? 1 : 0;
      last = is_taken ? bundle.corner : last;
    }
    seen.resize(count);
  }
  /// Asks for what will be needed soon of a tile.
  void prefetch(Index tile) const {
    const char* const begin = reinterpret_cast<const char*>(bundles_.data() + first_[2 * std::size_t(group_[tile])]);
    for (const int line : {0, 1, 2, 3, 4, 5, 6, 7}) __builtin_prefetch(begin + 64 * line);
  }
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Directions from a corner, counterclockwise.
  struct Bundle {
    Index corner = none;
    std::uint16_t first = 0, span = 0;
  };
  class Builder;

  /// Metres within which a corner is seen in any case: bundles start from points beside corners.
  static constexpr double at_hand = 0.05;
  static constexpr double codes_of_quarter = 16384;
  static constexpr double least_span = 1e-100;  ///< of something that has a direction

  /// A number that grows with the angle of a direction, and after a full turn begins anew.
  static std::uint16_t code_of(Vec2 direction) {
    const double share = direction.y / std::max(std::abs(direction.x) + std::abs(direction.y), least_span);
    const double quarters = direction.x < 0 ? 2 - share : share;
    return std::uint16_t(std::int32_t((quarters + 1) * codes_of_quarter));
  }
  [[nodiscard]] std::span<const Bundle> into(Index tile, In in) const {
    const std::size_t list = 2 * std::size_t(group_[tile]) + std::size_t(in);
    return {bundles_.data() + first_[list], first_[list + 1] - first_[list]};
  }

  std::vector<Index> group_;        ///< of each tile: a few in a row share what they keep
  std::vector<Bundle> bundles_;     ///< by groups, for each core and dead ends, and there by corners
  std::vector<std::size_t> first_;  ///< of both lists of each group, one more at the end
  std::vector<Seen> corners_;
};

}  // namespace throng::routes
