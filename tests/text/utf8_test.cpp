#include "text/utf8.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

using throng::environment::find_bad_utf8;

namespace {

/// The UTF-8 form of a number, well-formed or not: as many bytes as `length` says.
std::string encoded(std::uint32_t code, int length) {
  if (length == 1) return {char(code)};
  constexpr unsigned leads[] = {0, 0, 0xc0, 0xe0, 0xf0};
  std::string out;
  out += char(leads[length] | (code >> (6 * (length - 1))));
  for (int i = length - 2; i >= 0; --i) out += char(0x80 | ((code >> (6 * i)) & 0x3f));
  return out;
}

int shortest(std::uint32_t code) { return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4; }

}  // namespace

TEST_CASE("every character of Unicode is well-formed in its shortest form only, and surrogates never") {
  for (std::uint32_t code = 0; code < 0x120000; ++code) {
    const bool is_character = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    const std::string text = encoded(code, shortest(code));
    if (find_bad_utf8(text).has_value() == is_character) FAIL_CHECK("U+", code);
    for (int longer = shortest(code) + 1; longer <= 4; ++longer)
      if (!find_bad_utf8(encoded(code, longer))) FAIL_CHECK("overlong U+", code);
  }
}

TEST_CASE("the first bad byte is named, wherever it stands") {
  for (std::size_t before = 0; before < 40; ++before)
    for (const char* bad : {"\x80", "\xff", "\xc3", "\xe2\x82", "\xf0\x9f\x98", "\xc3(", "\xed\xa0\x80"}) {
      const std::string text = std::string(before, 'a') + bad + "plain end";
      CHECK(find_bad_utf8(text) == before);
      CHECK(find_bad_utf8("\xe2\x82\xac" + text) == before + 3);
    }
  CHECK(!find_bad_utf8(""));
  CHECK(!find_bad_utf8("M\xc3\xbcnchen, 12 \xe2\x82\xac"));
}
