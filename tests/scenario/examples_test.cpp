// Every example as a user runs it, under the checks that hold for everything that moves people: the same bits for any number of
// threads, nobody through a wall, and draws that hang on nobody else.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "analysis/metrics.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "support/crowd_simulation.hpp"
#include "support/random.hpp"

namespace throng::test {
namespace {

using scenario::Scenario;
using scenario::SimulationOptions;

/// A scenario on its world, made once: simulations with any seed and number of threads come from it.
struct Prepared {
  std::shared_ptr<const Scenario> scenario;
  crowd::WorldPtr world;
};

Prepared prepare(Result<Scenario> read) {
  REQUIRE_MESSAGE(read.ok(), to_string(read.problems().front()));
  Prepared prepared;
  prepared.scenario = std::make_shared<const Scenario>(std::move(read).value());
  const Result<crowd::WorldPtr> world = scenario::make_world(*prepared.scenario);
  REQUIRE_MESSAGE(world.ok(), to_string(world.problems().front()));
  prepared.world = *world;
  return prepared;
}

Prepared example(const std::string& name) {
  return prepare(scenario::read_scenario(std::string(THRONG_SOURCE_DIR) + "/examples/" + name + ".json",
                                         scenario::installed_methods()));
}

Prepared from_text(const std::string& text) {
  return prepare(scenario::parse_scenario(text, "test.json", scenario::installed_methods(), {}));
}

/// As the harness sees it.
class Run : public Simulation {
 public:
  Run(const Prepared& from, const SimulationOptions& options)
      : simulation_([&] {
          Result<scenario::Simulation> made = scenario::Simulation::make(from.scenario, from.world, options);
          REQUIRE_MESSAGE(made.ok(), to_string(made.problems().front()));
          return std::move(made).value();
        }()) {
    shown_.show(simulation_.crowd());
  }
  void step() override {
    REQUIRE(simulation_.step().ok());
    shown_.show(simulation_.crowd());
  }
  [[nodiscard]] AgentsView agents() const override { return shown_.view(); }
  [[nodiscard]] const scenario::Simulation& simulation() const { return simulation_; }

 private:
  scenario::Simulation simulation_;
  ShownPeople shown_;
};

std::string through_walls(const Prepared& prepared, std::uint64_t seed, int steps) {
  Run run(prepared, {.seed = seed, .threads = 2});
  return complaints_of(check_hard_walls(run, prepared.world->environment, steps));
}

std::vector<std::string> all_examples() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(THRONG_SOURCE_DIR) + "/examples"))
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

bool is_large(const std::string& name) { return name == "station" || name == "quarter"; }

TEST_CASE("every example has the same bits for 1, 2, 3 and 8 threads and reruns, and others for another seed") {
  CHECK(all_examples().size() >= 9);
  for (const std::string& name : all_examples()) {
    INFO(name);
    const Prepared prepared = example(name);
    const auto make = [&](std::uint64_t seed, unsigned threads) -> std::unique_ptr<Simulation> {
      return std::make_unique<Run>(prepared, SimulationOptions{.seed = seed, .threads = threads});
    };
    CHECK(complaints_of(check_determinism(make, {.steps = is_large(name) ? 10 : 60})) == "");
  }
}

TEST_CASE("nobody goes through a wall in the first seconds of any example") {
  for (const std::string& name : all_examples()) {
    INFO(name);
    CHECK(through_walls(example(name), 1, is_large(name) ? 30 : 150) == "");
  }
}

TEST_CASE("long: nobody goes through a wall in any example, from its start to its end, with three seeds") {
  for (const std::string& name : all_examples()) {
    const Prepared prepared = example(name);
    for (std::uint64_t seed = 1; seed <= (is_large(name) ? 1u : 3u); ++seed) {
      INFO(name << ", seed " << seed);
      const Run run(prepared, {.seed = seed, .threads = 2});
      CHECK(through_walls(prepared, seed, int(run.simulation().total_steps())) == "");
    }
  }
}

TEST_CASE("long: every example has the same bits for any number of threads to its end") {
  for (const std::string& name : all_examples()) {
    if (is_large(name)) continue;
    INFO(name);
    const Prepared prepared = example(name);
    const auto make = [&](std::uint64_t seed, unsigned threads) -> std::unique_ptr<Simulation> {
      return std::make_unique<Run>(prepared, SimulationOptions{.seed = seed, .threads = threads});
    };
    CHECK(complaints_of(check_determinism(make, {.steps = 1200})) == "");
  }
}

