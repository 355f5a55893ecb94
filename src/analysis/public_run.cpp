#include <chrono>
#include <vector>

#include "analysis/run_metrics.hpp"
#include "analysis/run_recorder.hpp"
#include "scenario/method_catalogue.hpp"
#include "scenario/scenario_reader.hpp"
#include "text/guarded.hpp"
#include "throng/run.hpp"

namespace throng {

struct Run::State {
  using Clock = std::chrono::steady_clock;

  explicit State(scenario::Simulation made) : simulation(std::move(made)), metrics(analysis::metrics_of(simulation)) {}

  /// Everybody as the host sees them.
  void show() {
    serials.clear(), positions.clear(), layers.clear();
    const agents::People people = simulation.crowd().people();
    for (const crowd::Slot slot : simulation.crowd().in_serial_order()) {
      serials.push_back(people.serial[slot]);
      positions.push_back(people.position[slot]);
      layers.push_back(people.layer[slot]);
    }
  }

  void record() {
    if (!recorder || failed) return;
    recorder->frame(simulation, metrics);
    failed = recorder->failed();
  }

  [[nodiscard]] analysis::RunEnd end() const {
    const bool whole = simulation.finished();
    return {.summary = metrics.summary(),
            .wall_s = wall_s,
            .waiting_outside = simulation.waiting_outside(),
            .seed = simulation.seed(),
            .duration = simulation.duration(),
            .stopped_by = whole ? analysis::StoppedBy::nothing : analysis::StoppedBy::signal};
  }

  scenario::Simulation simulation;
  analysis::Metrics metrics;
  std::unique_ptr<analysis::RunRecorder> recorder;
  bool failed = false;
  double wall_s = 0;  ///< in steps
  std::vector<std::uint64_t> serials;
  std::vector<Vec2> positions;
  std::vector<std::uint32_t> layers;
};

Run::Run(std::unique_ptr<State> state) : state_(std::move(state)) {}
Run::~Run() = default;
Run::Run(Run&&) noexcept = default;
Run& Run::operator=(Run&&) noexcept = default;

Result<Run> Run::open(const std::string& scenario, const RunOptions& options) {
  return guarded("run", [&]() -> Result<Run> {
    if (!options.recording.empty() && !options.recording.ends_with(".throng") &&
        !options.recording.ends_with(".sqlite"))
      return Problem{Severity::error, ProblemCode::value, options.recording, "recordings are .throng or .sqlite files"};
    Result<scenario::Scenario> read = scenario::read_scenario(scenario, scenario::installed_methods());
    if (!read) return read.problems();
    Problems warnings = read.problems();
    Result<scenario::Simulation> made = scenario::Simulation::make(
        std::move(read).value(), {.seed = options.seed, .threads = options.threads, .duration = options.duration});
    if (!made) return made.problems();
    warnings.insert(warnings.end(), made.problems().begin(), made.problems().end());
    auto state = std::make_unique<State>(std::move(made).value());
    if (!options.recording.empty()) {
      Result<std::unique_ptr<analysis::RunRecorder>> recorder =
          analysis::RunRecorder::create(options.recording, "", state->simulation, options.program);
      if (!recorder) return recorder.problems();
      state->recorder = std::move(recorder).value();
    }
    state->metrics.begin(state->simulation.crowd());
    state->record();
    state->show();
    return {Run(std::move(state)), std::move(warnings)};
  });
}

Result<std::size_t> Run::step() {
  return guarded("run", [&]() -> Result<std::size_t> {
    if (state_->simulation.finished())
      return Problem{Severity::error, ProblemCode::value, "run",
                     "is finished: nobody is left, or its duration is over"};
    const State::Clock::time_point start = State::Clock::now();
    Result<std::size_t> moved = state_->simulation.step();
    if (!moved) return moved;
    state_->metrics.observe(state_->simulation.crowd(), state_->simulation.scenario().time_step);
    state_->wall_s += std::chrono::duration<double>(State::Clock::now() - start).count();
    state_->record();
    state_->show();
    return moved;
  });
}

bool Run::finished() const { return state_->simulation.finished(); }
double Run::time() const { return state_->simulation.crowd().time(); }
std::span<const std::uint64_t> Run::serials() const { return state_->serials; }
std::span<const Vec2> Run::positions() const { return state_->positions; }
std::span<const std::uint32_t> Run::layers() const { return state_->layers; }
std::string Run::figures() const { return analysis::to_json(state_->end()).dump(); }
bool Run::recording_failed() const { return state_->failed; }

Problems Run::close() {
  if (!state_->recorder) return {};
  const Result<bool> closed = guarded("run", [&]() -> Result<bool> {
    analysis::RunEnd end = state_->end();
    if (state_->failed) end.recorded_until = state_->recorder->recorded_until();
    Problems problems = state_->recorder->finish(state_->metrics, end);
    state_->recorder.reset();
    if (has_errors(problems)) return problems;
    return {true, std::move(problems)};
  });
  return closed.problems();
}

}  // namespace throng
