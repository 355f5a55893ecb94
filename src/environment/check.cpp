#include "environment/check.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace throng::environment {
namespace {

bool fits(double v) { return std::isfinite(v) && std::abs(v) <= max_metres; }
bool fits(Vec2 p) { return fits(p.x) && fits(p.y); }
bool all_fit(const std::vector<Vec2>& points) {
  return std::all_of(points.begin(), points.end(), [](Vec2 p) { return fits(p); });
}

class Checker {
 public:
  explicit Checker(const Environment& environment) : environment_(environment) {}

  Problems check() {
    check_layers();
    for (const Feature& feature : environment_.features) check_feature(feature);
    return std::move(problems_);
  }

 private:
  void broken(std::string place, std::string law) {
    problems_.push_back({Severity::error, ProblemCode::internal, std::move(place), std::move(law)});
  }

  void check_layers() {
    if (environment_.layers.empty()) broken("layers", "law 1: there is no layer");
    std::set<std::string> ids;
    for (const Layer& layer : environment_.layers) {
      if (!ids.insert(layer.id).second) broken("layer '" + layer.id + "'", "law 1: layer ids are not distinct");
      check_elevation(layer);
    }
  }

  void check_elevation(const Layer& layer) {
    const Elevation& e = layer.elevation;
    const bool finite = fits(e.z) && fits(e.z_from) && fits(e.z_to) && fits(e.from) && fits(e.to);
    if (!finite) broken("layer '" + layer.id + "'", "law 2: an elevation is out of range");
    if (e.ramp && e.from == e.to) broken("layer '" + layer.id + "'", "law 2: a ramp has no axis");
    if (e.stairs && !e.ramp) broken("layer '" + layer.id + "'", "law 2: stairs without a ramp");
  }

  void check_feature(const Feature& feature) {
    const std::string place = describe(feature);
    if (std::max(feature.layer, feature.other_layer) >= environment_.layers.size())
      broken(place, "law 1: a layer does not exist");
    for (const Polygon& polygon : feature.polygons) {
      check_ring(polygon.outer, place);
      for (const Ring& hole : polygon.holes) check_ring(hole, place);
    }
    for (const Line& line : feature.lines) {
      if (!all_fit(line)) broken(place, "law 2: a coordinate is out of range");
      if (line.size() < 2) broken(place, "law 3: a line has fewer than two points");
    }
    check_kind(feature, place);
  }

  void check_ring(const Ring& ring, const std::string& place) {
    if (!all_fit(ring)) broken(place, "law 2: a coordinate is out of range");
    if (ring.size() < 3) broken(place, "law 3: a ring has fewer than three points");
    else if (ring.front() == ring.back()) broken(place, "law 3: a ring repeats its first point");
  }

  void check_kind(const Feature& feature, const std::string& place) {
    if (feature.polygons.empty() && feature.lines.empty()) broken(place, "law 4: a feature without shapes");
    const bool may_have_lines = feature.kind == Kind::obstacle || feature.kind == Kind::connection;
    if (!may_have_lines && !feature.lines.empty()) broken(place, "law 4: lines where only polygons are allowed");
    if (feature.kind != Kind::connection) return;
    const bool one_segment = feature.polygons.empty() && feature.lines.size() == 1 && feature.lines[0].size() == 2;
    if (!one_segment || feature.lines[0][0] == feature.lines[0][1])
      broken(place, "law 4: a connection is not one line of two distinct points");
    if (feature.layer == feature.other_layer) broken(place, "law 4: a connection joins a layer with itself");
  }

  const Environment& environment_;
  Problems problems_;
};

}  // namespace

Problems check_environment(const Environment& environment) { return Checker(environment).check(); }

}  // namespace throng::environment
