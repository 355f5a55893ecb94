#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>

#include "environment/formats/formats.hpp"
#include "recording/jupedsim.hpp"
#include "recording/sink.hpp"
#include "recording/sqlite.hpp"
#include "text/fnv1a.hpp"

namespace throng::recording {
namespace {

// Version 2 of JuPedSim's own files has columns for where people face; its readers ask for them, though version 3 dropped them. We
// do not record that, so they are computed: they take no room, and `PRAGMA table_info` does not list them.
constexpr const char* schema = R"(
CREATE TABLE trajectory_data(frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT NULL,
                             ori_x REAL GENERATED ALWAYS AS (1.0) VIRTUAL, ori_y REAL GENERATED ALWAYS AS (0.0) VIRTUAL);
CREATE INDEX frame_id_idx ON trajectory_data(frame, id);
CREATE TABLE metadata(key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry(hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
CREATE TABLE frame_data(frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
)";

struct Bounds {
  Vec2 low, high;
};

/// Of the walkable area: JuPedSim's readers ask for them.
Result<Bounds> bounds_of(const std::string& wkt, const std::string& source) {
  const Result<environment::Environment> area = environment::parse_environment("wkt", wkt, source);
  if (!area) return area.problems();
  std::vector<Vec2> points;
  for (const environment::Feature& feature : area->features)
    for (const environment::Polygon& polygon : feature.polygons)
      points.insert(points.end(), polygon.outer.begin(), polygon.outer.end());
  if (points.empty()) return Problem{Severity::error, ProblemCode::value, source, "there is no walkable area"};
  Bounds bounds{points.front(), points.front()};
  for (const Vec2 p : points) {
    bounds.low = {std::min(bounds.low.x, p.x), std::min(bounds.low.y, p.y)};
    bounds.high = {std::max(bounds.high.x, p.x), std::max(bounds.high.y, p.y)};
  }
  return bounds;
}

std::int64_t hash_of(std::string_view wkt) { return std::int64_t(geometry::Fnv1a().add(wkt).value()); }

bool fill(Database& database, const std::string& wkt, const Bounds& bounds, double frames_per_second) {
  database.execute(std::string("BEGIN;") + schema);
  const std::string metadata = fmt::format(
      "INSERT INTO metadata VALUES ('version', '2'), ('fps', '{}'), ('xmin', '{}'), ('ymin', '{}'), ('xmax', '{}'), "
      "('ymax', '{}')",
      frames_per_second, bounds.low.x, bounds.low.y, bounds.high.x, bounds.high.y);
  database.execute(metadata);
  Statement geometry = database.prepare("INSERT INTO geometry VALUES (?, ?)");
  geometry.bind(1, hash_of(wkt));
  geometry.bind(2, std::string_view(wkt));
  geometry.run();
  return database.execute("COMMIT");
}

/// The file of one layer.
class LayerFile {
 public:
  LayerFile(RecordingFile file, const std::string& wkt)
      : hash_(hash_of(wkt)),
        file_(std::move(file)),
        insert_position_(file_.database().prepare("INSERT INTO trajectory_data VALUES (?, ?, ?, ?)")),
        insert_frame_(file_.database().prepare("INSERT INTO frame_data VALUES (?, ?)")) {}

  Problems frame(const Frame& frame, std::uint32_t layer) {
    if (!std::exchange(in_transaction_, true)) file_.database().execute("BEGIN");
    insert_position_.bind(1, std::int64_t(frame.number));
    for (std::size_t i = 0; i < frame.serial.size(); ++i) {
      if (frame.layer[i] != layer) continue;
      insert_position_.bind(2, std::int64_t(frame.serial[i]));
      insert_position_.bind(3, frame.position[i].x);
      insert_position_.bind(4, frame.position[i].y);
      insert_position_.run();
    }
    insert_frame_.bind(1, std::int64_t(frame.number));
    insert_frame_.bind(2, hash_);
    insert_frame_.run();
    return file_.database().problems();
  }

  Problems commit() {
    if (std::exchange(in_transaction_, false)) file_.database().execute("COMMIT");
    return file_.database().problems();
  }

  Result<std::uint64_t> close() {
    const Problems wrong = commit();
    insert_position_ = {};
    insert_frame_ = {};
    const Result<std::uint64_t> bytes = file_.close();
    return wrong.empty() ? bytes : Result<std::uint64_t>(wrong);
  }

 private:
  std::int64_t hash_;
  RecordingFile file_;
  Statement insert_position_, insert_frame_;
  bool in_transaction_ = false;
};

class JupedsimSink final : public Sink {
 public:
  JupedsimSink(std::string path, const Meta& meta, std::vector<LayerFile> files)
      : path_(std::move(path)), frame_time_(meta.frame_time()), files_(std::move(files)) {}

  Problems agent(const AgentRow&) override { return {}; }
  Problems event(double, std::string_view, std::string_view) override { return {}; }
  Problems metric(std::string_view, std::string_view) override { return {}; }

  Problems frame(const Frame& frame) override {
    if (Problems wrong = check_frame(path_, frame, frames_, files_.size()); !wrong.empty()) return wrong;
    // About a second to a transaction, as in native files.
    ++frames_;
    const bool commit = double(++uncommitted_) * frame_time_ >= 1;
    if (commit) uncommitted_ = 0;
    for (std::uint32_t layer = 0; layer < files_.size(); ++layer) {
      if (Problems wrong = files_[layer].frame(frame, layer); !wrong.empty()) return wrong;
      if (!commit) continue;
      if (Problems wrong = files_[layer].commit(); !wrong.empty()) return wrong;
    }
    return {};
  }

  Result<Written> close() override {
    Written written{frames_, 0};
    Problems wrong;
    for (LayerFile& file : files_) {
      const Result<std::uint64_t> bytes = file.close();
      if (bytes) written.bytes += *bytes;
      wrong.insert(wrong.end(), bytes.problems().begin(), bytes.problems().end());
    }
    return wrong.empty() ? Result<Written>(written) : Result<Written>(wrong);
  }

 private:
  std::string path_;
  double frame_time_;
  std::vector<LayerFile> files_;
  std::uint64_t frames_ = 0, uncommitted_ = 0;
};

Problem refused(const std::string& path, std::string message) {
  return {Severity::error, ProblemCode::value, path, std::move(message)};
}

/// Where each layer goes; two must not go to the same file.
Result<std::vector<std::string>> paths_of_layers(const std::string& path, const std::vector<std::string>& layers) {
  if (layers.size() == 1) return std::vector<std::string>{path};
  std::vector<std::string> paths;
  for (const std::string& layer : layers) paths.push_back(layer_path(path, layer));
  if (std::set<std::string>(paths.begin(), paths.end()).size() != paths.size())
    return refused(path, "two layers would be written to the same file: their names differ in signs only");
  return paths;
}

}  // namespace

Result<std::vector<std::string>> layer_wkts(const environment::CleanEnvironment& environment) {
  std::vector<std::string> texts;
  for (const environment::CleanLayer& layer : environment.layers) {
    environment::WriteOptions options;
    options.layer = layer.layer.id;
    Result<std::string> text = environment::write_environment("wkt", environment, options);
    if (!text) return text.problems();
    texts.push_back(std::move(*text));
  }
  return texts;
}

std::string layer_path(const std::string& path, const std::string& layer) {
  std::string name = layer;
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9');
    if (!letter && c != '-' && c != '_' && byte < 0x80) c = '_';
  }
  std::filesystem::path result(path);
  const std::string ending = result.has_extension() ? result.extension().string() : ".sqlite";
  return result.replace_extension().string() + "." + name + ending;
}

Result<std::unique_ptr<Recorder>> create_jupedsim(const std::string& path, const Meta& meta,
                                                  const std::vector<std::string>& layer_wkt,
                                                  const RecorderOptions& options) {
  if (Problems wrong = check_meta(path, meta); !wrong.empty()) return wrong;
  if (layer_wkt.size() != meta.layers.size())
    return refused(path, fmt::format("{} layers, but walkable areas of {}", meta.layers.size(), layer_wkt.size()));
  const Result<std::vector<std::string>> paths = paths_of_layers(path, meta.layers);
  if (!paths) return paths.problems();
  std::vector<Bounds> bounds;
  for (std::size_t i = 0; i < layer_wkt.size(); ++i) {
    const Result<Bounds> box = bounds_of(layer_wkt[i], fmt::format("walkable area of layer '{}'", meta.layers[i]));
    if (!box) return box.problems();
    bounds.push_back(*box);
  }
  std::vector<LayerFile> files;
  for (std::size_t i = 0; i < layer_wkt.size(); ++i) {
    const auto content = [&](Database& database) {
      return fill(database, layer_wkt[i], bounds[i], 1 / meta.frame_time());
    };
    // Its readers know no mark for a file that is not whole.
    Result<RecordingFile> file = RecordingFile::create((*paths)[i], content, Named::when_whole);
    if (!file) return file.problems();
    files.emplace_back(std::move(*file), layer_wkt[i]);
  }
  return start_recorder(std::make_unique<JupedsimSink>(path, meta, std::move(files)), options);
}

}  // namespace throng::recording
