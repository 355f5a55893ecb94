// Cleaning of one layer, in two steps: first what bounds its free space, then what lies on it (regions, named areas), so
// that drawing grass never moves a wall. Internal to clean(); the laws are in clean.hpp.
#pragma once

#include <cstddef>
#include <vector>

#include "environment/clean/clean.hpp"
#include "environment/environment.hpp"
#include "geometry/snap_grid.hpp"
#include "throng/result.hpp"

namespace throng::environment {

/// Everything a cleaning step needs to know and where it leaves complaints.
struct CleanContext {
  const Environment& environment;
  const geometry::SnapGrid& grid;
  Problems& problems;

  void report(Severity severity, const Feature& feature, std::string message) const;
  void report(Severity severity, const Feature& feature, GridPoint at, std::string message) const;
};

/// How a connection lies in one layer.
enum class ConnectionFit {
  free_left,   ///< on the boundary, free space left of its direction
  free_right,  ///< on the boundary, free space right of it
  bent,        ///< features of the layer touch it between its ends
  inside,      ///< free space on both sides
  outside,     ///< free space on neither side
};

struct LayerBoundary {
  std::vector<GridPolygon> free;
  std::vector<Wall> walls;
  std::vector<ConnectionFit> fits;  ///< one for each connection feature of the layer, in feature order
};

/// The features of `layer` that bound its free space: walkable areas, obstacles, openings, connections.
[[nodiscard]] LayerBoundary clean_boundary(const CleanContext& context, std::size_t layer);

/// Regions and areas of the layer, cut to its free space.
void clean_contents(const CleanContext& context, std::size_t layer, CleanLayer& clean);

/// The feature's polygon on the grid, outer ring first, without spikes and repeated points.
[[nodiscard]] std::vector<GridRing> snapped(const geometry::SnapGrid& grid, const Polygon& polygon);

/// Joins edges that have free space on both sides into polylines, in canonical order. A polyline ends where `is_joint` says
/// so and where other than two wall edges meet; straight vertices in between are left out.
[[nodiscard]] std::vector<Wall> join_walls(std::vector<geometry::GridSegment> edges, std::vector<GridPoint> joints);

}  // namespace throng::environment
