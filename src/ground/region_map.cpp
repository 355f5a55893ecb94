#include "ground/region_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

#include "geometry/elementary.hpp"
#include "geometry/tolerances.hpp"

namespace throng::ground {

namespace {

using environment::GridPolygon;
using environment::GridRing;
using geometry::GridBox;
using geometry::GridPoint;
using navmesh::Index;
using navmesh::none;

constexpr double full_turn = 6.283185307179586476925;
/// Edges within this many units of the snap grid of a line run along it: routes bend on borders that were rounded to a sixteenth.
constexpr double along_units = 0.125;
/// Sine of the angle between a line and an edge that it runs along, at most.
constexpr double most_turned = 1e-3;
/// Corners this near to a line, in metres, are touched by it: what lies before and after them is looked at apart, so that no place that
/// is asked for its type lies on a border.
constexpr double touch = 1e-8;
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

  /// Whether all of a stretch of the line that lies beside a segment is within a tolerance of it, and hardly turned against it.
  [[nodiscard]] bool runs_along(Vec2 a, Vec2 b, double begins, double ends, double tolerance) const {
    const Vec2 edge = b - a;
    const double size = std::sqrt(squared_length(edge));
    if (std::abs(cross(edge, direction)) > most_turned * size * length) return false;
    const double t_a = parameter(a), t_b = parameter(b);
    const double low = std::max(begins, std::min(t_a, t_b)), high = std::min(ends, std::max(t_a, t_b));
    const auto off = [&](double t) { return std::abs(cross(edge, at(t) - a)) / size; };
    return high > low && off(low) <= tolerance && off(high) <= tolerance;
  }

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

RegionMap::RegionMap(const environment::CleanEnvironment& environment) : grid_(environment.grid), kinds_(environment) {
  for (const auto& layer : environment.layers) layers_.push_back(layer_of(layer));
  for (Index layer = 0; layer < layers_.size(); ++layer) find_far_sides(environment.layers[layer], layer);
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
  std::vector<Index> kind_of_box;
  std::vector<GridPoint> parts;
  const auto add_edge = [&](GridPoint a, GridPoint b, Index type, Index polygon) {
    parts = {a, b};
    corner_index.for_each_in(box_of(a, b), [&](std::uint32_t i) {
      if (geometry::on_segment(a, b, corners[i])) parts.push_back(corners[i]);
    });
    std::sort(parts.begin(), parts.end());
    parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
    if (b < a) std::reverse(parts.begin(), parts.end());
    for (std::size_t i = 1; i < parts.size(); ++i) {
      edges.push_back({grid_.to_world(parts[i - 1]), grid_.to_world(parts[i]), type, polygon, 0});
      edge_boxes.push_back(box_of(parts[i - 1], parts[i]));
    }
  };
  for (const auto& region : layer.regions) {
    const Index type = kinds_.of(region);
    for (const GridPolygon& polygon : region.polygons) {
      boxes.push_back(box_of(polygon.outer));
      kind_of_box.push_back(type);
      for_each_ring(polygon, [&](const GridRing& ring) {
        for (std::size_t i = 0; i < ring.size(); ++i)
          add_edge(ring[i], ring[(i + 1) % ring.size()], type, Index(boxes.size() - 1));
      });
    }
  }
  LayerRegions regions{.base = kinds_.base(layer.layer),
                       .edges = std::move(edges),
                       .edge_index = geometry::BoxIndex(edge_boxes),
                       .borders = {},
                       .squares = {},
                       .kind_of_square = {},
                       .boxes = boxes,
                       .kind_of_box = std::move(kind_of_box),
                       .box_index = geometry::BoxIndex(boxes)};
  find_borders(regions);
  find_kinds_of_squares(regions);
  return regions;
}

/// What lies on the right of edges that no region is on the other side of is found later: plain ground, or an obstacle.
void RegionMap::find_borders(LayerRegions& regions) {
  std::map<std::array<double, 4>, std::size_t> known;  // by ends, as the one found first runs
  std::vector<std::pair<Vec2, Vec2>> segments;
  for (const Edge& edge : regions.edges) {
    if (const auto twin = known.find({edge.b.x, edge.b.y, edge.a.x, edge.a.y}); twin != known.end()) {
      regions.borders[twin->second].right = edge.type;
      continue;
    }
    known.emplace(std::array{edge.a.x, edge.a.y, edge.b.x, edge.b.y}, regions.borders.size());
    regions.borders.push_back({edge.a, edge.b, edge.type, regions.base});
    segments.emplace_back(edge.a, edge.b);
  }
  regions.squares = BorderSquares(segments);
}

/// From the right to the left: a walk to the right meets squares that are known.
void RegionMap::find_kinds_of_squares(LayerRegions& regions) {
  const BorderSquares& squares = regions.squares;
  regions.kind_of_square.assign(squares.columns() * squares.rows(), none);
  for (std::size_t row = 0; row < squares.rows(); ++row)
    for (std::size_t column = squares.columns(); column-- > 0;)
      if (squares.at(column, row).empty())
        regions.kind_of_square[row * squares.columns() + column] =
            kind_left_of_borders(regions, squares.centre(column, row)).value_or(none);
}

void RegionMap::find_far_sides(const environment::CleanLayer& layer, Index number) {
  // Whether a point is free: edges of free space crossed on the way right.
  std::vector<std::pair<Vec2, Vec2>> rims;
  std::vector<GridBox> boxes;
  for (const GridPolygon& polygon : layer.free)
    for_each_ring(polygon, [&](const GridRing& ring) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        rims.emplace_back(grid_.to_world(ring[i]), grid_.to_world(ring[(i + 1) % ring.size()]));
        boxes.push_back(box_of(ring[i], ring[(i + 1) % ring.size()]));
      }
    });
  const geometry::BoxIndex index(boxes);
  const auto is_free = [&](Vec2 p) {
    GridBox ray = grid_box(p, p);
    ray.max.x = clamped(2.0 * geometry::max_coordinate);
    bool inside = false;
    index.for_each_in(ray, [&](std::uint32_t i) {
      const auto& [a, b] = rims[i];
      if ((a.y > p.y) == (b.y > p.y)) return;
      if ((cross(b - a, p - a) > 0) == (b.y > a.y)) inside = !inside;
    });
    return inside;
  };
  Scratch scratch;
  const double beside = grid_.to_metres(0.25);
  for (Edge& edge : layers_[number].edges) {
    const Vec2 along = edge.b - edge.a;
    const Vec2 right = -perpendicular(along) / std::sqrt(squared_length(along));
    const Vec2 there = (edge.a + edge.b) / 2 + right * beside;
    edge.beyond = type_at({there, number}, scratch);
    if (edge.beyond == layers_[number].base && !is_free(there)) edge.beyond = none;
  }
  std::map<std::array<double, 4>, Index> beyond;
  for (const Edge& edge : layers_[number].edges)
    beyond.emplace(std::array{edge.a.x, edge.a.y, edge.b.x, edge.b.y}, edge.beyond);
  for (Border& border : layers_[number].borders)
    if (border.right == layers_[number].base)
      border.right = beyond.at({border.a.x, border.a.y, border.b.x, border.b.y});
}

