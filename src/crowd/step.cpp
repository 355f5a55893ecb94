// One step of the crowd, stage by stage (docs/architecture.md). Every stage reads state n and writes columns of its own.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "crowd/state.hpp"
#include "navmesh/visibility.hpp"

namespace throng::crowd {

namespace {

/// People are sorted by place this often: after so many steps neighbours are still near in memory.
constexpr std::uint64_t steps_between_sorts = 32;

/// Contact: newtons for each metre of overlap, and kilograms for each metre of radius (J 10.3.6).
constexpr double stiffness = 5000;
constexpr double mass_per_radius = 320;
/// Metres between bodies at which they begin to push: people who would touch lean away before they do. Without it a dense crowd
/// overlaps by as much as the force of those who want to get on asks for.
constexpr double contact_shell = 0.02;
constexpr int rounds_of_holding_back = 2;
/// Metres a second: slower than this a body has no direction of its own.
constexpr double standing_speed = 0.05;
/// How quickly somebody who stands turns to where they want to go, in turns of the heading a second.
constexpr double turning = 4;

/// Metres: more than rounding takes off a way when it is made a velocity and a way again.
constexpr double way_rounding = 1e-6;

double length(Vec2 v) { return std::sqrt(squared_length(v)); }

/// Velocity after a step towards the chosen one. One takes time to speed up and to turn (T A.1), but brakes at once, and the more one
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
    perception.index(view(dt));
    since_index.clear();
    farthest_moved = 0;
    if (steps % steps_between_sorts == 0) sort_by_place();
    find_contacts();
  });
  timed(Stage::follow, [&] { follow(dt); });
  timed(Stage::perceive, [&] { perceive(dt); });
  timed(Stage::avoid, [&] { avoid(dt); });
  timed(Stage::move, [&] { move(dt); });
  ++steps;
  time += dt;
}

void Crowd::State::find_speeds() {
  const std::vector<environment::Layer>& layers = world->mesh->layers;
  for_everybody([&](Slot slot) {
    speed[slot] =
        traits[slot].speed * part_of_speed(layers[layer[slot]].elevation, position[slot], heading[slot], traits[slot]);
  });
}

std::span<const Slot> Crowd::State::flagged(const std::vector<std::uint8_t>& flags) {
  marked.clear();
  for (Slot slot = 0; slot < present.size(); ++slot)
    if (flags[slot] != 0 && present[slot] != 0) marked.push_back(slot);
  std::sort(marked.begin(), marked.end(), [&](Slot a, Slot b) { return serial[a] < serial[b]; });
  return marked;
}

/// Pairs that overlap, found by the one with the lower serial; and how they push each other apart.
void Crowd::State::find_contacts() {
  const std::span<const Slot> everybody = perception.in_grid_order();
  widest = 0;
  for (const Slot slot : everybody) widest = std::max(widest, radius[slot]);
  contact_chunks.resize((everybody.size() + chunk - 1) / chunk);
  executor.for_chunks(everybody.size(), chunk, [&](std::size_t begin, std::size_t end) {
    std::vector<SlotContact>& found = contact_chunks[begin / chunk];
    found.clear();
    for (const Slot slot : everybody.subspan(begin, end - begin)) {
      perception.for_each_within(position[slot], radius[slot] + widest + contact_shell, [&](Slot other) {
        if (serial[other] <= serial[slot]) return;
        const double apart = radius[slot] + radius[other] + contact_shell;
        const double distance2 = squared_length(position[other] - position[slot]);
        if (distance2 >= apart * apart) return;
        const navmesh::Place here{position[slot], layer[slot]};
        const navmesh::Place there{position[other], layer[other]};
        if (here.layer != there.layer && !navmesh::visible(*world->mesh, here, there, 0, cell[slot])) return;
        found.push_back({slot, other, apart - std::sqrt(distance2)});
      });
    }
  });
  touching.clear();
  for (const std::vector<SlotContact>& found : contact_chunks)
    touching.insert(touching.end(), found.begin(), found.end());
  std::sort(touching.begin(), touching.end(), [&](const SlotContact& a, const SlotContact& b) {
    return a.first != b.first ? serial[a.first] < serial[b.first] : serial[a.second] < serial[b.second];
  });
  push_apart();
}

void Crowd::State::push_apart() {
  contacts.clear();
  for (const Slot slot : perception.in_grid_order()) push[slot] = {};
  for (const SlotContact& c : touching) {
    if (c.overlap > contact_shell) contacts.push_back({serial[c.first], serial[c.second], c.overlap - contact_shell});
    Vec2 apart = position[c.first] - position[c.second];
    const double distance = length(apart);
    // On the very same point there is no direction: the lower serial goes right.
    apart = distance > 0 ? apart / distance : Vec2{1, 0};
    push[c.first] += apart * (stiffness * c.overlap);
    push[c.second] -= apart * (stiffness * c.overlap);
  }
}

void Crowd::State::follow(double dt) {
  for (std::vector<Slot>& group : by_follower) group.clear();
  for (const Slot slot : perception.in_grid_order()) {
    if (activity[slot] != Activity::steered) preferred[slot] = {};
    needs_route[slot] = 0;
    if (activity[slot] == Activity::walking) by_follower[traits[slot].follow_method].push_back(slot);
  }
  const following::RegionMap* regions = world->regions && !world->regions->empty() ? world->regions.get() : nullptr;
  const following::FollowView seen{
      view(dt), route, {follow_numbers.data(), follow_block}, regions, weights_row, &weight_table, field, target};
  const following::FollowOutput out{memory, preferred, {}, needs_route, follow_hints};
  for (std::size_t m = 0; m < by_follower.size(); ++m) {
    const std::vector<Slot>& group = by_follower[m];
    executor.for_chunks(group.size(), chunk, [&](std::size_t begin, std::size_t end) {
      following::followers()[m]->run(seen, {group.data() + begin, end - begin}, out);
    });
  }
  for (const Slot slot : flagged(needs_route)) ask_for_route(slot);
}

