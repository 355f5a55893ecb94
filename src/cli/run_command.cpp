// `throng run SCENARIO`: simulates, with a live progress line and a closing table.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <limits>
#include <optional>

#include "analysis/metrics.hpp"
#include "analysis/spread.hpp"
#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/outputs.hpp"
#include "cli/report.hpp"
#include "cli/run_metrics.hpp"
#include "cli/run_output.hpp"
#include "cli/run_snapshot.hpp"
#include "scenario/limits.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using Clock = std::chrono::steady_clock;
using analysis::Metrics;
using analysis::Summary;
using scenario::Simulation;

/// The signal, once Ctrl-C or a request to end came: the run stops after the step it is in, and everything so far is kept.
volatile std::sig_atomic_t stop_asked = 0;

void ask_to_stop(int signal) { stop_asked = signal; }

/// What the program ends with where nothing else was wrong.
ExitCode code_of_end() {
  if (stop_asked == 0) return ExitCode::done;
  return stop_asked == SIGINT ? ExitCode::interrupted : ExitCode::terminated;
}

/// While it lives, Ctrl-C asks instead of killing; a second one kills.
class StopOnRequest {
 public:
  StopOnRequest() {
    struct sigaction action = {};
    action.sa_handler = ask_to_stop;
    action.sa_flags = int(SA_RESETHAND);
    sigaction(SIGINT, &action, &before_interrupt_);
    sigaction(SIGTERM, &action, &before_terminate_);
  }
  ~StopOnRequest() {
    sigaction(SIGINT, &before_interrupt_, nullptr);
    sigaction(SIGTERM, &before_terminate_, nullptr);
  }
  StopOnRequest(const StopOnRequest&) = delete;
  StopOnRequest& operator=(const StopOnRequest&) = delete;

 private:
  struct sigaction before_interrupt_ = {}, before_terminate_ = {};
};

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// One line on the terminal that is written over; nothing where standard error is a file.
class Progress {
 public:
  explicit Progress(double until) : until_(until), shown_(isatty(STDERR_FILENO) != 0) {}

  void update(const Simulation& simulation) {
    if (!shown_ || seconds_since(last_) < 0.25) return;
    last_ = Clock::now();
    const double wall = seconds_since(start_);
    const double time = simulation.crowd().time();
    const double left = time > 0 ? wall * (until_ - time) / time : 0;
    fmt::print(stderr, "\r{:7.1f} of {:.0f} s  {:6} people  {:6.1f} x real time  at most {:4.0f} s left ", time, until_,
               simulation.crowd().size(), wall > 0 ? time / wall : 0, left);
    std::fflush(stderr);
  }
  void clear() const {
    if (shown_) fmt::print(stderr, "\r{:78}\r", "");
  }

 private:
  double until_;
  bool shown_;
  Clock::time_point start_ = Clock::now(), last_ = Clock::now();
};

/// Why a run did not come to its end.
enum class StoppedBy { nothing, signal, recording, fault };
constexpr const char* stopped_by_names[] = {nullptr, "signal", "recording", "fault"};

struct Outcome {
  Summary summary;
  double wall_s = 0;
  double duration = 0;  ///< that was asked for
  std::size_t waiting_outside = 0;
  StoppedBy stopped_by = StoppedBy::nothing;
  bool recording_failed = false;
  std::optional<double> recorded_until;  ///< of a recording that failed
  Problems problems;                     ///< of the snapshot, and of a step that failed

  [[nodiscard]] bool stopped() const { return stopped_by != StoppedBy::nothing; }
};

/// What a run does beside moving people.
struct Companions {
  RunRecorder* recorder = nullptr;
  double snapshot_at = std::numeric_limits<double>::infinity();
  std::string snapshot_file;
  bool resumed = false;          ///< metrics go on from where they were
  bool wants_whole_run = false;  ///< also where it cannot be recorded to its end: somebody asked for its figures
};

