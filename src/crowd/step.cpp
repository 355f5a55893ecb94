// One step of the crowd, stage by stage (docs/architecture.md). Every stage reads state n and writes columns of its own.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "crowd/state.hpp"

namespace throng::crowd {

namespace {

/// People are sorted by place this often: after so many steps neighbours are still near in memory.
constexpr std::uint64_t steps_between_sorts = 8;

/// Adds the time since its construction to a stage.
class StageClock {
 public:
  explicit StageClock(double& seconds) : seconds_(seconds), start_(std::chrono::steady_clock::now()) {}
  ~StageClock() { seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  StageClock(const StageClock&) = delete;
  StageClock& operator=(const StageClock&) = delete;

 private:
  double& seconds_;
  std::chrono::steady_clock::time_point start_;
};

std::uint64_t nanoseconds() { return std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count()); }

/// People of a chunk who walk, to be handed to their methods.
class Walkers {
 public:
  void add(Slot slot) { slots_[count_++] = slot; }
  [[nodiscard]] std::span<const Slot> all() const { return {slots_.data(), count_}; }
  /// Calls run(method, people) for every method that method_of(slot) names. To be called once: nobody is left.
  template <class MethodOf, class Run>
  void for_each_method(const MethodOf& method_of, const Run& run) {
    while (count_ > 0) {
      const std::uint8_t method = method_of(slots_[0]);
      std::array<Slot, chunk> group;
      std::size_t in_group = 0, left = 0;
      for (std::size_t i = 0; i < count_; ++i) {
        const Slot slot = slots_[i];
        if (method_of(slot) == method)
          group[in_group++] = slot;
        else
          slots_[left++] = slot;
      }
      count_ = left;
      run(method, std::span<const Slot>(group.data(), in_group));
    }
  }

