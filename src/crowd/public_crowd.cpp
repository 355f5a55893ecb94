// The public Crowd (include/throng/crowd.hpp): the inside of it under plain names, with everybody in dense spans.
#include <fmt/format.h>

#include <algorithm>

#include "crowd/crowd.hpp"
#include "crowd/methods.hpp"
#include "text/guarded.hpp"
#include "throng/crowd.hpp"

namespace throng {

namespace {

Problem refused(std::string what) { return {Severity::error, ProblemCode::value, "agent", std::move(what)}; }

/// A method's numbers in order, from those given by name.
Result<crowd::MethodChoice> choice_of(const agents::Catalogue& methods, agents::Level level, const Method& given) {
  const std::string_view key = agents::info_of(level).key;
  const agents::MethodInfo* info =
      given.name.empty() ? agents::default_method(methods, level) : agents::find_method(methods[level], given.name);
  if (info == nullptr) return refused(fmt::format("there is no {} method '{}'", key, given.name));
  crowd::MethodChoice choice{std::string(info->name), agents::default_block(*info, given.as_published)};
  for (const auto& [name, value] : given.numbers) {
    const agents::Parameter* parameter = info->parameter(name);
    if (parameter == nullptr) return refused(fmt::format("'{}' has no number '{}'", info->name, name));
    choice.parameters[std::size_t(parameter - info->parameters.data())] = value;
  }
  return choice;
}

/// Types this world has none of weigh nothing here: one profile serves many worlds.
Result<std::vector<double>> weights_of(const crowd::World& world, const std::map<std::string, GroundWeight>& given) {
  const ground::GroundKinds& kinds = world.regions->kinds();
  for (const auto& [type, weight] : given)
    if (const std::string why = ground::misfit_of(weight); !why.empty())
      return refused(fmt::format("the weight of '{}': {}", type, why));
  return ground::row_of(kinds, given);
}

/// The same of a method for groups.
Result<crowd::GroupSpec> group_spec_of(const crowd::Methods& methods, const Method& given) {
  const steering::GroupMethod* method = given.name.empty() ? &methods.group[0] : methods.group.find(given.name);
  if (method == nullptr) return refused(fmt::format("there is no method '{}' for groups", given.name));
  const agents::MethodInfo& info = method->info();
  crowd::GroupSpec spec{{std::string(info.name), agents::default_block(info, given.as_published)}};
  for (const auto& [name, value] : given.numbers) {
    const agents::Parameter* parameter = info.parameter(name);
    if (parameter == nullptr) return refused(fmt::format("'{}' has no number '{}'", info.name, name));
    spec.method.parameters[std::size_t(parameter - info.parameters.data())] = value;
  }
  return spec;
}

Result<crowd::AgentSpec> spec_of(const crowd::World& world, const agents::Catalogue& methods, const Agent& agent) {
  const Profile& profile = agent.profile;
  crowd::AgentSpec spec;
  spec.place = {agent.position.point, agent.position.layer};
  spec.heading = agent.heading;
  spec.radius = profile.radius;
  spec.speed = profile.speed;
  spec.stairs_up = profile.stairs_up;
  spec.stairs_down = profile.stairs_down;
  for (const auto& [key, method] : profile.levels) {
    const std::optional<agents::Level> level = agents::level_of(key);
    if (!level) return refused(fmt::format("there is no level '{}'", key));
    Result<crowd::MethodChoice> choice = choice_of(methods, *level, method);
    if (!choice) return choice.problems();
    spec.methods[*level] = std::move(choice).value();
  }
  Result<std::vector<double>> weights = weights_of(world, profile.weights);
  if (!weights) return weights.problems();
  spec.weights = std::move(weights).value();
  return spec;
}

crowd::AgentId inner(AgentId id) { return {id.index, id.generation}; }

Result<AgentId> outer(const Result<crowd::AgentId>& id) {
  if (!id) return id.problems();
  return AgentId{id->index, id->generation};
}

}  // namespace

struct Crowd::Inside {
  Inside(const World& on, const CrowdOptions& options)
      : world(on),
        crowd(on.inside(), {.seed = options.seed,
                            .threads = options.threads,
                            .planning_budget = options.planning_budget,
                            .contact = options.contact,
                            .methods = options.methods.inside(),
                            .host = &world}),
        methods(options.methods.inside()->catalogue()),
        all_methods(options.methods.inside()) {}