/// Writes the snapshot when its time has come; what went wrong, if anything did.
Problems take_snapshot(const Simulation& simulation, const Metrics& metrics, Companions& with) {
  constexpr double rounding = 1e-9;
  if (simulation.crowd().time() + rounding < with.snapshot_at) return {};
  with.snapshot_at = std::numeric_limits<double>::infinity();
  return write_snapshot(with.snapshot_file, simulation, metrics);
}

/// Steps to the end, or until somebody asks to stop.
Outcome simulate(Simulation& simulation, Metrics& metrics, Companions with) {
  RunRecorder* const recorder = with.recorder;
  Outcome outcome;
  outcome.duration = simulation.duration();
  Progress progress(simulation.duration());
  const double dt = simulation.scenario().time_step;
  if (!with.resumed) metrics.begin(simulation.crowd());
  outcome.problems = take_snapshot(simulation, metrics, with);
  if (recorder != nullptr) recorder->frame(simulation, metrics);
  const Clock::time_point start = Clock::now();
  while (!simulation.finished() && stop_asked == 0) {
    if (const Result<std::size_t> moved = simulation.step(); !moved) {
      outcome.problems.insert(outcome.problems.end(), moved.problems().begin(), moved.problems().end());
      outcome.stopped_by = StoppedBy::fault;
      break;
    }
    metrics.observe(simulation.crowd(), dt);
    if (recorder != nullptr && !outcome.recording_failed) {
      recorder->frame(simulation, metrics);
      outcome.recording_failed = recorder->failed();
      if (outcome.recording_failed && !with.wants_whole_run) {
        outcome.stopped_by = StoppedBy::recording;
        break;
      }
    }
    if (outcome.problems.empty()) outcome.problems = take_snapshot(simulation, metrics, with);
    progress.update(simulation);
  }
  if (stop_asked != 0 && !simulation.finished() && !outcome.stopped()) outcome.stopped_by = StoppedBy::signal;
  outcome.wall_s = seconds_since(start);
  progress.clear();
  outcome.summary = metrics.summary();
  outcome.waiting_outside = simulation.waiting_outside();
  if (outcome.recording_failed) outcome.recorded_until = recorder->recorded_until();
  return outcome;
}

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// A mean over those who arrived; of nobody there is none.
std::optional<double> of_arrived(const Summary& s, double mean) {
  return s.arrived > 0 ? std::optional(mean) : std::nullopt;
}

Json to_json(const Outcome& outcome, std::uint64_t seed) {
  const Summary& s = outcome.summary;
  const double ms_per_step = s.steps > 0 ? 1000 * outcome.wall_s / double(s.steps) : 0;
  Json all{{"agents", s.agents},
           {"arrived", s.arrived},
           {"steps", s.steps},
           {"sim_time", s.sim_time},
           {"wall_s", outcome.wall_s},
           {"ms_per_step", ms_per_step},
           {"realtime_factor", outcome.wall_s > 0 ? s.sim_time / outcome.wall_s : 0.0},
           {"collisions", s.collisions},
           {"collision_steps", s.collision_steps},
           {"max_overlap", s.max_overlap},
           {"stuck", s.stuck},
           {"lost", s.lost},
           {"waiting_outside", outcome.waiting_outside},
           {"evacuated_50", number_or_null(s.evacuated_50)},
           {"evacuated_95", number_or_null(s.evacuated_95)},
           {"evacuated_100", number_or_null(s.evacuated_100)},
           {"mean_travel_time", number_or_null(of_arrived(s, s.mean_travel_time))},
           {"mean_distance", number_or_null(of_arrived(s, s.mean_distance))},
           {"mean_speed", number_or_null(of_arrived(s, s.mean_speed))},
           {"mean_slow_time", number_or_null(of_arrived(s, s.mean_slow_time))},
           {"mean_energy", number_or_null(of_arrived(s, s.mean_energy))},
           {"seed", seed},
           {"duration", outcome.duration},
           {"stopped", outcome.stopped()},
           {"stopped_by", outcome.stopped() ? Json(stopped_by_names[std::size_t(outcome.stopped_by)]) : Json(nullptr)},
           {"recorded_until", number_or_null(outcome.recorded_until)},
           {"hash", fmt::format("{:016x}", s.hash)}};
  // What methods in use add.
  if (s.mean_incentive) all["mean_incentive"] = *s.mean_incentive, all["stream_share"] = *s.stream_share;
  return all;
}