navmesh::Index RegionMap::type_at(const navmesh::Place& place, Scratch& scratch) const {
  if (place.layer >= layers_.size()) return 0;
  const LayerRegions& regions = layers_[place.layer];
  if (!regions.squares.covers(place.point)) return regions.base;
  const std::optional<Index> kind = kind_left_of_borders(regions, place.point);
  return kind ? *kind : kind_by_parity(regions, place.point, scratch);
}

/// What lies on the left of the first border to the right of the point; nothing where two are too close to tell which is the first.
std::optional<navmesh::Index> RegionMap::kind_left_of_borders(const LayerRegions& regions, Vec2 p) {
  const BorderSquares& squares = regions.squares;
  const std::size_t row = squares.row_of(p.y);
  for (std::size_t column = squares.column_of(p.x); column < squares.columns(); ++column) {
    if (const Index known = regions.kind_of_square[row * squares.columns() + column]; known != none) return known;
    // Borders that leave one corner begin at the same place: the one that leans left most is the first above it.
    double first = std::numeric_limits<double>::infinity(), second = first, leans = 0;
    Index left = none;
    for (const std::uint32_t i : squares.at(column, row)) {
      const Border& border = regions.borders[i];
      if ((border.a.y > p.y) == (border.b.y > p.y)) continue;
      const bool up = border.b.y > border.a.y;
      if ((cross(border.b - border.a, p - border.a) > 0) != up) continue;
      const Vec2 low = up ? border.a : border.b, high = up ? border.b : border.a;
      const double lean = (high.x - low.x) / (high.y - low.y), at = low.x + lean * (p.y - low.y);
      if (at > first || (at == first && lean > leans)) {
        if (at > first) second = std::min(second, at);
        continue;
      }
      if (at < first) second = first;
      first = at, leans = lean, left = up ? border.left : border.right;
    }
    if (second - first < touch) return std::nullopt;
    if (first <= squares.right_of(column)) return left == none ? regions.base : left;
  }
  return regions.base;
}

