#include "environment/dxf/dxf_writer.hpp"

#include <fmt/format.h>

#include <set>
#include <span>

#include "environment/dxf/dxf_throng_layers.hpp"
#include "environment/formats/write_text.hpp"

namespace throng::environment {
namespace {

class DxfWriter {
 public:
  explicit DxfWriter(const Environment& environment) : environment_(environment) {}

  std::string run() {
    for (const Layer& layer : environment_.layers) add_height(layer);
    for (const Feature& feature : environment_.features) add_feature(feature);
    std::string out = header();
    out += "0\nSECTION\n2\nENTITIES\n" + entities_ + "0\nENDSEC\n0\nEOF\n";
    return out;
  }

 private:
  static void pair(std::string& out, int code, std::string_view value) {
    fmt::format_to(std::back_inserter(out), "{}\n{}\n", code, value);
  }
  static void pair(std::string& out, int code, double number) {
    fmt::format_to(std::back_inserter(out), "{}\n", code);
    append_number(out, number);
    out += '\n';
  }

  std::string header() const {
    std::string out;
    if (const auto& grid = environment_.grid) {
      std::string unit;
      append_number(unit, grid->unit);
      pair(out, 999, fmt::format("throng grid {} {} {}", unit, grid->origin_x, grid->origin_y));
    }
    if (const auto& origin = environment_.origin) {
      std::string degrees = "throng origin ";
      append_number(degrees, origin->longitude);
      append_number(degrees += ' ', origin->latitude);
      pair(out, 999, degrees);
    }
    // Release 12 knows no light polylines, and the next release wants a great deal more around them: POLYLINE it is.
    out += "0\nSECTION\n2\nHEADER\n9\n$ACADVER\n1\nAC1009\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n";
    out += "0\nSECTION\n2\nTABLES\n0\nTABLE\n2\nLAYER\n";
    pair(out, 70, std::to_string(layers_.size()));
    for (const std::string& layer : layers_) {
      pair(out, 0, "LAYER");
      pair(out, 2, layer);
      out += "70\n0\n62\n7\n6\nCONTINUOUS\n";
    }
    return out + "0\nENDTAB\n0\nENDSEC\n";
  }

  /// The layer's name, listed at its first use.
  const std::string& layer(const ThrongLayerName& name) {
    const auto [at, added] = known_.insert(to_string(name));
    if (added) layers_.push_back(*at);
    return *at;
  }

  void point(Vec2 p, double z, int first_code = 10) {
    pair(entities_, first_code, p.x);
    pair(entities_, first_code + 10, p.y);
    pair(entities_, first_code + 20, z);
  }

  void line(const std::string& on, Vec2 a, double a_z, Vec2 b, double b_z) {
    pair(entities_, 0, "LINE");
    pair(entities_, 8, on);
    point(a, a_z);
    point(b, b_z, 11);
  }

  void add_height(const Layer& of) {
    const Elevation& e = of.elevation;
    if (e.ramp) return line(layer({of.id, e.stairs ? "stairs" : "ramp", {}}), e.from, e.z_from, e.to, e.z_to);
    pair(entities_, 0, "POINT");
    pair(entities_, 8, layer({of.id, "elevation", {}}));
    point({}, e.z);
  }

  void polyline(const std::string& on, std::span<const Vec2> points, bool closed) {
    pair(entities_, 0, "POLYLINE");
    pair(entities_, 8, on);
    entities_ += closed ? "66\n1\n70\n1\n" : "66\n1\n70\n0\n";
    point({}, 0);
    for (Vec2 p : points) {
      pair(entities_, 0, "VERTEX");
      pair(entities_, 8, on);
      point(p, 0);
    }
    pair(entities_, 0, "SEQEND");
    pair(entities_, 8, on);
  }

  void add_feature(const Feature& feature) {
    const std::string& id = environment_.layers[feature.layer].id;
    if (feature.kind == Kind::connection) {
      const std::string& other = environment_.layers[feature.other_layer].id;
      const Line& l = feature.lines[0];
      return line(layer({id, "connection", other}), l[0], 0, l[1], 0);
    }
    const std::string& name = feature.kind == Kind::region ? feature.type : feature.name;
    const bool named = feature.kind == Kind::region || feature.kind == Kind::area;
    for (const Polygon& polygon : feature.polygons) {
      const std::string& on = layer({id, std::string(name_of(feature.kind)), named ? name : std::string()});
      polyline(on, polygon.outer, true);
      for (const Ring& hole : polygon.holes) polyline(on, hole, true);
    }
    for (const Line& wall : feature.lines) polyline(layer({id, "wall", {}}), wall, false);
  }

  const Environment& environment_;
  std::set<std::string> known_;
  std::vector<std::string> layers_;
  std::string entities_;
};

}  // namespace

Result<std::string> write_clean_dxf(const CleanEnvironment& environment, const WriteOptions& options) {
  const Result<Environment> part = only_layer(to_environment(environment), options);
  if (!part) return part.problems();
  return DxfWriter(*part).run();
}

}  // namespace throng::environment
