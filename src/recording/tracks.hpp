// Trajectories as tables: the text formats of the field, and JuPedSim's files, read and written (docs/formats.md).
//
// csv       heading with frame, time, id, x, y and, if they are known, z and layer, in any order; metres, seconds
// petrack   lines "id frame x y [z]"; "# framerate: F" before them; metres, or centimetres where a comment says "/cm", "in cm" or "(cm"
// jupedsim  a SQLite file of version 2 or 1: trajectory_data and metadata; one layer
//
// Laws
// 1. Rows come by frame, then by id, each pair once; ids are 1 or more.
// 2. What was written reads back within half a millimetre: text holds three digits behind the point.
// 3. Everything wrong is told with file and line; nothing is guessed but what is said above.
// Thread-safety: free functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "throng/result.hpp"
#include "throng/vec2.hpp"

namespace throng::recording {

struct TrackRow {
  std::uint64_t frame = 0, id = 0;
  Vec2 position;
  double height = 0;
  std::uint32_t layer = 0;  ///< into Tracks::layers
};

struct Tracks {
  double frame_time = 0.1;
  std::vector<std::string> layers;  ///< at least one
  std::vector<TrackRow> rows;
};

[[nodiscard]] Result<Tracks> parse_track_csv(std::string_view text, const std::string& source);
[[nodiscard]] Result<Tracks> parse_petrack(std::string_view text, const std::string& source);
[[nodiscard]] Result<Tracks> read_jupedsim(const std::string& path);

///@{ What comes before the rows, and one row with its line break.
[[nodiscard]] std::string track_csv_head();
void append_track_csv(std::string& out, const TrackRow& row, double time, std::string_view layer);
[[nodiscard]] std::string petrack_head(double frame_time);
void append_petrack(std::string& out, const TrackRow& row);
///@}

}  // namespace throng::recording
