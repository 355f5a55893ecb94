// Numbers and texts as bytes, and back.
#include "text/archive.hpp"

#include <doctest/doctest.h>

namespace throng::geometry {
namespace {

TEST_CASE("archive: what was put comes back, in its order") {
  ArchiveWriter out;
  out.put(true), out.put(false), out.put(2.5), out.put(std::uint16_t{7}), out.put(std::string_view("text"));
  ArchiveReader in(out.bytes());
  CHECK(in.get<bool>());
  CHECK(!in.get<bool>());
  CHECK(in.get<double>() == 2.5);
  CHECK(in.get<std::uint16_t>() == 7);
  std::string text;
  in.get(text);
  CHECK(text == "text");
  CHECK(in.at_end());
  CHECK(!in.failed());
  CHECK(in.get<double>() == 0);
  CHECK(in.failed());
}

TEST_CASE("archive: a truth value of damaged bytes is refused, not made up") {
  for (const char byte : {'\2', '0', 'u', '\xff'}) {
    bool value = true;
    ArchiveReader in(std::string_view(&byte, 1));
    in.get(value);
    CHECK(!value);
    CHECK(in.failed());
  }
}

TEST_CASE("archive: a list longer than its bytes is refused before it takes memory") {
  ArchiveWriter out;
  out.put(std::uint64_t{1} << 60);
  out.put(1.0);
  ArchiveReader in(out.bytes());
  std::vector<double> list;
  in.get_list(list);
  CHECK(list.empty());
  CHECK(in.failed());
}

}  // namespace
}  // namespace throng::geometry
