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
/// Metres from the end of a flow field that count as there.
constexpr double end_of_field = 0.05;
/// Metres: the distance to a goal that is remembered at most, and by how much floats may round it up.
constexpr double most_to_go = 1000;
constexpr float to_go_rounding = 0.01F;
/// Tries for a place in an area that is far enough from walls.
constexpr int tries_for_place = 16;
/// Requests are planned this many at a time; the budget is looked at in between, so that it does not depend on threads.
constexpr std::size_t requests_at_once = 64;

}  // namespace

void Crowd::State::run_errands() {
  departures.clear();
  for_everybody([&](Slot slot) { due[slot] = is_due(slot) ? 1 : 0; });
  for (const Slot slot : flagged(due)) {
    switch (activity[slot]) {
      case Activity::before: set_out(slot); break;
      case Activity::waiting: next_goal(slot); break;
      case Activity::walking: reach_goal(slot); break;
      default: break;
    }
  }
  if (!departures.empty()) std::erase_if(order, [&](Slot slot) { return present[slot] == 0; });
}

/// Whether the person goes on in its itinerary now. It depends on nobody else.
bool Crowd::State::is_due(Slot slot) {
  switch (activity[slot]) {
    case Activity::before:
    case Activity::waiting: return time >= errand[slot].until;
    case Activity::walking: return to_go[slot] <= 0 && is_at_goal(slot);
    default: return false;
  }
}

/// Begins with the present goal of the itinerary.
void Crowd::State::set_out(Slot slot) {
  Errand& e = errand[slot];
  if (!e.itinerary || e.goal >= e.itinerary->goals.size()) {
    activity[slot] = Activity::arrived;
    return;
  }
  e.until = never;
  const bool is_given = e.goal == 0 && route[slot] && activity[slot] == Activity::before && !follows_field(slot);
  if (!is_given) return ask_for_route(slot);
  const goals::Goal& goal = e.itinerary->goals[0];
  e.area = goal.areas.empty() ? none : goal.areas.front();
  activity[slot] = Activity::walking;
}

void Crowd::State::ask_for_route(Slot slot) {
  activity[slot] = Activity::planning;
  requests.push_back({handle[slot], serial[slot], ++asked[slot]});
}

bool Crowd::State::follows_field(Slot slot) const {
  return methods->follow[level(Level::follow).method(slot)].guide() == following::Guide::field;
}

bool Crowd::State::wants_own_place(const Errand& e) const {
  const goals::Itinerary& itinerary = *e.itinerary;
  const bool is_last = e.goal + 1 == itinerary.goals.size();
  return itinerary.goals[e.goal].wait > 0 || (is_last && itinerary.at_last == goals::AtLastGoal::stay);
}

/// Fields lead to whichever goal is nearest: of several areas any will do, and a point may have been moved off a wall.
bool Crowd::State::is_at_end_of_field(Slot slot) {
  const goals::Goal& goal = goal_of(slot);
  if (goal.areas.empty()) return memory[slot].attraction <= goal.radius;
  for (const Index area : goal.areas)
    if (areas[area].contains({position[slot], layer[slot]})) errand[slot].area = area;
  // An area less deep than the body is wide has no place the body can stand on: as near as it gets is near enough.
  return target[slot].layer == none && memory[slot].attraction <= end_of_field;
}

bool Crowd::State::is_at_goal(Slot slot) {
  Errand& e = errand[slot];
  const goals::Goal& goal = goal_of(slot);
  if (field[slot] && is_at_end_of_field(slot)) return true;
  const navmesh::Place here{position[slot], layer[slot]};
  const auto is_near = [&](const navmesh::Place& place, double distance) {
    return here.layer == place.layer && squared_length(here.point - place.point) <= distance * distance;
  };
  if (goal.areas.empty()) {
    const double nearest2 =
        std::min(squared_length(here.point - target[slot].point), squared_length(here.point - goal.point.point));
    // A field may end nearer than its goal, which was in a wall perhaps.
    if (!field[slot]) to_go[slot] = float(std::min(std::sqrt(nearest2) - goal.radius, most_to_go)) - to_go_rounding;
    return is_near(target[slot], goal.radius) || is_near(goal.point, goal.radius);
  }
  if (!areas[e.area].contains(here)) return false;
  if (!wants_own_place(e) || is_near(target[slot], at_own_place)) return true;
  e.until = std::min(e.until, time + patience_in_area);
  return time >= e.until;
}

