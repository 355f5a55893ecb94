#include "analysis/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "text/csv.hpp"
#include "text/output_file.hpp"

namespace throng::analysis {

using environment::csv_field;

Problems write_agents_csv(const std::string& path, const scenario::Simulation& simulation, const Metrics& metrics) {
  const bool with_streams =
      std::ranges::any_of(metrics.agents(), [](const AgentRecord& a) { return a.stream_steps > 0; });
  std::string text =
      "id,population,profile,radius,appeared,arrived,travel_time,distance,mean_speed,slow_time,energy,stuck";
  if (with_streams) text += ",mean_incentive,stream_share";
  for (const std::string& type : metrics.ground_types())
    fmt::format_to(std::back_inserter(text), ",{},{}", csv_field(fmt::format("metres on {}", type)),
                   csv_field(fmt::format("seconds on {}", type)));
  const bool with_strategies =
      std::ranges::any_of(metrics.agents(), [](const AgentRecord& a) { return a.strategy.has_value(); });
  if (with_strategies) text += ",conflicts,strategy_routes,strategy_refused,strict_velocities";
  const bool with_thoughts = std::ranges::any_of(metrics.agents(), [](const AgentRecord& a) { return a.thinks; });
  if (with_thoughts) text += ",route_changes,exit_changes,most_changes_a_minute,jam_time";
  const bool with_detours = std::ranges::any_of(metrics.agents(), [](const AgentRecord& a) { return a.detours; });
  if (with_detours)
    text += ",detours_local,detours_global,detours_back,searches_in_vain,blocks_remembered,committed_time";
  text += "\n";
  const scenario::Scenario& scenario = simulation.scenario();
  for (const AgentRecord& a : metrics.agents()) {
    if (a.serial == 0) continue;  // left before anybody saw them
    const std::string arrived = a.arrived ? fmt::format("{},{}", a.left, a.left - a.appeared) : std::string(",");
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{},{},{},{},{}", a.serial,
                   csv_field(scenario.populations[a.population].name), csv_field(scenario.profiles[a.profile].name),
                   a.radius, a.appeared, arrived, a.distance, a.walked_for > 0 ? a.distance / a.walked_for : 0,
                   a.slow_time, a.steps > 0 ? a.energy / double(a.steps) : 0, a.stuck ? 1 : 0);
    if (const std::optional<double> own_way = a.mean_incentive())
      fmt::format_to(std::back_inserter(text), ",{},{}", *own_way, *a.stream_share());
    else if (with_streams)
      text += ",,";
    for (const GroundWalk& walk : metrics.ground_of(a.serial))
      fmt::format_to(std::back_inserter(text), ",{},{}", walk.metres, walk.seconds);
    if (a.strategy)
      fmt::format_to(std::back_inserter(text), ",{},{},{},{}", a.strategy->conflicts, a.strategy->routes,
                     a.strategy->refused, a.strategy->strict);
    else if (with_strategies)
      text += ",,,,";
    if (with_thoughts)
      fmt::format_to(std::back_inserter(text), ",{},{},{},{}", a.route_changes, a.exit_changes, a.most_changes_a_minute,
                     a.jam_time);
    if (with_detours)
      fmt::format_to(std::back_inserter(text), ",{},{},{},{},{},{}", a.detours_local, a.detours_global, a.detours_back,
                     a.detours_fruitless, a.jams_remembered, a.committed_time);
    text += "\n";
  }
  return environment::replace_file(path, text);
}

Problems write_groups_csv(const std::string& path, const scenario::Simulation& simulation, const Metrics& metrics) {
  std::string text =
      "group,population,method,members,appeared,coherence,partial_sociality,total_sociality,dispersion,time_apart,"
      "nearest,abreast,mean_speed,out_of_formation,first_arrival,last_arrival,arrived,parted,rejoined\n";
  const auto out = std::back_inserter(text);
  const auto or_empty = [](bool is_there, double value) { return is_there ? fmt::format("{}", value) : std::string(); };
  for (const GroupRecord& g : metrics.groups().groups()) {
    if (g.serial == 0) continue;  // left before anybody saw it
    const double member_steps = double(g.member_steps);
    fmt::format_to(out, "{},{},{},{},{},", g.serial, csv_field(simulation.scenario().populations[g.population].name),
                   g.method, g.members, g.appeared);
    fmt::format_to(out, "{},{},{},{},{},", or_empty(g.steps > 0, g.share(g.coherent)),
                   or_empty(g.steps > 0, g.share(g.partial)), or_empty(g.steps > 0, g.share(g.total)),
                   or_empty(g.steps > 0, g.dispersions / double(g.steps)), g.apart);
    fmt::format_to(out, "{},{},{},{},", or_empty(g.member_steps > 0, g.nearest / member_steps),
                   or_empty(g.member_steps > 0, double(g.abreast) / member_steps),
                   or_empty(g.member_steps > 0, g.speeds / member_steps),
                   or_empty(g.in_formation > 0, double(g.out_of_place) / double(g.in_formation)));
    fmt::format_to(out, "{},{},{},{},{}\n", or_empty(g.arrived > 0, g.first_arrival),
                   or_empty(g.arrived > 0, g.last_arrival), g.arrived, g.parted, g.rejoined);
  }
  return environment::replace_file(path, text);
}

