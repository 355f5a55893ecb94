// Jams foreseen while people walk: everybody's way is announced at the queues on it, renewed every 2 s at a turn of its own; who expects to wait has
// a second thought (docs/congestion.md).
//
// State of other people is read before anything is written: lists are made and times computed on all threads, announcements are changed by one, in
// order of serials. Answers are tested again one after the other, each against what those before it announced, so that best replies cannot chase
// each other.
#include <algorithm>
#include <cmath>

#include "crowd/jams.hpp"
#include "crowd/state.hpp"
#include "navmesh/visibility.hpp"
#include "routes/closed_ways.hpp"

namespace throng::crowd {

using second_thoughts::is_saving;

namespace {

/// Seconds between announcements.
constexpr double announce_every = 2;
/// An announcement that is wrong by no more stays.
constexpr std::int32_t seconds_off = 1;
/// Metres before a queue that are its head.
constexpr double head_of_queue = 1.5;
/// Metres a second: slower people are announced as if they walked so.
constexpr double least_speed = 0.1;
/// Metres within which a passage is seen, if nothing is in between.
constexpr double sight = 50;
/// Metres between looks where a way enters an area.
constexpr double entering_step = 0.25;
/// Bends of a way along a field that are looked at, and metres between two, at least.
constexpr int most_bends = 200;
constexpr double least_bend = 1e-4;

constexpr std::uint8_t ended = 1, stale = 2, passed = 4, has_turn = 8;

/// There is one way between the ends, over none of the chains: in halls round nothing it mostly is so.
bool meet_in_dead_end(const routes::ChainPlace& start, const routes::ChainPlace& goal) {
  return !start.way_out.empty() && !goal.way_out.empty() && start.way_out.back() == goal.way_out.back();
}

/// Passages of the direct way: those of the start's way out up to where it meets the goal's, then those of the goal's. `in` holds the latter by metres from
/// its chain on.
void take_direct_way(QueueCosts& costs, double way_out, double way_in, double length) {
  const double up = std::clamp((way_out + length - way_in) / 2, 0.0, length);
  std::erase_if(costs.out, [&](const PassageTable::At& at) { return at.along > up; });
  for (const PassageTable::At& at : costs.in)
    if (const double to_goal = way_in - at.along; to_goal < length - up)
      costs.out.push_back({length - to_goal, at.passage});
  costs.out_length = length;
}

std::uint64_t turns_of(double seconds, double dt) {
  return std::uint64_t(std::max(1.0, std::floor(seconds / dt + 0.5)));
}

}  // namespace

const CongestionMethod* Crowd::State::congestion_of(Slot slot) const {
  const agents::MethodNumber method = level(Level::congestion).method(slot);
  return method == LevelUse::off ? nullptr : &methods->congestion[method];
}

CongestionKind Crowd::State::congestion_kind(Slot slot) const {
  const CongestionMethod* method = congestion_of(slot);
  return method == nullptr ? CongestionKind::detector : method->kind();
}

Journey* Crowd::State::journey_of(Slot slot) const { return jams ? (*jams->journeys)[slot].get() : nullptr; }

void Crowd::State::keep_jams() {
  if (jams) return;
  jams = std::make_unique<Jams>(*world, areas);
  jams->queues.begin_second(std::int64_t(time()));
  agents::Codec<std::unique_ptr<Journey>> codec;
  codec.save = [this](geometry::ArchiveWriter& out, const std::unique_ptr<Journey>& own, Slot slot) {
    out.put(std::uint8_t(own ? 1 : 0));
    if (!own) return;
    out.put(std::uint8_t(own->of == route[slot] && own->field == field[slot] ? 1 : 0));
    out.put_list(own->visits, [&](const Visit& v) { out.put(v.queue), out.put(v.along), out.put(v.second); });
    out.put_list(own->chains, [&](const ChainVisit& v) { out.put(v.via), out.put(v.along); });
    out.put_list(own->seen, [&](const Journey::Seen& s) { out.put(s.passage), out.put(s.at); });
    out.put(own->next), out.put(own->head_since), out.put(std::uint8_t(own->is_detour ? 1 : 0));
  };
  codec.load = [this](geometry::ArchiveReader& in, std::unique_ptr<Journey>& own, Slot slot) {
    if (in.get<std::uint8_t>() == 0) return;
    own = std::make_unique<Journey>();
    const bool is_fresh = in.get<std::uint8_t>() != 0;
    bool sound = true;
    in.get_list(own->visits, 12, [&] {
      Visit v;
      in.get(v.queue), in.get(v.along), in.get(v.second);
      sound = sound && v.queue < jams->queues.size() && std::isfinite(v.along) && v.second >= -1;
      return v;
    });
    in.get_list(own->chains, 8, [&] {
      ChainVisit v;
      in.get(v.via), in.get(v.along);
      sound = sound && v.via / 2 < world->graph->chains().size();
      return v;
    });
    in.get_list(own->seen, 8, [&] {
      Journey::Seen s;
      in.get(s.passage), in.get(s.at);
      return s;
    });
    in.get(own->next), in.get(own->head_since), own->is_detour = in.get<std::uint8_t>() != 0;
    if (!sound || own->next > own->visits.size()) in.fail();
    if (is_fresh) own->of = route[slot], own->field = field[slot];
  };
  jams->journeys = std::make_unique<Jams::JourneyColumn>(store, "journey", agents::Lives::agent, true,
                                                         std::unique_ptr<Journey>(), std::move(codec));
}

void Crowd::State::keep_marks() {
  if (jams->marks) return;
  agents::Codec<EdgeMark> codec;
  codec.save = [](geometry::ArchiveWriter& out, const EdgeMark& m, Slot) {
    out.put(m.who.cell), out.put(m.who.area), out.put(m.who.velocity_x), out.put(m.who.velocity_y);
  };
  codec.load = [this](geometry::ArchiveReader& in, EdgeMark& m, Slot) {
    in.get(m.who.cell), in.get(m.who.area), in.get(m.who.velocity_x), in.get(m.who.velocity_y);
    if (m.who.cell != none && m.who.cell >= world->mesh->cell_count()) in.fail();
  };
  jams->marks =
      std::make_unique<Jams::MarkColumn>(store, "edge mark", agents::Lives::agent, true, EdgeMark(), std::move(codec));
  jams->edges = std::make_unique<fields::EdgeOccupancy>(*world->mesh);
}

/// What people announced is in their columns; everybody's are there.
void Crowd::State::announce_loaded() {
  if (!jams) return;
  for (const Slot slot : order) {
    if (const Journey* own = journey_of(slot))
      for (std::size_t i = own->next; i < own->visits.size(); ++i)
        jams->queues.announce_again(own->visits[i].queue, own->visits[i].second);
    if (jams->marks && (*jams->marks)[slot].who.cell != none) jams->edges->add((*jams->marks)[slot].who);
  }
}

void Crowd::State::end_journey(Slot slot, bool has_arrived) {
  Journey* own = journey_of(slot);
  if (own == nullptr) return;
  for (std::size_t i = own->next; i < own->visits.size(); ++i) {
    jams->queues.withdraw(own->visits[i].queue, own->visits[i].second);
    if (has_arrived) jams->queues.pass(own->visits[i].queue);
  }
  own->visits.clear(), own->chains.clear();
  own->next = 0, own->head_since = -1;
  own->of = nullptr, own->field = nullptr;
}

void Crowd::State::leave_jams(Slot slot) {
  if (!jams) return;
  end_journey(slot, activity[slot] == Activity::arrived);
  if (!jams->marks) return;
  EdgeMark& mark = (*jams->marks)[slot];
  if (mark.who.cell != none) jams->edges->remove(mark.who);
  mark = {};
}

std::vector<Visit> Crowd::State::visits_of(const routes::PlannedRoute& along, Index area) const {
  const routes::Route whole = routes::unpacked(along);
  std::vector<Visit> found;
  double from = 0;
  if (const std::optional<routes::AxisTrace> trace = routes::trace_of(*world->mesh, whole))
    for (const Index directed : routes::passages_of(*world->graph, *trace)) {
      from = whole.closest(world->mesh->passage(directed / 2).point, from).along;
      found.push_back({directed / 2, float(from)});
    }
  if (area != none) {
    double enters = whole.length;
    for (; enters - entering_step > from; enters -= entering_step) {
      const routes::RoutePoint before = whole.at(enters - entering_step);
      if (!areas[area].contains({before.point, before.layer})) break;
    }
    found.push_back({Jams::queue_of_area(*world, area), float(enters)});
  }
  found.shrink_to_fit();
  return found;
}

/// Where the field leads, straight from bend to bend. Metres are counted backwards from the goal.
std::vector<Visit> Crowd::State::visits_along(const routes::FlowField& along, Slot slot, Index area) const {
  const navmesh::Mesh& mesh = *world->mesh;
  routes::Route straight;
  routes::RouteBuilder builder(straight);
  navmesh::Place at{position[slot], layer[slot]};
  straight.start = at, straight.generation = mesh.generation;
  Index in = cell[slot];
  for (int bend = 0; bend < most_bends; ++bend) {
    const routes::FlowField::Answer answer = along.ask(at.point, in);
    if (!answer.reachable() || answer.distance <= 0) break;
    const navmesh::Hit hit = navmesh::first_hit(mesh, at, answer.next, in);
    if (hit.cell == none || squared_length(hit.point - at.point) < least_bend * least_bend) break;
    builder.line(at.point, hit.point, at.layer);
    at = {hit.point, hit.layer}, in = hit.cell;
  }
  straight.goal = at;
  std::vector<Visit> found;
  if (!straight.pieces.empty()) {
    routes::split_at_connections(mesh, straight);
    found = visits_of(*routes::share(straight), none);
    for (Visit& visit : found) visit.along -= float(straight.length);
  }
  found.push_back({Jams::queue_of_area(*world, area), 0});
  return found;
}

std::vector<ChainVisit> Crowd::State::chains_of(const routes::PlannedRoute& along) const {
  const routes::Route whole = routes::unpacked(along);
  std::vector<ChainVisit> found;
  const std::optional<routes::AxisTrace> trace = routes::trace_of(*world->mesh, whole);
  if (!trace) return found;
  double from = 0;
  for (const Index via : routes::class_of(*world->graph, *trace)) {
    const navmesh::Arc& arc = world->mesh->arc(routes::marker_of(*world->graph, via / 2) / 2);
    from = whole.closest(world->mesh->node(arc.from).point, from).along;
    found.push_back({via, float(from)});
  }
  found.shrink_to_fit();
  return found;
}

/// Made anew for the way it has now; nothing is announced yet.
void Crowd::State::make_journey(Slot slot, bool is_detour) {
  std::unique_ptr<Journey>& own = (*jams->journeys)[slot];
  if (!own) own = std::make_unique<Journey>();
  own->of = route[slot], own->field = field[slot];
  own->next = 0, own->head_since = -1, own->is_detour = is_detour;
  const Index area = errand_of(slot).area;
  if (field[slot])
    own->visits = area == none ? std::vector<Visit>() : visits_along(*field[slot], slot, area);
  else
    own->visits = visits_of(*route[slot], area);
  own->chains = congestion_kind(slot) == CongestionKind::density && route[slot] ? chains_of(*route[slot])
                                                                                : std::vector<ChainVisit>();
}

double Crowd::State::metres_along(Slot slot) const {
  return field[slot] ? -memory[slot].attraction : memory[slot].reference;
}

QueueCosts Crowd::State::queue_costs(Slot slot) const {
  const CongestionMethod* method = congestion_of(slot);
  const bool seen_only = method != nullptr && method->kind() == CongestionKind::quickest &&
                         CongestionMethod::seen_only(level(Level::congestion).numbers(slot));
  return {.graph = *world->graph,
          .passages = jams->passages,
          .queues = jams->queues,
          .own = journey_of(slot),
          .seen_only = seen_only,
          .now = time(),
          .speed = std::max(least_speed, traits[slot].speed),
          .out = {},
          .in = {}};
}

/// From a place along a way, over the queues on it, to its end.
Crowd::State::Expected Crowd::State::expected_on(Slot slot, std::span<const Visit> visits, double along, double end,
                                                 double stood) const {
  const QueueCosts costs = queue_costs(slot);
  Expected expected{std::max(0.0, end - along) / costs.speed, 0};
  double now = costs.now, at = along;
  for (const Visit& visit : visits) {
    const double there = std::max(at, double(visit.along));
    now += (there - at) / costs.speed;
    const double through = std::max(costs.leaving(visit.queue, now), costs.now + stood);
    expected.waiting += through - now;
    now = through, at = there, stood = 0;
  }
  return expected;
}

/// Who has stood for some time at the head of a queue expects to stand as long again.
Crowd::State::Expected Crowd::State::expected_time(Slot slot) const {
  const Journey& own = *journey_of(slot);
  const double end = field[slot] ? 0 : route[slot]->way.length();
  const double stood = own.head_since >= 0 ? time() - double(own.head_since) : 0;
  return expected_on(slot, std::span(own.visits).subspan(own.next), metres_along(slot), end, stood);
}

/// In which second it gets to each queue, by its own speed and the waiting before.
void Crowd::State::list_seconds(Slot slot, std::span<std::int32_t> at_seconds) const {
  const Journey& own = *journey_of(slot);
  const QueueCosts costs = queue_costs(slot);
  double now = costs.now, at = metres_along(slot);
  for (std::size_t i = own.next; i < own.visits.size(); ++i) {
    const Visit& visit = own.visits[i];
    const double there = std::max(at, double(visit.along));
    now += (there - at) / costs.speed;
    at_seconds[i - own.next] = std::int32_t(std::min(std::floor(now), 2e9));
    now = jams->queues.leaving(visit.queue, now, visit.second);
    at = there;
  }
}

void Crowd::State::announce(Slot slot, std::span<const std::int32_t> at_seconds) {
  Journey& own = *journey_of(slot);
  for (std::size_t i = own.next; i < own.visits.size(); ++i) {
    Visit& visit = own.visits[i];
    const std::int32_t second = at_seconds[i - own.next];
    const bool is_there = visit.second != std::int32_t(Queues::not_announced);
    if (is_there && std::abs(second - visit.second) <= seconds_off) continue;
    jams->queues.withdraw(visit.queue, visit.second);
    visit.second = std::int32_t(jams->queues.announce(visit.queue, second));
  }
  const bool is_at_head =
      own.next < own.visits.size() && double(own.visits[own.next].along) - metres_along(slot) <= head_of_queue;
  if (!is_at_head)
    own.head_since = -1;
  else if (own.head_since < 0)
    own.head_since = float(time());
}

/// At once, for who just took another way: those after it in this step go by it.
void Crowd::State::announce_anew(Slot slot, bool is_detour) {
  if (!jams || activity[slot] != Activity::walking) return;
  end_journey(slot, false);
  make_journey(slot, is_detour);
  std::vector<std::int32_t> at_seconds(journey_of(slot)->visits.size());
  list_seconds(slot, at_seconds);
  announce(slot, at_seconds);
}

/// What is passed by now.
void Crowd::State::pass_queues(Slot slot) {
  Journey& own = *journey_of(slot);
  const double at = metres_along(slot);
  for (; own.next < own.visits.size() && at >= double(own.visits[own.next].along); ++own.next) {
    jams->queues.withdraw(own.visits[own.next].queue, own.visits[own.next].second);
    jams->queues.pass(own.visits[own.next].queue);
    own.head_since = -1;
  }
}

void Crowd::State::see_passages(Slot slot) {
  const navmesh::Mesh& mesh = *world->mesh;
  const navmesh::Standpoint eye{{position[slot], layer[slot]}, cell[slot], clearance[slot]};
  std::vector<Journey::Seen>& seen = journey_of(slot)->seen;
  const auto now = float(time());
  std::erase_if(seen, [&](const Journey::Seen& s) { return now - s.at > 60; });
  const auto look = [&](const navmesh::Place& place, Index queue) {
    if (squared_length(place.point - eye.place.point) > sight * sight) return;
    if (!navmesh::visible_from(mesh, eye, place, 0)) return;
    const auto known = std::ranges::find(seen, queue, &Journey::Seen::passage);
    if (known != seen.end())
      known->at = now;
    else
      seen.push_back({queue, now});
  };
  for (Index i = 0; i < mesh.passage_count(); ++i) {
    const navmesh::Passage& passage = mesh.passage(i);
    look({passage.point, navmesh::layer_at(mesh, 2 * passage.arc, passage.point)}, i);
  }
  for (Index area = 0; area < areas.size(); ++area)
    look(areas[area].sample(0.5, 0.5, 0.5), Jams::queue_of_area(*world, area));
}

void Crowd::State::foresee(double dt) {
  jams->queues.begin_second(std::int64_t(time()));
  const std::uint64_t turns = turns_of(announce_every, dt);
  for_everybody([&](Slot slot) {
    const Journey* own = (*jams->journeys)[slot].get();
    due[slot] = 0;
    if (activity[slot] != Activity::walking) {
      due[slot] = own != nullptr && !own->visits.empty() ? ended : 0;
    } else if (own == nullptr || own->of != route[slot] || own->field != field[slot]) {
      due[slot] = stale | has_turn;
    } else {
      if (own->next < own->visits.size() && metres_along(slot) >= double(own->visits[own->next].along))
        due[slot] |= passed;
      if ((steps + serial[slot]) % turns == 0) due[slot] |= has_turn;
    }
  });
  const std::span<const Slot> now = flagged(due);
  const auto is = [&](Slot slot, std::uint8_t what) { return (due[slot] & what) != 0; };
  for (const Slot slot : now)
    if (is(slot, ended | stale))
      end_journey(slot, activity[slot] == Activity::arrived || activity[slot] == Activity::waiting);
  const auto in_parallel = [&](const auto& work) {
    executor.for_chunks(now.size(), 8, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) work(i, now[i]);
    });
  };
  in_parallel([&](std::size_t, Slot slot) {
    if (is(slot, stale)) make_journey(slot, goal_of(slot).quickest);
  });
  std::vector<std::size_t> first(now.size() + 1, 0);
  for (std::size_t i = 0; i < now.size(); ++i) {
    const Slot slot = now[i];
    if (is(slot, passed)) pass_queues(slot);
    const Journey* own = journey_of(slot);
    first[i + 1] = first[i] + (is(slot, has_turn) && own != nullptr ? own->visits.size() - own->next : 0);
  }
  std::vector<std::int32_t> at_seconds(first.back());
  const auto seconds_of_one = [&](std::size_t i) {
    return std::span(at_seconds).subspan(first[i], first[i + 1] - first[i]);
  };
  in_parallel([&](std::size_t i, Slot slot) {
    if (!is(slot, has_turn)) return;
    list_seconds(slot, seconds_of_one(i));
    const CongestionMethod* method = congestion_of(slot);
    if (method != nullptr && method->kind() == CongestionKind::quickest &&
        CongestionMethod::seen_only(level(Level::congestion).numbers(slot)))
      see_passages(slot);
  });
  for (std::size_t i = 0; i < now.size(); ++i)
    if (is(now[i], has_turn)) announce(now[i], seconds_of_one(i));
  mark_edges(dt);
  ask_about_jams(dt);
}

