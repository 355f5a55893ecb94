// Detours round jams that are seen: MIRANDA and ID3 (Zwerver 2018, 3.3 and 4), with what is ours named in docs/congestion.md. Who looks, what is planned, and
// what becomes of it; the rules of second thoughts hold for all of it (second_thoughts.hpp).
#include <algorithm>
#include <cmath>
#include <set>

#include "crowd/detour_gates.hpp"
#include "crowd/state.hpp"
#include "following/route_window.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"
#include "routes/closed_ways.hpp"

namespace throng::crowd {

using fields::Square;
using navmesh::Place;
using routes::ChainWord;
using routes::Route;
using second_thoughts::is_saving;

namespace {

/// Metres of the way that one looks along, and steps of bisection to where it goes out of sight.
constexpr double sight_range = 50;
constexpr int sight_steps = 7;
/// Metres of chords of an arc.
constexpr double chord = 0.15;
/// Metres between points of the way where a detour may come back, and in which MIRANDA looks whether its jam is still there.
constexpr double slide = 1, miranda_range = 10;
/// Metres on each side of the start in which a way is searched: at least, and beyond where it is to end.
constexpr double least_reach = 30, more_reach = 20, most_reach = 90;
/// Metres of the old way that are pulled tight with a detour, and by which lines may be off arcs.
constexpr double pulled_on = 25, flat = 0.05;
/// Squares of a block, at most.
constexpr std::size_t most_squares = 40'000;
/// Seconds and metres of those who count only what they saw.
constexpr double eye_memory = 60, eye_step = 2;

std::uint64_t turns_of(double seconds, double dt) {
  return std::uint64_t(std::max(1.0, std::floor(seconds / dt + 0.5)));
}

Place place_of(const routes::RoutePoint& p) { return {p.point, p.layer}; }

/// Calls visit(square, direction, along, metres) for the squares under a stretch of a route, until it returns true. Whether it did.
template <class Visit>
bool for_each_square_on(const Route& along, double from, double to, Visit&& visit) {
  for (std::size_t i = 0; i < along.pieces.size(); ++i) {
    const routes::Piece& piece = along.pieces[i];
    const double begin = std::max(0.0, from - along.prefix[i]), end = std::min(piece.length, to - along.prefix[i]);
    if (!(begin < end)) continue;
    const int parts = piece.is_arc() ? std::max(1, int(std::ceil((end - begin) / chord))) : 1;
    for (int k = 0; k < parts; ++k) {
      const double a = begin + (end - begin) * k / parts, b = begin + (end - begin) * (k + 1) / parts;
      const Vec2 p = piece.at(a), q = piece.at(b);
      const double straight = distance(p, q);
      if (!(straight > 0)) continue;
      const Vec2 direction = (q - p) / straight;
      const bool stops = fields::for_each_square_under(
          p, q, piece.layer, fields::square_side, [&](const Square& square, double first, double last) {
            return visit(square, direction, along.prefix[i] + a + first, last - first);
          });
      if (stops) return true;
    }
  }
  return false;
}

/// Points of a stretch of a route from the last point on, such that lines between them keep its radius.
void append_stretch(std::vector<Place>& points, const Route& along, double from, double to, const navmesh::Mesh& mesh) {
  if (!(from < to)) return;
  for (const Place& p : along.stretch(from, to).flatten(mesh, flat)) {
    const double far = distance(points.back().point, p.point);
    const int parts = std::max(1, int(std::ceil(far / slide)));
    const Place before = points.back();
    for (int k = 1; k <= parts && far > 0; ++k)
      points.push_back(
          {before.point + (p.point - before.point) * (double(k) / parts), k == parts ? p.layer : before.layer});
  }
}

Route route_through(const navmesh::Mesh& mesh, const std::vector<Place>& points, double radius) {
  Route made;
  routes::RouteBuilder builder(made);
  for (std::size_t i = 1; i < points.size(); ++i)
    builder.line(points[i - 1].point, points[i].point, points[i - 1].layer);
  made.radius = radius, made.generation = mesh.generation;
  made.start = points.front(), made.goal = points.back();
  routes::split_at_connections(mesh, made);
  return made;
}

/// The axis beside a place, as closed; nothing where there is none.
std::vector<routes::ClosedPlace> closed_at(const World& world, const routes::RoutePoint& p) {
  const auto at = navmesh::retract(*world.mesh, place_of(p));
  if (!at) return {};
  return {{at->edge, routes::position_on_edge(*world.graph, {at->point, at->arc})}};
}

/// To the area it goes to, or wherever else its goal is.
std::vector<Index> areas_kept(Index area, const goals::Goal& goal) {
  return area == none ? goal.areas : std::vector<Index>{area};
}

}  // namespace

// --- seeing

/// Up to where the way is seen from where the person is, without a break: pieces whose ends are seen, and of the last as far as it is.
double Crowd::State::seen_until(Slot slot, const Route& along, double from, double most) const {
  const navmesh::Standpoint eye{{position[slot], layer[slot]}, cell[slot], clearance[slot]};
  const double end = std::min(along.length, from + most);
  const auto sees = [&](double at) {
    const routes::RoutePoint p = along.at(at);
    return navmesh::visible_from(*world->mesh, eye, place_of(p), 0);
  };
  for (std::size_t i = 0; i < along.pieces.size(); ++i) {
    const double begin = std::max(from, along.prefix[i]);
    const double last = std::min(end, along.prefix[i] + along.pieces[i].length);
    if (last <= begin) continue;
    if (!sees(last)) {
      double seen = begin, hidden = last;
      for (int k = 0; k < sight_steps; ++k) {
        const double middle = (seen + hidden) / 2;
        (sees(middle) ? seen : hidden) = middle;
      }
      return seen;
    }
    if (last >= end) break;
  }
  return end;
}

/// The first stretch of blocked squares that is longer than `longest`.
std::optional<Crowd::State::JamOnWay> Crowd::State::jam_on(JamSight& sight, const Route& along, double from,
                                                           double until, double longest) const {
  JamOnWay jam;
  double blocked = 0;
  bool found = false;
  (void)for_each_square_on(along, from, until, [&](const Square& square, Vec2 direction, double at, double metres) {
    if (!sight.is_blocked(sight.at(square, at - from), direction)) {
      blocked = 0;
      return found;
    }
    if (blocked == 0) jam.first = at;
    blocked += metres;
    jam.last = at + metres;
    found = found || blocked > longest;
    return false;
  });
  return found ? std::optional(jam) : std::nullopt;
}

/// What its method sees of its own way from a place on it on.
std::optional<Crowd::State::JamOnWay> Crowd::State::jam_seen(Slot slot, const DetourNumbers& numbers,
                                                             double from) const {
  following::RouteWindow window;
  window.open(route[slot]->way, from);
  const double range = numbers.is_id3 ? sight_range : miranda_range;
  window.reach(std::min(route[slot]->way.length(), from + range));
  Route ahead = window.pieces();
  ahead.length = std::min(route[slot]->way.length(), from + range);
  JamSight sight = jam_sight(slot, numbers);
  const double until = numbers.is_id3 ? seen_until(slot, ahead, from, range) : ahead.length;
  return jam_on(sight, ahead, from, until, numbers.deadlock_length);
}

std::optional<Crowd::State::JamOnWay> Crowd::State::jam_ahead(Slot slot) const {
  return jam_seen(slot, detour_numbers(slot), memory[slot].reference);
}

/// After everybody has looked where to go.
void Crowd::State::look_for_jams(double dt) {
  for_everybody([&](Slot slot) {
    due[slot] = 0;
    if (!congestion_method_detours(slot) || activity[slot] != Activity::walking || !route[slot] || is_led(slot)) return;
    const DetourNumbers numbers = detour_numbers(slot);
    DetourMind* mind = detour_mind(slot);
    const bool may_search = mind == nullptr || time() - mind->last_search >= numbers.search_every - 1e-9;
    if ((*detours->behind_jam)[slot] != 0 && may_search) due[slot] = 1;
    if (!numbers.is_id3) return;
    const bool has_turn = (steps + serial[slot]) % turns_of(numbers.every, dt) == 0;
    if (!has_turn) return;
    if (mind != nullptr && numbers.memories > 0 && !mind->memories.empty()) due[slot] |= 4;
    if (may_search && jam_ahead(slot)) due[slot] |= 1;
    if (numbers.back && mind != nullptr && mind->is_away && (due[slot] & 1) == 0) due[slot] |= 2;
  });
  const std::span<const Slot> flagged_now = flagged(due);
  for (const Slot slot : std::vector<Slot>(flagged_now.begin(), flagged_now.end())) {
    const std::uint8_t what = due[slot];
    if ((what & 4) != 0) forget_jams_gone(slot, *detour_mind(slot), detour_numbers(slot));
    if ((what & 1) != 0) {
      if (reconsider(slot, Reason::detour)) keep_detour_mind(slot).last_search = time();
    } else if ((what & 2) != 0) {
      (void)reconsider(slot, Reason::back);
    }
  }
  const std::uint64_t looks = turns_of(renew_every, dt);
  for_everybody([&](Slot slot) {
    DetourMind* mind = detour_mind(slot);
    if (mind == nullptr) return;
    run_commitment(slot, *mind, dt);
    if ((steps + serial[slot]) % looks != 0 || !congestion_method_detours(slot) || !detour_numbers(slot).seen_only)
      return;
    std::erase_if(mind->eyes, [&](const DetourMind::Eye& eye) { return time() - double(eye.at) > eye_memory; });
    if (mind->eyes.empty() || squared_length(mind->eyes.back().place.point - position[slot]) > eye_step * eye_step)
      mind->eyes.push_back({{position[slot], layer[slot]}, float(time())});
    else
      mind->eyes.back().at = float(time());
  });
}

/// Memories end after their time, and where the place is seen to be free.
void Crowd::State::forget_jams_gone(Slot slot, DetourMind& mind, const DetourNumbers& numbers) {
  const navmesh::Standpoint eye{{position[slot], layer[slot]}, cell[slot], clearance[slot]};
  const auto is_gone = [&](const DetourMind::Memory& known) {
    if (numbers.memory > 0 && time() - known.at > numbers.memory) return true;
    if (numbers.memory <= 0) return false;  // as published: without end
    if (squared_length(known.first.point - eye.place.point) > sight_range * sight_range ||
        !navmesh::visible_from(*world->mesh, eye, known.first, 0))
      return false;
    return std::ranges::none_of(known.block->squares,
                                [&](const Square& square) { return detours->now.density(square) > numbers.threshold; });
  };
  std::erase_if(mind.memories, is_gone);
}

void Crowd::State::run_commitment(Slot slot, DetourMind& mind, double dt) {
  const bool walks = activity[slot] == Activity::walking && route[slot];
  if (!walks || mind.goal != errand_of(slot).goal) mind.forget_ways();
  mind.goal = errand_of(slot).goal;
  if (!walks) return;
  const double left = metres_left(slot);
  if (mind.is_away && left <= mind.joins_left) mind.is_away = false, mind.way_left.clear();
  if (!mind.is_committed) return;
  mind.committed_time += dt;
  if (left <= mind.decision_left || time() >= mind.committed_until || is_stuck(slot)) mind.is_committed = false;
}

// --- planning

Crowd::State::Plan Crowd::State::plan_detour(Thought& thought, Slot slot, Desk& desk) const {
  if (!detours_round_jams(slot)) return {};
  const DetourNumbers numbers = detour_numbers(slot);
  const Route old = routes::unpacked(*route[slot]);
  Plan plan =
      numbers.is_id3 ? plan_id3(thought, slot, desk, old, numbers) : plan_miranda(thought, slot, desk, old, numbers);
  plan.area = errand_of(slot).area;
  plan.target = target[slot];
  return plan;
}

/// By points to where the old way goes on.
routes::PlannedRoutePtr Crowd::State::joined_way(Slot slot, const std::vector<Place>& points, const Route& old,
                                                 double from) const {
  if (points.size() < 2) return nullptr;
  const Route first = route_through(*world->mesh, points, std::min(old.radius, radius[slot]));
  if (first.pieces.empty()) return nullptr;
  if (from >= old.length) return routes::share(first);
  return routes::join(*routes::share(first), *routes::share(old.stretch(from, old.length)));
}

/// Algorithm 2 of Zwerver 2018: the detour that is dearer by no more than the anchoring and rejoins earliest.
Crowd::State::Plan Crowd::State::plan_miranda(Thought& thought, Slot slot, Desk& desk, const Route& old,
                                              const DetourNumbers& numbers) const {
  Plan plan;
  JamSight sight = jam_sight(slot, numbers);
  const double reference = memory[slot].reference;
  const Vec2 here = position[slot];
  // The first point at that distance, so that mazes do not mislead.
  double last = old.length;
  for (double at = reference; at < old.length; at += slide)
    if (squared_length(old.at(at).point - here) >= numbers.local_area * numbers.local_area) {
      last = at;
      break;
    }
  const auto* regions = world->regions && !world->regions->empty() ? world->regions.get() : nullptr;
  DetourSearch& search = desk.detour;
  search.begin({.mesh = world->mesh.get(),
                .from = {{here, layer[slot]}, cell[slot], clearance[slot]},
                .radius = radius[slot],
                .reach = std::min(most_reach, std::max(least_reach, numbers.local_area + more_reach)),
                .sight = &sight,
                .regions = regions,
                .weights = weights_of(slot)});
  const std::size_t budget = options.second_thought_budget;
  if (!search.find(place_of(old.at(last)), budget)) return plan;
  std::vector<Place> points;
  if (!search.collect(place_of(old.at(last)), points)) return plan;
  const auto stretch_of = [&](double from, double to) {
    DetourSearch::Line line;
    (void)for_each_square_on(old, from, to, [&](const Square& square, Vec2 direction, double at, double metres) {
      const JamSight::Seen seen = sight.at(square, at - reference);
      line.cost += metres * (1 + numbers.scale * seen.density);
      if (sight.is_blocked(seen, direction)) line.blocked += metres;
      return false;
    });
    return line;
  };
  if (search.along(points).blocked > numbers.deadlock_length) return plan;
  const double best = search.along(points).cost;
  double answer = last;
  search.spread(numbers.anchoring * best * 1.001, budget);
  for (double at = last - slide; at > reference; at -= slide) {
    const DetourSearch::Line rest = stretch_of(at, last);
    const double cost = search.cost_to(place_of(old.at(at))) + rest.cost;
    if (rest.blocked > 0 || !(cost <= numbers.anchoring * best)) break;
    answer = at;
  }
  if (answer != last && !search.collect(place_of(old.at(answer)), points)) return plan;
  if (!numbers.plain) search.straighten(points);
  plan.expansions = search.expansions();
  plan.route = joined_way(slot, points, old, answer);
  thought.joins = place_of(old.at(answer));
  return plan;
}

/// 4.3 to 4.6: to behind the jam where it is less dense, and on along the old way; another way is repaired.
Crowd::State::Plan Crowd::State::plan_id3(Thought& thought, Slot slot, Desk& desk, const Route& old,
                                          const DetourNumbers& numbers) const {
  Plan plan;
  JamSight sight = jam_sight(slot, numbers);
  const double reference = memory[slot].reference;
  // What it saw, or what its candidates told it.
  std::optional<JamOnWay> jam = jam_seen(slot, numbers, reference);
  if (!jam) jam = jam_on(sight, old, reference, std::min(old.length, reference + miranda_range), 0);
  if (!jam) return plan;
  double joins = old.length;
  for (double at = jam->first; at < old.length; at += slide) {
    const routes::RoutePoint p = old.at(at);
    const Square square = fields::square_at({p.point, p.layer}, fields::square_side);
    if (!(sight.at(square, at - reference).density < numbers.goal_density)) continue;
    joins = at;
    break;
  }
  const Place goal = place_of(old.at(joins));
  const auto* regions = world->regions && !world->regions->empty() ? world->regions.get() : nullptr;
  DetourSearch& search = desk.detour;
  search.begin({.mesh = world->mesh.get(),
                .from = {{position[slot], layer[slot]}, cell[slot], clearance[slot]},
                .radius = radius[slot],
                .reach = std::min(most_reach, std::max(least_reach, distance(position[slot], goal.point) + more_reach)),
                .sight = &sight,
                .regions = regions,
                .weights = weights_of(slot)});
  std::vector<Place> points;
  const bool found = search.find(goal, options.second_thought_budget) && search.collect(goal, points);
  plan.expansions = search.expansions();
  if (!found || search.along(points).blocked > numbers.deadlock_length) {
    // Ours: no way over the squares near by; perhaps one over the chains, the jam's closed, however long.
    if (numbers.gates) return plan;
    routes::ClosedWays ways(*world->graph, closed_at(*world, old.at((jam->first + jam->last) / 2)));
    plan = plan_by_ways(slot, desk, areas_kept(errand_of(slot).area, goal_of(slot)),
                        [&](const routes::OnAxis& from, const routes::OnAxis& to, double wide, Index,
                            routes::AxisPath& path, std::size_t& expansions) {
                          return ways.find(from, to, wide, options.second_thought_budget, path, expansions);
                        });
    if (!plan.route) return plan;
    const Route round = routes::unpacked(*plan.route);
    if (jam_on(sight, round, 0, round.length, numbers.deadlock_length)) plan.route = nullptr;
    thought.joins = round.goal;
    return plan;
  }
  double goes_on = joins;
  if (!numbers.gates) {
    append_stretch(points, old, joins, goes_on = std::min(old.length, joins + pulled_on), *world->mesh);
    search.straighten(points);
  }
  routes::PlannedRoutePtr way_round = joined_way(slot, points, old, goes_on);
  if (!way_round) return plan;
  thought.joins = goal;
  if (numbers.gates) {
    if (routes::PlannedRoutePtr straight = repaired_by_gates(slot, *way_round)) way_round = std::move(straight);
  } else {
    const std::optional<ChainWord> own_class = class_ahead(slot, *route[slot], reference);
    const std::optional<ChainWord> other = class_ahead(slot, *way_round, 0);
    if (own_class && other && *own_class != *other)
      if (routes::PlannedRoutePtr tight = pulled_tight(slot, desk, *way_round, *other, numbers)) way_round = tight;
  }
  plan.route = std::move(way_round);
  return plan;
}

/// The same class of ways, as short as its corridor lets it be; nothing where that leads through a jam.
routes::PlannedRoutePtr Crowd::State::pulled_tight(Slot slot, Desk& desk, const routes::PlannedRoute& along,
                                                   std::span<const Index> chains, const DetourNumbers& numbers) const {
  const routes::RouteMaker& maker = methods->route[level(Level::route).method(slot)];
  const routes::RouteQuery query{.from = {position[slot], layer[slot]},
                                 .to = routes::unpacked(along).goal,
                                 .radius = widest_member(slot),
                                 .clearance = maker.clearance(level(Level::route).numbers(slot)),
                                 .method = routes::RouteMethod::shortest_in_corridor};
  if (desk.plan.planner.plan_along(query, chains, desk.found) != routes::NoRoute::found) return nullptr;
  JamSight sight = jam_sight(slot, numbers);
  if (jam_on(sight, desk.found, 0, desk.found.length, numbers.deadlock_length)) return nullptr;
  return routes::share(desk.found);
}

routes::PlannedRoutePtr Crowd::State::repaired_by_gates(Slot slot, const routes::PlannedRoute& along) const {
  const Route whole = routes::unpacked(along);
  std::vector<Vec2> path;
  const std::vector<Place> flat = whole.flatten(*world->mesh, 0.05);
  for (const Place& p : flat) path.push_back(p.point);
  const std::vector<Gate> gates = gates_near(*world->mesh, path, radius[slot]);
  const std::vector<Vec2> straight = repaired(path, gates, radius[slot]);
  if (straight == path) return nullptr;
  std::vector<Place> points;
  for (const Vec2 p : straight) points.push_back({p, layer[slot]});
  for (std::size_t i = 1; i < points.size(); ++i)
    if (!navmesh::visible(*world->mesh, points[i - 1], points[i], 0)) return nullptr;
  return routes::share(route_through(*world->mesh, points, whole.radius));
}

/// Back to the way that was left: its class from here, pulled tight.
Crowd::State::Plan Crowd::State::plan_back(Slot slot, Desk& desk) const {
  Plan plan;
  const DetourMind* mind = detour_mind(slot);
  if (mind == nullptr || !mind->is_away || !detours_round_jams(slot)) return plan;
  const std::optional<ChainWord> own_class = class_ahead(slot, *route[slot], memory[slot].reference);
  if (!own_class) return plan;
  const ChainWord left = routes::joined(*own_class, mind->way_left);
  plan.route = pulled_tight(slot, desk, *route[slot], left, detour_numbers(slot));
  plan.area = errand_of(slot).area;
  plan.target = target[slot];
  return plan;
}

// --- taking

bool Crowd::State::is_worth_going_back(const Thought& thought, Slot slot) const {
  const DetourMind* mind = detour_mind(slot);
  if (mind == nullptr || !mind->is_away || !detours_round_jams(slot)) return false;
  const double speed_there = std::max(0.1, traits[slot].speed);
  if (!is_saving(metres_left(slot) / speed_there, thought.route->way.length() / speed_there)) return false;
  const DetourNumbers numbers = detour_numbers(slot);
  JamSight sight = jam_sight(slot, numbers);
  const Route there = routes::unpacked(*thought.route);
  return !jam_on(sight, there, 0, there.length, numbers.deadlock_length);
}

/// Connected squares above a threshold; one object for all who ask in one step.
JamBlockPtr Crowd::State::block_around(const Square& square, double threshold) {
  if (detours->found_in != steps) detours->found.clear(), detours->found_in = steps;
  for (const Detours::Found& found : detours->found)
    if (found.threshold == threshold && found.block->holds(square)) return found.block;
  auto block = std::make_shared<JamBlock>();
  std::vector<Square> open{square};
  std::vector<Square>& all = block->squares;
  all.push_back(square);
  std::set<Square> met{square};
  while (!open.empty() && all.size() < most_squares) {
    const Square here = open.back();
    open.pop_back();
    for (const auto& [dx, dy] : {std::pair{1, 0}, std::pair{-1, 0}, std::pair{0, 1}, std::pair{0, -1}}) {
      const Square next{here.column + dx, here.row + dy, here.layer};
      if (!(detours->now.density(next) > threshold) || !met.insert(next).second) continue;
      all.push_back(next), open.push_back(next);
    }
  }
  std::ranges::sort(all);
  for (const Square& one : all) block->velocity = block->velocity + detours->now.velocity(one);
  block->velocity = block->velocity / double(all.size());
  block->seen = time();
  detours->found.push_back({threshold, block});
  return block;
}

/// Metres along a way at which it comes to a block's squares.
std::optional<double> Crowd::State::meets(const Route& along, double from, const JamBlock& block) const {
  double at = 0;
  const bool met = for_each_square_on(along, from, along.length, [&](const Square& square, Vec2, double there, double) {
    at = there;
    return block.holds(square);
  });
  return met ? std::optional(at) : std::nullopt;
}

/// Algorithm 4: seconds to the place of decision, past the remembered jam that lies on the way first.
double Crowd::State::time_by(Slot slot, const Route& along, double from, double place,
                             const DetourNumbers& numbers) const {
  const double own_speed = std::max(0.1, traits[slot].speed);
  const DetourMind* mind = detour_mind(slot);
  double first = routes::unreachable, time_there = std::max(0.0, place - from) / own_speed;
  if (mind == nullptr) return time_there;
  for (const DetourMind::Memory& memory_of : mind->memories) {
    const std::optional<double> met = meets(along, from, *memory_of.block);
    if (!met || *met >= first) continue;
    first = *met;
    const double fast = std::sqrt(squared_length(memory_of.block->velocity));
    const double forward = dot(memory_of.block->velocity, memory_of.last.point - memory_of.first.point);
    time_there = time_past_jam(place - from, *met - from, forward, fast, time() - memory_of.block->seen, own_speed,
                               numbers.gates);
  }
  return time_there;
}

DetourKind Crowd::State::judge_detour(const Thought& thought, Slot slot, const std::optional<ChainWord>& own_class,
                                      const std::optional<ChainWord>& other) {
  const DetourNumbers numbers = detour_numbers(slot);
  const Route old = routes::unpacked(*route[slot]), way_round = routes::unpacked(*thought.route);
  const double reference = memory[slot].reference;
  GateList own_gates, other_gates;
  std::vector<Gate> gates;
  if (numbers.gates) {
    std::vector<Vec2> own_path, other_path;
    for (const Place& p : old.stretch(reference, old.length).flatten(*world->mesh, 0.05)) own_path.push_back(p.point);
    for (const Place& p : way_round.flatten(*world->mesh, 0.05)) other_path.push_back(p.point);
    std::vector<Vec2> both = own_path;
    both.insert(both.end(), other_path.begin(), other_path.end());
    gates = gates_near(*world->mesh, both, radius[slot]);
    own_gates = gates_of(own_path, gates), other_gates = gates_of(other_path, gates);
  }
  const bool is_far = numbers.gates ? is_global(other_gates, own_gates) : own_class && other && *own_class != *other;
  if (!numbers.is_id3 || !is_far) return is_far ? DetourKind::global : DetourKind::local;
  DetourMind& mind = keep_detour_mind(slot);
  if (mind.is_committed) return DetourKind::nothing;
  std::optional<JamOnWay> jam = jam_seen(slot, numbers, reference);
  if (!jam) {
    JamSight sight = jam_sight(slot, numbers);
    jam = jam_on(sight, old, reference, std::min(old.length, reference + miranda_range), 0);
  }
  if (jam) {
    const routes::RoutePoint first = old.at(jam->first), last = old.at(jam->last);
    const Square square =
        fields::square_at({old.at(std::min(jam->first + 0.01, old.length)).point, first.layer}, fields::square_side);
    const JamBlockPtr block = block_around(square, numbers.threshold);
    std::erase_if(mind.memories, [&](const DetourMind::Memory& known) { return known.block->holds(square); });
    if (numbers.memories > 0 && mind.memories.size() >= numbers.memories) mind.memories.erase(mind.memories.begin());
    mind.memories.push_back({block, time(), place_of(first), place_of(last)});
    ++mind.blocks;
  }
  const bool meets_any = std::ranges::any_of(
      mind.memories, [&](const DetourMind::Memory& known) { return meets(way_round, 0, *known.block).has_value(); });
  if (!meets_any) return DetourKind::global;
  // Where both ways go on together.
  Place decision = way_round.goal;
  if (numbers.gates) {
    if (const Index gate = decision_gate(other_gates, own_gates); gate != none) {
      const auto found = std::ranges::find(gates, gate, &Gate::number);
      decision = {found->centre, layer[slot]};
    }
  } else if (own_class && other && !other->empty()) {
    std::size_t common = 0;
    while (common < other->size() && common < own_class->size() &&
           (*other)[other->size() - 1 - common] == (*own_class)[own_class->size() - 1 - common])
      ++common;
    const Index chain = common > 0 ? (*other)[other->size() - common] : other->back();
    const navmesh::Arc& arc = world->mesh->arc(routes::marker_of(*world->graph, chain / 2) / 2);
    decision.point = world->mesh->node(arc.from).point;
  }
  const routes::RoutePoint by_other = way_round.closest(decision.point),
                           by_own = old.closest(decision.point, reference);
  const double now = time_by(slot, old, reference, by_own.along, numbers);
  const double then = time_by(slot, way_round, 0, by_other.along, numbers);
  mind.is_committed = true;
  mind.committed_until = numbers.commitment > 0 ? time() + numbers.commitment : never;
  mind.decision = place_of(by_other);
  if (then < now) {
    mind.decision_left = way_round.length - by_other.along;
    return DetourKind::global;
  }
  mind.decision_left = old.length - by_own.along;
  return DetourKind::nothing;
}

void Crowd::State::has_detoured(Slot slot, DetourKind kind, const Place& joins,
                                const std::optional<ChainWord>& own_class, const std::optional<ChainWord>& other) {
  DetourMind& mind = keep_detour_mind(slot);
  mind.last = kind;
  mind.goal = errand_of(slot).goal;
  if (kind == DetourKind::back) {
    ++mind.back;
    mind.is_away = mind.is_committed = false;
    return mind.way_left.clear();
  }
  ++(kind == DetourKind::local ? mind.local : mind.global);
  mind.joins = joins;
  mind.is_away = joins.layer != none && own_class && other;
  if (!mind.is_away) return;
  const Route there = routes::unpacked(*route[slot]);
  mind.joins_left = there.length - there.closest(joins.point).along;
  mind.way_left = routes::joined(routes::reversed(*other), *own_class);
}

}  // namespace throng::crowd
