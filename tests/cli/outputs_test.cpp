// What commands write, and what they leave alone: inputs, each other's outputs, files of the user, and files that others are writing.
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "cli/processes.hpp"
#include "cli/small_runs.hpp"
#include "recording/recording.hpp"
#include "support/data.hpp"

namespace throng::test {
namespace {

namespace fs = std::filesystem;

std::set<std::string> files_in(const TempDir& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path())) names.insert(entry.path().filename());
  return names;
}

/// A scenario with everything it may name: an environment, positions.
struct Project {
  Project() {
    write_file(folder / "env.geojson", room(20, 10));
    write_file(folder / "p.csv", "x,y,gx,gy\n2,2,15,5\n4,4,15,5\n");
    write_file(folder / "s.json", R"({"throng":1,"environment":"env.geojson","duration":20,
      "populations":[{"positions":"p.csv"}],"measure":[{"line":[[10,0],[10,10]],"name":"middle"}]})");
  }
  [[nodiscard]] std::string operator/(const std::string& name) const { return folder / name; }
  TempDir folder;
};

TEST_CASE("an output that is an input is refused, under any name, and stays as it is") {
  const Project in;
  REQUIRE(run_throng({"run", in / "s.json", "-o", in / "r.throng", "--snapshot", "1", in / "r.snap"}).exit_code == 0);
  REQUIRE(run_throng({"export", in / "r.throng", in / "r.csv"}).exit_code == 0);
  fs::create_hard_link(in / "s.json", in / "hard.throng");
  fs::create_symlink(in / "env.geojson", in / "link.csv");
  write_file(in / "q.csv", "1,1,2,2\n");
  write_file(in / "c.json", "[]");
  std::map<std::string, std::string> before;
  for (const std::string& name : files_in(in.folder)) before[name] = read_file(in / name);
  const std::vector<std::vector<std::string>> commands = {
      {"export", in / "r.throng", in / "r.throng", "--format", "csv"},
      {"export", in / "r.csv", in / "r.csv", "--format", "petrack"},
      {"export", in / "r.csv", in / "env.geojson", "--environment", in / "env.geojson", "--format", "native"},
      {"run", in / "s.json", "-o", in / "s.json", "--format", "native"},
      {"run", in / "s.json", "-o", in / "hard.throng"},
      {"run", in / "s.json", "-o", in / "env.geojson", "--format", "native"},
      {"run", in / "s.json", "--agents", in / "s.json"},
      {"run", in / "s.json", "--agents", in / "p.csv"},
      {"run", in / "s.json", "--measures", in / "link.csv"},
      {"run", in / "s.json", "--resume", in / "r.snap", "--snapshot", "2", in / "r.snap"},
      {"mesh", in / "env.geojson", "-o", in / "env.geojson"},
      {"mesh", in / "env.geojson", "--changes", in / "c.json", "-o", in / "c.json"},
      {"report", in / "r.throng", "-o", in / "r.throng", "--format", "html"}};
  for (const std::vector<std::string>& command : commands) {
    std::string line;
    for (const std::string& word : command) line += word + " ";
    INFO(line);
    const ProgramResult result = run_throng(command);
    CHECK(result.exit_code == 2);
    CHECK_MESSAGE(result.err.find("is read, and") != std::string::npos, result.err);
    CHECK(files_in(in.folder).size() == before.size());
    for (const auto& [name, bytes] : before) CHECK(read_file(in / name) == bytes);
  }
}

TEST_CASE("two outputs of one name are refused") {
  const Project in;
  for (const std::vector<std::string>& outputs : std::vector<std::vector<std::string>>{
           {"-o", in / "d.throng", "--agents", in / "d.throng"},
           {"--agents", in / "a.csv", "--measures", (in.folder / "." / "a.csv").string()},
           {"-o", in / "d.throng", "--snapshot", "1", in / "d.throng"}}) {
    std::vector<std::string> words{"run", in / "s.json"};
    words.insert(words.end(), outputs.begin(), outputs.end());
    const ProgramResult result = run_throng(words);
    CHECK(result.exit_code == 2);
    CHECK(result.err.find("two outputs") != std::string::npos);
    CHECK(files_in(in.folder) == std::set<std::string>{"env.geojson", "p.csv", "s.json"});
  }
}