void Crowd::State::mark_edges(double dt) {
  const bool any =
      std::ranges::any_of(order, [&](Slot slot) { return congestion_kind(slot) == CongestionKind::density; });
  if (!any) return jams->marks.reset(), jams->edges.reset();
  keep_marks();
  const std::uint64_t turns = turns_of(announce_every, dt);
  for (const Slot slot : order) {
    EdgeMark& mark = (*jams->marks)[slot];
    if (mark.who.cell != none && (steps + serial[slot]) % turns != 0) continue;
    if (mark.who.cell != none) jams->edges->remove(mark.who);
    const auto in_millimetres = [](double v) { return std::int32_t(std::floor(v * 1000 + 0.5)); };
    mark.who = {cell[slot], fields::covered_by(radius[slot]), in_millimetres(velocity[slot].x),
                in_millimetres(velocity[slot].y)};
    jams->edges->add(mark.who);
  }
}

/// Those whose turn it is, and who expect to wait.
void Crowd::State::ask_about_jams(double dt) {
  for_everybody([&](Slot slot) {
    due[slot] = 0;
    const CongestionMethod* method = congestion_of(slot);
    if (method == nullptr || method->kind() == CongestionKind::detector || activity[slot] != Activity::walking) return;
    const double every = CongestionMethod::every(level(Level::congestion).numbers(slot));
    if (every <= 0 || (steps + serial[slot]) % turns_of(every, dt) != 0) return;
    due[slot] = has_to_wait(slot) ? 1 : 0;
  });
  const std::span<const Slot> flagged_now = flagged(due);
  const std::vector<Slot> asking(flagged_now.begin(), flagged_now.end());
  for (const Slot slot : asking) {
    const bool by_queues = congestion_kind(slot) == CongestionKind::quickest;
    if (field[slot])
      choose_field_again(slot);
    else
      reconsider(slot, by_queues ? Reason::queues : Reason::density);
  }
}

