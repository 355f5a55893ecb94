// The native format, written and read back.
#include <doctest/doctest.h>
#include <sqlite3.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "recording/crowd.hpp"
#include "recording/recording.hpp"
#include "support/data.hpp"
#include "support/random.hpp"

using namespace throng;
using namespace throng::recording;
using namespace throng::test;
namespace fs = std::filesystem;

namespace {

std::unique_ptr<Recorder> recorder_at(const fs::path& path, const RecorderOptions& options = {}) {
  Result<std::unique_ptr<Recorder>> recorder = create_native(path.string(), sample_meta(), options);
  REQUIRE_MESSAGE(recorder, said(recorder));
  return std::move(*recorder);
}

Recording reading(const fs::path& path) {
  Result<Recording> recording = Recording::open(path.string());
  REQUIRE_MESSAGE(recording, said(recording));
  return std::move(*recording);
}

void record(const fs::path& path, const std::vector<OwnedFrame>& frames, const RecorderOptions& options = {}) {
  const std::unique_ptr<Recorder> recorder = recorder_at(path, options);
  feed(*recorder, frames);
  const Result<Written> written = recorder->finish();
  REQUIRE_MESSAGE(written, said(written));
  CHECK(written->frames == frames.size());
  CHECK(written->bytes == fs::file_size(path));
}

std::vector<OwnedFrame> rounded_all(std::vector<OwnedFrame> frames) {
  for (OwnedFrame& frame : frames) frame = rounded(std::move(frame));
  return frames;
}

/// Runs SQL on a file, for damage that no writer of ours does.
void sql(const fs::path& path, const std::string& statements) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  char* error = nullptr;
  const int code = sqlite3_exec(database, statements.c_str(), nullptr, nullptr, &error);
  REQUIRE_MESSAGE(code == SQLITE_OK, (error != nullptr ? error : ""));
  REQUIRE(sqlite3_close(database) == SQLITE_OK);
}

/// All that opening and reading everything has to say.
std::string everything_wrong(const fs::path& path) {
  Result<Recording> recording = Recording::open(path.string());
  if (!recording) return said(recording);
  Problems wrong;
  all_frames(*recording, &wrong);
  return said(wrong) + said(recording->agents()) + said(recording->events()) + said(recording->metrics());
}

}  // namespace

TEST_CASE("what was recorded is read back: frames to the millimetre, all else as it was") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  const TempDir folder;
  const fs::path path = folder / "run.throng";
  const std::vector<OwnedFrame> frames = random_crowd(seed, 50, 47);
  {
    const std::unique_ptr<Recorder> recorder = recorder_at(path);
    recorder->event(0.5, "insert", R"({"id": "van"})");
    feed(*recorder, frames);
    recorder->agent({.serial = frames[0].serial[0], .radius = 0.3, .appears = 0, .leaves = 4.6});
    recorder->event(0.25, "remove", "{}");
    recorder->metric("flow", "[1, 2]");
    recorder->metric("arrived", "3");
    recorder->metric("flow", "[2, 3]");
    const Result<Written> written = recorder->finish();
    REQUIRE_MESSAGE(written, said(written));
    CHECK(written->frames == 47);
    CHECK(recorder->finish().ok());
    recorder->frame(frames[0].view());  // nothing is recorded afterwards
  }
  Recording recording = reading(path);
  const Meta meta = sample_meta();
  CHECK(recording.meta().program == meta.program);
  CHECK(recording.meta().environment_json == meta.environment_json);
  CHECK(recording.meta().scenario_json == meta.scenario_json);
  CHECK(recording.meta().parameters_json == meta.parameters_json);
  CHECK(recording.meta().seed == meta.seed);
  CHECK(recording.meta().time_step == meta.time_step);
  CHECK(recording.meta().every == meta.every);
  CHECK(recording.meta().unit == meta.unit);
  CHECK(recording.meta().layers == meta.layers);
  CHECK(recording.meta().populations == meta.populations);
  CHECK(recording.meta().profiles == meta.profiles);
  CHECK(recording.frame_count() == 47);
  CHECK(all_frames(recording) == rounded_all(frames));

  const Result<std::vector<AgentRow>> agents = recording.agents();
  REQUIRE_MESSAGE(agents, said(agents));
  const auto first =
      std::find_if(agents->begin(), agents->end(), [&](auto& a) { return a.serial == frames[0].serial[0]; });
  REQUIRE(first != agents->end());
  CHECK(first->leaves == 4.6);
  CHECK(first->radius == 0.3);
  for (const AgentRow& row : *agents) {
    if (row.serial == first->serial) continue;
    CHECK(std::isnan(row.leaves));
    CHECK(row.population == row.serial % 2);
    CHECK(row.group == std::int64_t(row.serial % 5) - 1);
    CHECK(row.radius == 0.2 + 0.01 * double(row.serial % 7));
  }
  const Result<std::vector<RecordedEvent>> events = recording.events();
  REQUIRE(events);
  REQUIRE(events->size() == 2);
  CHECK((*events)[0].kind == "insert");
  CHECK((*events)[0].json == R"({"id": "van"})");
  CHECK((*events)[1].time == 0.25);
  const Result<std::vector<RecordedMetric>> metrics = recording.metrics();
  REQUIRE(metrics);
  REQUIRE(metrics->size() == 2);
  CHECK((*metrics)[0].name == "arrived");
  CHECK((*metrics)[1].json == "[2, 3]");
}

