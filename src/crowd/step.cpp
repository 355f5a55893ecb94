// One step of the crowd, stage by stage (docs/architecture.md). Every stage reads state n and writes columns of its own.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "crowd/state.hpp"
#include "navmesh/visibility.hpp"

namespace throng::crowd {

namespace {

/// People are sorted by place this often: after so many steps neighbours are still near in memory.
constexpr std::uint64_t steps_between_sorts = 8;

/// Contact: newtons for each metre of overlap, and kilograms for each metre of radius (Jaklin 2016, 10.3.6).
constexpr double stiffness = 5000;
constexpr double mass_per_radius = 320;
/// Metres between bodies at which they begin to push: people who would touch lean away before they do. Without it a dense crowd
/// overlaps by as much as the force of those who want to get on asks for.
constexpr double contact_shell = 0.02;
/// More than people speed up by from one step to the next, mostly.
constexpr double reach_to_spare = 1.2;
/// Metres a second: slower than this a body has no direction of its own.
constexpr double standing_speed = 0.05;
/// How quickly somebody who stands turns to where they want to go, in turns of the heading a second.
constexpr double turning = 4;

/// Metres: more than rounding takes off a way when it is made a velocity and a way again.
constexpr double way_rounding = 1e-6;
/// Part of a square, far more than it is computed wrong by.
constexpr double square_rounding = 1e-6;

/// Velocity after a step towards the chosen one. One takes time to speed up and to turn (van Toll, Pettre 2019, A.1), but brakes at once, and the more one
/// brakes the quicker one turns: relaxed, braking overshoots into whoever one brakes for.
Vec2 take_up(Vec2 walking, Vec2 chosen, double dt, double relaxation) {
  if (dt >= relaxation) return chosen;
  const double allowed = length(chosen);
  const double before = length(walking);
  const double braking = before > allowed ? 1 - allowed / before : 0;
  const Vec2 walked = walking + (chosen - walking) * std::max(dt / relaxation, braking);
  const double fast = length(walked);
  return fast > allowed ? walked * (allowed / fast) : walked;
}

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
    const StageClock clock(seconds[std::size_t(stage)]);
    work();
  };
  timed(Stage::goals, [&] { run_errands(); });
  timed(Stage::plan, [&] { serve_requests(); });
  timed(Stage::index, [&] {
    find_speeds();
    if (steps % steps_between_sorts == 0 || is_grid_needed()) index(dt);
    if (steps % steps_between_sorts == 0) sort_by_place();
    if (options.contact) find_contacts();
  });
  timed(Stage::follow, [&] { follow(dt); });
  perceive_and_avoid(dt);
  timed(Stage::move, [&] { move(dt); });
  ++steps;
  time += dt;
}

void Crowd::State::index(double dt) {
  executor.run([&] { perception.index(view(dt)); });
  since_index.clear();
  farthest_moved = 0;
  widest = greatest([&](Slot slot) { return radius[slot]; });
}

