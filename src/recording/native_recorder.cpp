#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "recording/chunk.hpp"
#include "recording/native.hpp"
#include "recording/sink.hpp"
#include "recording/sqlite.hpp"

namespace throng::recording {
namespace {

constexpr double chunk_seconds = 1;

std::string schema() {
  return fmt::format(R"(
PRAGMA application_id = {};
PRAGMA user_version = {};
CREATE TABLE meta(key TEXT NOT NULL PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
CREATE TABLE environment(json TEXT NOT NULL);
CREATE TABLE scenario(json TEXT NOT NULL);
CREATE TABLE layer(number INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE population(number INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE profile(number INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE agent(serial INTEGER PRIMARY KEY, population INTEGER NOT NULL, profile INTEGER NOT NULL, "group" INTEGER,
                   radius REAL NOT NULL, appears REAL NOT NULL, leaves REAL);
CREATE TABLE chunk(first_frame INTEGER PRIMARY KEY, frames INTEGER NOT NULL, blob BLOB NOT NULL);
CREATE TABLE event(number INTEGER PRIMARY KEY, time REAL NOT NULL, kind TEXT NOT NULL, json TEXT NOT NULL);
CREATE TABLE metric(name TEXT NOT NULL PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;
)",
                     application_id, native_version);
}

void insert_text(Database& database, const char* table, std::string_view text) {
  Statement insert = database.prepare(fmt::format("INSERT INTO {} VALUES (?)", table));
  insert.bind(1, text);
  insert.run();
}

void insert_names(Database& database, const char* table, const std::vector<std::string>& names) {
  Statement insert = database.prepare(fmt::format("INSERT INTO {} VALUES (?, ?)", table));
  for (std::size_t i = 0; i < names.size(); ++i) {
    insert.bind(1, std::int64_t(i));
    insert.bind(2, std::string_view(names[i]));
    insert.run();
  }
}

void insert_meta(Database& database, const Meta& meta) {
  Statement insert = database.prepare("INSERT INTO meta VALUES (?, ?)");
  const auto put = [&](std::string_view key, auto value) {
    insert.bind(1, key);
    insert.bind(2, value);
    insert.run();
  };
  put("version", std::int64_t(native_version));
  put("program", std::string_view(meta.program));
  // As text, because SQLite's numbers end at 2^63.
  const std::string seed = fmt::format("{}", meta.seed);
  put("seed", std::string_view(seed));
  put("time_step", meta.time_step);
  put("every", std::int64_t(meta.every));
  put("unit", meta.unit);
  put("parameters", std::string_view(meta.parameters_json));
}

bool fill(Database& database, const Meta& meta) {
  database.execute("BEGIN;" + schema());
  insert_meta(database, meta);
  insert_text(database, "environment", meta.environment_json);
  insert_text(database, "scenario", meta.scenario_json);
  insert_names(database, "layer", meta.layers);
  insert_names(database, "population", meta.populations);
  insert_names(database, "profile", meta.profiles);
  return database.execute("COMMIT");
}

class NativeSink final : public Sink {
 public:
  NativeSink(std::string path, const Meta& meta, RecordingFile file)
      : path_(std::move(path)),
        layers_(meta.layers.size()),
        populations_(meta.populations.size()),
        profiles_(meta.profiles.size()),
        chunk_frames_(frames_of_chunk(meta)),
        file_(std::move(file)),
        insert_agent_(database().prepare("INSERT OR REPLACE INTO agent VALUES (?, ?, ?, ?, ?, ?, ?)")),
        insert_chunk_(database().prepare("INSERT INTO chunk VALUES (?, ?, ?)")),
        insert_event_(database().prepare("INSERT INTO event(time, kind, json) VALUES (?, ?, ?)")),
        insert_metric_(database().prepare("INSERT OR REPLACE INTO metric VALUES (?, ?)")) {}

  Problems agent(const AgentRow& row) override {
    if (const std::string wrong = wrong_with(row); !wrong.empty())
      return {problem(fmt::format("agent {}", row.serial), wrong)};
    begin();
    announced_.insert(row.serial);
    insert_agent_.bind(1, std::int64_t(row.serial));
    insert_agent_.bind(2, std::int64_t(row.population));
    insert_agent_.bind(3, std::int64_t(row.profile));
    row.group < 0 ? insert_agent_.bind_null(4) : insert_agent_.bind(4, row.group);
    insert_agent_.bind(5, row.radius);
    insert_agent_.bind(6, row.appears);
    std::isnan(row.leaves) ? insert_agent_.bind_null(7) : insert_agent_.bind(7, row.leaves);
    insert_agent_.run();
    return database().problems();
  }

  Problems frame(const Frame& frame) override {
    if (Problems wrong = check_frame(path_, frame, first_frame_ + encoder_.frames(), layers_); !wrong.empty())
      return wrong;
    if (frame.serial.size() > max_chunk_positions)
      return {problem(fmt::format("frame {}", frame.number), fmt::format("{} agents, where at most {} can be recorded",
                                                                         frame.serial.size(), max_chunk_positions))};
    if (!encoder_.has_room(frame.serial.size()))
      if (Problems wrong = write_chunk(); !wrong.empty()) return wrong;
    encoder_.add(frame);
    return encoder_.frames() >= chunk_frames_ ? write_chunk() : Problems{};
  }

  Problems event(double time, std::string_view kind, std::string_view json) override {
    if (!std::isfinite(time)) return {problem(fmt::format("event '{}'", kind), "its time is no number")};
    begin();
    insert_event_.bind(1, time);
    insert_event_.bind(2, kind);
    insert_event_.bind(3, json);
    insert_event_.run();
    return database().problems();
  }

  Problems metric(std::string_view name, std::string_view json) override {
    begin();
    insert_metric_.bind(1, name);
    insert_metric_.bind(2, json);
    insert_metric_.run();
    return database().problems();
  }

  Result<Written> close() override {
    Problems wrong = write_chunk();
    commit();
    if (wrong.empty() && database().number("SELECT coalesce(sum(frames), 0) FROM chunk") != std::int64_t(first_frame_))
      wrong = {problem("frames", "not all that were written are there: did another program write to it?")};
    if (database().problem()) wrong = database().problems();
    for (Statement* statement : {&insert_agent_, &insert_chunk_, &insert_event_, &insert_metric_}) *statement = {};
    const Result<std::uint64_t> bytes = file_.close();
    if (!wrong.empty()) return wrong;
    if (!bytes) return bytes.problems();
    return Written{first_frame_, *bytes};
  }

 private:
  static std::size_t frames_of_chunk(const Meta& meta) {
    const double frames = std::floor(chunk_seconds / meta.frame_time() + 0.5);
    return std::size_t(std::clamp(frames, 1.0, double(max_chunk_frames)));
  }

  [[nodiscard]] std::string wrong_with(const AgentRow& row) const {
    if (row.serial > max_serial) return "the serial is too large";
    if (row.population >= populations_) return fmt::format("population {} of {}", row.population, populations_);
    if (row.profile >= profiles_) return fmt::format("profile {} of {}", row.profile, profiles_);
    if (!std::isfinite(row.radius) || row.radius < 0) return fmt::format("{} is no radius", row.radius);
    if (!std::isfinite(row.appears) || std::isinf(row.leaves)) return "a time is no number";
    return {};
  }

  /// Ends the transaction: what is written here, all at once or not at all, can be read from now on.
  Problems write_chunk() {
    if (encoder_.frames() == 0) return {};
    for (const std::uint64_t serial : encoder_.serials())
      if (!announced_.contains(serial))
        return {problem(fmt::format("agent {}", serial), "is in a frame, but its row was never given")};
    begin();
    const std::size_t frames = encoder_.frames();
    const std::string blob = encoder_.finish();
    insert_chunk_.bind(1, std::int64_t(first_frame_));
    insert_chunk_.bind(2, std::int64_t(frames));
    insert_chunk_.bind_bytes(3, blob);
    insert_chunk_.run();
    commit();
    first_frame_ += frames;
    return database().problems();
  }

  void begin() {
    if (!std::exchange(in_transaction_, true)) database().execute("BEGIN");
  }
  void commit() {
    if (std::exchange(in_transaction_, false)) database().execute("COMMIT");
  }

  Database& database() { return file_.database(); }
  [[nodiscard]] Problem problem(const std::string& place, std::string message) const {
    return {Severity::error, ProblemCode::value, path_ + ": " + place, std::move(message)};
  }

  std::string path_;
  std::size_t layers_, populations_, profiles_, chunk_frames_;
  RecordingFile file_;
  Statement insert_agent_, insert_chunk_, insert_event_, insert_metric_;
  ChunkEncoder encoder_;
  std::unordered_set<std::uint64_t> announced_;  ///< looked up only
  std::uint64_t first_frame_ = 0;                ///< of the chunk being collected
  bool in_transaction_ = false;
};

}  // namespace

Result<std::unique_ptr<Recorder>> create_native(const std::string& path, const Meta& meta,
                                                const RecorderOptions& options) {
  if (Problems wrong = check_meta(path, meta); !wrong.empty()) return wrong;
  Result<RecordingFile> file = RecordingFile::create(path, [&](Database& database) { return fill(database, meta); });
  if (!file) return file.problems();
  return start_recorder(std::make_unique<NativeSink>(path, meta, std::move(*file)), options);
}

}  // namespace throng::recording
