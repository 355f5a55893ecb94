// What a run leaves behind: the recording and tables for spreadsheets.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/metrics.hpp"
#include "cli/report.hpp"
#include "recording/recorder.hpp"
#include "scenario/simulation.hpp"

namespace throng::cli {

/// The files that a recording of these layers is: one, or one a layer.
[[nodiscard]] std::vector<std::string> recording_files(const std::string& path, const std::string& format,
                                                       const std::vector<std::string>& layers);

/// What is wrong with the name and format of a recording; empty where nothing is.
[[nodiscard]] std::string output_misuse(const std::string& path, const std::string& format);

/// Writes a simulation's people, frame by frame.
class RunRecorder {
 public:
  /// `format`: native, jupedsim, or empty for what the path's ending says.
  static Result<std::unique_ptr<RunRecorder>> create(const std::string& path, const std::string& format,
                                                     const scenario::Simulation& simulation);
  /// After every step (and once before the first); writes every n-th, as the scenario says.
  void frame(const scenario::Simulation& simulation, const analysis::Metrics& metrics);
  void event(double time, std::string_view kind, std::string_view json) { recorder_->event(time, kind, json); }
  [[nodiscard]] bool failed() const { return recorder_->failed(); }
  /// What went wrong, if anything did.
  Problems finish(const analysis::Metrics& metrics, const Json& summary);
  /// After it failed: closes the file, and says up to which time it can be read; nothing where it cannot be told.
  [[nodiscard]] std::optional<double> recorded_until();

 private:
  void announce(const analysis::Metrics& metrics);

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

/// A line for each person.
[[nodiscard]] Problems write_agents_csv(const std::string& path, const scenario::Simulation& simulation,
                                        const analysis::Metrics& metrics);
/// Every crossing and every density.
[[nodiscard]] Problems write_measures_csv(const std::string& path, const analysis::Metrics& metrics);

}  // namespace throng::cli
