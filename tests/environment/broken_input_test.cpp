// Broken files of every format: each is refused with the right code, its place and the word that tells what is wrong; none
// crashes, hangs or is accepted.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "environment/check.hpp"
#include "environment/clean/clean.hpp"
#include "environment/formats/formats.hpp"
#include "environment/samples.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

struct Broken {
  std::string what;
  std::string text;
  ProblemCode code;
  std::string place;  ///< part of the place
  std::string word;   ///< part of the message
  std::string format = "geojson";
};

const std::string two_layers = R"("throng":{"version":1,"layers":[{"id":"a"},{"id":"b"}]},)";

std::string header(const std::string& members) { return collection(hall(), R"("throng":{)" + members + "},"); }

std::string with(const std::string& feature) { return collection(hall() + ",\n" + feature); }

std::string connection(const std::string& points, const std::string& layers) {
  return collection(feature("walkable", polygon(square(0, 0, 4))) + ",\n" +
                        feature("walkable", polygon(square(4, 0, 4)), R"(,"layer":"b")") + ",\n" +
                        feature("connection", line(points), R"(,"layers":)" + layers),
                    two_layers);
}

std::string repeat(const std::string& text, std::size_t times) {
  std::string out;
  for (std::size_t i = 0; i < times; ++i) out += text;
  return out;
}

std::vector<Broken> syntax_errors() {
  using enum ProblemCode;
  const std::string whole = with(feature("obstacle", polygon(square(1, 1, 1))));
  return {
      {"empty file", "", syntax, "f:1:1", "empty"},
      {"blanks only", " \n\n ", syntax, "f:", "empty"},
      {"truncated in a number", whole.substr(0, whole.size() - 20), syntax, "f:3:", "ends early"},
      {"truncated in a string", whole.substr(0, 12), syntax, "f:1:", "ends inside a string"},
      {"truncated before the last bracket", whole.substr(0, whole.size() - 1), syntax, "f:4:", "ends early"},
      {"text behind the end", whole + "\n}", syntax, "f:5:1", "follows the end"},
      {"two documents", whole + whole, syntax, "f:4:3", "follows the end"},
      {"missing comma", with(feature("obstacle", polygon("[[0,0] [1,0],[1,1]]"))), syntax, "feature 1", "comma"},
      {"missing colon", R"({"type" "FeatureCollection"})", syntax, "f:1:", "colon"},
      {"comma too many", with("{\"type\":\"Feature\",}"), syntax, "f:3:", "missing or one too many"},
      {"word in place of a value", collection(hall(), "\"x\":nul,"), syntax, "f:1:", "neither true"},
      {"misspelt literal", collection(hall(), "\"x\":trve,"), syntax, "f:1:", "true"},
      {"number with a leading zero", collection(hall(), "\"x\":01,"), syntax, "f:1:", "number"},
      {"bad escape", collection(hall(), R"("x":"\q",)"), syntax, "f:1:", "escape"},
      {"lone surrogate", collection(hall(), R"("x":"\ud800",)"), syntax, "f:1:", "escape"},
      {"control character in a string", collection(hall(), "\"x\":\"a\nb\","), syntax, "f:", "control character"},
      {"bad UTF-8", collection(hall(), "\"x\":\"\xff\","), syntax, "f:1:34", "UTF-8"},
      {"overlong UTF-8", collection(hall(), "\"x\":\"\xc0\xaf\","), syntax, "f:1:34", "UTF-8"},
      {"UTF-8 cut short", collection(hall()) + "\n\xe2\x82", syntax, "f:4:1", "UTF-8"},
      {"NUL bytes", std::string(100, '\0'), schema, "f:1:1", "object"},
      {"not JSON at all", "POLYGON((0 0,1 0,1 1,0 0))", schema, "f:1:1", "object"},
      {"an array", "[]", schema, "f:1:1", "object"},
      {"nested too deep", collection(hall(), "\"x\":" + repeat("[", 100000) + repeat("]", 100000) + ","), limit,
       "f:1:", "deeper"},
      {"nested objects without end", "{\"a\":" + repeat("{\"a\":", 100000), syntax, "f:1:", "ends early"},
      {"brackets only", repeat("[", 1000000), schema, "f:1:1", "object"},
      {"coordinates nested too deep", with(feature("obstacle", polygon(repeat("[", 90000) + repeat("]", 90000)))),
       schema, "feature 1 (obstacle)", "nested"},
  };
}

