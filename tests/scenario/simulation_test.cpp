#include "scenario/simulation.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

#include "samples.hpp"
#include "scenario/check_scenario.hpp"
#include "support/crowd_simulation.hpp"

using namespace throng;
using namespace throng::scenario;
using namespace throng::scenario::test;

namespace {

Scenario scenario_of(const std::string& text, std::map<std::string, std::string> files = {}) {
  Result<Scenario> scenario = read(text, std::move(files));
  REQUIRE_MESSAGE(scenario.ok(), to_string(scenario.problems().front()));
  // The samples' methods have numbers of their own; these are the ones that exist.
  for (ProfileSpec& profile : scenario->profiles)
    profile.methods[agents::Level::follow].parameters = {}, profile.methods[agents::Level::avoid].parameters = {};
  return std::move(scenario).value();
}

Simulation simulation_of(const std::string& text, const SimulationOptions& options = {.threads = 1}) {
  Result<Simulation> simulation = Simulation::make(scenario_of(text), options);
  REQUIRE_MESSAGE(simulation.ok(), to_string(simulation.problems().front()));
  return std::move(simulation).value();
}

void run(Simulation& simulation) {
  while (!simulation.finished()) REQUIRE(simulation.step().ok());
}

/// What the harness checks.
class Subject : public throng::test::Simulation {
 public:
  explicit Subject(scenario::Simulation simulation) : simulation_(std::move(simulation)) {}
  void step() override { REQUIRE(simulation_.step().ok()); }
  [[nodiscard]] throng::test::AgentsView agents() const override {
    shown_.show(simulation_.crowd());
    return shown_.view();
  }

 private:
  scenario::Simulation simulation_;
  mutable throng::test::ShownPeople shown_;
};

const std::string both_ways = in_corridor(R"("duration":30,"populations":[
    {"name":"a","count":20,"start":{"area":"west"},"goals":[{"area":"east"}]},
    {"name":"b","rate":2,"until":20,"start":{"area":"east"},"goals":[{"area":"west"}]}])");

}  // namespace

TEST_CASE("people walk to their goal and leave, and the run ends when nobody is left and nobody is due") {
  Simulation simulation = simulation_of(population(R"("goals":[{"area":"east"}])"));
  CHECK(simulation.crowd().size() == 3);
  CHECK(!simulation.finished());
  run(simulation);
  CHECK(simulation.crowd().size() == 0);
  CHECK(simulation.crowd().time() > 15);
  CHECK(simulation.crowd().time() < 80);
}

TEST_CASE("a run ends at its duration, in whole steps") {
  Simulation simulation = simulation_of(in_corridor(
      R"("duration":0.7,"time_step":0.1,"populations":[{"count":1,"start":{"area":"west"},"goals":[{"area":"east"}]}])"));
  CHECK(simulation.total_steps() == 7);
  run(simulation);
  CHECK(simulation.crowd().step_count() == 7);
  CHECK(simulation_of(population(""), {.threads = 1, .duration = 0.35}).total_steps() == 4);
}

TEST_CASE("people who stay at their goal do not keep a run from ending") {
  Simulation simulation = simulation_of(population(R"("goals":[{"area":"east"}],"at_goal":"stay")"));
  run(simulation);
  CHECK(simulation.crowd().size() == 3);
  CHECK(simulation.crowd().time() < 100);
}

TEST_CASE("everybody who is due enters, first come first in, and who finds no room waits outside") {
  // 5 persons a second into a corner that holds about eight.
  Simulation simulation = simulation_of(in_corridor(R"("duration":40,"populations":[
      {"rate":5,"until":10,"start":{"polygon":[[0,0],[1.6,0],[1.6,1.6],[0,1.6]]},"goals":[{"area":"east"}]}])"));
  std::size_t longest = 0;
  std::uint64_t last = 0;
  while (!simulation.finished()) {
    REQUIRE(simulation.step().ok());
    longest = std::max(longest, simulation.waiting_outside());
    const EntranceCounts& counts = simulation.sources()[0].counts();
    CHECK(counts.waiting() == simulation.waiting_outside());
    CHECK(counts.entered >= last);
    last = counts.entered;
    // Nobody was let in on top of somebody: bodies overlap only as far as walking people push.
    for (const crowd::Contact& contact : simulation.crowd().contacts()) CHECK(contact.overlap < 0.2);
  }
  const EntranceCounts& counts = simulation.sources()[0].counts();
  CHECK(counts.due > 30);
  CHECK(counts.entered == counts.due);
  CHECK(longest > 3);
  CHECK(counts.longest_queue == longest);
  CHECK(counts.waited > 0);
  CHECK(!simulation.somebody_due());
}

TEST_CASE("a scenario with sources has the same bits for any number of threads, and nobody goes through a wall") {
  const auto make = [](std::uint64_t seed, unsigned threads) -> std::unique_ptr<throng::test::Simulation> {
    return std::make_unique<Subject>(simulation_of(both_ways, {.seed = seed, .threads = threads}));
  };
  CHECK(throng::test::complaints_of(throng::test::check_determinism(make, {.steps = 80})) == "");
  const environment::CleanEnvironment clean = *environment::clean(scenario_of(both_ways).environment);
  CHECK(throng::test::complaints_of(throng::test::check_hard_walls(*make(1, 1), clean, 80)) == "");
}

