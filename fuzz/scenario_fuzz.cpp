// Any bytes as a scenario: never a crash; what is accepted keeps the laws of scenario.hpp and can be set up or is refused with
// reasons.
#include <cmath>
#include <string>

#include "reader_laws.hpp"
#include "scenario/scenario_reader.hpp"

namespace {

using namespace throng;
using scenario::Number;

scenario::MethodCatalogue methods() {
  const agents::Parameter distance{.name = "distance", .value = 5, .least = 0.1, .most = 1000};
  scenario::MethodCatalogue all = scenario::installed_methods();
  all[agents::Level::follow] = {{"miran", "", {distance}}};
  all[agents::Level::avoid] = {{"moussaid", "", {distance}}, {"none", "", {}}};
  return all;
}

/// The files a fuzzed scenario may name.
Result<std::string> read_file(const std::string& path) {
  if (path == "a.geojson")
    return std::string(R"({"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]]]}},
      {"type":"Feature","properties":{"kind":"area","name":"a"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[3,0],[3,3],[0,0]]]}}]})");
  if (path == "p.csv") return std::string("x,y,gx,gy\n1,1,2,2\n");
  return Problem{Severity::error, ProblemCode::io, path, "cannot be read"};
}

void require_draws_within(const Number& number, double least, double most) {
  geometry::RandomStream stream(1);
  for (int i = 0; i < 4; ++i) {
    const double value = number.draw(stream);
    fuzz::require(std::isfinite(value) && value >= least && value <= most);
  }
}

void require_laws(const scenario::Scenario& scenario) {
  fuzz::require(scenario.duration > 0 && scenario.time_step > 0 && scenario.record_every > 0);
  fuzz::require(!scenario.environment.layers.empty());
  for (const scenario::ProfileSpec& profile : scenario.profiles) {
    require_draws_within(profile.radius, 0.01, 10);
    require_draws_within(profile.speed, 0.01, 20);
    require_draws_within(profile.premovement, 0, 1e6);
    for (const auto& [type, weight] : profile.weights)
      if (!weight.never) require_draws_within(weight.across, 1e-3, 1e6);
  }
  for (const scenario::PopulationSpec& population : scenario.populations) {
    fuzz::require(population.profile < scenario.profiles.size());
    fuzz::require(population.draw_key < (1u << 20));
    fuzz::require(population.start.has_value() != std::holds_alternative<scenario::Positions>(population.who));
    for (const scenario::GoalSpec& goal : population.goals)
      fuzz::require(goal.kind == scenario::GoalSpec::Kind::point || !goal.areas.empty());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const scenario::MethodCatalogue catalogue = methods();
  scenario::ReadOptions options;
  options.read_file = read_file;
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Result<scenario::Scenario> result = scenario::parse_scenario(text, "input", catalogue, options);
  for (const Problem& problem : result.problems()) {
    fuzz::require(!problem.message.empty());
    fuzz::require(problem.code != ProblemCode::internal);
  }
  fuzz::require(result.ok() != has_errors(result.problems()));
  if (result.ok()) require_laws(*result);
  return 0;
}
