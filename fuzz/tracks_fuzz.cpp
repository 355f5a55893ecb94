// Any bytes as tables of tracks: refused with file and line, or rows in order that can be written and read again.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "recording/tracks.hpp"

using namespace throng;
using namespace throng::recording;

namespace {

void require(bool law) {
  if (!law) std::abort();
}

void check(const Result<Tracks>& tracks) {
  if (!tracks) return require(!tracks.problems().front().message.empty());
  require(!tracks->rows.empty() && tracks->frame_time > 0);
  std::string csv = track_csv_head();
  for (std::size_t i = 0; i < tracks->rows.size(); ++i) {
    const TrackRow& row = tracks->rows[i];
    require(row.layer < tracks->layers.size() && row.id >= 1);
    if (i > 0) require(std::pair(tracks->rows[i - 1].frame, tracks->rows[i - 1].id) < std::pair(row.frame, row.id));
    append_track_csv(csv, row, double(row.frame) * 0.1, tracks->layers[row.layer]);
  }
  const Result<Tracks> again = parse_track_csv(csv, "again");
  if (again) require(again->rows.size() == tracks->rows.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  check(parse_track_csv(text, "fuzz"));
  check(parse_petrack(text, "fuzz"));
  return 0;
}
