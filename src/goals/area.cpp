#include "goals/area.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "environment/shapes.hpp"
#include "environment/sketch.hpp"
#include "geometry/box_index.hpp"
#include "geometry/overlay.hpp"
#include "geometry/tolerances.hpp"
#include "geometry/trapezoids.hpp"
#include "text/nearest_name.hpp"

namespace throng::goals {
namespace {

using environment::CleanEnvironment;
using geometry::GridPoint;
using geometry::GridPolygon;
using geometry::GridRing;

Problem refuse(ProblemCode code, std::string message) { return {Severity::error, code, {}, std::move(message)}; }

bool on_border(const std::vector<Vec2>& ring, Vec2 p) {
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 a = ring[i], d = ring[(i + 1) % ring.size()] - a;
    const double part = std::clamp(dot(p - a, d) / squared_length(d), 0.0, 1.0);
    if (squared_length(p - (a + d * part)) <= tolerance::distinct * tolerance::distinct) return true;
  }
  return false;
}

geometry::GridBox box_of(const GridRing& ring) {
  geometry::GridBox box{ring[0], ring[0]};
  for (const GridPoint p : ring) {
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
}

/// What of a ring lies in polygons; nothing where it is not simple.
std::optional<std::vector<GridPolygon>> cut_to(const std::vector<GridPolygon>& free, const GridRing& ring) {
  geometry::Overlay overlay;
  const geometry::Overlay::Id drawn = overlay.add_part(std::span(&ring, 1));
  const geometry::GridBox box = box_of(ring);
  for (const GridPolygon& polygon : free) {
    if (!overlap(box_of(polygon.outer), box)) continue;
    std::vector<GridRing> rings{polygon.outer};
    for (const GridRing& hole : polygon.holes)
      if (overlap(box_of(hole), box)) rings.push_back(hole);
    overlay.add_part(rings);
  }
  if (overlay.self_crossing(drawn)) return std::nullopt;
  if (!overlay.arrange(geometry::HotFirst::end_points)) return std::nullopt;
  std::vector<std::int32_t> labels(overlay.graph().face_count(), geometry::no_label);
  int covering = 0;
  bool inside = false, simple = true;
  overlay.walk([&](auto owner, bool now) { owner == drawn ? void(inside = now) : void(covering += now ? 1 : -1); },
               [&](auto face) {
                 if (inside && covering > 0) labels[face] = 0;
               },
               [&](auto owner, auto, int) { simple = simple && owner != drawn; });
  if (!simple) return std::nullopt;
  return face_polygons(overlay.graph(), labels, 1, std::vector<bool>(overlay.graph().vertex_count(), false))[0];
}

Problem no_such_area(const CleanEnvironment& environment, std::string_view name, Index layer) {
  std::vector<std::string_view> known;
  for (std::size_t l = 0; l < environment.layers.size(); ++l)
    if (layer == none || l == layer)
      for (const environment::CleanArea& area : environment.layers[l].areas) known.push_back(area.name);
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  const std::string where =
      layer == none ? std::string() : " in layer " + environment::in_quotes(environment.layers[layer].layer.id);
  return refuse(ProblemCode::value,
                fmt::format("there is no area {}{}", environment::suggest(name, known), known.empty() ? where : ""));
}

}  // namespace

void Area::add(const CleanEnvironment& environment, const std::vector<GridPolygon>& polygons, Index layer) {
  const geometry::SnapGrid& grid = environment.grid;
  for (const GridPolygon& polygon : polygons) {
    Part part{layer, {}, grid.to_world(box_of(polygon.outer).min), grid.to_world(box_of(polygon.outer).max)};
    const auto add_ring = [&](const GridRing& ring) {
      std::vector<Vec2>& points = part.rings.emplace_back();
      for (const GridPoint p : ring) points.push_back(grid.to_world(p));
    };
    add_ring(polygon.outer);
    for (const GridRing& hole : polygon.holes) add_ring(hole);
    parts_.push_back(std::move(part));
  }
  for (const geometry::Trapezoid& t : geometry::cut_into_trapezoids(polygons)) {
    const Vec2 a = grid.to_world(Vec2{t.left_low, t.low}), b = grid.to_world(Vec2{t.right_low, t.low});
    const Vec2 c = grid.to_world(Vec2{t.right_high, t.high}), d = grid.to_world(Vec2{t.left_high, t.high});
    add_triangle(a, b, c, layer);
    add_triangle(a, c, d, layer);
  }
}

void Area::add_triangle(Vec2 a, Vec2 b, Vec2 c, Index layer) {
  const double area = cross(b - a, c - a) / 2;
  if (!(area > 0)) return;
  triangles_.push_back({a, b, c, layer, square_metres_});
  square_metres_ += area;
}

Result<Area> Area::named(const CleanEnvironment& environment, std::string_view name, Index layer) {
  if (layer != none && layer >= environment.layers.size())
    return refuse(ProblemCode::value, fmt::format("there is no layer number {}", layer));
  Area area;
  area.name_ = name;
  for (std::size_t l = 0; l < environment.layers.size(); ++l) {
    if (layer != none && l != layer) continue;
    for (const environment::CleanArea& candidate : environment.layers[l].areas)
      if (candidate.name == name) area.add(environment, candidate.polygons, Index(l));
  }
  if (area.triangles_.empty()) return no_such_area(environment, name, layer);
  return area;
}

Result<Area> Area::drawn(const CleanEnvironment& environment, const std::vector<Vec2>& ring, Index layer) {
  if (layer >= environment.layers.size())
    return refuse(ProblemCode::value, fmt::format("there is no layer number {}", layer));
  environment::ClosedRing closed;
  if (const auto complaint = environment::make_ring(ring, closed)) return refuse(complaint->code, complaint->message);
  GridRing snapped;
  for (const Vec2 p : closed.ring) {
    if (!environment.grid.contains(p))
      return refuse(ProblemCode::geometry, fmt::format("{} is far outside the environment", environment::to_string(p)));
    const GridPoint q = environment.grid.snap(p);
    if (snapped.empty() || snapped.back() != q) snapped.push_back(q);
  }
  while (snapped.size() > 1 && snapped.front() == snapped.back()) snapped.pop_back();
  if (snapped.size() < 3 || geometry::twice_area(snapped) == 0)
    return refuse(ProblemCode::geometry, "the polygon has no area");
  const auto polygons = cut_to(environment.layers[layer].free, snapped);
  if (!polygons) return refuse(ProblemCode::geometry, "the polygon crosses itself");
  Area area;
  area.add(environment, *polygons, layer);
  if (area.triangles_.empty()) return refuse(ProblemCode::geometry, "nothing of the polygon is free space");
  return area;
}

double Area::border_length() const {
  double sum = 0;
  for (const Part& part : parts_)
    for (const std::vector<Vec2>& ring : part.rings)
      for (std::size_t i = 0; i < ring.size(); ++i)
        sum += std::sqrt(squared_length(ring[(i + 1) % ring.size()] - ring[i]));
  return sum;
}

std::vector<navmesh::Place> Area::border(double spacing) const {
  std::vector<navmesh::Place> places;
  for (const Part& part : parts_)
    for (const std::vector<Vec2>& ring : part.rings)
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 side = ring[(i + 1) % ring.size()] - ring[i];
        const double parts = std::max(1.0, std::ceil(std::sqrt(squared_length(side)) / spacing));
        for (double k = 0; k < parts; ++k) places.push_back({ring[i] + side * (k / parts), part.layer});
      }
  return places;
}

