// `throng validate` and `throng calibrate` as they are called.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "support/data.hpp"

namespace throng::test {
namespace {

std::vector<nlohmann::json> lines_of(const std::string& text) {
  std::vector<nlohmann::json> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(nlohmann::json::parse(line));
  return lines;
}

}  // namespace

TEST_CASE("validate prints a line a case, with what the contract names, and a report") {
  const TempDir folder;
  const auto run = run_throng({"validate", "rimea-1", "imo-12", "--json", "-o", folder.path().string()});
  REQUIRE(run.exit_code == 0);
  const auto lines = lines_of(run.out);
  REQUIRE(lines.size() == 2);
  for (const char* member : {"case", "clause", "kind", "criterion", "value", "spread", "verdict", "seeds"})
    for (const auto& line : lines) CHECK(line.contains(member));
  CHECK(lines[0]["case"] == "rimea-1");
  CHECK(lines[0]["kind"] == "required");
  CHECK(lines[0]["verdict"] == "pass");
  CHECK(lines[0]["seeds"] == 1);
  CHECK(lines[0]["value"] > 26);
  CHECK(lines[0]["value"] < 34);
  CHECK(lines[1]["verdict"] == "not built");
  CHECK(read_file(folder / "validation.html").find("rimea-1") != std::string::npos);
}

TEST_CASE("validate lists cases, and says what it does not know") {
  const auto listed = lines_of(run_throng({"validate", "--list", "--json"}).out);
  CHECK(listed.size() > 70);
  const auto unknown = run_throng({"validate", "rimea-99"});
  CHECK(unknown.exit_code == 2);
  CHECK(unknown.err.find("no case 'rimea-99'") != std::string::npos);
  CHECK(run_throng({"validate", "rimea-1", "--suite", "imo"}).exit_code == 2);
  CHECK(run_throng({"validate", "rimea-1", "--seeds", "0"}).exit_code == 2);
  CHECK(run_throng({"validate", "rimea-1", "--fps", "25"}).exit_code == 2);
  const auto method = run_throng({"validate", "rimea-12b", "--quick", "--seeds", "1", "--method", "nothing"});
  CHECK(method.exit_code == 1);
  CHECK(method.err.find("unknown method") != std::string::npos);
}

TEST_CASE("validate ends with 1 where a required case fails") {
  // Twenty people through a door of a metre: people exceed what the guideline allows, and so do ours.
  const auto run = run_throng({"validate", "imo-4", "--quick", "--seeds", "1", "--json"});
  const auto lines = lines_of(run.out);
  REQUIRE(lines.size() == 1);
  CHECK((run.exit_code == 1) == (lines[0]["verdict"] == "fail"));
}

TEST_CASE("recorded tracks are walked again from the command line") {
  const TempDir folder;
  write_file(folder / "plan.geojson",
             R"({"type":"FeatureCollection","features":[{"type":"Feature","properties":{"kind":"walkable"},
  "geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,4],[0,4],[0,0]]]}},
  {"type":"Feature","properties":{"kind":"area","name":"middle"},
  "geometry":{"type":"Polygon","coordinates":[[[8,0],[12,0],[12,4],[8,4],[8,0]]]}}]})");
  std::string tracks;
  for (int id = 1; id <= 2; ++id)
    for (int frame = 0; frame <= 100; ++frame)
      tracks += std::to_string(id) + " " + std::to_string(frame) + " " + std::to_string(200 + 15 * frame) + " " +
                std::to_string(160 + 30 * id) + "\n";
  write_file(folder / "tracks.txt", tracks);
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"validate", "--against", (folder / "tracks.txt").string(),
                                   (folder / "plan.geojson").string(), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return run_throng(words);
  };
  CHECK(run({}).exit_code == 1);  // it does not say how many frames a second there are
  const auto walked = run({"--fps", "10", "--unit", "cm", "--line", "middle=10,0,10,4"});
  REQUIRE_MESSAGE(walked.exit_code == 0, walked.err);
  const auto json = lines_of(walked.out).at(0);
  CHECK(json["people"] == 2);
  CHECK(json["arrived"] == 2);
  CHECK(json["moved"] == 1);  // heads 30 cm apart
  CHECK(json["lines"][0]["recorded"] == 2);
  CHECK(json["lines"][0]["walked"] == 2);
  CHECK(json["areas"][0]["recorded_speed"] == doctest::Approx(1.5));
  CHECK(run({"--fps", "10", "--line", "10,0,10,4"}).exit_code == 2);
}

TEST_CASE("calibrate prints what it chose, and each case before and after") {
  const auto run = run_throng({"calibrate", "rimea-12d", "--quick", "--seeds", "1", "--budget", "2", "--numbers",
                               "radius=0.18:0.2", "--unseen", "rimea-6", "--json"});
  REQUIRE_MESSAGE(run.exit_code == 0, run.err);
  const auto json = lines_of(run.out).at(0);
  CHECK(json["numbers"]["radius"] >= 0.18);
  CHECK(json["numbers"]["radius"] <= 0.2);
  REQUIRE(json["cases"].size() == 2);
  CHECK(json["cases"][0]["seen"] == true);
  CHECK(json["cases"][1]["case"] == "rimea-6");
  CHECK(json["cases"][1]["seen"] == false);
  CHECK(run_throng({"calibrate", "rimea-6", "--numbers", "radius"}).exit_code == 2);
  CHECK(run_throng({"calibrate", "rimea-6", "--numbers", "radius=2:1"}).exit_code == 2);
  CHECK(run_throng({"calibrate", "rimea-6"}).exit_code == 2);
}

}  // namespace throng::test
