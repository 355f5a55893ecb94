#include "scenario/check_scenario.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "navmesh/locate.hpp"
#include "navmesh/queries.hpp"
#include "routes/ground_planner.hpp"
#include "routes/planner.hpp"
#include "scenario/check_ground.hpp"
#include "scenario/populate.hpp"
#include "text/nearest_name.hpp"

namespace throng::scenario {
namespace {

using environment::in_quotes;

/// Places looked at in an area, and routes planned between two of them: enough for areas in several parts of a world.
constexpr std::size_t samples_an_area = 8;
constexpr std::uint32_t tries_an_area = 400;
/// Places looked at for pockets: parts of an area that no way leads out of.
constexpr std::uint32_t samples_for_pockets = 200;

class ReachChecker {
 public:
  ReachChecker(const Setup& setup, Problems& problems)
      : setup_(setup), scenario_(*setup.scenario), problems_(problems), planner_(setup.world->graph) {}

  void check(std::size_t p) {
    const PopulationSpec& population = scenario_.populations[p];
    const SetPopulation& set = setup_.populations[p];
    const ProfileSpec& profile = scenario_.profiles[population.profile];
    radius_ = typical_radius(profile);
    take_ground(profile);
    std::vector<navmesh::Place> from = starts(p);
    if (from.empty()) return;  // said already
    if (population.start) warn_of_pockets(set.start, *population.start);
    for (std::size_t i = 0; i < population.goals.size(); ++i)
      for (std::size_t a = 0; a < set.goals[i].areas.size(); ++a)
        warn_of_pockets(set.goals[i].areas[a], population.goals[i].areas[a]);
    for (std::size_t i = 0; i < population.goals.size(); ++i) {
      const std::vector<navmesh::Place> reached = check_goal(population, population.goals[i], set.goals[i], from);
      if (!reached.empty()) from = reached;
    }
    check_own_goals(population, set);
  }

 private:
  void warn(const std::string& place, std::string message) {
    problems_.push_back({Severity::warning, ProblemCode::value, place, std::move(message)});
  }
  [[nodiscard]] std::string at(const std::string& pointer) const { return scenario_.source + ": " + pointer; }

  /// Who never enters some ground gets nowhere through it.
  void take_ground(const ProfileSpec& profile) {
    row_ = {};
    if (!plans_over_ground(profile) || !setup_.world->regions) return;
    const ground::GroundKinds& kinds = setup_.world->regions->kinds();
    row_ = routes::row_of(mean_row(profile, kinds), kinds);
    if (row_.never.empty() || ground_) return;
    ground_.emplace(std::make_shared<routes::GroundAtlas>(
        std::shared_ptr<const environment::CleanEnvironment>(std::shared_ptr<void>(), &setup_.world->environment),
        setup_.world->graph));
  }

  std::vector<navmesh::Place> starts(std::size_t p) {
    const PopulationSpec& population = scenario_.populations[p];
    const SetPopulation& set = setup_.populations[p];
    std::vector<navmesh::Place> places;
    for (const SetPosition& position : set.positions)
      if (places.size() < samples_an_area) places.push_back(position.place);
    if (set.start == none) return places;
    places = places_in(set.start);
    if (places.empty())
      warn(at(population.start->pointer),
           fmt::format("nobody of population {} can start here: no place for a body of radius {:g} was found",
                       in_quotes(population.name), radius_));
    return places;
  }

  std::vector<navmesh::Place> places_in(Index area) {
    std::vector<navmesh::Place> places;
    geometry::RandomStream stream(0, {.number = area});
    for (std::uint32_t i = 0; i < tries_an_area && places.size() < samples_an_area; ++i) {
      const double u = stream.unit(), v = stream.unit(), w = stream.unit();
      const navmesh::Place place = setup_.areas[area].sample(u, v, w);
      const navmesh::Located located = navmesh::locate(*setup_.world->mesh, place);
      if (located && located.clearance >= radius_) places.push_back(place);
    }
    return places;
  }

  /// Once an area: people who start in a pocket, or whose place at the goal is drawn in one, would be lost.
  void warn_of_pockets(Index area, const AreaSpec& spec) {
    if (!looked_at_.insert(area).second) return;
    std::map<Index, int> components;
    geometry::RandomStream stream(1, {.number = area});
    int walkable = 0, largest = 0;
    for (std::uint32_t i = 0; i < samples_for_pockets; ++i) {
      const double u = stream.unit(), v = stream.unit(), w = stream.unit();
      const auto on_axis = navmesh::retract(*setup_.world->mesh, setup_.areas[area].sample(u, v, w));
      if (!on_axis) continue;
      ++walkable;
      largest = std::max(largest, ++components[setup_.world->graph->component_of(on_axis->edge)]);
    }
    if (components.size() > 1)
      warn(at(spec.pointer),
           fmt::format("about {:.0f} % of this area is cut off from the rest of it: nobody can get in or out there",
                       100.0 * (walkable - largest) / walkable));
  }

