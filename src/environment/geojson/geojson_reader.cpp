#include "environment/geojson/geojson_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <array>
#include <utility>

#include "environment/formats/json_input.hpp"
#include "environment/geojson/geojson_coordinates.hpp"
#include "environment/geojson/geojson_header.hpp"
#include "text/nearest_name.hpp"

namespace throng::environment {
namespace {

struct GeometryType {
  std::string_view name;
  int depth;  ///< nesting of its coordinates
  bool lines;
  bool polygons;
};

constexpr std::array<GeometryType, 7> geometry_types = {{{"Polygon", 3, false, true},
                                                         {"MultiPolygon", 4, false, true},
                                                         {"LineString", 2, true, false},
                                                         {"MultiLineString", 3, true, false},
                                                         {"Point", 1, false, false},
                                                         {"MultiPoint", 2, false, false},
                                                         {"GeometryCollection", 0, false, false}}};

constexpr std::array<std::string_view, 7> geometry_names = [] {
  std::array<std::string_view, 7> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = geometry_types[i].name;
  return names;
}();

/// A property as the file gives it, before the kind says what is wanted.
struct Property {
  JsonType type = JsonType::null;  ///< null: absent
  std::string text;                ///< of a string or number
  std::size_t offset = 0;

  [[nodiscard]] bool absent() const { return type == JsonType::null; }
};

/// A feature in the order the file gives it, which may be any.
struct RawFeature {
  std::size_t offset = 0;
  std::size_t number = 0;
  Property type, kind, layer, name, id, region_type;
  bool has_slope = false;
  std::size_t slope_offset = 0;
  std::vector<double> slope;  ///< the numbers in it; anything else is left out
  bool has_layers = false;
  std::size_t layers_offset = 0;
  std::vector<Property> layers;
  bool has_properties = false;
  bool has_geometry = false;
  bool bad_coordinates = false;
  const GeometryType* geometry = nullptr;
  Coordinates coordinates;
  std::vector<PlacedComplaint> complaints;

  void clear();
  void complain(ProblemCode code, std::size_t at, std::string message, std::optional<Vec2> point = {}) {
    complaints.push_back({at, {code, std::move(message), point}});
  }
};

void RawFeature::clear() {
  Coordinates kept = std::move(coordinates);  // keeps its memory from feature to feature
  kept.clear();
  *this = RawFeature();
  coordinates = std::move(kept);
}

/// Makes features of raw ones: the table of kinds in docs/formats.md.
class FeatureBuilder {
 public:
  FeatureBuilder(RawFeature& raw, const std::vector<Layer>& layers) : raw_(raw), layers_(layers) {}

  /// Whether rings were left open; complaints go to the raw feature.
  bool ring_left_open() const { return open_ring_; }

  Feature build() {
    feature_.number = raw_.number;
    const bool known = take_kind();
    if (known) take_properties();
    if (take_geometry_type(known)) take_shapes();
    if (known && feature_.kind == Kind::connection) check_connection();
    return std::move(feature_);
  }

 private:
  bool take_kind() {
    if (raw_.type.type != JsonType::string || raw_.type.text != "Feature")
      raw_.complain(ProblemCode::schema, raw_.offset, "a feature wants \"type\": \"Feature\"");
    if (raw_.kind.absent()) {
      raw_.complain(ProblemCode::schema, raw_.offset,
                    "properties.kind is missing: walkable, obstacle, opening, region, connection or area");
      return false;
    }
    if (raw_.kind.type != JsonType::string) {
      raw_.complain(ProblemCode::schema, raw_.kind.offset,
                    fmt::format("properties.kind wants a string, not {}", name_of(raw_.kind.type)));
      return false;
    }
    for (std::size_t i = 0; i < std::size(kind_names); ++i) {
      if (raw_.kind.text != kind_names[i]) continue;
      feature_.kind = Kind(i);
      return true;
    }
    raw_.complain(ProblemCode::value, raw_.kind.offset, "unknown kind " + suggest(raw_.kind.text, kind_names));
    return false;
  }

