// Rings and polygons on the snap grid, and how faces of a plane graph become polygons.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "geometry/grid_point.hpp"
#include "geometry/plane_graph.hpp"

namespace throng::geometry {

using GridRing = std::vector<GridPoint>;

struct GridPolygon {
  GridRing outer;               ///< counterclockwise
  std::vector<GridRing> holes;  ///< clockwise
  friend bool operator==(const GridPolygon&, const GridPolygon&) = default;
  friend auto operator<=>(const GridPolygon&, const GridPolygon&) = default;
};

/// Twice the signed area of a ring, in square units; positive when counterclockwise. Exact.
[[nodiscard]] std::int64_t twice_area(const GridRing& ring);

inline constexpr std::int32_t no_label = -1;

/// The polygons that faces of equal label make together: result[label], each polygon the closure of a connected set of faces.
/// Labels run from 0; faces of `no_label` belong to none. Rings are simple: where a border touches itself it is cut there.
/// Straight vertices are left out unless a third border edge ends there or `pinned` (one flag a vertex) says to keep them.
/// Everything is in canonical order.
[[nodiscard]] std::vector<std::vector<GridPolygon>> face_polygons(const PlaneGraph& graph,
                                                                  std::span<const std::int32_t> labels,
                                                                  std::size_t label_count,
                                                                  const std::vector<bool>& pinned);

}  // namespace throng::geometry
