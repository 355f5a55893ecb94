// `throng run SCENARIO`: simulates, with a live progress line and a closing table.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <limits>
#include <optional>

#include "analysis/figures.hpp"
#include "analysis/metrics.hpp"
#include "analysis/run_metrics.hpp"
#include "analysis/run_recorder.hpp"
#include "analysis/run_snapshot.hpp"
#include "analysis/run_tables.hpp"
#include "cli/command.hpp"
#include "cli/load_mesh.hpp"
#include "cli/outputs.hpp"
#include "cli/report.hpp"
#include "cli/run_spread.hpp"
#include "scenario/limits.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {
namespace {

using Clock = std::chrono::steady_clock;
using analysis::Metrics;
using analysis::RunEnd;
using analysis::RunRecorder;
using analysis::StoppedBy;
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

struct Outcome {
  RunEnd end;
  bool recording_failed = false;
  Problems problems;  ///< of the snapshot, and of a step that failed

  [[nodiscard]] bool stopped() const { return end.stopped(); }
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
  return analysis::write_snapshot(with.snapshot_file, simulation, metrics);
}

/// Steps to the end, or until somebody asks to stop.
Outcome simulate(Simulation& simulation, Metrics& metrics, Companions with) {
  RunRecorder* const recorder = with.recorder;
  Outcome outcome;
  outcome.end.duration = simulation.duration();
  outcome.end.seed = simulation.seed();
  Progress progress(simulation.duration());
  const double dt = simulation.scenario().time_step;
  if (!with.resumed) metrics.begin(simulation.crowd());
  outcome.problems = take_snapshot(simulation, metrics, with);
  if (recorder != nullptr) recorder->frame(simulation, metrics);
  const Clock::time_point start = Clock::now();
  while (!simulation.finished() && stop_asked == 0) {
    if (const Result<std::size_t> moved = simulation.step(); !moved) {
      outcome.problems.insert(outcome.problems.end(), moved.problems().begin(), moved.problems().end());
      outcome.end.stopped_by = StoppedBy::fault;
      break;
    }
    metrics.observe(simulation.crowd(), dt);
    if (recorder != nullptr && !outcome.recording_failed) {
      recorder->frame(simulation, metrics);
      outcome.recording_failed = recorder->failed();
      if (outcome.recording_failed && !with.wants_whole_run) {
        outcome.end.stopped_by = StoppedBy::recording;
        break;
      }
    }
    if (outcome.problems.empty()) outcome.problems = take_snapshot(simulation, metrics, with);
    progress.update(simulation);
  }
  if (stop_asked != 0 && !simulation.finished() && !outcome.stopped()) outcome.end.stopped_by = StoppedBy::signal;
  outcome.end.wall_s = seconds_since(start);
  progress.clear();
  outcome.end.summary = metrics.summary();
  outcome.end.waiting_outside = simulation.waiting_outside();
  for (const scenario::PopulationSpec& population : simulation.scenario().populations)
    outcome.end.populations.push_back(population.name);
  if (outcome.recording_failed) outcome.end.recorded_until = recorder->recorded_until();
  return outcome;
}

/// A figure as the table shows it.
std::string shown(const analysis::FigureOfRun& figure, const Json& value) {
  if (value.is_null()) return "-";
  const std::string number = value.is_number_integer() ? grouped(value.get<std::uint64_t>())
                                                       : fmt::format("{:.{}f}", value.get<double>(), figure.decimals);
  return figure.unit.empty() ? number : fmt::format("{} {}", number, figure.unit);
}

/// A rate of three people within half a second says nothing of the door.
bool tells_flow(const analysis::LineResult& line) {
  constexpr std::size_t enough_people = 5;
  constexpr double enough_seconds = 2;
  return line.crossings.size() >= enough_people &&
         line.crossings.back().time - line.crossings.front().time >= enough_seconds;
}

void print_table(const Outcome& outcome, const Metrics& metrics) {
  const RunEnd& end = outcome.end;
  const Summary& s = end.summary;
  std::vector<std::vector<std::string>> rows{{"", ""}};
  const auto row = [&](std::string what, std::string value) { rows.push_back({std::move(what), std::move(value)}); };
  for (const analysis::FigureOfRun& figure : analysis::figures()) {
    const Json value = figure.of_people ? figure.value(end) : Json();
    const bool unusual = figure.key == "waiting_outside" || figure.key == "lost";
    if (!figure.of_people || (unusual && value == 0) || (figure.where_in_use && value.is_null())) continue;
    row(std::string(figure.label), shown(figure, value));
  }
  if (outcome.stopped()) row("STOPPED EARLY", fmt::format("at {:.1f} of {:.1f} s", s.sim_time, end.duration));
  if (outcome.recording_failed)
    row("RECORDING FAILED", end.recorded_until ? fmt::format("recorded up to {:.1f} s", *end.recorded_until) : "-");
  row("simulated", fmt::format("{:.1f} s in {} steps", s.sim_time, grouped(s.steps)));
  row("took",
      fmt::format("{:.2f} s, {:.1f} x real time, {:.2f} ms a step", end.wall_s,
                  end.wall_s > 0 ? s.sim_time / end.wall_s : 0, s.steps > 0 ? 1000 * end.wall_s / double(s.steps) : 0));
  for (const analysis::GroupSummary& g : s.groups)
    if (g.size > 0)
      row(fmt::format("groups of {}", g.size),
          fmt::format("{}: coherence {:.1f} %, sociality {:.1f} and {:.1f} %, {} abreast", grouped(g.groups),
                      100 * g.coherence, 100 * g.partial, 100 * g.total,
                      g.abreast ? fmt::format("{:.0f} %", 100 * *g.abreast) : "-"));
  row("collisions", fmt::format("{}, at most {:.1f} cm deep", grouped(s.collisions), 100 * s.max_overlap));
  for (const analysis::ExitSummary& exit : s.exits)
    row("exit " + exit.name, fmt::format("{} people, {:.1f} to {:.1f} s, {:.2f} /s, waited {:.1f} s on average",
                                         exit.people, exit.first, exit.last, exit.flow(), exit.mean_waiting));
  for (const analysis::LineResult& line : metrics.lines())
    row("line " + line.line.name,
        fmt::format("{} crossings, net {}{}", line.crossings.size(), line.net(),
                    tells_flow(line) ? fmt::format(", {:.2f} /s", line.flow()) : ", too few for a flow"));
  for (const analysis::AreaResult& area : metrics.areas())
    row("area " + area.name, fmt::format("{:.2f} /m2 on average, {:.2f} at most", area.mean_density(), area.most()));
  for (const analysis::GroundShare& share : s.ground)
    row(fmt::format("{} on {}", end.populations[share.population], share.type),
        fmt::format("{:.1f} m, {:.1f} s", share.walk.metres, share.walk.seconds));
  row("hash", fmt::format("{:016x}", s.hash));
  fmt::print("{}", table(rows));
}

ExitCode misuse(std::string_view what) {
  fmt::print(stderr, "throng run: {}\n", what);
  return ExitCode::misuse;
}

/// What is wrong with the name and format of a recording; empty where nothing is.
std::string output_misuse(const std::string& path, const std::string& format) {
  if (path.empty()) return format.empty() ? "" : "--format says how to record, but there is no -o to record to";
  if (format.empty() && !path.ends_with(".throng") && !path.ends_with(".sqlite"))
    return fmt::format("'{}' ends neither in .throng nor in .sqlite; --format says which is meant", path);
  return {};
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
    for (const char* output : {"output", "agents", "groups", "measures", "snapshot", "resume"})
      if (parsed.given(output)) return fmt::format("--{} is for one run, --runs asks for several", output);
  return {};
}

ExitCode run_many(const Parsed& parsed, Simulation first, std::uint64_t runs) {
  std::vector<Json> rows;
  const std::shared_ptr<const scenario::Scenario> scenario = first.shared_scenario();
  const crowd::WorldPtr world = first.world();
  const std::uint64_t seed = first.seed();
  scenario::SimulationOptions options{{}, unsigned(parsed.whole_number("threads").value_or(0)), first.duration()};
  for (std::uint64_t i = 0; i < runs && stop_asked == 0; ++i) {
    options.seed = seed + i;
    Result<Simulation> simulation =
        i == 0 ? Result<Simulation>(std::move(first)) : Simulation::make(scenario, world, options);
    if (!simulation) return refused(simulation.problems());
    Metrics metrics = analysis::metrics_of(*simulation);
    const Outcome outcome = simulate(*simulation, metrics, {});
    rows.push_back(to_json(outcome.end));
    if (parsed.json())
      print_json(rows.back());
    else
      fmt::print(stderr, "seed {}: {} of {} arrived, hash {:016x}{}\n", seed + i, outcome.end.summary.arrived,
                 outcome.end.summary.agents, outcome.end.summary.hash,
                 outcome.stopped() ? fmt::format(", stopped at {:.1f} s", outcome.end.summary.sim_time) : "");
    if (has_errors(outcome.problems)) return refused(outcome.problems);
  }
  const auto whole =
      std::size_t(std::count_if(rows.begin(), rows.end(), [](const Json& run) { return !run["stopped"]; }));
  if (whole != runs) fmt::print(stderr, "stopped after {} of {} runs; only these are averaged\n", whole, runs);
  if (parsed.json())
    print_json(spread_json(rows, runs));
  else
    fmt::print("{}", spread_table(rows, runs));
  if (parsed.given("table")) {
    if (const Problems wrong = write_runs_csv(parsed.text("table"), rows); !wrong.empty()) return refused(wrong);
    if (!parsed.json()) say_written(parsed.text("table"));
  }
  return code_of_end();
}

std::vector<std::string> layers_of(const scenario::Scenario& scenario) {
  std::vector<std::string> layers;
  for (const environment::Layer& layer : scenario.environment.layers) layers.push_back(layer.id);
  return layers;
}

void say_all_written(const Parsed& parsed, const std::vector<std::string>& layers) {
  if (parsed.given("output"))
    for (const std::string& file : analysis::recording_files(parsed.text("output"), parsed.text("format"), layers))
      say_written(file);
  for (const char* const option : {"agents", "measures", "table"})
    if (parsed.given(option)) say_written(parsed.text(option));
}

ExitCode run_one(const Parsed& parsed, Simulation& simulation, Metrics metrics) {
  Result<std::unique_ptr<RunRecorder>> recorder =
      parsed.given("output")
          ? RunRecorder::create(parsed.text("output"), parsed.given("format") ? parsed.text("format") : "", simulation,
                                "throng " THRONG_VERSION)
          : Result<std::unique_ptr<RunRecorder>>(std::unique_ptr<RunRecorder>());
  if (!recorder) return refused(recorder.problems());
  Companions with{.recorder = recorder->get(),
                  .snapshot_file = {},
                  .resumed = parsed.given("resume"),
                  .wants_whole_run = parsed.given("agents") || parsed.given("groups") || parsed.given("measures") ||
                                     parsed.given("snapshot")};
  if (parsed.given("snapshot")) {
    with.snapshot_at = std::stod(parsed.list("snapshot")[0]);
    with.snapshot_file = parsed.list("snapshot")[1];
  }
  const Outcome outcome = simulate(simulation, metrics, std::move(with));
  Problems problems = outcome.problems;
  const auto append = [&](const Problems& more) { problems.insert(problems.end(), more.begin(), more.end()); };
  if (*recorder) append((*recorder)->finish(metrics, outcome.end));
  if (parsed.given("groups")) append(analysis::write_groups_csv(parsed.text("groups"), simulation, metrics));
  if (parsed.given("agents")) append(analysis::write_agents_csv(parsed.text("agents"), simulation, metrics));
  if (parsed.given("measures")) append(analysis::write_measures_csv(parsed.text("measures"), metrics));
  if (parsed.given("table")) append(write_runs_csv(parsed.text("table"), {to_json(outcome.end)}));
  if (parsed.json()) {
    Json all = to_json(outcome.end);
    if (metrics.groups().any()) all["groups"] = analysis::to_json(analysis::figures_of(metrics.groups()));
    print_json(all);
  } else {
    print_table(outcome, metrics);
    say_all_written(parsed, layers_of(simulation.scenario()));
  }
  if (const auto unheeded = outcome.end.summary.unheeded.value_or(0); unheeded > 0)
    fmt::print(stderr,
               "warning: there is no way under the guidance for {} of the routes: they go as if there were none\n",
               unheeded);
  if (outcome.end.stopped_by == StoppedBy::signal)
    fmt::print(stderr, "stopped at {:.1f} of {:.1f} s; everything up to there is kept\n", outcome.end.summary.sim_time,
               outcome.end.duration);
  if (has_errors(problems)) return refused(problems);
  return outcome.stopped() ? code_of_end() : ExitCode::done;
}

/// Files of the scenario too, once they are known.
std::optional<ExitCode> refused_outputs(const Parsed& parsed, const scenario::Scenario* scenario) {
  Outputs files("run");
  files.reads(parsed.text("SCENARIO")).reads(parsed.text("resume"));
  if (scenario != nullptr) {
    files.reads(scenario->environment_source);
    for (const scenario::PopulationSpec& population : scenario->populations)
      if (const auto* rows = std::get_if<scenario::Positions>(&population.who)) files.reads(rows->file);
    files.writes(analysis::recording_files(parsed.text("output"), parsed.text("format"), layers_of(*scenario)));
  } else {
    files.writes(parsed.text("output"));
  }
  files.writes(parsed.text("agents")).writes(parsed.text("groups")).writes(parsed.text("measures"));
  files.writes(parsed.text("table"));
  if (parsed.given("snapshot")) files.writes(parsed.list("snapshot")[1]);
  return files.refused();
}

/// Goes on from a snapshot, as if the run had never been interrupted.
ExitCode resume(const Parsed& parsed, scenario::Scenario scenario, const scenario::SimulationOptions& options) {
  const std::string path = parsed.text("resume");
  const Result<std::string> bytes = analysis::read_snapshot(path);
  if (!bytes) return refused(bytes.problems());
  geometry::ArchiveReader archive(*bytes);
  Result<Simulation> simulation = Simulation::resume(std::move(scenario), options, archive);
  if (!simulation) {
    Problems problems = simulation.problems();
    for (Problem& problem : problems)
      if (problem.place == "snapshot") problem.place = path;
    return refused(problems);
  }
  Metrics metrics = analysis::metrics_of(*simulation);
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
  return run_one(parsed, *simulation, analysis::metrics_of(*simulation));
}

const Registration registration({
    .name = "run",
    .summary = "simulates a scenario",
    .use = Use::start,
    .arguments =
        Arguments()
            .positional("SCENARIO", "a scenario file (docs/scenarios.md); - is standard input")
            .option("-o,--output", "FILE", "record the trajectories: .throng, or .sqlite for JuPedSim and PedPy")
            .choice("--format", "F", "of the recording; by the file's ending without it", {"native", "jupedsim"})
            .option("--seed", "N", "instead of the scenario's", Type::whole_number)
            .option("--runs", "N",
                    "repeat with the following seeds: a row each, then means, deviations and percentiles",
                    Type::whole_number)
            .option("--table", "FILE.csv", "a row a run, then their means, deviations and percentiles")
            .option("--threads", "N", "all the machine has without it; the result is the same", Type::whole_number)
            .option("--until", "T", "stop after that many seconds, instead of the scenario's duration", Type::number)
            .pair("--snapshot", "T FILE", "save the whole state after T seconds")
            .option("--resume", "SNAPSHOT", "go on from there, bit for bit as the run it was taken from")
            .option("--agents", "FILE.csv", "a line for each person: times, distance, speed")
            .option("--groups", "FILE.csv", "a line for each group: coherence, socialities, distances, who was parted")
            .option("--measures", "FILE.csv", "every crossing of a line, every density in an area"),
    .run = run,
    .details =
        "One seed, one result: the hash is the same on every x86-64 and for any number of threads. Ctrl-C stops after "
        "the step\nthe run is in and keeps everything so far; the exit code is then 130 (143 for SIGTERM), and "
        "`stopped` "
        "is true. A recording\nthat fails (a full disk) is exit code 1; the run goes on where --agents, --measures or "
        "--snapshot want it.\n"
        "JSON: agents, arrived, steps, sim_time, wall_s, ms_per_step, realtime_factor, collisions, collision_steps,\n"
        "max_overlap, stuck, evacuated_50, evacuated_95, evacuated_100, groups (by size), hash, stopped, stopped_by "
        "(signal, recording, "
        "fault),\n"
        "duration, recorded_until (of a recording that failed), and more; with --runs a line each, then one over "
        "the\n"
        "whole ones: for every figure mean, deviation, runs, least, p5, p25, p50, p75, p95, most.",
});

}  // namespace
}  // namespace throng::cli
