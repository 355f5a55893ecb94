// Native recordings (`.throng`), read.
//
// Laws
// 1. A finished recording gives what was recorded, every coordinate rounded to the nearest millimetre; one whose writer was killed
//    gives the frames of its complete chunks, and the rows that were stored with them.
// 2. Whatever the file holds, reading gives values that keep law 2 of recorder.hpp, or an error that says what is wrong; it needs
//    memory in proportion to the file, and for one chunk (chunk.hpp).
// 3. A file that is still being written can be read; frames that come after it was opened are not seen.
//
// Complexity: opening is linear in the number of chunks; a frame costs the decoding of its chunk, unless the last one asked for
// was in the same. Thread-safety: one thread at a time; any number of readers of one file.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
#include "recording/chunk.hpp"
#include "recording/recorder.hpp"
#include "recording/sqlite.hpp"

namespace throng::recording {

struct RecordedEvent {
  double time = 0;
  std::string kind;
  std::string json;
};

struct RecordedMetric {
  std::string name;
  std::string json;
};

class Recording {
 public:
  [[nodiscard]] static Result<Recording> open(const std::string& path);

  [[nodiscard]] const Meta& meta() const { return meta_; }
  /// What it was recorded in, cleaned. Its layers are those of the frames: whoever looks up a frame's layer in an environment takes this one.
  [[nodiscard]] Result<environment::CleanEnvironment> environment() const;
  /// Frames are numbered from 0.
  [[nodiscard]] std::uint64_t frame_count() const { return frame_count_; }
  /// A frame, which lives until the next call; `number` is below frame_count().
  [[nodiscard]] Result<Frame> frame(std::uint64_t number);
  /// Calls `visit` with every frame in turn, each of which lives for that call, until it returns false. Says what was wrong.
  [[nodiscard]] Problems each_frame(const std::function<bool(const Frame&)>& visit);

  /// By serial.
  [[nodiscard]] Result<std::vector<AgentRow>> agents();
  /// In the order they were recorded.
  [[nodiscard]] Result<std::vector<RecordedEvent>> events();
  /// By name.
  [[nodiscard]] Result<std::vector<RecordedMetric>> metrics();

 private:
  struct ChunkPlace {
    std::uint64_t first_frame = 0, frames = 0;
  };

  Problems check_format();
  Problems read_meta();
  Problems read_chunk_places();
  Problems load(const ChunkPlace& place);
  [[nodiscard]] Problem damaged(std::string message) const;

  std::string path_;
  Database database_;
  Meta meta_;
  std::vector<ChunkPlace> chunks_;
  std::uint64_t frame_count_ = 0;
  Chunk chunk_;  ///< the one decoded last
};

}  // namespace throng::recording
