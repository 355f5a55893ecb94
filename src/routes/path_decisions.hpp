// The decisions of a path: on which side it passes which obstacle. Van Toll, Pettre 2019, 4.1.
//
// A path, planned, drawn or walked, is known by the passages it crosses. Crossing one, the obstacle at its left end is on the left hand (passed
// via the right) and the other on the right hand; and so are the obstacles between two passages in a row, at the ends of the passages that are
// passed by on that hand (navmesh/obstacles.hpp has their order).
//
// Laws
// 1. Passages next to their inverse count as not crossed: the decisions do not change under deformation within the corridor.
// 2. The way back has the opposite decisions; nothing is passed by before the first and after the last passage.
// 3. Outer obstacles are never decided about. Crossing a passage with one obstacle at both ends says nothing about it (ours: the paper's
//    rule would make it X for good).
// Complexity: linear in the sizes of the regions passed. Thread-safety: pure functions.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "navmesh/obstacles.hpp"
#include "routes/axis_trace.hpp"
#include "routes/strategy.hpp"

namespace throng::routes {

/// The directed passages (of Obstacles, those for decisions included) that a curve crosses, reduced.
[[nodiscard]] std::vector<Index> decision_passages(const navmesh::Mesh& mesh, const navmesh::Obstacles& obstacles,
                                                   const AxisTrace& trace);

/// Of the passages in order; not necessarily reduced.
[[nodiscard]] Strategy decisions_of(const navmesh::Obstacles& obstacles, std::span<const Index> passages);

/// Of a route, or of a curve through points by straight lines. Nothing where it leads through an obstacle.
[[nodiscard]] std::optional<Strategy> decisions_of(const navmesh::Mesh& mesh, const navmesh::Obstacles& obstacles,
                                                   const Route& route);
[[nodiscard]] std::optional<Strategy> decisions_of(const navmesh::Mesh& mesh, const navmesh::Obstacles& obstacles,
                                                   std::span<const navmesh::Place> points);

}  // namespace throng::routes