  World world;  ///< for methods from outside: its address stays
  crowd::Crowd crowd;
  agents::Catalogue methods;
  crowd::MethodsPtr all_methods;
  std::uint32_t added = 0;
  // One row a person.
  std::vector<AgentId> ids;
  std::vector<Vec2> positions, velocities, headings;
  std::vector<std::uint32_t> layers;
  std::vector<std::uint32_t> row_of;  ///< by the index of ids; of no meaning for those who are not here

  void write_row(std::size_t row, const agents::People& people) {
    const crowd::Slot slot = crowd.slot_of(inner(ids[row]));
    positions[row] = people.position[slot];
    velocities[row] = people.velocity[slot];
    headings[row] = people.heading[slot];
    layers[row] = people.layer[slot];
  }
  void append_row(AgentId id) {
    ids.push_back(id);
    positions.emplace_back(), velocities.emplace_back(), headings.emplace_back(), layers.emplace_back();
    if (row_of.size() <= id.index) row_of.resize(std::size_t{id.index} + 1);
    row_of[id.index] = std::uint32_t(ids.size() - 1);
    write_row(ids.size() - 1, crowd.people());
  }
  void drop_row(AgentId id) {
    const std::uint32_t row = row_of[id.index];
    const auto fill = [&](auto& list) {
      list[row] = list.back();
      list.pop_back();
    };
    fill(ids), fill(positions), fill(velocities), fill(headings), fill(layers);
    if (row < ids.size()) row_of[ids[row].index] = row;
  }
  /// After a step.
  void write_all_rows() {
    for (const crowd::Departure& gone : crowd.departures()) drop_row({gone.id.index, gone.id.generation});
    const agents::People people = crowd.people();
    for (std::size_t row = 0; row < ids.size(); ++row) write_row(row, people);
  }
};

Crowd::Crowd(const World& world, const CrowdOptions& options) : inside_(new Inside(world, options)) {}
Crowd::~Crowd() = default;
Crowd::Crowd(Crowd&&) noexcept = default;
Crowd& Crowd::operator=(Crowd&&) noexcept = default;

Result<Crowd> Crowd::make(const World& world, const CrowdOptions& options) {
  return guarded("crowd", [&]() -> Result<Crowd> { return Crowd(world, options); });
}

Result<AgentId> Crowd::add(const Agent& agent) {
  return guarded("agent", [&]() -> Result<AgentId> {
    Result<crowd::AgentSpec> spec = spec_of(inside_->crowd.world(), inside_->methods, agent);
    if (!spec) return spec.problems();
    spec->number = inside_->added;
    Result<AgentId> id = outer(inside_->crowd.add(*spec));
    if (!id) return id;
    ++inside_->added;
    inside_->append_row(*id);
    return id;
  });
}

Result<std::vector<AgentId>> Crowd::add_group(std::span<const Agent> members, const Method& method) {
  return guarded("group", [&]() -> Result<std::vector<AgentId>> {
    const Result<crowd::GroupSpec> group = group_spec_of(*inside_->all_methods, method);
    if (!group) return group.problems();
    std::vector<crowd::AgentSpec> specs;
    for (const Agent& agent : members) {
      Result<crowd::AgentSpec> spec = spec_of(inside_->crowd.world(), inside_->methods, agent);
      if (!spec) return spec.problems();
      spec->number = inside_->added + std::uint32_t(specs.size());
      specs.push_back(std::move(spec).value());
    }
    const auto added = inside_->crowd.add_group(specs, *group);
    if (!added) return added.problems();
    std::vector<AgentId> ids;
    for (const crowd::AgentId id : *added) {
      ids.push_back({id.index, id.generation});
      inside_->append_row(ids.back());
    }
    inside_->added += std::uint32_t(ids.size());
    return ids;
  });
}

Result<std::uint64_t> Crowd::make_group(std::span<const AgentId> members, const Method& method) {
  return guarded("group", [&]() -> Result<std::uint64_t> {
    const Result<crowd::GroupSpec> group = group_spec_of(*inside_->all_methods, method);
    if (!group) return group.problems();
    std::vector<crowd::AgentId> ids;
    for (const AgentId id : members) ids.push_back(inner(id));
    return inside_->crowd.make_group(ids, *group);
  });
}

Result<AgentId> Crowd::join(AgentId id, AgentId whom) {
  return guarded("agent", [&] { return outer(inside_->crowd.join(inner(id), inner(whom))); });
}
Result<AgentId> Crowd::leave(AgentId id) {
  return guarded("agent", [&] { return outer(inside_->crowd.part(inner(id))); });
}

Result<std::uint64_t> Crowd::group_go_to(std::uint64_t group, const Position& goal, double radius) {
  return guarded("group", [&]() -> Result<std::uint64_t> {
    auto itinerary = std::make_shared<goals::Itinerary>();
    itinerary->goals.push_back({{goal.point, goal.layer}, radius, {}, 0});
    itinerary->at_last = goals::AtLastGoal::stay;
    return inside_->crowd.set_group_goals(group, std::move(itinerary));
  });
}

std::uint64_t Crowd::group_of(AgentId id) const {
  const crowd::Slot slot = inside_->crowd.slot_of(inner(id));
  return slot == crowd::none ? 0 : inside_->crowd.group_of(slot);
}

std::vector<AgentId> Crowd::members(std::uint64_t group) const {
  std::vector<AgentId> ids;
  for (const crowd::AgentId id : inside_->crowd.members_of_group(group)) ids.push_back({id.index, id.generation});
  return ids;
}

bool Crowd::remove(AgentId id) {
  if (!inside_->crowd.remove(inner(id))) return false;
  inside_->drop_row(id);
  return true;
}

bool Crowd::holds(AgentId id) const { return inside_->crowd.holds(inner(id)); }

Result<AgentId> Crowd::go_to(AgentId id, const Position& goal, double radius) {
  return guarded("agent", [&]() -> Result<AgentId> {
    auto itinerary = std::make_shared<goals::Itinerary>();
    itinerary->goals.push_back({{goal.point, goal.layer}, radius, {}, 0});
    itinerary->at_last = goals::AtLastGoal::stay;
    return outer(inside_->crowd.set_goals(inner(id), std::move(itinerary)));
  });
}

Result<AgentId> Crowd::follow(AgentId id, AgentId person, double distance) {
  return guarded("agent", [&]() -> Result<AgentId> {
    const crowd::Slot slot = inside_->crowd.slot_of(inner(person));
    if (slot == crowd::none) return refused("nobody here has the id of the person to go to");
    if (person == id) return refused("nobody can go to themselves");
    auto itinerary = std::make_shared<goals::Itinerary>();
    goals::Goal goal;
    goal.radius = distance;
    goal.person = inside_->crowd.people().serial[slot];
    itinerary->goals.push_back(std::move(goal));
    itinerary->at_last = goals::AtLastGoal::stay;
    return outer(inside_->crowd.set_goals(inner(id), std::move(itinerary)));
  });
}

Result<AgentId> Crowd::teleport(AgentId id, const Position& position) {
  return guarded("agent", [&]() -> Result<AgentId> {
    Result<AgentId> moved = outer(inside_->crowd.teleport(inner(id), {position.point, position.layer}));
    if (moved) inside_->write_row(inside_->row_of[id.index], inside_->crowd.people());
    return moved;
  });
}

Result<AgentId> Crowd::set_profile(AgentId id, const Profile& profile) {
  return guarded("agent", [&]() -> Result<AgentId> {
    Agent agent;
    agent.profile = profile;
    const Result<crowd::AgentSpec> spec = spec_of(inside_->crowd.world(), inside_->methods, agent);
    if (!spec) return spec.problems();
    return outer(inside_->crowd.set_profile(inner(id), *spec));
  });
}

Result<AgentId> Crowd::set_weights(AgentId id, const std::map<std::string, GroundWeight>& weights) {
  return guarded("agent", [&] { return outer(inside_->crowd.set_weights(inner(id), weights)); });
}
Result<AgentId> Crowd::steer(AgentId id, Vec2 velocity) {
  return guarded("agent", [&] { return outer(inside_->crowd.steer(inner(id), velocity)); });
}
Result<AgentId> Crowd::think_again(AgentId id) {
  return guarded("agent", [&] { return outer(inside_->crowd.think_again(inner(id))); });
}
Result<AgentId> Crowd::release(AgentId id) {
  return guarded("agent", [&] { return outer(inside_->crowd.release(inner(id))); });
}

Result<std::size_t> Crowd::step(double seconds) {
  return guarded("crowd", [&]() -> Result<std::size_t> {
    Result<std::size_t> people = inside_->crowd.step(seconds);
    if (people) inside_->write_all_rows();
    return people;
  });
}

std::string Crowd::snapshot() const {
  geometry::ArchiveWriter archive;
  archive.put(inside_->added);
  inside_->crowd.save(archive);
  return archive.bytes();
}

Result<Crowd> Crowd::resume(const World& world, std::string_view bytes, const CrowdOptions& options) {
  return guarded("snapshot", [&]() -> Result<Crowd> {
    Crowd crowd(world, options);
    geometry::ArchiveReader archive(bytes);
    archive.get(crowd.inside_->added);
    if (const Result<std::size_t> people = crowd.inside_->crowd.load(archive); !people) return people.problems();
    for (const crowd::Slot slot : crowd.inside_->crowd.in_serial_order()) {
      const crowd::AgentId id = crowd.inside_->crowd.id_of(slot);
      crowd.inside_->append_row({id.index, id.generation});
    }
    return crowd;
  });
}

double Crowd::time() const { return inside_->crowd.time(); }
std::size_t Crowd::size() const { return inside_->crowd.size(); }
std::span<const AgentId> Crowd::ids() const { return inside_->ids; }
std::span<const Vec2> Crowd::positions() const { return inside_->positions; }
std::span<const Vec2> Crowd::velocities() const { return inside_->velocities; }
std::span<const Vec2> Crowd::headings() const { return inside_->headings; }
std::span<const std::uint32_t> Crowd::layers() const { return inside_->layers; }

std::optional<Density> Crowd::density_at(const Position& position) const {
  const auto found = inside_->crowd.density_at({position.point, position.layer});
  return found ? std::optional(Density{found->persons, found->velocity}) : std::nullopt;
}

std::optional<ExpectedTime> Crowd::expected_time(AgentId id) const {
  const crowd::Slot slot = inside_->crowd.slot_of(inner(id));
  if (slot == crowd::none) return std::nullopt;
  const auto found = inside_->crowd.expected_time_of(slot);
  return found ? std::optional(ExpectedTime{found->walking, found->waiting}) : std::nullopt;
}

std::optional<Change> Crowd::last_change(AgentId id) const {
  const crowd::Slot slot = inside_->crowd.slot_of(inner(id));
  if (slot == crowd::none) return std::nullopt;
  const auto found = inside_->crowd.thoughts_of(slot);
  if (!found || found->last.why == crowd::Reason::nothing) return std::nullopt;
  Change change{crowd::reason_names[std::size_t(found->last.why)], found->last.at, crowd::detour_kind_names[0]};
  const bool is_detour = found->last.why == crowd::Reason::detour || found->last.why == crowd::Reason::back;
  if (const auto detours = inside_->crowd.detours_of(slot); detours && is_detour)
    change.how = crowd::detour_kind_names[std::size_t(detours->last)];
  return change;
}

Doing Crowd::doing(AgentId id) const {
  const crowd::Slot slot = inside_->crowd.slot_of(inner(id));
  if (slot == crowd::none) return Doing::standing;
  switch (inside_->crowd.activity(slot)) {
    case crowd::Activity::planning: return Doing::planning;
    case crowd::Activity::walking: return Doing::walking;
    case crowd::Activity::lost: return Doing::lost;
    case crowd::Activity::steered: return Doing::steered;
    default: return Doing::standing;
  }
}

Problems Crowd::validate() const { return inside_->crowd.validate(); }

}  // namespace throng