/// Whether it matters where others are now. Where nobody looks at anybody and bodies do not push, it is enough to know who is there.
bool Crowd::State::is_grid_needed() const {
  if (options.contact || !since_index.empty() || perception.in_grid_order().size() != order.size()) return true;
  Slot last = none;
  for (Slot slot = 0; slot < present.size(); ++slot) {
    if (present[slot] == 0) continue;
    if (last == none || !has_needs_of(slot, last))
      if (looks_around(needs_of(slot))) return true;
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

/// Lists for everybody who may come to touch them if bodies have no more than this between them. A longer list than needed costs time and
/// changes nothing.
void Crowd::State::find_near(double reach) {
  near_reach = reach;
  const agents::People people = view(0);
  for_chunks_in_grid_order([&](std::size_t number, std::size_t first, std::span<const Slot> who) {
    perception.find_near(people, first, first + who.size(), reach, closeness[number].near);
  });
}

/// Who overlaps whom, and how they push each other apart.
void Crowd::State::find_contacts() {
  closeness.resize((perception.in_grid_order().size() + chunk - 1) / chunk);
  contacts_are_listed = false;
  // People want to go about as far as in the last step: who is near for that is found along with who touches.
  near_reach = std::max(contact_shell, reach_to_spare * 2 * farthest_way);
  const agents::People people = view(0);
  for_chunks_in_grid_order([&](std::size_t number, std::size_t first, std::span<const Slot> who) {
    Closeness& close = closeness[number];
    perception.find_near(people, first, first + who.size(), near_reach, close.near);
    close.contacts.clear();
    for (std::size_t i = 0; i < who.size(); ++i) push[who[i]] = push_on(who[i], close.near.of(i), close.contacts);
  });
}

/// The force of all who touch a person, in order of their serials, because sums depend on it.
Vec2 Crowd::State::push_on(Slot slot, std::span<const Slot> near, std::vector<Contact>& found) const {
  struct Touch {
    std::uint64_t serial;
    double overlap;
    Vec2 force;
  };
  thread_local std::vector<Touch> touching;
  touching.clear();
  for (const Slot other : near) {
    const double apart = radius[slot] + radius[other] + contact_shell;
    const Vec2 offset = position[slot] - position[other];
    const double distance2 = squared_length(offset);
    if (distance2 >= apart * apart) continue;
    const bool is_first = serial[slot] < serial[other];
    if (layer[slot] != layer[other]) {
      const Slot first = is_first ? slot : other;
      const Slot second = is_first ? other : slot;
      if (!navmesh::visible(*world->mesh, {position[first], layer[first]}, {position[second], layer[second]}, 0,
                            cell[first]))
        continue;
    }
    const double distance = std::sqrt(distance2);
    const double overlap = apart - distance;
    // On the very same point there is no direction: the lower serial goes right.
    const Vec2 away = distance > 0 ? offset / distance : Vec2{is_first ? 1.0 : -1.0, 0};
    touching.push_back({serial[other], overlap, away * (stiffness * overlap)});
  }
  std::sort(touching.begin(), touching.end(), [](const Touch& a, const Touch& b) { return a.serial < b.serial; });
  Vec2 sum;
  for (const Touch& touch : touching) {
    sum += touch.force;
    if (touch.serial > serial[slot] && touch.overlap > contact_shell)
      found.push_back({serial[slot], touch.serial, touch.overlap - contact_shell});
  }
  return sum;
}

void Crowd::State::list_contacts() {
  if (contacts_are_listed) return;
  contacts_are_listed = true;
  contacts.clear();
  for (const Closeness& close : closeness)
    contacts.insert(contacts.end(), close.contacts.begin(), close.contacts.end());
  std::sort(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
}

void Crowd::State::follow(double dt) {
  const LevelUse& use = level(Level::follow);
  const following::RegionMap* regions = world->regions && !world->regions->empty() ? world->regions.get() : nullptr;
  const following::FollowView seen{view(dt), route, use.blocks(), regions, weights_row, &weight_table, field, target};
  const following::FollowOutput out{memory, preferred, {}, needs_route, follow_hints};
  for_chunks_in_grid_order([&](std::size_t, std::size_t, std::span<const Slot> who) {
    Walkers walkers;
    for (const Slot slot : who) {
      if (activity[slot] != Activity::steered) preferred[slot] = {};
      needs_route[slot] = 0;
      if (activity[slot] == Activity::walking) walkers.add(slot);
    }
    walkers.for_each_method(
        [&](Slot slot) { return use.method(slot); },
        [&](std::uint8_t method, std::span<const Slot> group) { methods->follow[method].run(seen, group, out); });
  });
  for (const Slot slot : flagged(needs_route)) ask_for_route(slot);
}

/// Chunk by chunk: who was just perceived is still in the cache when the method looks at them.
void Crowd::State::perceive_and_avoid(double dt) {
  double together = 0;
  std::atomic<std::uint64_t> perceiving{0}, avoiding{0};
  {
    const StageClock clock(together);
    const LevelUse& use = level(Level::avoid);
    const steering::AvoidView seen{view(dt), preferred, &perception, use.blocks(), {}};
    for_chunks_in_grid_order([&](std::size_t, std::size_t, std::span<const Slot> who) {
      Walkers walkers;
      for (const Slot slot : who) {
        chosen[slot] = preferred[slot];
        if (activity[slot] == Activity::walking) walkers.add(slot);
      }
      const std::uint64_t start = nanoseconds();
      perceive(seen.people, walkers.all());
      const std::uint64_t perceived = nanoseconds();
      walkers.for_each_method(
          [&](Slot slot) { return use.method(slot); },
          [&](std::uint8_t method, std::span<const Slot> group) { methods->avoid[method].run(seen, group, chosen); });
      perceiving.fetch_add(perceived - start, std::memory_order_relaxed);
      avoiding.fetch_add(nanoseconds() - perceived, std::memory_order_relaxed);
    });
  }
  const double sum = double(perceiving) + double(avoiding);
  seconds[std::size_t(Stage::perceive)] = sum > 0 ? together * double(perceiving) / sum : 0;
  seconds[std::size_t(Stage::avoid)] = sum > 0 ? together * double(avoiding) / sum : 0;
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

/// How somebody would move if nobody else did.
void Crowd::State::plan_move(Slot slot, double dt) {
  const double r = radius[slot];
  const LevelUse& use = level(Level::avoid);
  walking[slot] =
      take_up(walking[slot], chosen[slot], dt, methods->avoid[use.method(slot)].relaxation(use.numbers(slot)));
  // Pushes act at once and are forgotten: kept as a velocity they would shake a dense crowd. At long steps they would throw
  // people farther than the overlap they undo, hence the bound.
  const Vec2 force = options.contact ? push[slot] : Vec2{};
  const double pushed = length(force) / (mass_per_radius * r) * dt;
  const double most = r / 2 / dt;
  const Vec2 shove = pushed > 0 ? force * (std::min(pushed, most) / length(force)) : Vec2{};
  way[slot] = (walking[slot] + shove) * dt;
}

/// Nobody walks into a body that is in the way: of a gap both come closer by no more than there is, each by their part of it. Ways only
/// ever get shorter from round to round, so that who is out of reach in one round is so in the next.
Vec2 Crowd::State::held_back(Slot slot, std::span<const Slot> near) const {
  Vec2 own_way = way[slot];
  if (own_way == Vec2{}) return own_way;
  for (const Slot other : near) {
    const Vec2 offset = position[other] - position[slot];
    const double approach = dot(own_way, offset);
    if (approach <= 0) continue;  // behind
    // Mostly they do not come near each other, which squares tell as well, but for rounding.
    const double distance2 = squared_length(offset);
    const double radii = radius[slot] + radius[other];
    const double left = distance2 - (approach - dot(way[other], offset));
    if (left > 0 && left * left > radii * radii * distance2 * (1 + square_rounding)) continue;
    const double distance = std::sqrt(distance2);
    const Vec2 towards = offset / distance;
    const double own = dot(own_way, towards);
    const double others = -dot(way[other], towards);
    const double gap = std::max(0.0, distance - radius[slot] - radius[other]);
    if (own <= 0 || own + others <= gap) continue;
    const navmesh::Place there{position[other], layer[other]};
    if (there.layer != layer[slot] &&
        !navmesh::visible(*world->mesh, {position[slot], layer[slot]}, there, 0, cell[slot]))
      continue;  // on another floor
    own_way -= towards * ((own + others - gap) * own / (own + std::max(0.0, others)));
  }
  return own_way;
}

void Crowd::State::move_one(Slot slot, double dt) {
  const double r = radius[slot];
  const Standing to = move_body(*world->mesh, standing(slot), way[slot], r);
  Vec2 walked = walking[slot];
  if (to.clearance <= r + 2 * wall_tolerance && to.clearance > 0) {
    const Vec2 off_wall = (to.place.point - to.nearest) / to.clearance;
    walked -= off_wall * std::min(0.0, dot(walked, off_wall));
  }
  const Vec2 moved = to.place.point - position[slot];
  const float spent = float(length(moved)) * 1.00001F + 1e-5F;  // never too little, however floats round
  if (follow_hints[slot].room > 0) follow_hints[slot].room -= spent;
  if (to_go[slot] > 0) to_go[slot] -= spent;
  velocity[slot] = moved / dt;
  position[slot] = to.place.point;
  layer[slot] = to.place.layer;
  cell[slot] = to.cell;
  clearance[slot] = to.clearance;
  walking[slot] = walked;
  const double walking_speed = length(walked);
  Vec2 facing = heading[slot];
  if (walking_speed > standing_speed) {
    facing = walked / walking_speed;
  } else if (const double wanted = length(preferred[slot]); wanted > 0) {
    const Vec2 towards = preferred[slot] / wanted;
    // Straight behind there is no shorter side: one turns left.
    const Vec2 side = dot(facing, towards) < -0.999 ? perpendicular(facing) : towards;
    facing += side * std::min(1.0, turning * dt);
    facing = facing / length(facing);
  }
  heading[slot] = facing;
}

/// Shortens the ways that people want to go to those that others let them go.
void Crowd::State::hold_back() {
  farthest_way = std::sqrt(greatest([&](Slot slot) { return squared_length(way[slot]); })) + way_rounding;
  if (2 * farthest_way > near_reach) find_near(2 * farthest_way);
  for_chunks_in_grid_order([&](std::size_t number, std::size_t, std::span<const Slot> who) {
    for (std::size_t i = 0; i < who.size(); ++i) {
      shortened_way[who[i]] = held_back(who[i], closeness[number].near.of(i));
      is_held[who[i]] = shortened_way[who[i]] != way[who[i]] ? 1 : 0;
    }
  });
  way.swap(shortened_way);
  // Being held back by one may lead into another: a second time, for those for whom anything is different from the first.
  for_chunks_in_grid_order([&](std::size_t number, std::size_t, std::span<const Slot> who) {
    for (std::size_t i = 0; i < who.size(); ++i) {
      const std::span<const Slot> near = closeness[number].near.of(i);
      const bool differs =
          is_held[who[i]] != 0 || std::ranges::any_of(near, [&](Slot other) { return is_held[other] != 0; });
      shortened_way[who[i]] = differs ? held_back(who[i], near) : way[who[i]];
    }
  });
  way.swap(shortened_way);
}

void Crowd::State::move(double dt) {
  if (options.contact) {
    for_everybody([&](Slot slot) { plan_move(slot, dt); });
    hold_back();
    for_everybody([&](Slot slot) { move_one(slot, dt); });
  } else {
    for_everybody([&](Slot slot) {
      plan_move(slot, dt);
      move_one(slot, dt);
    });
  }
  farthest_moved += std::sqrt(greatest([&](Slot slot) { return squared_length(velocity[slot]); })) * dt + way_rounding;
}

}  // namespace throng::crowd
