// From a way over a ground surface to a route that a body follows, and what any route costs on weighted ground.
#pragma once

#include <optional>
#include <span>

#include "ground/region_map.hpp"
#include "routes/ground_path.hpp"
#include "routes/route.hpp"

namespace throng::routes {

/// What a body that feels the ground within `felt` metres of its centre pays for a route: exact for lines and arcs, along a border the
/// smaller weight (RegionMap). `metres`, where it is not empty, gets the length by type.
[[nodiscard]] double weigh_route(const ground::RegionMap& regions, const Route& route, double felt,
                                 const double* weights, ground::RegionMap::Scratch& scratch,
                                 std::span<double> metres = {});

/// Whether every piece keeps the radius from obstacles, less `tolerance::route_clearance`.
[[nodiscard]] bool keeps_radius(const navmesh::Mesh& mesh, const Route& route, double radius);
[[nodiscard]] bool keeps_radius(const navmesh::Mesh& mesh, const Piece& piece, double radius);

/// Puts legs together: lines that go straight on become one, bends on the rim of an obstacle's corner an arc around the corner. A corner's
/// arc keeps as much of `clearance` as fits, in steps down to the radius, and as leaves what a metre costs as it is.
class GroundRouteWriter {
 public:
  GroundRouteWriter(const navmesh::Mesh& mesh, const ground::Surface& surface, const ground::RegionMap& regions)
      : mesh_(mesh), surface_(surface), regions_(regions) {}

  struct Task {
    std::span<const GroundPath::Leg> legs;
    navmesh::Place start, goal;
    double radius = 0, clearance = 0, felt = 0;
    const double* weights = nullptr;
    double cost = 0;  ///< of the legs
  };
  /// False where none of what was tried keeps the radius.
  bool write(const Task& task, Route& route);

 private:
  /// A bend of the way, or a run of bends around one corner of an obstacle: a circle that is touched on one side.
  struct Turn {
    Vec2 centre;
    double radius = 0;  ///< 0: a point
    bool left = false;  ///< the way turns left around it
  };
  void find_turns(const Task& task);
  bool join_turns(const Task& task, Route& route) const;
  void write_lines(const Task& task, Route& route) const;
  void grow_turns(const Task& task, Route& route);
  [[nodiscard]] double cost_of(const Task& task, const Route& route);

  const navmesh::Mesh& mesh_;
  const ground::Surface& surface_;
  const ground::RegionMap& regions_;
  ground::RegionMap::Scratch scratch_;
  std::vector<Turn> turns_;
  std::vector<Vec2> points_;
};

}  // namespace throng::routes