TEST_CASE("frames are found in any order, and none beyond the last") {
  const TempDir folder;
  const std::vector<OwnedFrame> frames = random_crowd(2, 10, 33);
  record(folder / "run.throng", frames);
  Recording recording = reading(folder / "run.throng");
  for (const std::uint64_t number : {32, 0, 9, 10, 11, 31, 9, 20}) {
    const Result<Frame> frame = recording.frame(number);
    REQUIRE_MESSAGE(frame, said(frame));
    CHECK(copy_of(*frame) == rounded(frames[number]));
  }
  CHECK(said(recording.frame(33)).find("there is no frame 33") != std::string::npos);
  int visited = 0;
  CHECK(recording.each_frame([&](const Frame&) { return ++visited < 5; }).empty());
  CHECK(visited == 5);
}

TEST_CASE("a chunk holds about a second") {
  const TempDir folder;
  record(folder / "run.throng", random_crowd(2, 10, 33));
  sql(folder / "run.throng",
      "CREATE TABLE proof(ok CHECK (ok)); INSERT INTO proof SELECT count(*) = 4 AND "
      "max(frames) = 10 AND min(frames) = 3 AND max(first_frame) = 30 FROM chunk");
}

TEST_CASE("a closed recording is one file, and stays one when it is read") {
  const TempDir folder;
  record(folder / "run.throng", random_crowd(2, 10, 33));
  CHECK(files_in(folder.path()) == 1);
  const std::string before = read_file(folder / "run.throng");
  Recording recording = reading(folder / "run.throng");
  all_frames(recording);
  CHECK(files_in(folder.path()) == 1);
  CHECK(read_file(folder / "run.throng") == before);
}

TEST_CASE("the same calls give the same file, byte for byte, however short the queue is") {
  const TempDir folder;
  const std::vector<OwnedFrame> frames = random_crowd(9, 200, 120);
  record(folder / "a.throng", frames);
  record(folder / "b.throng", frames);
  record(folder / "c.throng", frames, {.queue_bytes = 1});
  CHECK(read_file(folder / "a.throng") == read_file(folder / "b.throng"));
  CHECK(read_file(folder / "a.throng") == read_file(folder / "c.throng"));
}

TEST_CASE("a recorder that dies without finish() closes its file") {
  const TempDir folder;
  const std::vector<OwnedFrame> frames = random_crowd(3, 20, 25);
  feed(*recorder_at(folder / "run.throng"), frames);
  CHECK(files_in(folder.path()) == 1);
  Recording recording = reading(folder / "run.throng");
  CHECK(all_frames(recording) == rounded_all(frames));
}

TEST_CASE("a recording without frames is one") {
  const TempDir folder;
  record(folder / "run.throng", {});
  Recording recording = reading(folder / "run.throng");
  CHECK(recording.frame_count() == 0);
  CHECK(all_frames(recording).empty());
  CHECK(!recording.frame(0));
}

