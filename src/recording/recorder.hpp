// Recordings as they are written: who was where at which time, beside all that is needed to know what was simulated.
//
// A recorder takes frames from the loop of a simulation and writes a file on a thread of its own. docs/recordings.md describes the
// files.
//
// Laws
// 1. A call copies what it is given and returns; encoding and writing happen on the recorder's thread. What waits to be written is
//    bounded (`queue_bytes`, or one frame where that is larger): where the disk is slower than the simulation, the caller waits.
// 2. Frames are numbered 0, 1, 2, ... without gaps; within one, serials ascend strictly. An agent's row comes before the first
//    frame that it is in, and may come again, changed (when it leaves).
// 3. What breaks law 2, or cannot be stored, ends the recording: what came before it stays readable, everything after it is ignored,
//    failed() turns true, and finish() says what was wrong.
// 4. A native file appears at its path, replacing what was there, when its recorder is made: complete but for frames. From then on it can
//    be read up to its last complete chunk, whatever becomes of the writer. After finish() it is one file. JuPedSim's, whose readers could
//    not tell, is called PATH.part until finish().
// 5. The same calls give the same chunks, on every machine with the same version of zstd. No wall time is stored.
// 6. As long as a recorder lives, another one for the same file is refused, in this process or another.
//
// Thread-safety: the calls of one recorder come one after another; different recorders are independent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "throng/result.hpp"
#include "throng/vec2.hpp"

namespace throng::recording {

/// No serial is larger: files store signed numbers of 64 bits.
constexpr std::uint64_t max_serial = std::numeric_limits<std::int64_t>::max();

/// No recording has more frames: a week at 25 a second.
constexpr std::uint64_t max_frames = 16'000'000;
/// Seconds between two steps.
constexpr double least_time_step = 1e-4, largest_time_step = 1e7;
/// Layers, populations, profiles: the viewer counts them in 16 bits.
constexpr std::size_t max_names = std::size_t(1) << 16;

/// What a recording says of one agent beside its positions.
struct AgentRow {
  std::uint64_t serial = 0;      ///< never reused
  std::uint32_t population = 0;  ///< into Meta::populations
  std::uint32_t profile = 0;     ///< into Meta::profiles
  std::int64_t group = -1;       ///< -1: walks alone
  double radius = 0;
  double appears = 0;                                        ///< time of simulation
  double leaves = std::numeric_limits<double>::quiet_NaN();  ///< NaN while it is still there
};

/// What was simulated, complete enough to do it again.
struct Meta {
  std::string program;           ///< name and version of the program that wrote it
  std::string environment_json;  ///< GeoJSON
  std::string scenario_json;     ///< as it was given
  std::string parameters_json;   ///< every parameter, defaults resolved
  std::uint64_t seed = 0;
  double time_step = 0.1;
  int every = 1;                    ///< steps between frames
  double unit = 0;                  ///< of the snap grid; 0: unknown
  std::vector<std::string> layers;  ///< at least one, distinct
  std::vector<std::string> populations;
  std::vector<std::string> profiles;

  /// Time between two frames.
  [[nodiscard]] double frame_time() const { return time_step * every; }
};

/// Everybody at one time. Views: whoever gives a frame owns what it shows.
struct Frame {
  std::uint64_t number = 0;
  double time = 0;
  std::span<const std::uint64_t> serial;  ///< ascending strictly
  std::span<const Vec2> position;
  std::span<const std::uint32_t> layer;  ///< into Meta::layers
};

/// What finish() has to tell.
struct Written {
  std::uint64_t frames = 0;
  std::uint64_t bytes = 0;  ///< of all files together
};

class Recorder {
 public:
  virtual ~Recorder() = default;

  /// An agent appears, or its row changes.
  virtual void agent(const AgentRow& row) = 0;
  virtual void frame(const Frame& frame) = 0;
  virtual void event(double time, std::string_view kind, std::string_view json) = 0;
  /// A figure of the whole run; a later one of the same name takes the place of the earlier.
  virtual void metric(std::string_view name, std::string_view json) = 0;

  /// Whether something went wrong already, so that a long run need not go on for nothing. Any thread may ask.
  [[nodiscard]] virtual bool failed() const = 0;
  /// Waits for the writer and closes the file; says what was wrong first. Nothing is recorded afterwards. A recorder that dies
  /// without it closes its file all the same.
  [[nodiscard]] virtual Result<Written> finish() = 0;
};

struct RecorderOptions {
  std::size_t queue_bytes = std::size_t(32) << 20;
};

/// Writes the native format (`.throng`): everything, positions in whole millimetres.
[[nodiscard]] Result<std::unique_ptr<Recorder>> create_native(const std::string& path, const Meta& meta,
                                                              const RecorderOptions& options = {});

/// Writes JuPedSim's trajectory files (version 2, SQLite), which PedPy reads too: positions in full precision and the walkable
/// area, no agents' rows, events and metrics. `layer_wkt` is the walkable area of each layer (`layer_wkts()` in
/// jupedsim.hpp makes it). One layer: one file at `path`. Several: one each, beside it, with the layer's name before the ending
/// (layer_path()); every file has every frame, and serials are the same in all of them.
[[nodiscard]] Result<std::unique_ptr<Recorder>> create_jupedsim(const std::string& path, const Meta& meta,
                                                                const std::vector<std::string>& layer_wkt,
                                                                const RecorderOptions& options = {});

}  // namespace throng::recording
