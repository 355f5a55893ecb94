#include "recording/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <variant>

#include "environment/formats/formats.hpp"
#include "recording/native.hpp"
#include "recording/sink.hpp"

namespace throng::recording {
namespace {

using MetaValue = std::variant<std::monostate, std::int64_t, double, std::string>;

MetaValue value_of(const Statement& row, int column) {
  if (row.is_whole(column)) return row.whole(column);
  if (row.is_number(column)) return row.real(column);
  if (row.is_text(column)) return std::string(row.text(column));
  return {};
}

/// The rows of table `meta`, taken by name and type.
class MetaRows {
 public:
  explicit MetaRows(Database& database) {
    Statement rows = database.prepare("SELECT key, value FROM meta");
    while (rows.next()) values_[std::string(rows.text(0))] = value_of(rows, 1);
  }

  template <class Value>
  Value take(const std::string& key) {
    const MetaValue& value = values_[key];
    if (const auto* found = std::get_if<Value>(&value)) return *found;
    if constexpr (std::is_same_v<Value, double>)
      if (const auto* whole = std::get_if<std::int64_t>(&value)) return double(*whole);
    wrong_.push_back(key);
    return {};
  }

  std::uint64_t take_seed() {
    const auto text = take<std::string>("seed");
    std::uint64_t seed = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
    if (error != std::errc() || end != text.data() + text.size()) wrong_.emplace_back("seed");
    return seed;
  }

  [[nodiscard]] const std::vector<std::string>& wrong() const { return wrong_; }

