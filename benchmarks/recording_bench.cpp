// throng bench recording: what recordings cost, in bytes and in time.
//
// People on a square kilometre, ten frames a second. "walking" turn and change their pace smoothly: 0.2 rad/s and 0.3 m/s2 rms, both of
// which last for about a second; "jostling" are pushed about besides, at 0.1 m/s in a direction anew in every frame; "waiting" stand.
// The columns:
//   caller us   what the thread that simulates spends on a frame while the writer keeps up
//   encode us   what encoding a frame costs the recorder's thread; MB/s: positions of 16 bytes through it
//   decode us   what reading a frame back costs
//   frames/s    everything, from the first frame to the closed file, as fast as it will go
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "benchmarks/bench.hpp"
#include "geometry/random.hpp"
#include "recording/chunk.hpp"
#include "recording/recorder.hpp"

namespace throng::bench {
namespace {

namespace fs = std::filesystem;
using namespace recording;
using Clock = std::chrono::steady_clock;

constexpr double frame_time = 0.1;
constexpr std::size_t chunk_frames = 10;

struct Manner {
  std::string name;
  double speed = 0;
  double jostle = 0;
};

/// Frames of a crowd, made before anything is measured.
struct Walk {
  std::vector<std::uint64_t> serial;
  std::vector<std::uint32_t> layer;
  std::vector<std::vector<Vec2>> positions;  ///< of each frame

  [[nodiscard]] Frame frame(std::size_t i) const { return {i, double(i) * frame_time, serial, positions[i], layer}; }
  [[nodiscard]] double agent_frames() const { return double(serial.size()) * double(positions.size()); }
};

void walk(const Manner& manner, std::uint32_t serial, std::vector<std::vector<Vec2>>& positions) {
  geometry::RandomStream random(1, {.number = serial});
  constexpr double keep = 1 - frame_time, renew = 0.436;  // sqrt(1 - keep^2)
  Vec2 at{random.uniform(0, 1000), random.uniform(0, 1000)};
  double speed = manner.speed * random.uniform(0.7, 1.3);
  double direction = random.uniform(0, 6.283), turn = 0, push = 0;
  for (std::vector<Vec2>& frame : positions) {
    frame[serial] = at;
    turn = keep * turn + renew * random.normal(0, 0.2);
    push = keep * push + renew * random.normal(0, 0.3);
    direction += turn * frame_time;
    if (manner.speed > 0) speed = std::clamp(speed + push * frame_time, 0.0, 2.5);
    at += Vec2{std::cos(direction), std::sin(direction)} * (speed * frame_time);
    at += Vec2{random.normal(0, 1), random.normal(0, 1)} * (manner.jostle * frame_time);
  }
}

Walk make_walk(const Manner& manner, std::size_t agents, std::size_t frames) {
  Walk result;
  for (std::size_t i = 0; i < agents; ++i) result.serial.push_back(i);
  result.layer.assign(agents, 0);
  result.positions.assign(frames, std::vector<Vec2>(agents));
  for (std::size_t i = 0; i < agents; ++i) walk(manner, std::uint32_t(i), result.positions);
  return result;
}

std::vector<std::string> encode(const Walk& walk) {
  ChunkEncoder encoder;
  std::vector<std::string> blobs;
  for (std::size_t i = 0; i < walk.positions.size(); ++i) {
    encoder.add(walk.frame(i));
    if (encoder.frames() == chunk_frames) blobs.push_back(encoder.finish());
  }
  return blobs;
}

struct FileTimes {
  std::vector<double> caller_us;
  double total_ms = 0;
  std::uint64_t bytes = 0;
};

/// Writes a whole recording. A caller that rests between frames never waits for the writer.
Result<FileTimes> write_file(const fs::path& path, const Walk& walk, std::chrono::milliseconds rest) {
  Meta meta;
  meta.time_step = frame_time;
  meta.layers = {"ground"};
  meta.populations = meta.profiles = {"all"};
  Result<std::unique_ptr<Recorder>> recorder = create_native(path.string(), meta);
  if (!recorder) return recorder.problems();
  for (const std::uint64_t serial : walk.serial) (*recorder)->agent({.serial = serial, .radius = 0.24});
  FileTimes times;
  const Clock::time_point start = Clock::now();
  for (std::size_t i = 0; i < walk.positions.size(); ++i) {
    const Clock::time_point before = Clock::now();
    (*recorder)->frame(walk.frame(i));
    times.caller_us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - before).count());
    if (rest.count() > 0) std::this_thread::sleep_for(rest);
  }
  const Result<Written> written = (*recorder)->finish();
  if (!written) return written.problems();
  times.total_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  times.bytes = written->bytes;
  return times;
}

bool measure_manner(const Options& options, const Manner& manner, const fs::path& folder, Table& table) {
  const std::size_t agents = options.quick ? 500 : 10000, frames = options.quick ? 20 : 300;
  const Walk walk = make_walk(manner, agents, frames);
  const std::vector<std::string> blobs = encode(walk);
  double blob_bytes = 0;
  for (const std::string& blob : blobs) blob_bytes += double(blob.size());
  const Timing encoding = measure(options.repetitions, [&] { keep(encode(walk)); });
  const Timing decoding = measure(options.repetitions, [&] {
    for (const std::string& blob : blobs) keep(decode_chunk(blob, 0, 1, "bench"));
  });
  const Result<FileTimes> slow = write_file(folder / "slow.throng", walk, std::chrono::milliseconds(5));
  const Result<FileTimes> fast = write_file(folder / "fast.throng", walk, std::chrono::milliseconds(0));
  for (const Result<FileTimes>* result : {&slow, &fast})
    for (const Problem& problem : result->problems()) fmt::print(stderr, "{}\n", to_string(problem));
  if (!slow || !fast) return false;
  table.add({manner.name, (long long)(agents), Number{blob_bytes / walk.agent_frames(), 3},
             Number{double(fast->bytes) / walk.agent_frames(), 3}, Number{timing_of(slow->caller_us).median_ms, 1},
             Number{encoding.min_ms * 1000 / double(frames), 0},
             Number{walk.agent_frames() * sizeof(Vec2) / 1e3 / encoding.min_ms, 0},
             Number{decoding.min_ms * 1000 / double(frames), 0}, Number{double(frames) * 1000 / fast->total_ms, 0}});
  return true;
}

int run(const Options& options) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("throng-bench-{}", ::getpid());
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return fmt::print(stderr, "{}: {}\n", folder.string(), failed.message()), 1;
  Table table({"people", "agents", "blob bytes / agent frame", "file bytes / agent frame", "caller us", "encode us",
               "encode MB/s", "decode us", "frames/s"});
  bool all_good = true;
  for (const Manner& manner : {Manner{"walking", 1.34, 0}, Manner{"jostling", 1.34, 0.1}, Manner{"waiting", 0, 0}})
    all_good &= measure_manner(options, manner, folder, table);
  fs::remove_all(folder, failed);
  table.print(options);
  return all_good ? 0 : 1;
}

const Registration registration({"recording", "bytes and time that recordings take", run});

}  // namespace
}  // namespace throng::bench
