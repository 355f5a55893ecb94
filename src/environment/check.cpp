#include "environment/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace throng::environment {

namespace {

class Checker {
 public:
  explicit Checker(const Environment& environment) : environment_(environment) {}

  Problems run() {
    check_layers();
    for (const Feature& feature : environment_.features) check_feature(feature);
    return std::move(problems_);
  }

 private:
  void check_layers() {
    if (environment_.layers.empty()) refuse(ProblemCode::value, "", "there are no layers");
    std::set<std::string> ids;
    for (const Layer& layer : environment_.layers) {
      const std::string place = fmt::format("layer '{}'", layer.id);
      if (!ids.insert(layer.id).second) refuse(ProblemCode::value, place, "the id is taken already");
      const Elevation& e = layer.elevation;
      for (double v : {e.z, e.from.x, e.from.y, e.to.x, e.to.y, e.z_from, e.z_to})
        if (!is_sound(v))
          refuse(ProblemCode::value, place, fmt::format("the elevation {} is not a height in metres", v));
      if (e.ramp && e.from == e.to) refuse(ProblemCode::value, place, "the ramp's axis has no length");
      if (e.stairs && !e.ramp) refuse(ProblemCode::value, place, "stairs need a ramp");
    }
  }

  void check_feature(const Feature& feature) {
    if (feature.layer >= environment_.layers.size() ||
        (feature.kind == Kind::connection && feature.other_layer >= environment_.layers.size()))
      return refuse(ProblemCode::value, describe(feature), "names a layer that does not exist");
    check_shape(feature);
    for (const Polygon& polygon : feature.polygons) {
      check_ring(feature, polygon.outer);
      for (const Ring& hole : polygon.holes) check_ring(feature, hole);
    }
    for (const Line& line : feature.lines) check_points(feature, line, 2, "line");
  }

  void check_shape(const Feature& feature) {
    const bool empty = feature.polygons.empty() && feature.lines.empty();
    if (empty) return refuse(ProblemCode::geometry, describe(feature), "has no geometry");
    if (feature.kind == Kind::connection) {
      const bool is_pair = feature.polygons.empty() && feature.lines.size() == 1 && feature.lines[0].size() == 2;
      if (!is_pair || feature.lines[0][0] == feature.lines[0][1])
        refuse(ProblemCode::geometry, describe(feature), "a connection is a line of two distinct points");
      if (feature.layer == feature.other_layer)
        refuse(ProblemCode::value, describe(feature), "a connection joins two different layers");
    } else if (feature.kind != Kind::obstacle && !feature.lines.empty()) {
      refuse(ProblemCode::geometry, describe(feature), "must be a polygon, not a line");
    }
  }

  void check_ring(const Feature& feature, const Ring& ring) {
    check_points(feature, ring, 3, "ring");
    if (ring.size() > 1 && ring.front() == ring.back())
      refuse(ProblemCode::geometry, describe(feature), "a ring repeats its first point at its end");
  }

  void check_points(const Feature& feature, const std::vector<Vec2>& points, std::size_t fewest,
                    std::string_view what) {
    if (points.size() < fewest)
      refuse(ProblemCode::geometry, describe(feature),
             fmt::format("a {} of {} points; at least {} are needed", what, points.size(), fewest));
    const auto bad =
        std::find_if(points.begin(), points.end(), [](Vec2 p) { return !is_sound(p.x) || !is_sound(p.y); });
    if (bad != points.end())
      refuse(ProblemCode::value, fmt::format("{} at ({}, {})", describe(feature), bad->x, bad->y),
             fmt::format("coordinates must be finite and at most {} m in size", max_metres));
  }

  static bool is_sound(double v) { return std::abs(v) <= max_metres; }  // false for NaN

  void refuse(ProblemCode code, std::string place, std::string message) {
    if (!environment_.source.empty()) place = place.empty() ? environment_.source : environment_.source + ": " + place;
    problems_.push_back({Severity::error, code, std::move(place), std::move(message)});
  }

  const Environment& environment_;
  Problems problems_;
};

}  // namespace

Problems check_environment(const Environment& environment) { return Checker(environment).run(); }

}  // namespace throng::environment
