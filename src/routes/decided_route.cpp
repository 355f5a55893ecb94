#include "routes/decided_route.hpp"

namespace throng::routes {

const std::shared_ptr<const ChainSides>& RouteGraph::sides() const {
  std::call_once(sides_.made, [this] { sides_.it = std::make_shared<const ChainSides>(*this); });
  return sides_.it;
}

NoRoute DecidedPlanner::plan(const RouteQuery& query, const Strategy& told, Planner& planner, Route& route,
                             std::size_t& expansions, std::size_t most, Index closed) {
  const ChainSides& sides = *graph_->sides();
  const DecidedLength costs{sides, told, closed};
  RouteQuery how = query;
  if (how.method != RouteMethod::medial) how.method = RouteMethod::shortest_in_corridor;
  SearchStatus status = SearchStatus::no_path;
  bool is_wide_enough = true;
  const NoRoute verdict = planner.plan_by(
      how,
      [&](const OnAxis& from, const OnAxis& to, double radius, AxisPath& path) {
        search_.begin(from, to, radius, costs);
        status = search_.advance(costs, most);
        expansions += 1 + search_.expansions();
        if (status == SearchStatus::found) return search_.collect(path);
        if (most == ~std::size_t{0})
          is_wide_enough = ChainSearch(*graph_).find(from, to, radius, LengthCosts(), path) < unreachable;
        return false;
      },
      route);
  if (status == SearchStatus::running) return route = {}, NoRoute::too_long;
  if (verdict == NoRoute::too_narrow && is_wide_enough) return NoRoute::not_as_told;
  if (verdict != NoRoute::found || told.empty()) return verdict;
  const std::optional<Strategy> its = decisions_of(graph_->mesh(), sides.obstacles(), route);
  if (!its || its->conflicts_with(told)) return route = {}, NoRoute::not_as_told;
  return NoRoute::found;
}

}  // namespace throng::routes
