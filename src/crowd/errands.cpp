// Level 5 of a step: what travellers do next (travellers.hpp), and the routes they ask for.
#include <algorithm>
#include <cmath>

#include "crowd/state.hpp"

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
/// Who goes to a person plans again once that person is this many metres from where they were, at most once in so many seconds.
constexpr double person_moved_on = 2;
constexpr double between_plans = 1;

bool is_last(const Errand& e) { return e.goal + 1 == e.itinerary->goals.size(); }

bool stays_with_person(const Errand& e) {
  return is_last(e) && e.itinerary->at_last == goals::AtLastGoal::stay && e.itinerary->goals[e.goal].person != 0;
}

}  // namespace

std::vector<Slot> Crowd::State::members_of(Slot slot) const {
  std::vector<Slot> members;
  for_members(slot, [&](Slot member) { members.push_back(member); });
  return members;
}

/// Takes over what the other one's traveller does: before, it sets out with them; on the way, it goes where they go.
void Crowd::State::join(Slot slot, Slot whom) {
  if (traveller[slot] == traveller[whom]) return;
  leave_traveller(slot);
  traveller[slot] = traveller[whom];
  Traveller& together = travellers[traveller[whom]];
  if (!together.company) together.company = std::make_unique<std::vector<Index>>(1, handle[whom]);
  const auto by_serial = [&](Index member) { return serial[handles.slot(member)]; };
  together.company->insert(std::ranges::lower_bound(*together.company, serial[slot], {}, by_serial), handle[slot]);
  store.reset(slot, agents::Lives::goal);
  const Activity theirs = activity[whom] == Activity::steered ? before_steering[whom] : activity[whom];
  const bool can_take_part = theirs == Activity::before || theirs == Activity::planning || theirs == Activity::arrived;
  if (activity[slot] == Activity::steered)
    before_steering[slot] = can_take_part ? theirs : Activity::walking;
  else if (can_take_part)
    activity[slot] = theirs;
  else
    ask_for_route(slot, Why::joins);
}

/// Walks on as it did, alone.
void Crowd::State::part(Slot slot) {
  if (!has_company(slot)) return;
  Errand own = errand_of(slot);
  leave_traveller(slot);
  traveller[slot] = travellers.begin(std::move(own));
  if (activity[slot] == Activity::planning) ask_for_route(slot, Why::sets_out);
  begin_wait_together(slot);
}

void Crowd::State::leave_traveller(Slot slot) {
  const Index number = traveller[slot];
  traveller[slot] = none;
  std::unique_ptr<std::vector<Index>>& company = travellers[number].company;
  if (!company) return travellers.end(number);
  std::erase(*company, handle[slot]);
  const Slot first = handles.slot(company->front());
  if (company->size() == 1) company.reset();
  // Whoever left may have been the one who asked for all.
  if (activity[slot] == Activity::planning)
    for (const Slot member : members_of(first))
      if (activity[member] == Activity::planning) {
        ask_for_route(member, Why::sets_out);
        break;
      }
  begin_wait_together(first);
}

/// A wait begins when all members are there who can come.
void Crowd::State::begin_wait_together(Slot slot) {
  Errand& e = errand_of(slot);
  bool all_there = true, any_there = false;
  for_members(slot, [&](Slot member) {
    any_there = any_there || activity[member] == Activity::waiting;
    all_there = all_there && (activity[member] == Activity::waiting || activity[member] == Activity::steered ||
                              activity[member] == Activity::lost);
  });
  if (any_there && all_there && e.until == never && !stays_with_person(e)) e.until = time() + goal_of(slot).wait;
}

Slot Crowd::State::slot_of_serial(std::uint64_t who) const {
  const auto found = std::ranges::lower_bound(order, who, {}, [&](Slot slot) { return serial[slot]; });
  return found != order.end() && serial[*found] == who ? *found : none;
}

void Crowd::State::run_errands() {
  departures.clear();
  leaving.clear();
  for_everybody([&](Slot slot) { due[slot] = is_due(slot) ? 1 : 0; });
  for (const Slot slot : flagged(due)) {
    // One member may have gone on for the others already.
    switch (activity[slot]) {
      case Activity::before: set_out(slot); break;
      case Activity::waiting: stays_with_person(errand_of(slot)) ? go_to_person(slot) : next_goal(slot); break;
      case Activity::walking: goal_of(slot).person != 0 ? go_to_person(slot) : reach_goal(slot); break;
      default: break;
    }
  }
  if (leaving.empty()) return;
  for (const Slot slot : leaving) {
    departures.push_back({serial[slot], handles.id(handle[slot]), traits[slot].population, true, time()});
    clear_slot(slot);
  }
  std::erase_if(order, [&](Slot slot) { return present[slot] == 0; });
}

