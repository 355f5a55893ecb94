#include "scenario/setup.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "geometry/elementary.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/obstacle_names.hpp"
#include "routes/chain_sides.hpp"
#include "routes/planner.hpp"
#include "text/nearest_name.hpp"
#include "text/problem_list.hpp"

namespace throng::scenario {
namespace {

class Builder {
 public:
  Builder(const Scenario& scenario, const crowd::World& world) : scenario_(scenario), world_(world) {
    setup_.scenario = &scenario;
    setup_.world = &world;
  }

  Result<Setup> build() && {
    for (const PopulationSpec& population : scenario_.populations) setup_.populations.push_back(resolve(population));
    for (const AreaMeasure& measure : scenario_.areas) setup_.measured_areas.push_back(area(measure.area));
    for (const LineMeasure& line : scenario_.lines) setup_.line_layers.push_back(line.layer == none ? 0 : line.layer);
    if (!scenario_.guidance.empty()) guide();
    return std::move(problems_).result(std::move(setup_), scenario_.source);
  }

 private:
  SetPopulation resolve(const PopulationSpec& spec) {
    SetPopulation population;
    if (spec.start) population.start = area(*spec.start);
    for (const GoalSpec& goal : spec.goals) {
      SetGoal& set = population.goals.emplace_back();
      for (const AreaSpec& candidate : goal.areas) set.areas.push_back(area(candidate));
      if (goal.kind == GoalSpec::Kind::point) set.point = place(goal.point, pointer(goal.point.pointer));
    }
    if (const auto* positions = std::get_if<Positions>(&spec.who))
      for (const StartRow& row : positions->rows) {
        SetPosition& set = population.positions.emplace_back();
        set.place = place(row.place, row.place.pointer);
        if (row.goal) set.goal = place(*row.goal, row.goal->pointer);
      }
    for (const PointSpec& point : spec.route_points)
      population.route_points.push_back(place(point, pointer(point.pointer)));
    check_route(spec, population);
    return population;
  }

  void guide() {
    const navmesh::Mesh& mesh = *world_.mesh;
    const navmesh::Obstacles own = world_.graph ? world_.graph->sides()->obstacles() : navmesh::Obstacles(mesh);
    const navmesh::ObstacleNames names = crowd::obstacle_names(world_, own);
    for (const GuidanceSpec& spec : scenario_.guidance) {
      crowd::Guidance& told = setup_.guidance.emplace_back();
      told.pass = spec.pass;
      told.populations = spec.populations;
      for (const ObstacleSpec& wanted : spec.obstacles) {
        navmesh::ObstacleRef& ref = told.obstacles.emplace_back();
        ref.name = wanted.name;
        ref.describe = environment::in_quotes(wanted.name);
        if (wanted.near) {
          ref.near = near(*wanted.near);
          ref.describe = fmt::format("what is nearest to ({:g}, {:g})", ref.near.point.x, ref.near.point.y);
        }
        const auto found = navmesh::find_obstacles(mesh, own, names, ref, pointer(wanted.pointer));
        for (const Problem& problem : found.problems()) problems_.add(problem);
      }
      if (spec.sign)
        told.sign = crowd::Sign{place(spec.sign->at, pointer(spec.sign->at.pointer)),
                                geometry::unit_direction(spec.sign->facing / 360), spec.sign->range};
    }
  }

  /// Obstacles are named by places on them as well as beside them.
  [[nodiscard]] navmesh::Place near(const PointSpec& spec) const {
    if (spec.layer != none) return {spec.point, spec.layer};
    return navmesh::first_walkable(*world_.mesh, spec.point).value_or(navmesh::Place{spec.point, 0});
  }

  void check_route(const PopulationSpec& spec, const SetPopulation& population) {
    if (population.route_points.empty() || problems_.has_errors()) return;
    const ProfileSpec& profile = scenario_.profiles[spec.profile];
    const double radius = std::clamp(profile.radius.mean(), profile.radius.least(), profile.radius.most());
    const Result<routes::Route> route = routes::given_route(*world_.mesh, population.route_points, radius);
    for (Problem problem : route.problems()) {
      problem.place = pointer(spec.route_points.front().pointer);
      problems_.add(std::move(problem));
    }
  }

  [[nodiscard]] std::string pointer(const std::string& at) const { return scenario_.source + ": " + at; }

  Index area(const AreaSpec& spec) {
    const auto known = std::find(specs_.begin(), specs_.end(), spec);
    if (known != specs_.end()) return numbers_[std::size_t(known - specs_.begin())];
    Result<goals::Area> area = make_area(spec);
    specs_.push_back(spec);
    numbers_.push_back(area ? Index(setup_.areas.size()) : none);
    if (area) {
      setup_.areas.push_back(std::move(area).value());
    } else {
      for (Problem problem : area.problems()) {
        problem.place = pointer(spec.pointer);
        problems_.add(std::move(problem));
      }
    }
    return numbers_.back();
  }

  [[nodiscard]] Result<goals::Area> make_area(const AreaSpec& spec) const {
    if (spec.name.empty())
      return goals::Area::drawn(world_.environment, spec.ring, spec.layer == none ? 0 : spec.layer);
    Result<goals::Area> area = goals::Area::named(world_.environment, spec.name, spec.layer);
    if (area) return area;
    return Problem{Severity::error,
                   ProblemCode::geometry,
                   {},
                   fmt::format("nothing of area {} is free space", environment::in_quotes(spec.name))};
  }

  navmesh::Place place(const PointSpec& spec, const std::string& where) {
    const navmesh::Place first =
        navmesh::first_walkable(*world_.mesh, spec.point).value_or(navmesh::Place{spec.point, none});
    const navmesh::Place place = spec.layer == none ? first : navmesh::Place{spec.point, spec.layer};
    if (place.layer != none && navmesh::locate(*world_.mesh, place)) return place;
    const std::string layer =
        spec.layer == none ? "" : " in layer " + environment::in_quotes(world_.environment.layers[spec.layer].layer.id);
    problems_.error(ProblemCode::value, where,
                    fmt::format("({:g}, {:g}) is not walkable{}", spec.point.x, spec.point.y, layer));
    return {spec.point, 0};
  }

  const Scenario& scenario_;
  const crowd::World& world_;
  Setup setup_;
  environment::ProblemList problems_;
  std::vector<AreaSpec> specs_;  ///< areas asked for so far
  std::vector<Index> numbers_;   ///< of each; none: it was refused
};

}  // namespace

Result<Setup> set_up(const Scenario& scenario, const crowd::World& world) { return Builder(scenario, world).build(); }

}  // namespace throng::scenario
