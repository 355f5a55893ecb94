// The recording of a run, with its figures: what `throng run -o` writes, for every program that runs a scenario.
//
//   auto recorder = RunRecorder::create("station.throng", "", simulation, "my program 1.0");
//   metrics.begin(simulation.crowd());
//   (*recorder)->frame(simulation, metrics);
//   while (!simulation.finished() && simulation.step())
//     metrics.observe(simulation.crowd(), time_step), (*recorder)->frame(simulation, metrics);
//   const Problems problems = (*recorder)->finish(metrics, {.summary = metrics.summary()});
//
// read_run() (recorded_run.hpp) reads all of it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/figures.hpp"
#include "analysis/metrics.hpp"
#include "recording/recorder.hpp"
#include "scenario/simulation.hpp"

namespace throng::analysis {

/// The files that a recording of these layers is: one, or one a layer.
[[nodiscard]] std::vector<std::string> recording_files(const std::string& path, const std::string& format,
                                                       const std::vector<std::string>& layers);

/// Writes a simulation's people, frame by frame.
class RunRecorder {
 public:
  /// `format`: native, jupedsim, or empty for what the path's ending says. `program`: who records, for the file to say.
  static Result<std::unique_ptr<RunRecorder>> create(const std::string& path, const std::string& format,
                                                     const scenario::Simulation& simulation,
                                                     const std::string& program);
  /// After every step (and once before the first); writes every n-th, as the scenario says.
  void frame(const scenario::Simulation& simulation, const Metrics& metrics);
  void event(double time, std::string_view kind, std::string_view json) { recorder_->event(time, kind, json); }
  [[nodiscard]] bool failed() const { return recorder_->failed(); }
  /// What went wrong, if anything did.
  Problems finish(const Metrics& metrics, const RunEnd& end);
  /// After it failed: closes the file, and says up to which time it can be read; nothing where it cannot be told.
  [[nodiscard]] std::optional<double> recorded_until();

 private:
  void announce(const Metrics& metrics);

  std::string path_;
  bool native_ = false;
  std::unique_ptr<recording::Recorder> recorder_;
  std::uint64_t every_ = 1, steps_ = 0, frames_ = 0;
  std::vector<bool> gone_;  ///< by serial - 1: the row says when it left
  std::size_t announced_ = 0;
  std::vector<std::uint64_t> serials_;
  std::vector<Vec2> positions_;
  std::vector<std::uint32_t> layers_;
};

}  // namespace throng::analysis