std::string seconds_or_dash(const std::optional<double>& value) {
  return value ? fmt::format("{:.1f} s", *value) : std::string("-");
}

void print_table(const Outcome& outcome, const Metrics& metrics) {
  const Summary& s = outcome.summary;
  std::vector<std::vector<std::string>> rows{{"", ""}};
  const auto row = [&](std::string what, std::string value) { rows.push_back({std::move(what), std::move(value)}); };
  row("people", grouped(s.agents));
  row("arrived", grouped(s.arrived));
  if (outcome.waiting_outside > 0) row("waiting outside", grouped(outcome.waiting_outside));
  if (s.lost > 0) row("without a way", grouped(s.lost));
  row("stuck", grouped(s.stuck));
  if (outcome.stopped()) row("STOPPED EARLY", fmt::format("at {:.1f} of {:.1f} s", s.sim_time, outcome.duration));
  if (outcome.recording_failed)
    row("RECORDING FAILED",
        outcome.recorded_until ? fmt::format("recorded up to {:.1f} s", *outcome.recorded_until) : "-");
  row("simulated", fmt::format("{:.1f} s in {} steps", s.sim_time, grouped(s.steps)));
  row("took", fmt::format("{:.2f} s, {:.1f} x real time, {:.2f} ms a step", outcome.wall_s,
                          outcome.wall_s > 0 ? s.sim_time / outcome.wall_s : 0,
                          s.steps > 0 ? 1000 * outcome.wall_s / double(s.steps) : 0));
  row("half arrived after", seconds_or_dash(s.evacuated_50));
  row("95 % after", seconds_or_dash(s.evacuated_95));
  row("all after", seconds_or_dash(s.evacuated_100));
  const auto mean = [&](double value, int digits, std::string_view unit) {
    return s.arrived > 0 ? fmt::format("{:.{}f} {}", value, digits, unit) : std::string("-");
  };
  row("mean travel time", mean(s.mean_travel_time, 1, "s"));
  row("mean distance", mean(s.mean_distance, 1, "m"));
  row("mean speed", mean(s.mean_speed, 2, "m/s"));
  row("mean time below 0.5 m/s", mean(s.mean_slow_time, 1, "s"));
  if (s.mean_incentive)
    row("mean incentive",
        fmt::format("{:.2f}, below 0.5 for {:.0f} % of the time", *s.mean_incentive, 100 * *s.stream_share));
  row("collisions", fmt::format("{}, at most {:.1f} cm deep", grouped(s.collisions), 100 * s.max_overlap));
  for (const analysis::LineResult& line : metrics.lines())
    row("line " + line.line.name,
        fmt::format("{} crossings, net {}, {:.2f} /s", line.crossings.size(), line.net(), line.flow()));
  for (const analysis::AreaResult& area : metrics.areas())
    row("area " + area.name, fmt::format("{:.2f} /m2 on average, {:.2f} at most", area.mean_density(), area.most()));
  row("hash", fmt::format("{:016x}", s.hash));
  fmt::print("{}", table(rows));
}

using analysis::Spread;

std::vector<Spread> spreads_of(const std::vector<Outcome>& outcomes) {
  std::vector<Spread> spreads;
  const auto gather = [&](const std::string& name, const auto& value_of) {
    Spread spread{name, {}};
    for (const Outcome& outcome : outcomes)
      if (const std::optional<double> value = value_of(outcome.summary)) spread.values.push_back(*value);
    spreads.push_back(std::move(spread));
  };
  gather("arrived", [](const Summary& s) { return std::optional(double(s.arrived)); });
  gather("evacuated_50", [](const Summary& s) { return s.evacuated_50; });
  gather("evacuated_95", [](const Summary& s) { return s.evacuated_95; });
  gather("evacuated_100", [](const Summary& s) { return s.evacuated_100; });
  gather("mean_travel_time", [](const Summary& s) { return of_arrived(s, s.mean_travel_time); });
  gather("mean_distance", [](const Summary& s) { return of_arrived(s, s.mean_distance); });
  gather("mean_speed", [](const Summary& s) { return of_arrived(s, s.mean_speed); });
  gather("mean_slow_time", [](const Summary& s) { return of_arrived(s, s.mean_slow_time); });
  gather("collisions", [](const Summary& s) { return std::optional(double(s.collisions)); });
  gather("max_overlap", [](const Summary& s) { return std::optional(s.max_overlap); });
  gather("stuck", [](const Summary& s) { return std::optional(double(s.stuck)); });
  if (outcomes.empty() || !outcomes.front().summary.mean_incentive) return spreads;
  gather("mean_incentive", [](const Summary& s) { return s.mean_incentive; });
  gather("stream_share", [](const Summary& s) { return s.stream_share; });
  return spreads;
}

