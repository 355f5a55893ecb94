#include "support/walled_surface.hpp"

#include <algorithm>
#include <cmath>

#include "support/brute_force.hpp"

namespace throng::test {
namespace {

using Edge = WalledSurface::Edge;

/// Units by which clipping keeps more than it should: a wall in line with a connection ends on its line, and counts on both sides.
constexpr double on_the_line = 1e-6;

Vec2 in_units(environment::GridPoint p) { return {double(p.x), double(p.y)}; }

/// How far along p-q an edge is met strictly between the ends of both, or an end of it is; nothing where it is not.
std::optional<double> meeting(Vec2 p, Vec2 q, Vec2 c, Vec2 d) {
  const Vec2 way = q - p;
  const double side_c = cross(way, c - p), side_d = cross(way, d - p);
  const auto along = [&](Vec2 end) -> std::optional<double> {
    const double t = dot(end - p, way) / squared_length(way);
    if (end == p || end == q || t <= 0 || t >= 1) return std::nullopt;
    return t;
  };
  if (side_c == 0 && side_d == 0) {
    const auto at_c = along(c), at_d = along(d);
    return at_c && at_d ? std::min(at_c, at_d) : at_c ? at_c : at_d;
  }
  if (side_c == 0) return along(c);
  if (side_d == 0) return along(d);
  const double side_p = cross(d - c, p - c), side_q = cross(d - c, q - c);
  if ((side_c < 0) == (side_d < 0) || side_p == 0 || side_q == 0 || (side_p < 0) == (side_q < 0)) return std::nullopt;
  return side_p / (side_p - side_q);
}

Vec2 nearest_on_segment(Vec2 p, Vec2 a, Vec2 b) {
  const double square = squared_length(b - a);
  return square == 0 ? a : a + (b - a) * std::clamp(dot(p - a, b - a) / square, 0.0, 1.0);
}

}  // namespace

/// The points x with dot(inward, x - on) >= 0; `inward` is of length one.
struct WalledSurface::HalfPlane {
  Vec2 on, inward;
  [[nodiscard]] double height(Vec2 x) const { return dot(inward, x - on); }

  static HalfPlane left_of(const Edge& edge) {
    return {edge.a, perpendicular(edge.b - edge.a) / std::sqrt(squared_length(edge.b - edge.a))};
  }
  /// The side of an edge that holds a point of its layer.
  static HalfPlane beside(const Edge& edge, Vec2 x) {
    const HalfPlane left = left_of(edge);
    return left.height(x) >= -on_the_line ? left : left.opposite();
  }
  [[nodiscard]] HalfPlane opposite() const { return {on, -inward}; }
};

/// All that is nearer than `radius` to the line p-q.
struct WalledSurface::Disc {
  Vec2 p, q;
  double radius;

