#include "crowd/crowd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include <tuple>

#include "crowd/state.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/visibility.hpp"

namespace throng::crowd {

namespace {

/// Bodies outside this range are not people, animals or vehicles, and walls of centimetres would be lost on them.
constexpr double least_weight = 1e-3, most_weight = 1e6;
constexpr double least_radius = 0.01, largest_radius = 50;
constexpr double largest_speed = 100;

Problem refused(std::string what) { return {Severity::error, ProblemCode::value, "agent", std::move(what)}; }

bool within(double value, double least, double most) { return value >= least && value <= most; }

/// A person at a place, where that is possible.
Result<Standing> stand_on(const navmesh::Mesh& mesh, const navmesh::Place& place, double radius) {
  const Vec2 p = place.point;
  if (!std::isfinite(p.x) || !std::isfinite(p.y)) return refused("the place is not a number");
  const Standing at = standing_at(mesh, place);
  if (at.cell == none) return refused(fmt::format("({}, {}) is not in free space", p.x, p.y));
  if (at.clearance < radius - tolerance::wall)
    return refused(fmt::format("({}, {}) is {} m from a wall, the radius is {}", p.x, p.y, at.clearance, radius));
  return at;
}

}  // namespace

std::string misfit_of(const goals::ItineraryPtr& itinerary, std::size_t areas, std::size_t layers) {
  if (!itinerary) return {};
  for (const goals::Goal& goal : itinerary->goals) {
    if (!(goal.wait >= 0) || !(goal.radius > 0)) return "a goal's wait must be 0 or more, its radius more than 0";
    if (!std::isfinite(goal.point.point.x) || !std::isfinite(goal.point.point.y)) return "a goal is not a place";
    if (goal.person != 0 && !goal.areas.empty()) return "a goal is a person or areas, not both";
    if (goal.quickest && goal.areas.empty()) return "the quickest of no areas is no goal";
    if (goal.person == 0 && goal.areas.empty() && goal.point.layer >= layers)
      return fmt::format("a goal is on layer {}, but there are {}", goal.point.layer, layers);
    for (const Index area : goal.areas)
      if (area >= areas) return fmt::format("a goal names area {}, but the crowd knows {}", area, areas);
  }
  return {};
}

std::string misfit_of(const AgentSpec& spec, std::size_t types, const Methods& methods) {
  if (!within(spec.radius, least_radius, largest_radius))
    return fmt::format("radius must be {} to {} m, not {}", least_radius, largest_radius, spec.radius);
  if (!within(spec.speed, 0, largest_speed))
    return fmt::format("speed must be 0 to {} m/s, not {}", largest_speed, spec.speed);
  if (!(spec.premovement >= 0)) return fmt::format("premovement must be 0 or more, not {}", spec.premovement);
  if (!within(spec.stairs_up, 0, 2) || !within(spec.stairs_down, 0, 2)) return "speed on stairs must be 0 to 2";
  if (!(squared_length(spec.heading) > 0) || !std::isfinite(squared_length(spec.heading)))
    return "heading is no direction";
  if (!spec.weights.empty() && spec.weights.size() != types)
    return fmt::format("{} region weights are needed, not {}", types, spec.weights.size());
  for (const double weight : spec.weights)
    if (!(weight >= least_weight) || (weight > most_weight && std::isfinite(weight)))
      return fmt::format("a region weight must be {:g} to {:g} or never, not {}", least_weight, most_weight, weight);
  if (spec.draws >= (1u << 20)) return "draws must be below 2^20";
  for (const agents::LevelInfo& level : agents::levels)
    if (std::string why = LevelUse::misfit(methods, level.level, spec.methods[level.level]); !why.empty()) return why;
  const CongestionMethod* congestion = methods.congestion.find(spec.methods[Level::congestion].name);
  const following::Follower* follower = methods.follow.find(spec.methods[Level::follow].name);
  if (congestion != nullptr && congestion->needs_route() && follower != nullptr &&
      follower->guide() == following::Guide::field)
    return fmt::format("congestion method '{}' plans routes, and who follows '{}' has none: 'quickest' or 'none'",
                       congestion->info().name, follower->info().name);
  if (congestion == nullptr) return {};
  if (congestion->needs_candidates() && follower != nullptr && !follower->has_candidates())
    return fmt::format("congestion method '{}' weighs where to head for, and '{}' has no candidates: 'miran'",
                       congestion->info().name, follower->info().name);
  return congestion->misfit_of(spec.methods[Level::congestion].parameters);
}

Crowd::State::State(WorldPtr w, CrowdOptions o)
    : world(std::move(w)),
      options(std::move(o)),
      executor(options.threads),
      methods(options.methods ? options.methods : built_in_methods()),
      desks([graph = world->graph] {
        return Desk{routes::PlanDesk(graph), {}, {}};
      }) {
  levels.reserve(agents::level_count);  // columns know their store by its address, and so do levels
  for (const agents::LevelInfo& info : agents::levels) levels.emplace_back(store, info.level, methods);
  for (const std::vector<agents::MethodInfo>& infos : methods->catalogue().all)
    for (const agents::MethodInfo& info : infos) any_steers_standing = any_steers_standing || info.steers_standing;
  weights.set_types(world->regions ? world->regions->kinds().row_size() : 1);
  set_codecs();
}

void Crowd::State::set_traits(Slot slot, const AgentSpec& spec) {
  for (LevelUse& use : levels) use.take(slot, spec.methods.all[std::size_t(&use - levels.data())]);
  weights_row[slot] = weights.take(spec.weights);
  traits[slot] = {spec.speed, float(spec.stairs_up), float(spec.stairs_down), spec.population, spec.profile, spec.draws,
                  spec.number};
  radius[slot] = spec.radius;
  follow_hints[slot].room = 0;
  follow_hints[slot].line.even_to = 0;
  speed[slot] = spec.speed;
  since_index.push_back(slot);
  make_tables(slot);
}

void Crowd::State::drop_traits(Slot slot) {
  for (LevelUse& use : levels) use.drop(slot);
  weights.give_back(weights_row[slot]);
}

void Crowd::State::stand(Slot slot, const Standing& at) {
  position[slot] = at.place.point;
  layer[slot] = at.place.layer;
  cell[slot] = at.cell;
  clearance[slot] = at.clearance;
  follow_hints[slot].room = follow_hints[slot].line.even_to = to_go[slot] = 0;
  since_index.push_back(slot);
}

Standing Crowd::State::standing(Slot slot) const {
  return {{position[slot], layer[slot]}, cell[slot], clearance[slot], {}};
}

double Crowd::State::metres_left(Slot slot) const {
  if (field[slot]) return memory[slot].attraction;
  return !route[slot] ? never : std::max(0.0, route[slot]->way.length() - memory[slot].reference);
}

void Crowd::State::put(Slot slot, const AgentSpec& spec) {
  present[slot] = 1;
  handle[slot] = handles.take(slot);
  serial[slot] = ++last_serial;
  velocity[slot] = walking[slot] = preferred[slot] = {};
  heading[slot] = spec.heading / std::sqrt(squared_length(spec.heading));
  set_traits(slot, spec);
  const routes::RoutePtr& given = spec.given_route;
  traveller[slot] = travellers.begin({spec.itinerary, 0, none, time() + spec.premovement});
  target[slot] = given ? given->goal : spec.place;
  field[slot] = {};
  route[slot] = given ? routes::share(*given) : nullptr;
  memory[slot] = {};
  activity[slot] = Activity::before;
  order.push_back(slot);
}

void Crowd::State::clear_slot(Slot slot) {
  leave_group(slot);
  leave_jams(slot);
  leave_fields(slot);
  leave_traveller(slot);
  drop_traits(slot);
  handles.give_back(handle[slot]);
  store.reset(slot);
  free_slots.push_back(slot);
}

agents::People Crowd::State::view(double dt) const {
  return {world->mesh.get(), dt,      options.host, present, serial,    position, velocity,
          walking,           heading, layer,        cell,    clearance, radius,   speed};
}

Crowd::Crowd(WorldPtr world, CrowdOptions options)
    : state_(std::make_unique<State>(std::move(world), std::move(options))) {}
Crowd::~Crowd() = default;
Crowd::Crowd(Crowd&&) noexcept = default;
Crowd& Crowd::operator=(Crowd&&) noexcept = default;

const World& Crowd::world() const { return *state_->world; }

Index Crowd::add_area(goals::Area area) {
  state_->areas.push_back(std::move(area));
  state_->jams.reset();  // it has a queue at every area
  return Index(state_->areas.size() - 1);
}

const std::vector<goals::Area>& Crowd::areas() const { return state_->areas; }

Result<AgentId> Crowd::add(const AgentSpec& spec) {
  State& s = *state_;
  if (std::string why = misfit_of(spec, s.weights.types(), *s.methods); !why.empty()) return refused(std::move(why));
  if (std::string why = misfit_of(spec.itinerary, s.areas.size(), s.world->mesh->layers.size()); !why.empty())
    return refused(std::move(why));
  if (std::string why = s.misfit_of_persons(spec); !why.empty()) return refused(std::move(why));
  const Result<Standing> at = stand_on(*s.world->mesh, spec.place, spec.radius);
  if (!at) return at.problems();
  if (s.free_slots.empty()) {
    s.free_slots.push_back(Slot(s.present.size()));
    s.store.grow_to(s.present.size() + 1);
  }
  const Slot slot = s.free_slots.back();
  s.free_slots.pop_back();
  s.put(slot, spec);
  s.stand(slot, *at);
  return id_of(slot);
}

bool Crowd::holds(AgentId id) const { return slot_of(id) != none; }
Slot Crowd::slot_of(AgentId id) const { return state_->handles.find(id); }

namespace {
Problem unknown_agent() { return refused("nobody here has that id"); }
}  // namespace

bool Crowd::remove(AgentId id) {
  const Slot slot = slot_of(id);
  if (slot == none) return false;
  std::vector<Slot>& order = state_->order;
  order.erase(std::ranges::lower_bound(order, state_->serial[slot], {}, [&](Slot s) { return state_->serial[s]; }));
  state_->clear_slot(slot);
  return true;
}

Result<AgentId> Crowd::teleport(AgentId id, const navmesh::Place& place) {
  State& s = *state_;
  const Slot slot = slot_of(id);
  if (slot == none) return unknown_agent();
  const Result<Standing> at = stand_on(*s.world->mesh, place, s.radius[slot]);
  if (!at) return at.problems();
  s.stand(slot, *at);
  s.velocity[slot] = s.walking[slot] = {};
  const Activity activity = s.activity[slot];
  if (activity == Activity::walking || activity == Activity::lost || activity == Activity::planning) s.plan_anew(slot);
  return id;
}

Result<AgentId> Crowd::set_goals(AgentId id, goals::ItineraryPtr itinerary) {
  State& s = *state_;
  const Slot slot = slot_of(id);
  if (slot == none) return unknown_agent();
  if (std::string why = misfit_of(itinerary, s.areas.size(), s.world->mesh->layers.size()); !why.empty())
    return refused(std::move(why));
  AgentSpec as_spec;
  as_spec.itinerary = itinerary;
  as_spec.methods[Level::follow] = s.level(Level::follow).choice(slot);
  if (std::string why = s.misfit_of_persons(as_spec); !why.empty()) return refused(std::move(why));
  if (s.group_of(slot) != nullptr) s.leave_group(slot), s.part(slot);
  return set_goals_together(id, std::move(itinerary));
}

Result<AgentId> Crowd::set_goals_together(AgentId id, goals::ItineraryPtr itinerary) {
  State& s = *state_;
  const Slot slot = slot_of(id);
  if (std::string why = misfit_of(itinerary, s.areas.size(), s.world->mesh->layers.size()); !why.empty())
    return refused(std::move(why));
  Errand& errand = s.errand_of(slot);
  errand.itinerary = std::move(itinerary);
  errand.goal = 0;
  Slot sets_out = none;
  s.for_members(slot, [&](Slot member) {
    s.store.reset(member, agents::Lives::goal);
    const Activity activity = s.activity[member];
    if (sets_out == none && activity != Activity::before && activity != Activity::steered) sets_out = member;
  });
  if (sets_out != none) s.set_out(sets_out);
  return id;
}

Result<AgentId> Crowd::set_profile(AgentId id, const AgentSpec& spec) {
  State& s = *state_;
  const Slot slot = slot_of(id);
  if (slot == none) return unknown_agent();
  if (std::string why = misfit_of(spec, s.weights.types(), *s.methods); !why.empty()) return refused(std::move(why));
  if (s.clearance[slot] < spec.radius - tolerance::wall)
    return refused(fmt::format("there is no room for a radius of {} where the person stands", spec.radius));
  AgentSpec whole = spec;
  whole.population = s.traits[slot].population;
  whole.draws = s.traits[slot].draws;
  whole.number = s.traits[slot].number;
  whole.itinerary = s.errand_of(slot).itinerary;
  if (std::string why = s.misfit_of_persons(whole); !why.empty()) return refused(std::move(why));
  // Whatever decides about routes: who walks by one that it would not plan any more plans anew, and so does who found none.
  const auto decides = [&] {
    return std::tuple(s.radius[slot], s.level(Level::route).choice(slot), s.follows_field(slot),
                      s.weights.row(s.weights_row[slot]));
  };
  const auto before = decides();
  s.drop_traits(slot);
  s.set_traits(slot, whole);
  const Activity activity = s.activity[slot];
  if (decides() != before && (activity == Activity::walking || activity == Activity::lost)) s.plan_anew(slot);
  return id;
}

Result<AgentId> Crowd::think_again(AgentId id) {
  const Slot slot = slot_of(id);
  if (slot == none) return unknown_agent();
  if (state_->activity[slot] == Activity::walking) state_->think_again(slot);
  return id;
}

Result<AgentId> Crowd::steer(AgentId id, Vec2 velocity) {
  const Slot slot = slot_of(id);
  if (slot == none) return unknown_agent();
  if (!(squared_length(velocity) <= largest_speed * largest_speed))
    return refused(fmt::format("velocity ({}, {}) is out of range", velocity.x, velocity.y));
  if (state_->activity[slot] != Activity::steered) state_->before_steering[slot] = state_->activity[slot];
  state_->activity[slot] = Activity::steered;
  state_->preferred[slot] = velocity;
  return id;
}

Result<AgentId> Crowd::release(AgentId id) {
  const Slot slot = slot_of(id);
  if (slot == none) return unknown_agent();
  State& s = *state_;
  if (s.activity[slot] != Activity::steered) return id;
  const Activity before = s.before_steering[slot];
  // Premovement and waits go on where they were, unless the others have gone on; who was on the way plans from where it is now.
  bool others_went_on = false;
  s.for_members(
      slot, [&](Slot member) { others_went_on = others_went_on || (member != slot && s.activity[member] != before); });
  const bool stood = before == Activity::before || before == Activity::waiting || before == Activity::arrived;
  const bool has_goal =
      s.errand_of(slot).itinerary && s.errand_of(slot).goal < s.errand_of(slot).itinerary->goals.size();
  if (stood && (!others_went_on || before == Activity::arrived))
    s.activity[slot] = before;
  else if (s.has_company(slot) && has_goal)
    s.ask_for_route(slot, Why::joins);
  else
    s.set_out(slot);
  return id;
}

std::vector<AgentId> Crowd::members_with(AgentId id) const {
  std::vector<AgentId> members;
  if (const Slot slot = slot_of(id); slot != none)
    state_->for_members(slot, [&](Slot member) { members.push_back(id_of(member)); });
  return members;
}

bool Crowd::is_free(const navmesh::Place& place, double radius) const {
  const State& s = *state_;
  const navmesh::Located at = navmesh::locate(*s.world->mesh, place);
  if (!at || at.clearance < radius) return false;
  bool taken = false;
  const auto look_at = [&](Slot slot) {
    const double apart = radius + s.radius[slot];
    if (taken || s.present[slot] == 0) return;
    if (squared_length(s.position[slot] - place.point) >= apart * apart) return;
    taken = s.layer[slot] == place.layer ||
            navmesh::visible(*s.world->mesh, place, {s.position[slot], s.layer[slot]}, 0, at.cell);
  };
  s.perception.for_each_within(place.point, radius + s.widest + s.farthest_moved, look_at);
  std::for_each(s.since_index.begin(), s.since_index.end(), look_at);
  return !taken;
}

Result<std::size_t> Crowd::step(double dt) {
  if (!(dt > 0) || !(dt <= 10)) return refused(fmt::format("a step must be more than 0 and at most 10 s, not {}", dt));
  state_->step(dt);
  return size();
}

double Crowd::time() const { return state_->time(); }
std::uint64_t Crowd::step_count() const { return state_->steps; }
std::size_t Crowd::size() const { return state_->order.size(); }
std::uint64_t Crowd::last_serial() const { return state_->last_serial; }
std::span<const Slot> Crowd::in_serial_order() const { return state_->order; }
agents::People Crowd::people() const { return state_->view(0); }
Activity Crowd::activity(Slot slot) const { return state_->activity[slot]; }
AgentId Crowd::id_of(Slot slot) const { return state_->handles.id(state_->handle[slot]); }
Index Crowd::population_of(Slot slot) const { return state_->traits[slot].population; }
Index Crowd::profile_of(Slot slot) const { return state_->traits[slot].profile; }
std::span<const double> Crowd::weights_of(Slot slot) const { return state_->weights_of(slot); }
MethodChoice Crowd::method_of(Level level, Slot slot) const { return state_->level(level).choice(slot); }
std::span<const Departure> Crowd::departures() const { return state_->departures; }
std::span<const Contact> Crowd::contacts() const { return state_->contacts; }
double Crowd::seconds_of(Stage stage) const { return state_->seconds[std::size_t(stage)]; }

const routes::PlannedRoute* Crowd::route_of(Slot slot) const { return state_->route[slot].get(); }

double Crowd::remaining(Slot slot) const { return state_->metres_left(slot); }

namespace {

std::size_t bytes_of(const goals::Itinerary& itinerary) {
  std::size_t bytes = sizeof itinerary + itinerary.goals.capacity() * sizeof(goals::Goal);
  for (const goals::Goal& goal : itinerary.goals) bytes += goal.areas.capacity() * sizeof(Index);
  return bytes;
}

}  // namespace

Problems Crowd::validate() const {
  const State& s = *state_;
  Problems problems;
  const auto complain = [&](Slot slot, std::string what) {
    problems.push_back(
        {Severity::error, ProblemCode::internal, fmt::format("agent {}", s.serial[slot]), std::move(what)});
  };
  std::uint64_t last = 0;
  for (const Slot slot : s.order) {
    if (s.present[slot] == 0) complain(slot, "is listed but not present");
    if (s.serial[slot] <= last) complain(slot, "is out of order");
    last = s.serial[slot];
    const navmesh::Located at = navmesh::locate(*s.world->mesh, {s.position[slot], s.layer[slot]});
    if (!at) complain(slot, fmt::format("stands in an obstacle at ({}, {})", s.position[slot].x, s.position[slot].y));
    if (at && at.clearance < s.radius[slot] - tolerance::wall)
      complain(slot, fmt::format("is {} m from a wall with a radius of {}", at.clearance, s.radius[slot]));
    if (!std::isfinite(squared_length(s.velocity[slot]))) complain(slot, "has a velocity that is no number");
    if (std::abs(squared_length(s.heading[slot]) - 1) > 1e-9) complain(slot, "has a heading that is no unit vector");
    if (s.handles.slot(s.handle[slot]) != slot) complain(slot, "is not where its handle leads");
    bool is_member = false;
    std::uint64_t last_member = 0;
    s.for_members(slot, [&](Slot member) {
      if (member == none || s.traveller[member] != s.traveller[slot] || s.serial[member] <= last_member)
        return complain(slot, "travels with somebody who does not travel with it, or out of order");
      is_member = is_member || member == slot;
      last_member = s.serial[member];
    });
    if (!is_member) complain(slot, "is not a member of its traveller");
    if (s.activity[slot] == Activity::walking && !(s.follows_field(slot) ? bool(s.field[slot]) : bool(s.route[slot])))
      complain(slot, "walks without a route");
  }
  if (s.detours) {
    const auto there = std::ranges::count_if(s.order, [&](Slot slot) { return (*s.detours->stamps)[slot].is_there; });
    if (s.detours->now.kind() == fields::KernelKind::walls &&
        s.detours->now.total() != std::int64_t(there) * fields::one_person)
      problems.push_back({Severity::error, ProblemCode::internal, "density",
                          fmt::format("the field does not hold its {} people", there)});
  }
  if (s.groups)
    for (const Index number : s.groups->in_order())
      if (std::string why = s.unsound((*s.groups)[number]); !why.empty())
        problems.push_back({Severity::error, ProblemCode::internal, fmt::format("group {}", (*s.groups)[number].serial),
                            std::move(why)});
  const auto in_use = std::size_t(std::ranges::count(s.present.values(), 1));
  if (in_use != s.order.size())
    problems.push_back({Severity::error, ProblemCode::internal, "crowd",
                        fmt::format("{} slots in use, {} listed", in_use, s.order.size())});
  return problems;
}

std::size_t Crowd::bytes() const {
  State& s = *state_;
  const auto held = [](const auto&... list) { return (0 + ... + (list.capacity() * sizeof(list[0]))); };
  std::size_t bytes = s.store.bytes();
  bytes += held(s.order, s.free_slots, s.since_index, s.marked, s.came_from, s.cycles.slots, s.departures, s.contacts,
                s.closeness);
  bytes += s.requests.size() * sizeof(Request) + s.handles.bytes() + s.travellers.bytes();
  for (const State::Closeness& close : s.closeness) bytes += held(close.near.found, close.near.ends, close.contacts);
  for (const LevelUse& use : s.levels) bytes += use.bytes();
  bytes += s.weights.bytes() + s.perception.bytes() + s.fields.bytes() + s.tables.bytes();
  if (s.covered_edges) bytes += s.covered_edges->bytes();
  if (s.jams) bytes += s.jams->bytes();
  if (s.jams)
    for (const Slot slot : s.order)
      if (const Journey* own = s.journey_of(slot)) bytes += own->bytes();
  if (s.detours) bytes += s.detours->bytes();
  if (s.detours)
    for (const Slot slot : s.order)
      if (const DetourMind* own = s.detour_mind(slot)) bytes += own->bytes();
  if (s.considered)
    for (const Slot slot : s.order)
      if (const SecondThoughts* own = s.known_thoughts_of(slot)) bytes += own->bytes();
  if (s.groups) bytes += s.groups->bytes();
  for (const Slot slot : s.order) {
    if (const routes::PlannedRoutePtr& route = s.route[slot])
      bytes += route->bytes() / std::size_t(std::max(1L, route.use_count()));
    if (const goals::ItineraryPtr& plan = s.errand_of(slot).itinerary)
      bytes += bytes_of(*plan) / std::size_t(std::max(1L, plan.use_count()));
  }
  return bytes;
}

}  // namespace throng::crowd
