#include "following/region_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace throng::following {

namespace {

using environment::GridPolygon;
using environment::GridRing;
using geometry::GridBox;
using geometry::GridPoint;
using navmesh::Index;

/// Edges within this distance of a line, in metres, run along it.
constexpr double along_tolerance = 1e-9;
/// How far beside a border its two sides are looked at, in metres.
constexpr double beside_border = 1e-7;
/// What is shorter than this part of a line weighs nothing.
constexpr double least_part = 1e-13;

std::int32_t clamped(double units) {
  const double most = 2.0 * geometry::max_coordinate;
  return std::int32_t(std::clamp(units, -most, most));
}

GridBox box_of(GridPoint a, GridPoint b) {
  return {{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}};
}

GridBox box_of(const GridRing& ring) {
  GridBox box{ring[0], ring[0]};
  for (const GridPoint p : ring) {
    const GridBox more = box_of(p, p);
    box.min = {std::min(box.min.x, more.min.x), std::min(box.min.y, more.min.y)};
    box.max = {std::max(box.max.x, more.max.x), std::max(box.max.y, more.max.y)};
  }
  return box;
}

template <class Visit>
void for_each_ring(const GridPolygon& polygon, Visit&& visit) {
  visit(polygon.outer);
  for (const GridRing& hole : polygon.holes) visit(hole);
}

struct Range {
  double from = std::numeric_limits<double>::infinity(), to = -from;
  void include(const Range& other) {
    from = std::min(from, other.from);
    to = std::max(to, other.to);
  }
  [[nodiscard]] bool empty() const { return !(from < to); }
};

}  // namespace

/// A straight line by its parameter: 0 at its start, 1 at its end.
struct RegionMap::Line {
  Vec2 from, direction;
  double length = 0;

  [[nodiscard]] Vec2 at(double t) const { return from + direction * t; }
  [[nodiscard]] double parameter(Vec2 p) const { return dot(p - from, direction) / (length * length); }
  /// Signed distance of a point, positive on the left.
  [[nodiscard]] double side(Vec2 p) const { return cross(direction, p - from) / length; }

  /// Where the line is inside a circle.
  [[nodiscard]] Range inside_circle(Vec2 centre, double radius) const {
    const double off = side(centre);
    const double half2 = radius * radius - off * off;
    if (!(half2 > 0)) return {};
    const double middle = parameter(centre), half = std::sqrt(half2) / length;
    return {middle - half, middle + half};
  }

