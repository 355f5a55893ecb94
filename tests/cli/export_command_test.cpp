// `throng export` as a user meets it: one recording, every format, the same people in each.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "recording/recording.hpp"
#include "recording/sqlite.hpp"
#include "support/data.hpp"

namespace throng::test {
namespace {

using Json = nlohmann::json;

/// Records the first seconds of an example.
std::string recorded(const TempDir& folder, const std::string& example, const std::string& until) {
  const std::string path = folder / "r.throng";
  const ProgramResult result = run_throng(
      {"run", std::string(THRONG_SOURCE_DIR) + "/examples/" + example + ".json", "--until", until, "-o", path});
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  return path;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

/// Persons in all frames, counted over the recording itself.
std::size_t people_in_frames(const std::string& path) {
  Result<recording::Recording> recording = recording::Recording::open(path);
  REQUIRE(recording.ok());
  std::size_t count = 0;
  REQUIRE(
      recording->each_frame([&](const recording::Frame& frame) { return count += frame.serial.size(), true; }).empty());
  return count;
}

std::size_t times_in(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

TEST_CASE("export: CSV and PeTrack's text have a line for each person and frame, and the headers of docs/formats.md") {
  const TempDir folder;
  const std::string recording = recorded(folder, "crossing", "8");
  const std::size_t people = people_in_frames(recording);
  REQUIRE(people > 100);
  const ProgramResult result = run_throng({"export", recording, folder / "r.csv", "--json"});
  REQUIRE(result.exit_code == 0);
  CHECK(Json::parse(result.out)["frames"] == 81);
  const std::vector<std::string> csv = lines_of(read_file(folder / "r.csv"));
  REQUIRE(csv.size() == people + 1);
  CHECK(csv[0] == "frame,time,id,x,y,z,layer");
  CHECK(std::count(csv.back().begin(), csv.back().end(), ',') == 6);
  CHECK(csv.back().find("80,8,") == 0);

  REQUIRE(run_throng({"export", recording, folder / "r.txt"}).exit_code == 0);
  const std::vector<std::string> petrack = lines_of(read_file(folder / "r.txt"));
  REQUIRE(petrack.size() == people + 2);
  CHECK(petrack[0] == "# framerate: 10");
  CHECK(std::count(petrack.back().begin(), petrack.back().end(), ' ') == 4);
}

TEST_CASE("export: the JuPedSim file has its tables, and a row for each person and frame") {
  const TempDir folder;
  const std::string recording = recorded(folder, "crossing", "5");
  REQUIRE(run_throng({"export", recording, folder / "r.sqlite"}).exit_code == 0);
  const ProgramResult counted = run_program(
      {"python3", "-c",
       "import sqlite3, sys\n"
       "d = sqlite3.connect(sys.argv[1])\n"
       "one = lambda q: d.execute(q).fetchone()[0]\n"
       "print(one('select count(*) from trajectory_data'), one(\"select value from metadata where key = 'fps'\"),\n"
       "      one(\"select value from metadata where key = 'version'\"), one('select count(*) from frame_data'),\n"
       "      ''.join(one('select wkt from geometry')[:60].split()))\n",
       folder / "r.sqlite"});
  REQUIRE_MESSAGE(counted.exit_code == 0, counted.err);
  std::istringstream in(counted.out);
  std::size_t rows = 0, frames = 0;
  double fps = 0;
  int version = 0;
  std::string kind;
  in >> rows >> fps >> version >> frames >> kind;
  CHECK(rows == people_in_frames(recording));
  CHECK(fps == 10);
  CHECK(version == 2);
  CHECK(frames == 51);
  CHECK(kind.find("POLYGON((") != std::string::npos);
}

TEST_CASE("export: several layers become a JuPedSim file each") {
  const TempDir folder;
  const std::string recording = recorded(folder, "station", "0.5");
  REQUIRE(run_throng({"export", recording, folder / "r.sqlite"}).exit_code == 0);
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    files += entry.path().extension() == ".sqlite";
  Result<recording::Recording> opened = recording::Recording::open(recording);
  REQUIRE(opened.ok());
  CHECK(files == opened->meta().layers.size());
}

TEST_CASE("export: a picture shows everybody who is there at the time, and the last moment for a time beyond the end") {
  const TempDir folder;
  const std::string recording = recorded(folder, "corridor", "5");
  REQUIRE(run_throng({"export", recording, folder / "a.svg", "--at", "5"}).exit_code == 0);
  const std::string svg = read_file(folder / "a.svg");
  CHECK(times_in(svg, "<circle") == 60);
  CHECK(svg.find("after 5.0 s: 60 people") != std::string::npos);
  REQUIRE(run_throng({"export", recording, folder / "b.svg", "--at", "1e9"}).exit_code == 0);
  CHECK(read_file(folder / "b.svg") == svg);
  REQUIRE(run_throng({"export", recording, folder / "c.svg", "--at", "0"}).exit_code == 0);
  CHECK(read_file(folder / "c.svg") != svg);
  REQUIRE(run_throng({"export", recording, folder / "a.ipe", "--at", "2"}).exit_code == 0);
  CHECK(read_file(folder / "a.ipe").find("<ipe") != std::string::npos);
}

TEST_CASE("export: wrong use is refused with exit code 2") {
  const TempDir folder;
  const std::string recording = recorded(folder, "corridor", "1");
  const auto code = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "export");
    const ProgramResult result = run_throng(arguments);
    CHECK(result.err != "");
    return result.exit_code;
  };
  CHECK(code({recording}) == 2);
  CHECK(code({recording, folder / "a.mp4"}) == 2);
  CHECK(code({recording, folder / "a.svg"}) == 2);
  CHECK(code({recording, folder / "a.csv", "--at", "3"}) == 2);
  CHECK(code({recording, folder / "a.svg", "--at", "soon"}) == 2);
}

TEST_CASE("export: a broken recording is refused, and what was to be replaced stays") {
  const TempDir folder;
  const std::string recording = recorded(folder, "corridor", "5");
  const std::string whole = read_file(recording);
  REQUIRE(whole.size() > 8192);
  std::string scrambled = whole;
  for (std::size_t i = 100; i < scrambled.size(); i += 7) scrambled[i] = char(scrambled[i] ^ 0x5a);
  write_file(folder / "out.csv", "precious");
  for (const std::string& bytes : {std::string(), std::string("not a recording"), whole.substr(0, 4096),
                                   whole.substr(0, whole.size() / 2), scrambled}) {
    write_file(folder / "broken.throng", bytes);
    const ProgramResult result = run_throng({"export", folder / "broken.throng", folder / "out.csv"});
    CHECK(result.exit_code == 1);
    CHECK(result.err.find("broken.throng") != std::string::npos);
    CHECK(read_file(folder / "out.csv") == "precious");
  }
  CHECK(run_throng({"export", folder / "none.throng", folder / "out.csv"}).exit_code == 1);
  CHECK(!std::filesystem::exists(folder / "out.csv.part"));
  CHECK(!std::filesystem::exists(folder / "none.throng"));
}

}  // namespace
}  // namespace throng::test
