#include "environment/generate/random_changes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "environment/sketch.hpp"
#include "geometry/elementary.hpp"

namespace throng::environment {

namespace {

Polygon box_about(Vec2 c, double half_x, double half_y) {
  return {rectangle({c.x - half_x, c.y - half_y}, {c.x + half_x, c.y + half_y}), {}};
}

/// What lies far from the origin may be too small for doubles: then a ring comes back to its first point too early.
bool repeats_first_point(const Feature& feature) {
  return std::any_of(feature.polygons.begin(), feature.polygons.end(),
                     [](const Polygon& polygon) { return polygon.outer.front() == polygon.outer.back(); });
}

/// Corners with whole legs on one circle, exactly: (a, b) and all its mirror images.
Ring on_circle(Vec2 c, double a, double b) {
  Ring ring;
  for (const Vec2 d :
       {Vec2{a, b}, Vec2{b, a}, Vec2{-b, a}, Vec2{-a, b}, Vec2{-a, -b}, Vec2{-b, -a}, Vec2{b, -a}, Vec2{a, -b}})
    ring.push_back(c + d);
  return ring;
}

bool within(const geometry::SnapGrid& grid, const Feature& feature) {
  const auto all = [&](const std::vector<Vec2>& points) {
    return std::all_of(points.begin(), points.end(), [&](Vec2 p) {
      return grid.contains({p.x - 4 * grid.unit(), p.y - 4 * grid.unit()}) &&
             grid.contains({p.x + 4 * grid.unit(), p.y + 4 * grid.unit()});
    });
  };
  for (const Polygon& polygon : feature.polygons)
    if (!all(polygon.outer)) return false;
  for (const Line& line : feature.lines)
    if (!all(line)) return false;
  return true;
}

}  // namespace

void name_obstacles(Environment& plan) {
  std::set<std::string> taken;
  for (std::size_t i = 0; i < plan.features.size(); ++i) {
    Feature& feature = plan.features[i];
    if (feature.kind != Kind::obstacle) continue;
    if (feature.id.empty() || !taken.insert(feature.id).second) {
      feature.id = "file-" + std::to_string(i);
      taken.insert(feature.id);
    }
  }
}

RandomChanges::RandomChanges(std::uint64_t seed, const Environment& plan, std::size_t most)
    : random_(seed), most_(most) {
  for (const Feature& feature : plan.features)
    if (feature.kind == Kind::obstacle) drawn_[feature.id] = feature;
}

void RandomChanges::undo() { present_ = present_before_, replaced_ = replaced_before_; }

std::vector<Change> RandomChanges::taking_all_away() {
  std::vector<Change> changes;
  Change away{Change::Kind::remove, {}, {}}, back{Change::Kind::replace, {}, {}};
  for (const auto& [id, feature] : present_) away.ids.push_back(id);
  for (const auto& [id, feature] : replaced_) back.obstacles.push_back(feature);
  if (!away.ids.empty()) changes.push_back(away);
  if (!back.obstacles.empty()) changes.push_back(back);
  present_.clear(), replaced_.clear();
  return changes;
}

Change RandomChanges::next(const CleanEnvironment& clean) {
  present_before_ = present_, replaced_before_ = replaced_;
  Change change;
  const double what = random_.unit();
  const bool is_full = present_.size() >= most_;
  if (!present_.empty() && (is_full || what < 0.3)) {
    change.kind = Change::Kind::remove;
    std::size_t count = random_.chance(0.1) ? present_.size() : 1;  // now and then all of them at once
    for (; count > 0; --count) {
      const auto gone = std::next(present_.begin(), random_.below(std::uint32_t(present_.size())));
      change.ids.push_back(gone->first);
      present_.erase(gone);
    }
  } else if (what < 0.5 && !(present_.empty() && drawn_.empty())) {
    change.kind = Change::Kind::replace;
    const bool ours = drawn_.empty() || (!present_.empty() && random_.chance(0.5));
    const auto& from = ours ? present_ : drawn_;
    const std::string id = std::next(from.begin(), random_.below(std::uint32_t(from.size())))->first;
    change.obstacles = {obstacle(clean)};
    change.obstacles[0].id = id;
    if (ours)
      present_[id] = change.obstacles[0];
    else
      replaced_.emplace(id, drawn_.at(id));
  } else {
    const std::size_t room = most_ - present_.size();
    const std::size_t count = random_.chance(0.1) ? std::min<std::size_t>(room, 1 + random_.below(100)) : 1;
    for (std::size_t i = 0; i < count; ++i) {
      change.obstacles.push_back(obstacle(clean));
      present_[change.obstacles.back().id] = change.obstacles.back();
    }
  }
  return change;
}

void RandomChanges::look_at(const CleanEnvironment& clean, std::size_t layer) {
  edges_.clear();
  const auto add = [&](GridPoint a, GridPoint b) {
    edges_.push_back({clean.grid.to_world(a), clean.grid.to_world(b)});
  };
  const auto add_ring = [&](const GridRing& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i) add(ring[i], ring[(i + 1) % ring.size()]);
  };
  for (const GridPolygon& polygon : clean.layers[layer].free) {
    add_ring(polygon.outer);
    for (const GridRing& hole : polygon.holes) add_ring(hole);
  }
  for (const Wall& wall : clean.layers[layer].walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i) add(wall.points[i - 1], wall.points[i]);
  if (edges_.empty()) edges_.push_back({{0, 0}, {clean.grid.unit() * 1000, 0}});  // all is covered, or nothing drawn
  low_ = high_ = edges_[0].a;
  for (const Edge& edge : edges_)
    for (const Vec2 p : {edge.a, edge.b}) {
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y)};
      high_ = {std::max(high_.x, p.x), std::max(high_.y, p.y)};
    }
}

