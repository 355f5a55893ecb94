#include "environment/osm/osm_xml.hpp"

#include <doctest/doctest.h>

#include <osmium/memory/buffer.hpp>
#include <osmium/osm.hpp>

#include "environment/clean/clean_support.hpp"
#include "environment/formats/formats.hpp"
#include "environment/osm/osm_sample.hpp"
#include "environment/same_environment.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

std::string described(const osmium::OSMObject& object) {
  std::string text = fmt::format("{}{} {}", osmium::item_type_to_char(object.type()), object.id(), object.visible());
  if (object.type() == osmium::item_type::node) {
    const osmium::Location place = static_cast<const osmium::Node&>(object).location();
    text += fmt::format(" {} {}", place.x(), place.y());
  } else if (object.type() == osmium::item_type::way) {
    for (const osmium::NodeRef& node : static_cast<const osmium::Way&>(object).nodes())
      text += fmt::format(" {}", node.ref());
  } else {
    for (const osmium::RelationMember& member : static_cast<const osmium::Relation&>(object).members())
      text += fmt::format(" {}{}", osmium::item_type_to_char(member.type()), member.ref());
  }
  for (const osmium::Tag& tag : object.tags()) text += fmt::format(" '{}'='{}'", tag.key(), tag.value());
  return text + "\n";
}

/// What the quick way hands on, a line an object; nothing where it leaves the text to libosmium.
std::optional<std::string> quickly(const std::string& text, std::size_t block = 1 << 20) {
  std::size_t at = 0;
  const TextBlocks blocks = [&]() -> std::optional<std::string> {
    if (at >= text.size()) return std::nullopt;
    std::string part = text.substr(at, block);
    at += part.size();
    return part;
  };
  std::string lines;
  const OsmXmlUse use{[](const osmium::io::Header&) {},
                      [&](const osmium::memory::Buffer& objects) {
                        for (const osmium::OSMObject& object : objects.select<osmium::OSMObject>())
                          lines += described(object);
                      }};
  if (!read_usual_osm_xml(blocks, use)) return std::nullopt;
  return lines;
}

/// The same map, which only a general parser reads: there is a comment in it.
std::string with_comment(std::string text) {
  const std::size_t end = text.rfind("</osm>");
  REQUIRE(end != std::string::npos);
  return text.insert(end, "<!-- a comment -->");
}

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

const std::string one_node = R"(<node id="1" lat="50" lon="9" visible="true" version="3" changeset="7" )"
                             R"(timestamp="2021-12-31T12:00:00Z" user="a &amp; b" uid="4"/>)";

std::string file(const std::string& elements) { return "<osm version=\"0.6\">\n" + elements + "\n</osm>\n"; }

}  // namespace

TEST_CASE("files as servers and editors write them are read the quick way, and are the same map") {
  const std::string town = test::read_file(THRONG_SOURCE_DIR "/examples/town_square.osm");
  const std::string plain = sample();
  std::string windows;
  for (const char c : plain) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& text :
       {plain, windows, "\xef\xbb\xbf" + plain, replaced(plain, "<osm", "<!-- head -->\n<osm"),
        replaced(plain, " encoding='UTF-8'", ""),
        replaced(plain, "<bounds", "<note>The data is free.</note><meta osm_base=\"now\"/><bounds"),
        replaced(plain, "<node id=\"1\"", "<node action='modify' id='1' visible='true' version=\"-1\""),
        replaced(plain, "<node id=\"1\"", "<node id=\"1\" visible=\"false\""),
        replaced(plain, "<nd ref=\"1\"/>", "<nd  ref='1' />\n\t"), replaced(plain, "lat=\"50.", "lat=\"+50."), town}) {
    CAPTURE(text);
    if (text.find("+50.") == std::string::npos) CHECK(quickly(text).has_value());
    const Result<Environment> quick = parse_environment("osm", text, "map"),
                              general = parse_environment("osm", with_comment(text), "map");
    REQUIRE(quick.ok() == general.ok());
    CHECK(all(quick.problems()) == all(general.problems()));
    if (quick.ok()) check_same(*quick, *general);
  }
}

TEST_CASE("a map read in blocks of any size is the same map") {
  const std::string text = sample();
  const std::optional<std::string> whole = quickly(text);
  REQUIRE(whole);
  CHECK(whole->starts_with("n1 true 90001395 500000899\n"));
  CHECK(
      whole->ends_with("r1001 true w101 w102 'building'='yes' 'name'='\"&&' Stra\xc3\x9f"
                       "e' 'type'='multipolygon'\n"));
  for (const std::size_t block : {std::size_t(1), std::size_t(7), std::size_t(100), std::size_t(1000)})
    CHECK(quickly(text, block) == whole);
}

