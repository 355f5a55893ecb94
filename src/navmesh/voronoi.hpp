// The segment Voronoi diagram as the mesh builder wants it, whoever computes it.
//
// Laws of a diagram (check_voronoi() in voronoi_check.hpp tests them)
// 1. Every vertex is equidistant from the sources of the edges that end there.
// 2. Euler: vertices - edges + cells = 1 (counting one vertex at infinity, the diagram being connected).
// 3. Every end point where segments of different directions meet is a vertex.
// 4. Coordinates are in grid units and good to `vertex_tolerance`.
//
// Units: grid units. Source: segment Voronoi diagrams as in Aurenhammer, Klein, Lee 2013, chapter 5.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "geometry/grid_point.hpp"
#include "throng/result.hpp"
#include "throng/vec2.hpp"

namespace throng::navmesh {

/// Vertices nearer to each other than this are one: well above Boost's rounding (64 units in the last place of 2^27),
/// far below what a snap grid can resolve.
inline constexpr double vertex_tolerance = 1.0 / (1 << 20);

struct VoronoiSegment {
  geometry::GridPoint a, b;
};

/// What a cell belongs to: the open segment, or one of its end points (shared end points may name any of their
/// segments).
struct VoronoiSource {
  enum Part : std::uint32_t { interior = 0, start = 1, end = 2 };
  std::uint32_t segment : 30;
  std::uint32_t part : 2;
};

struct VoronoiEdge {
  static constexpr std::uint32_t at_infinity = ~std::uint32_t{0};
  std::uint32_t vertex[2];  ///< indices, or at_infinity
  VoronoiSource source[2];  ///< left and right of vertex[0] -> vertex[1]
};

/// All edges: those of no length between coincident vertices too, and those between a segment and its own end point
/// ("secondary" ones).
struct VoronoiDiagram {
  std::vector<Vec2> vertices;
  std::vector<VoronoiEdge> edges;
  std::size_t cell_count = 0;  ///< one for each segment and each distinct end point
};

class VoronoiGenerator {
 public:
  virtual ~VoronoiGenerator() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  /// The segments meet in end points only, and there are at most 2^29 of them. May be wrong: see check_voronoi().
  [[nodiscard]] virtual Result<VoronoiDiagram> generate(std::span<const VoronoiSegment> segments) const = 0;
};

}  // namespace throng::navmesh