TEST_CASE("a recording can be read while it is written, and reading does not hold the writer up") {
  const TempDir folder;
  const std::vector<OwnedFrame> frames = random_crowd(3, 20, 205);
  const std::unique_ptr<Recorder> recorder = recorder_at(folder / "run.throng");
  feed(*recorder, std::vector<OwnedFrame>(frames.begin(), frames.begin() + 100));
  Recording during = reading(folder / "run.throng");
  for (std::size_t i = 100; i < frames.size(); ++i) {
    for (const std::uint64_t serial : frames[i].serial) recorder->agent({.serial = serial});
    recorder->frame(frames[i].view());
  }
  const std::vector<OwnedFrame> seen = all_frames(during);
  CHECK(seen.size() <= frames.size());
  for (std::size_t i = 0; i < seen.size(); ++i) CHECK(seen[i] == rounded(frames[i]));
  const Result<Written> written = recorder->finish();
  REQUIRE_MESSAGE(written, said(written));
  CHECK(all_frames(during) == seen);
  // Everything is in the one file, though the reader keeps the log beside it from being removed.
  fs::copy_file(folder / "run.throng", folder / "copy.throng");
  Recording copy = reading(folder / "copy.throng");
  CHECK(all_frames(copy) == rounded_all(frames));
  Recording after = reading(folder / "run.throng");
  CHECK(all_frames(after) == rounded_all(frames));
}

TEST_CASE("what breaks the rules ends a recording, is said, and leaves what came before") {
  const TempDir folder;
  std::vector<OwnedFrame> frames = random_crowd(4, 10, 40, false);
  OwnedFrame& bad = frames[27];
  std::string expected;
  SUBCASE("a gap in the numbers") { bad.number = 28, expected = "frame 27 was expected"; }
  SUBCASE("serials out of order") { std::swap(bad.serial[2], bad.serial[3]), expected = "comes after serial"; }
  SUBCASE("not a number") { bad.position[1].x = std::numeric_limits<double>::quiet_NaN(), expected = "nan"; }
  SUBCASE("out of range") { bad.position[1].y = 2e9, expected = "within 1e+09 m"; }
  SUBCASE("no such layer") { bad.layer[0] = 3, expected = "layer 3 of 3"; }
  SUBCASE("a position is missing") { bad.position.pop_back(), expected = "10 serials, 9 positions"; }
  SUBCASE("a time that is none") { bad.time = std::numeric_limits<double>::infinity(), expected = "time is no number"; }
  const std::unique_ptr<Recorder> recorder = recorder_at(folder / "run.throng");
  feed(*recorder, frames);
  const Result<Written> written = recorder->finish();
  REQUIRE(!written);
  CHECK(recorder->failed());
  CHECK_MESSAGE(said(written).find(expected) != std::string::npos, said(written));
  CHECK_MESSAGE(said(written).find("run.throng: frame ") != std::string::npos, said(written));
  CHECK(files_in(folder.path()) == 1);
  frames.resize(27);
  Recording recording = reading(folder / "run.throng");
  CHECK(all_frames(recording) == rounded_all(frames));
}

TEST_CASE("rows of agents that make no sense, or were never given, are said") {
  const TempDir folder;
  const auto outcome = [&](const AgentRow& row) {
    const std::unique_ptr<Recorder> recorder = recorder_at(folder / "run.throng");
    recorder->agent(row);
    return said(recorder->finish());
  };
  CHECK(outcome({.serial = 7, .population = 2}).find("agent 7: population 2 of 2") != std::string::npos);
  CHECK(outcome({.serial = 7, .profile = 1}).find("profile 1 of 1") != std::string::npos);
  CHECK(outcome({.serial = 7, .radius = -1}).find("-1 is no radius") != std::string::npos);
  CHECK(outcome({.serial = max_serial + 1}).find("serial is too large") != std::string::npos);
  CHECK(outcome({.serial = 7}).empty());
  const std::unique_ptr<Recorder> recorder = recorder_at(folder / "run.throng");
  for (const OwnedFrame& frame : random_crowd(4, 1, 10, false)) recorder->frame(frame.view());
  CHECK(said(recorder->finish()).find("never given") != std::string::npos);
}

TEST_CASE("what cannot be recorded is refused before anything is written") {
  const TempDir folder;
  const std::string path = (folder / "run.throng").string();
  Meta meta = sample_meta();
  meta.time_step = 0;
  meta.every = 0;
  meta.layers = {};
  const std::string wrong = said(create_native(path, meta));
  CHECK(wrong.find("time step of 0") != std::string::npos);
  CHECK(wrong.find("every 0 steps") != std::string::npos);
  CHECK(wrong.find("no layer") != std::string::npos);
  CHECK(!create_native((folder / "nowhere/run.throng").string(), sample_meta()));
  CHECK(said(create_native(folder.path().string(), sample_meta())).find("regular file") != std::string::npos);
  CHECK(said(create_native("/dev/null", sample_meta())).find("regular file") != std::string::npos);
  CHECK(files_in(folder.path()) == 0);
}