  [[nodiscard]] bool meets(Vec2 a, Vec2 b) const {
    // Nearly all that a square lists lie on one side.
    const Vec2 way = q - p;
    const double side_a = cross(way, a - p), side_b = cross(way, b - p);
    if ((side_a > 0) == (side_b > 0)) {
      const double least = std::min(std::abs(side_a), std::abs(side_b));
      if (least * least > radius * radius * squared_length(way)) return false;
    }
    return distance_of_segments(p, q, a, b) < radius;
  }
  /// The same for what half-planes leave of an edge.
  [[nodiscard]] bool meets(Vec2 a, Vec2 b, const std::vector<HalfPlane>& part) const {
    for (const HalfPlane& half : part) {
      const double at_a = half.height(a) + on_the_line, at_b = half.height(b) + on_the_line;
      if (at_a < 0 && at_b < 0) return false;
      const Vec2 cut = a + (b - a) * (at_a / (at_a - at_b));
      if (at_a < 0) a = cut;
      if (at_b < 0) b = cut;
    }
    return meets(a, b);
  }
  /// The point of an edge that is nearest to the line.
  [[nodiscard]] Vec2 nearest(const Edge& e) const {
    if (const auto t = meeting(p, q, e.a, e.b)) return p + (q - p) * *t;
    Vec2 best = nearest_on_segment(p, e.a, e.b);
    double least = squared_length(best - p);
    const auto offer = [&](Vec2 on_edge, Vec2 on_line) {
      if (squared_length(on_edge - on_line) >= least) return;
      least = squared_length(on_edge - on_line);
      best = on_edge;
    };
    offer(nearest_on_segment(q, e.a, e.b), q);
    offer(e.a, nearest_on_segment(e.a, p, q));
    offer(e.b, nearest_on_segment(e.b, p, q));
    return best;
  }
};

WalledSurface::WalledSurface(const environment::CleanEnvironment& world) : grids_(world.layers.size()) {
  for (std::size_t layer = 0; layer < world.layers.size(); ++layer) add_layer(world, layer);
  for (const environment::CleanConnection& connection : world.connections) join(connection);
  looked_at_.assign(edges_.size(), 0);
  for (std::size_t layer = 0; layer < grids_.size(); ++layer) make_grid(layer);
}

void WalledSurface::add_layer(const environment::CleanEnvironment& world, std::size_t layer) {
  const auto add_ring = [&](const environment::GridRing& ring) {
    for (std::size_t i = 0; i < ring.size(); ++i)
      edges_.push_back({in_units(ring[i]), in_units(ring[(i + 1) % ring.size()]), layer});
  };
  for (const environment::GridPolygon& polygon : world.layers[layer].free) {
    add_ring(polygon.outer);
    for (const environment::GridRing& hole : polygon.holes) add_ring(hole);
  }
  for (const environment::Wall& wall : world.layers[layer].walls)
    for (std::size_t i = 1; i < wall.points.size(); ++i)
      edges_.push_back({in_units(wall.points[i - 1]), in_units(wall.points[i]), layer, true});
}

void WalledSurface::join(const environment::CleanConnection& connection) {
  const auto find = [&](environment::GridPoint a, environment::GridPoint b, std::size_t layer) {
    const auto same = [&](const Edge& e) { return e.layer == layer && e.a == in_units(a) && e.b == in_units(b); };
    return std::size_t(std::find_if(edges_.begin(), edges_.end(), same) - edges_.begin());
  };
  const std::size_t left = find(connection.a, connection.b, connection.left_layer);
  const std::size_t right = find(connection.b, connection.a, connection.right_layer);
  edges_[left].twin = right;
  edges_[right].twin = left;
}

void WalledSurface::make_grid(std::size_t layer) {
  Grid& grid = grids_[layer];
  Vec2 min{INFINITY, INFINITY}, max{-INFINITY, -INFINITY};
  std::size_t count = 0;
  for (const Edge& e : edges_) {
    if (e.layer != layer) continue;
    ++count;
    for (const Vec2 p : {e.a, e.b}) {
      min = {std::min(min.x, p.x), std::min(min.y, p.y)};
      max = {std::max(max.x, p.x), std::max(max.y, p.y)};
    }
  }
  if (count == 0) return;
  grid.origin = min;
  grid.square = std::max(1.0, std::sqrt((max.x - min.x) * (max.y - min.y) / double(2 * count)));
  grid.columns = std::size_t((max.x - min.x) / grid.square) + 1;
  grid.rows = std::size_t((max.y - min.y) / grid.square) + 1;
  grid.edges.resize(grid.columns * grid.rows);
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    if (edges_[i].layer != layer) continue;
    grid.along(edges_[i].a, edges_[i].b, beside_squares,
               [&](std::size_t square) { return grid.edges[square].push_back(std::uint32_t(i)), true; });
  }
}

std::size_t WalledSurface::connection_at(const SurfacePoint& place) const {
  std::size_t found = nothing;
  if (grids_.size() == 1) return found;
  near_line(place.layer, place.at, place.at, on_the_line, [&](std::size_t i) {
    const Edge& e = edges_[i];
    const double along = dot(place.at - e.a, e.b - e.a) / squared_length(e.b - e.a);
    if (!e.is_wall() && along > 0 && along < 1 && place.at != e.a && place.at != e.b &&
        std::abs(HalfPlane::left_of(e).height(place.at)) <= on_the_line)
      found = i;
    return true;
  });
  return found;
}

