// The boundary of one layer as the mesh builder sees it: segments with their free sides, vertices with their free
// wedges.
//
// Laws
// 1. Segments are those of the layer's rings and walls, in their order. A ring edge has free space on its left only, a
//    wall on both sides.
// 2. A site is one free side of a segment (directed so that the free space is on its left), or a corner: a vertex with
//    a free wedge of more than 180 degrees. A vertex has at most one such wedge. Segment sites come first.
// 3. Following `next` one walks along the boundary with the free space on the left; each segment site has one before
//    it.
// 4. A connection's edge is an ordinary one-sided segment: `connection` says which.
// Cost: O(n log n).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "environment/clean/clean.hpp"
#include "navmesh/mesh.hpp"
#include "navmesh/voronoi.hpp"

namespace throng::navmesh {

struct BoundarySite {
  geometry::GridPoint a, b;  ///< a == b: a corner
  Index layer = 0;
  Index connection = none;  ///< the closed connection this is one side of
  Index next = none;        ///< segments: the site that goes on from b around the free wedge there
  Index corner = none;      ///< segments: the corner in that wedge, if it has more than 180 degrees

  [[nodiscard]] bool is_corner() const { return a == b; }
};

struct Boundary {
  std::vector<VoronoiSegment> segments;
  std::vector<std::array<Index, 2>> ends;  ///< of each segment: vertices
  std::vector<std::array<Index, 2>>
      side_sites;                             ///< of each segment: site on its left, on its right; none where blocked
  std::vector<geometry::GridPoint> vertices;  ///< distinct, sorted
  std::vector<Index> corner_sites;            ///< of each vertex; none where no free wedge exceeds 180 degrees
  std::vector<std::uint8_t> bent;             ///< of each vertex: segments of different directions meet there
  std::vector<BoundarySite> sites;
  double free_area = 0;  ///< in square units
  double extent = 0;     ///< longer side of the bounding box, in units
};

[[nodiscard]] Boundary boundary_of(const environment::CleanEnvironment& environment, Index layer);

}  // namespace throng::navmesh