bool Crowd::State::has_to_wait(Slot slot) const {
  const Journey* own = journey_of(slot);
  if (own == nullptr) return false;
  if (own->is_detour) return true;
  const Expected expected =
      congestion_kind(slot) == CongestionKind::quickest ? expected_time(slot) : expected_in_density(slot);
  return is_saving(expected.walking + expected.waiting, expected.walking);
}

DensityCosts Crowd::State::density_costs(Slot slot) const {
  return {*world->graph, *jams->edges, (*jams->marks)[slot].who, std::max(least_speed, traits[slot].speed)};
}

/// Longer than walking freely by what the chains ahead take longer.
Crowd::State::Expected Crowd::State::expected_on_chains(Slot slot, std::span<const ChainVisit> chains, double along,
                                                        double end) const {
  const DensityCosts costs = density_costs(slot);
  Expected expected{std::max(0.0, end - along) / costs.speed, 0};
  for (const ChainVisit& visit : chains) {
    if (double(visit.along) < along) continue;
    const double length = world->graph->chains()[visit.via / 2].length;
    expected.waiting += costs.stretch(visit.via, 0, length, 0) - length / costs.speed;
  }
  return expected;
}

Crowd::State::Expected Crowd::State::expected_in_density(Slot slot) const {
  if (!jams->marks || !route[slot]) return {};
  return expected_on_chains(slot, journey_of(slot)->chains, metres_along(slot), route[slot]->way.length());
}

