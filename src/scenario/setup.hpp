// A scenario on its world: names become areas, points become places.
//
// Laws
// 1. Areas are numbered from 0 in the order in which the file first names them; equal ones share a number. A crowd that is given
//    them in this order knows them by the same numbers.
// 2. Everything wrong is told at once, with file and pointer: areas of which nothing is free, points that are not walkable.
// Thread-safety: immutable once made.
#pragma once

#include <vector>

#include "crowd/guidance.hpp"
#include "crowd/world.hpp"
#include "goals/area.hpp"
#include "scenario/scenario.hpp"
#include "throng/result.hpp"

namespace throng::scenario {

struct SetGoal {
  std::vector<Index> areas;  ///< areas, or what is chosen from
  navmesh::Place point;
};

struct SetPosition {
  navmesh::Place place, goal;
};

struct SetPopulation {
  Index start = none;                  ///< area; none for populations with positions
  std::vector<SetGoal> goals;          ///< as in the scenario
  std::vector<SetPosition> positions;  ///< one a row of the CSV file
  std::vector<navmesh::Place> route_points;
};

struct Setup {
  const Scenario* scenario = nullptr;
  const crowd::World* world = nullptr;
  std::vector<goals::Area> areas;
  std::vector<SetPopulation> populations;
  std::vector<Index> measured_areas;  ///< as Scenario::areas
  std::vector<Index> line_layers;     ///< as Scenario::lines
  std::vector<crowd::Guidance> guidance;
};

/// Both arguments have to outlive the answer. `world` needs no graph and no regions for this.
[[nodiscard]] Result<Setup> set_up(const Scenario& scenario, const crowd::World& world);

}  // namespace throng::scenario
