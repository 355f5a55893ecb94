// Who is in which group (groups.hpp): coming, leaving, parting, and what the outside sees of it.
#include "crowd/groups.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "crowd/state.hpp"

namespace throng::crowd {

namespace {

Problem refused(std::string what) { return {Severity::error, ProblemCode::value, "group", std::move(what)}; }

}  // namespace

Group* Crowd::State::group_of(Slot slot) {
  return groups && groups->columns.group[slot] != none ? &(*groups)[groups->columns.group[slot]] : nullptr;
}
const Group* Crowd::State::group_of(Slot slot) const { return const_cast<State*>(this)->group_of(slot); }

bool Crowd::State::is_parted(Slot slot) const {
  return groups && groups->columns.companionship[slot] == Companionship::parted;
}

/// None where it is parted or gone.
Slot Crowd::State::leader_of(const Group& group) const {
  return group.leader == none ? none : handles.slot(group.leader);
}

std::string Crowd::State::misfit_of_group(const GroupSpec& spec, std::span<const double> radii) const {
  const steering::GroupMethod* method = methods->group.find(spec.method.name);
  if (method == nullptr) return fmt::format("there is no method '{}' for groups", spec.method.name);
  const std::vector<agents::Parameter>& parameters = method->info().parameters;
  if (std::string why = LevelUse::misfit_of_numbers(method->info(), spec.method.parameters); !why.empty()) return why;
  if (radii.size() > steering::most_members)
    return fmt::format("a group has at most {} members, not {}", steering::most_members, radii.size());
  std::vector<double> numbers = spec.method.parameters;
  if (numbers.size() != parameters.size()) numbers = agents::default_block(method->info());
  for (const double r : radii)
    if (const std::string_view why = steering::misfit_of_group(*method, numbers.data(), radii.size(), r); !why.empty())
      return std::string(why);
  return {};
}

/// An empty one; whoever calls fills it.
Index Crowd::State::begin_group(const GroupSpec& spec) {
  if (!groups) groups = std::make_unique<Groups>(store);
  Group group;
  group.serial = ++last_group;
  group.method = methods->group.number_of(spec.method.name);
  group.numbers = spec.method.parameters.empty() ? agents::default_block(methods->group[group.method].info())
                                                 : spec.method.parameters;
  group.since = time();
  return groups->add(std::move(group));
}

void Crowd::State::take_rules(Group& group) {
  group.rules = methods->group[group.method].rules(group.numbers.data(), group.members.size());
  groups->any_formation =
      std::ranges::any_of(groups->in_order(), [&](Index number) { return (*groups)[number].rules.keeps_formation; });
}

void Crowd::State::enter_group(Slot slot, Index number) {
  Group& group = (*groups)[number];
  const auto by_serial = [&](Index member) { return serial[handles.slot(member)]; };
  group.members.insert(std::ranges::lower_bound(group.members, serial[slot], {}, by_serial), handle[slot]);
  groups->columns.group[slot] = number;
  groups->columns.companionship[slot] = Companionship::walks;
  if (group.is_new) group.leader = group.members.front();
  take_rules(group);
}

/// Its columns say nothing of groups any more.
void Crowd::State::forget_group(Slot slot) {
  GroupColumns& c = groups->columns;
  c.group.reset(slot), c.companionship.reset(slot), c.own_speed.reset(slot), c.pull.reset(slot), c.pulled.reset(slot),
      c.facing.reset(slot);
  c.in_formation.reset(slot), c.place_in_formation.reset(slot), c.keeps_place.reset(slot), c.partners.reset(slot);
  c.way_to_leader.reset(slot), c.way_memory.reset(slot), c.way_hints.reset(slot), c.way_planned_to.reset(slot);
}

void Crowd::State::leave_group(Slot slot) {
  if (group_of(slot) == nullptr) return;
  const Index number = groups->columns.group[slot];
  Group& group = (*groups)[number];
  std::erase(group.members, handle[slot]);
  if (group.leader == handle[slot]) group.leader = none;
  if (group.last == handle[slot]) group.last = none;
  forget_group(slot);
  if (group.members.size() == 1) {
    forget_group(handles.slot(group.members.front()));
    groups->end(number);
    if (!groups->any()) groups.reset();
    return;
  }
  take_rules(group);
  keep_one_together(group);
}

/// Where all are parted, the first of them is the group the others look for.
void Crowd::State::keep_one_together(Group& group) {
  if (!std::ranges::all_of(group.members, [&](Index member) { return is_parted(handles.slot(member)); })) return;
  groups->columns.companionship[handles.slot(group.members.front())] = Companionship::walks;
  group.mode = GroupMode::walks;
  group.since = time();
}

void Crowd::State::part_from_group(Slot slot) {
  Group& group = *group_of(slot);
  if (group.leader == handle[slot]) group.leader = none;
  groups->columns.companionship[slot] = Companionship::parted;
  groups->columns.way_to_leader.reset(slot);
  group_events.push_back({GroupEvent::Kind::parted, time(), group.serial, serial[slot]});
  part(slot);
  // It may have gone some way off its route: it plans one for itself.
  if (activity[slot] == Activity::walking) ask_for_route(slot, Why::sets_out);
}

void Crowd::State::rejoin_group(Slot slot) {
  Group& group = *group_of(slot);
  Slot whom = none;
  for (const Index member : group.members) {
    const Slot other = handles.slot(member);
    if (other == slot || is_parted(other)) continue;
    if (activity[other] == Activity::walking || activity[other] == Activity::waiting) {
      whom = other;
      break;
    }
  }
  if (whom == none) return;
  groups->columns.companionship[slot] = Companionship::walks;
  group_events.push_back({GroupEvent::Kind::rejoined, time(), group.serial, serial[slot]});
  join(slot, whom);
}

std::string Crowd::State::unsound(const Group& group) const {
  if (group.members.size() < 2 || group.members.size() > steering::most_members)
    return "has no right number of members";
  std::uint64_t last_member = 0;
  Index together = none;
  for (const Index member : group.members) {
    const Slot slot = member < handles.size() ? handles.slot(member) : none;
    if (slot == none || group_of(slot) != &group) return "has a member that is not of it";
    if (serial[slot] <= last_member) return "has members out of order";
    last_member = serial[slot];
    if (is_parted(slot)) {
      if (has_company(slot)) return "has a parted member that travels with others";
      continue;
    }
    if (together != none && together != traveller[slot]) return "has members that do not travel together";
    together = traveller[slot];
  }
  if (together == none) return "has parted members only";
  std::size_t travelling = 0;
  for (const Index member : group.members) travelling += traveller[handles.slot(member)] == together ? 1 : 0;
  const auto& company = travellers[together].company;
  if (travelling != (company ? company->size() : 1)) return "travels with somebody who is not of it";
  const auto is_of_it = [&](Index who) {
    return who == none || std::ranges::find(group.members, who) != group.members.end();
  };
  if (!is_of_it(group.leader) || !is_of_it(group.last)) return "is led by somebody who is not of it";
  if (group.leader != none && is_parted(handles.slot(group.leader))) return "is led by a parted member";
  return {};
}

// --- what the outside sees

Result<std::vector<AgentId>> Crowd::add_group(std::span<const AgentSpec> specs, const GroupSpec& spec) {
  State& s = *state_;
  std::vector<double> radii;
  for (const AgentSpec& person : specs) radii.push_back(person.radius);
  if (std::string why = s.misfit_of_group(spec, radii); !why.empty()) return refused(std::move(why));
  std::vector<AgentId> ids;
  for (const AgentSpec& person : specs) {
    const Result<AgentId> id = add(person);
    if (!id) {
      for (const AgentId gone : ids) remove(gone);
      return id.problems();
    }
    ids.push_back(*id);
  }
  if (ids.size() > 1)
    if (const Result<std::uint64_t> made = make_group(ids, spec); !made) return made.problems();
  return ids;
}

Result<std::uint64_t> Crowd::make_group(std::span<const AgentId> ids, const GroupSpec& spec) {
  State& s = *state_;
  std::vector<Slot> slots;
  std::vector<double> radii;
  for (const AgentId id : ids) {
    const Slot slot = slot_of(id);
    if (slot == none) return refused("nobody here has the id of a member");
    if (std::ranges::find(slots, slot) != slots.end()) return refused("somebody is a member twice");
    slots.push_back(slot);
    radii.push_back(s.radius[slot]);
  }
  if (slots.size() < 2) return refused("a group has two members at least");
  if (std::string why = s.misfit_of_group(spec, radii); !why.empty()) return refused(std::move(why));
  std::ranges::sort(slots, {}, [&](Slot slot) { return s.serial[slot]; });
  for (const Slot slot : slots) s.leave_group(slot), s.part(slot);
  const Index number = s.begin_group(spec);
  for (const Slot slot : slots) {
    if (slot != slots.front()) s.join(slot, slots.front());
    s.enter_group(slot, number);
  }
  return (*s.groups)[number].serial;
}

Result<AgentId> Crowd::join(AgentId id, AgentId whom) {
  State& s = *state_;
  const Slot slot = slot_of(id), other = slot_of(whom);
  if (slot == none || other == none)
    return Problem{Severity::error, ProblemCode::value, "agent", "nobody here has that id"};
  if (slot == other) return id;
  if (const Group* group = s.group_of(other)) {
    if (s.group_of(slot) == group) return id;
    std::vector<double> radii{s.radius[slot]};
    for (const Index member : group->members) radii.push_back(s.radius[s.handles.slot(member)]);
    const GroupSpec spec{{std::string(s.methods->group[group->method].info().name), group->numbers}};
    if (std::string why = s.misfit_of_group(spec, radii); !why.empty()) return refused(std::move(why));
  }
  s.leave_group(slot);
  if (s.group_of(other) == nullptr) return s.join(slot, other), id;
  // To where the others are, should that one be parted.
  const Group& group = *s.group_of(other);
  const Index number = s.groups->columns.group[other];
  for (const Index member : group.members)
    if (const Slot first = s.handles.slot(member); !s.is_parted(first)) {
      s.join(slot, first);
      break;
    }
  s.enter_group(slot, number);
  return id;
}

Result<AgentId> Crowd::part(AgentId id) {
  const Slot slot = slot_of(id);
  if (slot == none) return Problem{Severity::error, ProblemCode::value, "agent", "nobody here has that id"};
  state_->leave_group(slot);
  state_->part(slot);
  return id;
}

Result<std::uint64_t> Crowd::set_group_goals(std::uint64_t group, goals::ItineraryPtr itinerary) {
  State& s = *state_;
  const std::vector<AgentId> members = members_of_group(group);
  if (members.empty()) return refused("there is no such group");
  std::vector<AgentId> apart;
  for (const AgentId id : members)
    if (const Slot slot = slot_of(id); s.is_parted(slot)) apart.push_back(id);
  for (const AgentId id : members) {
    if (s.is_parted(slot_of(id))) continue;
    if (const Result<AgentId> set = set_goals_together(id, itinerary); !set) return set.problems();
    break;
  }
  for (const AgentId id : apart)
    if (const Result<AgentId> set = set_goals_together(id, itinerary); !set) return set.problems();
  return group;
}

std::vector<std::uint64_t> Crowd::groups() const {
  std::vector<std::uint64_t> serials;
  if (state_->groups)
    for (const Index number : state_->groups->in_order()) serials.push_back((*state_->groups)[number].serial);
  return serials;
}

namespace {

const Group* find(const Groups* groups, std::uint64_t serial) {
  if (groups == nullptr) return nullptr;
  const auto order = groups->in_order();
  const auto found =
      std::ranges::lower_bound(order, serial, {}, [&](Index number) { return (*groups)[number].serial; });
  return found != order.end() && (*groups)[*found].serial == serial ? &(*groups)[*found] : nullptr;
}

}  // namespace

std::vector<AgentId> Crowd::members_of_group(std::uint64_t serial) const {
  std::vector<AgentId> ids;
  if (const Group* group = find(state_->groups.get(), serial))
    for (const Index member : group->members) ids.push_back(state_->handles.id(member));
  return ids;
}

std::optional<GroupView> Crowd::group(std::uint64_t serial) const {
  const Group* group = find(state_->groups.get(), serial);
  if (group == nullptr) return std::nullopt;
  const auto slot = [&](Index member) { return member == none ? none : state_->handles.slot(member); };
  GroupView view;
  view.serial = serial;
  view.method = state_->methods->group[group->method].info().name;
  view.mode = group->mode;
  view.leader = slot(group->leader), view.last = slot(group->last);
  view.rules = &group->rules;
  if (group->has_shape) view.shape = group->shape;
  for (const Index member : group->members) view.members.push_back(slot(member));
  return view;
}

std::uint64_t Crowd::group_of(Slot slot) const {
  const Group* group = state_->group_of(slot);
  return group == nullptr ? 0 : group->serial;
}

Companionship Crowd::companionship_of(Slot slot) const {
  return state_->groups ? state_->groups->columns.companionship[slot] : Companionship::walks;
}

std::optional<Vec2> Crowd::place_in_formation(Slot slot) const {
  if (!state_->groups || state_->groups->columns.keeps_place[slot] == 0) return std::nullopt;
  return state_->groups->columns.place_in_formation[slot];
}

double Crowd::way_left(Slot slot) const { return state_->way_left(slot); }

std::span<const GroupEvent> Crowd::group_events() const { return state_->group_events; }

}  // namespace throng::crowd
