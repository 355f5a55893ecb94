#include "routes/ground_makers.hpp"

#include <algorithm>
#include <iterator>

#include "routes/ground_planner.hpp"

namespace throng::routes {
namespace {

using agents::MethodInfo;
using agents::Parameter;

Parameter eps_number() {
  return {.name = "eps",
          .value = 0.1,
          .least = 0.001,
          .most = 0.5,
          .help = "how near to the cheapest the search aims, as a part of its cost",
          .source = "J 4.1"};
}

Parameter cell_number(std::string_view name) {
  return {.name = name,
          .value = 1,
          .least = 0.05,
          .most = 1000,
          .unit = "m",
          .help = "width of the grid's cells",
          .source = "J 3"};
}

template <std::size_t n>
Parameter choice(std::string_view name, const std::string_view (&words)[n], std::size_t value, std::string_view help) {
  return {.name = name,
          .value = double(value),
          .least = 0,
          .most = double(n - 1),
          .help = help,
          .choices = {std::begin(words), std::end(words)}};
}

MethodInfo info_of(GroundMethod method) {
  switch (method) {
    case GroundMethod::weighted:
      return {.name = "weighted",
              .help = "cheap over weighted ground: a rough search, its path pulled taut (J 3 to 5)",
              .parameters = {eps_number(), clearance_number()}};
    case GroundMethod::spm:
      return {.name = "spm",
              .help = "the Steiner-point method over weighted ground (J 4.1)",
              .parameters = {eps_number(), clearance_number()}};
    case GroundMethod::vbp:
      return {.name = "vbp",
              .help = "the Steiner-point method around a grid path (J 4.2, vertex-based pruning)",
              .parameters = {eps_number(), cell_number("grid"),
                             choice("prune", pruning_names, std::size_t(Pruning::vertex),
                                    "which edges around the grid path are kept"),
                             clearance_number()}};
    case GroundMethod::grid: break;
  }
  return {.name = "grid",
          .help = "the cheapest way over a grid of eight neighbours (J 3)",
          .parameters = {cell_number("cell"), choice("nodes", grid_nodes_names, std::size_t(GridNodes::centres),
                                                     "where on cells the grid's nodes lie")}};
}

class GroundMaker final : public RouteMaker {
 public:
  explicit GroundMaker(GroundMethod method) : method_(method), info_(info_of(method)) {}
  [[nodiscard]] const MethodInfo& info() const override { return info_; }

  void prepare(RouteTables& tables, const RouteWorld& world, double radius) const override {
    if (!tables.ground || tables.ground->graph() != world.graph)
      tables.ground = std::make_shared<const GroundAtlas>(world.environment, world.graph);
    (void)tables.ground->sheet(radius, false);  // where none can be made, plan() takes `short`
  }

  NoRoute plan(const RouteWish& wish, const RouteTables& tables, PlanDesk& desk, Route& route,
               std::size_t& expansions) const override {
    if (!desk.ground || desk.ground->atlas().graph() != tables.ground->graph())
      desk.ground = std::make_unique<GroundPlanner>(tables.ground);
    GroundPlanner& planner = *desk.ground;
    const GroundVerdict begun = planner.begin(query_of(wish, tables.ground->regions().kinds()));
    if (begun != GroundVerdict::found) return fall_back(wish, begun, desk, route, expansions);
    const SearchStatus status = planner.advance(wish.most);
    if (status == SearchStatus::running) {
      expansions += 1 + wish.most;
      return route = {}, NoRoute::too_long;
    }
    GroundAnswer answer = planner.finish();
    expansions += 1 + answer.explored;
    if (answer.verdict != GroundVerdict::found) return fall_back(wish, answer.verdict, desk, route, expansions);
    route = std::move(answer.route);
    return NoRoute::found;
  }
  [[nodiscard]] double price(const Route& route) const override { return route.cost; }
  [[nodiscard]] bool weighs_ground() const override { return true; }

 private:
  [[nodiscard]] GroundQuery query_of(const RouteWish& wish, const ground::GroundKinds& kinds) const {
    const auto number = [&](std::string_view name, double otherwise) {
      const Parameter* parameter = info_.parameter(name);
      return parameter != nullptr ? wish.numbers[parameter - info_.parameters.data()] : otherwise;
    };
    GroundQuery query{.from = wish.from, .to = wish.to, .radius = wish.radius, .clearance = number("clearance", 0)};
    query.row = row_of(wish.weights, kinds);
    query.numbers.method = method_;
    query.numbers.eps = number("eps", query.numbers.eps);
    query.numbers.cell = number("cell", number("grid", query.numbers.cell));
    query.numbers.nodes = GridNodes(int(number("nodes", double(query.numbers.nodes))));
    query.numbers.prune = Pruning(int(number("prune", double(query.numbers.prune))));
    return query;
  }

  [[nodiscard]] static bool leaves_out(const RouteWish& wish) {
    return std::any_of(wish.weights.begin(), wish.weights.end(), [](double w) { return !(w < unreachable); });
  }

  /// What has no way at all has none; what this method cannot do (too many cells, no surface), `short` can.
  NoRoute fall_back(const RouteWish& wish, GroundVerdict verdict, PlanDesk& desk, Route& route,
                    std::size_t& expansions) const {
    switch (verdict) {
      case GroundVerdict::bad_query: return route = {}, NoRoute::bad_query;
      case GroundVerdict::start_blocked: return route = {}, NoRoute::start_blocked;
      case GroundVerdict::goal_blocked: return route = {}, NoRoute::goal_blocked;
      case GroundVerdict::not_connected: return route = {}, NoRoute::not_connected;
      case GroundVerdict::too_narrow: return route = {}, NoRoute::too_narrow;
      default: break;
    }
    if (verdict == GroundVerdict::forbidden_ground || leaves_out(wish)) return route = {}, NoRoute::forbidden_ground;
    const NoRoute found = desk.planner.plan({wish.from, wish.to, wish.radius, clearance(wish.numbers)}, route);
    expansions += 1 + desk.planner.expansions();
    return found;
  }

  GroundMethod method_;
  MethodInfo info_;
};

}  // namespace

void add_ground_methods(agents::Registry<RouteMaker>& registry) {
  static const GroundMaker all[] = {GroundMaker(GroundMethod::weighted), GroundMaker(GroundMethod::spm),
                                    GroundMaker(GroundMethod::vbp), GroundMaker(GroundMethod::grid)};
  for (const GroundMaker& method : all) registry.add_built_in(method);
}

}  // namespace throng::routes