navmesh::Index RegionMap::kind_by_parity(const LayerRegions& regions, Vec2 p, Scratch& scratch) const {
  const BorderSquares& squares = regions.squares;
  // Whose borders are crossed an odd number of times on the way right?
  scratch.count.resize(kinds_.size(), 0);
  scratch.in_row.clear();
  const std::size_t row = squares.row_of(p.y);
  for (std::size_t column = squares.column_of(p.x); column < squares.columns(); ++column)
    for (const std::uint32_t i : squares.at(column, row)) scratch.in_row.push_back(i);
  std::sort(scratch.in_row.begin(), scratch.in_row.end());
  scratch.in_row.erase(std::unique(scratch.in_row.begin(), scratch.in_row.end()), scratch.in_row.end());
  for (const std::uint32_t i : scratch.in_row) {
    const Border& border = regions.borders[i];
    if ((border.a.y > p.y) == (border.b.y > p.y)) continue;
    if ((cross(border.b - border.a, p - border.a) > 0) != (border.b.y > border.a.y)) continue;
    for (const Index kind : {border.left, border.right})
      if (kind != none) scratch.count[kind] ^= 1;
  }
  Index inside = regions.base;
  for (Index type = 1; type < kinds_.size(); ++type)
    if (scratch.count[type] != 0 && type != regions.base) inside = type;
  std::fill(scratch.count.begin(), scratch.count.end(), 0);
  return inside;
}

double RegionMap::least_way_by(navmesh::Index kind, Vec2 from, Vec2 to) const {
  double least = std::numeric_limits<double>::infinity();
  const auto away = [&](Vec2 p, const GridBox& box) {
    const Vec2 low = grid_.to_world(box.min), high = grid_.to_world(box.max);
    return distance(p, {std::clamp(p.x, low.x, high.x), std::clamp(p.y, low.y, high.y)});
  };
  for (const LayerRegions& layer : layers_) {
    if (layer.base == kind) return distance(from, to);
    for (std::size_t i = 0; i < layer.boxes.size(); ++i)
      if (layer.kind_of_box[i] == kind)
        least = std::min(least, std::max(distance(from, to), away(from, layer.boxes[i]) + away(to, layer.boxes[i])));
  }
  return least;
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

navmesh::Index RegionMap::centre_type(Index layer, const Line& line, double t, const double* weights,
                                      Scratch& scratch) const {
  Index cheapest = none;
  for (const std::uint32_t i : scratch.along) {
    const Edge& edge = layers_[layer].edges[i];
    const double a = line.parameter(edge.a), b = line.parameter(edge.b);
    if (t < std::min(a, b) || t > std::max(a, b)) continue;
    for (const Index type : {edge.type, edge.beyond})
      if (type != none && (cheapest == none || weights[type] < weights[cheapest])) cheapest = type;
  }
  return cheapest != none ? cheapest : type_at({line.at(t), layer}, scratch);
}

void RegionMap::feel_centre(Index layer, const Line& line, double from, double to, const double* weights,
                            Scratch& scratch) const {
  const Vec2 a = line.at(from), b = line.at(to);
  const GridBox box = grid_box({std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)});
  const LayerRegions& regions = layers_[layer];
  scratch.stops = {from, to};
  scratch.along.clear();
  const double along_tolerance = grid_.to_metres(along_units);
  regions.edge_index.for_each_in(box, [&](std::uint32_t i) {
    const Edge& edge = regions.edges[i];
    const double side_a = line.side(edge.a), side_b = line.side(edge.b);
    if (line.runs_along(edge.a, edge.b, from, to, along_tolerance)) {
      scratch.along.push_back(i);
      scratch.stops.push_back(line.parameter(edge.a));
      scratch.stops.push_back(line.parameter(edge.b));
    } else if ((side_a > 0) != (side_b > 0)) {
      scratch.stops.push_back(line.parameter(edge.a + (edge.b - edge.a) * (side_a / (side_a - side_b))));
    }
    if (std::abs(side_a) <= touch) scratch.stops.push_back(line.parameter(edge.a));
    if (std::abs(side_b) <= touch) scratch.stops.push_back(line.parameter(edge.b));
  });
  std::sort(scratch.stops.begin(), scratch.stops.end());
  double reached = from;
  for (const double stop : scratch.stops) {
    const double t = std::clamp(stop, from, to);
    if (t - reached <= least_part) continue;
    const Index type = centre_type(layer, line, (reached + t) / 2, weights, scratch);
    scratch.changes.push_back({reached, type, +1});
    scratch.changes.push_back({t, type, -1});
    reached = t;
  }
}

