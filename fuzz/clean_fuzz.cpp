// Cleaning of anything: polygons, walls, openings, regions, areas, connections on a few grid units, where everything touches, and on many.
// Out comes an environment that keeps its laws, or typed errors; doubling features and turning rings round changes nothing, and
// neither does cleaning twice.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "environment/clean/clean.hpp"
#include "environment/clean/verify_clean.hpp"

using namespace throng;
using namespace throng::environment;

namespace {

void require(bool law, const char* what) {
  if (law) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

constexpr double unit = 0.001;

/// Reads an environment from bytes: every input is one, most small changes give a similar one.
class Drawing {
 public:
  explicit Drawing(fuzz::Bytes& bytes) : bytes_(bytes) {
    constexpr int ranges[] = {6, 16, 60, 1000, 100000, 2000000};
    const std::uint8_t mode = bytes.take<std::uint8_t>();
    range_ = ranges[mode % std::size(ranges)];
    off_grid_ = (mode & 64) != 0;
    const std::size_t layers = 1 + (mode & 128) / 128;
    for (std::size_t i = 0; i < layers; ++i) environment_.layers.push_back({std::to_string(i), {}});
    environment_.grid = geometry::SnapGrid(unit, 0, 0);
    if (layers > 1) add_joined_rooms();
  }

  Environment draw() && {
    while (!bytes_.empty() && environment_.features.size() < 40) add_feature();
    return std::move(environment_);
  }

 private:
  double coordinate() {
    if (range_ <= 60) {
      const std::uint8_t byte = bytes_.take<std::uint8_t>();
      return (byte % (range_ + 1) + (off_grid_ ? byte / 64 * 0.25 : 0)) * unit;
    }
    return (std::int64_t(bytes_.take<std::uint32_t>()) % (range_ + 1)) * unit;
  }
  Vec2 point() {
    const double x = coordinate();
    return {x, coordinate()};
  }

  Ring rectangle() {
    const Vec2 a = point(), b = point();
    return {a, {b.x, a.y}, b, {a.x, b.y}};
  }

  Ring polygon(int corners) {
    Ring ring;
    for (int i = 0; i < corners; ++i) ring.push_back(point());
    return ring;
  }

  /// Corners in order around their middle: simple, mostly.
  Ring round(int corners) {
    Ring ring = polygon(corners);
    Vec2 middle;
    for (const Vec2 p : ring) middle += p / double(corners);
    const auto angle = [middle](Vec2 p) { return std::atan2(p.y - middle.y, p.x - middle.x); };
    std::sort(ring.begin(), ring.end(), [&](Vec2 p, Vec2 q) { return angle(p) < angle(q); });
    return ring;
  }

  Ring ring(std::uint8_t shape) {
    Ring result = shape % 4 == 0   ? rectangle()
                  : shape % 4 == 1 ? polygon(3)
                  : shape % 4 == 2 ? round(4 + shape / 32)
                                   : polygon(3 + shape / 32);
    // Readers open closed rings, and refuse those of fewer than three points.
    while (result.size() > 1 && result.front() == result.back()) result.pop_back();
    return result;
  }

  /// Two rooms on two layers with a door between them: connections that chance draws are as good as always refused.
  void add_joined_rooms() {
    const double side = range_ * unit, middle = (range_ / 2) * unit;
    const auto add = [&](Feature feature) {
      feature.number = environment_.features.size();
      environment_.features.push_back(std::move(feature));
    };
    add({.kind = Kind::walkable, .layer = 0, .polygons = {{{{0, 0}, {middle, 0}, {middle, side}, {0, side}}, {}}}});
    add({.kind = Kind::walkable,
         .layer = 1,
         .polygons = {{{{middle, 0}, {side, 0}, {side, side}, {middle, side}}, {}}}});
    const double low = coordinate(), high = coordinate();
    if (low != high)
      add({.kind = Kind::connection, .layer = 0, .other_layer = 1, .lines = {{{middle, low}, {middle, high}}}});
  }

  void add_feature() {
    const std::uint8_t what = bytes_.take<std::uint8_t>();
    const std::uint8_t shape = bytes_.take<std::uint8_t>();
    Feature feature;
    feature.number = environment_.features.size();
    feature.layer = what / 64 % environment_.layers.size();
    constexpr Kind kinds[] = {Kind::obstacle, Kind::obstacle, Kind::obstacle, Kind::walkable,
                              Kind::opening,  Kind::region,   Kind::area,     Kind::obstacle};
    feature.kind = kinds[what % 8];
    if (what % 8 == 7) {
      add_line(feature, shape, (what & 32) != 0);
    } else {
      Ring outer = ring(shape);
      if (outer.size() < 3) return;
      feature.polygons.push_back({std::move(outer), {}});
      if ((what & 8) != 0) add_part(feature, (what & 16) != 0);
    }
    if (feature.kind == Kind::region) feature.type = (what & 32) != 0 ? "grass" : "road";
    if (feature.kind == Kind::area) feature.name = (what & 32) != 0 ? "here" : "there";
    if (!feature.polygons.empty() || !feature.lines.empty()) environment_.features.push_back(std::move(feature));
  }

  void add_line(Feature& feature, std::uint8_t shape, bool connection) {
    if (connection && environment_.layers.size() > 1) {
      feature.kind = Kind::connection;
      feature.other_layer = 1 - feature.layer;
      const Vec2 a = point(), b = point();
      if (a != b) feature.lines.push_back({a, b});
      return;
    }
    Line line;
    for (int i = 0; i < 2 + shape % 4; ++i) line.push_back(point());
    feature.lines.push_back(std::move(line));
  }

  void add_part(Feature& feature, bool as_hole) {
    Ring more = ring(bytes_.take<std::uint8_t>());
    if (more.size() < 3) return;
    if (as_hole)
      feature.polygons[0].holes.push_back(std::move(more));
    else
      feature.polygons.push_back({std::move(more), {}});
  }

  fuzz::Bytes& bytes_;
  int range_ = 0;
  bool off_grid_ = false;
  Environment environment_;
};

Environment doubled_and_turned(const Environment& environment) {
  Environment other = environment;
  other.features.clear();
  for (Feature feature : environment.features) {
    other.features.push_back(feature);
    for (Polygon& polygon : feature.polygons) {
      std::reverse(polygon.outer.begin(), polygon.outer.end());
      for (Ring& hole : polygon.holes)  // a ring must not end where it begins
        if (hole[0] != hole[1]) std::rotate(hole.begin(), hole.begin() + 1, hole.end());
    }
    for (Line& line : feature.lines) std::reverse(line.begin(), line.end());
    other.features.push_back(std::move(feature));
  }
  for (std::size_t i = 0; i < other.features.size(); ++i) other.features[i].number = i;
  return other;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Bytes bytes(data, size);
  const Environment environment = Drawing(bytes).draw();
  const Result<CleanEnvironment> once = clean(environment);
  const Result<CleanEnvironment> other = clean(doubled_and_turned(environment));
  require(once.ok() == other.ok(), "doubling and turning changes what is refused");
  for (const Problem& problem : once.problems()) require(!problem.message.empty(), "a problem without a message");
  if (!once.ok()) return 0;
  const Problems broken = verify_clean(*once);
  for (const Problem& problem : broken) std::fprintf(stderr, "%s\n", to_string(problem).c_str());
  require(broken.empty(), "the laws of cleaned environments");
  require(once->hash() == other->hash(), "doubling and turning changes the result");
  const Result<CleanEnvironment> twice = clean(to_environment(*once));
  require(twice.ok(), "what was cleaned is refused");
  require(twice->hash() == once->hash(), "cleaning twice is cleaning once");
  return 0;
}