std::vector<Broken> structural_errors() {
  using enum ProblemCode;
  const std::string square_geometry = polygon(square(1, 1, 1));
  return {
      {"not a FeatureCollection", R"({"type":"Feature","features":[]})", schema, "f:1:9", "FeatureCollection"},
      {"type is a number", R"({"type":1,"features":[]})", schema, "f:1:9", "FeatureCollection"},
      {"no features", R"({"type":"FeatureCollection"})", schema, "f:1:1", "features"},
      {"empty features", R"({"type":"FeatureCollection","features":[]})", schema, "f:1:", "empty"},
      {"features is an object", R"({"type":"FeatureCollection","features":{}})", schema, "f:1:", "array"},
      {"features twice", R"({"features":[],"type":"FeatureCollection","features":[]})", schema, "f:1:", "twice"},
      {"a feature is a number", with("7"), schema, "feature 1", "object"},
      {"a feature of another type",
       with(R"({"type":"Thing","properties":{"kind":"obstacle"},"geometry":)" + square_geometry + "}"), schema,
       "feature 1 (obstacle)", "Feature"},
      {"no kind", with(R"({"type":"Feature","properties":{},"geometry":)" + square_geometry + "}"), schema, "feature 1",
       "kind"},
      {"properties is null", with(R"({"type":"Feature","properties":null,"geometry":)" + square_geometry + "}"), schema,
       "feature 1", "kind"},
      {"properties is an array", with(R"({"type":"Feature","properties":[],"geometry":)" + square_geometry + "}"),
       schema, "feature 1", "object"},
      {"kind is a number", with(R"({"type":"Feature","properties":{"kind":3},"geometry":)" + square_geometry + "}"),
       schema, "feature 1", "string"},
      {"unknown kind", with(feature("obstcle", square_geometry)), value, "f:3:", "did you mean 'obstacle'?"},
      {"geometry missing", with(R"({"type":"Feature","properties":{"kind":"obstacle"}})"), schema,
       "feature 1 (obstacle)", "geometry"},
      {"geometry null", with(feature("obstacle", "null")), schema, "feature 1 (obstacle)", "null"},
      {"geometry without type", with(feature("obstacle", R"({"coordinates":[[0,0],[1,1]]})")), schema, "feature 1",
       "type"},
      {"unknown geometry", with(feature("obstacle", R"({"type":"Poligon","coordinates":[]})")), schema, "feature 1",
       "did you mean 'Polygon'?"},
      {"geometry without coordinates", with(feature("obstacle", R"({"type":"Polygon"})")), schema, "feature 1",
       "coordinates"},
      {"a point as obstacle", with(feature("obstacle", R"({"type":"Point","coordinates":[1,2]})")), schema,
       "feature 1 (obstacle) at (1, 2)", "Polygon"},
      {"a line as walkable", with(feature("walkable", line("[1,2],[3,4]"))), schema, "feature 1 (walkable)",
       "LineString"},
      {"a geometry collection", with(feature("obstacle", R"({"type":"GeometryCollection","geometries":[]})")), schema,
       "feature 1", "GeometryCollection"},
      {"polygon coordinates of a line", with(feature("obstacle", polygon("[1,2],[3,4]"))), schema,
       "feature 1 (obstacle)", "nested"},
      {"positions at different depths", with(feature("obstacle", polygon("[[1,2],[[3,4]],[5,6]]"))), schema,
       "feature 1", "depth"},
      {"a string as coordinate", with(feature("obstacle", polygon("[[\"1\",2],[3,4],[5,5]]"))), schema, "feature 1",
       "string"},
      {"null as coordinate", with(feature("obstacle", polygon("[[1,null],[3,4],[5,5]]"))), schema, "feature 1", "null"},
      {"a position of one number", with(feature("obstacle", polygon("[[1],[3,4],[5,5]]"))), schema, "feature 1",
       "two numbers"},
      {"name is a number", with(feature("obstacle", square_geometry, ",\"name\":7")), schema, "feature 1", "string"},
      {"layer is a number", with(feature("obstacle", square_geometry, ",\"layer\":0")), schema, "feature 1", "string"},
      {"region without type", with(feature("region", square_geometry)), schema, "feature 1 (region)", "type"},
      {"area without name", with(feature("area", square_geometry)), schema, "feature 1 (area)", "name"},
  };
}