  /// Where the line is nearer to a segment than the radius, and beside it: the rectangle between the two offset edges.
  [[nodiscard]] Range beside_segment(Vec2 a, Vec2 b, double radius) const {
    const Vec2 edge = b - a;
    const double size = std::sqrt(squared_length(edge));
    Range range{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    const auto clip = [&](double at_start, double change, double low, double high) {
      if (change == 0) {
        if (!(low < at_start && at_start < high)) range = {};
        return;
      }
      const double one = (low - at_start) / change, other = (high - at_start) / change;
      range = {std::max(range.from, std::min(one, other)), std::min(range.to, std::max(one, other))};
    };
    clip(cross(edge, from - a) / size, cross(edge, direction) / size, -radius, radius);
    clip(dot(edge, from - a) / size, dot(edge, direction) / size, 0, size);
    return range.empty() ? Range{} : range;
  }

  /// Where the line is nearer to a segment than the radius: one interval, for what is near a segment is convex.
  [[nodiscard]] Range near_segment(Vec2 a, Vec2 b, double radius) const {
    Range range = inside_circle(a, radius);
    range.include(inside_circle(b, radius));
    range.include(beside_segment(a, b, radius));
    return range;
  }
};

RegionMap::RegionMap(const environment::CleanEnvironment& environment) : grid_(environment.grid), types_{""} {
  std::set<std::string> names;
  for (const auto& layer : environment.layers)
    for (const auto& region : layer.regions)
      if (!region.polygons.empty()) names.insert(region.type);
  names.erase("");
  types_.insert(types_.end(), names.begin(), names.end());
  for (const auto& layer : environment.layers) layers_.push_back(layer_of(layer));
  for (Index layer = 0; layer < layers_.size(); ++layer) find_plain_sides(layer);
  for (const auto& c : environment.connections)
    connections_.push_back({grid_.to_world(c.a), grid_.to_world(c.b), Index(c.left_layer), Index(c.right_layer)});
}

GridBox RegionMap::grid_box(Vec2 min, Vec2 max) const {
  const Vec2 low = grid_.to_units(min), high = grid_.to_units(max);
  return {{clamped(std::floor(low.x)), clamped(std::floor(low.y))},
          {clamped(std::ceil(high.x)), clamped(std::ceil(high.y))}};
}

RegionMap::LayerRegions RegionMap::layer_of(const environment::CleanLayer& layer) const {
  // Neighbours that end in the middle of an edge part it, so that each part has one neighbour only.
  std::vector<GridPoint> corners;
  std::vector<GridBox> corner_boxes;
  for (const auto& region : layer.regions)
    for (const GridPolygon& polygon : region.polygons)
      for_each_ring(polygon, [&](const GridRing& ring) {
        for (const GridPoint p : ring) corners.push_back(p), corner_boxes.push_back({p, p});
      });
  const geometry::BoxIndex corner_index(corner_boxes);

  std::vector<Edge> edges;
  std::vector<GridBox> edge_boxes, boxes;
  std::vector<GridPoint> parts;
  const auto add_edge = [&](GridPoint a, GridPoint b, Index type) {
    parts = {a, b};
    corner_index.for_each_in(box_of(a, b), [&](std::uint32_t i) {
      if (geometry::on_segment(a, b, corners[i])) parts.push_back(corners[i]);
    });
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    if (b < a) std::reverse(parts.begin(), parts.end());
    for (std::size_t i = 1; i < parts.size(); ++i) {
      edges.push_back({grid_.to_world(parts[i - 1]), grid_.to_world(parts[i]), type, false});
      edge_boxes.push_back(box_of(parts[i - 1], parts[i]));
    }
  };
  for (const auto& region : layer.regions) {
    const Index type = Index(std::lower_bound(types_.begin(), types_.end(), region.type) - types_.begin());
    for (const GridPolygon& polygon : region.polygons) {
      boxes.push_back(box_of(polygon.outer));
      for_each_ring(polygon, [&](const GridRing& ring) {
        for (std::size_t i = 0; i < ring.size(); ++i) add_edge(ring[i], ring[(i + 1) % ring.size()], type);
      });
    }
  }
  geometry::BoxIndex edge_index(edge_boxes), box_index(boxes);
  return {std::move(edges), std::move(edge_index), std::move(boxes), std::move(box_index)};
}

void RegionMap::find_plain_sides(Index layer) {
  Scratch scratch;
  const double beside = grid_.to_metres(0.25);
  for (Edge& edge : layers_[layer].edges) {
    const Vec2 along = edge.b - edge.a;
    const Vec2 right = -perpendicular(along) / std::sqrt(squared_length(along));
    edge.plain_beyond = type_at({(edge.a + edge.b) / 2 + right * beside, layer}, scratch) == 0;
  }
}

navmesh::Index RegionMap::type_at(const navmesh::Place& place, Scratch& scratch) const {
  if (place.layer >= layers_.size()) return 0;
  const LayerRegions& regions = layers_[place.layer];
  const Vec2 p = place.point;
  GridBox ray = grid_box(p, p);
  const std::int32_t none_right = ray.min.x - 1;
  std::int32_t farthest = none_right;
  regions.box_index.for_each_in(ray, [&](std::uint32_t i) { farthest = std::max(farthest, regions.boxes[i].max.x); });
  if (farthest == none_right) return 0;
  // Whose borders are crossed an odd number of times on the way right?
  ray.max.x = farthest;
  scratch.count.resize(types_.size(), 0);
  regions.edge_index.for_each_in(ray, [&](std::uint32_t i) {
    const Edge& edge = regions.edges[i];
    if ((edge.a.y > p.y) == (edge.b.y > p.y)) return;
    const double side = cross(edge.b - edge.a, p - edge.a);
    if ((side > 0) == (edge.b.y > edge.a.y)) scratch.count[edge.type] ^= 1;
  });
  Index inside = 0;
  for (Index type = 1; type < types_.size(); ++type)
    if (scratch.count[type] != 0) inside = type;
  std::fill(scratch.count.begin(), scratch.count.end(), 0);
  return inside;
}

bool RegionMap::any_near(Vec2 point, double reach) const {
  const GridBox box = grid_box(point - Vec2{reach, reach}, point + Vec2{reach, reach});
  bool found = false;
  for (const LayerRegions& regions : layers_)
    if (!found) regions.box_index.for_each_in(box, [&](std::uint32_t) { found = true; });
  return found;
}

template <class Visit>
void RegionMap::for_each_stretch(Index layer, const Line& line, Visit&& visit) const {
  double reached = 0;
  for (std::size_t crossed = 0; crossed < connections_.size() && layers_.size() > 1; ++crossed) {
    double next = 1;
    Index beyond = layer;
    for (const navmesh::Connection& c : connections_) {
      const Index other = c.left_layer == layer ? c.right_layer : c.left_layer;
      if (c.left_layer != layer && c.right_layer != layer) continue;
      // Only outwards: the layer is left behind.
      const double a = line.side(c.a), b = line.side(c.b);
      const bool leaves_to_right = b > a;
      if ((a > 0) == (b > 0) || leaves_to_right != (c.left_layer == layer)) continue;
      const double t = line.parameter(c.a + (c.b - c.a) * (a / (a - b)));
      if (t >= reached && t < next) next = t, beyond = other;
    }
    if (beyond == layer) break;
    visit(layer, reached, next);
    layer = beyond;
    reached = next;
  }
  visit(layer, reached, 1.0);
}

navmesh::Index RegionMap::centre_type(Index layer, const Line& line, double t, bool along_border, const double* weights,
                                      Scratch& scratch) const {
  const Vec2 p = line.at(t);
  if (!along_border) return type_at({p, layer}, scratch);
  const Vec2 aside = perpendicular(line.direction) * (beside_border / line.length);
  const Index left = type_at({p + aside, layer}, scratch), right = type_at({p - aside, layer}, scratch);
  return weights[right] < weights[left] ? right : left;
}

void RegionMap::feel_centre(Index layer, const Line& line, double from, double to, const double* weights,
                            Scratch& scratch) const {
  const Vec2 a = line.at(from), b = line.at(to);
  const GridBox box = grid_box({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)});
  const LayerRegions& regions = layers_[layer];
  scratch.stops = {from, to};
  bool along_border = false;
  regions.edge_index.for_each_in(box, [&](std::uint32_t i) {
    const Edge& edge = regions.edges[i];
    const double side_a = line.side(edge.a), side_b = line.side(edge.b);
    if (std::abs(side_a) <= along_tolerance && std::abs(side_b) <= along_tolerance) {
      along_border = true;
      scratch.stops.push_back(line.parameter(edge.a));
      scratch.stops.push_back(line.parameter(edge.b));
    } else if ((side_a > 0) != (side_b > 0)) {
      scratch.stops.push_back(line.parameter(edge.a + (edge.b - edge.a) * (side_a / (side_a - side_b))));
    }
  });
  std::sort(scratch.stops.begin(), scratch.stops.end());
  double reached = from;
  for (const double stop : scratch.stops) {
    const double t = std::clamp(stop, from, to);
    if (t - reached <= least_part) continue;
    const Index type = centre_type(layer, line, (reached + t) / 2, along_border, weights, scratch);
    scratch.changes.push_back({reached, type, +1});
    scratch.changes.push_back({t, type, -1});
    reached = t;
  }
}