std::vector<Area::Extent> Area::extents() const {
  std::vector<Extent> all;
  for (const Part& part : parts_) {
    // Parts are added layer by layer.
    if (all.empty() || all.back().layer != part.layer) all.push_back({part.layer, part.low, part.high});
    Extent& extent = all.back();
    extent.low = {std::min(extent.low.x, part.low.x), std::min(extent.low.y, part.low.y)};
    extent.high = {std::max(extent.high.x, part.high.x), std::max(extent.high.y, part.high.y)};
  }
  return all;
}

bool Area::contains(const navmesh::Place& place) const {
  const Vec2 p = place.point;
  return std::any_of(parts_.begin(), parts_.end(), [&](const Part& part) {
    if (part.layer != place.layer) return false;
    if (!(p.x >= part.low.x - tolerance::distinct && p.x <= part.high.x + tolerance::distinct &&
          p.y >= part.low.y - tolerance::distinct && p.y <= part.high.y + tolerance::distinct))
      return false;
    bool inside = false;
    for (const std::vector<Vec2>& ring : part.rings) {
      if (on_border(ring, p)) return true;
      inside ^= environment::contains(ring, p);
    }
    return inside;
  });
}

navmesh::Place Area::sample(double u, double v, double w) const {
  const double at = u * square_metres_;
  const auto behind = std::upper_bound(triangles_.begin(), triangles_.end(), at,
                                       [](double value, const Triangle& t) { return value < t.before; });
  const Triangle& t = *std::prev(behind);  // the first begins at 0
  if (v + w > 1) v = 1 - v, w = 1 - w;     // the other half of the parallelogram, folded over
  return {t.a + (t.b - t.a) * v + (t.c - t.a) * w, t.layer};
}

}  // namespace throng::goals
