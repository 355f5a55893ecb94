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

Json stopper(const RunEnd& end) {
  return end.stopped() ? Json(stopped_by_names[std::size_t(end.stopped_by)]) : Json(nullptr);
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