void RegionMap::feel(Index layer, const Line& line, double from, double to, double radius, const double* weights,
                     Scratch& scratch) const {
  feel_centre(layer, line, from, to, weights, scratch);
  const double felt = radius - region_touch;
  if (!(felt > 0)) return;
  const double before = std::max(0.0, from - radius / line.length), after = std::min(1.0, to + radius / line.length);
  const Vec2 a = line.at(before), b = line.at(after), reach{radius, radius};
  const GridBox box = grid_box(Vec2{std::min(a.x, b.x), std::min(a.y, b.y)} - reach,
                               Vec2{std::max(a.x, b.x), std::max(a.y, b.y)} + reach);
  const LayerRegions& regions = layers_[layer];
  regions.edge_index.for_each_in(box, [&](std::uint32_t i) {
    const Edge& edge = regions.edges[i];
    const Range near = line.near_segment(edge.a, edge.b, felt);
    const double begins = std::max(near.from, before), ends = std::min(near.to, after);
    if (!(ends - begins > least_part)) return;
    for (const Index type : {edge.type, Index(0)}) {
      if (type == 0 && !edge.plain_beyond) continue;
      scratch.changes.push_back({begins, type, +1});
      scratch.changes.push_back({ends, type, -1});
    }
  });
}

double RegionMap::weighted_length(const navmesh::Place& from, const navmesh::Place& to, double radius,
                                  const double* weights, Scratch& scratch) const {
  const Vec2 direction = to.point - from.point;
  const Line line{from.point, direction, std::sqrt(squared_length(direction))};
  if (line.length == 0 || from.layer >= layers_.size()) return 0;
  scratch.changes.clear();
  for_each_stretch(from.layer, line, [&](Index layer, double begins, double ends) {
    feel(layer, line, begins, ends, radius, weights, scratch);
  });
  std::vector<Change>& changes = scratch.changes;
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.t != b.t ? a.t < b.t : a.type != b.type ? a.type < b.type : a.by < b.by;
  });
  scratch.count.resize(types_.size(), 0);
  double sum = 0, reached = 0;
  for (const Change& change : changes) {
    if (change.t > reached) {
      double dearest = 0;
      for (Index type = 0; type < types_.size(); ++type)
        if (scratch.count[type] > 0) dearest = std::max(dearest, weights[type]);
      sum += dearest * (change.t - reached);
      reached = change.t;
    }
    scratch.count[change.type] += change.by;
  }
  std::fill(scratch.count.begin(), scratch.count.end(), 0);
  return sum * line.length;
}

}  // namespace throng::following
