// OpenStreetMap's XML in every way that servers, editors and people write it.
#include <doctest/doctest.h>

#include <cstdio>

#include "environment/clean/clean_support.hpp"
#include "environment/formats/formats.hpp"
#include "environment/osm/osm_sample.hpp"
#include "environment/same_environment.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  return text.replace(at, what.size(), by);
}

std::string sample() {
  OsmSample map;
  map.bounds(0, 0, 60, 60);
  const std::int64_t outer = map.box(10, 10, 30, 30, {{"note", "a &lt;&#10;&#x151;&amp;&quot;&apos;&gt; b"}});
  const std::int64_t inner = map.box(15, 15, 20, 20, {});
  map.multipolygon({{outer, "outer"}, {inner, "inner"}}, {{"building", "yes"},
                                                          {"name",
                                                           "&quot;&#38;&#x26;&apos; Stra\xc3\x9f"
                                                           "e"}});
  map.line({{40, 5}, {40, 50}}, {{"barrier", "fence"}});
  map.node(5, 5, {{"natural", "tree"}});
  return map.xml();
}

}  // namespace

TEST_CASE("a map is the same map however its XML is written") {
  const std::string plain = sample();
  const Result<Environment> expected = parse_environment("osm", plain, "map");
  REQUIRE(expected);
  std::string windows;
  for (const char c : plain) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& text :
       {windows, "\xef\xbb\xbf" + plain, replaced(plain, "<osm", "<!-- head -->\n<osm"),
        replaced(plain, "</osm>", "<!-- a comment --></osm>"), replaced(plain, " encoding='UTF-8'", ""),
        replaced(plain, "<bounds", "<note>The data is free.</note><meta osm_base=\"now\"/><bounds"),
        replaced(plain, "<node id=\"1\"", "<node action='modify' id='1' visible='true' version=\"-1\""),
        replaced(plain, "<nd ref=\"1\"/>", "<nd  ref='1' />\n\t")}) {
    CAPTURE(text);
    const Result<Environment> read = parse_environment("osm", text, "map");
    REQUIRE(read);
    CHECK(all(read.problems()) == all(expected.problems()));
    check_same(*read, *expected);
  }
}

TEST_CASE("a comment of 20 MB is read in one piece, and is no part of the map") {
  const std::string plain = sample();
  const std::string wordy = replaced(plain, "</osm>", "<!--" + std::string(20 << 20, '>') + "--></osm>");
  const Result<Environment> one = parse_environment("osm", plain, "map"),
                            other = parse_environment("osm", wordy, "map");
  REQUIRE(one);
  REQUIRE(other);
  check_same(*one, *other);
}

TEST_CASE("XML that is broken, or no map, is refused with its place") {
  const std::string plain = sample();
  for (const std::string& text :
       {plain.substr(0, plain.size() - 3), plain + "x", plain + plain, replaced(plain, "0.6", "0.7"),
        replaced(plain, "<osm", "<!DOCTYPE osm [<!ENTITY a \"b\">]><osm"), replaced(plain, "lat=\"", "lat=\"x")}) {
    CAPTURE(text);
    const Result<Environment> read = parse_environment("osm", text, "map");
    REQUIRE_FALSE(read);
    CHECK(to_string(read.problems().front()).find("map") != std::string::npos);
  }
}

TEST_CASE("long: XML that is longer than 512 MB unpacked is refused, and says what to do") {
  const TempDir folder;
  const std::string path = (folder / "large.osm").string();
  const std::string plain = sample();
  const std::size_t end = plain.rfind("</osm>");
  std::FILE* file = std::fopen(path.c_str(), "wb");
  REQUIRE(file != nullptr);
  std::fwrite(plain.data(), 1, end, file);
  const std::string spaces(1 << 20, ' ');
  for (int i = 0; i < 513; ++i) std::fwrite(spaces.data(), 1, spaces.size(), file);
  std::fputs("</osm>", file);
  REQUIRE(std::fclose(file) == 0);
  const Result<Environment> read = read_environment(path);
  REQUIRE_FALSE(read);
  CHECK(to_string(read.problems().front()).find("osmium cat") != std::string::npos);
}
