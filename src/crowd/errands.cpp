// Levels 5 and 4 of a step: what people do next, and the routes they need for it.
#include <algorithm>
#include <cmath>

#include "crowd/state.hpp"
#include "geometry/random.hpp"
#include "navmesh/locate.hpp"

namespace throng::crowd {

namespace {

/// Seconds after which somebody who wants a place of their own in an area takes any: theirs may be taken.
constexpr double patience_in_area = 10;
/// Metres within which one is at one's own place in an area.
constexpr double at_own_place = 0.5;
/// Tries for a place in an area that is far enough from walls.
constexpr int tries_for_place = 16;
/// Requests are planned this many at a time; the budget is looked at in between, so that it does not depend on threads.
constexpr std::size_t requests_at_once = 64;

}  // namespace

void Crowd::State::run_errands() {
  departures.clear();
  for (const Slot slot : order) {
    switch (activity[slot]) {
      case Activity::before:
      case Activity::waiting:
        if (time >= errand[slot].until) activity[slot] == Activity::before ? set_out(slot) : next_goal(slot);
        break;
      case Activity::walking:
        if (is_at_goal(slot)) reach_goal(slot);
        break;
      default: break;
    }
  }
  if (!departures.empty()) std::erase_if(order, [&](Slot slot) { return present[slot] == 0; });
}

/// Begins with the present goal of the itinerary.
void Crowd::State::set_out(Slot slot) {
  Errand& e = errand[slot];
  if (!e.itinerary || e.goal >= e.itinerary->goals.size()) {
    activity[slot] = Activity::arrived;
    return;
  }
  e.until = never;
  const bool is_given = e.goal == 0 && route[slot] && activity[slot] == Activity::before;
  if (!is_given) return ask_for_route(slot);
  const goals::Goal& goal = e.itinerary->goals[0];
  e.area = goal.areas.empty() ? none : goal.areas.front();
  activity[slot] = Activity::walking;
}

void Crowd::State::ask_for_route(Slot slot) {
  activity[slot] = Activity::planning;
  requests.push_back({slot, serial[slot], ++asked[slot]});
}

bool Crowd::State::is_at_goal(Slot slot) {
  Errand& e = errand[slot];
  const goals::Goal& goal = e.itinerary->goals[e.goal];
  const navmesh::Place here{position[slot], layer[slot]};
  const auto is_near = [&](const navmesh::Place& place, double distance) {
    return here.layer == place.layer && squared_length(here.point - place.point) <= distance * distance;
  };
  if (goal.areas.empty()) return is_near(e.target, goal.radius) || is_near(goal.point, goal.radius);
  if (!areas[e.area].contains(here)) return false;
  const bool is_last = e.goal + 1 == e.itinerary->goals.size();
  const bool wants_own_place = goal.wait > 0 || (is_last && e.itinerary->at_last == goals::AtLastGoal::stay);
  if (!wants_own_place || is_near(e.target, at_own_place)) return true;
  e.until = std::min(e.until, time + patience_in_area);
  return time >= e.until;
}

void Crowd::State::reach_goal(Slot slot) {
  const goals::Goal& goal = errand[slot].itinerary->goals[errand[slot].goal];
  if (goal.wait <= 0) return next_goal(slot);
  activity[slot] = Activity::waiting;
  errand[slot].until = time + goal.wait;
}

void Crowd::State::next_goal(Slot slot) {
  Errand& e = errand[slot];
  route[slot] = {};
  if (++e.goal < e.itinerary->goals.size()) return set_out(slot);
  if (e.itinerary->at_last == goals::AtLastGoal::leave) return leave(slot, true);
  activity[slot] = Activity::arrived;
}

void Crowd::State::leave(Slot slot, bool arrived) {
  departures.push_back({serial[slot], {slot, generation[slot]}, traits[slot].population, arrived, time});
  clear_slot(slot);
}

/// The person's own place in an area: drawn for them, far enough from walls if there is such a place.
navmesh::Place Crowd::State::place_in(const goals::Area& area, Slot slot) const {
  const Traits& t = traits[slot];
  geometry::RandomStream random(options.seed,
                                {t.draws, std::uint32_t(Purpose::place_in_area), t.number, errand[slot].goal});
  navmesh::Place best;
  double best_clearance = -1;
  for (int i = 0; i < tries_for_place; ++i) {
    const double u = random.unit();
    const double v = random.unit();
    const navmesh::Place place = area.sample(u, v, random.unit());
    const navmesh::Located at = navmesh::locate(*world->mesh, place);
    if (at && at.clearance > best_clearance) best = place, best_clearance = at.clearance;
    if (best_clearance >= radius[slot]) break;
  }
  return best;
}

Crowd::State::Plan Crowd::State::plan_for(Slot slot, Desk& desk) const {
  const goals::Goal& goal = errand[slot].itinerary->goals[errand[slot].goal];
  const Traits& t = traits[slot];
  Plan best;
  bool any = false;
  const auto try_to = [&](const navmesh::Place& target, Index area) {
    const navmesh::Place here{position[slot], layer[slot]};
    const routes::NoRoute verdict = desk.planner.plan(
        {here, target, radius[slot], t.route_clearance, routes::RouteMethod(t.route_method)}, desk.found);
    best.expansions += 1 + desk.planner.expansions();
    if (verdict != routes::NoRoute::found || (any && desk.best.length <= desk.found.length)) return;
    std::swap(desk.best, desk.found);
    any = true;
    best.area = area;
    best.target = desk.best.goal;
  };
  if (goal.areas.empty())
    try_to(goal.point, none);
  else
    for (const Index area : goal.areas) try_to(place_in(areas[area], slot), area);
  if (any) best.route = routes::PackedRoute(desk.best);
  return best;
}

void Crowd::State::take_plan(Slot slot, Plan plan) {
  route[slot] = std::move(plan.route);
  memory[slot] = {};
  errand[slot].area = plan.area;
  errand[slot].target = plan.target;
  activity[slot] = route[slot] ? Activity::walking : Activity::lost;
}

/// Oldest first, until the budget is spent; who is left is first next time.
void Crowd::State::serve_requests() {
  std::vector<Slot> now;
  std::vector<Plan> plans;
  for (std::size_t spent = 0; spent < options.planning_budget && !requests.empty();) {
    now.clear();
    while (!requests.empty() && now.size() < requests_at_once) {
      const Request request = requests.front();
      requests.pop_front();
      const Slot slot = request.slot;
      const bool is_current = present[slot] != 0 && serial[slot] == request.serial && asked[slot] == request.asked &&
                              activity[slot] == Activity::planning;
      if (is_current) now.push_back(slot);
    }
    plans.clear();
    plans.resize(now.size());
    executor.for_chunks(now.size(), 4, [&](std::size_t begin, std::size_t end) {
      Desk& desk = desks.local();
      for (std::size_t i = begin; i < end; ++i) plans[i] = plan_for(now[i], desk);
    });
    for (std::size_t i = 0; i < now.size(); ++i) {
      spent += plans[i].expansions;
      take_plan(now[i], std::move(plans[i]));
    }
  }
}

}  // namespace throng::crowd