std::vector<Broken> header_errors() {
  using enum ProblemCode;
  return {
      {"throng is a string", collection(hall(), R"("throng":"1",)"), schema, "f:1:", "object"},
      {"throng twice", collection(hall(), R"("throng":{"version":1},"throng":{"version":1},)"), schema,
       "f:1:", "twice"},
      {"no version", header(R"("layers":[{"id":"a"}])"), schema, "f:1:", "version"},
      {"another version", header(R"("version":2)"), unsupported, "f:1:", "version '2'"},
      {"unknown member", header(R"("version":1,"layer":[])"), schema, "f:1:", "did you mean 'layers'?"},
      {"layers empty", header(R"("version":1,"layers":[])"), schema, "f:1:", "empty"},
      {"layers is an object", header(R"("version":1,"layers":{})"), schema, "f:1:", "array"},
      {"duplicate layer", header(R"("version":1,"layers":[{"id":"a"},{"id":"a"}])"), value,
       "f:1:", "duplicate layer 'a'"},
      {"layer without id", header(R"("version":1,"layers":[{"elevation":1}])"), schema, "f:1:", "id"},
      {"layer id is a number", header(R"("version":1,"layers":[{"id":1}])"), schema, "f:1:", "string"},
      {"unknown member of a layer", header(R"("version":1,"layers":[{"id":"a","elevatoin":1}])"), schema,
       "f:1:", "did you mean 'elevation'?"},
      {"elevation is a string", header(R"("version":1,"layers":[{"id":"a","elevation":"1"}])"), schema,
       "f:1:", "number"},
      {"elevation is 1e300", header(R"("version":1,"layers":[{"id":"a","elevation":1e300}])"), value, "f:1:", "large"},
      {"ramp of one point", header(R"("version":1,"layers":[{"id":"a","elevation":{"ramp":[[0,0,0]]}}])"), schema,
       "f:1:", "two points"},
      {"ramp without axis", header(R"("version":1,"layers":[{"id":"a","elevation":{"ramp":[[1,2,0],[1,2,3]]}}])"),
       geometry, "f:1:", "nowhere"},
      {"stairs without ramp", header(R"("version":1,"layers":[{"id":"a","elevation":{"stairs":true}}])"), schema,
       "f:1:", "ramp"},
      {"grid without unit", header(R"("version":1,"grid":{"origin":[0,0]})"), value, "f:1:", "unit"},
      {"grid of unit 0", header(R"("version":1,"grid":{"unit":0,"origin":[0,0]})"), value, "f:1:", "unit"},
      {"grid between units", header(R"("version":1,"grid":{"unit":0.001,"origin":[0.5,0]})"), value, "f:1:", "whole"},
      {"degrees", collection(hall(), R"("crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:OGC:1.3:CRS84"}},)"),
       unsupported, "f:1:", "metres"},
      {"unknown layer", collection(feature("walkable", polygon(square(0, 0, 4)), R"(,"layer":"c")"), two_layers), value,
       "feature 0 (walkable)", "unknown layer 'c'"},
  };
}

