// Level 4 of a step: who asked for a route gets one. First routes are found in the step in which they are asked for; second thoughts have a
// budget of their own each and are answered a fixed number of steps later, so that nobody's answer hangs on others.
#include <algorithm>
#include <cmath>

#include "crowd/state.hpp"
#include "navmesh/locate.hpp"
#include "routes/radius_rounding.hpp"

namespace throng::crowd {

namespace {

/// Tries for a place in an area that is far enough from walls.
constexpr int tries_for_place = 16;
/// Requests are planned this many at a time; the budget is looked at in between, so that it does not depend on threads.
constexpr std::size_t requests_at_once = 64;

}  // namespace

/// None where the request is stale.
Slot Crowd::State::slot_of(const Request& request) const {
  const Slot slot = handles.slot(request.handle);
  if (slot == none || serial[slot] != request.serial || asked[slot] != request.asked) return none;
  const bool stands = request.why == Why::sets_out || request.why == Why::joins;
  return activity[slot] == (stands ? Activity::planning : Activity::walking) ? slot : none;
}

bool Crowd::State::follows_field(Slot slot) const {
  return methods->follow[level(Level::follow).method(slot)].guide() == following::Guide::field;
}

/// The person's own place in an area: drawn for them, far enough from walls if there is such a place.
navmesh::Place Crowd::State::place_in(const goals::Area& area, Slot slot) const {
  const Traits& t = traits[slot];
  geometry::RandomStream random =
      agents::stream_for(options.seed, t.draws, t.number, agents::Purpose::place_in_area, errand_of(slot).goal);
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

/// By the rounded radius, or where that finds nothing by the body's own.
routes::NoRoute Crowd::State::plan_between(Slot slot, const navmesh::Place& from, const navmesh::Place& to, double body,
                                           std::size_t most, Desk& desk, std::size_t& expansions) const {
  const routes::RouteMaker& maker = methods->route[level(Level::route).method(slot)];
  const auto plan_as = [&](double wide) {
    return maker.plan({from, to, wide, level(Level::route).numbers(slot), weights_of(slot), most}, tables, desk.plan,
                      desk.found, expansions);
  };
  const auto plan_as_wished = [&](double wide) {
    if (desk.told == nullptr) return plan_as(wide);
    if (!desk.decided) desk.decided = std::make_unique<routes::DecidedPlanner>(*world->graph);
    const routes::RouteQuery query{.from = from,
                                   .to = to,
                                   .radius = wide,
                                   .clearance = maker.clearance(level(Level::route).numbers(slot)),
                                   .method = maker.info().name == "medial" ? routes::RouteMethod::medial
                                                                           : routes::RouteMethod::shortest_in_corridor};
    return desk.decided->plan(query, *desk.told, desk.plan.planner, desk.found, expansions, most, desk.closed);
  };
  const double rounded = routes::radius_rounded_up(body);
  const routes::NoRoute verdict = plan_as_wished(rounded);
  const bool may_be_narrow = verdict == routes::NoRoute::too_narrow || verdict == routes::NoRoute::start_blocked ||
                             verdict == routes::NoRoute::goal_blocked || verdict == routes::NoRoute::not_as_told;
  return may_be_narrow && rounded != body ? plan_as_wished(body) : verdict;
}

Crowd::State::Plan Crowd::State::plan_for(Slot slot, double body, std::span<const Index> to, Desk& desk,
                                          std::size_t most) const {
  const goals::Goal& goal = goal_of(slot);
  const routes::RouteMaker& maker = methods->route[level(Level::route).method(slot)];
  Plan best;
  // Guidance binds every plan; where there is no way under it, one goes as if there were none.
  if (const routes::Strategy told = desk.told == nullptr ? guided(slot) : routes::Strategy(); !told.empty()) {
    desk.told = &told;
    Plan as_told = plan_for(slot, body, to, desk, most);
    desk.told = nullptr;
    if (as_told.route) return as_told;
    best.expansions = as_told.expansions;
    strategy_totals.unheeded.fetch_add(1, std::memory_order_relaxed);
  }
  bool any = false;
  const auto try_to = [&](const navmesh::Place& place, Index area) {
    const routes::NoRoute verdict =
        plan_between(slot, {position[slot], layer[slot]}, place, body, most, desk, best.expansions);
    if (verdict != routes::NoRoute::found || (any && maker.price(desk.best) <= maker.price(desk.found))) return;
    std::swap(desk.best, desk.found);
    any = true;
    best.area = area;
    best.target = desk.best.goal;
  };
  const bool by_time = goal.quickest && jams && to.size() > 1;
  const auto keep_choice = [&](Index area) {
    if (any) best.choices.push_back({routes::share(desk.best), {}, 0, area, desk.best.goal, {}});
    if (any) best.choices.back().visits = visits_of(*best.choices.back().route, area);
    any = false;
  };
  if (goal.person != 0) {
    if (const Slot person = slot_of_serial(goal.person); person != none)
      try_to({position[person], layer[person]}, none);
  } else if (to.empty()) {
    try_to(goal.point, none);
  } else {
    for (const Index area : to) {
      try_to(place_in(areas[area], slot), area);
      if (by_time) keep_choice(area);
    }
  }
  if (by_time) choose_exit(slot, best);
  if (any) best.route = routes::share(desk.best);
  return best;
}

/// Where there is no way for the widest there is none for them together.
double Crowd::State::widest_member(Slot slot, double below) const {
  double widest_body = 0;
  for_members(slot, [&](Slot member) {
    if (radius[member] < below) widest_body = std::max(widest_body, radius[member]);
  });
  return widest_body;
}

/// For all members, from where this one is.
Crowd::State::Plan Crowd::State::plan_to_goal(Slot slot, Desk& desk, std::size_t most) const {
  Plan plan = plan_for(slot, widest_member(slot), goal_of(slot).areas, desk, most);
  if (plan.route || !group_of(slot) || most != routes::any_number) return plan;
  // Of a group the others go on, where there is a way for them.
  for (double body = widest_member(slot, widest_member(slot)); body > 0; body = widest_member(slot, body)) {
    Plan narrower = plan_for(slot, body, goal_of(slot).areas, desk, most);
    plan.expansions += narrower.expansions;
    if (!narrower.route) continue;
    narrower.expansions = plan.expansions;
    narrower.body = body;
    return narrower;
  }
  return plan;
}

/// For one member, to its own place in the area that the others go to.
Crowd::State::Plan Crowd::State::plan_to_others(Slot slot, Desk& desk) const {
  const Index area = errand_of(slot).area;
  return plan_for(slot, radius[slot], area == none ? std::span<const Index>(goal_of(slot).areas) : std::span(&area, 1),
                  desk);
}

/// From where the person is to where on its route it was heading for last, and on along what is left of it (Jaklin 2016, chapter 8): the
/// goal and the way round obstacles stay. A new route where that leads nowhere.
Crowd::State::Plan Crowd::State::plan_back_to_route(Slot slot, Desk& desk) const {
  Plan plan;
  const routes::Route old = routes::unpacked(*route[slot]);
  const double ahead = std::min(memory[slot].attraction, old.length);
  const routes::RoutePoint there = old.at(ahead);
  const routes::Strategy told = guided(slot);
  if (!told.empty()) desk.told = &told;
  const routes::NoRoute verdict = plan_between(slot, {position[slot], layer[slot]}, {there.point, there.layer},
                                               radius[slot], routes::any_number, desk, plan.expansions);
  desk.told = nullptr;
  if (verdict == routes::NoRoute::found)
    plan.route = routes::join(*routes::share(desk.found), *routes::share(old.stretch(ahead, old.length)));
  if (!plan.route) return has_company(slot) ? plan_to_others(slot, desk) : plan_to_goal(slot, desk);
  plan.area = errand_of(slot).area;
  plan.target = target[slot];
  return plan;
}

Crowd::State::Plan Crowd::State::plan(const Request& request, Desk& desk) const {
  const Slot slot = handles.slot(request.handle);
  if (follows_field(slot)) return plan_along_field(slot);
  if (request.why == Why::sets_out && congestion_kind(slot) == CongestionKind::density && jams && jams->marks &&
      !goal_of(slot).quickest)
    if (Plan by_density = plan_by_density(slot, desk, goal_of(slot).areas);
        by_density.route && !goes_against_guidance(slot, by_density))
      return by_density;
  switch (request.why) {
    case Why::lost_sight: return plan_back_to_route(slot, desk);
    case Why::joins: return plan_to_others(slot, desk);
    default: return plan_to_goal(slot, desk);
  }
}

/// The fields that those of `who` need who walk along one: by the class of their radius, or where that leads nowhere, by the radius.
void Crowd::State::make_fields(std::span<const Slot> who) {
  std::vector<FlowFields::Wish> wishes;
  for (const Slot slot : who)
    if (follows_field(slot))
      wishes.push_back({&goal_of(slot), routes::radius_rounded_up(radius[slot]), weights_of_field(slot)});
  // Where exits are chosen by time, to each of them too.
  std::deque<goals::Goal> to_one;
  for (const Slot slot : who)
    if (follows_field(slot) && goal_of(slot).quickest)
      for (const Index area : goal_of(slot).areas) {
        to_one.push_back(goal_to(slot, area));
        for (const double wide : {routes::radius_rounded_up(radius[slot]), radius[slot]})
          wishes.push_back({&to_one.back(), wide, weights_of_field(slot)});
      }
  if (wishes.empty()) return;
  fields.make(*world, areas, wishes, executor, tables.ground.get());
  wishes.clear();
  for (const Slot slot : who) {
    if (!follows_field(slot)) continue;
    const FlowFieldPtr shared =
        fields.find({&goal_of(slot), routes::radius_rounded_up(radius[slot]), weights_of_field(slot)});
    if (!shared->ask(position[slot], cell[slot]).reachable())
      wishes.push_back({&goal_of(slot), radius[slot], weights_of_field(slot)});
  }
  fields.make(*world, areas, wishes, executor, tables.ground.get());
}

/// Fields mind the ground for those whose routes would; where it all weighs the same there is no need.
std::span<const double> Crowd::State::weights_of_field(Slot slot) const {
  const std::span<const double> row = weights_of(slot);
  const bool even = std::ranges::all_of(row, [&](double w) { return w == row[0]; });
  return even || !plans_over_ground(slot) ? std::span<const double>{} : row;
}

void Crowd::State::make_tables(Slot slot) {
  const routes::RouteWorld on{world->mesh, world->graph, {world, &world->environment}};
  const routes::RouteMaker& maker = methods->route[level(Level::route).method(slot)];
  if (follows_field(slot) && !maker.weighs_ground()) return;
  maker.prepare(tables, on, routes::radius_rounded_up(radius[slot]));
}

/// One expansion, whether the field was there or not: the budget must not depend on what was asked before.
Crowd::State::Plan Crowd::State::plan_along_field(Slot slot) const {
  const goals::Goal& goal = goal_of(slot);
  Plan plan;
  plan.expansions = 1;
  if (goal.quickest && jams) {
    for (const Index area : goal.areas)
      if (Choice choice = choice_along_field(slot, area); choice.field) {
        choice.visits = visits_along(*choice.field, slot, area);
        plan.choices.push_back(std::move(choice));
      }
    choose_exit(slot, plan);
    if (plan.field) return plan;
  }
  for (const double r : {routes::radius_rounded_up(radius[slot]), radius[slot]}) {
    FlowFieldPtr found = fields.find({&goal, r, weights_of_field(slot)});
    const routes::FlowField::Answer answer =
        found ? found->ask(position[slot], cell[slot]) : routes::FlowField::Answer();
    if (!answer.reachable()) continue;
    plan.field = std::move(found);
    plan.distance = answer.distance;
    if (!goal.areas.empty()) plan.area = goal.areas[answer.tag];
    if (plan.area != none && wants_own_place(errand_of(slot))) plan.target = place_in(areas[plan.area], slot);
    break;
  }
  return plan;
}

goals::Goal Crowd::State::goal_to(Slot slot, Index area) const {
  goals::Goal goal = goal_of(slot);
  goal.areas = {area};
  return goal;
}

Crowd::State::Choice Crowd::State::choice_along_field(Slot slot, Index area) const {
  const goals::Goal goal = goal_to(slot, area);
  for (const double r : {routes::radius_rounded_up(radius[slot]), radius[slot]}) {
    FlowFieldPtr found = fields.find({&goal, r, weights_of_field(slot)});
    const routes::FlowField::Answer answer =
        found ? found->ask(position[slot], cell[slot]) : routes::FlowField::Answer();
    if (!answer.reachable()) continue;
    Choice choice{{}, std::move(found), answer.distance, area, {{}, none}, {}};
    if (wants_own_place(errand_of(slot))) choice.target = place_in(areas[area], slot);
    return choice;
  }
  return {};
}

void Crowd::State::take_plan(Slot slot, Plan plan) {
  route[slot] = std::move(plan.route);
  field[slot] = std::move(plan.field);
  memory[slot] = {0, plan.distance};
  follow_hints[slot] = {};
  to_go[slot] = 0;
  target[slot] = plan.target;
  activity[slot] = route[slot] || field[slot] ? Activity::walking : Activity::lost;
  if (stuck_clocks) (*stuck_clocks)[slot].restart(position[slot], metres_left(slot));
}

/// Those of a group who do not get through are parted, and find no way of their own. Somebody who does.
Slot Crowd::State::without_too_wide(Slot slot, const Plan& plan) {
  Slot fits = none;
  for (const Slot member : members_of(slot)) {
    if (radius[member] > plan.body)
      part_from_group(member);
    else if (fits == none || member == slot)
      fits = member;
  }
  return fits;
}

/// All members take what was planned for them: one exit and one route, and a place of one's own each where places matter.
void Crowd::State::take_together(Slot slot, const Plan& plan) {
  const Activity then = activity[slot];
  if (plan.body < never) slot = without_too_wide(slot, plan);
  errand_of(slot).area = plan.area;
  const bool places_matter = plan.area != none && wants_own_place(errand_of(slot));
  for_members(slot, [&](Slot member) {
    if (activity[member] != then) return;
    if (member == slot) return take_plan(member, plan);
    if (follows_field(member)) return take_plan(member, plan_along_field(member));
    if (plan.field) return ask_for_route(member, Why::joins);  // which knows the area now
    Plan own = plan;
    if (plan.route && places_matter) own.target = place_in(areas[plan.area], member);
    take_plan(member, std::move(own));
  });
}

void Crowd::State::take_answer(const Request& request, Slot slot, Plan plan) {
  // What is joined to the rest of the old way ends where that did; of another, classes left say nothing.
  if (considered && request.why != Why::lost_sight)
    for_members(slot, [&](Slot member) {
      if ((*considered)[member]) (*considered)[member]->forget_ways();
    });
  switch (request.why) {
    case Why::sets_out:
      choose_exit(slot, plan);
      take_together(slot, plan);
      // Those after it in this step go by where it goes.
      if (!plan.choices.empty()) for_members(slot, [&](Slot member) { announce_anew(member, true); });
      return;
    case Why::follows:
      if (plan.route) take_plan(slot, std::move(plan));
      return;
    case Why::ground:
      if (plan.route || plan.field) take_together(slot, plan);
      return;
    default:
      if (!has_company(slot)) errand_of(slot).area = plan.area;
      return take_plan(slot, std::move(plan));
  }
}

/// Oldest first, until the budget is spent, where there is one; who is left is first next time.
void Crowd::State::serve_requests() {
  std::vector<Request> now;
  std::vector<Slot> who, with_company;
  std::vector<Plan> plans;
  const std::size_t budget = options.planning_budget == 0 ? routes::any_number : options.planning_budget;
  for (std::size_t spent = 0; spent < budget && !requests.empty();) {
    now.clear(), who.clear(), with_company.clear();
    while (!requests.empty() && now.size() < requests_at_once) {
      const Request request = requests.front();
      requests.pop_front();
      const Slot slot = slot_of(request);
      if (slot == none) continue;
      now.push_back(request), who.push_back(slot);
      if (goal_of(slot).quickest) keep_jams();
      for_members(slot, [&](Slot member) { with_company.push_back(member); });
    }
    plans.clear();
    plans.resize(now.size());
    make_fields(with_company);
    executor.for_chunks(now.size(), 4, [&](std::size_t begin, std::size_t end) {
      Desk& desk = desks.local();
      for (std::size_t i = begin; i < end; ++i) plans[i] = plan(now[i], desk);
    });
    for (std::size_t i = 0; i < now.size(); ++i) {
      spent += plans[i].expansions;
      take_answer(now[i], who[i], std::move(plans[i]));
    }
  }
  plan_thoughts();
  take_thoughts();
}

}  // namespace throng::crowd
