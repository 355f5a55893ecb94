#include "environment/large_geojson.hpp"

#include <cstdio>
#include <iterator>
#include <memory>
#include <string_view>
#include <utility>

#include "environment/geojson_reader.hpp"

namespace throng::environment {
namespace {

constexpr std::string_view features_key = "features";
constexpr std::string_view part_head = "{\"type\":\"FeatureCollection\",\"features\":[";

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Takes a text bit by bit and hands it to the reader part by part.
class PartReader {
 public:
  PartReader(std::string source, std::size_t part) : source_(std::move(source)), part_(part) {
    environment_.source = source_;
  }

  /// False: give up.
  bool take(std::string_view block) {
    std::size_t start = 0;  // of what was not copied yet
    for (std::size_t i = 0; i < block.size(); ++i) {
      const char c = block[i];
      if (in_string_) {
        take_in_string(c);
        continue;
      }
      if (c == '"') {
        in_string_ = true;
        key_.clear();
      } else if (c == '{' || c == '[') {
        ++depth_;
        if (c == '[' && depth_ == 2 && after_key_) {
          copy(block.substr(start, i + 1 - start));
          start = i + 1;
          if (!begin_features()) return false;
        }
        after_key_ = false;
      } else if (c == '}' || c == ']') {
        if (depth_-- == 0) return false;
        if (in_features_ && depth_ == 1) {
          copy(block.substr(start, i - start));
          start = i;
          if (!read_part()) return false;
          in_features_ = false;
        }
      } else if (c == ',' && in_features_ && depth_ == 2) {
        if (pending_.size() + (i - start) >= part_) {
          copy(block.substr(start, i - start));
          start = i + 1;
          if (!read_part()) return false;
        }
      } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t' && c != ':') {
        after_key_ = false;
      }
    }
    copy(block.substr(start));
    // What stands beside the features is small, or this is no collection.
    return beside_.size() < 16 * part_ + (1 << 20);
  }

  std::optional<Environment> finish() {
    if (!saw_features_ || in_features_ || depth_ != 0 || in_string_ || environment_.features.empty())
      return std::nullopt;
    const Result<Environment> whole = read_geojson_beside(std::move(beside_), source_);
    if (!whole || !whole.problems().empty() || !same_layers(*whole)) return std::nullopt;
    environment_.grid = whole->grid;
    environment_.origin = whole->origin;
    return std::move(environment_);
  }

 private:
  void take_in_string(char c) {
    if (escaped_) {
      escaped_ = false;
    } else if (c == '\\') {
      escaped_ = true;
    } else if (c == '"') {
      in_string_ = false;
      after_key_ = depth_ == 1 && key_ == features_key;
    }
    if (depth_ == 1 && in_string_ && key_.size() <= features_key.size()) key_ += c;
  }

  void copy(std::string_view text) { (in_features_ ? pending_ : beside_) += text; }

  /// The layers have to be known by now.
  bool begin_features() {
    if (std::exchange(saw_features_, true)) return false;
    const Result<Environment> head = read_geojson_beside(beside_ + "]}", source_);
    if (!head) return false;
    environment_.layers = head->layers;
    in_features_ = true;
    pending_ = part_head;
    return true;
  }

  bool read_part() {
    pending_ += "]}";
    Result<Environment> part =
        read_geojson_part(std::move(pending_), source_, environment_.layers, environment_.features.size());
    if (!part || !part.problems().empty()) return false;
    // A comma too many makes a part of none.
    if (part->features.empty()) return false;
    std::move(part->features.begin(), part->features.end(), std::back_inserter(environment_.features));
    pending_ = part_head;
    return true;
  }

  [[nodiscard]] bool same_layers(const Environment& whole) const {
    if (whole.layers.size() != environment_.layers.size()) return false;
    for (std::size_t i = 0; i < whole.layers.size(); ++i)
      if (whole.layers[i].id != environment_.layers[i].id ||
          !(whole.layers[i].elevation == environment_.layers[i].elevation))
        return false;
    return true;
  }

  std::string source_;
  std::size_t part_;
  std::string beside_;   ///< the text without its features
  std::string pending_;  ///< features that were not read yet
  std::string key_;      ///< the last string of the root object, as far as it matters
  std::size_t depth_ = 0;
  bool in_string_ = false, escaped_ = false, after_key_ = false;
  bool in_features_ = false, saw_features_ = false;
  Environment environment_;
};

}  // namespace

std::optional<Environment> read_large_geojson(const std::string& path) {
  return read_geojson_in_parts(path, geojson_part);
}

std::optional<Environment> read_geojson_in_parts(const std::string& path, std::size_t part) {
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) return std::nullopt;
  PartReader reader(path, part);
  std::string block(1 << 20, '\0');
  while (const std::size_t got = std::fread(block.data(), 1, block.size(), file.get()))
    if (!reader.take(std::string_view(block).substr(0, got))) return std::nullopt;
  if (std::ferror(file.get())) return std::nullopt;
  return reader.finish();
}

}  // namespace throng::environment
