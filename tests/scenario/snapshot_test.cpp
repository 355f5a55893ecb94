// A run that is saved and goes on from there must be the run that was never interrupted.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "analysis/metrics.hpp"
#include "following/follower.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"
#include "steering/avoider.hpp"
#include "support/random.hpp"
#include "text/archive.hpp"

namespace throng::test {
namespace {

using analysis::Metrics;
using scenario::Scenario;
using scenario::Simulation;

/// A hall with a source, people who wait, who choose the nearest exit, and one population of each follower with each
/// avoidance method.
Scenario busy_hall() {
  std::string profiles;
  std::string populations;
  const auto add = [&](std::string_view follow, std::string_view avoid) {
    const std::string name = std::string(follow) + "-" + std::string(avoid);
    profiles += (profiles.empty() ? "" : ", ") + ('"' + name + R"(": {"follow": {"method": ")" + std::string(follow) +
                                                  R"("}, "avoid": {"method": ")" + std::string(avoid) + R"("}})");
    populations += R"({"name": ")" + name + R"(", "profile": ")" + name +
                   R"(", "count": 2, "start": {"polygon": [[1, 1], [9, 1], [9, 9], [1, 9]]},
                      "goals": [{"point": [15, 5], "wait": {"uniform": [0, 3]}}, {"nearest": ["north", "south"]}]}, )";
  };
  for (const following::Follower* follower : following::followers())
    for (const steering::Avoider* avoider : steering::avoiders()) add(follower->info().name, avoider->info().name);
  const std::string text = R"({"throng": 1, "duration": 30, "environment": {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {"kind": "walkable"},
       "geometry": {"type": "Polygon", "coordinates": [[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},
      {"type": "Feature", "properties": {"kind": "obstacle"},
       "geometry": {"type": "Polygon", "coordinates": [[[11,4],[12,4],[12,6],[11,6],[11,4]]]}},
      {"type": "Feature", "properties": {"kind": "area", "name": "north"},
       "geometry": {"type": "Polygon", "coordinates": [[[18,8],[20,8],[20,10],[18,10],[18,8]]]}},
      {"type": "Feature", "properties": {"kind": "area", "name": "south"},
       "geometry": {"type": "Polygon", "coordinates": [[[18,0],[20,0],[20,2],[18,2],[18,0]]]}}]},
    "profiles": {)" + profiles +
                           R"(},
    "populations": [)" + populations +
                           R"({"name": "late", "rate": 2, "until": 20,
      "start": {"area": "south"}, "goals": [{"area": "north"}], "at_goal": "stay"}],
    "measure": [{"line": [[10, 0], [10, 10]], "name": "middle"}, {"area": "north"}]})";
  Result<Scenario> read = scenario::parse_scenario(text, "hall", scenario::installed_methods());
  REQUIRE_MESSAGE(read.ok(), to_string(read.problems().front()));
  return std::move(read).value();
}

Metrics metrics_of(const Simulation& simulation) {
  return {{{"middle", {10, 0}, {10, 10}, 0}},
          {{"north", simulation.setup().areas[simulation.setup().measured_areas[0]], 1.0}}};
}

void go_on(Simulation& simulation, Metrics& metrics, std::uint64_t until) {
  while (simulation.crowd().step_count() < until) {
    REQUIRE(simulation.step().ok());
    metrics.observe(simulation.crowd(), 0.1);
  }
}

std::string saved(const Simulation& simulation, const Metrics& metrics) {
  geometry::ArchiveWriter archive;
  simulation.save(archive);
  metrics.save(archive);
  return archive.bytes();
}

