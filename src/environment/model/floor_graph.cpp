#include "environment/model/floor_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "environment/model/surface_reader.hpp"
#include "geometry/elementary.hpp"

namespace throng::environment {
namespace {

using geometry::GridBox;
using geometry::GridPoint;
using geometry::Vec3;

/// Floors that lean less are flat: the fall of a bathroom or a platform, not a ramp.
constexpr double flat_degrees = 3;
/// Flat floors that differ by less in height are one.
constexpr double same_height = 0.02;
/// Flat floors joined by steps are treads where twice their area by their border is below this.
constexpr double widest_tread = 0.5;
/// Square metres below which floor that leads nowhere is left out: tops of tables.
constexpr double least_island = 2;
/// Square metres of overlap that are rounding only.
constexpr double no_overlap = 1e-4;

class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

/// Vertices within `weld` of an earlier one take its place.
std::vector<Vec3> welded(const std::vector<Vec3>& vertices, double weld) {
  struct Hash {
    std::size_t operator()(const std::array<std::int64_t, 3>& c) const {
      return std::size_t(c[0] * 73856093 ^ c[1] * 19349663 ^ c[2] * 83492791);
    }
  };
  std::unordered_map<std::array<std::int64_t, 3>, std::vector<std::uint32_t>, Hash> cells;
  std::vector<Vec3> out = vertices;
  for (std::uint32_t i = 0; i < vertices.size(); ++i) {
    const Vec3 p = vertices[i];
    const std::array<std::int64_t, 3> cell = {std::int64_t(std::floor(p.x / weld)),
                                              std::int64_t(std::floor(p.y / weld)),
                                              std::int64_t(std::floor(p.z / weld))};
    std::optional<std::uint32_t> same;
    for (std::int64_t k = 0; k < 27 && !same; ++k) {
      const auto found = cells.find({cell[0] + k % 3 - 1, cell[1] + k / 3 % 3 - 1, cell[2] + k / 9 - 1});
      if (found == cells.end()) continue;
      for (std::uint32_t j : found->second)
        if (!same && length(vertices[j] - p) <= weld) same = j;
    }
    if (same)
      out[i] = vertices[*same];
    else
      cells[cell].push_back(i);
  }
  return out;
}

double length_in_plan(Vec3 a, Vec3 b) { return std::sqrt(squared_length(b.plan() - a.plan())); }

/// From which share to which of a segment it runs over a floor.
std::pair<double, double> share_over(Vec2 start, Vec2 along, const ModelTriangle& floor) {
  double from = 0, to = 1;
  for (int e = 0; e < 3 && from < to; ++e) {
    const Vec2 corner = floor.corner[e].plan(), side = floor.corner[(e + 1) % 3].plan() - corner;
    const double at_start = cross(side, start - corner), rise = cross(side, along);
    if (rise > 0)
      from = std::max(from, -at_start / rise);
    else if (rise < 0)
      to = std::min(to, -at_start / rise);
    else if (at_start < 0)
      to = from;
  }
  return {from, to};
}

/// Whether a place is over a floor, or no more than `weld` beside it.
bool is_near(Vec2 p, const ModelTriangle& floor, double weld) {
  for (int e = 0; e < 3; ++e) {
    const Vec2 corner = floor.corner[e].plan(), side = floor.corner[(e + 1) % 3].plan() - corner;
    if (cross(side, p - corner) < -weld * std::sqrt(squared_length(side))) return false;
  }
  return true;
}

/// Of floors over each other the highest one counts: from a tread one steps to the next, not to the floor beneath it.
void keep_highest(std::vector<FloorJoin>& joins, double least) {
  std::sort(joins.begin(), joins.end(), [](const FloorJoin& a, const FloorJoin& b) {
    return std::tuple(-a.step, a.from, a.other) < std::tuple(-b.step, b.from, b.other);
  });
  std::vector<FloorJoin> kept;
  for (const FloorJoin& join : joins) {
    std::vector<FloorJoin> parts = {join};
    for (const FloorJoin& higher : kept) {
      if (higher.step < join.step + same_height) continue;  // side by side on one floor
      std::vector<FloorJoin> rest;
      for (FloorJoin part : parts) {
        const double end = std::exchange(part.to, std::min(part.to, higher.from));
        if (part.to - part.from >= least) rest.push_back(part);
        part.from = std::max(part.from, higher.to), part.to = end;
        if (part.to - part.from >= least) rest.push_back(part);
      }
      parts = std::move(rest);
    }
    kept.insert(kept.end(), parts.begin(), parts.end());
  }
  joins = std::move(kept);
}

}  // namespace

std::vector<Vec3> clip_to(std::vector<Vec3> polygon, const ModelTriangle& floor) {
  for (int e = 0; e < 3 && !polygon.empty(); ++e) {
    const Vec2 a = floor.corner[e].plan(), along = floor.corner[(e + 1) % 3].plan() - a;
    polygon = clip(polygon, [&](Vec3 p) { return cross(along, p.plan() - a); });
  }
  return polygon;
}

double area_of(const std::vector<Vec3>& polygon) {
  double twice = 0;
  for (std::size_t i = 2; i < polygon.size(); ++i)
    twice += cross(polygon[i - 1].plan() - polygon[0].plan(), polygon[i].plan() - polygon[0].plan());
  return std::abs(twice) / 2;
}

FloorGraph::FloorGraph(const TriangleModel& model, const SurfaceOptions& options) : options_(options) {
  take_triangles(model);
  layer_of_.resize(triangles_.size());
  over_.resize(triangles_.size());
  beside_.resize(triangles_.size());
  if (triangles_.empty()) return;
  find_joins();
  find_overlaps();
  make_layers();
  drop_islands();
  name_layers();
}

void FloorGraph::take_triangles(const TriangleModel& model) {
  std::vector<Vec3> vertices;
  for (const Vec3 p : model.vertices)
    vertices.push_back(options_.scale * (options_.up == UpAxis::y ? Vec3{p.x, -p.z, p.y} : p));
  vertices = welded(vertices, options_.weld);
  const double least_rise = geometry::unit_direction(options_.slope / 360).x;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  geometry::Box box{{infinite, infinite}, {-infinite, -infinite}};
  for (const auto& [a, b, c] : model.triangles) {
    ModelTriangle t{{vertices[a], vertices[b], vertices[c]}, {}, false};
    const Vec3 normal = cross(t.corner[1] - t.corner[0], t.corner[2] - t.corner[0]);
    if (!(length(normal) > 1e-9)) continue;
    t.normal = (1 / length(normal)) * normal;
    t.floor = t.normal.z >= least_rise;
    for (const Vec3 p : t.corner) {
      box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
      box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
    }
    triangles_.push_back(t);
  }
  if (triangles_.empty()) return;
  grid_ = geometry::SnapGrid::for_box(box);
  std::vector<GridBox> boxes;
  for (const ModelTriangle& t : triangles_) boxes.push_back(box_of(t));
  index_.emplace(boxes);
}

GridBox FloorGraph::box_of(const ModelTriangle& triangle) const {
  GridBox box{grid_.snap(triangle.corner[0].plan()), grid_.snap(triangle.corner[0].plan())};
  for (const Vec3 corner : triangle.corner) {
    const GridPoint p = grid_.snap(corner.plan());
    box.min = {std::min(box.min.x, p.x), std::min(box.min.y, p.y)};
    box.max = {std::max(box.max.x, p.x), std::max(box.max.y, p.y)};
  }
  return box;
}

void FloorGraph::find_joins() {
  for (std::uint32_t t = 0; t < triangles_.size(); ++t)
    if (triangles_[t].floor)
      for (int edge = 0; edge < 3; ++edge) join_edge(t, edge);
}

void FloorGraph::join_edge(std::uint32_t t, int edge) {
  const Vec3 a = triangles_[t].corner[edge], b = triangles_[t].corner[(edge + 1) % 3];
  const Vec2 along = b.plan() - a.plan();
  const double size = std::sqrt(squared_length(along));
  if (size < 2 * options_.weld) return;
  const Vec2 start = a.plan() - options_.weld * perpendicular(along / size);  // outside
  const std::int32_t reach = std::int32_t(std::ceil(2 * options_.weld / grid_.unit())) + 1;
  const GridPoint p = grid_.snap(a.plan()), q = grid_.snap(b.plan());
  const GridBox near{{std::min(p.x, q.x) - reach, std::min(p.y, q.y) - reach},
                     {std::max(p.x, q.x) + reach, std::max(p.y, q.y) + reach}};
  std::vector<FloorJoin> found;
  for_each_over(near, [&](std::uint32_t o) {
    const ModelTriangle& other = triangles_[o];
    if (o == t || !other.floor) return;
    const auto [from, to] = share_over(start, along, other);
    if ((to - from) * size < 2 * options_.weld) return;
    const auto step_at = [&](double share) {
      const Vec2 place = start + share * along;
      return other.height_at(place.x, place.y) - (a.z + share * (b.z - a.z));
    };
    const double step = step_at(from), last = step_at(to);
    const bool even = std::abs(step - last) <= std::max(2 * options_.weld, same_height);
    const double highest = std::max(std::abs(step), std::abs(last));
    if (even && highest <= options_.climb + options_.weld) {
      // At an acute corner the offset edge leaves the other floor early; the edge itself does not.
      const bool whole_start = is_near(a.plan(), other, options_.weld),
                 whole_end = is_near(b.plan(), other, options_.weld);
      found.push_back({t, o, edge, whole_start ? 0 : from, whole_end ? 1 : to, 0.5 * (step + last)});
    }
    if (highest > options_.climb + options_.weld) beside_[t].push_back(o), beside_[o].push_back(t);
  });
  keep_highest(found, 2 * options_.weld / size);
  joins_.insert(joins_.end(), found.begin(), found.end());
}

void FloorGraph::find_overlaps() {
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    if (!triangles_[t].floor) continue;
    for_each_over(box_of(triangles_[t]), [&](std::uint32_t o) {
      if (o <= t || !triangles_[o].floor) return;
      const ModelTriangle& upper = triangles_[o];
      const std::vector<Vec3> common = clip_to({upper.corner[0], upper.corner[1], upper.corner[2]}, triangles_[t]);
      if (area_of(common) < no_overlap) return;
      const bool far = std::any_of(common.begin(), common.end(), [&](Vec3 p) {
        return std::abs(p.z - triangles_[t].height_at(p.x, p.y)) > options_.climb + options_.weld;
      });
      if (!far) return;
      over_[t].push_back(o);
      over_[o].push_back(t);
    });
  }
}