Vec2 RandomChanges::anywhere() {
  const double x = random_.uniform(low_.x, high_.x);
  return {x, random_.uniform(low_.y, high_.y)};
}

const RandomChanges::Edge& RandomChanges::some_edge() { return edges_[random_.below(std::uint32_t(edges_.size()))]; }

Feature RandomChanges::obstacle(const CleanEnvironment& clean) {
  Feature feature;
  feature.kind = Kind::obstacle;
  std::vector<std::size_t> grounds;  // layers with something free, else any
  for (std::size_t i = 0; i < clean.layers.size(); ++i)
    if (!clean.layers[i].free.empty()) grounds.push_back(i);
  do {
    feature.polygons.clear(), feature.lines.clear();
    feature.layer = grounds.empty() ? 0 : grounds[random_.below(std::uint32_t(grounds.size()))];
    if (!present_.empty() && random_.chance(0.06)) {  // the same twice
      feature = std::next(present_.begin(), random_.below(std::uint32_t(present_.size())))->second;
    } else {
      look_at(clean, feature.layer);
      shape(feature, clean);
    }
  } while (!within(clean.grid, feature) || repeats_first_point(feature));
  feature.id = "new-" + std::to_string(made_++);
  return feature;
}

void RandomChanges::shape(Feature& feature, const CleanEnvironment& clean) {
  const double extent = std::max(high_.x - low_.x, high_.y - low_.y);
  const double size = std::min(extent, 40.0) * random_.uniform(0.02, 0.12);
  Vec2 c = anywhere();
  if (random_.chance(0.25)) c = some_edge().a;
  const Vec2 d = size * geometry::unit_direction(random_.unit());
  switch (random_.below(10)) {
    case 0: feature.polygons = {box_about(c, size, size)}; return;
    case 1: feature.polygons = {{{c, c + d, c + d + perpendicular(d), c + 0.5 * perpendicular(d)}, {}}}; return;
    case 2: feature.lines = {{c, c + d, c + perpendicular(d)}}; return;
    case 3:  // a ring with a court
      feature.polygons = {{box_about(c, size, size).outer, {box_about(c, size / 2, size / 3).outer}}};
      return;
    case 4: {  // corners on a circle about a corner of the boundary
      const double u = clean.grid.unit();
      const double a = std::round(size / u) * u, b = std::round(size / u / 3) * u;
      feature.polygons = {{on_circle(random_.chance(0.5) ? some_edge().a : c, a, b + u), {}}};
      return;
    }
    case 5:  // about a connection, or beside its end
      if (!clean.connections.empty()) {
        const CleanConnection& door = clean.connections[random_.below(std::uint32_t(clean.connections.size()))];
        const Vec2 a = clean.grid.to_world(door.a), b = clean.grid.to_world(door.b);
        feature.layer = random_.chance(0.5) ? door.left_layer : door.right_layer;
        const double half = random_.uniform(0.1, 0.7) * length(b - a);
        feature.polygons = {box_about(between(a, b, random_.uniform(-0.2, 1.2)), half, half)};
        return;
      }
      break;
    case 6:  // now and then over a large part, or all of it
      if (random_.chance(0.1))
        feature.polygons = {box_about(0.5 * (low_ + high_), random_.uniform(0.2, 0.55) * (high_.x - low_.x),
                                      random_.uniform(0.2, 0.55) * (high_.y - low_.y))};
      else
        feature.lines = {{some_edge().a, some_edge().b}};  // seals, and crosses whatever is between
      return;
    default: break;
  }
  shape_on_boundary(feature, clean.grid.unit());
}

/// Something that has to do with an edge of the boundary.
void RandomChanges::shape_on_boundary(Feature& feature, double unit) {
  const Edge edge = some_edge();
  const double long_is = length(edge.b - edge.a);
  const Vec2 along = edge.b - edge.a, left = std::min(1.0, 2 / std::max(long_is, unit)) * perpendicular(along);
  const Vec2 on = between(edge.a, edge.b, random_.unit());
  const double sign = random_.chance(0.5) ? 1 : -1;
  switch (random_.below(7)) {
    case 0:  // a corner on the edge
      feature.polygons = {{{on, on + sign * left + 0.3 * along, on + sign * left - 0.2 * along}, {}}};
      return;
    case 1: {  // a side along the edge
      const double from = random_.uniform(-0.3, 0.6), to = random_.uniform(0.61, 1.4);
      const Vec2 a = between(edge.a, edge.b, from), b = between(edge.a, edge.b, to);
      feature.polygons = {{{a, b, b + sign * left, a + sign * left}, {}}};
      return;
    }
    case 2:  // a wall along the edge and beyond
      feature.lines = {{between(edge.a, edge.b, random_.uniform(-0.5, 0.5)), edge.b + random_.uniform(0, 1) * along}};
      return;
    case 3: {  // a few units off the edge
      const Vec2 off = double(random_.integer(-3, 3)) * unit / std::max(long_is, unit) * perpendicular(along);
      feature.lines = {{edge.a + off, edge.b + off}};
      return;
    }
    case 4: {  // a square whose corner touches a corner
      const double size = random_.uniform(0.1, 0.6) * std::min(long_is, 10.0) + 2 * unit;
      feature.polygons = {{rectangle(edge.a, edge.a + Vec2{sign * size, size}), {}}};
      return;
    }
    case 5: {  // smaller than the grid can show
      const double size = random_.uniform(0.2, 1.4) * unit;
      feature.polygons = {{{on, on + Vec2{size, 0}, on + Vec2{0, size}}, {}}};
      return;
    }
    default:  // across the passage in front of the edge
      feature.lines = {{on, on + random_.uniform(0.5, 3) * sign * left}};
  }
}

}  // namespace throng::environment
