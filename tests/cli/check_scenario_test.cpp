// throng check on scenarios.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "support/data.hpp"

using namespace throng::test;
using Json = nlohmann::json;

namespace {

const std::string room = R"({"type":"FeatureCollection","features":[
 {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[10,0],[10,6],[0,6],[0,0]]]}},
 {"type":"Feature","properties":{"kind":"obstacle"},"geometry":{"type":"LineString","coordinates":[[5,0],[5,6]]}},
 {"type":"Feature","properties":{"kind":"area","name":"left"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[4,0],[4,6],[0,6],[0,0]]]}},
 {"type":"Feature","properties":{"kind":"area","name":"right"},"geometry":{"type":"Polygon","coordinates":[[[6,0],[10,0],[10,6],[6,6],[6,0]]]}}]})";

ProgramResult check(const std::string& populations, bool json = false) {
  const TempDir folder;
  write_file(folder / "room.geojson", room);
  write_file(folder / "run.json",
             R"({"throng": 1, /* a comment */ "environment": "room.geojson", "populations": [)" + populations + "]}");
  std::vector<std::string> arguments = {"check", folder / "run.json"};
  if (json) arguments.emplace_back("--json");
  return run_throng(arguments);
}

}  // namespace

TEST_CASE("check: every example scenario passes without a warning") {
  std::vector<std::string> arguments = {"check", "--json"};
  for (const auto& entry : std::filesystem::directory_iterator(THRONG_SOURCE_DIR "/examples"))
    if (entry.path().extension() == ".json") arguments.push_back(entry.path().string());
  CHECK(arguments.size() >= 2 + 9);
  const ProgramResult result = run_throng(arguments);
  CHECK(result.exit_code == 0);
  const Json answer = Json::parse(result.out);
  for (const Json& file : answer["files"]) {
    CAPTURE(file.dump());
    CHECK(file["format"] == "scenario");
    CHECK(file["valid"] == true);
    CHECK(file["problems"].empty());
    CHECK(file["people"].get<int>() + file["sources"].get<int>() > 0);
  }
}

TEST_CASE("check: a scenario's errors give 1, its warnings 0") {
  const ProgramResult broken = check(R"({"count": 3, "start": {"area": "lefft"}, "gaols": []})");
  CHECK(broken.exit_code == 1);
  CHECK(broken.err.find("/populations/0/start/area: there is no area 'lefft'; did you mean 'left'?") !=
        std::string::npos);
  CHECK(broken.err.find("/populations/0/gaols: unknown member") != std::string::npos);
  const ProgramResult crowded = check(R"({"name": "all", "count": 500, "start": {"area": "left"}})");
  CHECK(crowded.exit_code == 1);
  CHECK(crowded.err.find("population 'all' does not fit") != std::string::npos);
  const ProgramResult walled = check(R"({"count": 3, "start": {"area": "left"}, "goals": [{"area": "right"}]})", true);
  CHECK(walled.exit_code == 0);
  const Json file = Json::parse(walled.out)["files"][0];
  CHECK(file["valid"] == true);
  CHECK(file["people"] == 3);
  REQUIRE(file["problems"].size() == 1);
  CHECK(file["problems"][0]["severity"] == "warning");
  CHECK(file["problems"][0]["message"].get<std::string>().find("can get here") != std::string::npos);
}

TEST_CASE("check: a scenario comes from standard input where it is said to be one") {
  const std::string text =
      R"({"throng":1,"environment":)" + room + R"(,"populations":[{"count":2,"start":{"area":"left"}}]})";
  const ProgramResult result = run_throng({"check", "-", "--input-format", "scenario"}, text);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
}