void FloorGraph::make_layers() {
  const std::uint32_t count = std::uint32_t(triangles_.size());
  const double flat = geometry::unit_direction(flat_degrees / 360).x;
  const auto is_flat = [&](std::uint32_t t) { return triangles_[t].normal.z >= flat; };
  Groups surfaces(count), patches(count);
  std::vector<double> area(count, 0), border(count, 0);
  std::vector<bool> stepped(count, false);
  for (const FloorJoin& j : joins_) {
    surfaces.join(j.triangle, j.other);
    if (is_flat(j.triangle) && is_flat(j.other) && std::abs(j.step) <= same_height) patches.join(j.triangle, j.other);
  }
  for (std::uint32_t t = 0; t < count; ++t) {
    if (!triangles_[t].floor) continue;
    const auto& corner = triangles_[t].corner;
    area[patches.find(t)] += area_of({corner[0], corner[1], corner[2]});
    for (int e = 0; e < 3; ++e) border[patches.find(t)] += length_in_plan(corner[e], corner[(e + 1) % 3]);
  }
  for (const FloorJoin& j : joins_) {
    const auto& corner = triangles_[j.triangle].corner;
    const bool same = patches.find(j.triangle) == patches.find(j.other);
    if (same)
      border[patches.find(j.triangle)] -= (j.to - j.from) * length_in_plan(corner[j.edge], corner[(j.edge + 1) % 3]);
    if (!same && is_flat(j.triangle) && is_flat(j.other))
      stepped[patches.find(j.triangle)] = stepped[patches.find(j.other)] = true;
  }
  const auto kind_of = [&](std::uint32_t t) {
    const std::uint32_t patch = patches.find(t);
    if (!is_flat(t)) return FloorKind::ramp;
    return stepped[patch] && 2 * area[patch] < widest_tread * border[patch] ? FloorKind::stairs : FloorKind::level;
  };
  std::vector<bool> parted(count, false);  // of each surface
  for (std::uint32_t t = 0; t < count; ++t) {
    if (!triangles_[t].floor) continue;
    const std::uint32_t surface = surfaces.find(t);
    if (kind_of(t) == FloorKind::stairs) parted[surface] = true;
    for (std::uint32_t o : over_[t])
      if (surfaces.find(o) == surface) parted[surface] = true;
  }
  Groups groups(count);
  for (const FloorJoin& j : joins_)
    if (!parted[surfaces.find(j.triangle)] || kind_of(j.triangle) == kind_of(j.other)) groups.join(j.triangle, j.other);
  std::map<std::uint32_t, std::vector<std::uint32_t>> members;
  for (std::uint32_t t = 0; t < count; ++t)
    if (triangles_[t].floor) members[groups.find(t)].push_back(t);
  for (auto& [first, triangles] : members)
    add_group(parted[surfaces.find(first)] ? kind_of(first) : FloorKind::level, std::move(triangles));
}

