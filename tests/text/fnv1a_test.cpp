#include "text/fnv1a.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>

namespace throng::geometry {
namespace {

std::uint64_t of_bytes(std::string_view text) { return Fnv1a().add_bytes(std::as_bytes(std::span(text))).value(); }

TEST_CASE("the published values") {
  // draft-eastlake-fnv, appendix C.
  CHECK(of_bytes("") == 0xcbf29ce484222325);
  CHECK(of_bytes("a") == 0xaf63dc4c8601ec8c);
  CHECK(of_bytes("foobar") == 0x85944171f73967e8);
}

TEST_CASE("numbers enter as little-endian bytes of their width") {
  CHECK(Fnv1a().add(std::uint32_t{0x04030201}).value() == of_bytes("\x01\x02\x03\x04"));
  CHECK(Fnv1a().add(std::int16_t{-2}).value() == of_bytes("\xfe\xff"));
  CHECK(Fnv1a().add(std::uint8_t{7}).value() == of_bytes("\x07"));
  CHECK(Fnv1a().add(std::int64_t{1}).value() == of_bytes({"\x01\0\0\0\0\0\0\0", 8}));
  CHECK(Fnv1a().add(1.0).value() == of_bytes({"\0\0\0\0\0\0\xf0\x3f", 8}));
  CHECK(Fnv1a().add(0.0).value() != Fnv1a().add(-0.0).value());
}

TEST_CASE("texts keep their bounds") {
  CHECK(Fnv1a().add("ab").add("c").value() != Fnv1a().add("a").add("bc").value());
  CHECK(Fnv1a().add("ab").value() == of_bytes({"\x02\0\0\0\0\0\0\0ab", 10}));
}

}  // namespace
}  // namespace throng::geometry
