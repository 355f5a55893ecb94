// The plan of a scene as a text: what experiments draw their worlds with, as a user could write them.
// Units: metres. Thread-safety: a value.
#pragma once

#include <fmt/format.h>

#include <string>

namespace throng::analysis {

/// Features of a plan, as GeoJSON.
class ScenePlan {
 public:
  void walkable(double x0, double y0, double x1, double y1) { add("walkable", box(x0, y0, x1, y1), ""); }
  void obstacle(double x0, double y0, double x1, double y1, const std::string& name = "") {
    add("obstacle", box(x0, y0, x1, y1), name);
  }
  void square(double x, double y, double size, const std::string& name) {
    obstacle(x - size / 2, y - size / 2, x + size / 2, y + size / 2, name);
  }
  void wall(double x0, double y0, double x1, double y1) {
    features_ += fmt::format(
        R"({}{{"type": "Feature", "properties": {{"kind": "obstacle"}}, "geometry": {{"type": "LineString", "coordinates": [[{}, {}], [{}, {}]]}}}})",
        features_.empty() ? "" : ",\n", x0, y0, x1, y1);
  }
  void area(double x0, double y0, double x1, double y1, const std::string& name) {
    add("area", box(x0, y0, x1, y1), name);
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{{\"type\": \"FeatureCollection\", \"features\": [\n{}]}}", features_);
  }

 private:
  static std::string box(double x0, double y0, double x1, double y1) {
    return fmt::format("[[{}, {}], [{}, {}], [{}, {}], [{}, {}], [{}, {}]]", x0, y0, x1, y0, x1, y1, x0, y1, x0, y0);
  }
  void add(const std::string& kind, const std::string& ring, const std::string& name) {
    features_ += fmt::format(
        R"({}{{"type": "Feature", "properties": {{"kind": "{}"{}}}, "geometry": {{"type": "Polygon", "coordinates": [{}]}}}})",
        features_.empty() ? "" : ",\n", kind, name.empty() ? "" : fmt::format(R"(, "name": "{}")", name), ring);
  }

  std::string features_;
};

}  // namespace throng::analysis