void Crowd::State::perceive(double dt) {
  movers.clear();
  for (std::vector<Slot>& group : by_avoider) group.clear();
  for (const Slot slot : perception.in_grid_order()) {
    chosen[slot] = preferred[slot];
    if (activity[slot] != Activity::walking) continue;
    const std::uint8_t method = traits[slot].avoid_method;
    by_avoider[method].push_back(slot);
    movers.push_back(slot);
  }
  const following::People people = view(dt);
  executor.for_chunks(movers.size(), chunk, [&](std::size_t begin, std::size_t end) {
    const std::span<const Slot> who(movers.data() + begin, end - begin);
    std::array<steering::Needs, chunk> needs;
    for (std::size_t i = 0; i < who.size(); ++i) {
      // People of one profile share a block, and most are of one profile.
      const bool as_before = i > 0 && avoid_block[who[i]] == avoid_block[who[i - 1]] &&
                             traits[who[i]].avoid_method == traits[who[i - 1]].avoid_method;
      const steering::Avoider& method = *steering::avoiders()[traits[who[i]].avoid_method];
      needs[i] = as_before ? needs[i - 1] : method.needs(avoid_numbers.data() + avoid_block[who[i]]);
    }
    perception.perceive(people, who, std::span(needs).first(who.size()));
  });
}

void Crowd::State::avoid(double dt) {
  const steering::AvoidView seen{view(dt), preferred, &perception, {avoid_numbers.data(), avoid_block}, {}};
  for (std::size_t m = 0; m < by_avoider.size(); ++m) {
    const std::vector<Slot>& group = by_avoider[m];
    executor.for_chunks(group.size(), chunk, [&](std::size_t begin, std::size_t end) {
      steering::avoiders()[m]->run(seen, {group.data() + begin, end - begin}, chosen);
    });
  }
}

/// How somebody would move if nobody else did.
void Crowd::State::plan_move(Slot slot, double dt) {
  const double r = radius[slot];
  walking[slot] =
      take_up(walking[slot], chosen[slot], dt, steering::avoiders()[traits[slot].avoid_method]->relaxation());
  // Pushes act at once and are forgotten: kept as a velocity they would shake a dense crowd. At long steps they would throw
  // people farther than the overlap they undo, hence the bound.
  const double pushed = length(push[slot]) / (mass_per_radius * r) * dt;
  const double most = r / 2 / dt;
  const Vec2 shove = pushed > 0 ? push[slot] * (std::min(pushed, most) / length(push[slot])) : Vec2{};
  chosen[slot] = (walking[slot] + shove) * dt;
}

/// Nobody walks into a body that is in the way: of a gap both come closer by no more than there is, each by their part of it. Ways only
/// ever get shorter from round to round, so that who is alone in one round is so in the next.
Vec2 Crowd::State::held_back(Slot slot, double farthest) {
  Vec2 way = chosen[slot];
  if (way == Vec2{} || alone[slot] != 0) return way;
  const double reach = length(way) + farthest + way_rounding;
  bool near = false;
  perception.for_each_within(position[slot], radius[slot] + widest + reach, [&](Slot other) {
    if (other == slot) return;
    near = true;
    const Vec2 offset = position[other] - position[slot];
    if (dot(way, offset) <= 0) return;  // behind
    const double distance = length(offset);
    const Vec2 towards = offset / distance;
    const double own = dot(way, towards);
    const double others = -dot(chosen[other], towards);
    const double gap = std::max(0.0, distance - radius[slot] - radius[other]);
    if (own <= 0 || own + others <= gap) return;
    const navmesh::Place there{position[other], layer[other]};
    if (there.layer != layer[slot] &&
        !navmesh::visible(*world->mesh, {position[slot], layer[slot]}, there, 0, cell[slot]))
      return;  // on another floor
    way -= towards * ((own + others - gap) * own / (own + std::max(0.0, others)));
  });
  alone[slot] = near ? 0 : 1;
  return way;
}

void Crowd::State::move_one(Slot slot, Vec2 way, double dt) {
  const double r = radius[slot];
  const Standing to = move_body(*world->mesh, standing(slot), way, r);
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

void Crowd::State::move(double dt) {
  const std::span<const Slot> everybody = perception.in_grid_order();
  for_everybody([&](Slot slot) { plan_move(slot, dt); });
  double farthest2 = 0;
  for (const Slot slot : everybody) farthest2 = std::max(farthest2, squared_length(chosen[slot]));
  const double farthest = std::sqrt(farthest2);
  for (const Slot slot : everybody) alone[slot] = 0;
  // Being held back by one may lead into another: the second round sees where the first one leads.
  for (int round = 0; round < rounds_of_holding_back; ++round) {
    for_everybody([&](Slot slot) { push[slot] = held_back(slot, farthest); });
    chosen.swap(push);
  }
  for_everybody([&](Slot slot) { move_one(slot, chosen[slot], dt); });
  double fastest2 = 0;
  for (const Slot slot : everybody) fastest2 = std::max(fastest2, squared_length(velocity[slot]));
  farthest_moved = std::sqrt(fastest2) * dt + way_rounding;
}

}  // namespace throng::crowd
