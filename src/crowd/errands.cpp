// Levels 5 and 4 of a step: what people do next, and the routes they need for it.
#include <algorithm>
#include <cmath>

#include "crowd/state.hpp"
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
    case Activity::waiting: return time() >= errand[slot].until;
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
  e.area = area_at_end(slot);
  activity[slot] = Activity::walking;
}

/// Of the goal's areas the one that a given route ends in; the first where it ends in none.
Index Crowd::State::area_at_end(Slot slot) const {
  const goals::Goal& goal = goal_of(slot);
  for (const Index area : goal.areas)
    if (areas[area].contains(target[slot])) return area;
  return goal.areas.empty() ? none : goal.areas.front();
}

void Crowd::State::ask_for_route(Slot slot, Why why) {
  // Who has a route walks on with the velocity it had; the answer is there before anybody moves again.
  if (why == Why::lost_sight)
    preferred[slot] = walking[slot];
  else
    activity[slot] = Activity::planning;
  requests.push_back({handle[slot], serial[slot], ++asked[slot], why, steps, steps});
}

/// Whose turn it is goes by who they are, so that nobody's turn hangs on others.
void Crowd::State::think_again(Slot slot) {
  if (follows_field(slot)) return;  // a field is the way from everywhere
  const unsigned wait = std::max(1u, options.second_thought_steps);
  const std::uint64_t turn = (traits[slot].draws + traits[slot].number) % wait;
  thoughts.push_back({{handle[slot], serial[slot], ++asked[slot], Why::thinks_again, steps + turn, steps + wait},
                      false,
                      {},
                      none,
                      {{}, none}});
}

/// None where the request is stale.
Slot Crowd::State::slot_of(const Request& request) const {
  const Slot slot = handles.slot(request.handle);
  if (slot == none || serial[slot] != request.serial || asked[slot] != request.asked) return none;
  const Activity wanted = request.why == Why::sets_out ? Activity::planning : Activity::walking;
  return activity[slot] == wanted ? slot : none;
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
  e.until = std::min(e.until, time() + patience_in_area);
  return time() >= e.until;
}

void Crowd::State::reach_goal(Slot slot) {
  const goals::Goal& goal = goal_of(slot);
  if (goal.wait <= 0) return next_goal(slot);
  activity[slot] = Activity::waiting;
  errand[slot].until = time() + goal.wait;
}

void Crowd::State::next_goal(Slot slot) {
  Errand& e = errand[slot];
  store.reset(slot, agents::Lives::goal);
  if (++e.goal < e.itinerary->goals.size()) return set_out(slot);
  if (e.itinerary->at_last == goals::AtLastGoal::leave) return leave(slot, true);
  activity[slot] = Activity::arrived;
}

void Crowd::State::leave(Slot slot, bool arrived) {
  departures.push_back({serial[slot], handles.id(handle[slot]), traits[slot].population, arrived, time()});
  clear_slot(slot);
}

