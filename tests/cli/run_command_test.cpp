// `throng run` as a user meets it.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "recording/recording.hpp"
#include "recording/sqlite.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

extern char** environ;

namespace throng::test {
namespace {

using Json = nlohmann::json;
namespace fs = std::filesystem;

const std::string corridor = R"("environment":{"type":"FeatureCollection","features":[
  {"type":"Feature","properties":{"kind":"walkable"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[20,0],[20,4],[0,4],[0,0]]]}},
  {"type":"Feature","properties":{"kind":"area","name":"west"},"geometry":{"type":"Polygon","coordinates":[[[0,0],[5,0],[5,4],[0,4],[0,0]]]}},
  {"type":"Feature","properties":{"kind":"area","name":"east"},"geometry":{"type":"Polygon","coordinates":[[[18,0],[20,0],[20,4],[18,4],[18,0]]]}}]})";

/// Twelve people from one end to the other, and what is measured on the way.
std::string scenario(const std::string& more = "") {
  return R"({"throng":1,"duration":60,)" + corridor + R"(,"populations":[
    {"name":"walkers, all","count":12,"start":{"area":"west"},"goals":[{"area":"east"}]}],
    "measure":[{"line":[[10,0],[10,4]],"name":"middle"},{"area":"east","every":2}])" +
         more + "}";
}

/// Never ends by itself within a test.
std::string endless() {
  return R"({"throng":1,"duration":1000000,)" + corridor + R"(,"populations":[
    {"name":"a","rate":2,"start":{"area":"west"},"goals":[{"area":"east"}]},
    {"name":"b","count":5,"start":{"area":"east"},"goals":[{"area":"west"}],"at_goal":"stay"}]})";
}

Json run_json(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "run");
  arguments.push_back("--json");
  const ProgramResult result = run_throng(arguments);
  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  return Json::parse(result.out);
}

std::vector<std::vector<std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(csv);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back(1);
    bool quoted = false;
    for (const char c : line)
      if (c == '"')
        quoted = !quoted;
      else if (c == ',' && !quoted)
        rows.back().emplace_back();
      else
        rows.back().back() += c;
  }
  return rows;
}

std::set<std::string> files_in(const TempDir& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path())) names.insert(entry.path().filename());
  return names;
}

TEST_CASE("run: --json has the members of docs/formats.md, and they fit together") {
  const TempDir folder;
  write_file(folder / "s.json", scenario());
  const Json object = run_json({folder / "s.json"});
  for (const char* member :
       {"agents", "arrived", "steps", "sim_time", "wall_s", "ms_per_step", "realtime_factor", "collisions",
        "collision_steps", "max_overlap", "stuck", "evacuated_50", "evacuated_95", "evacuated_100", "hash"})
    CHECK_MESSAGE(object.contains(member), member);
  CHECK(object["agents"] == 12);
  CHECK(object["arrived"] == 12);
  CHECK(object["stopped"] == false);
  CHECK(object["stuck"] == 0);
  CHECK(object["steps"].get<double>() * 0.1 == doctest::Approx(object["sim_time"].get<double>()));
  CHECK(object["evacuated_50"].get<double>() < object["evacuated_95"].get<double>());
  CHECK(object["evacuated_95"].get<double>() <= object["evacuated_100"].get<double>());
  CHECK(object["evacuated_100"].get<double>() <= object["sim_time"].get<double>());
  CHECK(object["hash"].get<std::string>().size() == 16);
}

TEST_CASE("run: without --json a table on standard output, and no progress where nobody watches") {
  const TempDir folder;
  write_file(folder / "s.json", scenario());
  const ProgramResult result = run_throng({"run", folder / "s.json"});
  CHECK(result.exit_code == 0);
  CHECK(result.err == "");
  for (const char* word : {"people", "arrived", "line middle", "12 crossings", "area east", "hash"})
    CHECK_MESSAGE(result.out.find(word) != std::string::npos, word);
}

TEST_CASE("run: one hash, with wide vectors and without") {
  for (const char* example : {"crossing", "two_storeys"}) {
    const std::vector<std::string> words{"run", std::string(THRONG_SOURCE_DIR) + "/examples/" + example + ".json",
                                         "--until", "12", "--json"};
    std::vector<std::string> plain{"env", "THRONG_NO_AVX2=1", THRONG_PROGRAM};
    plain.insert(plain.end(), words.begin(), words.end());
    const ProgramResult narrow = run_program(plain);
    REQUIRE(narrow.exit_code == 0);
    const ProgramResult wide = run_throng({words.begin(), words.end()});
    CHECK(nlohmann::json::parse(narrow.out)["hash"] == nlohmann::json::parse(wide.out)["hash"]);
  }
}

