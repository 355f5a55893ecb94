// `throng route --pass`: routes as told, what they pass on which side, and what is refused.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

/// A hall with a kiosk in its middle, a counter at its wall, and a safe in the kiosk.
std::string hall(const TempDir& folder) {
  const auto feature = [](const char* kind, const char* name, const char* ring) {
    return std::string(R"({"type": "Feature", "properties": {"kind": ")") + kind + R"(", "name": ")" + name +
           R"("}, "geometry": {"type": "Polygon", "coordinates": [)" + ring + "]}}";
  };
  const std::string path = folder / "hall.geojson";
  write_file(path, R"({"type": "FeatureCollection", "features": [
{"type": "Feature", "properties": {"kind": "walkable"}, "geometry": {"type": "Polygon", "coordinates": [[[0,0],[20,0],[20,10],[0,10],[0,0]]]}},)" +
                       feature("obstacle", "kiosk", "[[9,4],[11,4],[11,7],[9,7],[9,4]]") + "," +
                       feature("obstacle", "safe", "[[9.5,4.5],[10,4.5],[10,5],[9.5,5],[9.5,4.5]]") + "," +
                       feature("obstacle", "counter", "[[0,8],[3,8],[3,10],[0,10],[0,8]]") + "]}");
  return path;
}

ProgramResult route(const std::string& plan, std::vector<std::string> more) {
  std::vector<std::string> words{"route", plan, "--from", "1,5", "--to", "19,5", "--json"};
  words.insert(words.end(), more.begin(), more.end());
  return run_throng(words);
}

}  // namespace

TEST_CASE("route --pass: left or right of an obstacle, by name and by place, and `obstacles` says so") {
  const TempDir folder;
  const std::string plan = hall(folder);
  const Json free = Json::parse(route(plan, {}).out);
  REQUIRE(free["obstacles"].size() == 1);
  CHECK(free["obstacles"][0]["name"] == "kiosk");
  CHECK(free["obstacles"][0]["side"] == "right");
  for (const char* what : {"kiosk", "10,5.5"})
    for (const char* side : {"left", "right"}) {
      const ProgramResult result = route(plan, {"--pass", std::string(side) + ":" + what});
      REQUIRE(result.exit_code == 0);
      const Json json = Json::parse(result.out);
      REQUIRE(json["found"] == true);
      CHECK(json["obstacles"][0]["side"] == side);
      CHECK(json["length"].get<double>() >= free["length"].get<double>() - 1e-9);
    }
  const Json medial = Json::parse(route(plan, {"--pass", "left:kiosk", "--method", "medial"}).out);
  CHECK(medial["obstacles"][0]["side"] == "left");
}

TEST_CASE("route --pass: what cannot be meant is refused, and what cannot be done is said") {
  const TempDir folder;
  const std::string plan = hall(folder);
  const auto refused = [&](const std::string& told, int code, const std::string& why) {
    const ProgramResult result = route(plan, {"--pass", told});
    CHECK(result.exit_code == code);
    CHECK_MESSAGE(result.err.find(why) != std::string::npos, result.err);
  };
  refused("left:kisok", 1, "did you mean 'kiosk'");
  refused("left:counter", 1, "nothing to pass");
  refused("left:safe", 1, "nothing to pass");
  refused("left:0.1,1", 1, "nothing to pass");
  refused("up:kiosk", 2, "left:OBSTACLE or right:OBSTACLE");
  refused("left:", 2, "left:OBSTACLE or right:OBSTACLE");
  const ProgramResult both = route(plan, {"--pass", "left:kiosk", "--pass", "right:kiosk"});
  CHECK(both.exit_code == 1);
  CHECK(both.err.find("the other side") != std::string::npos);
  const Json wide = Json::parse(route(plan, {"--pass", "left:kiosk", "--radius", "1.8"}).out);
  CHECK(wide["found"] == false);
  CHECK(wide["reason"] == "no way from start to goal passes the obstacles as told");
}

TEST_CASE("guidance that nobody can follow: all arrive, it is counted, and said once") {
  const TempDir folder;
  const std::string plan = hall(folder);
  const auto run = [&](const char* what) {
    const std::string path = folder / "run.json";
    write_file(path, std::string(R"({"throng": 1, "environment": "hall.geojson", "duration": 60,
"profiles": {"wide": {"radius": 1.6}}, "populations": [{"name": "all", "profile": "wide", "positions": "where.csv"}],
"guidance": [{"obstacles": ["kiosk"], "pass": ")") +
                         what + R"("}]})");
    write_file(folder / "where.csv", "x,y,gx,gy\n3,4,17,4\n");
    return run_throng({"run", path, "--json"});
  };
  // 3 m above it: too narrow for 3.2 m.
  const ProgramResult refused = run("left"), told = run("right");
  REQUIRE_MESSAGE(refused.exit_code == 0, refused.err);
  CHECK(Json::parse(refused.out)["arrived"] == 1);
  CHECK(Json::parse(refused.out)["guidance_unheeded"] >= 1);
  CHECK(refused.err.find("no way under the guidance") != std::string::npos);
  CHECK(refused.err.find("no way under the guidance") == refused.err.rfind("no way under the guidance"));
  CHECK(Json::parse(told.out)["guidance_unheeded"] == 0);
  CHECK(told.err.find("no way under the guidance") == std::string::npos);
}

}  // namespace throng::test
