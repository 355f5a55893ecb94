#include "environment/geojson/large_geojson.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "environment/geojson/geojson_reader.hpp"
#include "environment/geojson/in_order.hpp"

namespace throng::environment {
namespace {

constexpr std::string_view features_key = "features";
constexpr std::string_view part_head = "{\"type\":\"FeatureCollection\",\"features\":[";

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

/// Cuts a text between its features.
class PartCutter {
 public:
  PartCutter(std::FILE* file, std::string source, std::size_t part)
      : file_(file), source_(std::move(source)), part_(part), block_(1 << 20, '\0') {}

  /// The next features as a collection of their own; nothing at the end, or where failed() is true.
  std::optional<std::string> next() {
    while (!failed_ && !cut_) {
      if (at_ == got_ && !fill()) break;
      failed_ = !scan();
    }
    if (failed_) return std::nullopt;
    return std::exchange(cut_, std::nullopt);
  }

  [[nodiscard]] bool failed() const { return failed_; }
  /// As the text begins them; known with the first part.
  [[nodiscard]] const std::vector<Layer>& layers() const { return layers_; }

  /// Whether the text ended as it should; then what stands beside the features.
  [[nodiscard]] std::optional<std::string> beside() {
    if (failed_ || !saw_features_ || in_features_ || depth_ != 0 || in_string_) return std::nullopt;
    return std::move(beside_);
  }

 private:
  bool fill() {
    at_ = 0;
    got_ = std::fread(block_.data(), 1, block_.size(), file_);
    failed_ |= std::ferror(file_) != 0;
    return got_ > 0;
  }

  /// On to the end of the block, or of a part. False: give up.
  bool scan() {
    const std::string_view block = std::string_view(block_).substr(0, got_);
    std::size_t start = at_;  // of what was not copied yet
    for (std::size_t i = at_; i < block.size(); ++i) {
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
          end_part();
          in_features_ = false;
          beside_ += c;
          at_ = i + 1;
          return true;
        }
      } else if (c == ',' && in_features_ && depth_ == 2) {
        if (pending_.size() + (i - start) >= part_) {
          copy(block.substr(start, i - start));
          end_part();
          at_ = i + 1;
          return true;
        }
      } else if (c != ' ' && c != '\n' && c != '\r' && c != '\t' && c != ':') {
        after_key_ = false;
      }
    }
    copy(block.substr(start));
    at_ = got_;
    // What stands beside the features is small, or this is no collection.
    return beside_.size() < 16 * part_ + (1 << 20);
  }

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
    layers_ = head->layers;
    in_features_ = true;
    pending_ = part_head;
    return true;
  }

  void end_part() {
    pending_ += "]}";
    cut_ = std::exchange(pending_, std::string(part_head));
  }

  std::FILE* file_;
  std::string source_;
  std::size_t part_;
  std::string block_;  ///< of the file; read up to at_
  std::size_t at_ = 0, got_ = 0;
  std::optional<std::string> cut_;
  std::vector<Layer> layers_;
  std::string beside_;   ///< the text without its features
  std::string pending_;  ///< features that were not cut off yet
  std::string key_;      ///< the last string of the root object, as far as it matters
  std::size_t depth_ = 0;
  bool in_string_ = false, escaped_ = false, after_key_ = false;
  bool in_features_ = false, saw_features_ = false, failed_ = false;
};

bool same_layers(const std::vector<Layer>& one, const std::vector<Layer>& other) {
  return std::equal(one.begin(), one.end(), other.begin(), other.end(),
                    [](const Layer& a, const Layer& b) { return a.id == b.id && a.elevation == b.elevation; });
}

void append(std::vector<Feature>& features, std::vector<Feature> more) {
  for (Feature& feature : more) {
    feature.number = features.size();
    features.push_back(std::move(feature));
  }
}

}  // namespace

std::optional<Environment> read_large_geojson(const std::string& path) {
  return read_geojson_in_parts(path, geojson_part);
}

std::optional<Environment> read_geojson_in_parts(const std::string& path, std::size_t part) {
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) return std::nullopt;
  PartCutter cutter(file.get(), path, part);
  Environment environment;
  const auto next = [&] { return cutter.next(); };
  // The first part follows the layers, and no later one changes them.
  const auto read = [&](std::string text) { return read_geojson_part(std::move(text), path, cutter.layers()); };
  const auto take = [&](Result<Environment> made) {
    // A comma too many makes a part of none.
    if (!made || !made.problems().empty() || made->features.empty()) return false;
    append(environment.features, std::move(made->features));
    return true;
  };
  if (!work_in_order(next, read, take)) return std::nullopt;
  std::optional<std::string> beside = cutter.beside();
  if (!beside || environment.features.empty()) return std::nullopt;
  const Result<Environment> whole = read_geojson_beside(std::move(*beside), path);
  if (!whole || !whole.problems().empty() || !same_layers(whole->layers, cutter.layers())) return std::nullopt;
  environment.source = path;
  environment.layers = cutter.layers();
  environment.grid = whole->grid;
  environment.origin = whole->origin;
  return environment;
}

}  // namespace throng::environment
