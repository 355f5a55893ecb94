#include "environment/geojson/geojson_coordinates.hpp"

#include <fmt/format.h>

#include "text/nearest_name.hpp"

namespace throng::environment {
namespace {

constexpr int deepest_geometry = 4;

class CoordinatesReader {
 public:
  CoordinatesReader(JsonInput& input, Coordinates& out, std::vector<PlacedComplaint>& complaints)
      : input_(input), out_(out), complaints_(complaints) {}

  bool read(JsonValue value, int depth) {
    const std::size_t offset = input_.offset_of(value);
    if (JsonInput::type_of(value) != JsonType::array)
      return complain(offset, ProblemCode::schema, fmt::format("coordinates want an array here, not {}", found(value)));
    if (depth > deepest_geometry) return complain(offset, ProblemCode::schema, "coordinates are nested too deep");
    Position position;
    std::size_t count = 0;
    const bool fine = input_.elements(value, [&](JsonValue element) {
      const bool nested = JsonInput::type_of(element) == JsonType::array;
      if (count++ == 0) position.expected = !nested;
      if (!position.expected) return read(element, depth + 1);
      return read_number(element, position);
    });
    if (!fine) return false;
    if (count == 0) return complain(offset, ProblemCode::geometry, "empty coordinates");
    if (position.expected) return finish_position(offset, depth, position);
    finish_list(depth);
    return true;
  }

 private:
  struct Position {
    bool expected = false;
    bool good = true;
    std::size_t numbers = 0;
    double value[2] = {0, 0};
  };

  bool complain(std::size_t offset, ProblemCode code, std::string message) {
    return complain(offset, {code, std::move(message), {}});
  }

  /// More than anyone reads is dropped here: a hostile file could otherwise ask for many times its own size.
  bool complain(std::size_t offset, Complaint complaint) {
    if (complaints_.size() <= ProblemList::cap) complaints_.push_back({offset, std::move(complaint)});
    return true;
  }

  static std::string found(JsonValue& value) {
    const JsonType type = JsonInput::type_of(value);
    if (type != JsonType::broken) return std::string(name_of(type));
    return in_quotes(JsonInput::token_of(value));
  }

  bool read_number(JsonValue& element, Position& position) {
    const std::optional<double> number = JsonInput::number(element);
    const std::size_t index = position.numbers++;
    if (!number) {
      position.good = false;
      const JsonType type = JsonInput::type_of(element);
      const bool numeric = type == JsonType::number || type == JsonType::broken;
      return complain(input_.offset_of(element), numeric ? ProblemCode::value : ProblemCode::schema,
                      fmt::format("a coordinate has to be a finite number, not {}",
                                  numeric ? in_quotes(JsonInput::token_of(element)) : found(element)));
    }
    if (index >= 2) return true;
    position.value[index] = *number;
    if (const auto complaint = check_coordinate(*number)) {
      position.good = false;
      return complain(input_.offset_of(element), *complaint);
    }
    return true;
  }

  bool finish_position(std::size_t offset, int depth, const Position& position) {
    if (!position.good) return true;
    if (position.numbers < 2) return complain(offset, ProblemCode::schema, "a position wants two numbers, x and y");
    if (out_.depth == 0) out_.depth = depth;
    if (out_.depth != depth) return complain(offset, ProblemCode::schema, "positions are nested at different depths");
    out_.points.push_back({position.value[0], position.value[1]});
    return true;
  }

  void finish_list(int depth) {
    if (depth == out_.depth - 1) out_.ring_ends.push_back(out_.points.size());
    if (depth == out_.depth - 2) out_.polygon_ends.push_back(out_.ring_ends.size());
  }

  JsonInput& input_;
  Coordinates& out_;
  std::vector<PlacedComplaint>& complaints_;
};

}  // namespace

void Coordinates::clear() {
  points.clear();
  ring_ends.clear();
  polygon_ends.clear();
  depth = 0;
}

bool read_coordinates(JsonInput& input, JsonValue value, Coordinates& out, std::vector<PlacedComplaint>& complaints) {
  out.clear();
  return CoordinatesReader(input, out, complaints).read(value, 1);
}

}  // namespace throng::environment
