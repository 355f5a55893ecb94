// Who is stuck, and what they do: a gap between those who stand, another way round, or a rest (docs/congestion.md).
#include <algorithm>
#include <cmath>

#include "crowd/crowd_lines.hpp"
#include "crowd/gap_search.hpp"
#include "crowd/state.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"
#include "routes/chain_search.hpp"
#include "routes/closed_ways.hpp"

namespace throng::crowd {

using routes::ChainWord;

namespace {

/// Metres a second: who is slower stands.
constexpr double standing_speed = 0.1;
/// Metres ahead, along the way, where one looks for what one is blocked by; where nobody is seen to be, it is so far ahead.
constexpr double block_range = 3, block_step = 0.2, usual_block = 1;
/// Times the usual reach in which those look for a way round who found neither a gap nor another way before.
constexpr double wide_search = 2;
/// Square metres: goals as near to each other as this, by their squared distance, are one.
constexpr double same_goal2 = 4;
/// Seconds for which a way is closed that somebody was stuck on.
constexpr double closed_time = 30;
/// The detector of those who have none of their own: others want to know whether they move.
constexpr double usual_patience = 4;

bool is_one_goal(Index area, const navmesh::Place& place, Index other_area, const navmesh::Place& other) {
  if (area != none || other_area != none) return area == other_area;
  return place.layer == other.layer && squared_length(place.point - other.point) < same_goal2;
}

}  // namespace

double Crowd::State::patience_of(Slot slot) const {
  const LevelUse& use = level(Level::congestion);
  return use.method(slot) == LevelUse::off ? 0 : CongestionMethod::patience(use.numbers(slot));
}

/// Once everybody's place is known, before anybody walks.
void Crowd::State::sense(double dt) {
  const bool is_used = level(Level::congestion).is_used();
  if (is_used || level(Level::decide).is_used())
    run_stuck_clocks(dt);
  else
    stuck_clocks.reset();
  const auto foresees = [&](Slot slot) { return congestion_kind(slot) != CongestionKind::detector; };
  if (is_used && !jams && std::ranges::any_of(order, foresees)) keep_jams();
  if (jams) foresee(dt);
  if (is_used && !crowd_lines) crowd_lines = std::make_unique<CrowdLines>(*this);
  if (is_used)
    keep_fields(dt);
  else
    detours.reset(), crowd_lines.reset();
}

void Crowd::State::keep_stuck_clocks() {
  if (stuck_clocks) return;
  agents::Codec<StuckClock> codec;
  codec.save = [](geometry::ArchiveWriter& out, const StuckClock& c, Slot) {
    out.put(c.mark), out.put(c.mark_age), out.put(c.age), out.put(c.left), out.put(c.look_in), out.put(c.stuck_time);
    out.put(c.gap_left);
    out.put(c.runs), out.put(c.has_moved), out.put(c.is_stuck);
  };
  codec.load = [](geometry::ArchiveReader& in, StuckClock& c, Slot) {
    in.get(c.mark), in.get(c.mark_age), in.get(c.age), in.get(c.left), in.get(c.look_in), in.get(c.stuck_time);
    in.get(c.gap_left);
    in.get(c.runs), in.get(c.has_moved), in.get(c.is_stuck);
    const double sum =
        c.mark.x + c.mark.y + double(c.mark_age) + double(c.age) + double(c.look_in) + double(c.gap_left);
    if (!std::isfinite(sum) || c.runs > 1 || c.has_moved > 1 || c.is_stuck > 1) in.fail();
  };
  stuck_clocks = std::make_unique<agents::Column<StuckClock>>(store, "stuck clock", agents::Lives::agent, true,
                                                              StuckClock(), std::move(codec));
}

void Crowd::State::run_stuck_clocks(double dt) {
  const auto clock_of = [&](Slot slot) {
    const double patience = patience_of(slot);
    return patience > 0 ? patience : patience_of_strategy(slot);
  };
  const bool any = std::ranges::any_of(order, [&](Slot slot) { return clock_of(slot) > 0; });
  if (!any) return stuck_clocks.reset();
  keep_stuck_clocks();
  for_everybody([&](Slot slot) {
    StuckClock& ticking = (*stuck_clocks)[slot];
    due[slot] = 0;
    if (activity[slot] != Activity::walking) return ticking.stop();
    const double patience = clock_of(slot);
    const bool looks =
        ticking.tick(position[slot], metres_left(slot), speed[slot], patience > 0 ? patience : usual_patience, dt);
    due[slot] = looks && patience > 0 ? 1 : 0;
  });
  const std::span<const Slot> blocked = flagged(due);
  executor.for_chunks(blocked.size(), chunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) due[blocked[i]] = stands_in_moving_queue(blocked[i]) ? 0 : 1;
  });
  for (const Slot slot : blocked) {
    (*stuck_clocks)[slot].is_stuck = due[slot];
    // Of a strategy the stage `decide` asks.
    if (due[slot] != 0 && patience_of(slot) > 0) reconsider(slot, Reason::stuck);
  }
}