TEST_CASE("a missing folder of any output is said before the run, not after it") {
  const Project in;
  for (const char* option : {"--agents", "--measures"}) {
    const ProgramResult result =
        run_throng({"run", in / "s.json", "-o", in / "r.throng", option, in / "none/a.csv", "--json"});
    CHECK(result.exit_code == 1);
    CHECK(result.out.empty());
    CHECK(result.err.find("there is no folder") != std::string::npos);
    CHECK(!fs::exists(in / "r.throng"));
  }
}

TEST_CASE("convert may replace its input, once it was read") {
  const Project in;
  REQUIRE(run_throng({"convert", in / "env.geojson", in / "env.geojson"}).exit_code == 0);
  CHECK(run_throng({"check", in / "env.geojson"}).exit_code == 0);
  CHECK(files_in(in.folder).size() == 3);
}

TEST_CASE("export leaves a file or a link called OUT.part alone") {
  const Project in;
  REQUIRE(run_throng({"run", in / "s.json", "-o", in / "r.throng", "--until", "2"}).exit_code == 0);
  write_file(in / "victim", "mine\n");
  fs::create_symlink(in / "victim", in / "out.csv.part");
  write_file(in / "a.csv.part", "mine\n");
  write_file(in / "a.svg.part.throng", "mine\n");
  REQUIRE(run_throng({"export", in / "r.throng", in / "out.csv"}).exit_code == 0);
  REQUIRE(run_throng({"export", in / "r.throng", in / "a.csv"}).exit_code == 0);
  REQUIRE(run_throng({"export", in / "a.csv", in / "a.svg", "--at", "1"}).exit_code == 0);
  CHECK(read_file(in / "victim") == "mine\n");
  CHECK(!fs::is_symlink(in / "out.csv"));
  CHECK(read_file(in / "a.csv.part") == "mine\n");
  CHECK(read_file(in / "a.svg.part.throng") == "mine\n");
  CHECK(read_file(in / "out.csv") == read_file(in / "a.csv"));
}

TEST_CASE("export writes to standard output as -, and through a link") {
  const Project in;
  REQUIRE(run_throng({"run", in / "s.json", "-o", in / "r.throng", "--until", "2"}).exit_code == 0);
  REQUIRE(run_throng({"export", in / "r.throng", in / "a.csv"}).exit_code == 0);
  const ProgramResult printed = run_throng({"export", in / "r.throng", "-", "--format", "csv"});
  CHECK(printed.exit_code == 0);
  CHECK(printed.out == read_file(in / "a.csv"));
  CHECK(!fs::exists("-"));
  CHECK(run_throng({"export", in / "r.throng", "-", "--format", "csv", "--json"}).exit_code == 2);
  CHECK(run_throng({"export", in / "r.throng", "-", "--format", "jupedsim"}).exit_code == 2);
  write_file(in / "target", "old");
  fs::create_symlink(in / "target", in / "link.csv");
  REQUIRE(run_throng({"export", in / "r.throng", in / "link.csv"}).exit_code == 0);
  CHECK(fs::is_symlink(in / "link.csv"));
  CHECK(read_file(in / "target") == printed.out);
}

TEST_CASE("a late row does not make sixteen million frames") {
  const TempDir folder;
  write_file(folder / "far.csv", "frame,time,id,x,y\n16000000,1600000,1,0,0\n");
  REQUIRE(run_throng({"export", folder / "far.csv", folder / "o.throng"}).exit_code == 0);
  Result<recording::Recording> recording = recording::Recording::open(folder / "o.throng");
  REQUIRE(recording.ok());
  CHECK(recording->frame_count() == 1);
  write_file(folder / "gap.csv", "frame,time,id,x,y\n0,0,1,0,0\n15000000,1500000,1,0,0\n");
  const ProgramResult gap = run_throng({"export", folder / "gap.csv", folder / "g.throng"});
  CHECK(gap.exit_code == 1);
  CHECK(gap.err.find("nobody is there from frame 0 to frame 15000000") != std::string::npos);
  CHECK(!fs::exists(folder / "g.throng"));
}

