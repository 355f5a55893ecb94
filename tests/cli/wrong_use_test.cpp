// What the program says to somebody who does not know it yet: every refusal names what is wrong, and what was meant where that is near.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

const std::string examples = THRONG_SOURCE_DIR "/examples/";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// The command is refused with this exit code, and says this.
void refuses(const std::vector<std::string>& words, int code, const std::string& says) {
  std::string line = "throng";
  for (const std::string& word : words) line += " " + word;
  CAPTURE(line);
  const ProgramResult result = run_throng(words);
  CHECK(result.exit_code == code);
  CHECK_MESSAGE(contains(result.err, says), result.err);
  if (words[0] != "check") CHECK(result.out.empty());
}

}  // namespace

TEST_CASE("an unknown command or option names the nearest, and none where none is near") {
  refuses({"chek", "x"}, 2, "there is no command 'chek'; did you mean 'check'?");
  refuses({"rnu"}, 2, "did you mean 'run'?");
  refuses({"run", examples + "bottleneck.json", "--thread", "2"}, 2,
          "there is no option '--thread'; did you mean '--threads'?");
  refuses({"--versoin"}, 2, "did you mean '--version'?");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"fly"}, {"help", "topics"}, {"run", "x", "--bogus"}}) {
    const ProgramResult result = run_throng(words);
    CHECK(result.exit_code == 2);
    CHECK(!contains(result.err, "did you mean"));
  }
  refuses({"run", "a", "b"}, 2, "'b' is one word too many");
  refuses({"generate", "citty", "x.geojson"}, 2, "did you mean 'city'?");
  refuses({"experiment", "parirs"}, 2, "did you mean 'pairs'?");
}

TEST_CASE("spellings of the past are refused with those of today") {
  refuses({"check", "--from", "wkt", "-"}, 2, "--from is called --input-format now");
  refuses({"convert", "--from=wkt", "-", "-"}, 2, "--from is called --input-format now");
  refuses({"convert", "a.wkt", "b", "--to", "poly"}, 2, "--to is called --format now");
  refuses({"export", "a.csv", "b.throng", "--from", "csv"}, 2, "--from is called --input-format now");
  refuses({"query", examples + "hall.geojson", "--format", "wkt"}, 2, "--format is called --input-format now");
  for (const char* command : {"mesh", "route", "see"}) {
    refuses({command, examples + "hall.geojson", "--format", "wkt"}, 2, "--input-format");
    refuses({command, examples + "hall.geojson", "--format", "svg"}, 2, "that of ENV is --input-format");
  }
}

TEST_CASE("a file that is missing is said to be missing") {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"run", "gone.json"},
                                                {"check", "gone.json"},
                                                {"check", "gone.dxf"},
                                                {"view", "gone.throng"},
                                                {"edit", "gone.dxf"},
                                                {"report", "gone.throng", "-o", "r.html"},
                                                {"export", "gone.throng", "x.csv"},
                                                {"compare", "gone.throng", "gone.throng"},
                                                {"mesh", "gone.geojson"},
                                                {"convert", "gone.geojson", "x.svg"}})
    refuses(words, 1, "No such file");
}

TEST_CASE("what is no scenario is recognised for what it is") {
  refuses({"run", examples + "hall.geojson"}, 1, "this is an environment; a scenario names one");
  refuses({"run", examples + "office_plan.dxf"}, 1, "this is an environment; a scenario names one");
  const TempDir folder;
  const std::string recording = folder / "r.throng";
  REQUIRE(run_throng({"run", examples + "corridor.json", "--until", "1", "-o", recording}).exit_code == 0);
  refuses({"run", recording}, 1, "this is a database, such as a recording");
  const ProgramResult once = run_throng({"run", examples + "hall.geojson"});
  CHECK(once.err.find("error:") == once.err.rfind("error:"));  // one error, not five
  write_file(folder / "bad.json", "{\"throng\": 1, no");
  refuses({"run", folder / "bad.json"}, 1, "bad.json:1:16: this is no JSON");
}

TEST_CASE("options that speak of another kind of file are refused, by every command that takes them") {
  const std::string hall = examples + "hall.geojson";
  for (const char* command : {"check", "mesh", "query", "view", "edit"})
    refuses({command, hall, "--walls", "A*"}, 2, "--walls is for CAD plans (.dxf)");
  refuses({"convert", hall, "x.svg", "--osm-storey", "3"}, 2, "--osm-storey is for OpenStreetMap");
  refuses({"check", hall, "--up", "z"}, 2, "--up is for 3D models");
  refuses({"check", examples + "corridor.json", "--grid", "0.5"}, 2, "--grid is for environments");
  refuses({"edit", "--no-rooms"}, 2, "--no-rooms is for CAD plans");
  refuses({"view", hall, "--seed", "3"}, 2, "--seed is for scenarios");
  // Applied where they do.
  const ProgramResult plan = run_throng({"mesh", examples + "office_plan.dxf", "--no-rooms", "--json"});
  CHECK(plan.exit_code == 0);
  CHECK(Json::parse(plan.out)["valid"] == true);
}