TEST_CASE("a new recording takes the place of an old file, and of what a killed writer left beside it") {
  const TempDir folder;
  write_file(folder / "run.throng", "something else");
  write_file(folder / "run.throng-wal", "rubbish");
  write_file(folder / "run.throng-journal", "rubbish");
  const std::vector<OwnedFrame> frames = random_crowd(3, 20, 25);
  record(folder / "run.throng", frames);
  CHECK(files_in(folder.path()) == 1);
  Recording recording = reading(folder / "run.throng");
  CHECK(all_frames(recording) == rounded_all(frames));
}

TEST_CASE("two recorders on one path: the second is refused, the first loses nothing") {
  const TempDir folder;
  const std::vector<OwnedFrame> frames = random_crowd(3, 20, 25);
  {
    const std::unique_ptr<Recorder> first = recorder_at(folder / "run.throng");
    const auto second = create_native((folder / "run.throng").string(), sample_meta());
    CHECK(said(second).find("another program is writing it") != std::string::npos);
    feed(*first, frames);
    const Result<Written> written = first->finish();
    REQUIRE_MESSAGE(written, said(written));
    CHECK(written->frames == frames.size());
  }
  CHECK(files_in(folder.path()) == 1);
  Recording recording = reading(folder / "run.throng");
  CHECK(all_frames(recording) == rounded_all(frames));
  record(folder / "run.throng", frames);
}

TEST_CASE("a recording that others remove or replace while it is written is told") {
  const TempDir folder;
  const std::unique_ptr<Recorder> recorder = recorder_at(folder / "run.throng");
  feed(*recorder, random_crowd(4, 20, 60));
  write_file(folder / "other", "other");
  fs::rename(folder / "other", folder / "run.throng");
  CHECK(said(recorder->finish()).find("replaced while it was being written") != std::string::npos);
  CHECK(read_file(folder / "run.throng") == "other");
}

TEST_CASE("files that are no recordings are refused with the reason") {
  const TempDir folder;
  const fs::path path = folder / "x.throng";
  CHECK(everything_wrong(path).find("x.throng: ") == folder.path().string().size() + 1);
  write_file(path, "");
  CHECK(everything_wrong(path).find("not a recording") != std::string::npos);
  write_file(path, std::string(5000, 'x'));
  CHECK(everything_wrong(path).find("not an SQLite file") != std::string::npos);
  write_file(path, "");
  sql(path, "CREATE TABLE trajectory_data(frame INTEGER)");
  CHECK(everything_wrong(path).find("not a recording of Throng") != std::string::npos);
  CHECK(!Recording::open(folder.path().string()));
}