/// Two rooms joined by a door of the given width in a thin wall, people of radius 0.15 m in one, `density` a square metre, and a
/// source behind them that never stops.
std::string pushing(double door, double time_step, double density, double rate, const std::string& avoid) {
  const auto number = [](double value) { return std::to_string(value); };
  const int count = int(density * 20);
  return R"({"throng":1,"duration":1000,"time_step":)" + number(time_step) +
         R"(,"environment":{"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,5],[0,5],[0,0]]]}},
    {"type":"Feature","properties":{"kind":"obstacle"},"geometry":{"type":"LineString","coordinates":[[5,0],[5,)" +
         number(2.5 - door / 2) +
         R"(]]}},
    {"type":"Feature","properties":{"kind":"obstacle"},"geometry":{"type":"LineString","coordinates":[[5,)" +
         number(2.5 + door / 2) +
         R"(],[5,5]]}},
    {"type":"Feature","properties":{"kind":"area","name":"in"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,5],[0,5],[0,0]]]}},
    {"type":"Feature","properties":{"kind":"area","name":"room"},"geometry":{"type":"Polygon","coordinates":[[[1,0],[5,0],[5,5],[1,5],[1,0]]]}},
    {"type":"Feature","properties":{"kind":"area","name":"out"},"geometry":{"type":"Polygon","coordinates":[[[9,0],[10,0],[10,5],[9,5],[9,0]]]}}]},
   "profiles":{"p":{"radius":0.15,"avoid":{"method":")" +
         avoid + R"("}}},"populations":[
    {"name":"there","profile":"p","count":)" +
         std::to_string(count) + R"(,"start":{"area":"room"},"goals":[{"area":"out"}]},
    {"name":"pushing","profile":"p","rate":)" +
         number(rate) + R"(,"start":{"area":"in"},"goals":[{"area":"out"}]}]})";
}

TEST_CASE(
    "sources that push a dense crowd through a door one millimetre wider than a body push nobody through a wall") {
  for (const char* avoid : {"none", "moussaid", "orca"})
    for (const double dt : {0.1, 0.5}) {
      INFO(avoid << ", steps of " << dt);
      const Prepared prepared = from_text(pushing(0.301, dt, 6, 20, avoid));
      CHECK(through_walls(prepared, 1, 60) == "");
    }
}

TEST_CASE("long: random doors, densities, rates and steps, sixty times: nobody through a wall") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const char* methods[] = {"none", "moussaid", "moussaid_jaklin", "orca"};
  for (int i = 0; i < 60; ++i) {
    const double door = random.chance(0.5) ? 0.301 : random.uniform(0.301, 1.2);
    const std::string text = pushing(door, random.chance(0.5) ? 0.5 : random.uniform(0.01, 0.5), random.uniform(1, 6),
                                     random.uniform(1, 10), methods[random.below(4)]);
    INFO(text);
    CHECK(through_walls(from_text(text), random.next(), 200) == "");
  }
}

/// What everybody of a population was drawn: radius and speed are numbers, the place is what placing made of them.
std::map<std::string, std::vector<double>> radii_by_population(const std::string& populations) {
  const Prepared prepared = from_text(R"({"throng":1,"environment":{"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[40,0],[40,10],[0,10],[0,0]]]}}]},
    "profiles":{"p":{"radius":{"uniform":[0.15,0.3]}}},"populations":[)" +
                                      populations + "]}");
  Run run(prepared, {.seed = 5, .threads = 1});
  for (int i = 0; i < 50; ++i) run.step();
  std::map<std::string, std::vector<double>> radii;
  const crowd::Crowd& crowd = run.simulation().crowd();
  for (const crowd::Slot slot : crowd.in_serial_order())
    radii[prepared.scenario->populations[crowd.population_of(slot)].name].push_back(crowd.people().radius[slot]);
  return radii;
}

TEST_CASE("adding a population leaves the random draws of the others unchanged, sources too") {
  const std::string a = R"({"name":"a","profile":"p","count":20,"start":{"polygon":[[0,0],[10,0],[10,10],[0,10]]}})";
  const std::string b = R"({"name":"b","profile":"p","count":30,"start":{"polygon":[[30,0],[40,0],[40,10],[30,10]]}})";
  const std::string c =
      R"({"name":"c","profile":"p","rate":4,"start":{"polygon":[[15,0],[25,0],[25,10],[15,10]]},"goals":[{"point":[20,5]}],"at_goal":"stay"})";
  const auto alone = radii_by_population(a + "," + c);
  const auto with_b = radii_by_population(b + "," + a + "," + c);
  REQUIRE(alone.at("a").size() == 20);
  CHECK(alone.at("c").size() > 5);
  CHECK(with_b.at("a") == alone.at("a"));
  CHECK(with_b.at("c") == alone.at("c"));
  CHECK(radii_by_population(c + "," + a) == alone);
}

TEST_CASE("the hash of the closing table is the harness's own, of all steps") {
  const Prepared prepared = example("crossing");
  Result<scenario::Simulation> simulation =
      scenario::Simulation::make(prepared.scenario, prepared.world, {.threads = 1});
  REQUIRE(simulation.ok());
  Run run(prepared, {.threads = 2});
  analysis::Metrics metrics({}, {});
  metrics.begin(simulation->crowd());
  TrajectoryHash hash;
  hash.add(0, run.agents());
  for (std::uint64_t step = 1; step <= 100; ++step) {
    REQUIRE(simulation->step().ok());
    metrics.observe(simulation->crowd(), prepared.scenario->time_step);
    run.step();
    hash.add(step, run.agents());
  }
  CHECK(metrics.summary().hash == hash.value());
}

}  // namespace
}  // namespace throng::test