 private:
  std::array<Slot, chunk> slots_;
  std::size_t count_ = 0;
};

bool looks_around(const steering::Needs& needs) { return needs.most > 0 || needs.wall_range > 0; }

/// Speed where somebody is and heads, as a part of that on the level. What is walked is the slope; the plane sees less of it.
double part_of_speed(const environment::Elevation& elevation, Vec2 p, Vec2 heading, const Traits& traits) {
  if (!elevation.ramp) return 1;
  const Vec2 axis = elevation.to - elevation.from;
  const double run2 = squared_length(axis);
  const double along = dot(p - elevation.from, axis);
  if (run2 == 0 || along < 0 || along > run2) return 1;
  const double slope = dot(heading, axis) * (elevation.z_to - elevation.z_from) / run2;
  const double climbing = !elevation.stairs ? 1.0
                          : slope > 0       ? double(traits.stairs_up)
                          : slope < 0       ? double(traits.stairs_down)
                                            : 1.0;
  return climbing / std::sqrt(1 + slope * slope);
}

}  // namespace

void Crowd::State::step(double dt) {
  const auto timed = [&](Stage stage, const auto& work) {
    const StageClock watch(seconds[std::size_t(stage)]);
    work();
  };
  keep_rules();
  changes.clear();
  const bool decides = prepare_strategies();
  timed(Stage::goals, [&] {
    run_errands();
    run_groups();
  });
  timed(Stage::plan, [&] {
    if (decides) see_signs();
    serve_requests();
  });
  timed(Stage::index, [&] {
    find_speeds();
    if (groups) walk_at_one_speed();
    if (steps % steps_between_sorts == 0 || is_grid_needed()) index(dt);
    if (steps % steps_between_sorts == 0) sort_by_place();
    sense(dt);
    if (options.contact) find_contacts(dt);
  });
  timed(Stage::follow, [&] {
    follow(dt);
    if (detours) look_for_jams(dt);
    if (groups) guide_groups(dt);
  });
  perceive_and_avoid(dt);
  if (decides) gather_asks();
  timed(Stage::move, [&] {
    if (groups) pull_groups();
    move(dt);
  });
  ++steps;
  clock.advance(dt);
}

void Crowd::State::index(double dt) {
  executor.run([&] { perception.index(view(dt)); });
  // Only ever more: it decides how far one looks, not what one finds.
  for (const Slot slot : since_index)
    if (present[slot] != 0) widest_shell = std::max(widest_shell, rules_of(slot).shell);
  since_index.clear();
  farthest_moved = 0;
  widest = greatest([&](Slot slot) { return radius[slot]; });
}

/// Whether it matters where others are now. Where nobody looks at anybody and bodies do not push, it is enough to know who is there.
bool Crowd::State::is_grid_needed() const {
  if (options.contact || groups || stuck_clocks || !since_index.empty() ||
      perception.in_grid_order().size() != order.size())
    return true;
  Slot last = none;
  for (Slot slot = 0; slot < present.size(); ++slot) {
    if (present[slot] == 0) continue;
    if (last == none || !has_needs_of(slot, last))
      if (looks_around(needs_of(slot))) return true;
    if (const agents::MethodNumber with = level(Level::coordinate).method(slot);
        with != LevelUse::off && methods->coordinate[with].looks_around())
      return true;
    last = slot;
  }
  return false;
}

steering::Needs Crowd::State::needs_of(Slot slot) const {
  const LevelUse& avoid = level(Level::avoid);
  return methods->avoid[avoid.method(slot)].needs(avoid.numbers(slot));
}

void Crowd::State::find_speeds() {
  const std::vector<environment::Layer>& layers = world->mesh->layers;
  for_everybody([&](Slot slot) {
    speed[slot] =
        traits[slot].speed * part_of_speed(layers[layer[slot]].elevation, position[slot], heading[slot], traits[slot]);
  });
}

std::span<const Slot> Crowd::State::flagged(std::span<const std::uint8_t> flags) {
  marked.clear();
  for (Slot slot = 0; slot < present.size(); ++slot)
    if (flags[slot] != 0 && present[slot] != 0) marked.push_back(slot);
  std::sort(marked.begin(), marked.end(), [&](Slot a, Slot b) { return serial[a] < serial[b]; });
  return marked;
}

void Crowd::State::follow(double dt) {
  LevelUse& use = level(Level::follow);
  const std::span<const agents::OwnColumns> own = use.own_columns();
  const following::RegionMap* regions = world->regions && !world->regions->empty() ? world->regions.get() : nullptr;
  const following::FollowView seen{view(dt), route,       use.blocks(),
                                   regions,  weights_row, &weights.table(),
                                   field,    target,      crowd_lines.get()};
  following::FollowOutput out{memory, preferred, attraction_points(), needs_route, follow_hints};
  if (detours) out.behind_jam = *detours->behind_jam;
  for_chunks_in_grid_order([&](std::size_t, std::size_t, std::span<const Slot> who) {
    Walkers walkers;
    for (const Slot slot : who) {
      if (activity[slot] != Activity::steered) preferred[slot] = {};
      needs_route[slot] = 0;
      if (activity[slot] == Activity::walking && !is_led(slot)) walkers.add(slot);
    }
    walkers.for_each_method([&](Slot slot) { return use.method(slot); },
                            [&](std::uint8_t method, std::span<const Slot> group) {
                              following::FollowOutput of_method = out;
                              of_method.own = &own[method];
                              methods->follow[method].run(seen, group, of_method);
                            });
  });
  for (const Slot slot : flagged(needs_route)) ask_for_route(slot, Why::lost_sight);
}

/// Whether methods are asked where somebody goes now.
bool Crowd::State::is_steered_by_methods(Slot slot) const {
  if (activity[slot] == Activity::walking) return true;
  if (is_led(slot) && activity[slot] != Activity::planning && activity[slot] != Activity::steered) return true;
  if (!any_steers_standing || (activity[slot] != Activity::waiting && activity[slot] != Activity::arrived))
    return false;
  return std::ranges::any_of(agents::levels, [&](const agents::LevelInfo& info) {
    const agents::MethodNumber method = level(info.level).method(slot);
    return method != LevelUse::off && methods->info(info.level, method).steers_standing;
  });
}

/// Columns and sums that the methods in use ask for.
void Crowd::State::prepare_to_coordinate() {
  const LevelUse& use = level(Level::coordinate);
  if (!use.is_used() && !(groups && groups->any_formation)) {
    intended.reset(), covered_edges.reset();
    return;
  }
  if (!intended) intended = std::make_unique<agents::Column<Vec2>>(store, "intended", agents::Lives::step, false);
  bool counts = false;
  for (Slot slot = 0; slot < present.size() && !counts; ++slot)
    counts =
        present[slot] != 0 && use.method(slot) != LevelUse::off && methods->coordinate[use.method(slot)].counts_edges();
  if (!counts) return covered_edges.reset();
  if (!covered_edges) covered_edges = std::make_unique<fields::EdgeOccupancy>(*world->mesh);
  covered_edges->clear();
  for (Slot slot = 0; slot < present.size(); ++slot)
    if (present[slot] != 0) covered_edges->add({.cell = cell[slot], .area = fields::covered_by(radius[slot])});
}

/// Chunk by chunk: who was just perceived is still in the cache when the method looks at them.
void Crowd::State::perceive_and_avoid(double dt) {
  double together = 0;
  std::atomic<std::uint64_t> perceiving{0}, coordinating{0}, avoiding{0}, deciding{0};
  {
    const StageClock watch(together);
    prepare_to_coordinate();
    const LevelUse& strategy = level(Level::decide);
    const bool any_strategy = strategies != nullptr && strategy.is_used();
    if (any_strategy) prepare_to_decide();
    LevelUse& use = level(Level::avoid);
    LevelUse& with = level(Level::coordinate);
    const std::span<const agents::OwnColumns> own = use.own_columns();
    const std::span<const agents::OwnColumns> own_with = with.own_columns();
    const std::span<const Vec2> wanted = intended ? intended->values() : preferred.values();
    const steering::GroupsAround companies =
        groups ? steering::GroupsAround{groups->columns.group, groups->columns.partners} : steering::GroupsAround{};
    const steering::AvoidView seen{
        .people = view(dt),
        .preferred_velocity = wanted,
        .perception = &perception,
        .parameters = use.blocks(),
        .ground = {world->regions && !world->regions->empty() ? world->regions.get() : nullptr, weights_row,
                   &weights.table()},
        .groups = groups ? &companies : nullptr};
    const steering::CoordinateView around{.people = seen.people,
                                          .perception = &perception,
                                          .parameters = with.blocks(),
                                          .journeys = this,
                                          .edges = covered_edges.get()};
    for_chunks_in_grid_order([&](std::size_t number, std::size_t, std::span<const Slot> who) {
      Walkers walkers, joining, planning;
      for (const Slot slot : who) {
        if (intended) (*intended)[slot] = keeps_formation(slot) ? groups->columns.in_formation[slot] : preferred[slot];
        if (is_steered_by_methods(slot)) {
          walkers.add(slot);
          if (with.method(slot) != LevelUse::off) joining.add(slot);
          if (any_strategy && strategy.method(slot) != LevelUse::off) planning.add(slot);
        } else {
          chosen[slot] = preferred[slot];
        }
      }
      const std::uint64_t start = nanoseconds();
      perceive(seen.people, walkers.all());
      const std::uint64_t perceived = nanoseconds();
      joining.for_each_method([&](Slot slot) { return with.method(slot); },
                              [&](std::uint8_t method, std::span<const Slot> group) {
                                steering::CoordinateView of_method = around;
                                of_method.own = &own_with[method];
                                methods->coordinate[method].run(of_method, group, *intended);
                              });
      const std::uint64_t coordinated = nanoseconds();
      walkers.for_each_method([&](Slot slot) { return use.method(slot); },
                              [&](std::uint8_t method, std::span<const Slot> group) {
                                steering::AvoidView of_method = seen;
                                of_method.own = &own[method];
                                for (const Slot slot : group) chosen[slot] = wanted[slot];
                                methods->avoid[method].run(of_method, group, chosen);
                              });
      perceiving.fetch_add(perceived - start, std::memory_order_relaxed);
      coordinating.fetch_add(coordinated - perceived, std::memory_order_relaxed);
      const std::uint64_t avoided = nanoseconds();
      if (any_strategy) {
        decide(number, planning.all(), seen, own);
        deciding.fetch_add(nanoseconds() - avoided, std::memory_order_relaxed);
      }
      avoiding.fetch_add(avoided - coordinated, std::memory_order_relaxed);
    });
  }
  const double sum = double(perceiving) + double(coordinating) + double(avoiding) + double(deciding);
  const auto part = [&](Stage stage, std::uint64_t spent) {
    seconds[std::size_t(stage)] = sum > 0 ? together * double(spent) / sum : 0;
  };
  part(Stage::perceive, perceiving);
  part(Stage::coordinate, coordinating);
  part(Stage::avoid, avoiding);
  part(Stage::decide, deciding);
}

/// At most a chunk of people.
void Crowd::State::perceive(const agents::People& people, std::span<const Slot> walkers) {
  std::array<Slot, chunk> who;
  std::array<steering::Needs, chunk> needs;
  std::size_t count = 0;
  steering::Needs last;
  for (std::size_t i = 0; i < walkers.size(); ++i) {
    const Slot slot = walkers[i];
    if (i == 0 || !has_needs_of(slot, walkers[i - 1])) last = needs_of(slot);
    if (!looks_around(last)) continue;
    who[count] = slot;
    needs[count++] = last;
  }
  perception.perceive(people, std::span(who).first(count), std::span(needs).first(count));
}

}  // namespace throng::crowd