std::vector<GroupFigures> figures_of(const GroupMetrics& groups) {
  std::vector<GroupFigures> all;
  for (const GroupSummary& summary : groups.summaries()) {
    GroupFigures& line = all.emplace_back();
    line.of = summary;
    if (summary.size == 0) continue;
    const auto& distances = groups.distances(summary.size).counts;
    const auto& angles = groups.angles(summary.size).counts;
    line.distances.assign(distances.begin(), distances.end()), line.distance_bin = distance_bin;
    line.angles.assign(angles.begin(), angles.end()), line.angle_bin = angle_bin;
  }
  return all;
}

nlohmann::ordered_json to_json(const std::vector<GroupFigures>& groups) {
  using Json = nlohmann::ordered_json;
  const auto or_null = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  Json all = Json::array();
  for (const GroupFigures& line : groups) {
    const GroupSummary& g = line.of;
    Json one{{"members", g.size == 0 ? Json("all") : Json(g.size)},
             {"groups", g.groups},
             {"coherence", g.coherence},
             {"partial_sociality", g.partial},
             {"total_sociality", g.total},
             {"dispersion", g.dispersion},
             {"time_apart", g.apart},
             {"nearest", or_null(g.nearest)},
             {"median_nearest", or_null(g.median_nearest)},
             {"abreast", or_null(g.abreast)},
             {"mean_speed", or_null(g.speed)},
             {"out_of_formation", or_null(g.out_of_formation)},
             {"middle_back", or_null(g.middle_back)},
             {"arrival_spread", or_null(g.arrival_spread)},
             {"parted", g.parted},
             {"rejoined", g.rejoined}};
    if (g.size != 0) {
      one["distances"] = {{"bin", line.distance_bin}, {"counts", line.distances}};
      one["angles"] = {{"bin", line.angle_bin}, {"counts", line.angles}};
    }
    all.push_back(std::move(one));
  }
  return all;
}

namespace {

/// Numbers of an object, one by one; whether all of them made sense.
class NumbersOf {
 public:
  explicit NumbersOf(const nlohmann::ordered_json& json) : json_(json) {}
  template <class T>
  void get(const char* key, T& value) {
    const auto found = json_.find(key);
    is_fine_ =
        is_fine_ && found != json_.end() && (std::is_integral_v<T> ? found->is_number_unsigned() : found->is_number());
    if (is_fine_) value = found->template get<T>();
  }
  void get(const char* key, std::optional<double>& value) {
    if (const auto found = json_.find(key); found != json_.end() && found->is_null()) return;
    get(key, value.emplace());
  }
  /// {"bin": 0.1, "counts": [...]}
  void get(const char* key, double& bin, std::vector<std::uint64_t>& counts) {
    const auto found = json_.find(key);
    if (found == json_.end()) return;
    is_fine_ = is_fine_ && found->is_object() && found->contains("counts") && (*found)["counts"].is_array();
    if (!is_fine_) return;
    NumbersOf inner(*found);
    inner.get("bin", bin);
    is_fine_ = inner.is_fine_ && bin > 0;
    for (const auto& count : (*found)["counts"]) {
      is_fine_ = is_fine_ && count.is_number_unsigned();
      if (is_fine_) counts.push_back(count.get<std::uint64_t>());
    }
  }
  [[nodiscard]] bool is_fine() const { return is_fine_; }

 private:
  const nlohmann::ordered_json& json_;
  bool is_fine_ = true;
};

}  // namespace

std::optional<std::vector<GroupFigures>> groups_from_json(const nlohmann::ordered_json& json) {
  if (!json.is_array()) return std::nullopt;
  std::vector<GroupFigures> all;
  for (const auto& one : json) {
    if (!one.is_object() || !one.contains("members")) return std::nullopt;
    GroupFigures& line = all.emplace_back();
    GroupSummary& g = line.of;
    NumbersOf numbers(one);
    if (one["members"] != "all") numbers.get("members", g.size);
    numbers.get("groups", g.groups);
    numbers.get("coherence", g.coherence), numbers.get("partial_sociality", g.partial);
    numbers.get("total_sociality", g.total), numbers.get("dispersion", g.dispersion);
    numbers.get("time_apart", g.apart), numbers.get("nearest", g.nearest);
    numbers.get("median_nearest", g.median_nearest), numbers.get("abreast", g.abreast);
    numbers.get("mean_speed", g.speed), numbers.get("out_of_formation", g.out_of_formation);
    numbers.get("middle_back", g.middle_back), numbers.get("arrival_spread", g.arrival_spread);
    numbers.get("parted", g.parted), numbers.get("rejoined", g.rejoined);
    numbers.get("distances", line.distance_bin, line.distances);
    numbers.get("angles", line.angle_bin, line.angles);
    if (!numbers.is_fine()) return std::nullopt;
  }
  return all;
}

Problems write_measures_csv(const std::string& path, const Metrics& metrics) {
  std::string text = "measure,time,id,direction,people,density\n";
  for (const LineResult& line : metrics.lines())
    for (const Crossing& c : line.crossings)
      fmt::format_to(std::back_inserter(text), "{},{},{},{},,\n", csv_field(line.line.name), c.time, c.serial,
                     c.direction);
  for (const AreaResult& area : metrics.areas())
    for (const DensitySample& s : area.samples)
      fmt::format_to(std::back_inserter(text), "{},{},,,{},{}\n", csv_field(area.name), s.time, s.people, s.density);
  return environment::replace_file(path, text);
}

}  // namespace throng::analysis
