#include "recording/columns.hpp"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <utility>

namespace throng::recording {
namespace {

// What prediction leaves of positions is noise: the entropy coder does all the work there. Short matches in noise cost more than they
// save, and higher levels find more of them, at many times the cost; level 19 alone is smaller, by a percent.
constexpr int compression_level = 1;
constexpr int shortest_match = 7;
constexpr char as_it_is = 0, zstd_frame = 1;

void free_writer(ZSTD_CCtx_s* context) { ZSTD_freeCCtx(context); }
void free_reader(ZSTD_DCtx_s* context) { ZSTD_freeDCtx(context); }

}  // namespace

ColumnWriter::ColumnWriter() : zstd_(ZSTD_createCCtx(), free_writer) {
  if (!zstd_) return;
  ZSTD_CCtx_setParameter(zstd_.get(), ZSTD_c_compressionLevel, compression_level);
  ZSTD_CCtx_setParameter(zstd_.get(), ZSTD_c_minMatch, shortest_match);
}
ColumnWriter::~ColumnWriter() = default;

void ColumnWriter::number(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes_ += char(value | 0x80);
  bytes_ += char(value);
}

void ColumnWriter::column(std::span<const std::uint64_t> values) {
  std::uint64_t all = 0;
  for (const std::uint64_t value : values) all |= value;
  const int planes = (std::bit_width(all) + 7) / 8;
  bytes_ += char(planes);
  plane_.resize(values.size());
  for (int p = 0; p < planes; ++p) {
    for (std::size_t i = 0; i < values.size(); ++i) plane_[i] = char(values[i] >> (8 * p));
    plane();
  }
}

void ColumnWriter::plane() {
  packed_.resize(ZSTD_compressBound(plane_.size()));
  const std::size_t size =
      zstd_ ? ZSTD_compress2(zstd_.get(), packed_.data(), packed_.size(), plane_.data(), plane_.size()) : 0;
  if (size == 0 || ZSTD_isError(size) || size >= plane_.size()) {
    bytes_ += as_it_is;
    bytes_ += plane_;
    return;
  }
  bytes_ += zstd_frame;
  number(size);
  bytes_.append(packed_.data(), size);
}

std::string ColumnWriter::take() { return std::exchange(bytes_, {}); }

ColumnReader::ColumnReader(std::string_view bytes) : rest_(bytes), zstd_(ZSTD_createDCtx(), free_reader) {}
ColumnReader::~ColumnReader() = default;

std::uint8_t ColumnReader::byte() {
  if (failed_ || rest_.empty()) return failed_ = true, 0;
  const auto byte = std::uint8_t(rest_.front());
  rest_.remove_prefix(1);
  return byte;
}

std::uint64_t ColumnReader::number() {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    if (shift == 63 && next > 1) failed_ = true;  // more than 64 bits
    if (failed_) return 0;
    value |= std::uint64_t(next & 0x7f) << shift;
    if (next < 0x80) return value;
  }
  return failed_ = true, 0;
}

std::uint64_t ColumnReader::number_up_to(std::uint64_t limit) {
  const std::uint64_t value = number();
  if (value > limit) failed_ = true;
  return failed_ ? 0 : value;
}

std::vector<std::uint64_t> ColumnReader::column(std::size_t count) {
  const int planes = byte();
  if (planes > 8) failed_ = true;
  if (failed_) return {};
  std::vector<std::uint64_t> values(count);
  std::string bytes(planes > 0 ? count : 0, 0);
  for (int p = 0; p < planes; ++p) {
    plane(bytes);
    if (failed_) return {};
    for (std::size_t i = 0; i < count; ++i) values[i] |= std::uint64_t(std::uint8_t(bytes[i])) << (8 * p);
  }
  return values;
}

void ColumnReader::plane(std::span<char> bytes) {
  const std::uint8_t kind = byte();
  const std::uint64_t size = kind == zstd_frame ? number() : bytes.size();
  if (kind > zstd_frame || size > rest_.size()) failed_ = true;
  if (failed_) return;
  if (kind == as_it_is)
    std::copy_n(rest_.begin(), size, bytes.begin());
  else
    failed_ =
        !zstd_ || ZSTD_decompressDCtx(zstd_.get(), bytes.data(), bytes.size(), rest_.data(), size) != bytes.size();
  rest_.remove_prefix(size);
}

}  // namespace throng::recording