TEST_CASE("a comment of 20 MB takes a map to the general parser, in one piece, and is no part of it") {
  const std::string plain = sample();
  const std::string wordy = replaced(plain, "</osm>", "<!--" + std::string(20 << 20, '>') + "--></osm>");
  CHECK_FALSE(quickly(wordy));
  const Result<Environment> one = parse_environment("osm", plain, "map"),
                            other = parse_environment("osm", wordy, "map");
  REQUIRE(one);
  REQUIRE(other);
  check_same(*one, *other);
}

TEST_CASE("all that is unusual in a map is left to the general parser") {
  REQUIRE(quickly(file(one_node)));
  const auto node = [](const std::string& attributes, const std::string& inside = "") {
    return file("<node id=\"1\" lat=\"50\" lon=\"9\" " + attributes + ">" + inside + "</node>");
  };
  const auto way = [](const std::string& inside) { return file(one_node + "<way id=\"2\">" + inside + "</way>"); };
  REQUIRE(quickly(node("", R"(<tag k="a" v="b"/>)")));
  REQUIRE(quickly(way(R"(<nd ref="1"/><tag k="a" v="b"/>)")));
  const std::string cut = file(one_node);
  for (const std::string& text : {std::string(),
                                  file(""),
                                  cut.substr(0, cut.size() - 3),
                                  cut + "x",
                                  cut + one_node,
                                  cut + cut,
                                  cut + "<!-- end -->",
                                  replaced(cut, "0.6", "0.7"),
                                  replaced(cut, " version=\"0.6\"", ""),
                                  replaced(cut, "<osm", "<!DOCTYPE osm [<!ENTITY a \"b\">]><osm"),
                                  "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" + cut,
                                  replaced(replaced(cut, "<osm", "<osmChange"), "</osm", "</osmChange"),
                                  file("<!-- <node -->" + one_node),
                                  file(one_node + "text" + one_node),
                                  file(one_node + "<changeset id=\"1\"/>"),
                                  file("<![CDATA[" + one_node + "]]>" + one_node),
                                  file("<x>" + one_node + "</x>"),
                                  file("<x>" + one_node),
                                  node("id=\"2\""),
                                  node("user=\"a\" user=\"b\""),
                                  node("other=\"1\""),
                                  node("version=\"x\""),
                                  node("version=\"12345678901\""),
                                  node("timestamp=\"yesterday\""),
                                  node("timestamp=\"2021-02-30T00:00:00Z\""),
                                  node("visible=\"maybe\""),
                                  node("user=\"<\""),
                                  node("user=\"&nbsp;\""),
                                  node("user=\"&#0;\""),
                                  node("user=\"&#xd800;\""),
                                  node("user=\"&#38\""),
                                  node("user=\"a\tb\""),
                                  node("user=\"\x01\""),
                                  node("user=\"\xff\""),
                                  node("user=\"\xef\xbf\xbf\""),
                                  node("user=a"),
                                  node("user"),
                                  node("user=\"a"),
                                  node("user=\"a\"uid=\"1\""),
                                  node("", "<nd ref=\"1\"/>"),
                                  node("", "<tag k=\"a\"/>"),
                                  node("", "<tag k=\"a\" v=\"b\"></tag>"),
                                  node("", "<tag k=\"a\" k=\"b\" v=\"c\"/>"),
                                  node("", "text"),
                                  node("", "<tag k=\"" + std::string(2000, 'a') + "\" v=\"b\"/>"),
                                  way("<nd/>"),
                                  way("<nd ref=\"x\"/>"),
                                  way("<nd ref=\"9223372036854775807\"/>"),
                                  way("<nd ref=\"1\" lat=\"50\"/>"),
                                  way("<tag k=\"a\" v=\"b\"/><nd ref=\"1\"/>"),
                                  way("<bounds/>"),
                                  replaced(cut, "lat=\"50\"", "lat=\"x\""),
                                  replaced(cut, "lat=\"50\"", "lat=\"50 \""),
                                  replaced(cut, "<node", "<nodes"),
                                  file("<relation id=\"1\"><member type=\"way\" role=\"\"/></relation>"),
                                  file("<relation id=\"1\"><member type=\"thing\" ref=\"1\" role=\"\"/></relation>")}) {
    CAPTURE(text);
    for (const std::size_t block : {std::size_t(3), std::size_t(1) << 20}) CHECK(!quickly(text, block).has_value());
  }
}
