#include "recording/chunk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>
#include <optional>

#include "recording/sink.hpp"
#include "text/fnv1a.hpp"

namespace throng::recording {
namespace {

constexpr char format = 1;
constexpr std::size_t header_size = 9;
constexpr std::int64_t max_millimetres = std::int64_t(max_coordinate) * 1000;

std::string seal(std::string_view content) {
  const std::uint64_t hash = geometry::Fnv1a().add_bytes(std::as_bytes(std::span(content))).value();
  std::string bytes(1, format);
  for (int i = 0; i < 8; ++i) bytes += char(hash >> (8 * i) & 0xff);
  return bytes;
}

}  // namespace

std::int64_t millimetres(double metres) {
  // Adding 1.5 * 2^52 leaves no room for a fraction, so that the sum is rounded to a whole number, halves to the even one: the
  // same as rint(), but without a call that keeps loops from being vectorised.
  constexpr double shift = 6755399441055744.0;
  return std::int64_t((metres * 1000.0 + shift) - shift);
}

bool ChunkEncoder::has_room(std::size_t positions) const {
  return frames() < max_chunk_frames && positions_ + positions <= max_chunk_positions;
}

void ChunkEncoder::add(const Frame& frame) {
  assert(has_room(frame.serial.size()));
  begins_.push_back(0);
  if (!same_people(frame)) match(frame);
  move(frame);
  times_.push_back(std::bit_cast<std::uint64_t>(frame.time));
  positions_ += frame.serial.size();
}

bool ChunkEncoder::same_people(const Frame& frame) const {
  return std::equal(serial_.begin(), serial_.end(), frame.serial.begin(), frame.serial.end()) &&
         std::equal(layer_.begin(), layer_.end(), frame.layer.begin(), frame.layer.end());
}

// Both lists ascend, so that one walk along them finds who stayed.
void ChunkEncoder::match(const Frame& frame) {
  matched_.clear();
  std::size_t old = 0;
  for (std::size_t i = 0; i < frame.serial.size(); ++i) {
    for (; old < serial_.size() && serial_[old] < frame.serial[i]; ++old) end_track(walkers_[old]);
    Walker walker;
    const bool stayed = old < serial_.size() && serial_[old] == frame.serial[i];
    if (stayed) walker = walkers_[old];
    const bool same_layer = stayed && layer_[old] == frame.layer[i];
    if (stayed && !same_layer) end_track(walker);
    if (!same_layer) walker.track = begin_track(frame, i);
    matched_.push_back(walker);
    if (stayed) ++old;
  }
  for (; old < serial_.size(); ++old) end_track(walkers_[old]);
  std::swap(walkers_, matched_);
  serial_.assign(frame.serial.begin(), frame.serial.end());
  layer_.assign(frame.layer.begin(), frame.layer.end());
  settled_ = false;
}

std::uint32_t ChunkEncoder::begin_track(const Frame& frame, std::size_t i) {
  ++begins_.back();
  track_serial_.push_back(frame.serial[i]);
  track_layer_.push_back(frame.layer[i]);
  track_end_.push_back(std::numeric_limits<std::uint64_t>::max());  // not ended
  return std::uint32_t(track_serial_.size() - 1);
}

void ChunkEncoder::move(const Frame& frame) {
  bool settled = true;
  for (std::size_t i = 0; i < walkers_.size(); ++i) {
    Walker& walker = walkers_[i];
    const std::int64_t x = millimetres(frame.position[i].x), y = millimetres(frame.position[i].y);
    if (settled_ || walker.known == 2) {
      bend_x_.push_back(zigzag(x - walker.x - walker.step_x));
      bend_y_.push_back(zigzag(y - walker.y - walker.step_y));
    } else {
      first_or_step(walker, x, y);
      settled &= ++walker.known == 2;
    }
    walker.step_x = x - walker.x;
    walker.step_y = y - walker.y;
    walker.x = x;
    walker.y = y;
  }
  settled_ = settled;
}

void ChunkEncoder::first_or_step(Walker& walker, std::int64_t x, std::int64_t y) {
  if (walker.known == 0) {
    first_x_.push_back(x);
    first_y_.push_back(y);
  } else {
    step_x_.push_back(zigzag(x - walker.x));
    step_y_.push_back(zigzag(y - walker.y));
  }
}

std::string ChunkEncoder::finish() {
  writer_.number(frames());
  writer_.number(positions_);
  writer_.number(track_serial_.size());
  writer_.column(times_);
  write_tracks();
  const auto least = [](const auto& values) {
    return values.empty() ? 0 : *std::min_element(values.begin(), values.end());
  };
  writer_.number(zigzag(least(first_x_)));
  writer_.number(zigzag(least(first_y_)));
  write_first(first_x_, least(first_x_));
  write_first(first_y_, least(first_y_));
  for (Column* column : {&step_x_, &step_y_, &bend_x_, &bend_y_}) {
    writer_.column(*column);
    column->clear();
  }
  for (Column* column : {&times_, &begins_, &track_serial_, &track_end_, &track_layer_}) column->clear();
  first_x_.clear(), first_y_.clear();
  serial_.clear(), layer_.clear(), walkers_.clear();
  positions_ = 0;
  const std::string content = writer_.take();
  return seal(content) + content;
}

void ChunkEncoder::write_tracks() {
  writer_.column(begins_);
  Column column(track_serial_.size());
  std::size_t track = 0;
  for (const std::uint64_t begins : begins_)
    for (std::uint64_t i = 0; i < begins; ++i, ++track)
      column[track] = track_serial_[track] - (i > 0 ? track_serial_[track - 1] : 0);
  writer_.column(column);
  for (track = 0; track < column.size(); ++track)
    column[track] = frames() - std::min<std::uint64_t>(track_end_[track], frames());
  writer_.column(column);
  writer_.column(track_layer_);
}

void ChunkEncoder::write_first(const std::vector<std::int64_t>& values, std::int64_t least) {
  Column column;
  column.reserve(values.size());
  for (const std::int64_t value : values) column.push_back(std::uint64_t(value - least));
  writer_.column(column);
}

namespace {

constexpr std::uint32_t nobody = std::numeric_limits<std::uint32_t>::max();

/// Takes a chunk apart again. Each step returns whether the bytes still make sense.
class ChunkDecoder {
 public:
  ChunkDecoder(std::string_view content, std::size_t layers) : reader_(content), layers_(layers) {}