bool Crowd::State::stands_in_moving_queue(Slot slot) const {
  const Vec2 here = position[slot], way_on = preferred[slot];
  bool moves = false;
  // At the side of a door those who go through it go across one's own way.
  const auto goes_there_too = [&](Slot other) {
    return is_one_goal(errand_of(slot).area, target[slot], errand_of(other).area, target[other]) &&
           metres_left(other) < metres_left(slot);
  };
  perception.for_each_within(here, StuckClock::ahead, [&](Slot other) {
    if (moves || other == slot || activity[other] != Activity::walking) return;
    const Vec2 offset = position[other] - here;
    if (dot(offset, way_on) <= 0 || (dot(preferred[other], way_on) <= 0 && !goes_there_too(other))) return;
    const StuckClock& theirs = (*stuck_clocks)[other];
    // Who stands in a queue that moves makes one for those behind: only for those, so that no two wait for each other's verdict.
    const bool is_before = theirs.is_stuck == 0 && metres_left(other) < metres_left(slot) - StuckClock::before;
    if (!theirs.moves(position[other]) && !is_before) return;
    moves = navmesh::visible(*world->mesh, {here, layer[slot]}, {position[other], layer[other]}, 0, cell[slot]);
  });
  return moves;
}

bool Crowd::State::stands_still(Slot slot) const {
  if (squared_length(velocity[slot]) > standing_speed * standing_speed) return false;
  return activity[slot] != Activity::walking || !stuck_clocks || !(*stuck_clocks)[slot].moves(position[slot]);
}

std::optional<SecondThoughts::Closed> Crowd::State::block_ahead(Slot slot) const {
  const routes::Route whole = routes::unpacked(*route[slot]);
  const double from = memory[slot].reference;
  double ahead = std::min(usual_block, whole.length - from);
  for (double along = radius[slot]; along <= block_range; along += block_step) {
    const routes::RoutePoint there = whole.at(from + along);
    bool taken = false;
    perception.for_each_within(there.point, radius[slot] + widest, [&](Slot other) {
      const double apart = radius[slot] + radius[other];
      taken = taken || (other != slot && layer[other] == there.layer && stands_still(other) &&
                        squared_length(position[other] - there.point) < apart * apart);
    });
    if (!taken) continue;
    ahead = std::min(along, whole.length - from);
    break;
  }
  const routes::RoutePoint there = whole.at(from + ahead);
  const std::optional<navmesh::Retraction> at = navmesh::retract(*world->mesh, {there.point, there.layer});
  if (!at) return std::nullopt;
  return SecondThoughts::Closed{at->edge, routes::position_on_edge(*world->graph, {at->point, at->arc}),
                                time() + closed_time};
}

std::vector<SecondThoughts::Closed> Crowd::State::closed_for(Slot slot) const {
  std::vector<SecondThoughts::Closed> closed;
  if (const SecondThoughts* own = known_thoughts_of(slot))
    for (const SecondThoughts::Closed& place : own->closed())
      if (place.until > time()) closed.push_back(place);
  return closed;
}

