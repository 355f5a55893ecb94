#include "environment/plain/wkt_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "environment/geojson/geojson_header.hpp"
#include "environment/shapes.hpp"
#include "text/nearest_name.hpp"
#include "text/problem_list.hpp"
#include "text/text_cursor.hpp"

namespace throng::environment {
namespace {

constexpr std::array<std::string_view, 7> type_names = {
    "POLYGON", "MULTIPOLYGON", "LINESTRING", "MULTILINESTRING", "GEOMETRYCOLLECTION", "POINT", "MULTIPOINT"};
constexpr int deepest_collection = 64;

std::string upper_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](unsigned char c) { return char(std::toupper(c)); });
  return out;
}

class WktReader {
 public:
  WktReader(std::string_view text, const std::string& source) : cursor_(text, source) {
    environment_.source = source;
    environment_.layers.push_back({std::string(default_layer_id), {}});
  }

  Result<Environment> read() {
    if (cursor_.at_end()) fail("the file is empty");
    while (!failed_ && !cursor_.at_end()) {
      if (!read_srid() || !read_geometry(0)) break;
      cursor_.take(';');
    }
    if (!problems_.has_errors() && environment_.features.empty())
      problems_.error(ProblemCode::geometry, cursor_.source(), "every geometry is EMPTY: there is nowhere to walk");
    return std::move(problems_).result(std::move(environment_), cursor_.source());
  }

 private:
  /// A syntax error: reading ends.
  bool fail(std::string message, ProblemCode code = ProblemCode::syntax) {
    return fail_at(cursor_.offset(), std::move(message), code);
  }

  bool fail_at(std::size_t offset, std::string message, ProblemCode code) {
    problems_.error(code, cursor_.place(offset) + fmt::format(": feature {}", number_), std::move(message));
    failed_ = true;
    return false;
  }

  bool want(char mark) {
    return cursor_.take(mark) || fail(fmt::format("'{}' is wanted here, not {}", mark, cursor_.next_token()));
  }

  bool read_srid() {
    if (cursor_.next_token() != "'SRID'" && cursor_.next_token() != "'srid'") return true;
    (void)cursor_.take_word();
    if (!want('=')) return false;
    const std::optional<std::size_t> srid = cursor_.take_count();
    if (!srid) return fail("SRID= wants a number, not " + cursor_.next_token());
    if (*srid == 4326)
      return fail("SRID 4326 counts degrees; coordinates are wanted in metres: project the file first",
                  ProblemCode::unsupported);
    return want(';');
  }

  bool read_geometry(int depth) {
    const std::size_t start = cursor_.offset();
    const std::string token = cursor_.next_token();
    const std::string name = upper_case(cursor_.take_word());
    const auto type = std::find(type_names.begin(), type_names.end(), name);
    if (type == type_names.end()) {
      if (name.empty()) return fail("the name of a geometry is wanted here, not " + token);
      return fail_at(start, "unknown geometry " + suggest(name, type_names), ProblemCode::schema);
    }
    if (name.ends_with("POINT"))
      return fail_at(start, fmt::format("{} is no place to walk and no wall: polygons and lines are wanted", name),
                     ProblemCode::unsupported);
    if (take_empty()) return true;
    if (name == "GEOMETRYCOLLECTION") return read_collection(depth);
    return read_feature(name, start);
  }

  /// Skips Z, M or ZM, and takes EMPTY.
  bool take_empty() {
    const std::string next = upper_case(cursor_.next_token());
    if (next == "'Z'" || next == "'M'" || next == "'ZM'") (void)cursor_.take_word();
    if (upper_case(cursor_.next_token()) != "'EMPTY'") return false;
    (void)cursor_.take_word();
    return true;
  }

  bool read_collection(int depth) {
    if (depth >= deepest_collection)
      return fail(fmt::format("nested deeper than {} levels", deepest_collection), ProblemCode::limit);
    return read_list([&] { return read_geometry(depth + 1); });
  }

