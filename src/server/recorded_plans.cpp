#include "server/recorded_plans.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/run_metrics.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "server/pack.hpp"

namespace throng::server {
namespace {

/// Metres: ways are looked at so often for goals that they pass.
constexpr double stride = 0.25;
/// Metres by which coordinates of a recording may be nearer to a wall than in the run: they are whole millimetres.
constexpr double rounding = 1e-3;

/// The scenario of a recording with its environment put in: the file it named may be gone.
Result<scenario::Scenario> scenario_of(const recording::Meta& meta, const std::string& path) {
  Json document = Json::parse(meta.scenario_json, nullptr, false, true);
  const Json environment = Json::parse(meta.environment_json, nullptr, false, true);
  if (!document.is_object() || environment.is_discarded())
    return Problem{Severity::error, ProblemCode::syntax, path, "the scenario is no JSON"};
  document["environment"] = environment;
  // A recording is closed in itself: what it names on this machine is not ours to open. Its plans are then unknown.
  scenario::ReadOptions no_files;
  no_files.read_file = [&](const std::string& file) -> Result<std::string> {
    return Problem{Severity::error, ProblemCode::io, file, "is not part of the recording"};
  };
  return scenario::parse_scenario(dump(document), path, scenario::installed_methods(), no_files);
}

bool is_reached(const goals::Goal& goal, const std::vector<goals::Area>& areas, const navmesh::Place& place) {
  if (goal.areas.empty())
    return place.layer == goal.point.layer &&
           squared_length(place.point - goal.point.point) <= goal.radius * goal.radius;
  return std::any_of(goal.areas.begin(), goal.areas.end(), [&](goals::Index a) { return areas[a].contains(place); });
}

/// When the way from one point to the next first holds for `reached`, after a time.
template <class Reached>
std::optional<double> first_time(const WayPoint& from, const WayPoint& to, double after, const Reached& reached) {
  const Vec2 d = to.place.point - from.place.point;
  // Nobody walks farther between two points of their way; a file may say so all the same.
  constexpr double most_parts = 1000;
  const int parts = int(std::clamp(std::ceil(std::sqrt(squared_length(d)) / stride), 1.0, most_parts));
  for (int k = 1; k <= parts; ++k) {
    const double part = double(k) / parts, time = from.time + part * (to.time - from.time);
    const navmesh::Place place{from.place.point + d * part, 2 * k < parts ? from.place.layer : to.place.layer};
    if (time > after && reached(place)) return time;
  }
  return std::nullopt;
}

}  // namespace

struct RecordedPlans::Known {
  scenario::Scenario scenario;
  crowd::WorldPtr world;
  scenario::Setup setup;
  std::unique_ptr<scenario::People> people;
};

RecordedPlans::RecordedPlans(const recording::Meta& meta, const std::vector<recording::AgentRow>& agents,
                             crowd::WorldPtr world, const std::string& path) {
  Result<scenario::Scenario> scenario = scenario_of(meta, path);
  if (!scenario) return;
  auto known = std::make_unique<Known>(Known{std::move(scenario).value(), std::move(world), {}, {}});
  Result<scenario::Setup> setup = scenario::set_up(known->scenario, *known->world);
  if (!setup) return;
  known->setup = std::move(setup).value();
  known->people = std::make_unique<scenario::People>(known->setup, meta.seed);
  std::vector<crowd::AgentSpec> people;
  // People of a population get their serials in the order of their numbers in it.
  std::vector<std::uint32_t> next(known->scenario.populations.size(), 0);
  for (const recording::AgentRow& agent : agents) {
    if (agent.population >= next.size()) return;
    people.push_back(known->people->draw(agent.population, next[agent.population]++));
  }
  people_ = std::move(people);
  known_ = std::move(known);
  alone_ = std::make_unique<crowd::Crowd>(known_->world, crowd::CrowdOptions{.seed = meta.seed, .threads = 1});
  for (const goals::Area& area : known_->setup.areas) alone_->add_area(area);
}

RecordedPlans::~RecordedPlans() = default;

goals::ItineraryPtr RecordedPlans::itinerary_of(std::size_t row) const {
  return row < people_.size() ? people_[row].itinerary : nullptr;
}

const std::vector<goals::Area>& RecordedPlans::areas() const {
  static const std::vector<goals::Area> none;
  return known_ ? known_->setup.areas : none;
}

std::vector<analysis::MeasuredLine> RecordedPlans::lines() const {
  return known_ ? analysis::lines_of(known_->scenario, known_->setup) : std::vector<analysis::MeasuredLine>{};
}

std::vector<double> RecordedPlans::goals_done(std::size_t row, std::span<const WayPoint> way) const {
  std::vector<double> done;
  const goals::ItineraryPtr itinerary = itinerary_of(row);
  if (!itinerary) return done;
  double after = -1;
  for (std::size_t i = 1; i < way.size();) {
    if (done.size() == itinerary->goals.size()) break;
    const goals::Goal& goal = itinerary->goals[done.size()];
    const auto reached = [&](const navmesh::Place& place) { return is_reached(goal, areas(), place); };
    const std::optional<double> time = first_time(way[i - 1], way[i], after, reached);
    if (!time) {
      ++i;
      continue;
    }
    after = *time + goal.wait;
    done.push_back(after);
  }
  return done;
}

std::vector<navmesh::Place> RecordedPlans::route_from(const navmesh::Place& place, std::size_t row, std::size_t goal) {
  const goals::ItineraryPtr itinerary = itinerary_of(row);
  if (!itinerary || goal >= itinerary->goals.size()) return {};
  crowd::AgentSpec person = people_[row];
  person.radius = std::max(rounding, person.radius - rounding);
  person.premovement = 0;
  person.methods[agents::Level::follow] = {
      "miran", {}};  // who walks along a field has no route of their own: this is the one they would plan
  person.itinerary = std::make_shared<const goals::Itinerary>(
      goals::Itinerary{{itinerary->goals.begin() + std::ptrdiff_t(goal), itinerary->goals.end()}, itinerary->at_last});
  known_->people->put(person, place);
  if (goal > 0) person.given_route = nullptr;
  const std::lock_guard lock(mutex_);
  const Result<crowd::AgentId> id = alone_->add(person);
  if (!id) return {};
  std::vector<navmesh::Place> route;
  constexpr double instant = 1e-3;
  if (alone_->step(instant) && alone_->holds(*id)) route = alone_->mind_of(alone_->slot_of(*id)).way_ahead;
  alone_->remove(*id);
  return route;
}

}  // namespace throng::server
