#include "analysis/run_metrics.hpp"

namespace throng::analysis {

std::vector<MeasuredLine> lines_of(const scenario::Scenario& scenario, const scenario::Setup& setup) {
  std::vector<MeasuredLine> lines;
  for (std::size_t i = 0; i < scenario.lines.size(); ++i)
    lines.push_back({scenario.lines[i].name, scenario.lines[i].from, scenario.lines[i].to, setup.line_layers[i]});
  return lines;
}

Metrics metrics_of(const scenario::Simulation& simulation) {
  const scenario::Setup& setup = simulation.setup();
  const scenario::Scenario& scenario = simulation.scenario();
  std::vector<MeasuredArea> areas;
  for (std::size_t i = 0; i < scenario.areas.size(); ++i)
    areas.push_back({scenario.areas[i].name, setup.areas[setup.measured_areas[i]], scenario.areas[i].every});
  return {lines_of(scenario, setup), std::move(areas)};
}

}  // namespace throng::analysis
