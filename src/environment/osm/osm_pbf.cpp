#include "environment/osm/osm_pbf.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <protozero/pbf_reader.hpp>
#include <string>

namespace throng::environment {

namespace {

/// Pieces of a file, or of a text in memory.
class Pieces {
 public:
  explicit Pieces(const ImportSource& source)
      : text_(source.text ? &*source.text : nullptr),
        file_(source.text ? nullptr : std::fopen(source.name.c_str(), "rb")) {}

  /// The next bytes; fewer at the end.
  std::string read(std::size_t size) {
    std::string piece;
    if (text_) {
      piece = text_->substr(std::min(at_, text_->size()), size);
    } else if (file_) {
      piece.resize(size);
      piece.resize(std::fread(piece.data(), 1, size, file_.get()));
    }
    at_ += piece.size();
    return piece;
  }

  void skip(std::size_t size) {
    at_ += size;
    if (file_ && std::fseek(file_.get(), long(size), SEEK_CUR) != 0) file_.reset();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::string* text_;
  std::unique_ptr<std::FILE, Close> file_;
  std::size_t at_ = 0;
};

struct BlobHeader {
  bool has_type = false;
  std::int32_t size = 0;
};

/// Nothing where the bytes are no message.
std::optional<BlobHeader> header_of(const std::string& bytes) {
  constexpr protozero::pbf_tag_type type = 1, size = 3;
  BlobHeader header;
  try {
    protozero::pbf_reader message(bytes);
    while (message.next()) switch (message.tag_and_type()) {
        case protozero::tag_and_type(type, protozero::pbf_wire_type::length_delimited):
          header.has_type = !message.get_view().empty();
          break;
        case protozero::tag_and_type(size, protozero::pbf_wire_type::varint): header.size = message.get_int32(); break;
        default: message.skip();
      }
  } catch (const protozero::exception&) {
    return std::nullopt;
  }
  return header;
}

}  // namespace

bool pbf_blobs_say_their_type(const ImportSource& source) {
  constexpr std::uint32_t largest_header = 64 * 1024;  // of the format; libosmium reads no larger one
  Pieces pieces(source);
  for (;;) {
    const std::string prefix = pieces.read(4);
    if (prefix.size() < 4) return true;
    std::uint32_t length = 0;
    for (const char byte : prefix) length = length << 8U | std::uint8_t(byte);
    if (length == 0 || length > largest_header) return true;
    const std::string bytes = pieces.read(length);
    if (bytes.size() < length) return true;
    const std::optional<BlobHeader> header = header_of(bytes);
    if (!header || header->size <= 0) return true;
    if (!header->has_type) return false;
    pieces.skip(std::size_t(header->size));
  }
}

}  // namespace throng::environment
