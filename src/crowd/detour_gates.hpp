// Detours told apart and repaired as published, by gates (Zwerver 2018, 4.4 and 4.5): discs around vertices of the axis. Exact classes (routes/axis_trace.hpp)
// do both without error; this is for comparison.
//
// Laws
// 1. The gates of a path are the discs it passes, in order; where discs overlap a point belongs to the nearest centre; no gate stands twice in a row.
// 2. A detour is local if its gates, loops taken out, are those of the way, or those with one more at the start or at the end.
// Thread-safety: pure functions.
#pragma once

#include <span>
#include <vector>

#include "navmesh/mesh.hpp"

namespace throng::crowd {

using navmesh::Index;

struct Gate {
  Index number = 0;
  Vec2 centre;
  double radius = 0;
};
using GateList = std::vector<Index>;

/// The vertices whose clearance exceeds the body's radius and whose discs may meet a path.
[[nodiscard]] std::vector<Gate> gates_near(const navmesh::Mesh& mesh, std::span<const Vec2> path, double body);
[[nodiscard]] GateList gates_of(std::span<const Vec2> path, std::span<const Gate> gates);
/// As long as there is a palindrome of odd length three or more, the longest, the leftmost of equals, is deleted as a whole.
[[nodiscard]] GateList without_loops(GateList gates);
[[nodiscard]] bool is_global(const GateList& detour, const GateList& original);
/// The first gate of the longest common suffix; where there is none the last one of the detour; none where that has none.
[[nodiscard]] Index decision_gate(const GateList& detour, const GateList& original);
/// Between the first and the last point in the last gate that a path enters twice it goes straight, the whole body in that gate's disc.
[[nodiscard]] std::vector<Vec2> repaired(std::vector<Vec2> path, std::span<const Gate> gates, double body);

}  // namespace throng::crowd