  template <class ReadItem>
  bool read_list(ReadItem&& read_item) {
    if (!want('(')) return false;
    do {
      if (!read_item()) return false;
    } while (cursor_.take(','));
    return want(')');
  }

  bool read_feature(const std::string& type, std::size_t start) {
    Feature feature;
    feature.number = number_;
    feature.kind = type.ends_with("POLYGON") ? Kind::walkable : Kind::obstacle;
    const auto read_one = [&] {
      if (feature.kind == Kind::walkable) return read_polygon(feature);
      return read_line(feature);
    };
    const bool multi = type.starts_with("MULTI");
    if (!(multi ? read_list([&] { return take_empty() || read_one(); }) : read_one())) return false;
    ++number_;
    if (open_ring_)
      problems_.warning(ProblemCode::geometry, cursor_.place(start) + ": " + describe(feature),
                        "a ring does not end where it starts; it was closed");
    open_ring_ = false;
    const bool empty = feature.polygons.empty() && feature.lines.empty();
    if (!empty && !problems_.has_errors()) environment_.features.push_back(std::move(feature));
    return true;
  }

  bool read_polygon(Feature& feature) {
    Polygon polygon;
    bool first = true;
    const bool fine = read_list([&] {
      const std::size_t start = cursor_.offset();
      if (!read_points()) return false;
      ClosedRing closed;
      if (auto complaint = make_ring(points_, closed)) report(feature, start, *complaint);
      open_ring_ = open_ring_ || closed.was_open;
      if (std::exchange(first, false))
        polygon.outer = std::move(closed.ring);
      else
        polygon.holes.push_back(std::move(closed.ring));
      return true;
    });
    feature.polygons.push_back(std::move(polygon));
    return fine;
  }

  bool read_line(Feature& feature) {
    const std::size_t start = cursor_.offset();
    if (!read_points()) return false;
    Line line;
    if (auto complaint = make_line(points_, line)) report(feature, start, *complaint);
    feature.lines.push_back(std::move(line));
    return true;
  }

  bool read_points() {
    points_.clear();
    return read_list([&] { return read_point(); });
  }

  bool read_point() {
    double value[2] = {0, 0};
    const std::size_t start = cursor_.offset();
    for (double& coordinate : value) {
      const std::optional<double> number = cursor_.take_number();
      if (!number) return fail("a finite number is wanted here, not " + cursor_.next_token(), bad_number_code());
      coordinate = *number;
    }
    for (int more = 0; more < 2; ++more) (void)cursor_.take_number();
    for (const double coordinate : value) {
      const auto complaint = check_coordinate(coordinate);
      if (!complaint) continue;
      problems_.error(complaint->code, cursor_.place(start) + fmt::format(": feature {}", number_), complaint->message);
      return true;
    }
    points_.push_back({value[0], value[1]});
    return true;
  }

  /// "nan" and "1e999" are numbers that are no coordinates; anything else is no number.
  ProblemCode bad_number_code() {
    const std::string token = upper_case(cursor_.next_token());
    const bool numeric = token.find_first_of("0123456789") != std::string::npos || token.find("NAN") == 1 ||
                         token.find("INF") != std::string::npos;
    return numeric ? ProblemCode::value : ProblemCode::syntax;
  }

  void report(const Feature& feature, std::size_t offset, const Complaint& complaint) {
    std::string place = cursor_.place(offset) + ": " + describe(feature);
    if (complaint.at) place += " at " + to_string(*complaint.at);
    problems_.error(complaint.code, std::move(place), complaint.message);
  }

  TextCursor cursor_;
  ProblemList problems_;
  Environment environment_;
  std::size_t number_ = 0;
  std::vector<Vec2> points_;
  bool open_ring_ = false;
  bool failed_ = false;
};

}  // namespace

// A reader owns its text (formats.hpp), whether it keeps it or not.
// NOLINTNEXTLINE(performance-unnecessary-value-param)
Result<Environment> read_wkt(std::string text, const std::string& source) { return WktReader(text, source).read(); }

}  // namespace throng::environment