/// The person's own place in an area: drawn for them, far enough from walls if there is such a place.
navmesh::Place Crowd::State::place_in(const goals::Area& area, Slot slot) const {
  const Traits& t = traits[slot];
  geometry::RandomStream random =
      agents::stream_for(options.seed, t.draws, t.number, agents::Purpose::place_in_area, errand[slot].goal);
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

Crowd::State::Plan Crowd::State::plan_for(Slot slot, Desk& desk, std::size_t most) const {
  const goals::Goal& goal = goal_of(slot);
  const routes::RouteMaker& maker = methods->route[level(Level::route).method(slot)];
  Plan best;
  bool any = false;
  const auto try_to = [&](const navmesh::Place& place, Index area) {
    const navmesh::Place here{position[slot], layer[slot]};
    const routes::NoRoute verdict =
        maker.plan({here, place, radius[slot], level(Level::route).numbers(slot), weights_of(slot), most}, tables,
                   desk.plan, desk.found, best.expansions);
    if (verdict != routes::NoRoute::found || (any && maker.price(desk.best) <= maker.price(desk.found))) return;
    std::swap(desk.best, desk.found);
    any = true;
    best.area = area;
    best.target = desk.best.goal;
  };
  if (goal.areas.empty())
    try_to(goal.point, none);
  else
    for (const Index area : goal.areas) try_to(place_in(areas[area], slot), area);
  if (any) best.route = routes::share(desk.best);
  return best;
}

/// From where the person is to where on its route it was heading for last, and on along what is left of it (Jaklin 2016, chapter 8): the
/// goal and the way round obstacles stay. A new route where that leads nowhere.
Crowd::State::Plan Crowd::State::plan_back_to_route(Slot slot, Desk& desk) const {
  const routes::RouteMaker& maker = methods->route[level(Level::route).method(slot)];
  Plan plan;
  const routes::Route old = routes::unpacked(*route[slot]);
  const double ahead = std::min(memory[slot].attraction, old.length);
  const routes::RoutePoint there = old.at(ahead);
  const routes::NoRoute verdict = maker.plan({{position[slot], layer[slot]},
                                              {there.point, there.layer},
                                              radius[slot],
                                              level(Level::route).numbers(slot),
                                              weights_of(slot),
                                              routes::any_number},
                                             tables, desk.plan, desk.found, plan.expansions);
  if (verdict == routes::NoRoute::found)
    plan.route = routes::join(*routes::share(desk.found), *routes::share(old.stretch(ahead, old.length)));
  if (!plan.route) return plan_for(slot, desk);
  plan.area = errand[slot].area;
  plan.target = target[slot];
  return plan;
}

Crowd::State::Plan Crowd::State::plan(const Request& request, Desk& desk) const {
  const Slot slot = handles.slot(request.handle);
  if (follows_field(slot)) return plan_along_field(slot);
  return request.why == Why::lost_sight ? plan_back_to_route(slot, desk) : plan_for(slot, desk);
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
  const routes::RouteWorld on{world->mesh, world->graph, {world, &world->environment}};
  for (const Slot slot : who)
    if (!follows_field(slot)) methods->route[level(Level::route).method(slot)].prepare(tables, on, radius[slot]);
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

/// Oldest first, until the budget is spent, where there is one; who is left is first next time.
void Crowd::State::serve_requests() {
  std::vector<Request> now;
  std::vector<Slot> who;
  std::vector<Plan> plans;
  const std::size_t budget = options.planning_budget == 0 ? routes::any_number : options.planning_budget;
  for (std::size_t spent = 0; spent < budget && !requests.empty();) {
    now.clear(), who.clear();
    while (!requests.empty() && now.size() < requests_at_once) {
      const Request request = requests.front();
      requests.pop_front();
      const Slot slot = slot_of(request);
      if (slot != none) now.push_back(request), who.push_back(slot);
    }
    plans.clear();
    plans.resize(now.size());
    make_fields(who);
    make_tables(who);
    executor.for_chunks(now.size(), 4, [&](std::size_t begin, std::size_t end) {
      Desk& desk = desks.local();
      for (std::size_t i = begin; i < end; ++i) plans[i] = plan(now[i], desk);
    });
    for (std::size_t i = 0; i < now.size(); ++i) {
      spent += plans[i].expansions;
      take_plan(who[i], std::move(plans[i]));
    }
  }
  plan_thoughts();
  take_thoughts();
}

/// Those whose step it is. Nobody's answer hangs on how many there are.
void Crowd::State::plan_thoughts() {
  std::vector<Thought*> now;
  std::vector<Slot> who;
  for (Thought& thought : thoughts)
    if (const Slot slot = slot_of(thought.request);
        slot != none && !thought.is_planned && thought.request.work_at <= steps)
      now.push_back(&thought), who.push_back(slot);
  make_tables(who);  // in a crowd that was resumed nobody may have asked for any yet
  executor.for_chunks(now.size(), 4, [&](std::size_t begin, std::size_t end) {
    Desk& desk = desks.local();
    for (std::size_t i = begin; i < end; ++i) {
      Plan plan = plan_for(slot_of(now[i]->request), desk, options.second_thought_budget);
      now[i]->is_planned = true;
      now[i]->route = std::move(plan.route);
      now[i]->area = plan.area;
      now[i]->target = plan.target;
    }
  });
}

/// Answers that are due: taken if the way is shorter than what is left of the present one. A search that failed takes no route away.
void Crowd::State::take_thoughts() {
  for (Thought& thought : thoughts) {
    if (thought.request.answer_at > steps) continue;
    const Slot slot = slot_of(thought.request);
    if (slot == none || !thought.route || !route[slot]) continue;
    const double left = route[slot]->way.length() - memory[slot].reference;
    if (thought.route->way.length() < left)
      take_plan(slot, {.route = std::move(thought.route), .area = thought.area, .target = thought.target});
  }
  std::erase_if(thoughts, [&](const Thought& thought) {
    return thought.request.answer_at <= steps || slot_of(thought.request) == none;
  });
}

}  // namespace throng::crowd