TEST_CASE("adding a population far away leaves the first steps of the others unchanged") {
  const std::string a =
      R"({"name":"a","count":10,"start":{"area":"west"},"goals":[{"area":"west","wait":5}],"at_goal":"stay"})";
  const std::string b = R"({"name":"b","count":10,"start":{"area":"east"}})";
  const auto positions = [](const std::string& populations, Index population) {
    Simulation simulation = simulation_of(in_corridor(R"("populations":[)" + populations + "]"));
    for (int i = 0; i < 20; ++i) REQUIRE(simulation.step().ok());
    std::vector<Vec2> all;
    for (const crowd::Slot slot : simulation.crowd().in_serial_order())
      if (simulation.crowd().population_of(slot) == population)
        all.push_back(simulation.crowd().people().position[slot]);
    return all;
  };
  const std::vector<Vec2> alone = positions(a, 0);
  CHECK(alone.size() == 10);
  CHECK(positions(b + "," + a, 1) == alone);
  CHECK(positions(a + "," + b, 0) == alone);
}

TEST_CASE("the check warns of goals nobody can reach, and of entrances nobody fits in") {
  const std::string walled = R"({"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
    {"type":"Feature","properties":{"kind":"obstacle"},"geometry":{"type":"LineString","coordinates":[[10,0],[10,4.7]]}},
    {"type":"Feature","properties":{"kind":"obstacle"},"geometry":{"type":"LineString","coordinates":[[10,5.3],[10,10]]}},
    {"type":"Feature","properties":{"kind":"area","name":"a"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,4],[0,4],[0,0]]]}},
    {"type":"Feature","properties":{"kind":"area","name":"b"},"geometry":{"type":"Polygon","coordinates":[[[16,0],[20,0],[20,4],[16,4],[16,0]]]}},
    {"type":"Feature","properties":{"kind":"area","name":"edge"},"geometry":{"type":"Polygon","coordinates":[[[0,9.9],[20,9.9],[20,10],[0,10],[0,9.9]]]}}]})";
  const auto warnings = [&](const std::string& radius, const std::string& population) {
    const std::string text = R"({"throng":1,"environment":"walled.geojson","profiles":{"p":{"radius":)" + radius +
                             R"(}},"populations":[{"profile":"p",)" + population + "}]}";
    const Scenario scenario = scenario_of(text, {{"walled.geojson", walled}});
    const Result<crowd::WorldPtr> world = make_world(scenario);
    REQUIRE(world.ok());
    std::string all;
    for (const Problem& problem : check_scenario(scenario, **world).problems) all += to_string(problem) + "\n";
    return all;
  };
  const std::string from_a = R"("count":2,"start":{"area":"a"},"goals":[)";
  CHECK(warnings("0.25", from_a + R"({"area":"b"}])") == "");
  CHECK(warnings("0.35", from_a + R"({"area":"b"}])").find("run.json: /populations/0/goals/0: nobody") == 0);
  CHECK(warnings("0.35", from_a + R"({"area":"b"}])").find("narrow") != std::string::npos);
  CHECK(warnings("0.35", from_a + R"({"nearest":["b","a"]}])") == "");
  CHECK(warnings("0.35", from_a + R"({"choose":{"b":1,"a":1}}])").find("/goals/0/choose/b: nobody") !=
        std::string::npos);
  CHECK(warnings("0.35", from_a + R"({"choose":{"b":0,"a":1}}])") == "");
  CHECK(warnings("0.35", from_a + R"({"area":"a"},{"point":[18,8]}])").find("/goals/1: nobody") != std::string::npos);
  CHECK(warnings("0.35", R"("rate":1,"start":{"area":"edge"},"goals":[{"area":"a"}])").find("can start here") !=
        std::string::npos);
  CHECK(warnings("0.35", R"("count":3,"start":{"area":"edge"})").find("does not fit") != std::string::npos);
}

TEST_CASE("people added after a resume are those who would have been added without one") {
  const std::string text =
      in_corridor(R"("profiles":{"p":{"speed":{"uniform":[0.5,2]}}},"populations":[{"name":"a","profile":"p","count":3,
      "start":{"area":"west"},"goals":[{"area":"east"}]}])");
  Simulation whole = simulation_of(text);
  REQUIRE(whole.add_people(0, {{10, 5}, 0}, 2).ok());
  geometry::ArchiveWriter bytes;
  whole.save(bytes);
  geometry::ArchiveReader reader(bytes.bytes());
  Result<Simulation> resumed = Simulation::resume(scenario_of(text), {.threads = 1}, reader);
  REQUIRE_MESSAGE(resumed.ok(), to_string(resumed.problems().front()));
  std::vector<double> speeds;
  for (Simulation* one : {&whole, &*resumed}) {
    const Result<std::vector<crowd::AgentId>> came = one->add_people(0, {{10, 5}, 0}, 1);
    REQUIRE(came.ok());
    REQUIRE(came->size() == 1);
    speeds.push_back(one->crowd().people().speed[one->crowd().slot_of(came->front())]);
  }
  CHECK(speeds[0] == speeds[1]);
}

TEST_CASE("the check warns of areas that are partly cut off") {
  // A wall all around one corner of the west area.
  std::string walled = corridor;
  walled.insert(
      walled.find("[", walled.find("features")) + 1,
      R"({"type":"Feature","properties":{"kind":"obstacle"},"geometry":{"type":"LineString","coordinates":[[0,4],[4,4],[4,0]]}},)");
  const Scenario scenario = scenario_of(population(R"("goals":[{"area":"east"}])"), {{"corridor.geojson", walled}});
  const Result<crowd::WorldPtr> world = make_world(scenario);
  REQUIRE(world.ok());
  Problems problems = check_scenario(scenario, **world).problems;
  // The default profile weighs the corridor's grass and plans as if it did not, which is said of the profile.
  std::erase_if(problems, [](const Problem& problem) { return problem.place.find("/profiles") != std::string::npos; });
  REQUIRE(problems.size() == 1);
  CHECK(problems[0].severity == Severity::warning);
  CHECK(problems[0].place == "run.json: /populations/0/start/area");
  CHECK(problems[0].message.find("cut off") != std::string::npos);
}