std::vector<Broken> shape_errors() {
  using enum ProblemCode;
  return {
      {"NaN", with(feature("obstacle", polygon("[[NaN,0],[1,0],[1,1]]"))), value, "f:3:", "NaN"},
      {"infinite", with(feature("obstacle", polygon("[[0,0],[Infinity,0],[1,1]]"))), value, "feature 1 (obstacle)",
       "Infinity"},
      {"minus infinite", with(feature("obstacle", polygon("[[0,0],[-Infinity,0],[1,1]]"))), value, "feature 1",
       "-Infinity"},
      {"1e999", with(feature("obstacle", polygon("[[0,0],[1e999,0],[1,1]]"))), value, "feature 1", "1e999"},
      {"1e300", with(feature("obstacle", polygon("[[0,0],[1e300,0],[1,1]]"))), value, "feature 1", "too large"},
      {"empty coordinates", with(feature("obstacle", polygon(""))), geometry, "feature 1 (obstacle)", "empty"},
      {"empty ring", with(feature("obstacle", polygon("[]"))), geometry, "feature 1 (obstacle)", "empty"},
      {"one-point ring", with(feature("obstacle", polygon("[[3,4]]"))), geometry, "feature 1 (obstacle) at (3, 4)",
       "three points"},
      {"two-point ring, closed", with(feature("obstacle", polygon("[[3,4],[5,6],[3,4]]"))), geometry, "at (3, 4)",
       "three points"},
      {"the same point four times", with(feature("obstacle", polygon("[[3,4],[3,4],[3,4],[3,4]]"))), geometry,
       "at (3, 4)", "three points"},
      {"zero area", with(feature("obstacle", polygon("[[0,0],[1,1],[2,2],[0,0]]"))), geometry, "feature 1", "no area"},
      {"hole of zero area", with(feature("obstacle", polygon(square(1, 1, 9) + ",[[2,2],[3,3],[4,4],[2,2]]"))),
       geometry, "at (2, 2)", "hole"},
      {"one-point line", with(feature("obstacle", line("[1,1]"))), geometry, "at (1, 1)", "two points"},
      {"line without length", with(feature("obstacle", line("[1,1],[1,1]"))), geometry, "at (1, 1)", "no length"},
      {"bow tie", with(feature("obstacle", polygon("[[1,1],[3,3],[3,1],[1,3],[1,1]]"))), geometry,
       "feature 1 (obstacle) at (2, 2)", "crosses itself"},
      {"hole inside a hole",
       with(feature("obstacle", polygon(square(1, 1, 9) + "," + square(2, 2, 6) + "," + square(3, 3, 2)))), geometry,
       "feature 1 (obstacle)", "hole"},
      {"hole outside its polygon", with(feature("obstacle", polygon(square(1, 1, 4) + "," + square(10, 10, 2)))),
       geometry, "feature 1 (obstacle)", "hole"},
      {"connection of three points", connection("[4,0],[4,2],[4,4]", R"(["a","b"])"), geometry,
       "feature 2 (connection)", "two points"},
      {"connection without length", connection("[4,0],[4,0]", R"(["a","b"])"), geometry, "feature 2 (connection)",
       "no length"},
      {"connection without layers", connection("[4,0],[4,4]", "null"), schema, "feature 2 (connection)",
       "two layer ids"},
      {"connection of one layer", connection("[4,0],[4,4]", R"(["a"])"), schema, "feature 2 (connection)",
       "two layer ids"},
      {"connection of a layer with itself", connection("[4,0],[4,4]", R"(["a","a"])"), value, "feature 2 (connection)",
       "different"},
      {"connection to an unknown layer", connection("[4,0],[4,4]", R"(["a","z"])"), value, "feature 2 (connection)",
       "unknown layer 'z'"},
      {"connection in the middle of nowhere", connection("[14,0],[14,4]", R"(["a","b"])"), geometry,
       "feature 2 (connection)", ""},
      {"connection across free space", connection("[2,0],[2,4]", R"(["a","b"])"), geometry, "feature 2 (connection)",
       ""},
  };
}