 private:
  std::map<std::string, MetaValue> values_;
  std::vector<std::string> wrong_;
};

std::string only_text(Database& database, const char* table) {
  Statement rows = database.prepare(fmt::format("SELECT json FROM {} LIMIT 1", table));
  return rows.next() ? std::string(rows.text(0)) : std::string();
}

std::vector<std::string> names(Database& database, const char* table) {
  std::vector<std::string> result;
  Statement rows = database.prepare(fmt::format("SELECT name FROM {} ORDER BY number", table));
  while (rows.next()) result.emplace_back(rows.text(0));
  return result;
}

/// What the writer makes (native_recorder.cpp): a file whose tables are others is none of its.
const std::pair<const char*, std::vector<std::string>> tables[] = {
    {"meta", {"key", "value"}},
    {"environment", {"json"}},
    {"scenario", {"json"}},
    {"layer", {"number", "name"}},
    {"population", {"number", "name"}},
    {"profile", {"number", "name"}},
    {"agent", {"serial", "population", "profile", "group", "radius", "appears", "leaves"}},
    {"chunk", {"first_frame", "frames", "blob"}},
    {"event", {"number", "time", "kind", "json"}},
    {"metric", {"name", "json"}},
};

}  // namespace

Problem Recording::damaged(std::string message) const {
  return {Severity::error, ProblemCode::syntax, path_, std::move(message)};
}

Result<Recording> Recording::open(const std::string& path) {
  Recording recording;
  recording.path_ = path;
  Result<Database> database = Database::open_to_read(path);
  if (!database) return database.problems();
  recording.database_ = std::move(*database);
  // One transaction, so that all of this is of one moment where a writer is still at work. Not longer: it would keep the writer
  // from making one file of it.
  recording.database_.execute("BEGIN");
  for (const auto step : {&Recording::check_format, &Recording::read_meta, &Recording::read_chunk_places}) {
    Problems wrong = (recording.*step)();
    if (recording.database_.problem()) wrong = recording.database_.problems();
    if (!wrong.empty()) return wrong;
  }
  if (!recording.database_.execute("COMMIT")) return recording.database_.problems();
  return recording;
}

Problems Recording::check_format() {
  if (database_.number("PRAGMA application_id") != application_id)
    return {damaged("an SQLite file, but not a recording of Throng")};
  const std::optional<std::int64_t> version = database_.number("PRAGMA user_version");
  if (version != native_version)
    return {{Severity::error, ProblemCode::unsupported, path_,
             fmt::format("a recording of version {}, where this program reads version {}", version.value_or(0),
                         native_version)}};
  for (const auto& [table, columns] : tables)
    if (!database_.has_table(table, columns))
      return {damaged(fmt::format("there is no table '{}' with the columns of a recording", table))};
  return {};
}

Problems Recording::read_meta() {
  MetaRows rows(database_);
  meta_.program = rows.take<std::string>("program");
  meta_.seed = rows.take_seed();
  meta_.time_step = rows.take<double>("time_step");
  const auto every = rows.take<std::int64_t>("every");
  meta_.every = int(std::clamp<std::int64_t>(every, 0, std::numeric_limits<int>::max()));
  meta_.unit = rows.take<double>("unit");
  meta_.parameters_json = rows.take<std::string>("parameters");
  meta_.environment_json = only_text(database_, "environment");
  meta_.scenario_json = only_text(database_, "scenario");
  meta_.layers = names(database_, "layer");
  meta_.populations = names(database_, "population");
  meta_.profiles = names(database_, "profile");
  if (!rows.wrong().empty()) return {damaged(fmt::format("table 'meta' has no usable '{}'", rows.wrong().front()))};
  return check_meta(path_, meta_);
}

Result<environment::CleanEnvironment> Recording::environment() const {
  const Result<environment::Environment> source =
      environment::parse_environment("geojson", meta_.environment_json, path_);
  if (!source) return source.problems();
  Result<environment::CleanEnvironment> clean = environment::clean(*source);
  if (!clean) return clean.problems();
  const bool same = std::equal(clean->layers.begin(), clean->layers.end(), meta_.layers.begin(), meta_.layers.end(),
                               [](const auto& layer, const std::string& id) { return layer.layer.id == id; });
  if (!same) return damaged("its environment has other layers than its frames");
  return clean;
}

Problems Recording::read_chunk_places() {
  Statement rows = database_.prepare("SELECT first_frame, frames FROM chunk ORDER BY first_frame");
  while (rows.next()) {
    const std::int64_t first = rows.whole(0), frames = rows.whole(1);
    if (first < 0 || std::uint64_t(first) != frame_count_)
      return {damaged(fmt::format("a chunk begins at frame {}, where frame {} is due", first, frame_count_))};
    if (frames < 1 || std::uint64_t(frames) > max_chunk_frames)
      return {damaged(fmt::format("the chunk of frame {} says it has {} frames", first, frames))};
    if (frame_count_ + std::uint64_t(frames) > max_frames)
      return {damaged(fmt::format("it has more than {} frames", max_frames))};
    chunks_.push_back({frame_count_, std::uint64_t(frames)});
    frame_count_ += std::uint64_t(frames);
  }
  return {};
}

Problems Recording::load(const ChunkPlace& place) {
  if (chunk_.first_frame == place.first_frame && chunk_.frames() == place.frames) return {};
  Statement row = database_.prepare("SELECT blob FROM chunk WHERE first_frame = ?");
  row.bind(1, std::int64_t(place.first_frame));
  const bool found = row.next();
  if (database_.problem()) return database_.problems();
  const std::string source = fmt::format("{}: chunk of frame {}", path_, place.first_frame);
  if (!found || !row.is_bytes(0)) return {damaged(fmt::format("the chunk of frame {} is missing", place.first_frame))};
  Result<Chunk> chunk = decode_chunk(row.bytes(0), place.first_frame, meta_.layers.size(), source);
  if (!chunk) return chunk.problems();
  if (chunk->frames() != place.frames)
    return {{Severity::error, ProblemCode::syntax, source,
             fmt::format("{} frames, where the table says {}", chunk->frames(), place.frames)}};
  chunk_ = std::move(*chunk);
  return {};
}

Result<Frame> Recording::frame(std::uint64_t number) {
  if (number >= frame_count_)
    return Problem{Severity::error, ProblemCode::value, path_,
                   fmt::format("there is no frame {}: the recording has {}", number, frame_count_)};
  const auto after = std::upper_bound(chunks_.begin(), chunks_.end(), number,
                                      [](std::uint64_t n, const ChunkPlace& place) { return n < place.first_frame; });
  if (Problems wrong = load(*std::prev(after)); !wrong.empty()) return wrong;
  return chunk_.frame(number - chunk_.first_frame);
}

Problems Recording::each_frame(const std::function<bool(const Frame&)>& visit) {
  for (std::uint64_t number = 0; number < frame_count_; ++number) {
    const Result<Frame> next = frame(number);
    if (!next) return next.problems();
    if (!visit(*next)) break;
  }
  return {};
}

Result<std::vector<AgentRow>> Recording::agents() {
  std::vector<AgentRow> result;
  Statement rows = database_.prepare(
      R"(SELECT serial, population, profile, "group", radius, appears, leaves FROM agent ORDER BY serial)");
  while (rows.next()) {
    const std::int64_t serial = rows.whole(0), population = rows.whole(1), profile = rows.whole(2);
    const bool known = population >= 0 && std::uint64_t(population) < meta_.populations.size() && profile >= 0 &&
                       std::uint64_t(profile) < meta_.profiles.size();
    const bool measured = rows.is_number(4) && std::isfinite(rows.real(4)) && rows.real(4) >= 0 && rows.is_number(5) &&
                          std::isfinite(rows.real(5)) &&
                          (rows.is_null(6) || (rows.is_number(6) && std::isfinite(rows.real(6))));
    if (serial < 0 || !known || !measured) return damaged(fmt::format("the row of agent {} makes no sense", serial));
    AgentRow row{std::uint64_t(serial), std::uint32_t(population), std::uint32_t(profile)};
    if (!rows.is_null(3)) row.group = rows.whole(3);
    row.radius = rows.real(4);
    row.appears = rows.real(5);
    if (!rows.is_null(6)) row.leaves = rows.real(6);
    result.push_back(row);
  }
  if (database_.problem()) return *database_.problem();
  return result;
}

Result<std::vector<RecordedEvent>> Recording::events() {
  std::vector<RecordedEvent> result;
  Statement rows = database_.prepare("SELECT time, kind, json FROM event ORDER BY number");
  while (rows.next()) {
    if (!std::isfinite(rows.real(0))) return damaged("the time of an event is no number");
    result.push_back({rows.real(0), std::string(rows.text(1)), std::string(rows.text(2))});
  }
  if (database_.problem()) return *database_.problem();
  return result;
}

Result<std::vector<RecordedMetric>> Recording::metrics() {
  std::vector<RecordedMetric> result;
  Statement rows = database_.prepare("SELECT name, json FROM metric ORDER BY name");
  while (rows.next()) result.push_back({std::string(rows.text(0)), std::string(rows.text(1))});
  if (database_.problem()) return *database_.problem();
  return result;
}

}  // namespace throng::recording