  void take_properties() {
    const Kind kind = feature_.kind;
    if (kind == Kind::obstacle || kind == Kind::area) feature_.name = text_of(raw_.name, "name");
    if (kind == Kind::obstacle) {
      if (raw_.id.type == JsonType::number)
        feature_.id = raw_.id.text;
      else
        feature_.id = text_of(raw_.id, "id");
    }
    if (kind == Kind::region) feature_.type = needed(raw_.region_type, "type", "such as \"grass\"");
    if (kind == Kind::region && raw_.has_slope) take_slope();
    if (kind == Kind::area) feature_.name = needed(raw_.name, "name", "to be asked for by");
    if (kind == Kind::connection)
      take_layers();
    else if (!raw_.layer.absent())
      feature_.layer = layer_index(text_of(raw_.layer, "layer"), raw_.layer);
  }

  std::string text_of(const Property& property, std::string_view name) {
    if (property.absent() || property.type == JsonType::string) return property.text;
    raw_.complain(ProblemCode::schema, property.offset,
                  fmt::format("properties.{} wants a string, not {}", name, name_of(property.type)));
    return {};
  }

  std::string needed(const Property& property, std::string_view name, std::string_view why) {
    std::string text = text_of(property, name);
    if (text.empty() && (property.absent() || property.type == JsonType::string))
      raw_.complain(ProblemCode::schema, property.absent() ? raw_.offset : property.offset,
                    fmt::format("properties.{} is missing: a name {}", name, why));
    return text;
  }

  void take_slope() {
    if (raw_.slope.size() != 2)
      return raw_.complain(ProblemCode::schema, raw_.slope_offset,
                           "properties.slope wants two numbers, [dx, dy]: it points uphill");
    const Vec2 slope{raw_.slope[0], raw_.slope[1]};
    if (!(squared_length(slope) >= 1e-12) || !(squared_length(slope) <= 1e12))
      return raw_.complain(ProblemCode::value, raw_.slope_offset,
                           "properties.slope points uphill: its length is 1e-6 to 1e6");
    feature_.slope = slope;
  }

  std::size_t layer_index(const std::string& id, const Property& property) {
    for (std::size_t i = 0; i < layers_.size(); ++i)
      if (layers_[i].id == id) return i;
    if (property.type != JsonType::string) return 0;  // complained of already
    std::vector<std::string_view> known;
    known.reserve(layers_.size());
    for (const Layer& layer : layers_) known.push_back(layer.id);
    raw_.complain(ProblemCode::value, property.offset, "unknown layer " + suggest(id, known));
    return 0;
  }

  void take_layers() {
    const std::size_t at = raw_.has_layers ? raw_.layers_offset : raw_.offset;
    if (raw_.layers.size() != 2) {
      raw_.complain(ProblemCode::schema, at, "a connection wants properties.layers: two layer ids");
      return;
    }
    feature_.layer = layer_index(text_of(raw_.layers[0], "layers"), raw_.layers[0]);
    feature_.other_layer = layer_index(text_of(raw_.layers[1], "layers"), raw_.layers[1]);
    if (raw_.layers[0].type == JsonType::string && raw_.layers[0].text == raw_.layers[1].text)
      raw_.complain(ProblemCode::value, at, "a connection joins two different layers, not one with itself");
  }

  bool take_geometry_type(bool kind_known) {
    if (raw_.geometry == nullptr) {
      if (!raw_.has_geometry) raw_.complain(ProblemCode::schema, raw_.offset, "the feature has no geometry");
      return false;
    }
    const GeometryType& type = *raw_.geometry;
    const bool wall = feature_.kind == Kind::obstacle;
    const bool fits =
        feature_.kind == Kind::connection ? type.name == "LineString" : type.polygons || (wall && type.lines);
    if (kind_known && !fits) {
      raw_.complain(ProblemCode::schema, raw_.offset,
                    fmt::format("{} wants {}, not {}", name_of(feature_.kind),
                                feature_.kind == Kind::connection ? "a LineString of two points"
                                : wall ? "a Polygon, MultiPolygon, LineString or MultiLineString"
                                       : "a Polygon or MultiPolygon",
                                type.name));
      return false;
    }
    // Shapes with bad numbers in them would only be complained of twice.
    if (raw_.bad_coordinates) return false;
    const int depth = raw_.coordinates.depth;
    if (depth != type.depth)
      raw_.complain(ProblemCode::schema, raw_.offset,
                    depth == 0
                        ? "the geometry has no coordinates"
                        : fmt::format("{} wants coordinates nested {} deep, not {}", type.name, type.depth, depth));
    return depth == type.depth;
  }