TEST_CASE("a resumed run equals the uninterrupted one, for every method, at 50 random steps") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  constexpr std::uint64_t last = 150;
  Result<Simulation> made = Simulation::make(busy_hall(), {.seed = 7, .threads = 2, .duration = {}});
  REQUIRE(made.ok());
  Simulation whole = std::move(made).value();
  Metrics whole_metrics = metrics_of(whole);
  whole_metrics.begin(whole.crowd());
  std::set<std::uint64_t> steps;
  while (steps.size() < 50) steps.insert(random.below(last));
  std::vector<std::pair<std::uint64_t, std::string>> snapshots;
  while (whole.crowd().step_count() < last) {
    if (steps.contains(whole.crowd().step_count()))
      snapshots.emplace_back(whole.crowd().step_count(), saved(whole, whole_metrics));
    go_on(whole, whole_metrics, whole.crowd().step_count() + 1);
  }
  REQUIRE(snapshots.size() == 50);
  for (const auto& [step, bytes] : snapshots) {
    INFO("step " << step);
    geometry::ArchiveReader archive(bytes);
    Result<Simulation> resumed = Simulation::resume(busy_hall(), {.seed = {}, .threads = 1, .duration = {}}, archive);
    REQUIRE_MESSAGE(resumed.ok(), to_string(resumed.problems().front()));
    Metrics metrics = metrics_of(*resumed);
    metrics.load(archive, resumed->crowd(), resumed->scenario().populations.size(),
                 resumed->scenario().profiles.size());
    CHECK(!archive.failed());
    CHECK(archive.at_end());
    CHECK(saved(*resumed, metrics) == bytes);
    go_on(*resumed, metrics, last);
    CHECK(metrics.summary().hash == whole_metrics.summary().hash);
    CHECK(metrics.summary().collisions == whole_metrics.summary().collisions);
  }
}

TEST_CASE("damaged snapshots are refused or harmless, never a crash") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  Result<Simulation> made = Simulation::make(busy_hall(), {.seed = 7, .threads = 1, .duration = {}});
  REQUIRE(made.ok());
  Simulation simulation = std::move(made).value();
  Metrics metrics = metrics_of(simulation);
  metrics.begin(simulation.crowd());
  go_on(simulation, metrics, 60);
  const std::string bytes = saved(simulation, metrics);
  std::size_t refused = 0;
  for (int i = 0; i < 150; ++i) {
    std::string broken = bytes;
    if (random.chance(0.3)) broken.resize(random.below(broken.size()));
    for (int k = 0; k < 3 && !broken.empty(); ++k) broken[random.below(broken.size())] = char(random.below(256));
    geometry::ArchiveReader archive(broken);
    Result<Simulation> resumed = Simulation::resume(busy_hall(), {.seed = {}, .threads = 1, .duration = {}}, archive);
    refused += !resumed.ok();
    if (!resumed) {
      CHECK(!resumed.problems().front().message.empty());
      continue;
    }
    Metrics after = metrics_of(*resumed);
    after.load(archive, resumed->crowd(), resumed->scenario().populations.size(), resumed->scenario().profiles.size());
    for (int step = 0; step < 3; ++step) CHECK(resumed->step().ok());
  }
  CHECK(refused > 50);
}

TEST_CASE("a snapshot that names populations and profiles there are none of is refused, before a table looks them up") {
  Result<Simulation> made = Simulation::make(busy_hall(), {.seed = 7, .threads = 1, .duration = {}});
  REQUIRE(made.ok());
  Simulation simulation = std::move(made).value();
  Metrics metrics = metrics_of(simulation);
  metrics.begin(simulation.crowd());
  go_on(simulation, metrics, 30);
  const std::string bytes = saved(simulation, metrics);
  const auto wrong_with = [&](const auto& change) {
    // The same text, which the snapshot is compared with, but fewer of something.
    Scenario fewer = busy_hall();
    change(fewer);
    geometry::ArchiveReader archive(bytes);
    const Result<Simulation> resumed =
        Simulation::resume(std::move(fewer), {.seed = {}, .threads = 1, .duration = {}}, archive);
    return resumed.ok() ? std::string() : to_string(resumed.problems().front());
  };
  CHECK(wrong_with([](Scenario&) {}).empty());
  CHECK(wrong_with([](Scenario& s) { s.populations.erase(s.populations.begin() + 1); }).find("population") !=
        std::string::npos);
  const auto metrics_fit = [&](std::size_t populations, std::size_t profiles) {
    geometry::ArchiveReader archive(bytes);
    Result<Simulation> resumed = Simulation::resume(busy_hall(), {.seed = {}, .threads = 1, .duration = {}}, archive);
    REQUIRE(resumed.ok());
    Metrics after = metrics_of(*resumed);
    after.load(archive, resumed->crowd(), populations, profiles);
    return !archive.failed();
  };
  const std::size_t populations = simulation.scenario().populations.size();
  const std::size_t profiles = simulation.scenario().profiles.size();
  CHECK(metrics_fit(populations, profiles));
  CHECK(!metrics_fit(populations - 1, profiles));
  CHECK(!metrics_fit(populations, 1));
}