TEST_CASE("run: one seed, one hash, whatever the number of threads; another seed, another hash") {
  const TempDir folder;
  write_file(folder / "s.json", scenario());
  const std::string hash = run_json({folder / "s.json"})["hash"];
  for (const char* threads : {"1", "2", "3", "8"})
    CHECK(run_json({folder / "s.json", "--threads", threads})["hash"] == hash);
  CHECK(run_json({folder / "s.json", "--seed", "1"})["hash"] == hash);
  const Json other = run_json({folder / "s.json", "--seed", "2"});
  CHECK(other["hash"] != hash);
  CHECK(other["seed"] == 2);
  // Recording does not change what happens.
  CHECK(run_json({folder / "s.json", "-o", folder / "a.throng"})["hash"] == hash);
  CHECK(run_json({folder / "s.json", "-o", folder / "a.sqlite"})["hash"] == hash);
}

TEST_CASE("run: means over nobody are null, not 0") {
  const TempDir folder;
  write_file(folder / "run.json", scenario());
  const Json object = run_json({folder / "run.json", "--until", "1"});
  REQUIRE(object["arrived"] == 0);
  for (const char* mean : {"mean_travel_time", "mean_distance", "mean_speed", "mean_slow_time", "mean_energy"})
    CHECK_MESSAGE(object[mean].is_null(), mean);
}

TEST_CASE("run: --until ends earlier, in whole steps") {
  const TempDir folder;
  write_file(folder / "s.json", scenario());
  const Json object = run_json({folder / "s.json", "--until", "2.05"});
  CHECK(object["steps"] == 21);
  CHECK(object["arrived"] == 0);
  CHECK(object["evacuated_50"].is_null());
}

TEST_CASE("run: --runs repeats with the following seeds and gives means and deviations") {
  const TempDir folder;
  write_file(folder / "s.json", scenario());
  const ProgramResult result = run_throng({"run", folder / "s.json", "--runs", "3", "--seed", "5", "--json"});
  REQUIRE(result.exit_code == 0);
  std::istringstream lines(result.out);
  std::vector<Json> objects;
  for (std::string line; std::getline(lines, line);) objects.push_back(Json::parse(line));
  REQUIRE(objects.size() == 4);
  double sum = 0, squares = 0;
  for (int i = 0; i < 3; ++i) {
    CHECK(objects[std::size_t(i)]["seed"] == 5 + i);
    CHECK(objects[std::size_t(i)]["hash"] == run_json({folder / "s.json", "--seed", std::to_string(5 + i)})["hash"]);
    const double time = objects[std::size_t(i)]["mean_travel_time"];
    sum += time, squares += time * time;
  }
  const Json& spread = objects[3]["mean_travel_time"];
  CHECK(objects[3]["runs"] == 3);
  CHECK(spread["runs"] == 3);
  CHECK(spread["mean"].get<double>() == doctest::Approx(sum / 3));
  CHECK(spread["deviation"].get<double>() == doctest::Approx(std::sqrt((squares - sum * sum / 3) / 2)));
  const ProgramResult table = run_throng({"run", folder / "s.json", "--runs", "2"});
  CHECK(table.out.find("deviation") != std::string::npos);
  // Nobody arrives within a second: there are no means of when half had.
  const ProgramResult early = run_throng({"run", folder / "s.json", "--runs", "2", "--until", "1", "--json"});
  const Json spreads = Json::parse(early.out.substr(early.out.find("{\"runs\"")));
  CHECK(spreads["evacuated_50"]["runs"] == 0);
  CHECK(spreads["evacuated_50"]["mean"].is_null());
  CHECK(spreads["arrived"]["mean"] == 0.0);
}

TEST_CASE("run: --agents has a row for each person, --measures one for each crossing and density") {
  const TempDir folder;
  write_file(folder / "s.json", scenario());
  const Json object = run_json({folder / "s.json", "--agents", folder / "a.csv", "--measures", folder / "m.csv"});
  const auto agents = rows_of(read_file(folder / "a.csv"));
  REQUIRE(agents.size() == 13);
  CHECK(agents[0][0] == "id");
  CHECK(agents[0][1] == "population");
  CHECK(agents[0][6] == "travel_time");
  double travel = 0;
  for (std::size_t i = 1; i < agents.size(); ++i) {
    REQUIRE(agents[i].size() == agents[0].size());
    CHECK(agents[i][0] == std::to_string(i));
    CHECK(agents[i][1] == "walkers, all");  // the comma is quoted in the file
    travel += std::stod(agents[i][6]);
  }
  CHECK(travel / 12 == doctest::Approx(object["mean_travel_time"].get<double>()));
  std::size_t crossings = 0, densities = 0;
  for (const auto& row : rows_of(read_file(folder / "m.csv"))) {
    REQUIRE(row.size() == 6);
    if (row[0] == "middle") {
      CHECK(row[3] == "1");  // the line runs north: its left is the west
      ++crossings;
    }
    densities += row[0] == "east";
  }
  CHECK(crossings == 12);
  CHECK(densities == std::size_t(object["sim_time"].get<double>() / 2) + 1);
}