/// Two runs on one output, started at the same moment: both exit codes, sorted.
std::pair<int, int> two_runs(const TempDir& folder, const std::string& output) {
  Process first({"run", folder / "s.json", "-o", output, "--seed", "1"}, folder / "out1", folder / "err1");
  Process second({"run", folder / "s.json", "-o", output, "--seed", "2"}, folder / "out2", folder / "err2");
  const int a = first.wait(), b = second.wait();
  const std::string loser = read_file(a != 0 ? folder / "err1" : folder / "err2");
  if (a != b) CHECK_MESSAGE(loser.find("another program is writing it") != std::string::npos, loser);
  return {std::min(a, b), std::max(a, b)};
}

/// Long enough that one cannot end before the other begins.
void two_writers(int rounds, const std::string& name) {
  const TempDir folder;
  write_file(folder / "s.json", R"({"throng":1,"duration":400,"environment":)" + room(20, 10) +
                                    R"(,"populations":[{"count":60,"start":{"polygon":[[1,1],[9,1],[9,9],[1,9]]},
      "goals":[{"point":[18,5]}],"at_goal":"stay"},{"rate":0.2,"start":{"polygon":[[1,1],[2,1],[2,2],[1,2]]},
      "goals":[{"point":[18,8]}]}]})");
  for (int i = 0; i < rounds; ++i) {
    INFO("round " << i);
    for (const char* ending : {"", "-wal", "-shm", ".part"}) fs::remove(folder / (name + ending));
    CHECK(two_runs(folder, folder / name) == std::pair(0, 1));
    CHECK(!fs::exists(folder / (name + ".part")));
    if (!name.ends_with(".throng")) continue;
    Result<recording::Recording> recording = recording::Recording::open(folder / name);
    REQUIRE(recording.ok());
    CHECK(recording->frame_count() == 4001);
  }
}

TEST_CASE("two runs on one output: one writes all its frames, the other is refused") {
  two_writers(3, "two.throng");
  two_writers(2, "two.sqlite");
}
TEST_CASE("long: two runs on one output, a hundred times: one writes all its frames, the other is refused") {
  two_writers(100, "two.throng");
}

TEST_CASE("a killed run to JuPedSim's format leaves no file that others take for whole") {
  const Project in;
  write_file(in / "s.json", R"({"throng":1,"duration":1000000,"environment":"env.geojson","populations":[
    {"rate":1,"start":{"polygon":[[1,1],[9,1],[9,9],[1,9]]},"goals":[{"point":[18,5]}]}]})");
  const std::string out = in / "r.sqlite", part = in / "r.sqlite.part";
  {
    Process run({"run", in / "s.json", "-o", out}, in / "out", in / "err");
    for (int i = 0; i < 3000 && !fs::exists(part); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    REQUIRE(fs::exists(part));
    run.end(SIGKILL);
  }
  CHECK(!fs::exists(out));
  // What it left does not stand in the way of the next.
  CHECK(run_throng({"run", in / "s.json", "-o", out, "--until", "3"}).exit_code == 0);
  CHECK(fs::exists(out));
  CHECK(!fs::exists(part));
  // Somebody's own file does.
  write_file(part, "mine");
  const ProgramResult refused = run_throng({"run", in / "s.json", "-o", out, "--until", "3"});
  CHECK(refused.exit_code == 1);
  CHECK(refused.err.find("is in the way") != std::string::npos);
  CHECK(read_file(part) == "mine");
}

}  // namespace
}  // namespace throng::test