  std::optional<Chunk> decode() {
    if (read_tracks() && place_tracks() && read_positions() && reader_.complete()) return std::move(chunk_);
    return std::nullopt;
  }

 private:
  using Column = std::vector<std::uint64_t>;

  bool read_tracks() {
    frames_ = reader_.number_up_to(max_chunk_frames);
    positions_ = reader_.number_up_to(max_chunk_positions);
    tracks_ = reader_.number_up_to(positions_);
    if (reader_.failed() || frames_ == 0) return false;
    for (const std::uint64_t bits : reader_.column(frames_)) chunk_.times.push_back(std::bit_cast<double>(bits));
    begins_ = reader_.column(frames_);
    serial_ = reader_.column(tracks_);
    end_ = reader_.column(tracks_);
    layer_ = reader_.column(tracks_);
    return !reader_.failed() && check_tracks();
  }

  /// Makes serials and ends of what was read; every track is within the chunk and they have as many positions as were announced.
  bool check_tracks() {
    for (const double time : chunk_.times)
      if (!std::isfinite(time)) return false;
    std::uint64_t track = 0, positions = 0;
    for (std::uint64_t frame = 0; frame < frames_; ++frame) {
      if (begins_[frame] > tracks_ - track) return false;
      for (std::uint64_t i = 0; i < begins_[frame]; ++i, ++track) {
        const std::uint64_t before = i > 0 ? serial_[track - 1] : 0;
        if (serial_[track] > max_serial - before || (i > 0 && serial_[track] == 0)) return false;
        if (layer_[track] >= layers_ || end_[track] >= frames_ - frame) return false;
        serial_[track] += before;
        end_[track] = frames_ - end_[track];
        positions += end_[track] - frame;  // at most max_chunk_positions times max_chunk_frames
      }
    }
    return track == tracks_ && positions == positions_;
  }

  /// Who is in each frame, and which position was theirs in the frame before.
  bool place_tracks() {
    chunk_.serial.reserve(positions_);
    chunk_.layer.reserve(positions_);
    before_.reserve(positions_);
    std::uint64_t track = 0;
    for (std::uint64_t frame = 0; frame < frames_; ++frame) {
      chunk_.begin.push_back(chunk_.serial.size());
      if (!place_frame(frame, track, track + begins_[frame])) return false;
      track += begins_[frame];
    }
    chunk_.begin.push_back(chunk_.serial.size());
    return true;
  }