/// Its own area, or all of a goal whose exits are chosen by time.
std::vector<Index> Crowd::State::areas_to_choose(Slot slot) const {
  const goals::Goal& goal = goal_of(slot);
  const Index area = errand_of(slot).area;
  if (goal.quickest || area == none) return goal.areas;
  return {area};
}

std::vector<routes::ClosedPlace> Crowd::State::closed_places(Slot slot) const {
  std::vector<routes::ClosedPlace> closed;
  for (const SecondThoughts::Closed& place : closed_for(slot)) closed.push_back({place.edge, place.along});
  return closed;
}

Crowd::State::Plan Crowd::State::plan_by_queues(Slot slot, Desk& desk) const {
  if (!jams) return {};
  const routes::ClosedWays ways(*world->graph, closed_places(slot));
  QueueCosts costs = queue_costs(slot);
  return plan_by_ways(slot, desk, areas_to_choose(slot),
                      [&](const routes::OnAxis& from, const routes::OnAxis& to, double wide, Index area,
                          routes::AxisPath& path, std::size_t& expansions) {
                        const routes::ChainPlace start = routes::place_on_chains(*world->graph, from);
                        const routes::ChainPlace goal = routes::place_on_chains(*world->graph, to);
                        costs.out = jams->passages.on_way_out(*world->graph, from, start);
                        costs.out_length = start.way_out_length;
                        costs.in = jams->passages.on_way_out(*world->graph, to, goal);
                        std::ranges::reverse(costs.in);
                        for (PassageTable::At& at : costs.in) at.along = goal.way_out_length - at.along;
                        double cost = ways.find(from, to, wide, costs, options.second_thought_budget, path, expansions);
                        if (cost < routes::unreachable && meet_in_dead_end(start, goal)) {
                          take_direct_way(costs, start.way_out_length, goal.way_out_length, path.length);
                          cost = costs.dead_end(path.length, 0);
                        }
                        if (area == none || !(cost < routes::unreachable)) return cost;
                        return costs.leaving(Jams::queue_of_area(*world, area), costs.now + cost) - costs.now;
                      });
}

