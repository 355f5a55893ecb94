#include "text/utf8.hpp"

#include <simdjson.h>

#include <algorithm>

namespace throng::environment {

std::optional<std::size_t> find_bad_utf8(std::string_view text) {
  // Blocks that end in front of a lead byte can be checked alone; the first bad one is then searched character by character.
  constexpr std::size_t block = 1 << 16;
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; };
  std::size_t start = 0;
  while (start < text.size()) {
    std::size_t end = std::min(start + block, text.size());
    for (int back = 0; back < 3 && end < text.size() && !begins_character(text[end]); ++back) --end;
    if (simdjson::validate_utf8(text.data() + start, end - start)) {
      start = end;
      continue;
    }
    for (std::size_t i = start; i < end;) {
      std::size_t length = 1;
      while (length <= 4 && i + length <= end && !simdjson::validate_utf8(text.data() + i, length)) ++length;
      if (length > 4 || i + length > end) return i;
      i += length;
    }
    return start;
  }
  return std::nullopt;
}

}  // namespace throng::environment
