// The part of a recorder that runs on the recorder's thread: a file format.
#pragma once

#include <memory>
#include <string_view>

#include "recording/recorder.hpp"

namespace throng::recording {

/// Every call but the last returns what was wrong, or nothing. After something was wrong only close() is called.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual Problems agent(const AgentRow& row) = 0;
  virtual Problems frame(const Frame& frame) = 0;
  virtual Problems event(double time, std::string_view kind, std::string_view json) = 0;
  virtual Problems metric(std::string_view name, std::string_view json) = 0;
  /// Stores what is still held back and closes the file.
  virtual Result<Written> close() = 0;
};

/// A recorder that hands everything to `sink` on a thread of its own.
[[nodiscard]] Result<std::unique_ptr<Recorder>> start_recorder(std::unique_ptr<Sink> sink,
                                                               const RecorderOptions& options);

/// What is wrong with what a recorder is to be made from.
[[nodiscard]] Problems check_meta(const std::string& path, const Meta& meta);

/// Why a frame breaks law 2 of recorder.hpp (its number aside), names no layer or is no place; nothing where it is fine.
[[nodiscard]] Problems check_frame(const std::string& path, const Frame& frame, std::uint64_t expected_number,
                                   std::size_t layers);

/// No coordinate is further from zero, in metres.
constexpr double max_coordinate = 1e9;

}  // namespace throng::recording
