// The public Crowd (include/throng/crowd.hpp): the inside of it under plain names, with everybody in dense spans.
#include <fmt/format.h>

#include <algorithm>

#include "crowd/crowd.hpp"
#include "following/follower.hpp"
#include "steering/avoider.hpp"
#include "text/guarded.hpp"
#include "throng/crowd.hpp"

namespace throng {

namespace {

Problem refused(std::string what) { return {Severity::error, ProblemCode::value, "agent", std::move(what)}; }

/// A method's numbers in order, from those given by name.
template <class Method>
Result<crowd::MethodChoice> choice_of(const Method* method, const std::string& name,
                                      const std::map<std::string, double>& given) {
  if (method == nullptr) return refused(fmt::format("there is no method '{}'", name));
  crowd::MethodChoice choice{name, following::default_block(method->info())};
  const auto& parameters = method->info().parameters;
  for (const auto& [key, value] : given) {
    const auto found = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == key; });
    if (found == parameters.end()) return refused(fmt::format("'{}' has no number '{}'", name, key));
    choice.parameters[std::size_t(found - parameters.begin())] = value;
  }
  return choice;
}

Result<std::vector<double>> weights_of(const crowd::World& world, const std::map<std::string, double>& given) {
  const std::vector<std::string>& types = world.regions->types();
  std::vector<double> weights(types.size(), 1.0);
  for (const auto& [type, weight] : given) {
    // Types this world has none of weigh nothing here: one profile serves many worlds.
    const auto found = std::find(types.begin(), types.end(), type);
    if (found != types.end()) weights[std::size_t(found - types.begin())] = weight;
  }
  return weights;
}

Result<crowd::AgentSpec> spec_of(const crowd::World& world, const Agent& agent) {
  const Profile& profile = agent.profile;
  crowd::AgentSpec spec;
  spec.place = {agent.position.point, agent.position.layer};
  spec.heading = agent.heading;
  spec.radius = profile.radius;
  spec.speed = profile.speed;
  spec.route_clearance = profile.clearance;
  spec.stairs_up = profile.stairs_up;
  spec.stairs_down = profile.stairs_down;
  const auto* const route =
      std::find(std::begin(routes::route_method_names), std::end(routes::route_method_names), profile.route);
  if (route == std::end(routes::route_method_names))
    return refused(fmt::format("there is no route method '{}'", profile.route));
  spec.route = routes::RouteMethod(route - std::begin(routes::route_method_names));
  Result<crowd::MethodChoice> follow =
      choice_of(following::find_follower(profile.follow), profile.follow, profile.follow_numbers);
  if (!follow) return follow.problems();
  spec.follow = std::move(follow).value();
  Result<crowd::MethodChoice> avoid =
      choice_of(steering::find_avoider(profile.avoid), profile.avoid, profile.avoid_numbers);
  if (!avoid) return avoid.problems();
  spec.avoid = std::move(avoid).value();
  spec.weights = *weights_of(world, profile.weights);
  return spec;
}

crowd::AgentId inner(AgentId id) { return {id.index, id.generation}; }

Result<AgentId> outer(const Result<crowd::AgentId>& id) {
  if (!id) return id.problems();
  return AgentId{id->index, id->generation};
}

}  // namespace

struct Crowd::Inside {
  crowd::Crowd crowd;
  std::uint32_t added = 0;
  std::vector<AgentId> ids;
  std::vector<Vec2> positions, velocities, headings;
  std::vector<std::uint32_t> layers;

  /// Brings the spans up to date.
  void show() {
    ids.clear(), positions.clear(), velocities.clear(), headings.clear(), layers.clear();
    const following::People people = crowd.people();
    for (const crowd::Slot slot : crowd.in_serial_order()) {
      const crowd::AgentId id = crowd.id_of(slot);
      ids.push_back({id.index, id.generation});
      positions.push_back(people.position[slot]);
      velocities.push_back(people.velocity[slot]);
      headings.push_back(people.heading[slot]);
      layers.push_back(people.layer[slot]);
    }
  }
};

Crowd::Crowd(const World& world, const CrowdOptions& options)
    : inside_(new Inside{
          crowd::Crowd(world.inside(), {options.seed, options.threads, options.planning_budget, options.contact}),
          0,
          {},
          {},
          {},
          {},
          {}}) {}
Crowd::~Crowd() = default;
Crowd::Crowd(Crowd&&) noexcept = default;
Crowd& Crowd::operator=(Crowd&&) noexcept = default;

Result<Crowd> Crowd::make(const World& world, const CrowdOptions& options) {
  return guarded("crowd", [&]() -> Result<Crowd> { return Crowd(world, options); });
}

Result<AgentId> Crowd::add(const Agent& agent) {
  return guarded("agent", [&]() -> Result<AgentId> {
    Result<crowd::AgentSpec> spec = spec_of(inside_->crowd.world(), agent);
    if (!spec) return spec.problems();
    spec->number = inside_->added;
    Result<AgentId> id = outer(inside_->crowd.add(*spec));
    if (!id) return id;
    ++inside_->added;
    inside_->show();
    return id;
  });
}

bool Crowd::remove(AgentId id) {
  if (!inside_->crowd.remove(inner(id))) return false;
  inside_->show();
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

Result<AgentId> Crowd::teleport(AgentId id, const Position& position) {
  return guarded("agent", [&]() -> Result<AgentId> {
    Result<AgentId> moved = outer(inside_->crowd.teleport(inner(id), {position.point, position.layer}));
    if (moved) inside_->show();
    return moved;
  });
}

Result<AgentId> Crowd::set_profile(AgentId id, const Profile& profile) {
  return guarded("agent", [&]() -> Result<AgentId> {
    Agent agent;
    agent.profile = profile;
    const Result<crowd::AgentSpec> spec = spec_of(inside_->crowd.world(), agent);
    if (!spec) return spec.problems();
    return outer(inside_->crowd.set_profile(inner(id), *spec));
  });
}

Result<AgentId> Crowd::steer(AgentId id, Vec2 velocity) {
  return guarded("agent", [&] { return outer(inside_->crowd.steer(inner(id), velocity)); });
}
Result<AgentId> Crowd::release(AgentId id) {
  return guarded("agent", [&] { return outer(inside_->crowd.release(inner(id))); });
}

Result<std::size_t> Crowd::step(double seconds) {
  return guarded("crowd", [&]() -> Result<std::size_t> {
    Result<std::size_t> people = inside_->crowd.step(seconds);
    if (people) inside_->show();
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
    crowd.inside_->show();
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
