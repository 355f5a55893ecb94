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

TEST_CASE("check: says where profiles and ground do not go together") {
  const std::string ground = R"({"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,6],[0,6],[0,0]]]}},
    {"type":"Feature","properties":{"kind":"region","type":"road"},"geometry":{"type":"Polygon","coordinates":[[[8,0],[10,0],[10,6],[8,6],[8,0]]]}},
    {"type":"Feature","properties":{"kind":"region","type":"sand"},"geometry":{"type":"Polygon","coordinates":[[[12,0],[13,0],[13,3],[12,3],[12,0]]]}},
    {"type":"Feature","properties":{"kind":"region","type":"mud"},"geometry":{"type":"Polygon","coordinates":[[[50,0],[60,0],[60,6],[50,6],[50,0]]]}},
    {"type":"Feature","properties":{"kind":"area","name":"left"},"geometry":{"type":"Polygon","coordinates":[[[1,1],[4,1],[4,5],[1,5],[1,1]]]}},
    {"type":"Feature","properties":{"kind":"area","name":"right"},"geometry":{"type":"Polygon","coordinates":[[[15,1],[19,1],[19,5],[15,5],[15,1]]]}}]})";
  const auto warnings = [&](const std::string& profile) {
    const std::string text =
        R"({"throng":1,"environment":)" + ground + R"(,"profiles":{"p":)" + profile +
        R"(},"populations":[{"profile":"p","count":2,"start":{"area":"left"},"goals":[{"area":"right"}]}]})";
    const ProgramResult result = run_throng({"check", "-", "--input-format", "scenario", "--json"}, text);
    CHECK(result.exit_code == 0);
    std::string all;
    const Json read = Json::parse(result.out);
    for (const Json& problem : read["files"][0]["problems"])
      all += problem["message"].get<std::string>() + "\n";
    return all;
  };
  const std::string plain = warnings(R"({"weights":{"road":40}})");
  CHECK(plain.find("profile 'p' weighs road, but 'short' plans its routes") != std::string::npos);
  CHECK(plain.find("no part of this region is free space") != std::string::npos);
  CHECK(warnings(R"({"weights":{"road":4},"route":{"method":"weighted"}})").find("no profile weighs sand") !=
        std::string::npos);
  // What every imported town has: the default profile weighs roads and grass, and plans as if it did not.
  const std::string by_default = warnings("{}");
  CHECK(by_default.find("profile 'p' weighs road by default, but 'short' plans its routes") != std::string::npos);
  CHECK(by_default.find("no profile weighs sand") != std::string::npos);
  CHECK(warnings(R"({"weights":{"road":1,"sand":1}})").find("weighs") == std::string::npos);
  CHECK(warnings(R"({"weights":{"road":2,"sand":2,"plain":2}})").find("weighs") == std::string::npos);
  const std::string minded = warnings(R"({"weights":{"road":4,"sand":2},"route":{"method":"weighted"}})");
  CHECK(minded.find("weighs") == std::string::npos);
  CHECK(warnings(R"({"weights":{"road":"never","sand":2},"route":{"method":"weighted"}})").find("forbidden ground") !=
        std::string::npos);
}

TEST_CASE("check: a scenario comes from standard input where it is said to be one") {
  const std::string text =
      R"({"throng":1,"environment":)" + room + R"(,"populations":[{"count":2,"start":{"area":"left"}}]})";
  const ProgramResult result = run_throng({"check", "-", "--input-format", "scenario"}, text);
  CHECK(result.exit_code == 0);
  CHECK(result.err.empty());
}