void Crowd::State::reach_goal(Slot slot) {
  const goals::Goal& goal = goal_of(slot);
  if (goal.wait <= 0) return next_goal(slot);
  activity[slot] = Activity::waiting;
  errand[slot].until = time + goal.wait;
}

void Crowd::State::next_goal(Slot slot) {
  Errand& e = errand[slot];
  route[slot] = {};
  field[slot] = {};
  if (++e.goal < e.itinerary->goals.size()) return set_out(slot);
  if (e.itinerary->at_last == goals::AtLastGoal::leave) return leave(slot, true);
  activity[slot] = Activity::arrived;
}

void Crowd::State::leave(Slot slot, bool arrived) {
  departures.push_back({serial[slot], handles.id(handle[slot]), traits[slot].population, arrived, time});
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
  const goals::Goal& goal = goal_of(slot);
  const routes::RouteMaker& maker = methods->route[level(Level::route).method(slot)];
  Plan best;
  bool any = false;
  const auto try_to = [&](const navmesh::Place& place, Index area) {
    const navmesh::Place here{position[slot], layer[slot]};
    const routes::NoRoute verdict = maker.plan({here, place, radius[slot], level(Level::route).numbers(slot), {}},
                                               tables, desk.plan, desk.found, best.expansions);
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

/// The fields that those of `who` need who walk along one: by the class of their radius, or where that leads nowhere, by the radius.
void Crowd::State::make_fields(std::span<const Slot> who) {
  std::vector<FlowFields::Wish> wishes;
  for (const Slot slot : who)
    if (follows_field(slot)) wishes.push_back({&goal_of(slot), FlowFields::class_of(radius[slot])});
  if (wishes.empty()) return;
  fields.make(*world, areas, wishes, executor);
  wishes.clear();
  for (const Slot slot : who) {
    if (!follows_field(slot)) continue;
    const FlowFieldPtr shared = fields.find({&goal_of(slot), FlowFields::class_of(radius[slot])});
    if (!shared->ask(position[slot], cell[slot]).reachable()) wishes.push_back({&goal_of(slot), radius[slot]});
  }
  fields.make(*world, areas, wishes, executor);
}

void Crowd::State::make_tables(std::span<const Slot> who) {
  for (const Slot slot : who)
    if (!follows_field(slot))
      methods->route[level(Level::route).method(slot)].prepare(tables, world->mesh, radius[slot]);
}

/// One expansion, whether the field was there or not: the budget must not depend on what was asked before.
Crowd::State::Plan Crowd::State::plan_along_field(Slot slot) const {
  const goals::Goal& goal = goal_of(slot);
  Plan plan;
  plan.expansions = 1;
  for (const double r : {FlowFields::class_of(radius[slot]), radius[slot]}) {
    FlowFieldPtr found = fields.find({&goal, r});
    const routes::FlowField::Answer answer =
        found ? found->ask(position[slot], cell[slot]) : routes::FlowField::Answer();
    if (!answer.reachable()) continue;
    plan.field = std::move(found);
    plan.distance = answer.distance;
    if (!goal.areas.empty()) plan.area = goal.areas[answer.tag];
    if (plan.area != none && wants_own_place(errand[slot])) plan.target = place_in(areas[plan.area], slot);
    break;
  }
  return plan;
}

void Crowd::State::take_plan(Slot slot, Plan plan) {
  route[slot] = std::move(plan.route);
  field[slot] = std::move(plan.field);
  memory[slot] = {0, plan.distance};
  follow_hints[slot] = {};
  to_go[slot] = 0;
  errand[slot].area = plan.area;
  target[slot] = plan.target;
  activity[slot] = route[slot] || field[slot] ? Activity::walking : Activity::lost;
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
      const Slot slot = handles.slot(request.handle);
      const bool is_current = slot != none && serial[slot] == request.serial && asked[slot] == request.asked &&
                              activity[slot] == Activity::planning;
      if (is_current) now.push_back(slot);
    }
    plans.clear();
    plans.resize(now.size());
    make_fields(now);
    make_tables(now);
    executor.for_chunks(now.size(), 4, [&](std::size_t begin, std::size_t end) {
      Desk& desk = desks.local();
      for (std::size_t i = begin; i < end; ++i)
        plans[i] = follows_field(now[i]) ? plan_along_field(now[i]) : plan_for(now[i], desk);
    });
    for (std::size_t i = 0; i < now.size(); ++i) {
      spent += plans[i].expansions;
      take_plan(now[i], std::move(plans[i]));
    }
  }
}

}  // namespace throng::crowd
