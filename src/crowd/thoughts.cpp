// Second thoughts of a crowd: asked for with a reason, planned in a step of their own within a budget of their own each, answered a fixed
// number of steps later, so that nobody's answer hangs on others. The rules of rests and of going back and forth are second_thoughts.hpp's.
#include <algorithm>
#include <cmath>

#include "crowd/state.hpp"
#include "navmesh/queries.hpp"
#include "routes/radius_rounding.hpp"

namespace throng::crowd {

using routes::ChainWord;

bool Crowd::State::leads(Slot slot) const {
  if (!has_company(slot)) return true;
  Slot first = none;
  for_members(slot, [&](Slot member) {
    if (first == none && activity[member] == Activity::walking) first = member;
  });
  return first == slot;
}

SecondThoughts& Crowd::State::thoughts_of(Slot slot) {
  keep_considered();
  std::unique_ptr<SecondThoughts>& own = (*considered)[slot];
  if (!own) own = std::make_unique<SecondThoughts>();
  return *own;
}

void Crowd::State::keep_considered() {
  if (considered) return;
  agents::Codec<std::unique_ptr<SecondThoughts>> codec;
  codec.save = [](geometry::ArchiveWriter& out, const std::unique_ptr<SecondThoughts>& own, Slot) {
    out.put(std::uint8_t(own ? 1 : 0));
    if (own) own->save(out);
  };
  codec.load = [this](geometry::ArchiveReader& in, std::unique_ptr<SecondThoughts>& own, Slot) {
    if (in.get<std::uint8_t>() == 0) return;
    own = std::make_unique<SecondThoughts>();
    own->load(in, *world->graph, areas.size());
  };
  considered = std::make_unique<ConsideredColumn>(store, "second thoughts", agents::Lives::agent, true,
                                                  std::unique_ptr<SecondThoughts>(), std::move(codec));
}

void Crowd::State::forget_places() {
  if (considered)
    for (const Slot slot : order)
      if (SecondThoughts* own = (*considered)[slot].get()) own->forget_places();
  for (const Slot slot : order)
    if (DetourMind* mind = detour_mind(slot)) mind->forget_ways();
}

Progress Crowd::State::progress_of(Slot slot) const {
  return {world->graph->chain_of(world->mesh->arc(cell[slot] / 2).edge), metres_left(slot)};
}

/// Whose turn it is goes by who they are, so that nobody's turn hangs on others.
void Crowd::State::ask_for_thought(Slot slot, Reason why, std::optional<ToldThought> about) {
  const unsigned wait = std::max(1u, options.second_thought_steps);
  const std::uint64_t turn = (traits[slot].draws + traits[slot].number) % wait;
  thoughts.push_back(
      {.request = {handle[slot], serial[slot], ++asked[slot], Why::thinks_again, why, steps + turn, steps + wait},
       .route = {},
       .about = std::move(about)});
}

void Crowd::State::think_again(Slot slot) {
  if (follows_field(slot)) return;  // a field is the way from everywhere
  ask_for_thought(slot, Reason::asked);
}

bool Crowd::State::reconsider(Slot slot, Reason why) {
  if (activity[slot] != Activity::walking || !route[slot] || !leads(slot)) return false;
  SecondThoughts& own = thoughts_of(slot);
  const bool is_detour = why == Reason::detour || why == Reason::back;
  const bool may_rest = !is_detour || detour_numbers(slot).rest;
  if (own.has_asked(asked[slot]) || (may_rest && own.rests(why, time(), progress_of(slot)))) return false;
  ask_for_thought(slot, why);
  own.ask(asked[slot]);
  return true;
}

Crowd::State::Plan Crowd::State::think(Thought& thought, Slot slot, Desk& desk) const {
  switch (thought.request.reason) {
    case Reason::stuck: return plan_out_of_jam(slot, desk, thought.closes);
    case Reason::asked: return plan_to_goal(slot, desk, options.second_thought_budget);
    case Reason::queues: return plan_by_queues(slot, desk);
    case Reason::detour: return plan_detour(thought, slot, desk);
    case Reason::back: return plan_back(slot, desk);
    case Reason::density: return jams && jams->marks ? plan_by_density(slot, desk, areas_to_choose(slot)) : Plan{};
    case Reason::strategy:
    case Reason::guidance: return thought.about ? plan_as_told(slot, *thought.about, desk) : Plan{};
    default: return {};
  }
}

bool Crowd::State::is_worth_taking(const Thought& thought, Slot slot) const {
  switch (thought.request.reason) {
    case Reason::asked: return thought.route->way.length() < route[slot]->way.length() - memory[slot].reference;
    case Reason::stuck: return is_stuck(slot);
    case Reason::queues:
    case Reason::density: return saves_time(thought, slot);
    case Reason::strategy: return is_short_enough(thought, slot);
    case Reason::guidance: return true;
    case Reason::detour: return detours_round_jams(slot) && jam_ahead(slot).has_value();
    case Reason::back: return is_worth_going_back(thought, slot);
    default: return false;
  }
}

/// Those whose step it is. Nobody's answer hangs on how many there are.
void Crowd::State::plan_thoughts() {
  std::vector<Thought*> now;
  for (Thought& thought : thoughts)
    if (slot_of(thought.request) != none && !thought.is_planned && thought.request.work_at <= steps)
      now.push_back(&thought);
  executor.for_chunks(now.size(), 4, [&](std::size_t begin, std::size_t end) {
    Desk& desk = desks.local();
    for (std::size_t i = begin; i < end; ++i) {
      const Slot slot = slot_of(now[i]->request);
      Plan plan = think(*now[i], slot, desk);
      if (goes_against_guidance(slot, plan)) plan = {};
      now[i]->is_planned = true;
      now[i]->route = std::move(plan.route);
      now[i]->area = plan.area;
      now[i]->target = plan.target;
      now[i]->gap_left = plan.gap_left;
    }
  });
}

/// Answers that are due, in order of serials: each is tested against what those before it took. A search that failed takes no route away.
void Crowd::State::take_thoughts() {
  std::vector<Thought*> due_now;
  for (Thought& thought : thoughts)
    if (thought.request.answer_at <= steps) due_now.push_back(&thought);
  std::ranges::stable_sort(due_now, {}, [](const Thought* thought) { return thought->request.serial; });
  for (Thought* thought : due_now) {
    const Slot slot = slot_of(thought->request);
    if (slot == none) continue;
    const bool taken = take_thought(*thought, slot);
    const Reason why = thought->request.reason;
    if (why == Reason::asked) continue;
    SecondThoughts& own = thoughts_of(slot);
    own.answered();
    // Strategies rest by their own clock.
    if (thought->about)
      note_decided(*thought, slot, taken);
    else if (!taken)
      own.was_fruitless(why, time(), progress_of(slot));
    if (!taken && why == Reason::detour && detours_round_jams(slot)) ++keep_detour_mind(slot).fruitless;
    if (thought->closes.edge != none) own.close(thought->closes, time());
  }
  std::erase_if(thoughts, [&](const Thought& thought) {
    return thought.request.answer_at <= steps || slot_of(thought.request) == none;
  });
}

bool Crowd::State::take_thought(Thought& thought, Slot slot) {
  if (!thought.route || !route[slot] || !is_worth_taking(thought, slot)) return false;
  const Reason why = thought.request.reason;
  const bool is_detour = why == Reason::detour || why == Reason::back;
  // Free of the rules that hold for second thoughts of every reason.
  const bool is_free =
      why == Reason::asked || why == Reason::guidance || (is_detour && !detour_numbers(slot).no_return);
  DetourKind detour = why == Reason::back ? DetourKind::back : DetourKind::nothing;
  std::optional<ChainWord> own_class, other;
  const Index area = errand_of(slot).area;
  if (considered) {
    own_class = class_ahead(slot, *route[slot], memory[slot].reference);
    other = class_ahead(slot, *thought.route, 0);
    const bool are_known = own_class && other;
    const bool is_because_stuck = why == Reason::stuck || (thought.about && thought.about->closed != none);
    if (!is_free && !thoughts_of(slot).may_take(are_known ? *own_class : ChainWord(), are_known ? *other : ChainWord(),
                                                are_known ? thought.area : none, time(), is_because_stuck))
      return false;
    // The way one is on, found again, unless it leads through a gap.
    const bool is_same = are_known && *own_class == *other && area == thought.area;
    if (is_same && (why == Reason::density || why == Reason::queues)) return false;
  }
  if (why == Reason::detour) {
    detour = judge_detour(thought, slot, own_class, other);
    if (detour == DetourKind::nothing) return false;
  }
  take_together(slot, {.route = std::move(thought.route), .area = thought.area, .target = thought.target});
  if (is_detour) has_detoured(slot, detour, thought.joins, own_class, other);
  if (considered)
    for_members(slot, [&](Slot member) {
      if (activity[member] != Activity::walking) return;
      SecondThoughts& own = thoughts_of(member);
      if (member == slot && own_class && other)
        own.has_taken(why, time(), *own_class, area, *other, errand_of(slot).area);
      else
        own.has_taken(why, time());
      if (stuck_clocks) (*stuck_clocks)[member].gap_left = float(thought.gap_left);
    });
  for_members(slot, [&](Slot member) {
    if (activity[member] == Activity::walking) note_change(member, why, area, detour);
  });
  if (jams) for_members(slot, [&](Slot member) { announce_anew(member, true); });
  return true;
}

void Crowd::State::note_change(Slot slot, Reason why, Index from, DetourKind detour) {
  changes.push_back({why, time(), serial[slot], {position[slot], layer[slot]}, from, errand_of(slot).area, detour});
}

/// The segment to the way is part of it: classes are told apart between the same two ends only.
std::optional<ChainWord> Crowd::State::class_ahead(Slot slot, const routes::PlannedRoute& along, double from) const {
  const routes::Route whole = routes::unpacked(along);
  const navmesh::Place here{position[slot], layer[slot]};
  for (const double to : {from, std::max(from, std::min(memory[slot].attraction, whole.length))}) {
    routes::AxisTracer tracer(*world->mesh);
    const routes::RoutePoint there = whole.at(to);
    if (!tracer.begin(here) || !tracer.line_to({there.point, there.layer})) continue;
    if (!tracer.along(whole.stretch(to, whole.length)) || !tracer.finish(whole.goal)) continue;
    return routes::class_of(*world->graph, tracer.trace());
  }
  return std::nullopt;
}

Crowd::State::Plan Crowd::State::plan_by_ways(Slot slot, Desk& desk, std::span<const Index> to,
                                              const WayFinder& find) const {
  const goals::Goal& goal = goal_of(slot);
  const routes::RouteMaker& maker = methods->route[level(Level::route).method(slot)];
  routes::RouteMethod method = routes::RouteMethod::shortest_in_corridor;
  for (const auto like : {routes::RouteMethod::medial, routes::RouteMethod::left, routes::RouteMethod::right})
    if (maker.info().name == routes::route_method_names[std::size_t(like)]) method = like;
  const double body = widest_member(slot), rounded = routes::radius_rounded_up(body);
  Plan best;
  double least = routes::unreachable;
  const auto try_to = [&](const navmesh::Place& place, Index area) {
    double cost = routes::unreachable;
    const auto found_by = [&](const routes::OnAxis& from, const routes::OnAxis& end, double wide,
                              routes::AxisPath& path) {
      cost = find(from, end, wide, area, path, best.expansions);
      return cost < least;
    };
    for (const double wide : {rounded, body}) {
      const routes::RouteQuery query{.from = {position[slot], layer[slot]},
                                     .to = place,
                                     .radius = wide,
                                     .clearance = maker.clearance(level(Level::route).numbers(slot)),
                                     .method = method};
      if (desk.plan.planner.plan_by(query, found_by, desk.found) == routes::NoRoute::found) {
        std::swap(desk.best, desk.found);
        least = cost;
        best.area = area;
        best.target = desk.best.goal;
        return;
      }
      if (wide == body) return;
    }
  };
  if (goal.person != 0) {
    if (const Slot person = slot_of_serial(goal.person); person != none)
      try_to({position[person], layer[person]}, none);
  } else if (goal.areas.empty()) {
    try_to(goal.point, none);
  } else {
    for (const Index area : to) try_to(place_in(areas[area], slot), area);
  }
  if (least < routes::unreachable) best.route = routes::share(desk.best);
  return best;
}

}  // namespace throng::crowd