  [[nodiscard]] std::optional<routes::NoRoute> no_way(const std::vector<navmesh::Place>& from,
                                                      const std::vector<navmesh::Place>& to) {
    routes::NoRoute reason = routes::NoRoute::goal_blocked;
    routes::Route route;
    for (const navmesh::Place& start : from)
      for (const navmesh::Place& goal : to) {
        routes::RouteQuery query;
        query.from = start, query.to = goal, query.radius = radius_;
        reason = planner_.plan(query, route);
        if (reason != routes::NoRoute::found) continue;
        if (row_.never.empty()) return std::nullopt;
        routes::GroundQuery over_ground{.from = start, .to = goal, .radius = radius_};
        over_ground.row = row_;
        if (ground_->plan(over_ground).verdict == routes::GroundVerdict::found) return std::nullopt;
        reason = routes::NoRoute::forbidden_ground;
      }
    return reason;
  }

  /// Warns of what cannot be reached; the places of what can.
  std::vector<navmesh::Place> check_goal(const PopulationSpec& population, const GoalSpec& goal, const SetGoal& set,
                                         const std::vector<navmesh::Place>& from) {
    if (goal.kind == GoalSpec::Kind::point) {
      if (const auto reason = no_way(from, {set.point})) complain(population, goal.pointer, *reason);
      return {set.point};
    }
    std::vector<navmesh::Place> reached;
    std::optional<routes::NoRoute> last;
    for (std::size_t i = 0; i < set.areas.size(); ++i) {
      if (goal.kind == GoalSpec::Kind::choose && !(goal.weights[i] > 0)) continue;
      const std::vector<navmesh::Place> places = places_in(set.areas[i]);
      const auto reason = no_way(from, places);
      if (!reason) reached.insert(reached.end(), places.begin(), places.end());
      if (reason) last = reason;
      // Of several areas to choose the nearest from, one is enough; each that is drawn, or shared out, has to be reached.
      if (reason && (goal.kind == GoalSpec::Kind::choose || goal.quickest))
        complain(population, goal.areas[i].pointer, *reason);
    }
    if (goal.kind == GoalSpec::Kind::areas && !goal.quickest && reached.empty() && last)
      complain(population, goal.pointer, *last);
    return reached;
  }

  void check_own_goals(const PopulationSpec& population, const SetPopulation& set) {
    const auto* positions = std::get_if<Positions>(&population.who);
    if (positions == nullptr) return;
    for (std::size_t i = 0; i < positions->rows.size(); ++i)
      if (positions->rows[i].goal)
        if (const auto reason = no_way({set.positions[i].place}, {set.positions[i].goal}))
          warn(positions->rows[i].place.pointer,
               fmt::format("there is no way to the goal for a body of radius {:g}: {}", radius_,
                           routes::reason_of(*reason)));
  }

  void complain(const PopulationSpec& population, const std::string& pointer, routes::NoRoute reason) {
    warn(at(pointer), fmt::format("nobody of population {} can get here with a radius of {:g} m: {}",
                                  in_quotes(population.name), radius_, routes::reason_of(reason)));
  }

  const Setup& setup_;
  const Scenario& scenario_;
  Problems& problems_;
  routes::Planner planner_;
  double radius_ = 0;
  routes::GroundRow row_;                        ///< of the profile, where its routes mind the ground
  std::optional<routes::GroundPlanner> ground_;  ///< once somebody never enters some
  std::set<Index> looked_at_;                    ///< areas
};

}  // namespace

ScenarioCheck check_scenario(const Scenario& scenario, const crowd::World& world) {
  ScenarioCheck check;
  const Result<Setup> setup = set_up(scenario, world);
  check.problems = setup.problems();
  if (!setup) return check;
  const Result<std::vector<crowd::AgentSpec>> people = populate(People(*setup, scenario.seed));
  check.problems.insert(check.problems.end(), people.problems().begin(), people.problems().end());
  if (people) check.people = people->size();
  const Problems ground = check_ground(scenario, world);
  check.problems.insert(check.problems.end(), ground.begin(), ground.end());
  ReachChecker reach(*setup, check.problems);
  for (std::size_t p = 0; p < scenario.populations.size(); ++p) reach.check(p);
  return check;
}

}  // namespace throng::scenario