  void take_shapes() {
    const Coordinates& coordinates = raw_.coordinates;
    if (raw_.geometry->depth == 2) return take_line(coordinates.points);
    if (raw_.geometry->lines) {
      for (std::size_t i = 0; i < coordinates.ring_ends.size(); ++i) take_line(coordinates.ring(i));
      return;
    }
    if (raw_.geometry->depth == 3) return take_polygon(0, coordinates.ring_ends.size());
    std::size_t first = 0;
    for (const std::size_t end : coordinates.polygon_ends) take_polygon(std::exchange(first, end), end);
  }

  void take_polygon(std::size_t first, std::size_t end) {
    Polygon polygon;
    for (std::size_t i = first; i < end; ++i) {
      ClosedRing closed;
      if (auto complaint = make_ring(raw_.coordinates.ring(i), closed)) {
        if (i > first) complaint->message = "hole: " + complaint->message;
        raw_.complaints.push_back({raw_.offset, std::move(*complaint)});
        continue;
      }
      open_ring_ = open_ring_ || closed.was_open;
      if (i == first)
        polygon.outer = std::move(closed.ring);
      else
        polygon.holes.push_back(std::move(closed.ring));
    }
    feature_.polygons.push_back(std::move(polygon));
  }

  void take_line(std::span<const Vec2> points) {
    Line line;
    if (auto complaint = make_line(points, line)) raw_.complaints.push_back({raw_.offset, std::move(*complaint)});
    feature_.lines.push_back(std::move(line));
  }

  void check_connection() {
    if (feature_.lines.size() == 1 && feature_.lines[0].size() > 2)
      raw_.complain(ProblemCode::geometry, raw_.offset,
                    fmt::format("a connection is a line of two points; this one has {}", feature_.lines[0].size()),
                    feature_.lines[0].front());
  }

  RawFeature& raw_;
  const std::vector<Layer>& layers_;
  Feature feature_;
  bool open_ring_ = false;
};

/// Scenarios say "throng": 1 where environments have an object. They may hold comments, so this looks at the text.
bool looks_like_scenario(std::string_view text) {
  constexpr std::string_view member = "\"throng\"";
  const std::size_t at = text.find(member);
  if (at == std::string_view::npos) return false;
  const std::size_t value = text.find_first_not_of(" \t\r\n:", at + member.size());
  return value != std::string_view::npos && text[value] >= '0' && text[value] <= '9';
}

class GeoJsonReader {
 public:
  GeoJsonReader(std::string text, const std::string& source) : input_(std::move(text), source, problems_) {
    environment_.source = source;
  }

  /// Only what stands beside the features, of which there may be none.
  Result<Environment> read_beside() {
    part_ = true;
    return read();
  }

  /// Only features: the layers are known, and the first has this number.
  Result<Environment> read_part(const std::vector<Layer>& layers) {
    part_ = true;
    if (input_.open()) {
      environment_.layers = layers;
      if (read_collection()) (void)input_.close();
    }
    return std::move(problems_).result(std::move(environment_), input_.source());
  }

  Result<Environment> read() {
    if (input_.open() && read_header(input_, environment_) && read_collection()) {
      const bool whole = input_.close();
      if (whole && !saw_features_ && !problems_.has_errors())
        input_.error(ProblemCode::schema, 0, "the file has no \"features\"");
    }
    if (problems_.has_errors() && looks_like_scenario(input_.text()))
      return Problem{Severity::error, ProblemCode::unsupported, input_.source(),
                     "this is a scenario; an environment is expected"};
    return std::move(problems_).result(std::move(environment_), input_.source());
  }

 private:
  bool read_collection() {
    return input_.root_members([&](std::string_view key, JsonValue value) {
      if (key == "type") return read_collection_type(value);
      if (key == "features") return read_features(value);
      if (key == "throng") return once(saw_throng_, value, "throng");
      return input_.check(value);
    });
  }

  bool once(bool& seen, JsonValue value, std::string_view name) {
    if (std::exchange(seen, true))
      input_.error(ProblemCode::schema, input_.offset_of(value), fmt::format("the member \"{}\" appears twice", name));
    return input_.check(value);
  }

