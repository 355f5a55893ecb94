#include "environment/geojson/geojson_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "environment/shapes.hpp"
#include "text/nearest_name.hpp"

namespace throng::environment {
namespace {

constexpr std::array<std::string_view, 4> header_members = {"version", "layers", "grid", "origin"};
constexpr std::array<std::string_view, 2> layer_members = {"id", "elevation"};
constexpr std::array<std::string_view, 2> elevation_members = {"ramp", "stairs"};
constexpr std::array<std::string_view, 2> grid_members = {"unit", "origin"};

class HeaderReader {
 public:
  HeaderReader(JsonInput& input, Environment& environment) : input_(input), environment_(environment) {}

  bool read() {
    const bool fine = input_.root_members([&](std::string_view key, JsonValue value) {
      if (key == "throng") return read_throng(value);
      if (key == "crs") return read_crs(value);
      return true;  // the second pass reads and checks the rest
    });
    if (fine && environment_.layers.empty()) environment_.layers.push_back({std::string(default_layer_id), {}});
    return fine;
  }

 private:
  bool complain(JsonValue& value, ProblemCode code, std::string message) {
    input_.error(code, input_.offset_of(value), std::move(message));
    return true;
  }

  bool wanted(JsonValue& value, JsonType type, std::string_view what) {
    if (JsonInput::type_of(value) == type) return true;
    complain(value, ProblemCode::schema,
             fmt::format("{} wants {}, not {}", what, name_of(type), name_of(JsonInput::type_of(value))));
    return false;
  }

  bool unknown(JsonValue& value, std::string_view key, std::string_view where,
               std::span<const std::string_view> known) {
    return complain(value, ProblemCode::schema, fmt::format("unknown member of {}: {}", where, suggest(key, known)));
  }

  bool read_throng(JsonValue value) {
    if (!wanted(value, JsonType::object, "the member \"throng\"")) return true;
    bool versioned = false;
    const bool fine = input_.members(value, [&](std::string_view key, JsonValue member) {
      if (key == "version") return versioned = true, read_version(member);
      if (key == "layers") return read_layers(member);
      if (key == "grid") return read_grid(member);
      if (key == "origin") return read_origin(member);
      return unknown(member, key, "\"throng\"", header_members);
    });
    if (fine && !versioned) complain(value, ProblemCode::schema, "\"throng\" wants a \"version\" (1)");
    return fine;
  }

  bool read_version(JsonValue value) {
    if (!wanted(value, JsonType::number, "\"version\"")) return true;
    const std::optional<double> version = JsonInput::number(value);
    if (version && *version == 1) return true;
    return complain(value, ProblemCode::unsupported,
                    fmt::format("version {} is not available; this program reads version 1",
                                in_quotes(JsonInput::token_of(value))));
  }

  bool read_layers(JsonValue value) {
    if (!wanted(value, JsonType::array, "\"layers\"")) return true;
    const bool fine = input_.elements(value, [&](JsonValue element) { return read_layer(element); });
    if (fine && environment_.layers.empty()) complain(value, ProblemCode::schema, "\"layers\" is empty");
    return fine;
  }

  bool read_layer(JsonValue value) {
    Layer layer;
    bool identified = false;
    const std::size_t number = environment_.layers.size();
    if (!wanted(value, JsonType::object, fmt::format("layer {}", number))) return true;
    const bool fine = input_.members(value, [&](std::string_view key, JsonValue member) {
      if (key == "id") return identified = true, read_layer_id(member, layer);
      if (key == "elevation") return read_elevation(member, layer.elevation);
      return unknown(member, key, fmt::format("layer {}", number), layer_members);
    });
    if (!fine) return false;
    if (!identified) complain(value, ProblemCode::schema, fmt::format("layer {} wants an \"id\"", number));
    environment_.layers.push_back(std::move(layer));
    return true;
  }

  bool read_layer_id(JsonValue value, Layer& layer) {
    if (!wanted(value, JsonType::string, "a layer's \"id\"")) return true;
    const std::size_t offset = input_.offset_of(value);
    if (!input_.get(value, layer.id)) return false;
    if (layer.id.empty()) input_.error(ProblemCode::value, offset, "a layer's \"id\" may not be empty");
    const bool known = std::any_of(environment_.layers.begin(), environment_.layers.end(),
                                   [&](const Layer& other) { return other.id == layer.id; });
    if (known) input_.error(ProblemCode::value, offset, fmt::format("duplicate layer {}", in_quotes(layer.id)));
    return true;
  }

  bool read_elevation(JsonValue value, Elevation& elevation) {
    const JsonType type = JsonInput::type_of(value);
    if (type == JsonType::number) return read_metres(value, elevation.z);
    if (type != JsonType::object)
      return complain(value, ProblemCode::schema,
                      fmt::format("\"elevation\" wants a number or {{\"ramp\": …}}, not {}", name_of(type)));
    const bool fine = input_.members(value, [&](std::string_view key, JsonValue member) {
      if (key == "ramp") return read_ramp(member, elevation);
      if (key != "stairs") return unknown(member, key, "\"elevation\"", elevation_members);
      return wanted(member, JsonType::boolean, "\"stairs\"") ? input_.get(member, elevation.stairs) : true;
    });
    if (fine && !elevation.ramp) complain(value, ProblemCode::schema, "\"elevation\" wants a \"ramp\" of two points");
    return fine;
  }

