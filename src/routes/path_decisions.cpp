#include "routes/path_decisions.hpp"

namespace throng::routes {

Strategy decisions_of(const navmesh::Obstacles& obstacles, std::span<const Index> passages) {
  std::vector<Index> crossed;
  for (const Index passage : passages) append_reduced(crossed, passage);
  StrategyDraft draft;
  for (std::size_t i = 0; i < crossed.size(); ++i) {
    const Index p = crossed[i];
    if (obstacles.left(p) != obstacles.right(p)) {
      draft.try_to_set(obstacles.left(p), Side::right);
      draft.try_to_set(obstacles.right(p), Side::left);
    }
    if (i + 1 == crossed.size()) break;
    for (const bool on_left : {true, false})
      obstacles.for_each_passed_by(p, crossed[i + 1], on_left, [&](Index q) {
        draft.try_to_set(on_left ? obstacles.left(q) : obstacles.right(q), on_left ? Side::right : Side::left);
      });
  }
  Strategy strategy;
  draft.finish(strategy, [&](Index obstacle) { return obstacles.is_inner(obstacle); });
  return strategy;
}

std::optional<Strategy> decisions_of(const navmesh::Mesh& mesh, const navmesh::Obstacles& obstacles,
                                     const Route& route) {
  const std::optional<AxisTrace> trace = trace_of(mesh, route);
  if (!trace) return std::nullopt;
  return decisions_of(obstacles, decision_passages(mesh, obstacles, *trace));
}

std::optional<Strategy> decisions_of(const navmesh::Mesh& mesh, const navmesh::Obstacles& obstacles,
                                     std::span<const navmesh::Place> points) {
  const std::optional<AxisTrace> trace = trace_of(mesh, points);
  if (!trace) return std::nullopt;
  return decisions_of(obstacles, decision_passages(mesh, obstacles, *trace));
}

}  // namespace throng::routes