std::vector<Broken> other_formats() {
  using enum ProblemCode;
  const std::string head = "type octile\nheight 2\nwidth 3\nmap\n";
  return {
      {"wkt: empty", "", syntax, "f:1:1", "empty", "wkt"},
      {"wkt: unknown name", "POLYGN((0 0,1 0,1 1,0 0))", schema, "f:1:1", "did you mean 'POLYGON'?", "wkt"},
      {"wkt: a point", "POINT(1 2)", unsupported, "f:1:1", "polygons and lines", "wkt"},
      {"wkt: truncated", "POLYGON((0 0,1 0,", syntax, "f:1:18", "the end", "wkt"},
      {"wkt: missing bracket", "POLYGON((0 0,1 0,1 1,0 0)", syntax, "f:1:26", "')'", "wkt"},
      {"wkt: missing comma", "POLYGON((0 0,1 0,1 1 1 1 1,0 0))", syntax, "f:1:26", "')'", "wkt"},
      {"wkt: a word", "POLYGON((0 0,1 x,1 1,0 0))", syntax, "f:1:16", "'x'", "wkt"},
      {"wkt: nan", "POLYGON((0 0,\n1 nan,1 1,0 0))", value, "f:2:3", "'nan'", "wkt"},
      {"wkt: infinite", "POLYGON((0 0,1 -inf,1 1,0 0))", value, "f:1:16", "'-inf'", "wkt"},
      {"wkt: 1e300", "POLYGON((0 0,1 1e300,1 1,0 0))", value, "f:1:14", "too large", "wkt"},
      {"wkt: zero area", "POLYGON((0 0,1 1,2 2,0 0))", geometry, "feature 0 (walkable)", "no area", "wkt"},
      {"wkt: everything empty", "POLYGON EMPTY", geometry, "f", "EMPTY", "wkt"},
      {"wkt: bow tie", "POLYGON((1 1,3 3,3 1,1 3,1 1))", geometry, "feature 0 (walkable) at (2, 2)", "crosses itself",
       "wkt"},
      {"wkt: degrees", "SRID=4326;POLYGON((0 0,1 0,1 1,0 0))", unsupported, "f:1:", "metres", "wkt"},
      {"map: empty", "", syntax, "f:1:1", "map", "map"},
      {"map: another type", "type tile\nheight 2\nwidth 3\nmap\n...\n...\n", unsupported, "f:1:6", "octile", "map"},
      {"map: no height", "type octile\nwidth 3\nmap\n...\n", schema, "f:3:1", "height", "map"},
      {"map: negative width", "type octile\nheight 2\nwidth -3\nmap\n", value, "f:3:", "whole number", "map"},
      {"map: absurd size", "type octile\nheight 9999999999\nwidth 9999999999\nmap\n..\n", syntax, "f:4:1", "ends early",
       "map"},
      {"map: rows missing", head + "...\n", syntax, "f:", "ends early", "map"},
      {"map: row too short", head + "...\n..\n...\n", syntax, "f:6:3", "row of 2", "map"},
      {"map: row too long", head + "....\n...\n", syntax, "f:5:4", "row of 4", "map"},
      {"map: unknown cell", head + ".x.\n...\n", value, "f:5:2", "'x'", "map"},
      {"map: text behind the end", head + "...\n...\n...\n", syntax, "f:7:1", "follows", "map"},
      {"map: nowhere to walk", head + "@@@\nTTW\n", geometry, "f", "walk", "map"},
      {"map: unknown header", "typ octile\n", syntax, "f:1:1", "did you mean 'type'?", "map"},
      {"poly: empty", "", syntax, "f:1:1", "poly", "poly"},
      {"poly: another word", "ploy\n1\n1\n3 0 0 1 0 1 1\n", syntax, "f:1:", "poly", "poly"},
      {"poly: another version", "poly\n2\n1\n3 0 0 1 0 1 1\n", unsupported, "f:2:", "version", "poly"},
      {"poly: no rings", "poly\n1\n0\n", geometry, "f:", "no rings", "poly"},
      {"poly: ring missing", "poly\n1\n2\n3 0 0 1 0 1 1\n", syntax, "f:5:", "ring 1 of 2", "poly"},
      {"poly: points missing", "poly\n1\n1\n5 0 0 1 0 1 1\n", syntax, "f:5:", "the end", "poly"},
      {"poly: a billion points", "poly\n1\n1\n1000000000 0 0 1 0 1 1\n", syntax, "f:4:", "ends early", "poly"},
      {"poly: a word", "poly\n1\n1\n3 0 0 x 0 1 1\n", value, "f:4:7", "'x'", "poly"},
      {"poly: 1e300", "poly\n1\n1\n3 0 0 1e300 0 1 1\n", value, "f:4:7", "too large", "poly"},
      {"poly: two-point ring", "poly\n1\n1\n2 0 0 1 0\n", geometry, "ring 0 at (0, 0)", "three points", "poly"},
      {"poly: bow tie", "poly\n1\n1\n4 1 1 3 3 3 1 1 3\n", geometry, "ring 0 at (2, 2)", "crosses", "poly"},
      {"poly: rings that cancel", "poly\n1\n2\n3 0 0 1 0 1 1\n3 0 0 1 0 1 1\n", geometry, "f", "cancel", "poly"},
      {"poly: text behind the end", "poly\n1\n1\n3 0 0 1 0 1 1\n7\n", syntax, "f:5:1", "follows", "poly"},
  };
}