TEST_CASE("recordings that contradict themselves are refused with the reason") {
  const TempDir folder;
  const fs::path path = folder / "x.throng";
  std::string change, expected;
  SUBCASE("another version") { change = "PRAGMA user_version = 7", expected = "version 7"; }
  SUBCASE("a table is missing") { change = "DROP TABLE event", expected = "no table 'event'"; }
  SUBCASE("a view in place of a table") {
    change =
        "DROP TABLE event; CREATE VIEW event AS WITH RECURSIVE n(time) AS (SELECT 1 UNION ALL SELECT time + 1 FROM "
        "n) SELECT time AS number, time, '' AS kind, '' AS json FROM n";
    expected = "no table 'event'";
  }
  SUBCASE("a column is missing") { change = "ALTER TABLE agent RENAME radius TO r", expected = "no table 'agent'"; }
  SUBCASE("no seed") { change = "DELETE FROM meta WHERE key = 'seed'", expected = "no usable 'seed'"; }
  SUBCASE("a wrong seed") {
    change = "UPDATE meta SET value = '12x' WHERE key = 'seed'", expected = "no usable 'seed'";
  }
  SUBCASE("a wrong type") {
    change = "UPDATE meta SET value = x'00' WHERE key = 'unit'", expected = "no usable 'unit'";
  }
  SUBCASE("no time step") { change = "UPDATE meta SET value = 0 WHERE key = 'time_step'", expected = "time step of 0"; }
  SUBCASE("no layers") { change = "DELETE FROM layer", expected = "no layer"; }
  SUBCASE("layers that agents are in are gone") { change = "DELETE FROM layer WHERE number > 0", expected = "damaged"; }
  SUBCASE("a chunk is missing") { change = "DELETE FROM chunk WHERE first_frame = 10", expected = "frame 10 is due"; }
  SUBCASE("a negative chunk") {
    change = "UPDATE chunk SET first_frame = -1 WHERE first_frame = 0", expected = "is due";
  }
  SUBCASE("absurdly many frames") {
    change = "UPDATE chunk SET frames = 9000000000000000000 WHERE first_frame = 20", expected = "says it has 9000000";
  }
  SUBCASE("other frames than were said") {
    change = "UPDATE chunk SET frames = 11 WHERE first_frame = 20", expected = "10 frames, where the table says 11";
  }
  SUBCASE("text in place of bytes") {
    change = "UPDATE chunk SET blob = 'hello' WHERE first_frame = 10", expected = "frame 10 is missing";
  }
  SUBCASE("other bytes") {
    change = "UPDATE chunk SET blob = zeroblob(100000000) WHERE first_frame = 10",
    expected = "frame 10: a chunk of format 0";
  }
  SUBCASE("an agent of no population") { change = "UPDATE agent SET population = 99", expected = "makes no sense"; }
  SUBCASE("a radius that is no number") { change = "UPDATE agent SET radius = 9e999", expected = "makes no sense"; }
  SUBCASE("a time that is no number") { change = "UPDATE agent SET appears = -9e999", expected = "makes no sense"; }
  SUBCASE("a tiny time step, which hung the viewer") {
    change = "UPDATE meta SET value = 1e-300 WHERE key = 'time_step'", expected = "time step of 1e-300";
  }
  SUBCASE("a frame every thousand years") {
    change = "UPDATE meta SET value = 2000000000 WHERE key = 'every'", expected = "cannot be recorded";
  }
  SUBCASE("a generated column, which filled the memory") {
    change =
        "DROP TABLE metric; CREATE TABLE metric(name TEXT PRIMARY KEY, json TEXT AS (hex(zeroblob(400000000)))) "
        "WITHOUT ROWID; INSERT INTO metric(name) VALUES ('a'), ('b')";
    expected = "no table 'metric'";
  }
  SUBCASE("one column more") { change = "ALTER TABLE event ADD COLUMN more TEXT", expected = "no table 'event'"; }
  SUBCASE("frames that cost nothing in the file") {
    change =
        "DELETE FROM chunk; WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3999) "
        "INSERT INTO chunk SELECT 4096 * i, 4096, x'00' FROM n";
    expected = "more than 16000000 frames";
  }
  SUBCASE("a radius that is none") { change = "UPDATE agent SET radius = 'wide'", expected = "makes no sense"; }
  record(path, random_crowd(3, 20, 30));
  CHECK(everything_wrong(path).empty());
  sql(path, change);
  const std::string wrong = everything_wrong(path);
  CHECK_MESSAGE(wrong.find(expected) != std::string::npos, wrong);
  CHECK(wrong.find("x.throng") != std::string::npos);
}

TEST_CASE("a recording that was cut or damaged anywhere is refused, or gives frames that were recorded") {
  const std::uint64_t seed = test_seed();
  INFO("THRONG_TEST_SEED=" << seed);
  Random random(seed);
  const TempDir folder;
  const std::vector<OwnedFrame> frames = random_crowd(3, 30, 40);
  record(folder / "whole.throng", frames);
  const std::string whole = read_file(folder / "whole.throng");
  int refused = 0;
  for (int i = 0; i < 400; ++i) {
    std::string bytes = whole;
    if (random.chance(0.3)) bytes.resize(random.below(bytes.size()));
    for (std::uint64_t k = 0; k < random.below(8) && !bytes.empty(); ++k)
      bytes[random.below(random.chance(0.3) ? std::min<std::size_t>(bytes.size(), 200) : bytes.size())] =
          char(random.below(256));
    write_file(folder / "x.throng", bytes);
    Result<Recording> recording = Recording::open((folder / "x.throng").string());
    if (!recording && ++refused) continue;
    Problems wrong;
    const std::vector<OwnedFrame> read = all_frames(*recording, &wrong);
    for (const OwnedFrame& frame : read) CHECK(frame.serial == frames[frame.number].serial);
    refused += !wrong.empty();
    (void)recording->agents();
    (void)recording->events();
    (void)recording->metrics();
  }
  CHECK(refused > 50);
  CHECK(refused < 400);
}
