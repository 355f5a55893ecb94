// Any bytes as a recording's file, which is a SQLite database that a stranger wrote: refused, or read to its end within bounds. Files of
// JuPedSim are such databases too.
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "recording/recording.hpp"
#include "recording/sink.hpp"
#include "recording/tracks.hpp"

using namespace throng;
using namespace throng::recording;

namespace {

void require(bool law) {
  if (!law) std::abort();
}

/// One file, written again for each input.
const std::string& path() {
  static const std::string name =
      (std::filesystem::temp_directory_path() / ("throng-fuzz-" + std::to_string(::getpid()) + ".throng")).string();
  return name;
}

void read_all(Recording& recording) {
  const std::size_t layers = recording.meta().layers.size();
  require(recording.meta().frame_time() > 0 && std::isfinite(recording.meta().frame_time()));
  require(recording.frame_count() <= max_frames);
  std::uint64_t number = 0;
  (void)recording.each_frame([&](const Frame& frame) {
    require(check_frame("fuzz", frame, number++, layers).empty());
    return number < 1000;
  });
  if (const Result<std::vector<AgentRow>> agents = recording.agents())
    for (const AgentRow& row : *agents) {
      require(row.population < recording.meta().populations.size() && row.profile < recording.meta().profiles.size());
      require(std::isfinite(row.radius) && std::isfinite(row.appears) && !std::isinf(row.leaves));
    }
  (void)recording.events();
  (void)recording.metrics();
  if (const Result<environment::CleanEnvironment> environment = recording.environment())
    require(environment->layers.size() == layers);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::ofstream(path(), std::ios::binary).write(reinterpret_cast<const char*>(data), std::streamsize(size));
  if (Result<Recording> recording = Recording::open(path())) read_all(*recording);
  if (const Result<Tracks> tracks = read_jupedsim(path()))
    for (const TrackRow& row : tracks->rows) require(row.id >= 1 && std::isfinite(row.position.x));
  for (const char* ending : {"", "-wal", "-shm", "-journal"}) std::filesystem::remove(path() + ending);
  return 0;
}
