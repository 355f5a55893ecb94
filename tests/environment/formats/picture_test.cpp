#include "environment/formats/picture.hpp"

#include <doctest/doctest.h>

#include <boost/property_tree/ptree.hpp>
#include <boost/property_tree/xml_parser.hpp>
#include <cmath>
#include <sstream>

#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/samples.hpp"
#include "environment/sketch.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

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

/// The rings of all paths in a group, back in metres: what a viewer of the file would fill.
std::vector<Ring> rings_in_svg(const std::string& svg, const std::string& group, const Layout& layout) {
  const std::size_t start = svg.find("<g id=\"" + group + "\"");
  const std::size_t end = svg.find("</g>", start);
  const View& view = layout.panels[0].view;
  std::vector<Ring> rings;
  for (std::size_t at = svg.find(" d=\"", start); at < end; at = svg.find(" d=\"", at + 1)) {
    std::istringstream path(svg.substr(at + 4, svg.find('"', at + 4) - at - 4));
    for (char command = 0; path >> command;) {
      if (command == 'Z') continue;
      if (command == 'M') rings.emplace_back();
      Vec2 page;
      path >> page.x >> page.y;
      page.y = layout.height - page.y;
      rings.back().push_back((page - view.page_origin) / view.scale + view.world_origin);
    }
  }
  return rings;
}

bool in_odd_number(const std::vector<Ring>& rings, Vec2 p) {
  std::size_t around = 0;
  for (const Ring& ring : rings) around += contains(ring, p);
  return around % 2 == 1;
}

/// Whether a point is free by the source features alone: in a walkable polygon and in no obstacle.
bool free_in_source(const Environment& e, Vec2 p) {
  bool walkable = false;
  for (const Feature& f : e.features) {
    for (const Polygon& shape : f.polygons) {
      std::vector<Ring> rings = shape.holes;
      rings.push_back(shape.outer);
      const bool inside = in_odd_number(rings, p);
      if (inside && f.kind == Kind::obstacle) return false;
      walkable = walkable || (inside && f.kind == Kind::walkable);
    }
  }
  return walkable;
}

}  // namespace

TEST_CASE("the SVG of every map shows free space where its source has it") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  for (const char* name : {"kaiserslautern.geojson", "Berlin_0_256.poly", "Milan_1_512.poly", "Sydney_2_1024.poly"}) {
    const auto file = data_file(name);
    if (!file) return;
    CAPTURE(name);
    const Environment source = *read_environment(file->string());
    const CleanEnvironment c = *clean(source);
    const Layout layout = lay_out(c);
    const std::vector<Ring> rings = rings_in_svg(*write_environment("svg", c), "boundary", layout);
    std::size_t expected = 0;
    for (const GridPolygon& polygon : c.layers[0].free) expected += 1 + polygon.holes.size();
    REQUIRE(rings.size() == expected);
    // Coordinates in the file are rounded to a thousandth of a point, a millimetre or two here: a sample in a hundred thousand.
    const geometry::Box box = layout.panels[0].world;
    int wrong = 0;
    for (int i = 0; i < 5000; ++i) {
      const Vec2 p{random.uniform(box.min.x, box.max.x), random.uniform(box.min.y, box.max.y)};
      wrong += in_odd_number(rings, p) != free_in_source(source, p);
    }
    CHECK(wrong <= 2);
  }
}

TEST_CASE("SVG is well-formed, has a group a layer, and escapes names") {
  const Result<std::string> svg = write_environment("svg", clean_station(), {.title = "a < b & \"c\""});
  REQUIRE(svg.ok());
  const auto tree = parse_xml(*svg);
  CHECK(tree.get<std::string>("svg.title") == "a < b & \"c\"");
  for (const char* layer : {"ground", "stair", "upper"})
    CHECK(count(*svg, std::string("\"regions-") + layer + "\"") == 1);
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
  // A double quote does not end the attribute that it stands in.
  const Result<std::string> quoted = write_environment("ipe", clean_station(), {.title = "the \"hall\" & more"});
  REQUIRE(quoted.ok());
  CHECK(parse_xml(*quoted).get<std::string>("ipe.info.<xmlattr>.title") == "the \"hall\" \\& more");
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
