#include "analysis/figures.hpp"

#include <fmt/format.h>

#include <string>

namespace throng::analysis {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* stopped_by_names[] = {nullptr, "signal", "recording", "fault"};

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// A mean over those who arrived; of nobody there is none.
Json of_arrived(const RunEnd& end, double mean) { return end.summary.arrived > 0 ? Json(mean) : Json(nullptr); }

/// By population and type of ground.
Json ground_of(const RunEnd& end) {
  if (end.summary.ground.empty()) return nullptr;
  Json all = Json::object();
  for (const GroundShare& share : end.summary.ground) {
    const std::string name = share.population < end.populations.size()
                                 ? end.populations[share.population]
                                 : fmt::format("population-{}", share.population + 1);
    all[name][share.type] = {{"metres", share.walk.metres}, {"seconds", share.walk.seconds}};
  }
  return all;
}

/// Over all groups; null where there were none.
template <class Value>
Json of_groups(const RunEnd& end, const Value& value) {
  return end.summary.groups.empty() ? Json(nullptr) : value(end.summary.groups.front());
}

Json stopper(const RunEnd& end) {
  return end.stopped() ? Json(stopped_by_names[std::size_t(end.stopped_by)]) : Json(nullptr);
}

template <class Number>
Json of_detours(const RunEnd& end, Number number) {
  return end.summary.detours ? Json(number) : Json(nullptr);
}

Json of_strategies(const RunEnd& end, std::uint64_t crowd::StrategyCounts::*count) {
  return end.summary.strategies ? Json((*end.summary.strategies).*count) : Json(nullptr);
}

Json of_signs(const RunEnd& end, std::uint64_t crowd::GuidanceCount::*count) {
  if (end.summary.signs.empty()) return nullptr;
  std::uint64_t sum = 0;
  for (const Summary::SignSeen& sign : end.summary.signs) sum += sign.count.*count;
  return sum;
}

constexpr FigureOfRun all_figures[] = {
    {.key = "agents",
     .label = "people",
     .from_frames = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.agents; }},
    {.key = "arrived",
     .label = "arrived",
     .averaged = true,
     .from_frames = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.arrived; }},
    {.key = "waiting_outside",
     .label = "still waiting outside at the end",
     .value = [](const RunEnd& e) -> Json { return e.waiting_outside; }},
    {.key = "lost",
     .label = "without a way to their goal",
     .value = [](const RunEnd& e) -> Json { return e.summary.lost; }},
    {.key = "stuck",
     .label = "stuck at the end",
     .averaged = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.stuck; }},
    {.key = "evacuated_50",
     .label = "half had arrived after",
     .unit = "s",
     .decimals = 1,
     .averaged = true,
     .from_frames = true,
     .value = [](const RunEnd& e) { return or_null(e.summary.evacuated_50); }},
    {.key = "evacuated_95",
     .label = "95 % had arrived after",
     .unit = "s",
     .decimals = 1,
     .averaged = true,
     .from_frames = true,
     .value = [](const RunEnd& e) { return or_null(e.summary.evacuated_95); }},
    {.key = "evacuated_100",
     .label = "all had arrived after",
     .unit = "s",
     .decimals = 1,
     .averaged = true,
     .from_frames = true,
     .value = [](const RunEnd& e) { return or_null(e.summary.evacuated_100); }},
    {.key = "mean_travel_time",
     .label = "mean travel time",
     .unit = "s",
     .decimals = 1,
     .averaged = true,
     .from_frames = true,
     .value = [](const RunEnd& e) { return of_arrived(e, e.summary.mean_travel_time); }},
    {.key = "mean_distance",
     .label = "mean distance walked",
     .unit = "m",
     .decimals = 1,
     .averaged = true,
     .value = [](const RunEnd& e) { return of_arrived(e, e.summary.mean_distance); }},
    {.key = "mean_speed",
     .label = "mean speed on the way",
     .unit = "m/s",
     .decimals = 2,
     .averaged = true,
     .value = [](const RunEnd& e) { return of_arrived(e, e.summary.mean_speed); }},
    {.key = "mean_slow_time",
     .label = "mean time below 0.5 m/s",
     .unit = "s",
     .decimals = 1,
     .averaged = true,
     .value = [](const RunEnd& e) { return of_arrived(e, e.summary.mean_slow_time); }},
    {.key = "mean_incentive",
     .label = "mean incentive: how much people went their own way",
     .decimals = 2,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return or_null(e.summary.mean_incentive); }},
    {.key = "stream_share",
     .label = "part of the time in which they went with the stream",
     .decimals = 2,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return or_null(e.summary.stream_share); }},
    {.key = "ground",
     .label = "metres and seconds by ground",
     .of_people = false,
     .comparable = false,
     .where_in_use = true,
     .value = ground_of},
    {.key = "group_coherence",
     .label = "groups: part of the time together (coherence)",
     .decimals = 3,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return Json(g.coherence); }); }},
    {.key = "group_partial_sociality",
     .label = "groups: everybody beside somebody (partial sociality)",
     .decimals = 3,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return Json(g.partial); }); }},
    {.key = "group_total_sociality",
     .label = "groups: and all see each other (total sociality)",
     .decimals = 3,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return Json(g.total); }); }},
    {.key = "group_dispersion",
     .label = "groups: mean distance to the centroid",
     .unit = "m",
     .decimals = 2,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return Json(g.dispersion); }); }},
    {.key = "group_time_apart",
     .label = "groups: mean time apart",
     .unit = "s",
     .decimals = 1,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return Json(g.apart); }); }},
    {.key = "group_nearest",
     .label = "groups: distance to the nearest member, median",
     .unit = "m",
     .decimals = 2,
     .averaged = true,
     .where_in_use = true,
     .value =
         [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return or_null(g.median_nearest); }); }},
    {.key = "group_abreast",
     .label = "groups: part of the time abreast",
     .decimals = 2,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return or_null(g.abreast); }); }},
    {.key = "group_out_of_formation",
     .label = "groups: part of the time out of formation",
     .decimals = 2,
     .averaged = true,
     .where_in_use = true,
     .value =
         [](const RunEnd& e) {
           return of_groups(e, [](const GroupSummary& g) { return or_null(g.out_of_formation); });
         }},
    {.key = "group_arrival_spread",
     .label = "groups: from the first arrival to the last",
     .unit = "s",
     .decimals = 1,
     .averaged = true,
     .where_in_use = true,
     .value =
         [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return or_null(g.arrival_spread); }); }},
    {.key = "group_parted",
     .label = "groups: members parted",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return Json(g.parted); }); }},
    {.key = "group_rejoined",
     .label = "groups: members found again",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_groups(e, [](const GroupSummary& g) { return Json(g.rejoined); }); }},
    {.key = "conflicts",
     .label = "times that route and velocity passed an obstacle on different sides",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_strategies(e, &crowd::StrategyCounts::conflicts); }},
    {.key = "people_conflicts",
     .label = "the same about a neighbour",
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_strategies(e, &crowd::StrategyCounts::people_conflicts); }},
    {.key = "strategy_routes",
     .label = "routes taken since a conflict",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_strategies(e, &crowd::StrategyCounts::routes); }},
    {.key = "strategy_refused",
     .label = "routes looked for in vain, or too long",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_strategies(e, &crowd::StrategyCounts::refused); }},
    {.key = "strict_velocities",
     .label = "steps with a velocity that kept to the route's sides",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_strategies(e, &crowd::StrategyCounts::strict); }},
    {.key = "guidance_unheeded",
     .label = "routes planned without guidance, since there is no way under it",
     .where_in_use = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.unheeded ? Json(*e.summary.unheeded) : Json(nullptr); }},
    {.key = "signs_seen",
     .label = "times that somebody saw a sign",
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_signs(e, &crowd::GuidanceCount::saw); }},
    {.key = "signs_obeyed",
     .label = "of them, who passed as told",
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_signs(e, &crowd::GuidanceCount::obeyed); }},
    {.key = "route_changes",
     .label = "changes of route on the way",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.thinks ? Json(e.summary.route_changes) : Json(nullptr); }},
    {.key = "exit_changes",
     .label = "changes of exit on the way",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.thinks ? Json(e.summary.exit_changes) : Json(nullptr); }},
    {.key = "most_changes_a_minute",
     .label = "most changes of one person in a minute",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) -> Json {
       return e.summary.thinks ? Json(e.summary.most_changes_a_minute) : Json(nullptr);
     }},
    {.key = "jam_time",
     .label = "time stuck, of all together",
     .unit = "s",
     .decimals = 1,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.thinks ? Json(e.summary.jam_time) : Json(nullptr); }},
    {.key = "detours_local",
     .label = "detours round jams, between the same obstacles",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_detours(e, e.summary.detours_local); }},
    {.key = "detours_global",
     .label = "detours round jams, another way",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_detours(e, e.summary.detours_global); }},
    {.key = "detours_back",
     .label = "of them, back to the way they left",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_detours(e, e.summary.detours_back); }},
    {.key = "searches_in_vain",
     .label = "searches for detours without result",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_detours(e, e.summary.detours_fruitless); }},
    {.key = "blocks_remembered",
     .label = "jams remembered, of all together",
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_detours(e, e.summary.jams_remembered); }},
    {.key = "committed_time",
     .label = "time bound to a decision, of all together",
     .unit = "s",
     .decimals = 1,
     .averaged = true,
     .where_in_use = true,
     .value = [](const RunEnd& e) { return of_detours(e, e.summary.committed_time); }},
    {.key = "mean_energy",
     .label = "mean change of kinetic energy a step",
     .unit = "J",
     .decimals = 2,
     .of_people = false,
     .value = [](const RunEnd& e) { return of_arrived(e, e.summary.mean_energy); }},
    {.key = "collisions",
     .label = "collisions (overlap above 1 cm)",
     .of_people = false,
     .averaged = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.collisions; }},
    {.key = "collision_steps",
     .label = "steps with a collision, over all pairs",
     .of_people = false,
     .value = [](const RunEnd& e) -> Json { return e.summary.collision_steps; }},
    {.key = "max_overlap",
     .label = "deepest overlap",
     .unit = "m",
     .decimals = 3,
     .of_people = false,
     .averaged = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.max_overlap; }},
    {.key = "sim_time",
     .label = "simulated time",
     .unit = "s",
     .decimals = 1,
     .of_people = false,
     .from_frames = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.sim_time; }},
    {.key = "steps",
     .label = "steps",
     .of_people = false,
     .from_frames = true,
     .value = [](const RunEnd& e) -> Json { return e.summary.steps; }},
    {.key = "wall_s",
     .label = "computing time",
     .unit = "s",
     .decimals = 1,
     .of_people = false,
     .value = [](const RunEnd& e) -> Json { return e.wall_s; }},
    {.key = "ms_per_step",
     .label = "computing time a step",
     .unit = "ms",
     .decimals = 2,
     .of_people = false,
     .value = [](const RunEnd& e) -> Json {
       return e.summary.steps > 0 ? 1000 * e.wall_s / double(e.summary.steps) : 0.0;
     }},
    {.key = "realtime_factor",
     .label = "times real time",
     .decimals = 1,
     .of_people = false,
     .value = [](const RunEnd& e) -> Json { return e.wall_s > 0 ? e.summary.sim_time / e.wall_s : 0.0; }},
    {.key = "seed",
     .label = "seed",
     .of_people = false,
     .comparable = false,
     .from_frames = true,
     .value = [](const RunEnd& e) -> Json { return e.seed; }},
    {.key = "stopped",
     .label = "stopped before its end",
     .of_people = false,
     .comparable = false,
     .value = [](const RunEnd& e) -> Json { return e.stopped(); }},
    {.key = "stopped_by", .label = "stopped by", .of_people = false, .comparable = false, .value = stopper},
    {.key = "duration",
     .label = "to be simulated",
     .unit = "s",
     .decimals = 1,
     .of_people = false,
     .comparable = false,
     .value = [](const RunEnd& e) -> Json { return e.duration; }},
    {.key = "recorded_until",
     .label = "recorded up to",
     .unit = "s",
     .decimals = 1,
     .of_people = false,
     .comparable = false,
     .value = [](const RunEnd& e) { return or_null(e.recorded_until); }},
    {.key = "hash",
     .label = "hash of all ways",
     .of_people = false,
     .comparable = false,
     .value = [](const RunEnd& e) -> Json { return fmt::format("{:016x}", e.summary.hash); }},
};

