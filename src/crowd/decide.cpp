// The stage `decide` of a step: topological strategies (van Toll, Pettre 2019, 5.1). After avoidance the sides on which the preferred velocity
// passes the obstacles in sight are held against those of the chosen one. Where they conflict, a second thought: a route under the decisions
// of the velocity and of the last passages walked, answered as second thoughts are; where none is taken, and it is wanted, a velocity under
// the decisions of the route. What the paper leaves open, and what is ours, is in docs/strategies.md.
#include <algorithm>
#include <cmath>

#include "crowd/state.hpp"
#include "geometry/tolerances.hpp"
#include "navmesh/visibility.hpp"
#include "routes/decided_route.hpp"
#include "steering/decider.hpp"
#include "steering/velocity_decisions.hpp"

namespace throng::crowd {
namespace {

using routes::Decision;
using routes::Side;
using routes::Strategy;
using steering::SeenWall;
using steering::StrategyNumber;

/// Who thinks again this seldom at least has a clock for being stuck that goes by it.
constexpr double longest_patience = 30;

double number_of(const double* numbers, StrategyNumber which) { return numbers[std::size_t(which)]; }

/// A wall of an inner obstacle, free space on the right, and what two velocities decide about it.
struct WallSeen {
  Index obstacle = none;
  SeenWall wall;
  bool is_seen = false;
};

bool is_in_sight(const navmesh::Mesh& mesh, const navmesh::Standpoint& from, const WallSeen& wall, double range) {
  const Vec2 p = from.place.point;
  const navmesh::Site line{.a = wall.wall.a, .b = wall.wall.b};
  const Vec2 nearest = navmesh::nearest_on(line, p);
  const auto sees = [&](Vec2 to) {
    if (squared_length(to - p) > range * range) return false;
    // A hair before it: whether a point of the wall itself is free is up to rounding.
    const Vec2 before = to + (p - to) * 1e-6;
    return !navmesh::first_hit(mesh, from.place, before, from.cell).blocked;
  };
  return sees(nearest) || sees(wall.wall.a) || sees(wall.wall.b) || sees((wall.wall.a + wall.wall.b) / 2);
}

/// The rule that a new velocity must not conflict with a strategy, for one person.
class KeepsTo final : public steering::Admits, public steering::Constraints {
 public:
  Vec2 p;
  double window = 0, radius = 0;
  const Strategy* strategy = nullptr;  ///< none: of no obstacle
  std::vector<WallSeen> walls;         ///< seen ones
  std::vector<SidedNeighbour> neighbours;

  [[nodiscard]] bool conflicts_about_people(Vec2 velocity) const {
    return std::ranges::any_of(neighbours, [&](const SidedNeighbour& n) {
      return steering::decision_about_person(p, velocity, window, n.place, n.walk) == routes::other_side(n.side);
    });
  }

  void admit(Slot, std::span<const Vec2> velocities, std::span<std::uint8_t> allowed) const override {
    routes::StrategyDraft draft;
    Strategy its;
    for (std::size_t i = 0; i < velocities.size(); ++i) {
      if (conflicts_about_people(velocities[i])) allowed[i] = 0;
      if (strategy == nullptr || allowed[i] == 0) continue;
      draft.clear();
      for (const WallSeen& wall : walls)
        if (const auto side = steering::decision_about_wall(p, velocities[i], window, wall.wall.a, wall.wall.b))
          draft.try_to_set(wall.obstacle, *side);
      draft.finish(its, [](Index) { return true; });
      if (its.conflicts_with(*strategy)) allowed[i] = 0;
    }
  }
  void prepare_planes() {
    planes_.clear();
    for (const SidedNeighbour& n : neighbours)
      planes_.push_back(steering::plane_to_pass(p, radius + n.radius, n.place, n.walk, n.side));
    std::vector<SeenWall> of_one;
    if (strategy == nullptr) return;
    for (const Decision decision : strategy->decisions()) {
      of_one.clear();
      for (const WallSeen& wall : walls)
        if (wall.obstacle == decision.about) of_one.push_back(wall.wall);
      if (of_one.empty()) continue;
      const steering::PassingPlanes planes = steering::planes_to_pass(p, radius, of_one, decision.side);
      for (int i = 0; i < planes.count; ++i) planes_.push_back(planes.planes[i]);
    }
  }
  [[nodiscard]] std::span<const steering::HalfPlane> half_planes(Slot) const override { return planes_; }

