// `throng export` as a user meets it: one recording, every format, the same people in each.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "recording/recording.hpp"
#include "recording/sqlite.hpp"
#include "recording/tracks.hpp"
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

/// Positions by frame and person.
using Positions = std::map<std::pair<std::uint64_t, std::uint64_t>, std::array<double, 3>>;

Positions positions_of(const Result<recording::Tracks>& tracks) {
  REQUIRE_MESSAGE(tracks.ok(), (tracks.ok() ? "" : to_string(tracks.problems().front())));
  Positions positions;
  for (const recording::TrackRow& row : tracks->rows)
    positions[{row.frame, row.id}] = {row.position.x, row.position.y, row.height};
  return positions;
}

double farthest_apart(const Positions& a, const Positions& b, int axes) {
  if (a.size() != b.size()) return INFINITY;
  double farthest = 0;
  for (auto i = a.begin(), j = b.begin(); i != a.end(); ++i, ++j) {
    if (i->first != j->first) return INFINITY;
    for (int axis = 0; axis < axes; ++axis)
      farthest = std::max(farthest, std::abs(i->second[std::size_t(axis)] - j->second[std::size_t(axis)]));
  }
  return farthest;
}

TEST_CASE("export: csv, PeTrack's text, JuPedSim's files and recordings go round and stay within a millimetre") {
  const TempDir folder;
  const std::string recording = recorded(folder, "crossing", "6");
  const auto converted = [&](const std::string& from, const std::string& to) {
    const std::string path = folder / to;
    const ProgramResult result = run_throng({"export", from, path});
    REQUIRE_MESSAGE(result.exit_code == 0, result.err);
    return path;
  };
  Positions recorded_positions;
  Result<recording::Recording> opened = recording::Recording::open(recording);
  REQUIRE(opened.ok());
  REQUIRE(opened
              ->each_frame([&](const recording::Frame& frame) {
                for (std::size_t i = 0; i < frame.serial.size(); ++i)
                  recorded_positions[{frame.number, frame.serial[i]}] = {frame.position[i].x, frame.position[i].y, 0};
                return true;
              })
              .empty());
  REQUIRE(recorded_positions.size() > 100);
  const std::string csv = converted(recording, "a.csv");
  const std::string petrack = converted(csv, "b.txt");
  const std::string csv_again = converted(petrack, "c.csv");
  CHECK(farthest_apart(recorded_positions, positions_of(recording::parse_track_csv(read_file(csv), csv)), 2) <= 1e-3);
  CHECK(farthest_apart(recorded_positions, positions_of(recording::parse_petrack(read_file(petrack), petrack)), 2) <=
        1e-3);
  CHECK(read_file(csv_again) == read_file(csv));  // one layer, called ground
  const std::string native = converted(petrack, "d.throng");
  CHECK(read_file(converted(native, "e.csv")) == read_file(csv));
  const std::string sqlite = converted(native, "f.sqlite");
  CHECK(farthest_apart(recorded_positions, positions_of(recording::read_jupedsim(sqlite)), 2) <= 1e-3);
  CHECK(read_file(converted(sqlite, "g.txt")) == read_file(petrack));
  CHECK(run_throng({"export", csv, folder / "h.svg", "--at", "3"}).exit_code == 0);
  CHECK(!std::filesystem::exists(folder / "h.svg.part.throng"));
}

TEST_CASE("export: tracks of several layers keep layers and heights in text, and need an environment that has them") {
  const TempDir folder;
  const std::string station = std::string(THRONG_SOURCE_DIR) + "/examples/station.geojson";
  const std::string recording = recorded(folder, "station", "1");
  REQUIRE(run_throng({"export", recording, folder / "a.csv"}).exit_code == 0);
  REQUIRE(run_throng({"export", folder / "a.csv", folder / "b.throng", "--environment", station}).exit_code == 0);
  REQUIRE(run_throng({"export", folder / "b.throng", folder / "c.csv"}).exit_code == 0);
  CHECK(read_file(folder / "c.csv") == read_file(folder / "a.csv"));
  REQUIRE(run_throng({"export", folder / "a.csv", folder / "d.csv"}).exit_code == 0);
  CHECK(read_file(folder / "d.csv") == read_file(folder / "a.csv"));
}

TEST_CASE("export: tables that are wrong are refused with file and line, and nothing is written") {
  const TempDir folder;
  const auto refused = [&](const std::string& name, const std::string& text, const std::string& why) {
    write_file(folder / name, text);
    const ProgramResult result = run_throng({"export", folder / name, folder / "out.throng"});
    CHECK(result.exit_code == 1);
    CHECK_MESSAGE(result.err.find(why) != std::string::npos, result.err);
    CHECK(!std::filesystem::exists(folder / "out.throng"));
  };
  refused("a.csv", "frame,id,x,y\n0,1,0,0\n", "no column \"time\"");
  refused("b.csv", "frame,time,id,x,y\n0,0,1,0,0\n0,0,one,0,0\n", "b.csv:3");
  refused("c.csv", "frame,time,id,x,y\n0,0,1,0,0\n0,0,1,2,0\n", "twice in frame 0");
  refused("d.csv", "frame,time,id,x,y\n", "no positions");
  refused("e.txt", "1 0 2.5 3.5 0\n", "framerate");
  refused("f.txt", "# framerate: 25\n1 0 2.5\n", "f.txt:2");
  refused("g.sqlite", "no database", "g.sqlite");
  const auto petrack =
      recording::parse_petrack("# framerate: 25 fps\n# id frame x/cm y/cm z/cm\n7\t2 150 -250 180\n", "p");
  REQUIRE(petrack.ok());
  CHECK(petrack->frame_time == doctest::Approx(0.04));
  REQUIRE(petrack->rows.size() == 1);
  CHECK(petrack->rows[0].position == Vec2{1.5, -2.5});
  CHECK(petrack->rows[0].height == doctest::Approx(1.8));
}

}  // namespace
}  // namespace throng::test