/// Over whole runs only: one that was cut short would be averaged as if its people had stopped walking.
void print_spreads(const std::vector<Outcome>& outcomes, std::uint64_t asked, bool json) {
  const std::vector<Spread> spreads = spreads_of(outcomes);
  const bool all = outcomes.size() == asked;
  if (!all) fmt::print(stderr, "stopped after {} of {} runs; only these are averaged\n", outcomes.size(), asked);
  if (json) {
    Json object{{"runs", outcomes.size()}, {"asked", asked}, {"stopped", !all}};
    for (const Spread& spread : spreads)
      object[spread.name] = {
          {"mean", spread.mean()}, {"deviation", spread.deviation()}, {"runs", spread.values.size()}};
    print_json(object);
    return;
  }
  std::vector<std::vector<std::string>> rows{
      {all ? "over all runs" : fmt::format("over {} of {} runs", outcomes.size(), asked), "mean", "deviation", "runs"}};
  for (const Spread& spread : spreads)
    rows.push_back({spread.name, fmt::format("{:.3f}", spread.mean()), fmt::format("{:.3f}", spread.deviation()),
                    fmt::format("{}", spread.values.size())});
  fmt::print("{}", table(rows));
}

ExitCode misuse(std::string_view what) {
  fmt::print(stderr, "throng run: {}\n", what);
  return ExitCode::misuse;
}

std::string misuse_of(const Parsed& parsed) {
  if (const auto runs = parsed.whole_number("runs"); runs && (*runs < 1 || *runs > 1'000'000))
    return "--runs wants 1 to 1000000";
  if (const auto seed = parsed.whole_number("seed"); seed && *seed < 0) return "--seed wants a number from 0 on";
  if (const auto threads = parsed.whole_number("threads"); threads && (*threads < 1 || *threads > 1024))
    return "--threads wants 1 to 1024";
  if (parsed.given("snapshot") &&
      !(is_number(parsed.list("snapshot")[0], Type::number) && std::stod(parsed.list("snapshot")[0]) >= 0))
    return "--snapshot wants a time from 0 on, and a file";
  if (parsed.given("resume") && parsed.given("seed")) return "--resume goes on with the snapshot's seed";
  if (const auto until = parsed.number("until"); until && !(*until > 0 && *until <= scenario::limits::duration.most))
    return fmt::format("--until wants a time above 0, at most {:.0f} s", scenario::limits::duration.most);
  if (parsed.whole_number("runs").value_or(1) > 1)
    for (const char* output : {"output", "agents", "measures", "snapshot", "resume"})
      if (parsed.given(output)) return fmt::format("--{} is for one run, --runs asks for several", output);
  return {};
}