/// A group may still lie over itself, as a spiral does: pieces are taken off from the lowest on.
void FloorGraph::add_group(FloorKind kind, std::vector<std::uint32_t> triangles) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> next;
  const bool lies_over_itself = std::any_of(triangles.begin(), triangles.end(), [&](std::uint32_t t) {
    return std::any_of(over_[t].begin(), over_[t].end(),
                       [&](std::uint32_t o) { return std::binary_search(triangles.begin(), triangles.end(), o); });
  });
  if (!lies_over_itself) return layers_.push_back({kind, std::move(triangles)});
  for (const FloorJoin& j : joins_)
    if (std::binary_search(triangles.begin(), triangles.end(), j.triangle)) next[j.triangle].push_back(j.other);
  const auto height = [&](std::uint32_t t) {
    return triangles_[t].corner[0].z + triangles_[t].corner[1].z + triangles_[t].corner[2].z;
  };
  while (!triangles.empty()) {
    const std::uint32_t lowest = *std::min_element(
        triangles.begin(), triangles.end(),
        [&](std::uint32_t a, std::uint32_t b) { return std::tuple(height(a), a) < std::tuple(height(b), b); });
    std::vector<std::uint32_t> piece = {lowest};
    std::vector<bool> taken(triangles_.size(), false);
    taken[lowest] = true;
    const auto meets_taken = [&](const std::vector<std::uint32_t>& list) {
      return std::any_of(list.begin(), list.end(), [&](std::uint32_t p) { return taken[p]; });
    };
    for (std::size_t i = 0; i < piece.size(); ++i)
      for (std::uint32_t o : next[piece[i]]) {
        // Nor beside the piece at another height: the edge between two pieces must be the border of each.
        if (taken[o] || meets_taken(over_[o]) || meets_taken(beside_[o])) continue;
        if (!std::binary_search(triangles.begin(), triangles.end(), o)) continue;
        taken[o] = true;
        piece.push_back(o);
      }
    std::erase_if(triangles, [&](std::uint32_t t) { return taken[t]; });
    std::sort(piece.begin(), piece.end());
    layers_.push_back({kind, std::move(piece)});
  }
}

