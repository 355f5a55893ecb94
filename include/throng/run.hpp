// A scenario as a program of its own runs it: stepped by its host, counted and recorded as `throng run` does.
//
//   throng::Result<throng::Run> run = throng::Run::open("station.json", {.recording = "station.throng"});
//   while (!run->finished() && run->step()) show(run->positions());
//   const throng::Problems problems = run->close();
//   save(run->figures());
//
// Laws
// 1. The same scenario, seed and duration give the same people, figures and recording as `throng run`, but for the time they took.
// 2. A recording is whole once close() was called; until then, and where that never happens, it opens to its last second or so.
// 3. A recording that fails (a full disk) stops neither steps nor figures: recording_failed() says it, close() says why.
// Units: metres, seconds. Thread-safety: one thread at a time. In throng::throng, not in throng::core.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "throng/result.hpp"
#include "throng/vec2.hpp"

namespace throng {

/// What a run is to do beside what its scenario says.
struct RunOptions {
  std::optional<std::uint64_t> seed;  ///< instead of the scenario's
  std::optional<double> duration;     ///< instead of the scenario's
  unsigned threads = 0;               ///< 0: as many as the machine has; the result is the same
  std::string recording;              ///< a .throng file, or .sqlite for JuPedSim; empty: none
  std::string program = "throng";     ///< what recordings say they were made by
};

/// A scenario that runs.
class Run {
 public:
  /// Reads a scenario (docs/scenarios.md), places everybody, begins the recording. Warnings come along.
  [[nodiscard]] static Result<Run> open(const std::string& scenario, const RunOptions& options = {});
  ~Run();
  Run(Run&&) noexcept;
  Run& operator=(Run&&) noexcept;

  /// One time step: how many came in. Refused where finished().
  Result<std::size_t> step();
  /// Whether the duration is over, or nobody is there any more and nobody is due.
  [[nodiscard]] bool finished() const;
  /// Seconds since the start.
  [[nodiscard]] double time() const;

  ///@{ Everybody who is there now, in one order: the numbers of people, which are theirs for good, their places, and their layers.
  /// Valid until the next step.
  [[nodiscard]] std::span<const std::uint64_t> serials() const;
  [[nodiscard]] std::span<const Vec2> positions() const;
  [[nodiscard]] std::span<const std::uint32_t> layers() const;
  ///@}

  /// What was counted so far, as a JSON object: the members that `throng run --json` prints (docs/formats.md).
  [[nodiscard]] std::string figures() const;
  /// Whether the recording could not be written on.
  [[nodiscard]] bool recording_failed() const;
  /// Ends the recording, with the figures (of a run that was stopped, before finished()); the run may go on without it. What was wrong with
  /// it, if anything was. Nothing where it was ended before.
  Problems close();

 private:
  struct State;
  explicit Run(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace throng
