// What a program that embeds the library records: the same file, with the same figures, as `throng run` writes.
#include "analysis/run_recorder.hpp"

#include <doctest/doctest.h>

#include <set>

#include "analysis/recorded_run.hpp"
#include "analysis/run_metrics.hpp"
#include "analysis/run_tables.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "support/data.hpp"
#include "throng/run.hpp"

namespace throng::test {
namespace {

using analysis::RunEnd;
using analysis::RunRecorder;
using Json = nlohmann::ordered_json;

scenario::Simulation simulation_of(double duration) {
  Result<scenario::Scenario> read =
      scenario::read_scenario(THRONG_SOURCE_DIR "/examples/bottleneck.json", scenario::installed_methods());
  REQUIRE(read.ok());
  Result<scenario::Simulation> made = scenario::Simulation::make(std::move(read).value(), {.duration = duration});
  REQUIRE(made.ok());
  return std::move(made).value();
}

/// Runs to the end; closes the recording unless it is to look as if its writer had died.
RunEnd record(const std::string& path, double duration, bool close) {
  scenario::Simulation simulation = simulation_of(duration);
  analysis::Metrics metrics = analysis::metrics_of(simulation);
  Result<std::unique_ptr<RunRecorder>> recorder = RunRecorder::create(path, "", simulation, "a game 1.0");
  REQUIRE(recorder.ok());
  metrics.begin(simulation.crowd());
  (*recorder)->frame(simulation, metrics);
  while (!simulation.finished()) {
    REQUIRE(simulation.step().ok());
    metrics.observe(simulation.crowd(), simulation.scenario().time_step);
    (*recorder)->frame(simulation, metrics);
  }
  const RunEnd end{.summary = metrics.summary(),
                   .wall_s = 2,
                   .waiting_outside = simulation.waiting_outside(),
                   .seed = simulation.seed(),
                   .duration = simulation.duration()};
  if (close) CHECK((*recorder)->finish(metrics, end).empty());
  return end;
}

TEST_CASE("a recording made without the program has every figure, line and area of the run") {
  const TempDir folder;
  const std::string path = (folder / "run.throng").string();
  const RunEnd end = record(path, 40, true);
  const Result<analysis::RecordedRun> run = analysis::read_run(path);
  REQUIRE(run.ok());
  CHECK(run->finished);
  CHECK_FALSE(run->stopped);
  CHECK(run->meta.program == "a game 1.0");
  CHECK(run->figures == analysis::to_json(end));
  CHECK(run->figures["arrived"].get<std::uint64_t>() > 0);
  CHECK(run->people.size() == end.summary.agents);
  CHECK_FALSE(run->lines.empty());

  scenario::Simulation again = simulation_of(40);
  analysis::Metrics metrics = analysis::metrics_of(again);
  metrics.begin(again.crowd());
  while (!again.finished() && again.step().ok()) metrics.observe(again.crowd(), again.scenario().time_step);
  for (std::size_t i = 0; i < run->lines.size(); ++i) {
    CHECK(run->lines[i].crossings.size() == metrics.lines()[i].crossings.size());
    CHECK(run->lines[i].flow() == metrics.lines()[i].flow());
  }
  REQUIRE(run->areas.size() == metrics.areas().size());
  for (std::size_t i = 0; i < run->areas.size(); ++i)
    CHECK(run->areas[i].mean_density() == metrics.areas()[i].mean_density());
  CHECK(analysis::write_agents_csv((folder / "agents.csv").string(), again, metrics).empty());
  const std::string table = read_file(folder / "agents.csv");
  CHECK(std::size_t(std::count(table.begin(), table.end(), '\n')) == 1 + end.summary.agents);
}

TEST_CASE("of a recording that was not closed, what frames tell is told as of any other, and nothing else") {
  const TempDir folder;
  const std::string path = (folder / "run.throng").string();
  const RunEnd end = record(path, 40, false);
  const Result<analysis::RecordedRun> run = analysis::read_run(path);
  REQUIRE(run.ok());
  CHECK_FALSE(run->finished);
  const Json whole = analysis::to_json(end);
  for (const auto& [key, value] : run->figures.items()) CHECK(whole.contains(key));
  CHECK(run->figures["agents"] == whole["agents"]);
  CHECK(run->figures["arrived"].get<std::uint64_t>() <= whole["arrived"].get<std::uint64_t>());
  CHECK_FALSE(run->figures.contains("collisions"));
  CHECK_FALSE(run->figures.contains("hash"));
}

TEST_CASE("a host's run has the people, figures and recording of the library's") {
  const TempDir folder;
  const std::string path = (folder / "host.throng").string();
  const Json expected = analysis::to_json(record((folder / "run.throng").string(), 40, true));
  Result<Run> run = Run::open(THRONG_SOURCE_DIR "/examples/bottleneck.json",
                              {.duration = 40.0, .threads = 2, .recording = path, .program = "a game 2.0"});
  REQUIRE(run.ok());
  CHECK(run->serials().size() == 100);
  double farthest = 0;
  const Vec2 start = run->positions()[0];
  while (!run->finished()) {
    REQUIRE(run->step().ok());
    REQUIRE(run->positions().size() == run->serials().size());
    REQUIRE(run->layers().size() == run->serials().size());
    if (!run->serials().empty() && run->serials()[0] == 1) farthest = length(run->positions()[0] - start);
  }
  CHECK(farthest > 1);
  CHECK(run->time() == doctest::Approx(40));
  const Result<std::size_t> beyond = run->step();
  REQUIRE_FALSE(beyond.ok());
  CHECK(to_string(beyond.problems().front()).find("finished") != std::string::npos);
  CHECK_FALSE(run->recording_failed());
  const Json figures = Json::parse(run->figures());
  for (const auto& [key, value] : expected.items())
    if (key != "wall_s" && key != "ms_per_step" && key != "realtime_factor") CHECK_MESSAGE(figures[key] == value, key);
  CHECK(run->close().empty());
  CHECK(run->close().empty());
  const Result<analysis::RecordedRun> read = analysis::read_run(path);
  REQUIRE(read.ok());
  CHECK(read->figures == figures);
  CHECK(read->meta.program == "a game 2.0");
}

TEST_CASE("a host's run that is closed early says that it was stopped; what it cannot do is refused") {
  const TempDir folder;
  const std::string path = (folder / "host.throng").string(), scene = THRONG_SOURCE_DIR "/examples/bottleneck.json";
  Result<Run> run = Run::open(scene, {.seed = 9, .recording = path});
  REQUIRE(run.ok());
  for (int i = 0; i < 30; ++i) REQUIRE(run->step().ok());
  CHECK(run->close().empty());
  const Result<analysis::RecordedRun> read = analysis::read_run(path);
  REQUIRE(read.ok());
  CHECK(read->stopped);
  CHECK(read->meta.seed == 9);
  CHECK(read->figures["sim_time"] == doctest::Approx(3));
  CHECK(run->step().ok());  // it may go on without its recording

  CHECK_FALSE(Run::open((folder / "nothing.json").string()).ok());
  CHECK_FALSE(Run::open(scene, {.recording = (folder / "run.csv").string()}).ok());
  CHECK_FALSE(Run::open(scene, {.recording = (folder / "nowhere" / "run.throng").string()}).ok());
}

TEST_CASE("figures have one name each, and means over nobody are null") {
  std::set<std::string_view> keys, labels;
  for (const analysis::FigureOfRun& figure : analysis::figures()) {
    CHECK(keys.insert(figure.key).second);
    CHECK(labels.insert(figure.label).second);
  }
  const Json nobody = analysis::to_json(RunEnd{});
  for (const char* mean : {"mean_travel_time", "mean_distance", "mean_speed", "mean_slow_time", "mean_energy"})
    CHECK(nobody[mean].is_null());
  CHECK(nobody["evacuated_50"].is_null());
  CHECK_FALSE(nobody.contains("mean_incentive"));
  CHECK(nobody["stopped"] == false);
  CHECK(nobody["stopped_by"].is_null());
  RunEnd somebody{.stopped_by = analysis::StoppedBy::recording};
  somebody.summary.arrived = 2, somebody.summary.mean_speed = 1.25, somebody.summary.mean_incentive = 0.5,
  somebody.summary.stream_share = 0.25;
  const Json figures = analysis::to_json(somebody);
  CHECK(figures["mean_speed"] == 1.25);
  CHECK(figures["mean_incentive"] == 0.5);
  CHECK(figures["stream_share"] == 0.25);
  CHECK(figures["stopped"] == true);
  CHECK(figures["stopped_by"] == "recording");
}

}  // namespace
}  // namespace throng::test