void FloorGraph::drop_islands() {
  std::vector<std::uint32_t> of(triangles_.size(), 0);
  for (std::uint32_t l = 0; l < layers_.size(); ++l)
    for (std::uint32_t t : layers_[l].triangles) of[t] = l;
  std::vector<double> area(layers_.size(), 0), border(layers_.size(), 0);
  std::vector<bool> leads_on(layers_.size(), false);
  for (std::uint32_t l = 0; l < layers_.size(); ++l)
    for (std::uint32_t t : layers_[l].triangles) {
      const auto& corner = triangles_[t].corner;
      area[l] += area_of({corner[0], corner[1], corner[2]});
      for (int e = 0; e < 3; ++e) border[l] += length_in_plan(corner[e], corner[(e + 1) % 3]);
    }
  for (const FloorJoin& j : joins_) {
    const auto& corner = triangles_[j.triangle].corner;
    if (of[j.triangle] != of[j.other])
      leads_on[of[j.triangle]] = leads_on[of[j.other]] = true;
    else
      border[of[j.triangle]] -= (j.to - j.from) * length_in_plan(corner[j.edge], corner[(j.edge + 1) % 3]);
  }
  std::vector<FloorLayer> kept;
  for (std::uint32_t l = 0; l < layers_.size(); ++l) {
    const bool narrow = 2 * area[l] < least_width * border[l] || area[l] < least_island;
    if (leads_on[l] || !narrow) kept.push_back(std::move(layers_[l]));
  }
  layers_ = std::move(kept);
}

/// From the lowest to the highest, then from left to right.
void FloorGraph::name_layers() {
  const auto rank = [&](const FloorLayer& layer) {
    double lowest = std::numeric_limits<double>::infinity();
    Vec2 corner{lowest, lowest};
    for (std::uint32_t t : layer.triangles)
      for (const Vec3 p : triangles_[t].corner) lowest = std::min(lowest, p.z), corner = std::min(corner, p.plan());
    return std::tuple(lowest, layer.kind, corner);
  };
  std::stable_sort(layers_.begin(), layers_.end(),
                   [&](const FloorLayer& a, const FloorLayer& b) { return rank(a) < rank(b); });
  for (std::uint32_t l = 0; l < layers_.size(); ++l)
    for (std::uint32_t t : layers_[l].triangles) layer_of_[t] = l;
}

}  // namespace throng::environment