  bool read_collection_type(JsonValue value) {
    const std::size_t offset = input_.offset_of(value);
    std::string type;
    if (JsonInput::type_of(value) == JsonType::string && !input_.get(value, type)) return false;
    if (type == "FeatureCollection") return true;
    input_.error(ProblemCode::schema, offset, "an environment is a FeatureCollection, not " + in_quotes(type));
    return type.empty() ? input_.check(value) : true;
  }

  bool read_features(JsonValue value) {
    const std::size_t offset = input_.offset_of(value);
    if (std::exchange(saw_features_, true)) {
      input_.error(ProblemCode::schema, offset, "the member \"features\" appears twice");
      return input_.check(value);
    }
    if (JsonInput::type_of(value) != JsonType::array) {
      input_.error(ProblemCode::schema, offset, "\"features\" wants an array");
      return input_.check(value);
    }
    std::size_t count = 0;
    if (!input_.elements(value, [&](JsonValue element) { return read_feature(element, count++); })) return false;
    input_.set_feature(std::nullopt);
    if (count == 0 && !part_)
      input_.error(ProblemCode::schema, offset, "\"features\" is empty: there is nowhere to walk");
    return true;
  }

  bool read_feature(JsonValue value, std::size_t number) {
    raw_.clear();
    raw_.number = number;
    input_.set_feature(number);
    raw_.offset = input_.offset_of(value);
    if (JsonInput::type_of(value) != JsonType::object) {
      raw_.complain(ProblemCode::schema, raw_.offset,
                    fmt::format("a feature is an object, not {}", name_of(JsonInput::type_of(value))));
      report(nullptr);
      return input_.check(value);
    }
    if (!read_feature_members(value)) return report(nullptr), false;
    FeatureBuilder builder(raw_, environment_.layers);
    Feature feature = builder.build();
    report(&feature);
    if (builder.ring_left_open()) warn_open_ring(feature);
    if (!problems_.has_errors()) environment_.features.push_back(std::move(feature));
    return true;
  }

  bool read_feature_members(JsonValue value) {
    return input_.members(value, [&](std::string_view key, JsonValue member) {
      if (key == "type") return read_property(member, raw_.type);
      if (key == "properties") return read_properties(member);
      if (key == "geometry") return read_geometry(member);
      return input_.check(member);
    });
  }

  bool read_properties(JsonValue value) {
    if (std::exchange(raw_.has_properties, true))
      raw_.complain(ProblemCode::schema, input_.offset_of(value), "the member \"properties\" appears twice");
    const JsonType type = JsonInput::type_of(value);
    if (type != JsonType::object) {
      if (type != JsonType::null)
        raw_.complain(ProblemCode::schema, input_.offset_of(value),
                      fmt::format("\"properties\" wants an object, not {}", name_of(type)));
      return input_.check(value);
    }
    return input_.members(value, [&](std::string_view key, JsonValue member) {
      if (key == "kind") return read_property(member, raw_.kind);
      if (key == "layer") return read_property(member, raw_.layer);
      if (key == "name") return read_property(member, raw_.name);
      if (key == "id") return read_property(member, raw_.id);
      if (key == "type") return read_property(member, raw_.region_type);
      if (key == "layers") return read_layer_pair(member);
      if (key == "slope") return read_slope(member);
      return input_.check(member);
    });
  }

  bool read_property(JsonValue value, Property& out) {
    out.type = JsonInput::type_of(value);
    out.offset = input_.offset_of(value);
    if (out.type == JsonType::string) return input_.get(value, out.text);
    if (out.type == JsonType::number) out.text = JsonInput::token_of(value);
    return input_.check(value);
  }

  bool read_layer_pair(JsonValue value) {
    raw_.has_layers = true;
    raw_.layers_offset = input_.offset_of(value);
    raw_.layers.clear();
    if (JsonInput::type_of(value) != JsonType::array) return input_.check(value);
    return input_.elements(value, [&](JsonValue element) {
      // Three say as much as thousands: not two.
      if (raw_.layers.size() > 2) return input_.check(element);
      return read_property(element, raw_.layers.emplace_back());
    });
  }