ExitCode run_many(const Parsed& parsed, Simulation first, std::uint64_t runs) {
  std::vector<Outcome> outcomes;
  const std::shared_ptr<const scenario::Scenario> scenario = first.shared_scenario();
  const crowd::WorldPtr world = first.world();
  const std::uint64_t seed = first.seed();
  scenario::SimulationOptions options{{}, unsigned(parsed.whole_number("threads").value_or(0)), first.duration()};
  for (std::uint64_t i = 0; i < runs && stop_asked == 0; ++i) {
    options.seed = seed + i;
    Result<Simulation> simulation =
        i == 0 ? Result<Simulation>(std::move(first)) : Simulation::make(scenario, world, options);
    if (!simulation) return refused(simulation.problems());
    Metrics metrics = metrics_of(*simulation);
    const Outcome outcome = simulate(*simulation, metrics, {});
    if (parsed.json())
      print_json(to_json(outcome, seed + i));
    else
      fmt::print(stderr, "seed {}: {} of {} arrived, hash {:016x}{}\n", seed + i, outcome.summary.arrived,
                 outcome.summary.agents, outcome.summary.hash,
                 outcome.stopped() ? fmt::format(", stopped at {:.1f} s", outcome.summary.sim_time) : "");
    if (has_errors(outcome.problems)) return refused(outcome.problems);
    if (!outcome.stopped()) outcomes.push_back(outcome);
  }
  print_spreads(outcomes, runs, parsed.json());
  return code_of_end();
}

ExitCode run_one(const Parsed& parsed, Simulation& simulation, Metrics metrics) {
  Result<std::unique_ptr<RunRecorder>> recorder =
      parsed.given("output")
          ? RunRecorder::create(parsed.text("output"), parsed.given("format") ? parsed.text("format") : "", simulation)
          : Result<std::unique_ptr<RunRecorder>>(std::unique_ptr<RunRecorder>());
  if (!recorder) return refused(recorder.problems());
  Companions with{.recorder = recorder->get(),
                  .snapshot_file = {},
                  .resumed = parsed.given("resume"),
                  .wants_whole_run = parsed.given("agents") || parsed.given("measures") || parsed.given("snapshot")};
  if (parsed.given("snapshot")) {
    with.snapshot_at = std::stod(parsed.list("snapshot")[0]);
    with.snapshot_file = parsed.list("snapshot")[1];
  }
  const Outcome outcome = simulate(simulation, metrics, std::move(with));
  Problems problems = outcome.problems;
  const auto append = [&](const Problems& more) { problems.insert(problems.end(), more.begin(), more.end()); };
  if (*recorder) append((*recorder)->finish(metrics, to_json(outcome, simulation.seed())));
  if (parsed.given("agents")) append(write_agents_csv(parsed.text("agents"), simulation, metrics));
  if (parsed.given("measures")) append(write_measures_csv(parsed.text("measures"), metrics));
  if (parsed.json())
    print_json(to_json(outcome, simulation.seed()));
  else
    print_table(outcome, metrics);
  if (outcome.stopped_by == StoppedBy::signal)
    fmt::print(stderr, "stopped at {:.1f} of {:.1f} s; everything up to there is kept\n", outcome.summary.sim_time,
               outcome.duration);
  if (has_errors(problems)) return refused(problems);
  return outcome.stopped() ? code_of_end() : ExitCode::done;
}

std::vector<std::string> layers_of(const scenario::Scenario& scenario) {
  std::vector<std::string> layers;
  for (const environment::Layer& layer : scenario.environment.layers) layers.push_back(layer.id);
  return layers;
}

/// Files of the scenario too, once they are known.
std::optional<ExitCode> refused_outputs(const Parsed& parsed, const scenario::Scenario* scenario) {
  Outputs files("run");
  files.reads(parsed.text("SCENARIO")).reads(parsed.text("resume"));
  if (scenario != nullptr) {
    files.reads(scenario->environment_source);
    for (const scenario::PopulationSpec& population : scenario->populations)
      if (const auto* rows = std::get_if<scenario::Positions>(&population.who)) files.reads(rows->file);
    files.writes(recording_files(parsed.text("output"), parsed.text("format"), layers_of(*scenario)));
  } else {
    files.writes(parsed.text("output"));
  }
  files.writes(parsed.text("agents")).writes(parsed.text("measures"));
  if (parsed.given("snapshot")) files.writes(parsed.list("snapshot")[1]);
  return files.refused();
}

