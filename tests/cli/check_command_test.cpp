#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "environment/samples.hpp"
#include "support/data.hpp"

using namespace throng::test;
using Json = nlohmann::json;

TEST_CASE("check: a good file gives 0 and a table") {
  const TempDir folder;
  write_file(folder / "station.geojson", station);
  const ProgramResult result = run_throng({"check", folder / "station.geojson"});
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
  CHECK(result.out.find("verified") != std::string::npos);
  CHECK(result.out.starts_with("file"));
}

TEST_CASE("check --json: one object with what was found") {
  const TempDir folder;
  write_file(folder / "station.geojson", station);
  write_file(folder / "hall.wkt", "POLYGON((0 0,4 0,4 3,0 3))");
  const ProgramResult result = run_throng({"check", "--json", folder / "station.geojson", folder / "hall.wkt"});
  CHECK(result.exit_code == 0);
  const Json object = Json::parse(result.out);
  CHECK(object["valid"] == true);
  REQUIRE(object["files"].size() == 2);
  CHECK(object["files"][0]["layers"] == 3);
  CHECK(object["files"][0]["features"] == 11);
  CHECK(object["files"][0]["unit"] == 0.001);
  CHECK(object["files"][1]["area"] == 12.0);
  CHECK(object["files"][1]["format"] == "wkt");
  REQUIRE(object["files"][1]["problems"].size() == 1);
  CHECK(object["files"][1]["problems"][0]["severity"] == "warning");
}

TEST_CASE("check: every problem of every file is said, and the code is 1") {
  const TempDir folder;
  write_file(folder / "a.geojson", collection(feature("wakable", polygon(square(0, 0, 1))) + ",\n" +
                                              feature("region", polygon(square(0, 0, 1)))));
  write_file(folder / "b.wkt", "POLYGON((0 0,1 1");
  write_file(folder / "c.wkt", "POLYGON((0 0,1 0,1 1,0 0))");
  const ProgramResult result =
      run_throng({"check", "--json", folder / "a.geojson", folder / "b.wkt", folder / "c.wkt", folder / "none.poly"});
  CHECK(result.exit_code == 1);
  const Json object = Json::parse(result.out);
  CHECK(object["valid"] == false);
  CHECK(object["files"][0]["problems"].size() == 2);
  CHECK(object["files"][0]["problems"][0]["code"] == "value");
  CHECK(object["files"][1]["valid"] == false);
  CHECK(object["files"][2]["valid"] == true);
  CHECK(object["files"][3]["problems"][0]["code"] == "io");
  CHECK(result.err.find("a.geojson:2:40: feature 0 ('wakable')") != std::string::npos);
  CHECK(result.err.find("b.wkt:1:17") != std::string::npos);
}

TEST_CASE("check: the grid can be chosen, and standard input read") {
  const ProgramResult result = run_throng({"check", "-", "--input-format", "wkt", "--grid", "0.5", "--json"},
                                          "POLYGON((0.1 0,4 0,4 3,0 3,0.1 0))");
  CHECK(result.exit_code == 0);
  CHECK(Json::parse(result.out)["files"][0]["unit"] == 0.5);
  CHECK(Json::parse(result.out)["files"][0]["area"] == 12.0);
}

TEST_CASE("check: everything in the data folder is clean") {
  std::vector<std::string> arguments = {"check", "--json"};
  for (const char* name : {"kaiserslautern.geojson", "Berlin_0_256.poly", "Milan_1_512.poly", "Sydney_2_1024.poly"}) {
    const auto file = data_file(name);
    if (!file) return;
    arguments.push_back(file->string());
  }
  const ProgramResult result = run_throng(arguments);
  CHECK(result.exit_code == 0);
  const Json answer = Json::parse(result.out);
  CHECK(answer["files"].size() == 4);
  for (const Json& file : answer["files"]) {
    CAPTURE(file["file"].get<std::string>());
    CHECK(file["valid"] == true);
    CHECK(file["problems"].empty());
  }
}
