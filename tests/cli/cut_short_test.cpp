// Runs that do not come to their end: interrupted, or on a disk that fills up. They say so, and how far they came.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <set>
#include <sstream>
#include <thread>

#include "cli/processes.hpp"
#include "cli/small_runs.hpp"
#include "recording/recording.hpp"
#include "support/data.hpp"
#include "support/random.hpp"
#include "support/sanitized.hpp"

namespace throng::test {
namespace {

namespace fs = std::filesystem;

std::string scenario(double duration, const std::string& more = "") {
  return fmt::format(R"({{"throng":1,"duration":{},"environment":{},"populations":[
    {{"name":"a","count":40,"start":{{"polygon":[[1,1],[9,1],[9,9],[1,9]]}},"goals":[{{"point":[18,5]}},{{"point":[2,5]}}],"at_goal":"stay"}},
    {{"name":"b","rate":1,"start":{{"polygon":[[1,1],[9,1],[9,9],[1,9]]}},"goals":[{{"point":[18,5]}}]}}]{}}})",
                     duration, room(20, 10), more);
}

std::vector<Json> lines_of(const std::string& text) {
  std::vector<Json> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(Json::parse(line));
  return lines;
}

TEST_CASE("interrupted --runs averages whole runs only, and the exit code tells") {
  for (const int signal : {SIGINT, SIGTERM}) {
    const TempDir folder;
    write_file(folder / "s.json", scenario(60));
    Process run({"run", folder / "s.json", "--runs", "100000", "--json"}, folder / "out", folder / "err");
    // Two whole ones, and somewhere in a later one.
    const auto printed = [&] { return fs::exists(folder / "out") ? fs::file_size(folder / "out") : 0; };
    for (int i = 0; i < 3000 && printed() < 1400; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    CHECK(run.end(signal) == 128 + signal);
    const std::vector<Json> lines = lines_of(read_file(folder / "out"));
    REQUIRE(lines.size() >= 2);
    const Json& spreads = lines.back();
    std::size_t whole = 0;
    double arrived = 0;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      if (lines[i]["stopped"] == true) continue;
      ++whole;
      arrived += lines[i]["arrived"].get<double>();
      CHECK(lines[i]["steps"] == 600);
    }
    CHECK(spreads["stopped"] == true);
    CHECK(spreads["asked"] == 100000);
    CHECK(spreads["runs"] == whole);
    CHECK(spreads["arrived"]["runs"] == whole);
    if (whole > 0) CHECK(spreads["arrived"]["mean"].get<double>() == doctest::Approx(arrived / double(whole)));
    CHECK(read_file(folder / "err").find("of 100000 runs") != std::string::npos);
  }
}

/// What is left of a recording must open, and every frame that it counts be read.
std::uint64_t readable_frames(const fs::path& path) {
  Result<recording::Recording> recording = recording::Recording::open(path);
  REQUIRE_MESSAGE(recording.ok(), to_string(recording.problems().front()));
  std::uint64_t count = 0;
  const Problems problems = recording->each_frame([&](const recording::Frame&) { return ++count, true; });
  CHECK(problems.empty());
  CHECK(count == recording->frame_count());
  return count;
}

TEST_CASE("a recording on a full disk: exit code 1, marked as stopped, how far it goes, and it opens") {
  const TempDir folder;
  write_file(folder / "s.json", scenario(100000));
  Process run({"run", folder / "s.json", "--json", "-o", folder / "r.throng"}, folder / "out", folder / "err", 400'000);
  CHECK(run.wait() == 1);
  const Json object = Json::parse(read_file(folder / "out"));
  CHECK(object["stopped"] == true);
  CHECK(object["stopped_by"] == "recording");
  const std::uint64_t frames = readable_frames(folder / "r.throng");
  CHECK(frames > 10);
  CHECK(object["recorded_until"].get<double>() == doctest::Approx(double(frames - 1) * 0.1));
  CHECK(object["recorded_until"].get<double>() <= object["sim_time"].get<double>());
  CHECK(read_file(folder / "err").find("r.throng") != std::string::npos);
}

TEST_CASE("where its figures are asked for, a run goes on though its recording failed") {
  const TempDir folder;
  write_file(folder / "s.json", scenario(1500));
  Process run({"run", folder / "s.json", "--json", "-o", folder / "r.throng", "--agents", folder / "a.csv"},
              folder / "out", folder / "err", 300'000);
  CHECK(run.wait() == 1);
  const Json object = Json::parse(read_file(folder / "out"));
  CHECK(object["stopped"] == false);
  CHECK(object["steps"] == 15000);
  CHECK(object["recorded_until"].get<double>() < 1500);
  CHECK(rows_of(read_file(folder / "a.csv")).size() == object["agents"].get<std::size_t>());
}

TEST_CASE("a run that fails in a step does not end with exit code 0" * doctest::skip(THRONG_UNDER_SANITIZER)) {
  const TempDir folder;
  std::string sources;
  for (int i = 0; i < 40; ++i)
    sources += fmt::format(
        R"({}{{"name":"s{}","profile":"p","rate":1000,"start":{{"polygon":[[1,1],[999,1],[999,999],[1,999]]}},"goals":[{{"point":[500,500]}}]}})",
        i == 0 ? "" : ",", i);
  write_file(folder / "s.json", fmt::format(R"({{"throng":1,"duration":60,"contact":false,"environment":{},
      "profiles":{{"p":{{"avoid":{{"method":"none"}}}}}},"populations":[{}]}})",
                                            room(1000, 1000), sources));
  constexpr rlim_t memory = rlim_t{200} << 20;
  Process run({"run", folder / "s.json", "--json"}, folder / "out", folder / "err", std::nullopt, memory);
  CHECK(run.wait() != 0);
  CHECK(read_file(folder / "err").find("memory") != std::string::npos);
}