  bool read_slope(JsonValue value) {
    raw_.has_slope = true;
    raw_.slope_offset = input_.offset_of(value);
    raw_.slope.clear();
    if (JsonInput::type_of(value) != JsonType::array) return input_.check(value);
    return input_.elements(value, [&](JsonValue element) {
      if (JsonInput::type_of(element) == JsonType::number && raw_.slope.size() < 3)
        raw_.slope.push_back(std::strtod(std::string(JsonInput::token_of(element)).c_str(), nullptr));
      return input_.check(element);
    });
  }

  bool read_geometry(JsonValue value) {
    if (std::exchange(raw_.has_geometry, true))
      raw_.complain(ProblemCode::schema, input_.offset_of(value), "the member \"geometry\" appears twice");
    if (JsonInput::type_of(value) != JsonType::object) {
      raw_.complain(ProblemCode::schema, input_.offset_of(value),
                    fmt::format("\"geometry\" wants an object, not {}", name_of(JsonInput::type_of(value))));
      return input_.check(value);
    }
    Property type;
    const std::size_t offset = input_.offset_of(value);
    const bool fine = input_.members(value, [&](std::string_view key, JsonValue member) {
      if (key == "type") return read_property(member, type);
      if (key == "coordinates") return take_coordinates(member);
      return input_.check(member);
    });
    if (fine) take_type(type, offset);
    return fine;
  }

  bool take_coordinates(JsonValue value) {
    const std::size_t before = raw_.complaints.size();
    const bool fine = read_coordinates(input_, value, raw_.coordinates, raw_.complaints);
    raw_.bad_coordinates = raw_.complaints.size() > before;
    return fine;
  }

  void take_type(const Property& type, std::size_t offset) {
    for (const GeometryType& known : geometry_types)
      if (type.type == JsonType::string && type.text == known.name) raw_.geometry = &known;
    if (raw_.geometry != nullptr) return;
    raw_.complain(ProblemCode::schema, type.absent() ? offset : type.offset,
                  type.type == JsonType::string ? "unknown geometry " + suggest(type.text, geometry_names)
                                                : "the geometry wants a \"type\" such as \"Polygon\"");
  }

  /// The feature's complaints become problems, with all that is known of it by now.
  void report(const Feature* feature) {
    std::stable_sort(raw_.complaints.begin(), raw_.complaints.end(),
                     [](const PlacedComplaint& a, const PlacedComplaint& b) { return a.offset < b.offset; });
    for (const PlacedComplaint& placed : raw_.complaints) {
      const Complaint& complaint = placed.complaint;
      std::string place = input_.place(placed.offset) + ": " + description(feature);
      if (complaint.at)
        place += " at " + to_string(*complaint.at);
      else if (!raw_.coordinates.points.empty())
        place += " at " + to_string(raw_.coordinates.points.front());
      problems_.error(complaint.code, std::move(place), complaint.message);
    }
  }

  std::string description(const Feature* feature) const {
    if (feature == nullptr || raw_.kind.type != JsonType::string) return fmt::format("feature {}", raw_.number);
    Feature named;
    named.number = raw_.number;
    named.name = raw_.name.type == JsonType::string ? raw_.name.text : std::string();
    named.id = feature->id;
    named.kind = feature->kind;
    const bool known = raw_.kind.text == name_of(feature->kind);
    return known ? describe(named) : fmt::format("feature {} ({})", raw_.number, in_quotes(raw_.kind.text));
  }

  void warn_open_ring(const Feature& feature) {
    problems_.warning(ProblemCode::geometry, input_.place(raw_.offset) + ": " + describe(feature),
                      "a ring does not end where it starts; it was closed");
  }

  ProblemList problems_;
  JsonInput input_;
  Environment environment_;
  RawFeature raw_;
  bool saw_throng_ = false;
  bool saw_features_ = false;
  bool part_ = false;  ///< of a file that is read in parts
};

}  // namespace

Result<Environment> read_geojson(std::string text, const std::string& source) {
  return GeoJsonReader(std::move(text), source).read();
}

Result<Environment> read_geojson_beside(std::string text, const std::string& source) {
  return GeoJsonReader(std::move(text), source).read_beside();
}

Result<Environment> read_geojson_part(std::string text, const std::string& source, const std::vector<Layer>& layers) {
  return GeoJsonReader(std::move(text), source).read_part(layers);
}

}  // namespace throng::environment