Problems read_and_clean(const Broken& broken) {
  const Result<Environment> read = parse_environment(broken.format, broken.text, "f");
  if (!read) return read.problems();
  CHECK(check_environment(*read).empty());
  return clean(*read).problems();
}

void check_refused(const std::vector<Broken>& table) {
  for (const Broken& broken : table) {
    INFO(broken.what);
    const Problems problems = read_and_clean(broken);
    REQUIRE(has_errors(problems));
    const auto expected = std::find_if(problems.begin(), problems.end(), [&](const Problem& problem) {
      return problem.severity == Severity::error && problem.code == broken.code &&
             problem.place.find(broken.place) != std::string::npos &&
             problem.message.find(broken.word) != std::string::npos;
    });
    std::string said;
    for (const Problem& problem : problems)
      said += fmt::format("\n  [{}] {}", name_of(problem.code), to_string(problem));
    INFO("said:" << said);
    CHECK(expected != problems.end());
    for (const Problem& problem : problems) CHECK(!problem.message.empty());
  }
}

}  // namespace

TEST_CASE("broken input: JSON that is none") { check_refused(syntax_errors()); }
TEST_CASE("broken input: GeoJSON of the wrong structure") { check_refused(structural_errors()); }
TEST_CASE("broken input: headers") { check_refused(header_errors()); }
TEST_CASE("broken input: shapes that cannot be made right") { check_refused(shape_errors()); }
TEST_CASE("broken input: WKT, MovingAI and polyanya") { check_refused(other_formats()); }

TEST_CASE("broken input: cut anywhere, a good file is refused or says the same") {
  // The last bracket is what makes it whole: no shorter text may pass.
  for (std::size_t size = 0; size + 1 < station.size(); ++size) {
    const Result<Environment> e = parse_environment("geojson", station.substr(0, size), "f");
    CAPTURE(size);
    REQUIRE(!e.ok());
    REQUIRE(!e.problems().empty());
  }
}