TEST_CASE("a table says that a run was stopped early") {
  const TempDir folder;
  write_file(folder / "s.json", scenario(100000));
  Process run({"run", folder / "s.json", "-o", folder / "r.throng"}, folder / "out", folder / "err", 400'000);
  CHECK(run.wait() == 1);
  const std::string table = read_file(folder / "out");
  CHECK(table.find("STOPPED EARLY") != std::string::npos);
  CHECK(table.find("of 100000.0 s") != std::string::npos);
  CHECK(table.find("recorded up to") != std::string::npos);
}

TEST_CASE("reports leave runs that were cut short out of their means") {
  const TempDir folder;
  write_file(folder / "s.json", scenario(10));
  for (const char* seed : {"1", "2", "3"})
    REQUIRE(run_throng({"run", folder / "s.json", "--seed", seed, "-o", folder / (std::string(seed) + ".throng")})
                .exit_code == 0);
  write_file(folder / "long.json", scenario(100000));
  Process run({"run", folder / "long.json", "-o", folder / "cut.throng"}, folder / "out", folder / "err");
  for (int i = 0; i < 3000 && !fs::exists(folder / "cut.throng"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  REQUIRE(run.end(SIGINT) == 130);
  const auto means = [&](const std::vector<std::string>& files) {
    std::vector<std::string> words{"report"};
    for (const std::string& file : files) words.push_back(folder / file);
    words.insert(words.end(), {"-o", folder / "r.html"});
    const ProgramResult result = run_throng(words);
    REQUIRE_MESSAGE(result.exit_code == 0, result.err);
    const std::string html = read_file(folder / "r.html");
    const std::size_t row = html.find(">mean distance walked<");
    REQUIRE(row != std::string::npos);
    const std::string cells = html.substr(row, html.find("</tr>", row) - row);
    // The last two cells: mean and deviation.
    const std::size_t last = cells.rfind("<td"), before = cells.rfind("<td", last - 1);
    return cells.substr(before);
  };
  CHECK(means({"1.throng", "2.throng", "3.throng"}) == means({"1.throng", "2.throng", "3.throng", "cut.throng"}));
}

/// Runs whose disk fills up at a random moment; nothing but the recording is touched.
void full_disks(int times, double duration) {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const TempDir folder;
  write_file(folder / "s.json", scenario(duration));
  write_file(folder / "mine", "mine");
  std::set<std::uint64_t> lengths;
  for (int i = 0; i < times; ++i) {
    const auto largest = rlim_t(100'000 + random.below(400'000));
    INFO("largest file " << largest);
    Process run({"run", folder / "s.json", "--json", "-o", folder / "r.throng"}, folder / "out", folder / "err",
                largest);
    CHECK(run.wait() == 1);
    lengths.insert(readable_frames(folder / "r.throng"));
    CHECK(read_file(folder / "mine") == "mine");
    CHECK(Json::parse(read_file(folder / "out"))["stopped"] == true);
    for (const auto& entry : fs::directory_iterator(folder.path())) {
      const std::string name = entry.path().filename();
      CHECK_MESSAGE(
          (name == "s.json" || name == "mine" || name == "out" || name == "err" || name.starts_with("r.throng")), name);
    }
  }
  CHECK(lengths.size() > std::size_t(times) / 3);
}

TEST_CASE("a disk that fills up at a random moment, five times: the file opens to its last chunk") {
  full_disks(5, 6000);
}
TEST_CASE("long: a disk that fills up at a random moment, fifty times: the file opens to its last chunk") {
  full_disks(50, 6000);
}

}  // namespace
}  // namespace throng::test