/// A gap between those who stand; or another way, this one closed where one is blocked, or else at the next chain of it.
Crowd::State::Plan Crowd::State::plan_out_of_jam(Slot slot, Desk& desk, SecondThoughts::Closed& closes) const {
  if (WayThroughGap through = way_through_gap(slot); through.route)
    return {.route = std::move(through.route),
            .area = errand_of(slot).area,
            .target = target[slot],
            .gap_left = through.gap_left};
  const std::optional<SecondThoughts::Closed> block = block_ahead(slot);
  if (!block) return {};
  const std::optional<ChainWord> own_class = class_ahead(slot, *route[slot], memory[slot].reference);
  std::vector<SecondThoughts::Closed> tries{*block};
  if (own_class && !own_class->empty()) {
    const Index marker = routes::marker_of(*world->graph, own_class->front() / 2) / 2;
    const navmesh::Arc& arc = world->mesh->arc(marker);
    tries.push_back({arc.edge, world->graph->arc_offset(marker), time() + closed_time});
  }
  for (const SecondThoughts::Closed& place : tries) {
    std::vector<routes::ClosedPlace> closed;
    for (const SecondThoughts::Closed& known : closed_for(slot)) closed.push_back({known.edge, known.along});
    closed.push_back({place.edge, place.along});
    const routes::ClosedWays ways(*world->graph, closed);
    Plan plan = plan_by_ways(slot, desk, goal_of(slot).areas,
                             [&](const routes::OnAxis& from, const routes::OnAxis& to, double wide, Index,
                                 routes::AxisPath& path, std::size_t& expansions) {
                               return ways.find(from, to, wide, options.second_thought_budget, path, expansions);
                             });
    if (!plan.route) continue;
    const std::optional<ChainWord> other = class_ahead(slot, *plan.route, 0);
    if (plan.area == errand_of(slot).area && own_class && other && *own_class == *other) continue;
    closes = place;
    return plan;
  }
  return {};
}

/// Through those who stand around, by straight lines, to where the way goes on behind them.
Crowd::State::WayThroughGap Crowd::State::way_through_gap(Slot slot) const {
  // Who searched in vain before looks farther.
  const SecondThoughts* own = known_thoughts_of(slot);
  const bool in_vain = own != nullptr && own->searches() > own->changes();
  GapSearch search(*world->mesh, {{position[slot], layer[slot]}, cell[slot], clearance[slot]}, radius[slot],
                   in_vain ? wide_search : 1);
  bool any = false;
  perception.for_each_within(position[slot], search.reach() + radius[slot] + widest, [&](Slot other) {
    if (other == slot || layer[other] != layer[slot] || !stands_still(other)) return;
    // Those who wait to go where it goes are its queue: nobody walks round them.
    if (activity[other] == Activity::walking && route[other] &&
        is_one_goal(errand_of(slot).area, target[slot], errand_of(other).area, target[other]))
      return;
    any = true;
    search.add_standing(position[other], radius[other]);
  });
  if (!any) return {};
  const routes::Route whole = routes::unpacked(*route[slot]);
  const std::optional<GapSearch::Way> found = search.find(whole, memory[slot].reference);
  if (!found) return {};
  routes::Route first;
  routes::RouteBuilder builder(first);
  for (std::size_t i = 1; i < found->points.size(); ++i)
    builder.line(found->points[i - 1], found->points[i], layer[slot]);
  if (first.pieces.empty()) return {};
  first.radius = std::min(whole.radius, radius[slot]), first.generation = whole.generation;
  first.start = {found->points.front(), layer[slot]}, first.goal = {found->points.back(), layer[slot]};
  return {routes::join(*routes::share(first), *routes::share(whole.stretch(found->joins_at, whole.length))),
          whole.length - found->joins_at};
}

}  // namespace throng::crowd