Crowd::State::Plan Crowd::State::plan_by_density(Slot slot, Desk& desk, std::span<const Index> to) const {
  const routes::ClosedWays ways(*world->graph, closed_places(slot));
  const DensityCosts costs = density_costs(slot);
  return plan_by_ways(slot, desk, to,
                      [&](const routes::OnAxis& from, const routes::OnAxis& goal, double wide, Index,
                          routes::AxisPath& path, std::size_t& expansions) {
                        return ways.find(from, goal, wide, costs, options.second_thought_budget, path, expansions);
                      });
}

bool Crowd::State::saves_time(const Thought& thought, Slot slot) const {
  if (!jams || journey_of(slot) == nullptr) return false;
  const routes::PlannedRoute& other = *thought.route;
  const double end = other.way.length();
  const double along = std::min(end, distance(position[slot], other.way.start().point));
  const bool by_queues = thought.request.reason == Reason::queues;
  if (!by_queues && !jams->marks) return false;
  const Expected own = by_queues ? expected_time(slot) : expected_in_density(slot);
  const Expected there = by_queues ? expected_on(slot, visits_of(other, thought.area), along, end, 0)
                                   : expected_on_chains(slot, chains_of(other), 0, end);
  return is_saving(own.walking + own.waiting, there.walking + there.waiting);
}

