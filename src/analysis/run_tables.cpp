#include "analysis/run_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "text/csv.hpp"
#include "text/output_file.hpp"

namespace throng::analysis {

using environment::csv_field;

Problems write_agents_csv(const std::string& path, const scenario::Simulation& simulation, const Metrics& metrics) {
  const bool with_streams =
      std::ranges::any_of(metrics.agents(), [](const AgentRecord& a) { return a.stream_steps > 0; });
  std::string text =
      "id,population,profile,radius,appeared,arrived,travel_time,distance,mean_speed,slow_time,energy,stuck";
  const bool with_thoughts = std::ranges::any_of(metrics.agents(), [](const AgentRecord& a) { return a.thinks; });
  if (with_streams) text += ",mean_incentive,stream_share";
  if (with_thoughts) text += ",route_changes,exit_changes,most_changes_a_minute,jam_time";
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
    if (with_thoughts)
      fmt::format_to(std::back_inserter(text), ",{},{},{},{}", a.route_changes, a.exit_changes, a.most_changes_a_minute,
                     a.jam_time);
    text += "\n";
  }
  return environment::replace_file(path, text);
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
