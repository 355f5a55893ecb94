// Columns of whole numbers as bytes: cut into planes of one byte each (byte shuffle), so that the high bytes, mostly zero, and the
// low ones, mostly noise, do not disturb each other; each plane compressed alone by zstd where that helps.
//
// A column is one byte, the number of planes (0 to 8, as many as the largest value needs), and for each plane, from the lowest:
//   0 and the bytes as they are, or 1, the size as a varint, and a zstd frame of them.
// How many values there are is not stored: who reads a column knows it.
//
// Laws
// 1. Reading what was written gives the same values; the same values give the same bytes for one version of zstd.
// 2. Reading makes room for the values it was asked for and no more, whatever the bytes say.
//
// Complexity: linear. Thread-safety: a writer or reader is one thread's.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace throng::recording {

/// Small for small numbers of either sign: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
constexpr std::uint64_t zigzag(std::int64_t value) { return (std::uint64_t(value) << 1) ^ std::uint64_t(value >> 63); }
constexpr std::int64_t unzigzag(std::uint64_t value) { return std::int64_t((value >> 1) ^ (~(value & 1) + 1)); }

/// Appends numbers and columns to a string of bytes.
class ColumnWriter {
 public:
  ColumnWriter();
  ~ColumnWriter();
  ColumnWriter(const ColumnWriter&) = delete;
  ColumnWriter& operator=(const ColumnWriter&) = delete;

  /// Seven bits a byte, the lowest first (LEB128).
  void number(std::uint64_t value);
  void column(std::span<const std::uint64_t> values);
  /// What was written so far; the next bytes start anew.
  [[nodiscard]] std::string take();

 private:
  void plane();

  std::string bytes_;
  std::string plane_, packed_;
  std::unique_ptr<ZSTD_CCtx_s, void (*)(ZSTD_CCtx_s*)> zstd_;
};

/// Takes them off again. Once the bytes were not enough, or none that a writer makes, `failed()` is true and all that is read is
/// empty or zero.
class ColumnReader {
 public:
  explicit ColumnReader(std::string_view bytes);
  ~ColumnReader();
  ColumnReader(const ColumnReader&) = delete;
  ColumnReader& operator=(const ColumnReader&) = delete;

  std::uint64_t number();
  /// A number up to `limit`; fails where it is larger.
  std::uint64_t number_up_to(std::uint64_t limit);
  std::vector<std::uint64_t> column(std::size_t count);
  [[nodiscard]] bool failed() const { return failed_; }
  /// Whether everything was read, and fine.
  [[nodiscard]] bool complete() const { return !failed_ && rest_.empty(); }

 private:
  std::uint8_t byte();
  void plane(std::span<char> bytes);

  std::string_view rest_;
  bool failed_ = false;
  std::unique_ptr<ZSTD_DCtx_s, void (*)(ZSTD_DCtx_s*)> zstd_;
};

}  // namespace throng::recording
