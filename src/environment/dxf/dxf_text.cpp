#include <charconv>
#include <cstdint>

#include "environment/dxf/dxf_drawing.hpp"
#include "text/utf8.hpp"

namespace throng::environment {
namespace {

void append_character(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += char(0xC0 | (c >> 6));
    out += char(0x80 | (c & 0x3F));
  } else {
    out += char(0xE0 | (c >> 12));
    out += char(0x80 | ((c >> 6) & 0x3F));
    out += char(0x80 | (c & 0x3F));
  }
}

/// \U+XXXX at the start of the text, where it is a letter.
std::uint32_t escaped_character(std::string_view text) {
  if (text.size() < 7 || !(text.starts_with("\\U+") || text.starts_with("\\u+"))) return 0;
  std::uint32_t c = 0;
  const auto [end, error] = std::from_chars(text.data() + 3, text.data() + 7, c, 16);
  const bool letter = error == std::errc() && end == text.data() + 7 && c >= 0x20 && (c < 0xD800 || c > 0xDFFF);
  return letter ? c : 0;
}

}  // namespace

std::string dxf_text(std::string_view text) {
  std::string out;
  const bool latin = find_bad_utf8(text).has_value();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned char byte = static_cast<unsigned char>(text[i]);
    if (const std::uint32_t c = escaped_character(text.substr(i)); c != 0) {
      append_character(out, c);
      i += 6;
    } else if (latin && byte >= 0x80) {
      append_character(out, byte);
    } else if (byte >= 0x20) {
      out += text[i];
    }
  }
  return out;
}

}  // namespace throng::environment