  // Tracks of the frame before are `there_`, their positions the last ones placed; both lists ascend by serial.
  bool place_frame(std::uint64_t frame, std::uint64_t fresh, std::uint64_t fresh_end) {
    const std::size_t first = chunk_.serial.size() - there_.size();
    next_.clear();
    for (std::size_t i = 0; i < there_.size(); ++i) {
      const std::uint64_t track = there_[i];
      for (; fresh < fresh_end && serial_[fresh] < serial_[track]; ++fresh) place(fresh, nobody);
      const auto position = std::uint32_t(first + i);
      const bool again = fresh < fresh_end && serial_[fresh] == serial_[track];
      const bool stays = end_[track] > frame;
      if (again && stays) return false;
      if (stays) place(track, position);
      if (again) place(fresh++, position);
    }
    for (; fresh < fresh_end; ++fresh) place(fresh, nobody);
    std::swap(there_, next_);
    return true;
  }

  void place(std::uint64_t track, std::uint32_t before) {
    chunk_.serial.push_back(serial_[track]);
    chunk_.layer.push_back(std::uint32_t(layer_[track]));
    before_.push_back(before);
    next_.push_back(track);
  }

  bool read_positions() {
    std::size_t firsts = 0, steps = 0;
    for (const std::uint32_t before : before_) {
      firsts += before == nobody;
      steps += before != nobody && before_[before] == nobody;
    }
    const std::uint64_t least_x = std::uint64_t(unzigzag(reader_.number()));
    const std::uint64_t least_y = std::uint64_t(unzigzag(reader_.number()));
    const Column first_x = reader_.column(firsts), first_y = reader_.column(firsts);
    const Column step_x = reader_.column(steps), step_y = reader_.column(steps);
    const std::size_t bends = before_.size() - firsts - steps;
    const Column bend_x = reader_.column(bends), bend_y = reader_.column(bends);
    if (reader_.failed()) return false;
    chunk_.position.resize(before_.size());
    return restore(least_x, first_x, step_x, bend_x, &Vec2::x) && restore(least_y, first_y, step_y, bend_y, &Vec2::y);
  }

  /// In unsigned numbers, which may wrap: only results are checked.
  bool restore(std::uint64_t least, const Column& first, const Column& step, const Column& bend,
               double Vec2::*coordinate) {
    Column at(before_.size());
    std::size_t firsts = 0, steps = 0, bends = 0;
    for (std::size_t i = 0; i < at.size(); ++i) {
      const std::uint32_t p = before_[i];
      if (p == nobody)
        at[i] = least + first[firsts++];
      else if (before_[p] == nobody)
        at[i] = at[p] + std::uint64_t(unzigzag(step[steps++]));
      else
        at[i] = 2 * at[p] - at[before_[p]] + std::uint64_t(unzigzag(bend[bends++]));
      const auto value = std::int64_t(at[i]);
      if (value < -max_millimetres || value > max_millimetres) return false;
      chunk_.position[i].*coordinate = double(value) / 1000.0;
    }
    return true;
  }

  ColumnReader reader_;
  std::size_t layers_;
  Chunk chunk_;
  std::uint64_t frames_ = 0, positions_ = 0, tracks_ = 0;
  Column begins_, serial_, end_, layer_;  ///< of frames; of tracks
  std::vector<std::uint32_t> before_;     ///< of positions: the same agent's in the frame before
  std::vector<std::uint64_t> there_, next_;
};

}  // namespace

Frame Chunk::frame(std::size_t i) const {
  const std::size_t from = begin[i], count = begin[i + 1] - from;
  return {first_frame + i, times[i], std::span(serial).subspan(from, count), std::span(position).subspan(from, count),
          std::span(layer).subspan(from, count)};
}

Result<Chunk> decode_chunk(std::string_view blob, std::uint64_t first_frame, std::size_t layers,
                           const std::string& source) {
  const auto damaged = [&](std::string message) {
    return Problem{Severity::error, ProblemCode::syntax, source, std::move(message)};
  };
  if (blob.size() < header_size) return damaged(fmt::format("{} bytes are no chunk", blob.size()));
  if (blob[0] != format) return damaged(fmt::format("a chunk of format {}, where only 1 is known", int(blob[0])));
  const std::string_view content = blob.substr(header_size);
  if (seal(content) != blob.substr(0, header_size)) return damaged("the chunk is damaged: its checksum is wrong");
  std::optional<Chunk> chunk = ChunkDecoder(content, layers).decode();
  if (!chunk) return damaged("the chunk is damaged: its content contradicts itself");
  chunk->first_frame = first_frame;
  return std::move(*chunk);
}

void reseal_chunk(std::string& blob) {
  if (blob.size() >= header_size) blob.replace(0, header_size, seal(std::string_view(blob).substr(header_size)));
}

}  // namespace throng::recording