TEST_CASE("run: -o records every frame asked for, native and for JuPedSim") {
  const TempDir folder;
  write_file(folder / "s.json", scenario(R"(,"record":{"every":2})"));
  const Json object = run_json({folder / "s.json", "-o", folder / "r.throng"});
  const std::uint64_t frames = object["steps"].get<std::uint64_t>() / 2 + 1;
  Result<recording::Recording> recording = recording::Recording::open(folder / "r.throng");
  REQUIRE(recording.ok());
  CHECK(recording->frame_count() == frames);
  CHECK(recording->agents()->size() == 12);
  CHECK(recording->frame(0)->serial.size() == 12);
  CHECK(recording->meta().populations.front() == "walkers, all");
  const Result<std::vector<recording::RecordedMetric>> metrics = recording->metrics();
  REQUIRE(metrics.ok());
  bool has_summary = false;
  for (const recording::RecordedMetric& metric : *metrics)
    if (metric.name == "summary") has_summary = Json::parse(metric.json)["hash"] == object["hash"];
  CHECK(has_summary);

  REQUIRE(run_throng({"run", folder / "s.json", "-o", folder / "x", "--format", "jupedsim"}).exit_code == 0);
  const ProgramResult head = run_program({"head", "-c", "15", folder / "x"});
  CHECK(head.out == "SQLite format 3");
  CHECK(files_in(folder) == std::set<std::string>{"s.json", "r.throng", "x"});
}

TEST_CASE("run: wrong use is exit code 2, refused input 1, each with a reason") {
  const TempDir folder;
  write_file(folder / "s.json", scenario());
  const auto code = [&](std::vector<std::string> arguments, const std::string& reason) {
    arguments.insert(arguments.begin(), "run");
    const ProgramResult result = run_throng(arguments);
    CHECK_MESSAGE(result.err.find(reason) != std::string::npos, result.err);
    CHECK(result.out == "");
    return result.exit_code;
  };
  const std::string good = folder / "s.json";
  CHECK(code({}, "SCENARIO") == 2);
  CHECK(code({good, "--threads", "0"}, "--threads") == 2);
  CHECK(code({good, "--runs", "0"}, "--runs") == 2);
  CHECK(code({good, "--until", "-1"}, "--until") == 2);
  CHECK(code({good, "--until", "nan"}, "--until") == 2);
  CHECK(code({good, "--until", "1e19"}, "--until") == 2);
  CHECK(code({good, "--seed", "-4"}, "--seed") == 2);
  CHECK(code({good, "--seed", "x"}, "--seed") == 2);
  CHECK(code({good, "-o", folder / "a.mp4"}, "a.mp4") == 2);
  CHECK(code({good, "--format", "native"}, "--format") == 2);
  CHECK(code({good, "--runs", "2", "-o", folder / "a.throng"}, "--runs") == 2);
  CHECK(code({folder / "none.json"}, "none.json") == 1);
  write_file(folder / "bad.json", scenario(R"(,"durations":3)"));
  CHECK(code({folder / "bad.json"}, "did you mean 'duration'") == 1);
  write_file(folder / "bad.json", "{");
  CHECK(code({folder / "bad.json"}, "bad.json") == 1);
  CHECK(files_in(folder) == std::set<std::string>{"s.json", "bad.json"});
}

TEST_CASE("run: a refused run leaves the files it would have replaced alone") {
  const TempDir folder;
  for (const char* name : {"r.throng", "r.sqlite", "a.csv", "m.csv"}) write_file(folder / name, "precious");
  const auto unharmed = [&] {
    for (const char* name : {"r.throng", "r.sqlite", "a.csv", "m.csv"}) CHECK(read_file(folder / name) == "precious");
    CHECK(files_in(folder).size() == 5);
  };
  const std::string crowded = R"({"throng":1,)" + corridor +
                              R"(,"populations":[{"count":5000,"start":{"area":"west"},"goals":[{"area":"east"}]}]})";
  for (const std::string& text : {std::string("{"), scenario(R"(,"seeds":3)"), crowded}) {
    write_file(folder / "s.json", text);
    for (const char* recording : {"r.throng", "r.sqlite"}) {
      const ProgramResult result = run_throng({"run", folder / "s.json", "-o", folder / recording, "--agents",
                                               folder / "a.csv", "--measures", folder / "m.csv"});
      CHECK(result.exit_code == 1);
      CHECK(result.err.find("error: ") != std::string::npos);
      unharmed();
    }
  }
  write_file(folder / "s.json", scenario());
  CHECK(run_throng({"run", folder / "s.json", "-o", folder / "no" / "such.throng"}).exit_code == 1);
  unharmed();
}