void RegionMap::feel(Index layer, const Line& line, double from, double to, double radius, const double* weights,
                     Scratch& scratch) const {
  feel_centre(layer, line, from, to, weights, scratch);
  const Index base = layers_[layer].base;
  if (base != 0) {
    scratch.changes.push_back({from, base, +1});
    scratch.changes.push_back({to, base, -1});
  }
  const double felt = radius - tolerance::distinct;
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
    for (const Index type : {edge.type, regions.base}) {
      if (type == regions.base && edge.beyond != regions.base) continue;
      scratch.changes.push_back({begins, type, +1});
      scratch.changes.push_back({ends, type, -1});
    }
  });
}

/// The row for whoever walks that way, a number a kind.
const double* RegionMap::in_direction(const double* weights, Vec2 along, Scratch& scratch) const {
  if (!kinds_.slopes()) return weights;
  weights_in_direction(kinds_, weights, along, scratch.row);
  return scratch.row.data();
}

double RegionMap::weighted_length(const navmesh::Place& from, const navmesh::Place& to, double radius,
                                  const double* weights, Scratch& scratch, std::span<double> metres) const {
  const Vec2 direction = to.point - from.point;
  const Line line{from.point, direction, std::sqrt(squared_length(direction))};
  if (line.length == 0 || from.layer >= layers_.size()) return 0;
  weights = in_direction(weights, direction / line.length, scratch);
  scratch.changes.clear();
  for_each_stretch(from.layer, line, [&](Index layer, double begins, double ends) {
    feel(layer, line, begins, ends, radius, weights, scratch);
  });
  std::vector<Change>& changes = scratch.changes;
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.t != b.t ? a.t < b.t : a.type != b.type ? a.type < b.type : a.by < b.by;
  });
  scratch.count.resize(kinds_.size(), 0);
  double sum = 0, reached = 0;
  for (const Change& change : changes) {
    if (change.t > reached) {
      Index dearest = none;
      for (Index type = 0; type < kinds_.size(); ++type)
        if (scratch.count[type] > 0 && (dearest == none || weights[type] > weights[dearest])) dearest = type;
      if (dearest != none) {
        sum += weights[dearest] * (change.t - reached);
        if (!metres.empty()) metres[dearest] += (change.t - reached) * line.length;
      }
      reached = change.t;
    }
    scratch.count[change.type] += change.by;
  }
  std::fill(scratch.count.begin(), scratch.count.end(), 0);
  return sum * line.length;
}

/// An arc by its parameter: 0 at its start, 1 at its end.
struct RegionMap::Arc {
  Vec2 centre, first;  ///< first: from the centre to the start
  double radius = 0, turn = 0;

  [[nodiscard]] Vec2 at(double t) const {
    const Vec2 u = geometry::unit_direction(turn * t / full_turn);
    return centre + Vec2{first.x * u.x - first.y * u.y, first.x * u.y + first.y * u.x};
  }
  /// Of a point on its circle; beyond 1 where the arc ends before it.
  [[nodiscard]] double parameter(Vec2 on_circle) const {
    const Vec2 d = on_circle - centre;
    double angle = geometry::arc_tangent(cross(first, d), dot(first, d));
    if (turn < 0) angle = -angle;
    if (angle < 0) angle += full_turn;
    return angle / std::abs(turn);
  }
};

/// Where the arc may begin or cease to feel an edge: where its circle meets the edge's line, the lines beside it at the felt radius, and
/// the circles around its ends.
void RegionMap::stop_arc_at(const LayerRegions& regions, const Arc& arc, double felt, Scratch& scratch) const {
  const auto stop = [&](Vec2 on_circle) {
    if (const double t = arc.parameter(on_circle); t < 1) scratch.stops.push_back(t);
  };
  const auto meet_line = [&](Vec2 a, Vec2 along, double off) {
    const Vec2 normal = perpendicular(along);
    const double away = dot(arc.centre - a, normal) - off, half2 = arc.radius * arc.radius - away * away;
    if (!(half2 >= 0)) return;
    const Vec2 foot = arc.centre - normal * away, half = along * std::sqrt(half2);
    stop(foot + half), stop(foot - half);
  };
  const auto meet_circle = [&](Vec2 centre) {
    const Vec2 between = centre - arc.centre;
    const double size2 = squared_length(between);
    if (size2 == 0) return;
    const double part = (size2 + arc.radius * arc.radius - felt * felt) / (2 * size2);
    const double half2 = arc.radius * arc.radius / size2 - part * part;
    if (!(half2 >= 0)) return;
    const Vec2 foot = arc.centre + between * part, half = perpendicular(between) * std::sqrt(half2);
    stop(foot + half), stop(foot - half);
  };
  for (const std::uint32_t i : scratch.near) {
    const Edge& edge = regions.edges[i];
    const Vec2 along = (edge.b - edge.a) / std::sqrt(squared_length(edge.b - edge.a));
    meet_line(edge.a, along, 0);
    if (!(felt > 0)) continue;
    meet_line(edge.a, along, felt), meet_line(edge.a, along, -felt);
    meet_circle(edge.a), meet_circle(edge.b);
  }
}

