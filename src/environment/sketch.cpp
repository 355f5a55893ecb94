#include "environment/sketch.hpp"

#include <cmath>
#include <utility>

#include "geometry/elementary.hpp"

namespace throng::environment {

namespace {

double to_millimetres(double metres) { return std::floor(metres * 1000 + 0.5) / 1000; }

void round(Vec2& p) { p = {to_millimetres(p.x), to_millimetres(p.y)}; }

void round(std::vector<Vec2>& points) {
  for (Vec2& p : points) round(p);
}

void round(Polygon& polygon) {
  round(polygon.outer);
  for (Ring& hole : polygon.holes) round(hole);
}

}  // namespace

Sketch::Sketch(std::string source) : Sketch(std::move(source), {Layer{"ground", {}}}) {}

Sketch::Sketch(std::string source, std::vector<Layer> layers) {
  environment_.source = std::move(source);
  environment_.layers = std::move(layers);
}

Feature& Sketch::add(Kind kind, std::size_t layer) {
  Feature& feature = environment_.features.emplace_back();
  feature.kind = kind;
  feature.layer = layer;
  feature.number = environment_.features.size() - 1;
  return feature;
}

void Sketch::walkable(Polygon polygon, std::size_t layer) {
  round(polygon);
  add(Kind::walkable, layer).polygons = {std::move(polygon)};
}

void Sketch::obstacle(Polygon polygon, std::size_t layer) {
  round(polygon);
  add(Kind::obstacle, layer).polygons = {std::move(polygon)};
}

void Sketch::wall(Line line, std::size_t layer) {
  round(line);
  add(Kind::obstacle, layer).lines = {std::move(line)};
}

void Sketch::opening(Ring ring, std::size_t layer) {
  round(ring);
  add(Kind::opening, layer).polygons = {Polygon{std::move(ring), {}}};
}

void Sketch::region(std::string type, Polygon polygon, std::size_t layer) {
  round(polygon);
  Feature& feature = add(Kind::region, layer);
  feature.type = std::move(type);
  feature.polygons = {std::move(polygon)};
}

void Sketch::area(std::string name, Ring ring, std::size_t layer) {
  round(ring);
  Feature& feature = add(Kind::area, layer);
  feature.name = std::move(name);
  feature.polygons = {Polygon{std::move(ring), {}}};
}

void Sketch::connection(Vec2 a, Vec2 b, std::size_t layer, std::size_t other_layer) {
  Line line{a, b};
  round(line);
  Feature& feature = add(Kind::connection, layer);
  feature.other_layer = other_layer;
  feature.lines = {std::move(line)};
}

Vec2 unit(Vec2 v) { return v / length(v); }

Ring rectangle(Vec2 min, Vec2 max) { return {min, {max.x, min.y}, max, {min.x, max.y}}; }

Ring oriented_rectangle(Vec2 centre, Vec2 axis, double length, double width) {
  const Vec2 along = axis * (length / 2);
  const Vec2 across = perpendicular(axis) * (width / 2);
  return {centre - along - across, centre + along - across, centre + along + across, centre - along + across};
}

Ring regular_polygon(Vec2 centre, double radius, int corners, double turn) {
  Ring ring;
  for (int i = 0; i < corners; ++i)
    ring.push_back(centre + radius * geometry::unit_direction(turn + double(i) / corners));
  return ring;
}

double signed_area(const Ring& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i)
    twice += cross(ring[i] - ring[0], ring[(i + 1) % ring.size()] - ring[0]);
  return twice / 2;
}

Vec2 centre_of(const Ring& ring) {
  Vec2 sum;
  for (const Vec2 p : ring) sum += p;
  return sum / double(ring.size());
}

bool contains(const Ring& ring, Vec2 p) {
  bool inside = false;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 a = ring[i];
    const Vec2 b = ring[(i + 1) % ring.size()];
    if ((a.y > p.y) == (b.y > p.y)) continue;
    if ((cross(b - a, p - a) > 0) == (b.y > a.y)) inside = !inside;
  }
  return inside;
}

Ring clip_left(const Ring& convex, Vec2 p, Vec2 direction) {
  Ring left;
  for (std::size_t i = 0; i < convex.size(); ++i) {
    const Vec2 a = convex[i];
    const Vec2 b = convex[(i + 1) % convex.size()];
    const double side_a = cross(direction, a - p);
    const double side_b = cross(direction, b - p);
    if (side_a >= 0) left.push_back(a);
    if ((side_a > 0 && side_b < 0) || (side_a < 0 && side_b > 0))
      left.push_back(between(a, b, side_a / (side_a - side_b)));
  }
  return left.size() < 3 ? Ring{} : left;
}

Ring inset(const Ring& convex, double distance) {
  Ring rest = convex;
  for (std::size_t i = 0; i < convex.size() && !rest.empty(); ++i) {
    const Vec2 direction = unit(convex[(i + 1) % convex.size()] - convex[i]);
    rest = clip_left(rest, convex[i] + distance * perpendicular(direction), direction);
  }
  return rest;
}

}  // namespace throng::environment
