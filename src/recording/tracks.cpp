#include "recording/tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <optional>

#include "recording/recorder.hpp"
#include "recording/sqlite.hpp"
#include "text/csv.hpp"

namespace throng::recording {

namespace {

using environment::to_number;
using environment::trimmed;

constexpr double most_frames = double(max_frames);

Problem wrong(const std::string& source, std::size_t line, std::string what) {
  return {Severity::error, ProblemCode::value, line > 0 ? fmt::format("{}:{}", source, line) : source, std::move(what)};
}

/// A frame or an id.
std::optional<std::uint64_t> whole(std::string_view text, double least, double most) {
  const std::optional<double> number = to_number(text);
  if (!number || *number < least || *number > most || *number != std::floor(*number)) return std::nullopt;
  return std::uint64_t(*number);
}

constexpr double largest_id = 9e15;  // whole in a double

/// In order, each person once a frame.
Result<Tracks> finished(Tracks tracks, const std::string& source) {
  if (tracks.rows.empty()) return wrong(source, 0, "holds no positions");
  const auto key = [](const TrackRow& row) { return std::pair(row.frame, row.id); };
  std::sort(tracks.rows.begin(), tracks.rows.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  for (std::size_t i = 1; i < tracks.rows.size(); ++i)
    if (key(tracks.rows[i]) == key(tracks.rows[i - 1]))
      return wrong(source, 0, fmt::format("person {} is twice in frame {}", tracks.rows[i].id, tracks.rows[i].frame));
  return tracks;
}

/// Which field of a line is what; none where the heading does not name it.
struct Columns {
  static constexpr std::size_t missing = ~std::size_t{0};
  std::size_t frame = missing, time = missing, id = missing, x = missing, y = missing, z = missing, layer = missing;
};

Result<Columns> columns_of(const environment::CsvTable& table, const std::string& source) {
  Columns columns;
  const std::pair<std::string_view, std::size_t*> known[] = {
      {"frame", &columns.frame}, {"time", &columns.time}, {"id", &columns.id},      {"x", &columns.x},
      {"y", &columns.y},         {"z", &columns.z},       {"layer", &columns.layer}};
  for (std::size_t i = 0; i < table.heading.size(); ++i)
    for (const auto& [name, column] : known)
      if (table.heading[i] == name) *column = i;
  Problems problems;
  for (const auto& [name, column] : known)
    if (*column == Columns::missing && name != "z" && name != "layer")
      problems.push_back(wrong(source, std::max<std::size_t>(1, table.heading_line),
                               fmt::format("the heading has no column \"{}\"", name)));
  if (!problems.empty()) return problems;
  return columns;
}

/// Numbers layers in the order they are met.
class LayerNumbers {
 public:
  explicit LayerNumbers(Tracks& tracks) : tracks_(tracks) {}

  std::uint32_t of(const std::string& name) {
    const auto [entry, is_new] = numbers_.try_emplace(name, std::uint32_t(tracks_.layers.size()));
    if (is_new) tracks_.layers.push_back(name);
    return entry->second;
  }

 private:
  Tracks& tracks_;
  std::map<std::string, std::uint32_t> numbers_;
};

/// Seconds a frame from the first and the last one; a single frame tells nothing and counts as a tenth of a second.
double frame_time_of(std::uint64_t first_frame, double first_time, std::uint64_t last_frame, double last_time) {
  return last_frame > first_frame ? (last_time - first_time) / double(last_frame - first_frame) : 0.1;
}

/// Words of a line, separated by blanks or tabs.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t at = 0;
  while ((at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

}  // namespace

Result<Tracks> parse_track_csv(std::string_view text, const std::string& source) {
  environment::ProblemList problems;
  const environment::CsvTable table = environment::parse_csv(text, source, problems);
  if (problems.has_errors()) return std::move(problems).finish(source);
  const Result<Columns> columns = columns_of(table, source);
  if (!columns) return columns.problems();
  Tracks tracks;
  LayerNumbers layers(tracks);
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max(), last = 0;
  double first_time = 0, last_time = 0;
  for (const environment::CsvRow& row : table.rows) {
    const auto number = [&](std::size_t column) { return to_number(row.fields[column]); };
    const auto frame = whole(row.fields[columns->frame], 0, most_frames);
    const auto id = whole(row.fields[columns->id], 1, largest_id);
    const auto time = number(columns->time), x = number(columns->x), y = number(columns->y);
    const auto z = columns->z == Columns::missing ? std::optional(0.0) : number(columns->z);
    if (!frame || !id || !time || !x || !y || !z) {
      problems.add(wrong(source, row.line, "frame, time, id, x, y (and z) must be numbers, frame from 0, id from 1"));
      continue;
    }
    if (*frame <= first) first = *frame, first_time = *time;
    if (*frame >= last) last = *frame, last_time = *time;
    const std::string layer = columns->layer == Columns::missing ? "ground" : row.fields[columns->layer];
    tracks.rows.push_back({*frame, *id, {*x, *y}, *z, layers.of(layer)});
  }
  if (problems.has_errors()) return std::move(problems).finish(source);
  if (tracks.layers.size() > max_names)
    return wrong(source, 0, fmt::format("{} layers, where at most {} can be", tracks.layers.size(), max_names));
  tracks.frame_time = frame_time_of(first, first_time, last, last_time);
  if (!tracks.rows.empty() && !(tracks.frame_time > 0))
    return wrong(source, 0, "time does not rise from the first frame to the last");
  return finished(std::move(tracks), source);
}

Result<Tracks> parse_petrack(std::string_view text, const std::string& source) {
  Tracks tracks;
  tracks.layers = {"ground"};
  environment::ProblemList problems;
  double rate = 0, scale = 1;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty()) continue;
    if (line.front() == '#') {
      for (const std::string_view unit : {"/cm", "in cm", "(cm"})
        if (line.find(unit) != std::string_view::npos) scale = 0.01;
      const std::size_t at = line.find("framerate:");
      if (at == std::string_view::npos) continue;
      const std::vector<std::string_view> words = words_of(line.substr(at + 10));
      rate = words.empty() ? 0 : to_number(words[0]).value_or(0);
      continue;
    }
    const std::vector<std::string_view> words = words_of(line);
    const auto value = [&](std::size_t i) { return i < words.size() ? to_number(words[i]) : std::nullopt; };
    const auto id = words.size() >= 4 ? whole(words[0], 1, largest_id) : std::nullopt;
    const auto frame = words.size() >= 4 ? whole(words[1], 0, most_frames) : std::nullopt;
    const auto x = value(2), y = value(3), z = words.size() > 4 ? value(4) : std::optional(0.0);
    if (!id || !frame || !x || !y || !z)
      problems.add(wrong(source, number, "a line is \"id frame x y [z]\", id from 1, frame from 0"));
    else
      tracks.rows.push_back({*frame, *id, {*x * scale, *y * scale}, *z * scale, 0});
  }
  if (!(rate > 0)) problems.add(wrong(source, 1, "no comment says the framerate: \"# framerate: 25\""));
  if (problems.has_errors()) return std::move(problems).finish(source);
  tracks.frame_time = 1 / rate;
  return finished(std::move(tracks), source);
}

Result<Tracks> read_jupedsim(const std::string& path) {
  Result<Database> opened = Database::open_to_read(path);
  if (!opened) return opened.problems();
  Database database = std::move(opened).value();
  using Columns = Database::Columns;
  if (!database.has_table("metadata", {"key", "value"}, Columns::among) ||
      !database.has_table("trajectory_data", {"frame", "id", "pos_x", "pos_y"}, Columns::among))
    return database.problem().value_or(
        wrong(path, 0, "has no tables 'metadata' and 'trajectory_data' with the columns of JuPedSim"));
  Tracks tracks;
  tracks.layers = {"ground"};
  double rate = 0;
  {
    Statement fps = database.prepare("SELECT CAST(value AS REAL) FROM metadata WHERE key = 'fps'");
    if (fps.next()) rate = fps.real(0);
    Statement rows = database.prepare("SELECT frame, id, pos_x, pos_y FROM trajectory_data");
    while (rows.next()) {
      const bool sound = rows.is_whole(0) && rows.is_whole(1) && rows.is_number(2) && rows.is_number(3) &&
                         std::isfinite(rows.real(2)) && std::isfinite(rows.real(3)) && rows.whole(0) >= 0 &&
                         double(rows.whole(0)) <= most_frames && rows.whole(1) >= 0 &&
                         double(rows.whole(1)) <= largest_id;
      if (!sound) return wrong(path, 0, "a row of trajectory_data is no frame, id and position");
      tracks.rows.push_back(
          {std::uint64_t(rows.whole(0)), std::uint64_t(rows.whole(1)), {rows.real(2), rows.real(3)}, 0, 0});
    }
  }
  if (database.problem()) return *database.problem();
  if (!(rate > 0 && std::isfinite(rate))) return wrong(path, 0, "its metadata do not say the frames a second (fps)");
  tracks.frame_time = 1 / rate;
  // JuPedSim counts people from 1, others from 0.
  const bool from_zero =
      std::any_of(tracks.rows.begin(), tracks.rows.end(), [](const TrackRow& row) { return row.id == 0; });
  if (from_zero)
    for (TrackRow& row : tracks.rows) ++row.id;
  return finished(std::move(tracks), path);
}

std::string track_csv_head() { return "frame,time,id,x,y,z,layer\n"; }

void append_track_csv(std::string& out, const TrackRow& row, double time, std::string_view layer) {
  fmt::format_to(std::back_inserter(out), "{},{:.10g},{},{:.3f},{:.3f},{:.3f},{}\n", row.frame, time, row.id,
                 row.position.x, row.position.y, row.height, environment::csv_field(layer));
}

std::string petrack_head(double frame_time) {
  return fmt::format("# framerate: {:.6g}\n# id frame x y z (metres)\n", 1 / frame_time);
}

void append_petrack(std::string& out, const TrackRow& row) {
  fmt::format_to(std::back_inserter(out), "{} {} {:.3f} {:.3f} {:.3f}\n", row.id, row.frame, row.position.x,
                 row.position.y, row.height);
}

}  // namespace throng::recording