TEST_CASE("the format of an input is --input-format, of an output --format") {
  const TempDir folder;
  write_file(folder / "plan", "POLYGON((0 0,8 0,8 3,0 3,0 0))");
  const std::string plan = folder / "plan";
  REQUIRE(run_throng({"convert", plan, folder / "other", "--input-format", "wkt", "--format", "geojson"}).exit_code ==
          0);
  CHECK(contains(read_file(folder / "other"), "FeatureCollection"));
  REQUIRE(run_throng({"mesh", plan, "--input-format", "wkt", "-o", folder / "picture", "--format", "svg"}).exit_code ==
          0);
  CHECK(contains(read_file(folder / "picture"), "<svg"));
  REQUIRE(run_throng({"see", plan, "--input-format", "wkt", "--from", "1,1", "-o", folder / "seen", "--format", "ipe"})
              .exit_code == 0);
  CHECK(contains(read_file(folder / "seen"), "<ipe"));
  const ProgramResult way = run_throng({"route", plan, "--input-format", "wkt", "--from", "1,1", "--to", "7,2", "-o",
                                        folder / "way", "--format", "svg"});
  CHECK(way.exit_code == 0);
  CHECK(contains(way.err, "way: "));  // what was written is said
  CHECK(contains(read_file(folder / "way"), "<svg"));
  refuses({"mesh", plan, "--input-format", "wkd"}, 2, "did you mean 'wkt'?");
}

TEST_CASE("what was written is said, unless JSON is asked for") {
  const TempDir folder;
  const std::string recording = folder / "r.throng";
  const std::vector<std::string> run{
      "run", examples + "corridor.json", "--until", "2", "-o", recording, "--agents", folder / "a.csv"};
  const ProgramResult said = run_throng(run);
  CHECK(contains(said.err, "r.throng: "));
  CHECK(contains(said.err, "a.csv: "));
  CHECK(contains(run_throng({"report", recording, "-o", folder / "r.html"}).err, "r.html: "));
  CHECK(contains(run_throng({"export", recording, folder / "x.csv"}).err, "x.csv: "));
  std::vector<std::string> silent = run;
  silent.emplace_back("--json");
  CHECK(run_throng(silent).err.empty());
}

TEST_CASE("several runs: a row each, then percentiles, in JSON and CSV alike") {
  const TempDir folder;
  const std::string table = folder / "runs.csv";
  const ProgramResult result = run_throng(
      {"run", examples + "bottleneck.json", "--until", "30", "--runs", "4", "--seed", "7", "--table", table, "--json"});
  REQUIRE(result.exit_code == 0);
  std::istringstream lines(result.out);
  std::vector<Json> rows;
  for (std::string line; std::getline(lines, line);) rows.push_back(Json::parse(line));
  REQUIRE(rows.size() == 5);
  const Json last = rows.back();
  CHECK(last["runs"] == 4);
  std::vector<double> arrived;
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(rows[i]["seed"] == 7 + i);
    arrived.push_back(rows[i]["arrived"].get<double>());
  }
  std::sort(arrived.begin(), arrived.end());
  // Nearest ranks of four: the first, the first, the second, the third, the fourth.
  CHECK(last["arrived"]["least"] == arrived[0]);
  CHECK(last["arrived"]["p5"] == arrived[0]);
  CHECK(last["arrived"]["p25"] == arrived[0]);
  CHECK(last["arrived"]["p50"] == arrived[1]);
  CHECK(last["arrived"]["p75"] == arrived[2]);
  CHECK(last["arrived"]["p95"] == arrived[3]);
  CHECK(last["arrived"]["most"] == arrived[3]);
  // Nobody's whole crowd is out after 30 s: no run has the figure, and no percentile stands for one.
  CHECK(last["evacuated_100"]["runs"] == 0);
  CHECK(last["evacuated_100"]["p50"].is_null());
  CHECK(!last.contains("wall_s"));

  std::istringstream csv(read_file(table));
  std::vector<std::string> heads;
  std::vector<std::vector<std::string>> cells;
  for (std::string line; std::getline(csv, line);) {
    std::vector<std::string> row;
    std::istringstream words(line + ",");
    for (std::string word; std::getline(words, word, ',');) row.push_back(word);
    if (heads.empty())
      heads = row;
    else
      cells.push_back(row);
  }
  const auto column = std::size_t(std::find(heads.begin(), heads.end(), "arrived") - heads.begin());
  std::vector<std::string> kinds;
  for (const auto& row : cells) {
    REQUIRE(row.size() == heads.size());
    kinds.push_back(row[0]);
  }
  CHECK(kinds ==
        std::vector<std::string>{"run", "run", "run", "run", "mean", "deviation", "p5", "p25", "p50", "p75", "p95"});
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::stod(cells[i][column]) == rows[i]["arrived"].get<double>());
  CHECK(std::stod(cells[8][column]) == arrived[1]);
}

}  // namespace throng::test