bool WalledSurface::is_in(const SurfacePoint& place, std::size_t layer) const {
  if (place.layer == layer) return true;
  const std::size_t connection = connection_at(place);
  return connection != nothing && edges_[edges_[connection].twin].layer == layer;
}

std::optional<std::size_t> WalledSurface::sight(const SurfacePoint& from, Vec2 to) const {
  std::size_t layer = from.layer, entered = connection_at(from);
  if (entered != nothing && cross(edges_[entered].b - edges_[entered].a, to - from.at) < 0) {
    entered = edges_[entered].twin;
    layer = edges_[entered].layer;
  }
  double reached = 0;
  for (;;) {
    double next = INFINITY;
    std::size_t met = nothing;
    near_line(layer, from.at, to, 0, [&](std::size_t i) {
      const auto t = i == entered ? std::nullopt : meeting(from.at, to, edges_[i].a, edges_[i].b);
      if (!t || *t < reached || *t > next) return true;
      met = i;
      next = *t;
      return grids_.size() > 1;  // with one layer the first will do
    });
    if (next == INFINITY) return layer;
    if (edges_[met].is_wall()) return std::nullopt;
    const auto ends = [&](Vec2 end) { return cross(to - from.at, end - from.at) == 0; };
    if (ends(edges_[met].a) || ends(edges_[met].b)) return std::nullopt;
    entered = edges_[met].twin;
    layer = edges_[entered].layer;
    reached = next;
  }
}

bool WalledSurface::has_wall(std::size_t layer, Vec2 a, Vec2 b) const {
  bool found = false;
  near_line(layer, a, a, 0, [&](std::size_t i) {
    const Edge& e = edges_[i];
    found = e.is_wall() && ((e.a == a && e.b == b) || (e.a == b && e.b == a));
    return !found;
  });
  return found;
}

bool WalledSurface::keeps_clear(const Disc& disc, const SurfacePoint& in, std::size_t entered,
                                const std::vector<HalfPlane>& part) const {
  std::vector<std::size_t> met;
  near_line(in.layer, disc.p, disc.q, disc.radius, [&](std::size_t i) {
    if (i == entered || !disc.meets(edges_[i].a, edges_[i].b, part)) return true;
    met.push_back(i);
    return grids_.size() > 1;  // with one layer the first will do
  });
  // Connections cut the disc's way from side to side, for their ends are walls: what is not on this point's side of all is elsewhere.
  std::vector<HalfPlane> here = part;
  for (const std::size_t i : met)
    if (!edges_[i].is_wall()) here.push_back(HalfPlane::beside(edges_[i], in.at));
  for (const std::size_t i : met)
    if (edges_[i].is_wall() && disc.meets(edges_[i].a, edges_[i].b, here)) return false;
  for (const std::size_t i : met) {
    if (edges_[i].is_wall() || !disc.meets(edges_[i].a, edges_[i].b, here)) continue;
    const HalfPlane beyond = HalfPlane::beside(edges_[i], in.at).opposite();
    const Edge& twin = edges_[edges_[i].twin];
    std::vector<HalfPlane> there = part;
    there.push_back(beyond);
    const Vec2 behind = disc.nearest(edges_[i]) + beyond.inward * on_the_line;
    if (!keeps_clear(disc, {behind, twin.layer}, edges_[i].twin, there)) return false;
  }
  return true;
}

std::optional<std::size_t> WalledSurface::slide(const SurfacePoint& from, Vec2 to, double radius) const {
  if (!keeps_clear({from.at, to, radius}, from, nothing, {})) return std::nullopt;
  // The middle of a disc that keeps clear of walls meets none, nor the end of a connection.
  return grids_.size() == 1 || from.at == to ? from.layer : sight(from, to);
}

}  // namespace throng::test