  bool read_ramp(JsonValue value, Elevation& elevation) {
    elevation.ramp = true;
    std::vector<double> numbers;
    if (!read_numbers(value, 2, numbers)) return false;
    if (numbers.size() != 6)
      return complain(value, ProblemCode::schema, "\"ramp\" wants two points of three numbers: [[x,y,z],[x,y,z]]");
    for (const double number : numbers)
      if (const auto complaint = check_coordinate(number)) return complain(value, complaint->code, complaint->message);
    elevation.from = {numbers[0], numbers[1]}, elevation.z_from = numbers[2];
    elevation.to = {numbers[3], numbers[4]}, elevation.z_to = numbers[5];
    if (squared_length(elevation.to - elevation.from) == 0)
      return complain(value, ProblemCode::geometry, "\"ramp\" goes nowhere: its two points are the same in the plane");
    return true;
  }

  /// The numbers of arrays nested `depth` deep; left empty where the shape is another or a value no number.
  bool read_numbers(JsonValue value, int depth, std::vector<double>& out) {
    bool well_shaped = true;
    const bool fine = collect(value, depth, well_shaped, out);
    if (!well_shaped) out.clear();
    return fine;
  }

  bool collect(JsonValue value, int depth, bool& well_shaped, std::vector<double>& out) {
    if (depth > 0 && JsonInput::type_of(value) == JsonType::array) {
      const std::size_t before = out.size();
      if (!input_.elements(value, [&](JsonValue element) { return collect(element, depth - 1, well_shaped, out); }))
        return false;
      // Only [[x,y,z],[x,y,z]] and [x,y] are asked for.
      if (depth == 1) well_shaped = well_shaped && out.size() - before <= 3;
      return true;
    }
    const std::optional<double> number = depth == 0 ? JsonInput::number(value) : std::nullopt;
    if (number && out.size() < 7) out.push_back(*number);
    well_shaped = well_shaped && number;
    return true;
  }

  bool read_metres(JsonValue value, double& out) {
    const std::optional<double> number = JsonInput::number(value);
    if (!number) return complain(value, ProblemCode::value, "this is not a finite number");
    if (const auto complaint = check_coordinate(*number)) return complain(value, complaint->code, complaint->message);
    out = *number;
    return true;
  }

  bool read_grid(JsonValue value) {
    if (!wanted(value, JsonType::object, "\"grid\"")) return true;
    std::optional<double> unit;
    std::vector<double> origin;
    const bool fine = input_.members(value, [&](std::string_view key, JsonValue member) {
      if (key == "unit") return unit = JsonInput::number(member), true;
      if (key == "origin") return read_numbers(member, 1, origin);
      return unknown(member, key, "\"grid\"", grid_members);
    });
    if (!fine) return false;
    if (!unit || !(*unit >= 1e-9) || *unit > max_metres)
      return complain(value, ProblemCode::value, "\"grid\" wants a \"unit\": a number of metres above 1e-9");
    const bool whole =
        std::all_of(origin.begin(), origin.end(), [](double v) { return std::abs(v) <= 4e15 && v == std::floor(v); });
    if (origin.size() != 2 || !whole)
      return complain(value, ProblemCode::value, "\"grid\" wants an \"origin\": two whole numbers of units");
    environment_.grid = geometry::SnapGrid(*unit, std::int64_t(origin[0]), std::int64_t(origin[1]));
    return true;
  }

  bool read_origin(JsonValue value) {
    std::vector<double> degrees;
    if (JsonInput::type_of(value) == JsonType::array && !read_numbers(value, 1, degrees)) return false;
    if (degrees.size() != 2 || std::abs(degrees[0]) > 180 || std::abs(degrees[1]) > 90)
      return complain(value, ProblemCode::value, "\"origin\" wants the degrees of (0, 0): [longitude, latitude]");
    environment_.origin = GeoOrigin{degrees[0], degrees[1]};
    return true;
  }

  /// RFC 7946 dropped "crs", older files have it: {"type": "name", "properties": {"name": "urn:ogc:def:crs:OGC:1.3:CRS84"}}.
  bool read_crs(JsonValue value) {
    if (JsonInput::type_of(value) != JsonType::object) return true;
    return input_.members(value, [&](std::string_view key, JsonValue properties) {
      if (key != "properties" || JsonInput::type_of(properties) != JsonType::object) return true;
      return input_.members(properties, [&](std::string_view name, JsonValue member) {
        return name == "name" && JsonInput::type_of(member) == JsonType::string ? check_crs_name(member) : true;
      });
    });
  }

  bool check_crs_name(JsonValue value) {
    const std::size_t offset = input_.offset_of(value);
    std::string name;
    if (!input_.get(value, name)) return false;
    const bool degrees = name.find("CRS84") != std::string::npos || name.ends_with("4326");
    if (degrees)
      input_.error(
          ProblemCode::unsupported, offset,
          fmt::format("{} counts degrees; coordinates are wanted in metres: project the file first", in_quotes(name)));
    return true;
  }

  JsonInput& input_;
  Environment& environment_;
};

}  // namespace

bool read_header(JsonInput& input, Environment& environment) { return HeaderReader(input, environment).read(); }

}  // namespace throng::environment
