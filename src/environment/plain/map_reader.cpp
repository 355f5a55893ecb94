#include "environment/plain/map_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "environment/geojson/geojson_header.hpp"
#include "environment/plain/cell_tracing.hpp"
#include "text/nearest_name.hpp"
#include "text/problem_list.hpp"
#include "text/text_cursor.hpp"

namespace throng::environment {
namespace {

constexpr std::string_view walkable_cells = ".GS";
constexpr std::string_view blocked_cells = "@OTW";

constexpr std::size_t most_corners = 5'000'000;

class MapReader {
 public:
  MapReader(std::string_view text, const std::string& source) : text_(text), source_(source) {}

  Result<Environment> read() {
    Environment environment;
    environment.source = source_;
    environment.layers.push_back({std::string(default_layer_id), {}});
    if (read_header() && read_rows()) add_features(environment);
    return std::move(problems_).result(std::move(environment), source_);
  }

 private:
  /// The next line, without its end; counts lines from 1.
  bool next_line(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const std::size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = end + 1;
    ++line_number_;
    return true;
  }

  bool fail(ProblemCode code, std::size_t column, std::string message) {
    problems_.error(code, fmt::format("{}:{}:{}", source_, line_number_, column), std::move(message));
    return false;
  }

  bool read_header() {
    std::string_view line;
    while (next_line(line)) {
      TextCursor cursor(line, source_);
      const std::string_view word = cursor.take_word();
      if (word == "map" && cursor.at_end()) return check_size();
      if (word == "type") {
        if (cursor.take_word() != "octile")
          return fail(ProblemCode::unsupported, 6, "only maps of type octile are read");
      } else if (word == "height" || word == "width") {
        const std::optional<std::size_t> size = cursor.take_count();
        if (!size || *size == 0 || !cursor.at_end())
          return fail(ProblemCode::value, word.size() + 2, fmt::format("{} wants a whole number above 0", word));
        (word == "height" ? height_ : width_) = *size;
      } else {
        constexpr std::string_view known[] = {"type", "height", "width", "map"};
        return fail(ProblemCode::syntax, 1, "unknown line of the header: " + suggest(word, known));
      }
    }
    ++line_number_;
    return fail(ProblemCode::syntax, 1, "the file ends before the line \"map\"");
  }

  bool check_size() {
    if (height_ == 0) return fail(ProblemCode::schema, 1, "the header does not give the height");
    if (width_ == 0) return fail(ProblemCode::schema, 1, "the header does not give the width");
    // Checked before any memory is asked for.
    const std::size_t left = text_.size() - std::min(at_, text_.size());
    if (width_ <= left && height_ <= left && width_ * height_ <= left) return true;
    return fail(ProblemCode::syntax, 1,
                fmt::format("the file ends early: {} rows of {} cells are announced", height_, width_));
  }

  bool read_rows() {
    walkable_.reserve(width_ * height_);
    std::string_view line;
    for (std::size_t y = 0; y < height_; ++y) {
      if (!next_line(line)) {
        ++line_number_;
        return fail(ProblemCode::syntax, 1, fmt::format("the file ends early: row {} of {} is missing", y, height_));
      }
      read_row(line);
    }
    while (next_line(line))
      if (!line.empty()) return fail(ProblemCode::syntax, 1, fmt::format("text follows the last of {} rows", height_));
    return !problems_.has_errors();
  }

  void read_row(std::string_view line) {
    if (line.size() != width_)
      fail(ProblemCode::syntax, std::min(line.size(), width_) + 1,
           fmt::format("a row of {} cells; the header says {}", line.size(), width_));
    for (std::size_t x = 0; x < line.size() && x < width_; ++x) {
      const bool walkable = walkable_cells.find(line[x]) != std::string_view::npos;
      if (!walkable && blocked_cells.find(line[x]) == std::string_view::npos)
        fail(ProblemCode::value, x + 1,
             fmt::format("unknown cell {}: known are . G S (walkable), @ O T W (not)", in_quotes(line.substr(x, 1))));
      walkable_.push_back(walkable);
    }
  }

  void add_features(Environment& environment) {
    // A map of single cells takes some hundred times its own size as polygons.
    if (const std::size_t corners = count_corners(walkable_, width_, height_); corners > most_corners)
      return problems_.error(ProblemCode::limit, source_,
                             fmt::format("the cells have {} corners; at most {} are possible", corners, most_corners));
    for (Polygon& polygon : trace_cells(walkable_, width_, height_)) {
      Feature feature;
      feature.kind = Kind::walkable;
      feature.number = environment.features.size();
      feature.polygons.push_back(std::move(polygon));
      environment.features.push_back(std::move(feature));
    }
    if (environment.features.empty())
      problems_.error(ProblemCode::geometry, source_, "no cell is walkable: there is nowhere to walk");
  }

  std::string_view text_;
  const std::string& source_;
  ProblemList problems_;
  std::size_t at_ = 0;
  std::size_t line_number_ = 0;
  std::size_t height_ = 0;
  std::size_t width_ = 0;
  std::vector<bool> walkable_;
};

}  // namespace

// A reader owns its text (formats.hpp), whether it keeps it or not.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Result<Environment> read_map(std::string text, const std::string& source) { return MapReader(text, source).read(); }

}  // namespace throng::environment