/// Goes on from a snapshot, as if the run had never been interrupted.
ExitCode resume(const Parsed& parsed, scenario::Scenario scenario, const scenario::SimulationOptions& options) {
  const std::string path = parsed.text("resume");
  const Result<std::string> bytes = read_snapshot(path);
  if (!bytes) return refused(bytes.problems());
  geometry::ArchiveReader archive(*bytes);
  Result<Simulation> simulation = Simulation::resume(std::move(scenario), options, archive);
  if (!simulation) return refused(simulation.problems());
  Metrics metrics = metrics_of(*simulation);
  metrics.load(archive, simulation->crowd(), simulation->scenario().populations.size(),
               simulation->scenario().profiles.size());
  if (archive.failed() || !archive.at_end())
    return refused({{Severity::error, ProblemCode::value, path, "does not fit this scenario's measures"}});
  const StopOnRequest stop_on_request;
  return run_one(parsed, *simulation, std::move(metrics));
}

ExitCode run(const Parsed& parsed) {
  if (const std::string what = misuse_of(parsed); !what.empty()) return misuse(what);
  if (const std::string what = output_misuse(parsed.text("output"), parsed.text("format")); !what.empty())
    return misuse(what);
  if (const auto code = refused_outputs(parsed, nullptr)) return *code;
  Result<scenario::Scenario> read = scenario::read_scenario(parsed.text("SCENARIO"), scenario::installed_methods());
  if (!read) return refused(read.problems());
  print_problems(read.problems());
  if (const auto code = refused_outputs(parsed, &*read)) return *code;
  scenario::SimulationOptions options;
  if (const auto seed = parsed.whole_number("seed")) options.seed = std::uint64_t(*seed);
  options.threads = unsigned(parsed.whole_number("threads").value_or(0));
  options.duration = parsed.number("until");
  if (parsed.given("resume")) return resume(parsed, std::move(read).value(), options);
  Result<Simulation> simulation = Simulation::make(std::move(read).value(), options);
  if (!simulation) return refused(simulation.problems());
  print_problems(simulation.problems());
  const StopOnRequest stop_on_request;
  if (const auto runs = parsed.whole_number("runs"); runs && *runs > 1)
    return run_many(parsed, std::move(simulation).value(), std::uint64_t(*runs));
  return run_one(parsed, *simulation, metrics_of(*simulation));
}

const Registration registration({
    .name = "run",
    .summary = "simulates a scenario",
    .arguments =
        Arguments()
            .positional("SCENARIO", "a scenario file (docs/scenarios.md); - is standard input")
            .option("-o,--output", "FILE", "record the trajectories: .throng, or .sqlite for JuPedSim and PedPy")
            .choice("--format", "F", "of the recording; by the file's ending without it", {"native", "jupedsim"})
            .option("--seed", "N", "instead of the scenario's", Type::whole_number)
            .option("--runs", "N", "repeat with the following seeds; means and deviations", Type::whole_number)
            .option("--threads", "N", "all the machine has without it; the result is the same", Type::whole_number)
            .option("--until", "T", "stop after that many seconds, instead of the scenario's duration", Type::number)
            .pair("--snapshot", "T FILE", "save the whole state after T seconds")
            .option("--resume", "SNAPSHOT", "go on from there, bit for bit as the run it was taken from")
            .option("--agents", "FILE.csv", "a line for each person: times, distance, speed")
            .option("--measures", "FILE.csv", "every crossing of a line, every density in an area"),
    .run = run,
    .details =
        "One seed, one result: the hash is the same on every x86-64 and for any number of threads. Ctrl-C stops after "
        "the step\nthe run is in and keeps everything so far; the exit code is then 130 (143 for SIGTERM), and "
        "`stopped` "
        "is true. A recording\nthat fails (a full disk) is exit code 1; the run goes on where --agents, --measures or "
        "--snapshot want it.\n"
        "JSON: agents, arrived, steps, sim_time, wall_s, ms_per_step, realtime_factor, collisions, collision_steps,\n"
        "max_overlap, stuck, evacuated_50, evacuated_95, evacuated_100, hash, stopped, stopped_by (signal, recording, "
        "fault),\n"
        "duration, recorded_until (of a recording that failed), and more; with --runs a line each, then one of means "
        "and\n"
        "deviations over the whole ones.",
});

}  // namespace
}  // namespace throng::cli