/// Whether the person goes on in its itinerary now. It depends on nobody else but whom it goes to.
bool Crowd::State::is_due(Slot slot) {
  switch (activity[slot]) {
    case Activity::before: return time() >= errand_of(slot).until;
    case Activity::waiting:
      return stays_with_person(errand_of(slot)) ? is_person_due(slot) : time() >= errand_of(slot).until;
    case Activity::walking:
      if (to_go[slot] > 0) return false;
      return goal_of(slot).person != 0 ? is_person_due(slot) : at_goal(slot) != AtGoal::no;
    default: return false;
  }
}

std::string Crowd::State::misfit_of_persons(const AgentSpec& spec) const {
  const auto is_person = [](const goals::Goal& goal) { return goal.person != 0; };
  if (!spec.itinerary || std::ranges::none_of(spec.itinerary->goals, is_person)) return {};
  const following::Follower* follower = methods->follow.find(spec.methods[Level::follow].name);
  const bool by_field = follower != nullptr && follower->guide() == following::Guide::field;
  return by_field ? "who follows a flow field cannot go to a person: fields lead to places" : "";
}

/// Whether the person it goes to is reached, has moved on, or has left.
bool Crowd::State::is_person_due(Slot slot) const {
  const goals::Goal& goal = goal_of(slot);
  const Slot person = slot_of_serial(goal.person);
  if (person == none) return true;
  const double apart = distance(position[slot], position[person]);
  const bool on_one_layer = layer[slot] == layer[person];
  if (activity[slot] == Activity::waiting) return !on_one_layer || apart > goal.radius + person_moved_on;
  if (on_one_layer && apart <= goal.radius) return true;
  const bool moved_on =
      layer[person] != target[slot].layer || distance(position[person], target[slot].point) > person_moved_on;
  return moved_on && time() >= errand_of(slot).until;
}

void Crowd::State::go_to_person(Slot slot) {
  const goals::Goal& goal = goal_of(slot);
  const Slot person = slot_of_serial(goal.person);
  if (person == none) {
    activity[slot] = Activity::lost;
  } else if (activity[slot] == Activity::waiting) {
    set_out(slot);
  } else if (layer[slot] == layer[person] && distance(position[slot], position[person]) <= goal.radius) {
    reach_goal(slot);
  } else {
    errand_of(slot).until = time() + between_plans;
    ask_for_route(slot, Why::follows);
  }
}

/// The traveller begins with the present goal of its itinerary: all members who are not steered from outside, and this one.
void Crowd::State::set_out(Slot slot) {
  Errand& e = errand_of(slot);
  const bool has_goal = e.itinerary && e.goal < e.itinerary->goals.size();
  const bool is_given =
      has_goal && e.goal == 0 && route[slot] && activity[slot] == Activity::before && !follows_field(slot);
  Slot first = none;
  for_members(slot, [&](Slot member) {
    if (member != slot && activity[member] == Activity::steered) return;
    if (first == none) first = member;
    any_place_from[member] = never;
    activity[member] = !has_goal ? Activity::arrived : is_given ? Activity::walking : Activity::planning;
    if (is_given && member != slot) route[member] = route[slot], target[member] = target[slot];
  });
  // A group's route begins where its leader is.
  if (const Group* group = group_of(slot))
    if (const Slot leader = leader_of(*group);
        leader != none && traveller[leader] == traveller[slot] && activity[leader] == Activity::planning)
      first = leader;
  if (!has_goal) return;
  e.until = e.itinerary->goals[e.goal].person != 0 ? time() + between_plans : never;
  if (is_given)
    e.area = area_at_end(slot);
  else
    ask_for_route(first, Why::sets_out);
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
  else if (why != Why::follows && why != Why::ground)
    activity[slot] = Activity::planning;
  requests.push_back({handle[slot], serial[slot], ++asked[slot], why, Reason::nothing, steps, steps});
}

