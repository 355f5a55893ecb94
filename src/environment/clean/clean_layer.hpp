// Cleaning of one layer, in two steps: first what bounds its free space, then what lies on it (regions, named areas), so
// that drawing grass never moves a wall. Internal to clean(); the laws are in clean.hpp.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "environment/clean/clean.hpp"
#include "environment/environment.hpp"
#include "geometry/snap_grid.hpp"
#include "throng/result.hpp"

namespace throng::environment {

/// Of each layer, the numbers of the features in it, ascending; connections are in both of theirs.
using FeaturesOfLayers = std::vector<std::vector<std::size_t>>;

/// Everything a cleaning step needs to know and where it leaves complaints.
struct CleanContext {
  const Environment& environment;
  const geometry::SnapGrid& grid;
  const FeaturesOfLayers& features_of;
  Problems& problems;

  /// What is drawn there lies over each other in a heap (geometry/snap_rounding.hpp: RoundingBudget).
  void report_heap(std::size_t layer) const;
  void report(Severity severity, const Feature& feature, std::string message) const;
  void report(Severity severity, const Feature& feature, GridPoint at, std::string message) const;
};

/// How a part of a connection lies in one layer.
enum class ConnectionFit {
  free_left,   ///< on the boundary, free space left of its direction
  free_right,  ///< on the boundary, free space right of it
  inside,      ///< free space on both sides
  covered,     ///< free space on neither side, but ground on one: an obstacle lies on it
  outside,     ///< ground on neither side
};

/// Features of a layer that touch a connection between its ends divide it.
struct ConnectionPart {
  GridPoint a, b;  ///< in the connection's direction
  ConnectionFit fit = ConnectionFit::outside;
};

struct LayerBoundary {
  std::vector<GridPolygon> free;
  std::vector<Wall> walls;
  /// For each connection feature of the layer, in feature order: what became of it, from its start to its end.
  std::vector<std::vector<ConnectionPart>> connections;
};

/// What is cut out of a part of a layer: those of its features' rings and lines that lie apart from all others (pieces.hpp).
struct PieceBoundary {
  std::vector<GridPolygon> polygons;  ///< free, closed within the part
  std::vector<GridRing> loose;        ///< holes of what is free around it
  std::vector<Wall> walls;
};

/// The rings and lines of a part of a layer, in feature order, and what covers all of it from outside.
struct LayerPart {
  struct Drawn {
    std::size_t feature = 0;  ///< in the environment
    std::vector<GridRing>
        rings;  ///< of a polygon: an empty one first where the outer ring is not of this part; or a line's points
    bool is_line = false;
    std::int32_t outside = 0;  ///< how often the polygon's other rings wind around the part
  };
  std::vector<Drawn> drawn;
  std::vector<std::size_t> around;  ///< features, once for each polygon that lies around all of the part
};

/// What a layer has to know of the layers it is connected to.
struct Neighbours {
  std::vector<GridPoint> hot;  ///< where they divide connections: edges that pass these pixels are led through them
  /// Ends of the parts that are open, which stay vertices; nothing: not known yet, all ends of all parts do.
  std::optional<std::vector<GridPoint>> open_ends;
};

/// What cleaning of a whole plan finds out and a later cleaning of a part of it wants to know.
struct CleanedApart {
  std::vector<Neighbours> neighbours;  ///< of each layer
  Problems boundaries;                 ///< warnings of boundaries and connections
  std::vector<Problems> contents;      ///< warnings of what lies on each layer
};

/// clean(), with that.
[[nodiscard]] Result<CleanEnvironment> clean_apart(const Environment& environment, const CleanOptions& options,
                                                   CleanedApart* apart);

/// The features of `layer` that bound its free space: walkable areas, obstacles, openings, connections.
[[nodiscard]] LayerBoundary clean_boundary(const CleanContext& context, std::size_t layer,
                                           const Neighbours& neighbours);

/// The same for a part of a layer. The part's ground has to be drawn; complaints that are none of a whole layer's mean that it cannot be done.
[[nodiscard]] PieceBoundary clean_piece(const CleanContext& context, std::size_t layer, const Neighbours& neighbours,
                                        const LayerPart& part);

/// Regions and areas of the layer, cut to its free space.
void clean_contents(const CleanContext& context, std::size_t layer, CleanLayer& clean);

/// The feature's polygon on the grid, outer ring first, without spikes and repeated points.
[[nodiscard]] std::vector<GridRing> snapped(const geometry::SnapGrid& grid, const Polygon& polygon);

/// Joins edges that have free space on both sides into polylines, in canonical order. A polyline ends where `is_joint` says
/// so and where other than two wall edges meet; straight vertices in between are left out.
[[nodiscard]] std::vector<Wall> join_walls(std::vector<geometry::GridSegment> edges, std::vector<GridPoint> joints);

}  // namespace throng::environment
