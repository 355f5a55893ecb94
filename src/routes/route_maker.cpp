#include "routes/route_maker.hpp"

#include "routes/ground_makers.hpp"
#include "routes/ground_planner.hpp"
#include "routes/radius_rounding.hpp"

namespace throng::routes {
namespace {

using agents::MethodInfo;

/// Those of the planner and of waypoint graphs.
class PlannerMethod final : public RouteMaker {
 public:
  PlannerMethod(RouteMethod method, std::string_view name, std::string_view help, bool has_clearance)
      : method_(method), info_{.name = name, .help = help, .parameters = {}} {
    if (has_clearance) info_.parameters.push_back(clearance_number());
  }
  [[nodiscard]] const MethodInfo& info() const override { return info_; }
  void prepare(RouteTables& tables, const RouteWorld& world, double radius) const override {
    if (uses_waypoints(method_)) tables.waypoints.make(world.mesh, method_, radius);
    if (method_ == RouteMethod::shortest) (void)world.graph->tangents(radius);
  }
  NoRoute plan(const RouteWish& wish, const RouteTables& tables, PlanDesk& desk, Route& route,
               std::size_t& expansions) const override {
    if (wish.most != any_number && !uses_waypoints(method_)) return plan_within(wish, desk.planner, route, expansions);
    return plan_by_method(query_of(wish), tables.waypoints, desk.planner, desk.search, route, expansions);
  }

 private:
  /// Labels take long to make: prepare() does, and no plan. What was made must not matter for the count of expansions, so that bodies for
  /// whom nothing was prepared go by the straight line even where there are some.
  [[nodiscard]] RouteQuery query_of(const RouteWish& wish) const {
    return {.from = wish.from,
            .to = wish.to,
            .radius = wish.radius,
            .clearance = clearance(wish.numbers),
            .method = method_,
            .by_labels = wish.radius == radius_rounded_up(wish.radius)};
  }
  NoRoute plan_within(const RouteWish& wish, Planner& planner, Route& route, std::size_t& expansions) const {
    const NoRoute begun = planner.begin(query_of(wish));
    if (begun != NoRoute::found) return begun;
    const SearchStatus status = planner.advance(wish.most);
    expansions += 1 + planner.expansions();
    if (status == SearchStatus::running) return route = {}, NoRoute::too_long;
    return planner.finish(status == SearchStatus::found, route);
  }

  RouteMethod method_;
  MethodInfo info_;
};

}  // namespace

agents::Parameter clearance_number() {
  return {.name = "clearance",
          .value = 0.5,
          .least = 0,
          .most = 100,
          .unit = "m",
          .help = "preferred distance of the centre from obstacles, kept where there is room for it"};
}

PlanDesk::PlanDesk(std::shared_ptr<const RouteGraph> graph) : planner(std::move(graph)) {}
PlanDesk::PlanDesk(PlanDesk&&) noexcept = default;
PlanDesk::~PlanDesk() = default;

void RouteMaker::prepare(RouteTables&, const RouteWorld&, double) const {}

double RouteMaker::clearance(const double* numbers) const {
  for (std::size_t i = 0; i < info().parameters.size(); ++i)
    if (info().parameters[i].name == "clearance") return numbers[i];
  return clearance_number().value;
}

void add_built_in(agents::Registry<RouteMaker>& registry) {
  static const PlannerMethod all[] = {
      {RouteMethod::shortest_in_corridor, "short",
       "the tightest path in the corridor of the shortest way along the medial axis", true},
      {RouteMethod::medial, "medial", "along the medial axis", false},
      {RouteMethod::left, "left", "at the clearance asked for from the obstacles on the left", true},
      {RouteMethod::right, "right", "at the clearance asked for from the obstacles on the right", true},
      {RouteMethod::shortest, "shortest", "the shortest of all that keep the radius, exactly", false},
      {RouteMethod::visibility, "visibility",
       "over points beside all corners that see each other, by Dijkstra's algorithm", false},
      {RouteMethod::voronoi_sites, "voronoi_sites",
       "along the Voronoi diagram of the buildings' middles, by Dijkstra's algorithm", false},
      {RouteMethod::shortest_in_corridor, "given",
       "through the population's route_points to the first goal, short from there", true}};
  for (const PlannerMethod& method : all) registry.add_built_in(method);
  add_ground_methods(registry);
}

}  // namespace throng::routes