TEST_CASE("a snapshot whose figures are of another crowd is refused") {
  Result<Simulation> made = Simulation::make(busy_hall(), {.seed = 7, .threads = 1, .duration = {}});
  REQUIRE(made.ok());
  Simulation simulation = std::move(made).value();
  Metrics metrics = metrics_of(simulation);
  metrics.begin(simulation.crowd());
  go_on(simulation, metrics, 30);
  const Metrics early = metrics;
  go_on(simulation, metrics, 60);
  const std::string bytes = saved(simulation, early);
  geometry::ArchiveReader mixed(bytes);
  Result<Simulation> resumed = Simulation::resume(busy_hall(), {.seed = {}, .threads = 1, .duration = {}}, mixed);
  REQUIRE(resumed.ok());
  Metrics after = metrics_of(*resumed);
  after.load(mixed, resumed->crowd(), resumed->scenario().populations.size(), resumed->scenario().profiles.size());
  CHECK(mixed.failed());
}

TEST_CASE("an entrance that says billions came, or that the next is due since for ever, is refused") {
  Result<Simulation> made = Simulation::make(busy_hall(), {.seed = 7, .threads = 1, .duration = {}});
  REQUIRE(made.ok());
  Simulation simulation = std::move(made).value();
  Metrics metrics = metrics_of(simulation);
  metrics.begin(simulation.crowd());
  go_on(simulation, metrics, 30);
  const scenario::Source& source = simulation.sources().front();
  REQUIRE(source.fits(simulation.crowd().time(), 0.1));
  // As Source::save has it: the queue, the next number and its time, what was counted.
  const auto fits = [&](std::uint32_t next_number, double next_time, std::uint64_t due) {
    geometry::ArchiveWriter out;
    out.put(std::uint64_t(0)), out.put(next_number), out.put(next_time);
    out.put(due), out.put(due), out.put(std::uint64_t(1)), out.put(0.0);
    scenario::Source other = source;
    const std::string bytes = out.bytes();
    geometry::ArchiveReader in(bytes);
    other.load(in);
    return !in.failed() && other.fits(simulation.crowd().time(), 0.1);
  };
  CHECK(fits(5, 3.5, 5));
  CHECK(!fits(4'000'000'000, 3.5, 5));
  CHECK(!fits(5, 3.5, 4'000'000'000));
  CHECK(!fits(5, -1e300, 5));
}

TEST_CASE("a snapshot of another scenario is refused") {
  Result<Simulation> made = Simulation::make(busy_hall());
  REQUIRE(made.ok());
  Simulation simulation = std::move(made).value();
  geometry::ArchiveWriter out;
  simulation.save(out);
  Scenario other = busy_hall();
  other.text += " ";
  geometry::ArchiveReader archive(out.bytes());
  const Result<Simulation> resumed = Simulation::resume(std::move(other), {}, archive);
  REQUIRE(!resumed.ok());
  CHECK(resumed.problems().front().message.find("another scenario") != std::string::npos);
}

}  // namespace
}  // namespace throng::test