/// Of ways to several exits the one that takes least time as announced by now.
void Crowd::State::choose_exit(Slot slot, Plan& plan) const {
  if (!jams || plan.choices.empty()) return;
  double least = routes::unreachable;
  for (Choice& choice : plan.choices) {
    const double end = choice.route ? choice.route->way.length() : 0;
    const Expected expected = expected_on(slot, choice.visits, choice.route ? 0 : -choice.distance, end, 0);
    const double cost = expected.walking + expected.waiting;
    if (!(cost < least)) continue;
    least = cost;
    plan.route = choice.route, plan.field = choice.field, plan.distance = choice.distance;
    plan.area = choice.area, plan.target = choice.target;
  }
}

/// Who walks along a field has one for each exit, and changes it without a search.
void Crowd::State::choose_field_again(Slot slot) {
  if (!goal_of(slot).quickest || !leads(slot) || !journey_of(slot)) return;
  SecondThoughts& own = thoughts_of(slot);
  if (own.rests(Reason::queues, time(), progress_of(slot))) return;
  make_fields({&slot, 1});
  const Index area = errand_of(slot).area;
  const Expected now = expected_time(slot);
  const double as_now = now.walking + now.waiting;
  Plan plan;
  double least = as_now;
  for (const Index other : goal_of(slot).areas) {
    if (other == area) continue;
    Choice choice = choice_along_field(slot, other);
    // Not worth a closer look where even walking freely takes as long.
    if (!choice.field || !is_saving(as_now, choice.distance / std::max(least_speed, traits[slot].speed))) continue;
    const Expected there = expected_on(slot, visits_along(*choice.field, slot, other), -choice.distance, 0, 0);
    const double cost = there.walking + there.waiting;
    if (!is_saving(as_now, cost) || !(cost < least)) continue;
    least = cost;
    plan = {.field = choice.field, .distance = choice.distance, .area = other, .target = choice.target};
  }
  if (!plan.field || !own.may_take({}, {}, plan.area, time(), false))
    return own.was_fruitless(Reason::queues, time(), progress_of(slot));
  take_together(slot, plan);
  own.has_taken(Reason::queues, time(), {}, area, {}, plan.area);
  for_members(slot, [&](Slot member) {
    if (activity[member] == Activity::walking) note_change(member, Reason::queues, area);
  });
  for_members(slot, [&](Slot member) { announce_anew(member, true); });
}

}  // namespace throng::crowd
