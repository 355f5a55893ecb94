// cli/places.cpp is part of the program, so its rules are tested through `throng query`, which shows them all.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

constexpr const char* room = R"({"type": "FeatureCollection", "features": [{"type": "Feature",
  "properties": {"kind": "walkable"}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[8,0],[8,4],[0,4],[0,0]]]}}]})";

ProgramResult query(const TempDir& folder, const std::string& csv) {
  write_file(folder / "room.geojson", room);
  write_file(folder / "points.csv", csv);
  return run_throng({"query", folder / "room.geojson", "--points", folder / "points.csv"});
}

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST_CASE("query: with or without a heading, blanks, quotes, empty lines and line ends of any kind") {
  const TempDir folder;
  for (const char* csv : {"1,1\n7,2\n", "x,y\n1,1\n7,2\n", "y , x\r\n1,1\r\n\r\n 2 , 7 \r\n",
                          "\xef\xbb\xbf"
                          "1,1\n7,2",
                          "x,layer,y\n1,ground,1\n7,\"ground\",2\n"}) {
    INFO(csv);
    const ProgramResult result = query(folder, csv);
    REQUIRE(result.exit_code == 0);
    const std::vector<Json> answers = lines_of(result.out);
    REQUIRE(answers.size() == 2);
    CHECK(answers[0]["walkable"] == true);
    CHECK(answers[0]["clearance"] == 1.0);
    CHECK(answers[0]["retraction"] == Json({1.0, 1.0}));
    CHECK(answers[1]["clearance"] == 1.0);
    CHECK(answers[1]["nearest"] == Json({8.0, 2.0}));
  }
}

TEST_CASE("query: a point outside is not walkable, and that is no error") {
  const TempDir folder;
  const ProgramResult result = query(folder, "9,9\n");
  CHECK(result.exit_code == 0);
  const std::vector<Json> answers = lines_of(result.out);
  REQUIRE(answers.size() == 1);
  CHECK(answers[0]["walkable"] == false);
  CHECK(answers[0]["clearance"].is_null());
}

TEST_CASE("query: every bad line is told with its number, and nothing is printed") {
  const TempDir folder;
  const ProgramResult result = query(folder, "x,y\n1,1\n1,zwei\n1,2,3\n1,inf\n\"1,2\n1,2\n");
  CHECK(result.exit_code == 1);
  CHECK(result.out.empty());
  for (const char* place : {"points.csv:3", "points.csv:4", "points.csv:5", "points.csv:6"})
    CHECK_MESSAGE(result.err.find(place) != std::string::npos, result.err);
  CHECK(result.err.find("points.csv:7") == std::string::npos);
}

TEST_CASE("query: a layer that does not exist, an empty file, a missing file, a wrong heading") {
  const TempDir folder;
  const ProgramResult layer = query(folder, "1,1,cellar\n");
  CHECK(layer.exit_code == 1);
  CHECK(layer.err.find("points.csv:1") != std::string::npos);
  CHECK(layer.err.find("cellar") != std::string::npos);
  CHECK(query(folder, "\n\n").exit_code == 1);
  CHECK(query(folder, "a,b\n1,1\n").exit_code == 1);
  CHECK(run_throng({"query", folder / "room.geojson", "--points", folder / "none.csv"}).exit_code == 1);
  CHECK(run_throng({"query", folder / "room.geojson"}).exit_code == 2);
}

}  // namespace
}  // namespace throng::test
