#include "routes/waypoints.hpp"

#include <algorithm>
#include <boost/polygon/voronoi.hpp>
#include <cmath>
#include <optional>

#include "geometry/tolerances.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"
#include "routes/corridor_tiles.hpp"
#include "routes/radius_rounding.hpp"

namespace throng::routes {

namespace {

using navmesh::Located;
using navmesh::Mesh;
using navmesh::Place;

/// How much farther than the radius waypoints keep from walls, in metres: lines along a wall must not touch it for rounding.
constexpr double beside = 1e-3;
/// Corners of obstacles sharper than this have two points, one beside each wall: the sine of half of 60 degrees.
constexpr double sharp = 0.5;
/// Metres between the world's box and the perimeter that Voronoi edges are cut off at, beyond the radius.
constexpr double perimeter_margin = 1;
/// Grid of the sites of the Voronoi diagram, a metre.
constexpr double units_a_metre = 1000;

/// Candidates beside a corner: at the distance from both walls, or for sharp ones beside each end.
std::vector<Vec2> points_beside(const OutlineCorner& corner, double distance) {
  const Vec2 p = corner.place.point;
  const double side = cross(corner.ahead, corner.back), cosine = dot(corner.ahead, corner.back);
  const double sine_of_half = std::sqrt(std::max(0.0, (1 - cosine) / 2));
  const bool obstacle_is_convex = side < 0 || (side == 0 && cosine > 0);
  if (side == 0 && cosine < 0) return {};  // no corner
  if (obstacle_is_convex && sine_of_half < sharp) {
    // Square off: beyond the tip, beside each wall.
    const Vec2 beside_next = perpendicular(corner.ahead), beside_last = perpendicular(corner.back) * -1.0;
    return {p + (beside_next - corner.ahead) * distance, p + (beside_last - corner.back) * distance};
  }
  if (sine_of_half == 0) return {};
  const Vec2 middle = (corner.ahead + corner.back) / length(corner.ahead + corner.back);
  return {p + middle * (distance / sine_of_half) * (obstacle_is_convex ? -1.0 : 1.0)};
}

/// What of a-b lies in a box (Liang, Barsky 1984).
bool clip(Vec2& a, Vec2& b, Vec2 low, Vec2 high) {
  double from = 0, to = 1;
  const Vec2 d = b - a;
  const auto cut = [&](double towards, double room) {
    if (towards == 0) return room >= 0;
    const double t = room / towards;
    if (towards < 0) from = std::max(from, t);
    if (towards > 0) to = std::min(to, t);
    return from <= to;
  };
  if (!cut(-d.x, a.x - low.x) || !cut(d.x, high.x - a.x) || !cut(-d.y, a.y - low.y) || !cut(d.y, high.y - a.y))
    return false;
  b = a + d * to;
  a += d * from;
  return true;
}

/// Distance around a box from its lower left corner, counterclockwise, of a point on it; below 0 for others.
double around(Vec2 p, Vec2 low, Vec2 high) {
  constexpr double on = 1e-9;
  const Vec2 size = high - low;
  if (std::abs(p.y - low.y) <= on) return p.x - low.x;
  if (std::abs(p.x - high.x) <= on) return size.x + p.y - low.y;
  if (std::abs(p.y - high.y) <= on) return size.x + size.y + high.x - p.x;
  if (std::abs(p.x - low.x) <= on) return 2 * size.x + size.y + high.y - p.y;
  return -1;
}

/// The lines of a Voronoi diagram within a box, and the box itself, cut where lines end on it.
std::vector<std::pair<Vec2, Vec2>> voronoi_lines(const std::vector<Vec2>& sites, Vec2 low, Vec2 high) {
  namespace poly = boost::polygon;
  std::vector<poly::point_data<std::int32_t>> points;
  const Vec2 origin = (low + high) / 2;
  for (const Vec2 site : sites) {
    const Vec2 at = (site - origin) * units_a_metre;
    points.emplace_back(std::int32_t(std::lround(at.x)), std::int32_t(std::lround(at.y)));
  }
  poly::voronoi_diagram<double> diagram;
  poly::construct_voronoi(points.begin(), points.end(), &diagram);
  const auto world = [&](const auto* vertex) { return Vec2{vertex->x(), vertex->y()} / units_a_metre + origin; };
  const double far = 2 * length(high - low);
  std::vector<std::pair<Vec2, Vec2>> lines;
  std::vector<Vec2> on_box{low, {high.x, low.y}, high, {low.x, high.y}};
  for (const auto& edge : diagram.edges()) {
    if (&edge > edge.twin()) continue;  // each once
    const auto site_of = [&](const auto* cell) { return sites[cell->source_index()]; };
    const Vec2 one = site_of(edge.cell()), other = site_of(edge.twin()->cell());
    const Vec2 middle = (one + other) / 2;
    // Seen from its start, an edge has its cell on the left.
    const Vec2 along = perpendicular(one - other) / length(one - other) * -1.0;
    Vec2 a = edge.vertex0() != nullptr ? world(edge.vertex0()) : middle - along * far;
    Vec2 b = edge.vertex1() != nullptr ? world(edge.vertex1()) : middle + along * far;
    if (!clip(a, b, low, high) || length(b - a) < beside) continue;
    lines.emplace_back(a, b);
    for (const Vec2 end : {a, b})
      if (around(end, low, high) >= 0) on_box.push_back(end);
  }
  std::sort(on_box.begin(), on_box.end(), [&](Vec2 a, Vec2 b) { return around(a, low, high) < around(b, low, high); });
  for (std::size_t i = 0; i < on_box.size(); ++i)
    if (const Vec2 next = on_box[(i + 1) % on_box.size()]; length(next - on_box[i]) > beside)
      lines.emplace_back(on_box[i], next);
  return lines;
}

}  // namespace

std::optional<Place> with_room(const Mesh& mesh, const Place& place, double radius, double most) {
  const Located at = navmesh::locate(mesh, place);
  if (!at) return std::nullopt;
  if (at.clearance >= radius) return place;
  const navmesh::Retraction axis = navmesh::retract(mesh, at, place.point);
  if (axis.clearance < radius || axis.clearance == 0) return std::nullopt;
  const Vec2 moved = at.nearest + (axis.point - at.nearest) * (radius / axis.clearance);
  if (length(moved - place.point) > most) return std::nullopt;
  return Place{moved, place.layer};
}

WaypointGraph::WaypointGraph(navmesh::MeshPtr mesh, RouteMethod method, double radius)
    : mesh_(std::move(mesh)), radius_(radius) {
  if (method == RouteMethod::visibility)
    join_all_that_see_each_other();
  else
    add_voronoi();
}

void WaypointGraph::join_all_that_see_each_other() {
  for (const OutlineCorner& corner : outline_corners(*mesh_))
    for (const Vec2 p : points_beside(corner, radius_ + beside))
      if (const auto place = with_room(*mesh_, {p, corner.place.layer}, radius_ + beside / 2, 2 * radius_))
        points_.push_back(*place);
  Pairs pairs;
  for (Index i = 0; i < points_.size(); ++i)
    for (Index j = i + 1; j < points_.size(); ++j)
      if (navmesh::visible(*mesh_, points_[i], points_[j], radius_)) pairs.emplace_back(i, j);
  keep_lines(pairs);
}

void WaypointGraph::add_voronoi() {
  Pairs pairs;
  const std::vector<Building> all = buildings_of(*mesh_);
  for (Index layer = 0; layer < mesh_->layers.size(); ++layer) {
    std::vector<Building> here;
    for (const Building& building : all)
      if (building.layer == layer) here.push_back(building);
    Vec2 low{unreachable, unreachable}, high{-unreachable, -unreachable};
    for (const navmesh::Site& site : mesh_->all_sites())
      if (site.layer == layer)
        for (const Vec2 p : {site.a, site.b}) {
          low = {std::min(low.x, p.x), std::min(low.y, p.y)};
          high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
    const Vec2 margin{radius_ + perimeter_margin, radius_ + perimeter_margin};
    low += margin, high -= margin;
    if (here.empty() || !(low.x < high.x) || !(low.y < high.y)) continue;
    std::map<std::pair<double, double>, Index> known;  // points of this layer; none: no room there
    const auto number_of = [&](Vec2 p) {
      const auto [entry, is_new] = known.try_emplace({std::round(p.x / beside), std::round(p.y / beside)}, none);
      if (!is_new) return entry->second;
      if (const auto place = with_room(*mesh_, {p, layer}, radius_ + beside / 2, 2 * radius_)) {
        entry->second = Index(points_.size());
        points_.push_back(*place);
      }
      return entry->second;
    };
    for (const auto& [a, b] : voronoi_lines(voronoi_sites_of(here), low, high)) {
      const Index i = number_of(a), j = number_of(b);
      if (i == none || j == none || i == j) continue;
      if (navmesh::visible(*mesh_, points_[i], points_[j], radius_)) pairs.emplace_back(std::min(i, j), std::max(i, j));
    }
  }
  keep_lines(pairs);
}

void WaypointGraph::keep_lines(const Pairs& pairs) {
  first_line_.assign(points_.size() + 1, 0);
  for (const auto& [i, j] : pairs) ++first_line_[i + 1], ++first_line_[j + 1];
  for (std::size_t i = 1; i < first_line_.size(); ++i) first_line_[i] += first_line_[i - 1];
  std::vector<Index> next(first_line_.begin(), first_line_.end() - 1);
  lines_.resize(2 * pairs.size());
  for (const auto& [i, j] : pairs) {
    const double distance = length(points_[i].point - points_[j].point);
    lines_[next[i]++] = {j, distance};
    lines_[next[j]++] = {i, distance};
  }
}

std::vector<Terminal> WaypointGraph::seen_from(const Place& place, double radius) const {
  std::vector<Terminal> seen;
  const Index cell = navmesh::locate(*mesh_, place).cell;
  for (Index i = 0; i < points_.size(); ++i)
    if (navmesh::visible(*mesh_, place, points_[i], radius, cell))
      seen.push_back({i, length(points_[i].point - place.point)});
  return seen;
}

NoRoute WaypointGraph::plan(const RouteQuery& query, Search& search, Route& route) const {
  route.pieces.clear(), route.prefix.clear();
  route.length = route.cost = 0;
  const auto from = with_room(*mesh_, query.from, query.radius, query.adjust);
  const auto to = with_room(*mesh_, query.to, query.radius, query.adjust);
  if (!from) return NoRoute::start_blocked;
  if (!to) return NoRoute::goal_blocked;
  std::vector<Place> way{*from};
  // As given_route() asks: a body that touches a wall sees along it.
  const double kept = std::max(0.0, query.radius - tolerance::same);
  search.begin(0, {}, {});
  if (!navmesh::visible(*mesh_, *from, *to, kept)) {
    search.begin(node_count(), seen_from(*from, kept), seen_from(*to, kept));
    if (search.advance(*this, NoHeuristic(), 1, ~std::size_t{0}) != SearchStatus::found) return NoRoute::not_connected;
    for (Index node = search.last_node(); node != none; node = search.parent(node)) way.push_back(points_[node]);
    std::reverse(way.begin() + 1, way.end());
  }
  way.push_back(*to);
  Result<Route> drawn = given_route(*mesh_, way, query.radius);
  if (!drawn) return NoRoute::not_connected;
  route = std::move(drawn).value();
  return NoRoute::found;
}

std::size_t WaypointGraph::bytes() const {
  return points_.capacity() * sizeof(Place) + lines_.capacity() * sizeof(Line) + first_line_.capacity() * sizeof(Index);
}

void WaypointGraphs::make(const navmesh::MeshPtr& mesh, RouteMethod method, double radius) {
  if (mesh_ != mesh) graphs_.clear(), mesh_ = mesh;
  const double rounded = radius_rounded_up(radius);
  auto& graph = graphs_[{method, rounded}];
  if (!graph) graph = std::make_shared<const WaypointGraph>(mesh, method, rounded);
}

const WaypointGraph* WaypointGraphs::find(RouteMethod method, double radius) const {
  const auto found = graphs_.find({method, radius_rounded_up(radius)});
  return found == graphs_.end() ? nullptr : found->second.get();
}

std::size_t WaypointGraphs::bytes() const {
  std::size_t bytes = 0;
  for (const auto& [key, graph] : graphs_) bytes += graph->bytes();
  return bytes;
}

NoRoute plan_by_method(const RouteQuery& query, const WaypointGraphs& graphs, Planner& planner, Search& search,
                       Route& route, std::size_t& expansions) {
  RouteQuery by_mesh = query;
  if (uses_waypoints(query.method)) {
    if (const WaypointGraph* graph = graphs.find(query.method, query.radius)) {
      const NoRoute verdict = graph->plan(query, search, route);
      expansions += 1 + search.expansions();
      if (verdict == NoRoute::found) return verdict;
    }
    by_mesh.method = RouteMethod::shortest_in_corridor;
  }
  const NoRoute verdict = planner.plan(by_mesh, route);
  expansions += 1 + planner.expansions();
  return verdict;
}

}  // namespace throng::routes