void Crowd::State::plan_anew(Slot slot) {
  ask_for_route(slot, has_company(slot) && activity[slot] != Activity::planning ? Why::joins : Why::sets_out);
}

bool Crowd::State::wants_own_place(const Errand& e) const {
  const goals::Itinerary& itinerary = *e.itinerary;
  const bool is_last = e.goal + 1 == itinerary.goals.size();
  return itinerary.goals[e.goal].wait > 0 || (is_last && itinerary.at_last == goals::AtLastGoal::stay);
}

/// Fields lead to whichever goal is nearest: of several areas any will do, and a point may have been moved off a wall.
bool Crowd::State::is_at_end_of_field(Slot slot) const {
  const goals::Goal& goal = goal_of(slot);
  if (goal.areas.empty()) return memory[slot].attraction <= goal.radius;
  // An area less deep than the body is wide has no place the body can stand on: as near as it gets is near enough.
  return target[slot].layer == none && memory[slot].attraction <= end_of_field;
}

/// Writes what is the person's own, and of a traveller of one the area it came to along a field.
Crowd::State::AtGoal Crowd::State::at_goal(Slot slot) {
  const goals::Goal& goal = goal_of(slot);
  const navmesh::Place here{position[slot], layer[slot]};
  Index area = errand_of(slot).area;
  if (field[slot]) {
    for (const Index any : goal.areas)
      if (areas[any].contains(here)) area = any;
    if (!has_company(slot)) errand_of(slot).area = area;
    if (is_at_end_of_field(slot)) return AtGoal::there;
  }
  const auto is_near = [&](const navmesh::Place& place, double distance) {
    return here.layer == place.layer && squared_length(here.point - place.point) <= distance * distance;
  };
  if (goal.areas.empty()) {
    const double nearest2 =
        std::min(squared_length(here.point - target[slot].point), squared_length(here.point - goal.point.point));
    // A field may end nearer than its goal, which was in a wall perhaps.
    if (!field[slot]) to_go[slot] = float(std::min(std::sqrt(nearest2) - goal.radius, most_to_go)) - to_go_rounding;
    return is_near(target[slot], goal.radius) || is_near(goal.point, goal.radius) ? AtGoal::there : AtGoal::no;
  }
  if (!areas[area].contains(here)) return AtGoal::no;
  if (!wants_own_place(errand_of(slot)) || is_near(target[slot], at_own_place)) return AtGoal::there;
  any_place_from[slot] = std::min(any_place_from[slot], time() + patience_in_area);
  if (time() >= any_place_from[slot]) return AtGoal::there;
  // The route that members share ends at the place of the one it was planned for.
  const bool ends_elsewhere =
      has_company(slot) && route[slot] && distance(route[slot]->way.end(), target[slot].point) > at_own_place;
  return ends_elsewhere ? AtGoal::in_area : AtGoal::no;
}

void Crowd::State::reach_goal(Slot slot) {
  if (at_goal(slot) == AtGoal::in_area) return ask_for_route(slot, Why::joins);
  Errand& e = errand_of(slot);
  const double wait = goal_of(slot).wait;
  if (stays_with_person(e)) {
    activity[slot] = Activity::waiting;
    e.until = never;
    return;
  }
  if (!has_company(slot)) {
    if (wait <= 0) return next_goal(slot);
    activity[slot] = Activity::waiting;
    e.until = time() + wait;
    return;
  }
  // At the end everybody is for themselves; before that they go on together.
  if (is_last(e) && wait <= 0) return finish(slot);
  activity[slot] = Activity::waiting;
  begin_wait_together(slot);
}

void Crowd::State::next_goal(Slot slot) {
  Errand& e = errand_of(slot);
  const std::vector<Slot> members = members_of(slot);
  for (const Slot member : members) {
    if (member != slot && activity[member] == Activity::steered) continue;
    store.reset(member, agents::Lives::goal);
  }
  if (++e.goal < e.itinerary->goals.size()) return set_out(slot);
  for (const Slot member : members)
    if (member == slot || activity[member] != Activity::steered) finish(member);
}

/// There are no more goals.
void Crowd::State::finish(Slot slot) {
  store.reset(slot, agents::Lives::goal);
  if (errand_of(slot).itinerary->at_last == goals::AtLastGoal::leave) leaving.push_back(slot);
  activity[slot] = Activity::arrived;
}

}  // namespace throng::crowd
