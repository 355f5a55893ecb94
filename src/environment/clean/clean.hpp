// Cleaning: from overlapping, touching, imprecise source features to exact free space on the snap grid.
//
// The free space of a layer is an open set: (union of walkable areas) minus (closed obstacles that no later opening removed).
// All edges of a layer are snapped, their intersections rounded, and every edge led through the grid points it passes
// (snap rounding: Hobby 1999; Guibas, Marimont 1998; iterated as in Halperin, Packer 2002). Faces of the resulting plane graph
// are then free or not, by the features that cover them. Everything is decided by exact integer arithmetic.
//
// Laws (verify_clean() in verify_clean.hpp checks 1-6 by other means)
// 1. No two edges of a layer's boundary (rings and walls) cross or overlap; they meet in common vertices only.
// 2. Rings are simple and have no straight vertices unless another edge, a wall or a connection ends there. Free space lies to
//    the left of every ring edge: outer rings run counterclockwise, holes clockwise.
// 3. A wall is a polyline with free space on both sides. Walls meet rings and each other only in vertices.
// 4. Regions of a layer are disjoint and lie in its free space (to two units); later features win over earlier ones.
// 5. A connection is one edge a-b, in the boundary of `left_layer` as a->b and in that of `right_layer` as b->a.
// 6. The boundary is within two units of the source features' boundary (Hausdorff, both ways, against exact set operations), but
//    where features crowd on a few units, which is warned of; gaps thinner than a unit may close.
// 7. The result is a pure, local function of the features and the grid: it does not depend on the order or start of a ring's
//    vertices, on duplicated features, on ids; removing a feature that was added gives back the same bytes. Cleaning a
//    cleaned environment changes nothing.
// 8. Everything is in canonical order: rings start at their smallest vertex; rings, polygons, walls are sorted.
//
// Cost: O((n + k) log n) for n edges and k intersections.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "environment/environment.hpp"
#include "geometry/grid_polygon.hpp"
#include "geometry/snap_grid.hpp"
#include "throng/result.hpp"

namespace throng::environment {

using geometry::GridPoint;
using geometry::GridPolygon;
using geometry::GridRing;
using geometry::twice_area;

struct Wall {
  std::vector<GridPoint> points;  ///< a closed wall repeats its first point at the end
  friend bool operator==(const Wall&, const Wall&) = default;
};

struct CleanRegion {
  std::string type;
  std::vector<GridPolygon> polygons;
  Vec2 slope =
      {};  ///< uphill, as drawn; (0, 0): even. Polygons of one type and different slopes are regions of their own
  friend bool operator==(const CleanRegion&, const CleanRegion&) = default;
};

/// The part of a named area that is free, never empty. Areas may overlap each other; areas of one name are united.
struct CleanArea {
  std::string name;
  std::vector<GridPolygon> polygons;
  friend bool operator==(const CleanArea&, const CleanArea&) = default;
};

struct CleanLayer {
  Layer layer;
  std::vector<GridPolygon> free;  ///< thin walls are not cut out of these
  std::vector<Wall> walls;
  std::vector<CleanRegion> regions;
  std::vector<CleanArea> areas;
};

struct CleanConnection {
  GridPoint a, b;
  std::size_t left_layer = 0;   ///< its free space is left of a->b
  std::size_t right_layer = 0;  ///< its free space is right of a->b
  friend auto operator<=>(const CleanConnection&, const CleanConnection&) = default;
};

struct CleanEnvironment {
  geometry::SnapGrid grid;
  std::vector<CleanLayer> layers;
  std::vector<CleanConnection> connections;
  std::optional<GeoOrigin> origin = {};  ///< as in the source: it says where the place is, not what it is

  [[nodiscard]] std::size_t vertex_count() const;  ///< vertices of rings and walls over all layers
  [[nodiscard]] std::uint64_t hash()
      const;  ///< FNV-1a 64 over everything above but layer ids and the origin, in canonical order
};

struct CleanOptions {
  /// Snap unit in metres; 0: the grid recorded in the environment, or the default one for its box.
  double unit = 0;
};

/// Area of polygons in square metres.
[[nodiscard]] double area(const std::vector<GridPolygon>& polygons, const geometry::SnapGrid& grid);

/// Fails with the number and coordinates of every feature that cannot be made right; warns of what was repaired but that
/// an author would want to know.
[[nodiscard]] Result<CleanEnvironment> clean(const Environment& environment, const CleanOptions& options = {});

/// The cleaned world as source features again (walkable polygons, thin walls, regions, areas, connections, the grid recorded):
/// clean(to_environment(c)) == c.
[[nodiscard]] Environment to_environment(const CleanEnvironment& clean);

}  // namespace throng::environment
