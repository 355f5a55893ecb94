// Some consecutive frames as bytes that can be decoded alone: the `blob` of a recording's table `chunk`.
//
// Agents walk: where somebody will be follows from the last two frames to a few millimetres. So the first position of an agent in
// a chunk is stored, then its first step, then only second differences, all in whole millimetres.
//
// A *track* is a longest run of frames in which one agent is there, in one layer. Tracks are numbered in the order of the frame
// they begin in, then of the serial. An agent that changes layers, or goes and comes back, has several.
//
// The bytes: 1 (the format), 8 bytes FNV-1a 64 (little-endian) of all that follows, then numbers and columns (columns.hpp):
//   frames F, positions P, tracks T
//   F times, the bits of doubles;  F numbers of tracks that begin in each frame
//   T serials, each less the one before it that begins in the same frame
//   T frames by which each track ends before the chunk does;  T layers
//   least first x, least first y (zigzag); first x and first y of agents that were not in the frame before, less these
//   first steps in x and y (zigzag) of agents that were in the frame before but not in the one before that
//   second differences in x and y (zigzag) of everybody else
// Positions come in the order of frames, then of serials.
//
// Laws
// 1. Decoding gives the same frames, every coordinate rounded to the nearest whole millimetre (halves to the even one).
// 2. The same frames give the same bytes for one version of zstd.
// 3. Decoding any bytes gives frames that keep law 2 of recorder.hpp, or an error; it needs memory in proportion to
//    `max_chunk_positions` at most.
//
// Complexity: linear in the positions. Thread-safety: an encoder is one thread's; decode_chunk is a pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "recording/columns.hpp"
#include "recording/recorder.hpp"

namespace throng::recording {

constexpr std::size_t max_chunk_frames = 4096;
/// A frame of more people cannot be recorded; a chunk ends before it has more.
constexpr std::size_t max_chunk_positions = std::size_t(1) << 21;

/// The nearest whole number of millimetres, halves to the even one, for coordinates up to `max_coordinate` (sink.hpp).
[[nodiscard]] std::int64_t millimetres(double metres);

/// Collects frames that check_frame() (sink.hpp) accepts.
class ChunkEncoder {
 public:
  /// Whether this many positions more still fit; the first frame of a chunk needs at most `max_chunk_positions`.
  [[nodiscard]] bool has_room(std::size_t positions) const;
  void add(const Frame& frame);
  [[nodiscard]] std::size_t frames() const { return times_.size(); }
  /// Of all tracks; an agent may be here more than once.
  [[nodiscard]] const std::vector<std::uint64_t>& serials() const { return track_serial_; }
  /// The frames added since the last call.
  [[nodiscard]] std::string finish();

 private:
  /// An agent of the last frame added.
  struct Walker {
    std::int64_t x = 0, y = 0;            ///< millimetres
    std::int64_t step_x = 0, step_y = 0;  ///< from the frame before
    std::uint32_t track = 0;
    std::uint32_t known = 0;  ///< positions in frames without a gap up to this one: 0, 1, or 2 for more
  };
  using Column = std::vector<std::uint64_t>;

  [[nodiscard]] bool same_people(const Frame& frame) const;
  void match(const Frame& frame);
  std::uint32_t begin_track(const Frame& frame, std::size_t i);
  void end_track(const Walker& walker) { track_end_[walker.track] = frames(); }
  void move(const Frame& frame);
  void first_or_step(Walker& walker, std::int64_t x, std::int64_t y);
  void write_tracks();
  void write_first(const std::vector<std::int64_t>& values, std::int64_t least);

  Column times_, begins_;
  std::size_t positions_ = 0;
  Column track_serial_, track_end_, track_layer_;
  std::vector<std::int64_t> first_x_, first_y_;
  Column step_x_, step_y_, bend_x_, bend_y_;
  // The last frame: these three side by side, serials ascending.
  std::vector<std::uint64_t> serial_;
  std::vector<std::uint32_t> layer_;
  std::vector<Walker> walkers_, matched_;
  bool settled_ = false;  ///< every walker is known twice
  ColumnWriter writer_;
};

/// A decoded chunk: its frames one behind the other.
class Chunk {
 public:
  [[nodiscard]] std::size_t frames() const { return times.size(); }
  [[nodiscard]] Frame frame(std::size_t i) const;

  std::uint64_t first_frame = 0;
  std::vector<double> times;
  std::vector<std::size_t> begin;  ///< of each frame in the columns below, and the end of the last
  std::vector<std::uint64_t> serial;
  std::vector<Vec2> position;
  std::vector<std::uint32_t> layer;
};

/// `source` is what problems call the chunk; `layers` how many layers there are.
[[nodiscard]] Result<Chunk> decode_chunk(std::string_view blob, std::uint64_t first_frame, std::size_t layers,
                                         const std::string& source);

/// Puts the right checksum into a blob that was changed: for tests and fuzzers.
void reseal_chunk(std::string& blob);

}  // namespace throng::recording