/// Where it turns from uphill to downhill.
void RegionMap::stop_arc_at_slopes(const Arc& arc, Scratch& scratch) const {
  for (std::size_t k = 0; k < kinds_.size() && kinds_.slopes(); ++k) {
    if (!kinds_[k].slopes()) continue;
    for (const double side : {arc.radius, -arc.radius})
      if (const double t = arc.parameter(arc.centre + kinds_[k].uphill * side); t < 1) scratch.stops.push_back(t);
  }
}

navmesh::Index RegionMap::dearest_at(Index layer, Vec2 point, double felt, const double* weights,
                                     Scratch& scratch) const {
  Index dearest = type_at({point, layer}, scratch);
  const auto feel_type = [&](Index type) {
    if (weights[type] > weights[dearest]) dearest = type;
  };
  if (layers_[layer].base != 0) feel_type(layers_[layer].base);
  if (!(felt > 0)) return dearest;
  for (const std::uint32_t i : scratch.near) {
    const Edge& edge = layers_[layer].edges[i];
    const Vec2 d = edge.b - edge.a;
    const double t = std::clamp(dot(point - edge.a, d) / squared_length(d), 0.0, 1.0);
    if (!(squared_length(edge.a + d * t - point) < felt * felt)) continue;
    feel_type(edge.type);
    if (edge.beyond == layers_[layer].base) feel_type(edge.beyond);
  }
  return dearest;
}

double RegionMap::weighted_arc(const navmesh::Place& from, Vec2 centre, double turn, double radius,
                               const double* weights, Scratch& scratch, std::span<double> metres) const {
  const Arc arc{centre, from.point - centre, std::sqrt(squared_length(from.point - centre)), turn};
  if (turn == 0 || arc.radius == 0 || from.layer >= layers_.size()) return 0;
  const double felt = std::max(0.0, radius - tolerance::distinct);
  const Vec2 reach{arc.radius + felt, arc.radius + felt};
  const LayerRegions& regions = layers_[from.layer];
  scratch.near.clear();
  regions.edge_index.for_each_in(grid_box(centre - reach, centre + reach),
                                 [&](std::uint32_t i) { scratch.near.push_back(i); });
  scratch.stops = {0, 1};
  stop_arc_at(regions, arc, felt, scratch);
  stop_arc_at_slopes(arc, scratch);
  std::sort(scratch.stops.begin(), scratch.stops.end());
  const double length = arc.radius * std::abs(turn);
  double sum = 0, reached = 0;
  for (const double t : scratch.stops) {
    if (t - reached <= least_part) continue;
    const Vec2 middle = arc.at((reached + t) / 2), out = (middle - centre) / arc.radius;
    const Vec2 ahead = turn > 0 ? perpendicular(out) : -perpendicular(out);
    const Index dearest = dearest_at(from.layer, middle, felt, in_direction(weights, ahead, scratch), scratch);
    const Vec2 uphill = kinds_[dearest].uphill;
    sum += weights[dearest] * (t - reached);
    if (kinds_[dearest].slopes() && std::isfinite(weights[dearest])) {
      // How much the arc rises is how far it gets uphill, and it goes one way only.
      const double rise = dot(arc.at(t) - arc.at(reached), uphill) / length;
      const std::size_t which = dot(ahead, uphill) > 0 ? 1 : 2;
      const double steep = weights[which * kinds_.size() + dearest] - weights[dearest];
      sum += which == 1 ? steep * rise : -steep * rise;
    }
    if (!metres.empty()) metres[dearest] += (t - reached) * length;
    reached = t;
  }
  return sum * length;
}

}  // namespace throng::ground
