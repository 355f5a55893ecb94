#include "environment/geojson/geojson_writer.hpp"

#include <span>

#include "environment/formats/write_text.hpp"
#include "environment/geojson/geojson_header.hpp"

namespace throng::environment {
namespace {

class GeoJsonWriter {
 public:
  explicit GeoJsonWriter(const Environment& environment) : environment_(environment) {}

  std::string write() {
    out_ += "{\"type\":\"FeatureCollection\",\n";
    append_header();
    out_ += "\"features\":[";
    bool first = true;
    for (const Feature& feature : environment_.features) {
      // An obstacle of polygons and walls is one feature in memory, two in a file.
      if (!feature.polygons.empty()) append_feature(feature, true, first);
      if (!feature.lines.empty()) append_feature(feature, false, first);
    }
    out_ += "\n]}\n";
    return std::move(out_);
  }

 private:
  void append_header() {
    const std::vector<Layer>& layers = environment_.layers;
    const bool plain = layers.size() == 1 && layers[0].id == default_layer_id && layers[0].elevation == Elevation();
    if (plain && !environment_.grid && !environment_.origin) return;
    out_ += "\"throng\":{\"version\":1";
    if (!plain) append_layers();
    if (environment_.grid) {
      out_ += ",\"grid\":{\"unit\":";
      append_number(out_, environment_.grid->unit);
      out_ += ",\"origin\":[" + std::to_string(environment_.grid->origin_x) + "," +
              std::to_string(environment_.grid->origin_y) + "]}";
    }
    if (environment_.origin) {
      out_ += ",\"origin\":";
      append_numbers({environment_.origin->longitude, environment_.origin->latitude});
    }
    out_ += "},\n";
  }

  void append_layers() {
    out_ += ",\"layers\":[";
    for (const Layer& layer : environment_.layers) {
      if (&layer != environment_.layers.data()) out_ += ',';
      out_ += "{\"id\":";
      append_json(out_, layer.id);
      out_ += ",\"elevation\":";
      append_elevation(layer.elevation);
      out_ += '}';
    }
    out_ += ']';
  }

  void append_elevation(const Elevation& elevation) {
    if (!elevation.ramp) return append_number(out_, elevation.z);
    out_ += "{\"ramp\":[";
    append_numbers({elevation.from.x, elevation.from.y, elevation.z_from});
    out_ += ',';
    append_numbers({elevation.to.x, elevation.to.y, elevation.z_to});
    out_ += elevation.stairs ? "],\"stairs\":true}" : "]}";
  }

  void append_numbers(std::initializer_list<double> numbers) {
    out_ += '[';
    bool first = true;
    for (const double number : numbers) {
      if (!first) out_ += ',';
      first = false;
      append_number(out_, number);
    }
    out_ += ']';
  }

  void append_feature(const Feature& feature, bool polygons, bool& first) {
    out_ += first ? "\n" : ",\n";
    first = false;
    out_ += "{\"type\":\"Feature\",\"properties\":{\"kind\":\"";
    out_ += name_of(feature.kind);
    out_ += '"';
    if (feature.kind == Kind::connection) {
      out_ += ",\"layers\":[";
      append_json(out_, environment_.layers[feature.layer].id);
      out_ += ',';
      append_json(out_, environment_.layers[feature.other_layer].id);
      out_ += ']';
    } else if (feature.layer != 0) {
      append_member("layer", environment_.layers[feature.layer].id);
    }
    append_member("name", feature.name);
    append_member("id", feature.id);
    append_member("type", feature.type);
    if (feature.slope != Vec2{}) {
      out_ += ",\"slope\":";
      append_numbers({feature.slope.x, feature.slope.y});
    }
    out_ += "},\"geometry\":{\"type\":\"";
    if (polygons)
      append_polygons(feature.polygons);
    else
      append_lines(feature.lines);
    out_ += "}}";
  }

  void append_member(std::string_view name, const std::string& value) {
    if (value.empty()) return;
    out_ += ",\"";
    out_ += name;
    out_ += "\":";
    append_json(out_, value);
  }

  void append_polygons(const std::vector<Polygon>& polygons) {
    const bool multi = polygons.size() > 1;
    out_ += multi ? "MultiPolygon\",\"coordinates\":[" : "Polygon\",\"coordinates\":";
    for (const Polygon& polygon : polygons) {
      if (&polygon != polygons.data()) out_ += ',';
      out_ += '[';
      append_points(polygon.outer, true);
      for (const Ring& hole : polygon.holes) {
        out_ += ',';
        append_points(hole, true);
      }
      out_ += ']';
    }
    if (multi) out_ += ']';
  }

  void append_lines(const std::vector<Line>& lines) {
    const bool multi = lines.size() > 1;
    out_ += multi ? "MultiLineString\",\"coordinates\":[" : "LineString\",\"coordinates\":";
    for (const Line& line : lines) {
      if (&line != lines.data()) out_ += ',';
      append_points(line, false);
    }
    if (multi) out_ += ']';
  }

  void append_points(std::span<const Vec2> points, bool closed) {
    out_ += '[';
    for (const Vec2 p : points) append_numbers({p.x, p.y}), out_ += ',';
    if (closed)
      append_numbers({points.front().x, points.front().y});
    else
      out_.pop_back();
    out_ += ']';
  }

  const Environment& environment_;
  std::string out_;
};

}  // namespace

Result<std::string> write_geojson(const Environment& environment, const WriteOptions& options) {
  Result<Environment> part = only_layer(environment, options);
  if (!part) return part.problems();
  return GeoJsonWriter(*part).write();
}

Result<std::string> write_clean_geojson(const CleanEnvironment& environment, const WriteOptions& options) {
  return write_geojson(to_environment(environment), options);
}

}  // namespace throng::environment
