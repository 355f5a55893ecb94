#include "environment/geojson/geojson_reader.hpp"

#include <doctest/doctest.h>

#include <cstdlib>

#include "environment/check.hpp"
#include "environment/formats/formats.hpp"
#include "environment/samples.hpp"
#include "support/data.hpp"

using namespace throng;
using namespace throng::environment;
using namespace throng::test;

namespace {

Environment read(const std::string& text) {
  Result<Environment> result = read_geojson(text, "plan.geojson");
  for (const Problem& problem : result.problems()) MESSAGE(to_string(problem));
  REQUIRE(result.ok());
  CHECK(check_environment(*result).empty());
  return std::move(result).value();
}

}  // namespace

TEST_CASE("every kind, layer, elevation and connection is read") {
  const Environment e = read(station);
  REQUIRE(e.layers.size() == 3);
  CHECK(e.layers[0].id == "ground");
  CHECK(e.layers[0].elevation == Elevation());
  CHECK(e.layers[1].elevation.stairs);
  CHECK(e.layers[1].elevation.at({23, 0}) == 1.5);
  CHECK(e.layers[2].elevation.z == 3.25);
  REQUIRE(e.features.size() == 11);
  CHECK(e.source == "plan.geojson");

  const Feature& kiosk = e.features[1];
  CHECK(kiosk.kind == Kind::obstacle);
  CHECK(kiosk.name == "kiosk");
  CHECK(kiosk.id == "17");
  REQUIRE(kiosk.polygons.size() == 2);
  CHECK((kiosk.polygons[0].outer == Ring{{8, 12}, {11, 12}, {11, 15}, {8, 15}}));
  REQUIRE(kiosk.polygons[0].holes.size() == 1);
  CHECK((kiosk.polygons[0].holes[0] == Ring{{9, 13}, {10, 13}, {10, 14}, {9, 14}}));
  CHECK((kiosk.polygons[1].outer == Ring{{1, 18}, {2, 18}, {2, 19}}));

  CHECK((e.features[2].lines == std::vector<Line>{{{3, 0}, {3, 8}, {6, 8}}}));
  CHECK(e.features[3].kind == Kind::opening);
  CHECK(e.features[4].type == "grass");
  CHECK(e.features[5].name == "west \"A\"");
  CHECK(e.features[5].number == 5);
  CHECK(e.features[7].layer == 2);
  CHECK(e.features[8].lines.size() == 2);
  CHECK(e.features[10].kind == Kind::connection);
  CHECK(e.features[10].layer == 1);
  CHECK(e.features[10].other_layer == 2);
}

TEST_CASE("a file without \"throng\" has one layer") {
  const Environment e = read(collection(hall()));
  REQUIRE(e.layers.size() == 1);
  CHECK(e.layers[0].id == "ground");
  CHECK(!e.grid);
}

TEST_CASE("the header may follow the features") {
  const Environment e =
      read(R"({"features":[)" + feature("walkable", polygon(square(0, 0, 1)), R"(,"layer":"b")") +
           R"(],"throng":{"layers":[{"id":"a"},{"id":"b"}],"version":1},"type":"FeatureCollection"})");
  CHECK(e.features[0].layer == 1);
}

TEST_CASE("the recorded grid is read") {
  const Environment e =
      read(collection(hall(), R"("throng":{"version":1,"grid":{"unit":0.01,"origin":[-12345678901,7]}},)"));
  REQUIRE(e.grid.has_value());
  CHECK((*e.grid == Grid{0.01, -12345678901, 7}));
}

TEST_CASE("foreign members, a byte order mark and odd spacing are harmless") {
  const std::string foreign = R"("crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::25832"}},)"
                              R"("name":"x","list":[1,[2,{"a":null}],true,false,"\u00e9\n"],)";
  const Environment e = read("\xef\xbb\xbf \r\n\t" + collection(hall(), foreign) + "\n\n");
  CHECK(e.features.size() == 1);
}

TEST_CASE("rings that are not closed are closed, with a warning that names the feature") {
  const Result<Environment> e =
      read_geojson(collection(hall() + ",\n" + feature("obstacle", polygon("[[1,1],[2,1],[2,2]]"))), "plan.geojson");
  REQUIRE(e.ok());
  CHECK((e->features[1].polygons[0].outer == Ring{{1, 1}, {2, 1}, {2, 2}}));
  REQUIRE(e.problems().size() == 1);
  CHECK(e.problems()[0].severity == Severity::warning);
  CHECK(e.problems()[0].place == "plan.geojson:3:1: feature 1 (obstacle)");
}

TEST_CASE("all problems are reported at once, in the order of the file") {
  const Result<Environment> e =
      read_geojson(collection(feature("wakable", polygon(square(0, 0, 1))) + ",\n" + hall() + ",\n" +
                              feature("region", polygon(square(0, 0, 1)), R"(,"layer":"attic")") + ",\n" +
                              feature("obstacle", polygon("[[0,0],[1,1e300],[1,0],[0,0]]"))),
                   "plan.geojson");
  REQUIRE(!e.ok());
  REQUIRE(e.problems().size() == 4);
  CHECK(e.problems()[0].place.starts_with("plan.geojson:2:"));
  CHECK(e.problems()[0].message.find("did you mean 'walkable'?") != std::string::npos);
  CHECK(e.problems()[1].place.starts_with("plan.geojson:4:"));
  CHECK(e.problems()[2].place.starts_with("plan.geojson:4:"));
  CHECK(e.problems()[3].place.starts_with("plan.geojson:5:"));
  CHECK(e.problems()[3].place.find("feature 3 (obstacle)") != std::string::npos);
}

TEST_CASE("beyond a hundred problems the rest is counted") {
  std::string features = hall();
  for (int i = 0; i < 250; ++i) features += ",\n" + feature("region", polygon(square(0, 0, 1)));
  const Result<Environment> e = read_geojson(collection(features), "plan.geojson");
  REQUIRE(e.problems().size() == 101);
  CHECK(e.problems().back().message == "and 150 more errors");
}

TEST_CASE("a scenario is told from an environment, comments and all") {
  const Result<Environment> e =
      read_geojson("{ // run it\n \"throng\": 1, \"environment\": \"hall.geojson\"}", "s.json");
  REQUIRE(e.problems().size() == 1);
  CHECK(e.problems()[0].code == ProblemCode::unsupported);
  CHECK(e.problems()[0].message.find("scenario") != std::string::npos);
}

TEST_CASE("kaiserslautern is read whole") {
  const auto file = data_file("kaiserslautern.geojson");
  if (!file) return;
  const Result<Environment> e = read_environment(file->string());
  REQUIRE(e.ok());
  CHECK(e.problems().empty());
  CHECK(e->features.size() == 1113);
  CHECK(check_environment(*e).empty());
}