/// `throng run` in the background, its standard streams in files.
class Background {
 public:
  Background(const TempDir& folder, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {THRONG_PROGRAM, "run"});
    std::vector<char*> words;
    for (std::string& word : arguments) words.push_back(word.data());
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, (folder / "out").c_str(), flags, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (folder / "err").c_str(), flags, 0600);
    REQUIRE(posix_spawn(&id_, words[0], &actions, nullptr, words.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Background() {
    if (id_ > 0) end(SIGKILL);
  }
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Sends the signal and waits for the end. The exit code, or -signal.
  int end(int signal) {
    ::kill(id_, signal);
    int status = 0;
    REQUIRE(::waitpid(id_, &status, 0) == id_);
    id_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

 private:
  pid_t id_ = -1;
};

/// Waits until the recording can be read and has that many frames.
void wait_for_frames(const fs::path& path, std::uint64_t count) {
  for (int i = 0; i < 3000; ++i) {
    if (fs::exists(path)) {
      const Result<recording::Recording> recording = recording::Recording::open(path);
      if (recording.ok() && recording->frame_count() >= count) return;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  FAIL("no recording appeared");
}

/// Every frame that the file counts, and everybody in it by name.
std::uint64_t readable_frames(const fs::path& path) {
  Result<recording::Recording> recording = recording::Recording::open(path);
  REQUIRE_MESSAGE(recording.ok(), to_string(recording.problems().front()));
  const Result<std::vector<recording::AgentRow>> agents = recording->agents();
  REQUIRE(agents.ok());
  std::set<std::uint64_t> known;
  for (const recording::AgentRow& row : *agents) known.insert(row.serial);
  std::uint64_t count = 0;
  const Problems problems = recording->each_frame([&](const recording::Frame& frame) {
    CHECK(frame.number == count++);
    for (const std::uint64_t serial : frame.serial) CHECK(known.contains(serial));
    return true;
  });
  CHECK(problems.empty());
  CHECK(count == recording->frame_count());
  return count;
}

TEST_CASE("run: Ctrl-C ends a run early with everything so far kept") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TempDir folder;
    write_file(folder / "s.json", endless());
    Background run(folder, {folder / "s.json", "--json", "-o", folder / "r.throng", "--agents", folder / "a.csv"});
    wait_for_frames(folder / "r.throng", 20);
    CHECK(run.end(signal) == 128 + signal);
    const Json object = Json::parse(read_file(folder / "out"));
    CHECK(object["stopped"] == true);
    CHECK(object["stopped_by"] == "signal");
    CHECK(object["sim_time"].get<double>() < object["duration"].get<double>());
    CHECK(read_file(folder / "err").find("stopped at") != std::string::npos);
    CHECK(readable_frames(folder / "r.throng") == object["steps"].get<std::uint64_t>() + 1);
    CHECK(rows_of(read_file(folder / "a.csv")).size() == object["agents"].get<std::size_t>() + 1);
    CHECK(files_in(folder) == std::set<std::string>{"s.json", "r.throng", "a.csv", "out", "err"});
  }
}

void kill_at_random_moments(int times) {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  std::set<std::uint64_t> lengths;
  for (int i = 0; i < times; ++i) {
    const TempDir folder;
    write_file(folder / "s.json", endless());
    Background run(folder, {folder / "s.json", "-o", folder / "r.throng"});
    wait_for_frames(folder / "r.throng", 1);
    std::this_thread::sleep_for(std::chrono::microseconds(random.below(200'000)));
    CHECK(run.end(SIGKILL) == -SIGKILL);
    const std::uint64_t frames = readable_frames(folder / "r.throng");
    CHECK(frames >= 1);
    lengths.insert(frames);
    CHECK(run_throng({"export", folder / "r.throng", folder / "r.csv"}).exit_code == 0);
  }
  CHECK(lengths.size() > 2);
}

TEST_CASE("run: killed at a random moment, the recording can be read to its last chunk") { kill_at_random_moments(10); }

TEST_CASE("long: run: killed at 100 random moments, the recording can be read 100 times") {
  kill_at_random_moments(100);
}

}  // namespace
}  // namespace throng::test
