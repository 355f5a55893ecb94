// A crowd in a world that changes: everybody is put into the new one, and walks on.
#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "crowd/state.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/visibility.hpp"

namespace throng::crowd {
namespace {

/// Who has to step aside looks for a place on a lattice of this width, at most so far away.
constexpr double aside_step = 0.1;
constexpr int aside_steps = 60;

Problem refused(std::string what) { return {Severity::error, ProblemCode::value, "change", std::move(what)}; }

/// Offsets of the lattice, the nearest first.
const std::vector<Vec2>& offsets_aside() {
  static const std::vector<Vec2> offsets = [] {
    std::vector<Vec2> all;
    for (int x = -aside_steps; x <= aside_steps; ++x)
      for (int y = -aside_steps; y <= aside_steps; ++y)
        if (x * x + y * y <= aside_steps * aside_steps) all.push_back({x * aside_step, y * aside_step});
    std::stable_sort(all.begin(), all.end(), [](Vec2 a, Vec2 b) { return squared_length(a) < squared_length(b); });
    return all;
  }();
  return offsets;
}

bool fits(const Standing& at, double radius) { return at.cell != none && at.clearance >= radius - tolerance::wall; }

/// Where somebody stands in the new world: where they stood, or aside of it, not behind a wall of the old one.
Standing standing_in(const navmesh::Mesh& now, const navmesh::Mesh& before, const navmesh::Place& place,
                     double radius) {
  if (const Standing here = standing_at(now, place); fits(here, radius)) return here;
  for (const Vec2 offset : offsets_aside()) {
    const navmesh::Place aside{place.point + offset, place.layer};
    const Standing there = standing_at(now, aside);
    if (fits(there, radius) && navmesh::visible(before, place, aside, 0)) return there;
  }
  return {};
}

bool same_types(const World& a, const World& b) {
  const auto types = [](const World& world) {
    return world.regions ? world.regions->types() : std::vector<std::string>{""};
  };
  return types(a) == types(b);
}

}  // namespace

Result<std::size_t> Crowd::change(WorldPtr world, std::vector<goals::Area> areas, const ItineraryOf& itinerary_of) {
  State& s = *state_;
  if (world->mesh->layers.size() != s.world->mesh->layers.size()) return refused("the number of layers has to stay");
  if (!same_types(*world, *s.world))
    return refused("nothing of a type of region would be left, or a new one would come");
  std::vector<Standing> standings;
  std::vector<goals::ItineraryPtr> itineraries;
  for (const Slot slot : s.order) {
    standings.push_back(standing_in(*world->mesh, *s.world->mesh, {s.position[slot], s.layer[slot]}, s.radius[slot]));
    if (standings.back().cell == none)
      return refused(fmt::format("person {} at ({:.2f}, {:.2f}) would have no room", s.serial[slot], s.position[slot].x,
                                 s.position[slot].y));
    itineraries.push_back(itinerary_of(s.traits[slot].population, s.traits[slot].number));
    if (std::string why = misfit_of(itineraries.back(), areas.size(), world->mesh->layers.size()); !why.empty())
      return refused(why);
    const Errand& errand = s.errand_of(slot);
    const std::size_t before = errand.itinerary ? errand.itinerary->goals.size() : 0;
    if ((itineraries.back() ? itineraries.back()->goals.size() : 0) != before)
      return refused("nobody's number of goals may change");
  }
  // Everything is made anew in a crowd of its own on the new world, so that nothing of what was worked out on the old one stays. Should
  // that one be refused, the old one is made anew from what it was.
  geometry::ArchiveWriter as_it_was;
  save(as_it_was);
  const WorldPtr old_world = s.world;
  const std::vector<goals::Area> old_areas = s.areas;
  const CrowdOptions how = s.options;
  const std::vector<Guidance> guided_by = guidance();
  std::size_t aside = 0;
  for (std::size_t i = 0; i < standings.size(); ++i) {
    const Slot slot = s.order[i];
    if (!(standings[i].place.point == s.position[slot])) ++aside;
    s.stand(slot, standings[i]);
    Slot first = none;  // of its members: goals are the traveller's
    s.for_members(slot, [&](Slot member) { first = first == none ? member : first; });
    if (first == slot) s.errand_of(slot).itinerary = itineraries[i];
    s.errand_of(slot).area = none;
    s.store.reset(slot, agents::Lives::route);
    const Activity activity = s.activity[slot];
    if (activity == Activity::walking || activity == Activity::lost) s.activity[slot] = Activity::planning;
  }
  // One asks for all.
  for (const Slot slot : s.order) {
    Slot first = none;
    s.for_members(slot, [&](Slot member) {
      if (first == none && s.activity[member] == Activity::planning) first = member;
    });
    if (first == slot) s.ask_for_route(slot, Why::sets_out);
  }
  s.thoughts.clear();
  s.forget_places();
  if (s.strategies)
    for (const Slot slot : s.order) {
      StrategyMemory& mind = s.strategies->memory[slot];
      std::ranges::fill(mind.passages, none), std::ranges::fill(mind.held, none);
      mind.flags = 0;
    }
  s.jams.reset();
  s.world = world;
  s.areas = areas;
  geometry::ArchiveWriter bytes;
  save(bytes);
  const auto made_from = [&](const WorldPtr& on, const std::vector<goals::Area>& with,
                             const std::string& saved) -> Result<Crowd> {
    Crowd crowd(on, how);
    for (const goals::Area& area : with) crowd.add_area(area);
    (void)crowd.state_->resolve_guidance(guided_by, true, crowd.state_->guidance);
    geometry::ArchiveReader reader(saved);
    if (const Result<std::size_t> loaded = crowd.load(reader); !loaded) return loaded.problems();
    return crowd;
  };
  Result<Crowd> next = made_from(world, areas, bytes.bytes());
  if (next) return *this = std::move(next).value(), aside;
  Result<Crowd> before = made_from(old_world, old_areas, as_it_was.bytes());
  assert(before.ok());
  if (before) *this = std::move(before).value();
  return next.problems();
}

}  // namespace throng::crowd
