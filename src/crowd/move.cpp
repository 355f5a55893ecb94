// The last stages of a step: contact between bodies, and motion ("integration"). Who touches whom is found before anybody follows a route,
// from positions of state n; ways are made of chosen velocities, accelerations and contact by everybody's own rules (steering/mover.hpp).
#include <algorithm>
#include <atomic>
#include <cmath>

#include "crowd/state.hpp"
#include "geometry/elementary.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/visibility.hpp"

namespace throng::crowd {

namespace {

/// More than people speed up by from one step to the next, mostly.
constexpr double reach_to_spare = 1.2;
/// Metres a second: slower than this a body has no direction of its own.
constexpr double standing_speed = 0.05;
/// How often everybody is held back by what the others still want to do: with two, a hundred people who cross a circle by `orca` overlap by
/// 7 cm, with four by under 5.
constexpr int rounds_of_holding_back = 4;
/// Of its radius, that contact moves a body in one step at most: where many press, their sum would throw it.
constexpr double most_parting = 0.5;
/// The cosine beyond which two directions are opposite: there is no shorter side to turn to.
constexpr double straight_behind = -0.999;

/// Velocity after a step towards the chosen one ("relaxation"): one takes time to speed up and to turn (van Toll, Pettre 2019, A.1).
Vec2 relaxed(Vec2 walking, Vec2 chosen, double dt, double relaxation) {
  return dt >= relaxation ? chosen : walking + (chosen - walking) * (dt / relaxation);
}

/// The same, but one brakes at once, and the more one brakes the quicker one turns: relaxed, braking overshoots into whoever one brakes for.
Vec2 relaxed_but_braking(Vec2 walking, Vec2 chosen, double dt, double relaxation) {
  if (dt >= relaxation) return chosen;
  const double allowed = length(chosen);
  const double before = length(walking);
  const double braking = before > allowed ? 1 - allowed / before : 0;
  const Vec2 walked = walking + (chosen - walking) * std::max(dt / relaxation, braking);
  const double fast = length(walked);
  return fast > allowed ? walked * (allowed / fast) : walked;
}

}  // namespace

steering::MotionRules Crowd::State::look_up_rules(Slot slot) const {
  const LevelUse& use = level(Level::move);
  return methods->move[use.method(slot)].rules(use.numbers(slot));
}

void Crowd::State::keep_rules() {
  if (order.empty()) return;
  const LevelUse& use = level(Level::move);
  const Slot slot = order.front();
  kept_rules = {use.method(slot), use.block(slot), look_up_rules(slot)};
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

/// Who overlaps whom, and how they part.
void Crowd::State::find_contacts(double dt) {
  closeness.resize((perception.in_grid_order().size() + chunk - 1) / chunk);
  // People want to go about as far as in the last step: who is near for that is found along with who touches.
  near_reach = std::max(widest_shell, reach_to_spare * 2 * farthest_way);
  const agents::People people = view(0);
  for_chunks_in_grid_order([&](std::size_t number, std::size_t first, std::span<const Slot> who) {
    Closeness& close = closeness[number];
    perception.find_near(people, first, first + who.size(), near_reach, close.near);
    close.contacts.clear();
    for (std::size_t i = 0; i < who.size(); ++i) touch(who[i], close.near.of(i), dt, close.contacts);
  });
  list_contacts();
}

/// What all who touch a person do to it, in order of their serials, because sums depend on it.
void Crowd::State::touch(Slot slot, std::span<const Slot> near, double dt, std::vector<Contact>& found) {
  acceleration[slot] = parting[slot] = {};
  // Most touch nobody.
  const auto may_touch = [&](Slot other) {
    const double apart = radius[slot] + radius[other] + widest_shell;
    return squared_length(position[slot] - position[other]) < apart * apart;
  };
  if (std::ranges::none_of(near, may_touch)) return;
  const steering::MotionRules rules = rules_of(slot);
  // The part of an overlap that goes in this step; both move, each by the other's part of their mass.
  const double gone = rules.parting_time > 0 ? 1 - geometry::exponential(-dt / rules.parting_time) : 0;
  Vec2 part, force;
  for (const Slot other : near) {
    const double apart = radius[slot] + radius[other] + rules.shell;
    const Vec2 offset = position[slot] - position[other];
    const double distance2 = squared_length(offset);
    if (distance2 >= apart * apart) continue;
    const bool is_first = serial[slot] < serial[other];
    if (layer[slot] != layer[other] && !is_joined(is_first ? slot : other, is_first ? other : slot)) continue;
    const double distance = std::sqrt(distance2);
    // On the very same point there is no direction: the lower serial goes right.
    const Vec2 away = distance > 0 ? offset / distance : Vec2{is_first ? 1.0 : -1.0, 0};
    part += away * ((apart - distance) * gone * radius[other] / (radius[slot] + radius[other]));
    const double overlap = radius[slot] + radius[other] - distance;
    if (overlap <= 0) continue;
    force += away * (rules.stiffness * overlap);
    if (is_first) found.push_back({serial[slot], serial[other], overlap});
  }
  acceleration[slot] = force / (steering::mass_per_radius * radius[slot]);
  const double parted = length(part), most = most_parting * radius[slot];
  parting[slot] = parted > most ? part * (most / parted) : part;
}

/// Whether two people on different layers are in one place: the straight line between them leads over a connection.
bool Crowd::State::is_joined(Slot from, Slot to) const {
  return navmesh::visible(*world->mesh, {position[from], layer[from]}, {position[to], layer[to]}, 0, cell[from]);
}

void Crowd::State::list_contacts() {
  contacts.clear();
  for (const Closeness& close : closeness)
    contacts.insert(contacts.end(), close.contacts.begin(), close.contacts.end());
  std::sort(contacts.begin(), contacts.end(), [](const Contact& a, const Contact& b) {
    return a.first != b.first ? a.first < b.first : a.second < b.second;
  });
}

/// How somebody would move if nobody else did.
void Crowd::State::plan_move(Slot slot, double dt) {
  const steering::MotionRules rules = rules_of(slot);
  const LevelUse& avoid = level(Level::avoid);
  const double relaxation =
      rules.relaxation >= 0 ? rules.relaxation : methods->avoid[avoid.method(slot)].relaxation(avoid.numbers(slot));
  const auto taken_up = [&](Vec2 wanted) {
    return rules.brakes_at_once ? relaxed_but_braking(walking[slot], wanted, dt, relaxation)
                                : relaxed(walking[slot], wanted, dt, relaxation);
  };
  Vec2 walked = taken_up(chosen[slot]);
  if (groups) {
    const Vec2 alone = walked;
    walked = taken_up(with_pull(slot, chosen[slot], relaxation));
    groups->columns.pulled[slot] = walked - alone;
  }
  walking[slot] = walked + acceleration[slot] * dt;
  way[slot] = walking[slot] * dt + parting[slot];
}

/// Heading after a step: that of the walk, without pushes, so that nobody turns when pushed aside.
void Crowd::State::turn(Slot slot, Vec2 walked, double turning, double dt) {
  const double walking_speed = length(walked);
  Vec2 facing = heading[slot];
  if (walking_speed > standing_speed) {
    facing = walked / walking_speed;
  } else if (const Vec2 to = turning_to(slot); length(to) > 0 && turning > 0) {
    const Vec2 towards = to / length(to);
    // Straight behind there is no shorter side: one turns left.
    const Vec2 side = dot(facing, towards) < straight_behind ? perpendicular(facing) : towards;
    facing += side * std::min(1.0, turning * dt);
    facing = facing / length(facing);
  }
  heading[slot] = facing;
}

/// Nobody walks into a body that is in the way ("non-penetration"): of a gap both come closer by no more than there is, each by their part of
/// it. Ways only ever get shorter from round to round, so that who is out of reach in one round is so in the next.
Vec2 Crowd::State::held_back(Slot slot, std::span<const Slot> near) const {
  Vec2 own_way = way[slot];
  if (own_way == Vec2{} || !rules_of(slot).is_held_back) return own_way;
  for (const Slot other : near) own_way -= given_up(slot, own_way, other);
  return own_way;
}

/// Of a way, what leads into another body.
Vec2 Crowd::State::given_up(Slot slot, Vec2 own_way, Slot other) const {
  const Vec2 offset = position[other] - position[slot];
  const double approach = dot(own_way, offset);
  if (approach <= 0) return {};  // behind
  // Mostly they do not come near each other, which squares tell as well, but for rounding.
  const double distance2 = squared_length(offset);
  const double radii = radius[slot] + radius[other];
  const double left = distance2 - (approach - dot(way[other], offset));
  if (left > 0 && left * left > radii * radii * distance2 * (1 + tolerance::square_part)) return {};
  const double distance = std::sqrt(distance2);
  const Vec2 towards = offset / distance;
  const double own = dot(own_way, towards);
  const double others = -dot(way[other], towards);
  const double gap = std::max(0.0, distance - radii);
  if (own <= 0 || own + others <= gap) return {};
  if (layer[other] != layer[slot] && !is_joined(slot, other)) return {};  // on another floor
  return towards * ((own + others - gap) * own / (own + std::max(0.0, others)));
}

/// Shortens the ways that people want to go to those that others let them go. Being held back by one may lead into another, and who was
/// going to make room may not: a few rounds, each but for the first for those for whom anything is different from the one before.
void Crowd::State::hold_back() {
  farthest_way = std::sqrt(greatest([&](Slot slot) { return squared_length(way[slot]); })) + tolerance::distinct;
  if (2 * farthest_way > near_reach) find_near(2 * farthest_way);
  for (int round = 0; round < rounds_of_holding_back; ++round) {
    if (round > 0) mark_who_may_be_held();
    for_chunks_in_grid_order([&](std::size_t number, std::size_t, std::span<const Slot> who) {
      for (std::size_t i = 0; i < who.size(); ++i)
        if (round == 0 || may_be_held[who[i]] != 0)
          shortened_way[who[i]] = held_back(who[i], closeness[number].near.of(i));
    });
    for_everybody([&](Slot slot) {
      is_held[slot] = 0;
      if (round > 0 && may_be_held[slot] == 0) return;
      may_be_held[slot] = 0;
      is_held[slot] = shortened_way[slot] != way[slot] ? 1 : 0;
      way[slot] = shortened_way[slot];
    });
  }
}

/// Those who were held back in the last round, and who is near to them: who is near to somebody is so the other way round too.
void Crowd::State::mark_who_may_be_held() {
  const auto mark = [&](Slot slot) {
    std::atomic_ref(may_be_held[slot]).store(1, std::memory_order_relaxed);  // several may, all the same
  };
  for_chunks_in_grid_order([&](std::size_t number, std::size_t, std::span<const Slot> who) {
    for (std::size_t i = 0; i < who.size(); ++i) {
      if (is_held[who[i]] == 0) continue;
      mark(who[i]);
      for (const Slot other : closeness[number].near.of(i)) mark(other);
    }
  });
}

void Crowd::State::move_one(Slot slot, double dt) {
  const double r = radius[slot];
  const Standing to = move_body(*world->mesh, standing(slot), way[slot], r);
  Vec2 walked = walking[slot];
  if (to.clearance <= r + 2 * tolerance::wall && to.clearance > 0) {
    const Vec2 off_wall = (to.place.point - to.nearest) / to.clearance;
    walked -= off_wall * std::min(0.0, dot(walked, off_wall));
  }
  const Vec2 moved = to.place.point - position[slot];
  const float spent = float(length(moved)) * 1.00001F + 1e-5F;  // never too little, however floats round
  if (follow_hints[slot].room > 0) follow_hints[slot].room -= spent;
  if (to_go[slot] > 0) to_go[slot] -= spent;
  const navmesh::Place from{position[slot], layer[slot]};
  const Index from_cell = cell[slot];
  velocity[slot] = moved / dt;
  position[slot] = to.place.point;
  layer[slot] = to.place.layer;
  cell[slot] = to.cell;
  clearance[slot] = to.clearance;
  walking[slot] = walked;
  // Nobody turns when they are pushed, nor when companions draw them.
  Vec2 own_walk = walked - acceleration[slot] * dt;
  if (groups) own_walk = own_walk - groups->columns.pulled[slot];
  turn(slot, own_walk, rules_of(slot).turning, dt);
  if (strategies) note_passages(slot, from, from_cell);
}

void Crowd::State::move(double dt) {
  for_everybody([&](Slot slot) { plan_move(slot, dt); });
  if (options.contact) hold_back();
  for_everybody([&](Slot slot) { move_one(slot, dt); });
  farthest_moved +=
      std::sqrt(greatest([&](Slot slot) { return squared_length(velocity[slot]); })) * dt + tolerance::distinct;
}

}  // namespace throng::crowd
