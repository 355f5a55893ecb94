#include "environment/picture.hpp"

#include <doctest/doctest.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cmath>
#include <sstream>

#include "environment/clean.hpp"
#include "environment/formats.hpp"
#include "samples.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

CleanEnvironment clean_station() { return std::move(clean(*parse_environment("geojson", station, "f"))).value(); }

boost::property_tree::ptree parse_xml(const std::string& text) {
  std::istringstream in(text);
  boost::property_tree::ptree tree;
  REQUIRE_NOTHROW(boost::property_tree::read_xml(in, tree));
  return tree;
}

std::size_t count(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++found;
  return found;
}

}  // namespace

TEST_CASE("SVG is well-formed, has a group a layer, and escapes names") {
  const Result<std::string> svg = write_environment("svg", clean_station(), {.title = "a < b & \"c\""});
  REQUIRE(svg.ok());
  const auto tree = parse_xml(*svg);
  CHECK(tree.get<std::string>("svg.title") == "a < b & \"c\"");
  for (const char* layer : {"ground", "stair", "upper"}) CHECK(count(*svg, std::string("\"regions ") + layer + "\"") == 1);
  CHECK(count(*svg, "west &quot;A&quot;") == 1);
  CHECK(count(*svg, "stairs from 0 m to 3 m") == 1);
  CHECK(*svg == *write_environment("svg", clean_station(), {.title = "a < b & \"c\""}));
}

TEST_CASE("Ipe is well-formed, lists every layer it uses, and escapes for LaTeX") {
  const Result<std::string> ipe = write_environment("ipe", clean_station(), {.title = "100% of #1_{}"});
  REQUIRE(ipe.ok());
  const auto tree = parse_xml(*ipe);
  const std::string views = " " + tree.get<std::string>("ipe.page.view.<xmlattr>.layers") + " ";
  for (const auto& [name, node] : tree.get_child("ipe.page")) {
    if (name != "path" && name != "text") continue;
    CHECK(views.find(" " + node.get<std::string>("<xmlattr>.layer") + " ") != std::string::npos);
  }
  CHECK(ipe->find("100\\% of \\#1\\_\\{\\}") != std::string::npos);
  // Opacities have to be named in the style sheet.
  CHECK(count(*ipe, "<opacity name=\"55%\"") == 1);
}

TEST_CASE("y points up: what is higher in the world is drawn higher on the page") {
  const std::string two = collection(feature("walkable", polygon(square(0, 0, 10))) + "," +
                                     feature("area", polygon("[[0,0],[1,0],[1,1],[0,0]]"), R"(,"name":"low")") + "," +
                                     feature("area", polygon("[[0,9],[1,9],[1,10],[0,9]]"), R"(,"name":"high")"));
  const std::string svg = *write_environment("svg", *clean(*parse_environment("geojson", two, "f")));
  const auto y_of = [&](const std::string& name) {
    const std::size_t at = svg.rfind(" y=\"", svg.find(">" + name + "<"));
    return std::stod(svg.substr(at + 4));
  };
  CHECK(y_of("high") < y_of("low"));
}

TEST_CASE("panels keep one scale and do not overlap") {
  const Layout layout = lay_out(clean_station());
  REQUIRE(layout.panels.size() == 3);
  for (const Panel& a : layout.panels) {
    CHECK(a.view.scale == layout.scale);
    CHECK(a.page_low.x >= 0);
    CHECK(a.page_low.y >= 0);
    CHECK(a.page_high.x <= layout.width);
    CHECK(a.page_high.y <= layout.height);
    const Vec2 corner = a.view(a.world.max);
    CHECK(corner.x <= a.page_high.x);
    CHECK(corner.y <= a.page_high.y);
    for (const Panel& b : layout.panels) {
      if (&a == &b) continue;
      const bool apart = a.page_high.x < b.page_low.x || b.page_high.x < a.page_low.x || a.page_high.y < b.page_low.y ||
                         b.page_high.y < a.page_low.y;
      CHECK(apart);
    }
  }
  CHECK(lay_out(clean_station(), 1).panels.size() == 1);
}

TEST_CASE("a picture of an unknown layer is refused, of one layer it shows that one") {
  CHECK(!write_environment("svg", clean_station(), {.layer = "attic"}).ok());
  const Result<std::string> upper = write_environment("svg", clean_station(), {.layer = "upper"});
  REQUIRE(upper.ok());
  CHECK(upper->find("upper (at 3.25 m)") != std::string::npos);
  CHECK(upper->find("ground (at") == std::string::npos);
}
