#include "scenario/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "navmesh/locate.hpp"
#include "navmesh/visibility.hpp"
#include "text/fnv1a.hpp"

namespace throng::scenario {

struct Simulation::State {
  std::shared_ptr<const Scenario> scenario;
  crowd::WorldPtr world;
  Setup setup;
  /// What people and sources draw from and refer to; kept when weights that change on the way replace `scenario`.
  std::shared_ptr<const Scenario> drawn_from;
  std::optional<People> people;
  std::optional<crowd::Crowd> crowd;
  std::vector<Source> sources;
  double duration = 0;
  std::uint64_t total_steps = 0;
  std::uint32_t added = 0;  ///< people put in from outside
  std::size_t next_event = 0;

  /// Events of steps before this one, for people still to come; those that are there have had theirs.
  void catch_up(std::uint64_t step);
  /// Those that are due now.
  void run_events();
  /// Tells those of a profile who are here; how many they are.
  Result<std::size_t> weigh(std::size_t profile, const std::map<std::string, WeightSpec>& weights);
};

namespace {

/// Numbers of people put in from outside, beyond those of any population.
constexpr std::uint32_t first_added_number = 1u << 30;

void append(Problems& to, const Problems& from) { to.insert(to.end(), from.begin(), from.end()); }

/// Steps that cover the duration; a duration that is whole steps but for rounding takes no step more.
std::uint64_t steps_of(double duration, double time_step) {
  constexpr double rounding = 1e-9;
  constexpr double most = 1e18;  // fits the number; nobody waits for it
  return std::uint64_t(std::clamp(std::ceil(duration / time_step * (1 - rounding)), 1.0, most));
}

}  // namespace

/// An event happens at the beginning of the first step that begins no sooner.
void Simulation::State::catch_up(std::uint64_t step) {
  const auto& events = scenario->weight_events;
  for (; next_event < events.size(); ++next_event) {
    const WeightEvent& event = events[next_event];
    if (event.at > 0 && steps_of(event.at, scenario->time_step) >= step) return;
    if (event.at == 0 && step == 0) return;
    people->set_weights(event.profile, event.weights);
  }
}

void Simulation::State::run_events() {
  const auto& events = scenario->weight_events;
  const std::size_t first = next_event;
  catch_up(crowd->step_count() + 1);
  for (std::size_t i = first; i < next_event; ++i) (void)weigh(events[i].profile, events[i].weights);
}

Result<std::size_t> Simulation::State::weigh(std::size_t profile, const std::map<std::string, WeightSpec>& specs) {
  std::map<std::string, GroundWeight> weights;
  for (const auto& [type, weight] : specs) weights[type] = weight.at(weight.across.mean());
  std::size_t told = 0;
  for (const crowd::Slot slot : crowd->in_serial_order()) {
    if (crowd->profile_of(slot) != profile) continue;
    if (const Result<crowd::AgentId> set = crowd->set_weights(crowd->id_of(slot), weights); !set) return set.problems();
    ++told;
  }
  return told;
}

Result<crowd::WorldPtr> make_world(const Scenario& scenario) {
  Result<environment::CleanEnvironment> clean = environment::clean(scenario.environment);
  if (!clean) return clean.problems();
  Problems warnings = clean.problems();
  Result<crowd::WorldPtr> world = crowd::make_world(std::move(clean).value(), &scenario.environment);
  if (!world) return world.problems();
  append(warnings, world.problems());
  return {std::move(world).value(), std::move(warnings)};
}

Simulation::Simulation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Result<Simulation> Simulation::make(Scenario scenario, const SimulationOptions& options) {
  auto shared = std::make_shared<const Scenario>(std::move(scenario));
  Result<crowd::WorldPtr> world = make_world(*shared);
  if (!world) return world.problems();
  Problems warnings = world.problems();
  Result<Simulation> simulation = make(std::move(shared), std::move(world).value(), options);
  if (!simulation) return simulation.problems();
  append(warnings, simulation.problems());
  return {std::move(simulation).value(), std::move(warnings)};
}

/// Everything but the people.
Result<Simulation> Simulation::make_empty(std::shared_ptr<const Scenario> scenario, crowd::WorldPtr world,
                                          const SimulationOptions& options) {
  auto state = std::make_unique<State>();
  state->scenario = std::move(scenario);
  state->world = std::move(world);
  Result<Setup> setup = set_up(*state->scenario, *state->world);
  if (!setup) return setup.problems();
  state->setup = std::move(setup).value();
  const std::uint64_t seed = options.seed.value_or(state->scenario->seed);
  state->people.emplace(state->setup, seed);
  state->duration = options.duration.value_or(state->scenario->duration);
  state->total_steps = steps_of(state->duration, state->scenario->time_step);

  state->crowd.emplace(
      state->world, crowd::CrowdOptions{.seed = seed, .threads = options.threads, .contact = state->scenario->contact});
  for (const goals::Area& area : state->setup.areas) state->crowd->add_area(area);
  if (!state->setup.guidance.empty())
    if (const Result<std::size_t> told = state->crowd->set_guidance(state->setup.guidance); !told) {
      Problems problems = told.problems();
      for (Problem& problem : problems) problem.place = state->scenario->source + ": " + problem.place;
      return problems;
    }
  for (std::size_t p = 0; p < state->scenario->populations.size(); ++p)
    if (std::holds_alternative<Rate>(state->scenario->populations[p].who))
      state->sources.emplace_back(*state->people, p);
  return Simulation(std::move(state));
}

Result<Simulation> Simulation::make(std::shared_ptr<const Scenario> scenario, crowd::WorldPtr world,
                                    const SimulationOptions& options) {
  Result<Simulation> simulation = make_empty(std::move(scenario), std::move(world), options);
  if (!simulation) return simulation.problems();
  State& state = *simulation->state_;
  const Result<std::vector<crowd::AgentSpec>> placed = populate(*state.people);
  if (!placed) return placed.problems();
  // Members of a group need not follow each other in a file.
  std::map<std::pair<crowd::Index, std::uint32_t>, std::vector<crowd::AgentId>> companies;
  std::vector<std::pair<crowd::Index, std::uint32_t>> in_order;
  for (const crowd::AgentSpec& person : *placed) {
    const Result<crowd::AgentId> id = state.crowd->add(person);
    if (!id) return id.problems();
    const Company& company = state.people->company(person.population);
    if (!company.any()) continue;
    const std::pair key{person.population, company.of(person.number).group};
    std::vector<crowd::AgentId>& members = companies[key];
    if (members.empty()) in_order.push_back(key);
    members.push_back(*id);
  }
  for (const auto& key : in_order) {
    if (companies[key].size() < 2) continue;
    const Result<std::uint64_t> made =
        state.crowd->make_group(companies[key], state.people->group(key.first, key.second));
    if (!made) return made.problems();
  }
  return {std::move(simulation).value(), placed.problems()};
}

void Simulation::save(geometry::ArchiveWriter& archive) const {
  archive.put(geometry::Fnv1a().add(std::string_view(state_->scenario->text)).value());
  archive.put(state_->people->seed());
  archive.put(state_->added);
  for (const Source& source : state_->sources) source.save(archive);
  state_->crowd->save(archive);
}

Result<Simulation> Simulation::resume(Scenario scenario, const SimulationOptions& options,
                                      geometry::ArchiveReader& archive) {
  const auto refused = [](std::string what) {
    return Problem{Severity::error, ProblemCode::value, "snapshot", std::move(what)};
  };
  if (archive.get<std::uint64_t>() != geometry::Fnv1a().add(std::string_view(scenario.text)).value())
    return refused(archive.failed() ? "it ends early" : "it was made with another scenario");
  SimulationOptions as_saved = options;
  as_saved.seed = archive.get<std::uint64_t>();
  const auto added = archive.get<std::uint32_t>();
  auto shared = std::make_shared<const Scenario>(std::move(scenario));
  Result<crowd::WorldPtr> world = make_world(*shared);
  if (!world) return world.problems();
  Result<Simulation> simulation = make_empty(std::move(shared), std::move(world).value(), as_saved);
  if (!simulation) return simulation.problems();
  simulation->state_->added = added;
  for (Source& source : simulation->state_->sources) source.load(archive);
  if (archive.failed()) return refused("it ends early, or an entrance is damaged");
  State& state = *simulation->state_;
  if (const Result<std::size_t> people = state.crowd->load(archive); !people) return people.problems();
  state.catch_up(state.crowd->step_count());
  // The crowd does not know what these count; tables and reports look names up by them.
  for (const crowd::Slot slot : state.crowd->in_serial_order())
    if (state.crowd->population_of(slot) >= state.scenario->populations.size() ||
        state.crowd->profile_of(slot) >= state.scenario->profiles.size())
      return refused("somebody is of a population or profile that the scenario does not have");
  if (!(state.crowd->time() >= 0 && std::isfinite(state.crowd->time()))) return refused("its time is none");
  for (const Source& source : state.sources)
    if (!source.fits(state.crowd->time(), state.scenario->time_step))
      return refused("more people came in than the rate of an entrance lets in, or none will ever");
  // Figures keep a row for each person there ever was.
  std::uint64_t possible = state.added;
  for (const PopulationSpec& population : state.scenario->populations) {
    if (const auto* count = std::get_if<Count>(&population.who)) possible += count->people;
    if (const auto* positions = std::get_if<Positions>(&population.who)) possible += positions->rows.size();
  }
  for (const Source& source : state.sources) possible += source.counts().entered;
  if (state.crowd->last_serial() > possible) return refused("more people were in it than its scenario has");
  return simulation;
}

Result<std::size_t> Simulation::step() {
  state_->run_events();
  std::size_t entered = 0;
  for (Source& source : state_->sources) {
    const Result<std::size_t> in = source.run(*state_->crowd);
    if (!in) return in.problems();
    entered += *in;
  }
  const Result<std::size_t> moved = state_->crowd->step(state_->scenario->time_step);
  if (!moved) return moved.problems();
  return entered;
}

Result<std::size_t> Simulation::change(Scenario scenario) {
  const auto refused = [&](std::string what) {
    return Problem{Severity::error, ProblemCode::value, scenario.source, std::move(what)};
  };
  if (scenario.populations.size() != state_->scenario->populations.size() ||
      scenario.profiles.size() != state_->scenario->profiles.size())
    return refused("populations and profiles have to stay as they are while a run goes on");
  auto shared = std::make_shared<const Scenario>(std::move(scenario));
  Result<crowd::WorldPtr> world = make_world(*shared);
  if (!world) return world.problems();
  Result<Simulation> next = make_empty(std::move(shared), std::move(world).value(), {seed(), 0, state_->duration});
  if (!next) return next.problems();
  State& then = *next->state_;
  if (then.sources.size() != state_->sources.size()) return refused("entrances have to stay as they are");
  geometry::ArchiveWriter entrances;
  for (const Source& source : state_->sources) source.save(entrances);
  geometry::ArchiveReader archive(entrances.bytes());
  for (Source& source : then.sources) source.load(archive);
  const Result<std::size_t> aside = state_->crowd->change(
      then.world, then.setup.areas,
      [&](crowd::Index population, std::uint32_t number) { return then.people->draw(population, number).itinerary; });
  if (!aside) return aside.problems();
  if (then.scenario->guidance_text != state_->scenario->guidance_text)
    if (const Result<std::size_t> told = state_->crowd->set_guidance(then.setup.guidance); !told)
      return told.problems();
  then.crowd = std::move(state_->crowd);
  then.added = state_->added;
  then.catch_up(then.crowd->step_count());
  state_ = std::move(next->state_);
  return *aside;
}

Result<std::size_t> Simulation::set_weights(std::size_t profile, const std::map<std::string, WeightSpec>& weights) {
  if (profile >= state_->scenario->profiles.size())
    return Problem{Severity::error, ProblemCode::value, "profile", "there is no such profile"};
  const Result<std::size_t> told = state_->weigh(profile, weights);
  if (!told) return told.problems();
  state_->people->set_weights(profile, weights);
  if (!state_->drawn_from) state_->drawn_from = state_->scenario;
  auto changed = std::make_shared<Scenario>(*state_->scenario);
  for (const auto& [type, weight] : weights) changed->profiles[profile].weights[type] = weight;
  state_->setup.scenario = changed.get();
  state_->scenario = std::move(changed);
  return *told;
}

Result<std::vector<crowd::AgentId>> Simulation::add_people(std::size_t population, const navmesh::Place& about,
                                                           std::size_t count) {
  const auto refused = [](std::string what) {
    return Problem{Severity::error, ProblemCode::value, "people", std::move(what)};
  };
  if (population >= state_->scenario->populations.size()) return refused("there is no such population");
  if (std::holds_alternative<Positions>(state_->scenario->populations[population].who))
    return refused("people of this population have places and goals of their own");
  const navmesh::Mesh& mesh = *state_->world->mesh;
  if (!navmesh::locate(mesh, about)) return refused("there is no free ground here");
  std::vector<crowd::AgentId> came;
  const Company& company = state_->people->company(population);
  Company::Place next;  // of whoever comes next in its group
  std::vector<crowd::AgentId> together;
  const auto close_group = [&] {
    if (together.size() > 1) (void)state_->crowd->make_group(together, state_->people->group(population, next.group));
    together.clear();
  };
  // Rings of places ever farther out, closer than bodies are wide: what is taken or a wall is passed over.
  constexpr double apart = 0.3;
  constexpr int rings = 40;
  for (int ring = 0; ring <= rings && came.size() < count; ++ring)
    for (int x = -ring; x <= ring && came.size() < count; ++x)
      for (int y = -ring; y <= ring && came.size() < count; ++y) {
        if (std::max(std::abs(x), std::abs(y)) != ring) continue;
        const navmesh::Place place{about.point + Vec2{x * apart, y * apart}, about.layer};
        const std::uint32_t number = first_added_number + state_->added;
        if (together.empty()) next = {number, number, 0, company.any() ? company.size_of(number) : 1};
        crowd::AgentSpec person = state_->people->draw_member(population, number, next);
        if (!state_->crowd->is_free(place, person.radius) || !navmesh::visible(mesh, about, place, 0)) continue;
        state_->people->put(person, place);
        person.given_route = nullptr;  // it begins elsewhere
        person.premovement = 0;
        const Result<crowd::AgentId> id = state_->crowd->add(person);
        if (!id) continue;
        came.push_back(*id);
        ++state_->added;
        together.push_back(*id);
        if (++next.place == next.size) close_group();
      }
  close_group();
  return came;
}

bool Simulation::finished() const {
  const crowd::Crowd& crowd = *state_->crowd;
  if (crowd.step_count() >= state_->total_steps) return true;
  if (somebody_due()) return false;
  const auto order = crowd.in_serial_order();
  return std::all_of(order.begin(), order.end(),
                     [&](crowd::Slot slot) { return crowd.activity(slot) == crowd::Activity::arrived; });
}

const Scenario& Simulation::scenario() const { return *state_->scenario; }
std::shared_ptr<const Scenario> Simulation::shared_scenario() const { return state_->scenario; }
const crowd::WorldPtr& Simulation::world() const { return state_->world; }
const Setup& Simulation::setup() const { return state_->setup; }
crowd::Crowd& Simulation::crowd() { return *state_->crowd; }
const crowd::Crowd& Simulation::crowd() const { return *state_->crowd; }
std::uint64_t Simulation::seed() const { return state_->people->seed(); }
double Simulation::duration() const { return state_->duration; }
std::uint64_t Simulation::total_steps() const { return state_->total_steps; }
std::span<const Source> Simulation::sources() const { return state_->sources; }

std::size_t Simulation::waiting_outside() const {
  std::size_t count = 0;
  for (const Source& source : state_->sources) count += source.counts().waiting();
  return count;
}

bool Simulation::somebody_due() const {
  return std::any_of(state_->sources.begin(), state_->sources.end(),
                     [](const Source& source) { return !source.exhausted(); });
}

}  // namespace throng::scenario