 private:
  std::vector<steering::HalfPlane> planes_;
};

/// What a thread needs.
struct Scratch {
  steering::Lists people, walls;
  std::vector<Slot> who;
  std::vector<steering::Needs> needs;
  std::vector<WallSeen> seen;
  routes::StrategyDraft by_route, by_velocity;
  Strategy route, velocity;
  KeepsTo rule;
};

}  // namespace

/// There while it is needed; whether it is.
bool Crowd::State::prepare_strategies() {
  if (!level(Level::decide).is_used() && guidance.empty()) {
    strategies.reset();
    return false;
  }
  if (!strategies) strategies = std::make_unique<Strategies>(store);
  if (!strategies->kept && std::ranges::any_of(order, [&](Slot slot) { return keeps_sides(slot); }))
    strategies->keep_sides(store);
  return true;
}

bool Crowd::State::keeps_sides(Slot slot) const {
  const LevelUse& use = level(Level::decide);
  return use.method(slot) != LevelUse::off && number_of(use.numbers(slot), StrategyNumber::keep_sides) > 0;
}

std::span<Vec2> Crowd::State::attraction_points() {
  if (!strategies || !level(Level::decide).is_used()) return {};
  strategies->attraction.resize(present.size());
  for (Slot slot = 0; slot < present.size(); ++slot) strategies->attraction[slot] = position[slot];
  return strategies->attraction;
}

bool Crowd::State::is_told(const GuidanceUse& use, Slot slot) const {
  const std::vector<Index>& who = use.told.populations;
  return who.empty() || std::ranges::find(who, traits[slot].population) != who.end();
}

/// What guidance this person knows of says.
Strategy Crowd::State::guided(Slot slot) const {
  Strategy told;
  for (std::size_t i = 0; i < guidance.size(); ++i) {
    if (!is_told(guidance[i], slot)) continue;
    if (guidance[i].told.sign && (!strategies || (strategies->memory[slot].known >> i & 1) == 0)) continue;
    for (const Index obstacle : guidance[i].obstacles) told.set({obstacle, guidance[i].told.pass});
  }
  return told;
}

/// Whether it passes something on a side that this one was told not to; for who does so already there may be no other way.
bool Crowd::State::goes_against_guidance(Slot slot, const Plan& plan) const {
  if (guidance.empty() || !plan.route) return false;
  const Strategy told = guided(slot);
  if (told.empty()) return false;
  const auto breaks = [&](const routes::Route& along) {
    const auto its = routes::decisions_of(*world->mesh, world->graph->sides()->obstacles(), along);
    return its && its->conflicts_with(told);
  };
  if (!breaks(routes::unpacked(*plan.route))) return false;
  return !route[slot] ||
         !breaks(routes::unpacked(*route[slot]).stretch(memory[slot].reference, route[slot]->way.length()));
}

namespace {

/// The decisions of both velocities; true where they may conflict, and then walls that are not in sight are left out.
bool decide_about_walls(const navmesh::Mesh& mesh, const navmesh::Standpoint& from, double range, double window,
                        Vec2 preferred, Vec2 chosen, Scratch& scratch) {
  const Vec2 p = from.place.point;
  struct Pair {
    std::optional<Side> route, velocity;
  };
  const auto pair_of = [&](const WallSeen& wall) {
    return Pair{steering::decision_about_wall(p, preferred, window, wall.wall.a, wall.wall.b),
                steering::decision_about_wall(p, chosen, window, wall.wall.a, wall.wall.b)};
  };
  bool may_conflict = false;
  for (std::size_t i = 0; i < scratch.seen.size() && !may_conflict; ++i) {
    const Pair one = pair_of(scratch.seen[i]);
    if (!one.route) continue;
    for (const WallSeen& other : scratch.seen)
      if (other.obstacle == scratch.seen[i].obstacle && pair_of(other).velocity == routes::other_side(*one.route)) {
        may_conflict = true;
        break;
      }
  }
  if (!may_conflict) return false;
  scratch.by_route.clear(), scratch.by_velocity.clear();
  for (WallSeen& wall : scratch.seen) {
    const Pair pair = pair_of(wall);
    wall.is_seen = (pair.route || pair.velocity) && is_in_sight(mesh, from, wall, range);
    if (!wall.is_seen) continue;
    if (pair.route) scratch.by_route.try_to_set(wall.obstacle, *pair.route);
    if (pair.velocity) scratch.by_velocity.try_to_set(wall.obstacle, *pair.velocity);
  }
  scratch.by_route.finish(scratch.route, [](Index) { return true; });
  scratch.by_velocity.finish(scratch.velocity, [](Index) { return true; });
  return true;
}

void list_walls(const navmesh::Mesh& mesh, const navmesh::Obstacles& obstacles, std::span<const std::uint32_t> sites,
                std::vector<WallSeen>& seen) {
  seen.clear();
  for (const Index s : sites) {
    const navmesh::Site& site = mesh.site(s);
    const Index obstacle = obstacles.of_site(s);
    if (!site.is_corner() && obstacles.is_inner(obstacle)) seen.push_back({obstacle, {site.b, site.a}, false});
  }
}

}  // namespace

void Crowd::State::prepare_to_decide() {
  strategies->asks.resize((perception.in_grid_order().size() + chunk - 1) / chunk);
}

/// Of a chunk of people who were steered by methods in this step and have a strategy.
void Crowd::State::decide(std::size_t number, std::span<const Slot> deciders, const steering::AvoidView& avoided,
                          std::span<const agents::OwnColumns> own) {
  const LevelUse& use = level(Level::decide);
  thread_local Scratch scratch;
  scratch.who.clear(), scratch.needs.clear();
  std::vector<Strategies::Ask>& asks = strategies->asks[number];
  asks.clear();
  KeepsTo& rule = scratch.rule;
  const auto window_of = [&](Slot slot) {
    return speed[slot] > 0 ? distance(strategies->attraction[slot], position[slot]) / speed[slot] : 0;
  };
  const auto begin_rule = [&](Slot slot, double window) {
    rule.p = position[slot], rule.window = window, rule.radius = radius[slot], rule.strategy = nullptr;
    rule.walls.clear(), rule.neighbours.clear();
    if (keeps_sides(slot)) list_kept(slot, rule.neighbours);
  };
  const auto choose_again = [&](Slot slot) {
    const LevelUse& avoid = level(Level::avoid);
    const steering::Avoider& method = methods->avoid[avoid.method(slot)];
    steering::AvoidView again = avoided;
    again.own = &own[avoid.method(slot)];
    if (method.weighs_candidates()) {
      again.admits = &rule;
    } else {
      rule.prepare_planes();
      again.constraints = &rule;
    }
    method.run(again, {&slot, 1}, chosen);
    ++strategies->memory[slot].strict;
    strategy_totals.strict.fetch_add(1, std::memory_order_relaxed);
  };
  for (const Slot slot : deciders) {
    if (activity[slot] != Activity::walking || !route[slot]) continue;
    StrategyMemory& mind = strategies->memory[slot];
    if (mind.last_change < 0) mind.last_change = mind.last_search = float(time());
    if (is_stuck(slot) && may_think_again(slot)) ask_because_stuck(slot, asks);
    if (keeps_sides(slot)) {
      begin_rule(slot, window_of(slot));
      if (rule.conflicts_about_people(chosen[slot])) choose_again(slot);
      keep_sides_of(slot, rule.window);
    }
    if (chosen[slot] == preferred[slot] || squared_length(preferred[slot]) == 0) {
      mind.set(StrategyMemory::in_conflict, false);
      mind.set(StrategyMemory::in_people_conflict, false);
      continue;
    }
    scratch.who.push_back(slot);
    scratch.needs.push_back({.wall_range = number_of(use.numbers(slot), StrategyNumber::range)});
  }
  if (scratch.who.empty()) return;
  const navmesh::Obstacles& obstacles = world->graph->sides()->obstacles();
  perception.look(avoided.people, scratch.who, scratch.needs, scratch.people, scratch.walls);
  for (std::size_t i = 0; i < scratch.who.size(); ++i) {
    const Slot slot = scratch.who[i];
    StrategyMemory& mind = strategies->memory[slot];
    const double* numbers = use.numbers(slot);
    const double window = window_of(slot);
    count_people_conflicts(slot, window);
    list_walls(*world->mesh, obstacles, scratch.walls.of(i), scratch.seen);
    bool conflict = false;
    if (!scratch.seen.empty() &&
        decide_about_walls(*world->mesh, {{position[slot], layer[slot]}, cell[slot], clearance[slot]},
                           scratch.needs[i].wall_range, window, preferred[slot], chosen[slot], scratch)) {
      const Strategy told = guided(slot);
      scratch.route.for_each_conflict(scratch.velocity,
                                      [&](Index about) { conflict = conflict || !told.side_of(about); });
      if (conflict) {
        const bool began = !mind.is(StrategyMemory::in_conflict);
        if (began) ++mind.conflicts, strategy_totals.conflicts.fetch_add(1, std::memory_order_relaxed);
        const bool may_ask = may_think_again(slot);
        if (may_ask) ask_because_of_conflict(slot, scratch.route, scratch.velocity, told, asks);
        if (number_of(numbers, StrategyNumber::strict) > 0 && !may_ask && !has_thought_under_way(slot)) {
          begin_rule(slot, window);
          rule.strategy = &scratch.route;
          for (const WallSeen& wall : scratch.seen)
            if (is_in_sight(*world->mesh, {{position[slot], layer[slot]}, cell[slot], clearance[slot]}, wall,
                            scratch.needs[i].wall_range))
              rule.walls.push_back(wall);
          choose_again(slot);
        }
      }
    }
    mind.set(StrategyMemory::in_conflict, conflict);
  }
}

void Crowd::State::count_people_conflicts(Slot slot, double window) {
  bool any = false;
  for (const Slot other : perception.neighbours(slot)) {
    const auto by_route =
        steering::decision_about_person(position[slot], preferred[slot], window, position[other], velocity[other]);
    if (!by_route) continue;
    const auto by_velocity =
        steering::decision_about_person(position[slot], chosen[slot], window, position[other], velocity[other]);
    any = any || by_velocity == routes::other_side(*by_route);
  }
  StrategyMemory& mind = strategies->memory[slot];
  if (any && !mind.is(StrategyMemory::in_people_conflict))
    strategy_totals.people_conflicts.fetch_add(1, std::memory_order_relaxed);
  mind.set(StrategyMemory::in_people_conflict, any);
}

void Crowd::State::list_kept(Slot slot, std::vector<SidedNeighbour>& list) {
  KeptSides& kept = (*strategies->kept)[slot];
  const std::span<const Slot> seen = perception.neighbours(slot);
  for (std::size_t i = 0; i < KeptSides::most; ++i) {
    if (kept.who[i] == 0) continue;
    const auto other = std::ranges::find(seen, kept.who[i], [&](Slot one) { return serial[one]; });
    const bool is_passed = other == seen.end() || dot(position[*other] - position[slot], preferred[slot]) < 0;
    if (is_passed)
      kept.who[i] = 0;
    else
      list.push_back(
          {position[*other], velocity[*other], radius[*other], (kept.left >> i & 1) != 0 ? Side::left : Side::right});
  }
}

/// By what was chosen, the nearest first, as far as there is room for them.
void Crowd::State::keep_sides_of(Slot slot, double window) {
  KeptSides& kept = (*strategies->kept)[slot];
  for (const Slot other : perception.neighbours(slot)) {
    const auto room = std::ranges::find(kept.who, std::uint64_t{0});
    if (room == kept.who.end()) return;
    if (std::ranges::find(kept.who, serial[other]) != kept.who.end()) continue;
    const auto side =
        steering::decision_about_person(position[slot], chosen[slot], window, position[other], velocity[other]);
    if (!side) continue;
    const std::uint64_t bit = std::uint64_t{1} << (room - kept.who.begin());
    *room = serial[other];
    kept.left = *side == Side::left ? kept.left | bit : kept.left & ~bit;
  }
}

bool Crowd::State::has_thought_under_way(Slot slot) const {
  const SecondThoughts* own = known_thoughts_of(slot);
  return own != nullptr && own->has_asked(asked[slot]);
}

bool Crowd::State::may_think_again(Slot slot) const {
  const StrategyMemory& mind = strategies->memory[slot];
  const double every = number_of(level(Level::decide).numbers(slot), StrategyNumber::replan_every);
  return !has_thought_under_way(slot) && leads(slot) && time() - double(mind.last_change) >= every &&
         time() - double(mind.last_search) >= every && !follows_field(slot);
}

double Crowd::State::patience_of_strategy(Slot slot) const {
  const LevelUse& use = level(Level::decide);
  if (use.method(slot) == LevelUse::off) return 0;
  return std::clamp(number_of(use.numbers(slot), StrategyNumber::replan_every), 1.0, longest_patience);
}

/// Decisions that a way was taken for, a while ago.
Strategy Crowd::State::held_decisions(Slot slot) const {
  const StrategyMemory& mind = strategies->memory[slot];
  Strategy held;
  if (double(mind.held_until) < time()) return held;
  for (std::size_t i = 0; i < StrategyMemory::most_held; ++i)
    if (mind.held[i] != none) held.set({mind.held[i], (mind.held_left >> i & 1) != 0 ? Side::left : Side::right});
  return held;
}

void Crowd::State::ask_because_of_conflict(Slot slot, const Strategy& by_route, const Strategy& by_velocity,
                                           const Strategy& told, std::vector<Strategies::Ask>& asks) {
  StrategyMemory& mind = strategies->memory[slot];
  Strategies::Ask ask{.serial = serial[slot], .slot = slot, .about = {.told = told}};
  ToldThought& about_it = ask.about;
  about_it.told.complete_by(by_velocity);
  std::vector<Index> walked;
  for (std::size_t i = StrategyMemory::most_passages; i-- > 0;)
    if (mind.passages[i] != none) walked.push_back(mind.passages[i]);
  about_it.told.complete_by(routes::decisions_of(world->graph->sides()->obstacles(), walked));
  about_it.told.complete_by(held_decisions(slot));
  by_velocity.for_each_conflict(by_route, [&](Index about) {
    about_it.because.set({about, *by_velocity.side_of(about)});
  });
  mind.last_search = float(time());
  asks.push_back(std::move(ask));
}

/// The way ahead is closed, and what was walked does not bind: people may turn round.
void Crowd::State::ask_because_stuck(Slot slot, std::vector<Strategies::Ask>& asks) {
  StrategyMemory& mind = strategies->memory[slot];
  mind.last_search = float(time());
  const navmesh::Obstacles& obstacles = world->graph->sides()->obstacles();
  const routes::Route rest = routes::unpacked(*route[slot]).stretch(memory[slot].reference, route[slot]->way.length());
  const auto trace = routes::trace_of(*world->mesh, rest);
  if (!trace) return;
  const std::vector<Index> ahead = routes::decision_passages(*world->mesh, obstacles, *trace);
  if (ahead.empty()) return;
  Strategies::Ask ask{
      .serial = serial[slot], .slot = slot, .about = {.told = guided(slot), .closed = ahead.front() / 2}};
  ask.about.told.complete_by(held_decisions(slot));
  ++mind.conflicts;
  strategy_totals.conflicts.fetch_add(1, std::memory_order_relaxed);
  asks.push_back(std::move(ask));
}

/// Whoever sees a sign knows from now on, and has a second thought if its route says otherwise.
void Crowd::State::see_signs() {
  if (!strategies || std::ranges::none_of(guidance, [](const GuidanceUse& use) { return bool(use.told.sign); })) return;
  std::vector<std::uint32_t>& news = strategies->news;
  news.assign(present.size(), 0);
  for_everybody([&](Slot slot) {
    for (std::size_t i = 0; i < guidance.size(); ++i) {
      const std::optional<Sign>& sign = guidance[i].told.sign;
      if (!sign || guidance[i].obstacles.empty() || (strategies->memory[slot].known >> i & 1) != 0) continue;
      const Vec2 to = sign->at.point - position[slot];
      if (squared_length(to) > sign->range * sign->range || dot(to, sign->facing) >= 0 || dot(to, heading[slot]) <= 0)
        continue;
      if (!is_told(guidance[i], slot)) continue;
      if (navmesh::visible(*world->mesh, {position[slot], layer[slot]}, sign->at, 0, cell[slot])) news[slot] |= 1u << i;
    }
    strategies->memory[slot].known |= news[slot];
  });
  for (const Slot slot : order) {
    if (news[slot] == 0) continue;
    for (std::size_t i = 0; i < guidance.size(); ++i)
      if ((news[slot] >> i & 1) != 0) ++strategy_totals.saw[i];
    if (activity[slot] == Activity::walking && route[slot]) heed_guidance(slot);
  }
}

/// A second thought where the rest of the route goes against what this one was told.
void Crowd::State::heed_guidance(Slot slot) {
  const Strategy told = guided(slot);
  if (told.empty()) return;
  const routes::Route rest = routes::unpacked(*route[slot]).stretch(memory[slot].reference, route[slot]->way.length());
  const auto its = routes::decisions_of(*world->mesh, world->graph->sides()->obstacles(), rest);
  if (!its || its->conflicts_with(told)) begin_thought(slot, {.told = told, .at_once = true});
}

void Crowd::State::begin_thought(Slot slot, ToldThought about) {
  const Reason why = about.at_once ? Reason::guidance : Reason::strategy;
  SecondThoughts& own = thoughts_of(slot);
  ask_for_thought(slot, why, std::move(about));
  own.ask(asked[slot]);
}

/// In order of serials, whatever chunks they were in.
void Crowd::State::gather_asks() {
  std::vector<Strategies::Ask> all;
  for (std::vector<Strategies::Ask>& some : strategies->asks) {
    std::move(some.begin(), some.end(), std::back_inserter(all));
    some.clear();
  }
  std::ranges::sort(all, {}, &Strategies::Ask::serial);
  for (Strategies::Ask& ask : all) begin_thought(ask.slot, std::move(ask.about));
}

Crowd::State::Plan Crowd::State::plan_as_told(Slot slot, const ToldThought& about, Desk& desk) const {
  desk.told = &about.told, desk.closed = about.closed;
  Plan plan = has_company(slot) ? plan_to_others(slot, desk) : plan_to_goal(slot, desk, options.second_thought_budget);
  desk.told = nullptr, desk.closed = none;
  return plan;
}

/// Than W times the way to where it is heading for, and on from there.
bool Crowd::State::is_short_enough(const Thought& thought, Slot slot) const {
  const LevelUse& use = level(Level::decide);
  if (use.method(slot) == LevelUse::off) return false;
  const routes::PackedRoute& old = route[slot]->way;
  const double ahead = std::min(memory[slot].attraction, old.length());
  const double as_now = distance(position[slot], routes::unpacked(*route[slot]).at(ahead).point) + old.length() - ahead;
  return thought.route->way.length() <= number_of(use.numbers(slot), StrategyNumber::detour) * as_now + tolerance::same;
}

void Crowd::State::note_decided(const Thought& thought, Slot slot, bool is_taken) {
  if (!strategies) return;
  StrategyMemory& mind = strategies->memory[slot];
  if (!is_taken) {
    ++mind.refused, ++strategy_totals.refused;
    return;
  }
  ++mind.routes, ++strategy_totals.routes;
  mind.last_change = float(time());
  if (level(Level::decide).method(slot) == LevelUse::off) return;
  mind.held_until = float(time() + number_of(level(Level::decide).numbers(slot), StrategyNumber::hold));
  mind.held_left = 0;
  std::ranges::fill(mind.held, none);
  const auto because = thought.about->because.decisions();
  for (std::size_t i = 0; i < std::min(because.size(), StrategyMemory::most_held); ++i) {
    mind.held[i] = because[i].about;
    if (because[i].side == Side::left) mind.held_left = std::uint8_t(mind.held_left | 1u << i);
  }
}

/// Passages crossed from one place to the next; guided obstacles beside them tell who obeyed.
void Crowd::State::note_passages(Slot slot, const navmesh::Place& from, Index from_cell) {
  const navmesh::Obstacles& obstacles = world->graph->sides()->obstacles();
  const Index arc = cell[slot] / 2;
  if (from_cell / 2 == arc && !obstacles.has_passage_on(arc)) return;
  routes::AxisTracer tracer(*world->mesh);
  const navmesh::Place to{position[slot], layer[slot]};
  if (!tracer.begin(from) || !tracer.line_to(to) || !tracer.finish(to)) return;
  StrategyMemory& mind = strategies->memory[slot];
  for (const Index p : routes::decision_passages(*world->mesh, obstacles, tracer.trace())) {
    if (mind.passages[0] == (p ^ 1)) {
      std::shift_left(std::begin(mind.passages), std::end(mind.passages), 1);
      mind.passages[StrategyMemory::most_passages - 1] = none;
    } else {
      std::shift_right(std::begin(mind.passages), std::end(mind.passages), 1);
      mind.passages[0] = p;
    }
    for (std::size_t i = 0; i < guidance.size(); ++i) {
      if (((mind.obeyed | mind.disobeyed) >> i & 1) != 0 || !is_told(guidance[i], slot)) continue;
      if (guidance[i].told.sign && (mind.known >> i & 1) == 0) continue;
      const auto is_guided = [&](Index obstacle) {
        return std::ranges::binary_search(guidance[i].obstacles, obstacle);
      };
      const Index left = obstacles.left(p), right = obstacles.right(p);
      if (left == right || is_guided(left) == is_guided(right)) continue;
      const bool as_told = is_guided(guidance[i].told.pass == Side::right ? left : right);
      (as_told ? mind.obeyed : mind.disobeyed) |= 1u << i;
      if (as_told) strategy_totals.obeyed[i].fetch_add(1, std::memory_order_relaxed);
    }
  }
}

std::optional<StrategyOf> Crowd::strategy_of(Slot slot) const {
  const State& s = *state_;
  const Strategy told = s.guided(slot);
  const bool has_strategy = s.strategies && s.level(Level::decide).method(slot) != LevelUse::off;
  if (!has_strategy && told.empty()) return std::nullopt;
  const auto list = [](const Strategy& strategy) {
    return std::vector<Decision>(strategy.decisions().begin(), strategy.decisions().end());
  };
  StrategyOf shown;
  shown.guided = list(told);
  if (s.strategies) {
    const StrategyMemory& mind = s.strategies->memory[slot];
    shown.conflict_count = mind.conflicts, shown.routes = mind.routes;
    shown.refused = mind.refused, shown.strict = mind.strict;
  }
  if (!s.route[slot] || s.activity[slot] != Activity::walking) return shown;
  const navmesh::Mesh& mesh = *s.world->mesh;
  const navmesh::Obstacles& obstacles = s.world->graph->sides()->obstacles();
  const routes::Route rest =
      routes::unpacked(*s.route[slot]).stretch(s.memory[slot].reference, s.route[slot]->way.length());
  Strategy by_route;
  if (auto its = routes::decisions_of(mesh, obstacles, rest)) by_route = std::move(*its);
  shown.by_route = list(by_route);
  if (!has_strategy || slot >= s.strategies->attraction.size() || !(s.speed[slot] > 0)) return shown;
  const double range = number_of(s.level(Level::decide).numbers(slot), StrategyNumber::range);
  const double window = distance(s.strategies->attraction[slot], s.position[slot]) / s.speed[slot];
  navmesh::NearbySegments near;
  std::vector<Index> sites;
  for (const auto& segment : near.compute(mesh, {s.position[slot], s.layer[slot]}, range, s.cell[slot]))
    sites.push_back(segment.site);
  std::vector<WallSeen> seen;
  list_walls(mesh, obstacles, sites, seen);
  routes::StrategyDraft draft;
  for (const WallSeen& wall : seen)
    if (const auto side =
            steering::decision_about_wall(s.position[slot], s.chosen[slot], window, wall.wall.a, wall.wall.b))
      if (is_in_sight(mesh, {{s.position[slot], s.layer[slot]}, s.cell[slot], s.clearance[slot]}, wall, range))
        draft.try_to_set(wall.obstacle, *side);
  Strategy by_velocity;
  draft.finish(by_velocity, [](Index) { return true; });
  shown.by_velocity = list(by_velocity);
  by_route.for_each_conflict(by_velocity, [&](Index about) { shown.conflicts.push_back(about); });
  return shown;
}

}  // namespace throng::crowd
