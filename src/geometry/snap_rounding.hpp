// Snap rounding: makes segments on the grid meet in grid points only, moving each by less than a unit.
//
// Every end point and every rounded crossing is a hot point; a segment is led through every hot point whose unit pixel
// it passes (Hobby 1999; Guibas, Marimont 1998). That can lead a segment past the pixel of another hot point, so
// the step is repeated until nothing moves (Halperin, Packer 2002), which makes the result a fixed point: rounding it again
// changes nothing.
//
// Laws
// 1. No two links cross or overlap partly: they are disjoint, equal, or share end points.
// 2. The links of a segment lead from its start to its end, in order along it. Their points are within `usual_drift` of it, except
//    where so many hot points crowd that one repetition leads to the next; drift_of() tells where.
// 3. The result depends on the set of segments only, not on their order, direction or repetition.
// 4. snap_round of the links gives the links.
//
// Cost: O((n + k) log n) for n segments with k crossings and passed points.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/grid_point.hpp"

namespace throng::geometry {

struct GridSegment {
  GridPoint a, b;
  friend bool operator==(const GridSegment&, const GridSegment&) = default;
};

/// A piece of the rounded segment `source`, in its direction.
struct Link {
  GridPoint a, b;
  std::uint32_t source = 0;
};

/// How far links lie from their segment, in units, but where features crowd. Snapping the source moved it by up to 0.71 already, and
/// both together stay below the two units that cleaning promises.
inline constexpr double usual_drift = 1.29;
/// How far the ends of a link lie from its segment, in units.
[[nodiscard]] double drift_of(const Link& link, const GridSegment& segment);

enum class HotFirst {
  everything,  ///< end points and crossings at once: nothing moves more than it must
  /// Segments are led through end points before crossings are sought. An edge that was once led along another then coincides
  /// with it again instead of crossing it in a sawtooth. Moves segments by up to one more rounding.
  end_points,
};

/// What a rounding may cost before it is given up: segments that lie over each other in a heap have as many crossings as pairs. The
/// numbers are those of a minute and of a few gigabytes.
struct RoundingBudget {
  std::uint64_t pairs = 3'000'000'000;  ///< of segments whose boxes overlap
  std::uint64_t crossings = 10'000'000;
  std::uint64_t segments = std::uint64_t(1) << 28;  ///< they, and half-edges made of them, are counted in 32 bits
  bool is_spent = false;
};

/// Segments of length zero give no link, but their point is hot. Where the budget is spent, there are no links at all.
[[nodiscard]] std::vector<Link> snap_round(const std::vector<GridSegment>& segments,
                                           HotFirst first = HotFirst::everything, RoundingBudget* budget = nullptr);

/// The grid point nearest to the crossing of two segments that properly cross; halves round up. Exact.
[[nodiscard]] GridPoint rounded_crossing(const GridSegment& s, const GridSegment& t);

/// Whether the segments cross in one point interior to both. Exact.
[[nodiscard]] bool properly_cross(const GridSegment& s, const GridSegment& t);

/// Whether the segment meets the half-open pixel [x - 1/2, x + 1/2) x [y - 1/2, y + 1/2) of p. Exact.
[[nodiscard]] bool passes_pixel(const GridSegment& s, GridPoint p);

}  // namespace throng::geometry