template <class Wanted>
Json object_of(const RunEnd& end, const Wanted& wanted) {
  Json object = Json::object();
  for (const FigureOfRun& figure : all_figures) {
    if (!wanted(figure)) continue;
    Json value = figure.value(end);
    if (!figure.where_in_use || !value.is_null()) object[std::string(figure.key)] = std::move(value);
  }
  return object;
}

}  // namespace

std::span<const FigureOfRun> figures() { return all_figures; }

Json to_json(const RunEnd& end) {
  Json object = object_of(end, [](const FigureOfRun&) { return true; });
  for (const Summary::SignSeen& sign : end.summary.signs)
    object["signs"].push_back({{"at", {sign.at.x, sign.at.y}}, {"saw", sign.count.saw}, {"obeyed", sign.count.obeyed}});
  if (!end.summary.thinks) return object;
  Json exits = Json::array();
  for (const ExitSummary& exit : end.summary.exits)
    exits.push_back({{"name", exit.name},
                     {"people", exit.people},
                     {"first", exit.first},
                     {"last", exit.last},
                     {"flow", exit.flow()},
                     {"mean_waiting", exit.mean_waiting}});
  object["exits"] = std::move(exits);
  return object;
}

Json to_json_from_frames(const RunEnd& end) {
  return object_of(end, [](const FigureOfRun& figure) { return figure.from_frames; });
}

}  // namespace throng::analysis
