#include "text/utf8.hpp"

#include <cstdint>
#include <cstring>

namespace throng::environment {
namespace {

/// Bytes of the well-formed character that starts here; 0 where none does (Unicode 15, table 3-7: no overlong forms, no surrogates,
/// nothing beyond U+10FFFF).
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0; };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return follows(1) ? 2 : 0;
  if ((first & 0xf0) == 0xe0) {
    const unsigned least = first == 0xe0 ? 0xa0 : 0x80, most = first == 0xed ? 0x9f : 0xbf;
    return second >= least && second <= most && follows(2) ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const unsigned least = first == 0xf0 ? 0x90 : 0x80, most = first == 0xf4 ? 0x8f : 0xbf;
    return second >= least && second <= most && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::optional<std::size_t> find_bad_utf8(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    // Most texts are ASCII almost throughout: eight characters at a time.
    std::uint64_t eight = 0;
    while (i + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + i, sizeof eight);
      if ((eight & 0x8080808080808080u) != 0) break;
      i += sizeof eight;
    }
    if (i == text.size()) break;
    const std::size_t length = character_length(text.substr(i));
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

}  // namespace throng::environment
