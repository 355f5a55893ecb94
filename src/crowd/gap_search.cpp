#include "crowd/gap_search.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/segment_distance.hpp"
#include "routes/search.hpp"

namespace throng::crowd {
namespace {

/// Metres of the way behind those who stand that have to be free.
constexpr double room_behind = 0.3;
/// Metres between looks along the way.
constexpr double way_step = 0.1;

}  // namespace

GapSearch::GapSearch(const navmesh::Mesh& mesh, const navmesh::Standpoint& from, double radius, double scale)
    : mesh_(mesh), from_(from), radius_(std::min(radius, from.clearance)), scale_(scale) {}

void GapSearch::add_standing(Vec2 place, double radius) { standing_.push_back({place, radius + radius_ - touch, 0}); }

bool GapSearch::is_taken(Vec2 p) const {
  return std::ranges::any_of(
      standing_, [&](const Standing& other) { return squared_length(other.place - p) < other.apart * other.apart; });
}

bool GapSearch::is_free(int x, int y) {
  Known& known = known_[number(x, y)];
  if (known != Known::no) return known == Known::free;
  const Vec2 p = point(x, y);
  bool free = x * x + y * y <= across * across && !is_taken(p);
  if (free) {
    const navmesh::Located at = navmesh::locate_from(mesh_, from_.cell, {p, from_.place.layer});
    free = at && at.clearance >= radius_;
  }
  known = free ? Known::free : Known::blocked;
  return free;
}

bool GapSearch::is_clear(Vec2 a, Vec2 b) const {
  const auto is_near = [&](const Standing& other) {
    return geometry::distance_to_segment(other.place, a, b) < other.apart;
  };
  if (std::ranges::any_of(standing_, is_near)) return false;
  const navmesh::Index layer = from_.place.layer;
  return navmesh::visible(mesh_, {a, layer}, {b, layer}, radius_, from_.cell);
}

/// Points of the lattice and their eight neighbours; costs are in spacings.
struct GapSearch::Lattice {
  GapSearch& gaps;
  [[nodiscard]] std::size_t node_count() const { return gaps.known_.size(); }
  template <class Visit>
  void for_each_neighbour(routes::Index node, const Visit& visit) const {
    const auto [x, y] = place_of(node);
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        if ((dx == 0 && dy == 0) || std::abs(x + dx) > across || std::abs(y + dy) > across) continue;
        if (gaps.is_free(x + dx, y + dy))
          visit(routes::Index(number(x + dx, y + dy)), dx != 0 && dy != 0 ? std::sqrt(2.0) : 1.0, routes::none);
      }
  }
};

bool GapSearch::finds_lattice_way(int goal_x, int goal_y, std::vector<Vec2>& points) {
  const auto ahead = [&](routes::Index node) {
    const auto [x, y] = place_of(node);
    const int dx = std::abs(x - goal_x), dy = std::abs(y - goal_y);
    return std::max(dx, dy) + (std::sqrt(2.0) - 1) * std::min(dx, dy);
  };
  const routes::Terminal start{routes::Index(number(0, 0)), 0}, goal{routes::Index(number(goal_x, goal_y)), 0};
  routes::Search search;
  search.begin(known_.size(), std::span(&start, 1), std::span(&goal, 1));
  if (search.advance(Lattice{*this}, ahead, 1, routes::any_number) != routes::SearchStatus::found) return false;
  routes::SearchPath path;
  search.collect(path);
  points.clear();
  for (const routes::Index node : path.nodes) {
    const auto [x, y] = place_of(node);
    points.push_back(point(x, y));
  }
  return true;
}

std::optional<GapSearch::Way> GapSearch::find(const routes::Route& way, double from) {
  for (const double room : {spare, 0.0})
    if (std::optional<Way> found = find_with(way, from, room)) return found;
  return std::nullopt;
}

std::optional<GapSearch::Way> GapSearch::find_with(const routes::Route& way, double from, double room) {
  // Whoever touches already is no nearer than it is.
  for (Standing& other : standing_)
    other.apart = std::min(other.radii + room, distance(other.place, from_.place.point) - nearer);
  // Where the way is free again behind the last who stands on it within reach.
  double joins_at = -1, free_since = from;
  bool any_taken = false;
  for (double along = from; along <= way.length + way_step; along += way_step) {
    const routes::RoutePoint there = way.at(std::min(along, way.length));
    if (there.layer != from_.place.layer) break;
    if (squared_length(there.point - from_.place.point) >= (reach() - spacing()) * (reach() - spacing())) break;
    if (is_taken(there.point)) {
      any_taken = true, free_since = along + way_step, joins_at = -1;
    } else if (any_taken && joins_at < 0 && (along - free_since >= room_behind || along >= way.length)) {
      joins_at = std::min(along, way.length);
    }
  }
  if (joins_at < 0) return std::nullopt;
  known_.assign(std::size_t(side) * side, Known::no);
  known_[number(0, 0)] = Known::free;
  const Vec2 end = way.at(joins_at).point;
  const Vec2 offset = (end - from_.place.point) / spacing();
  const int x = int(std::floor(offset.x + 0.5)), y = int(std::floor(offset.y + 0.5));
  std::vector<Vec2> lattice;
  if (!is_free(x, y) || !finds_lattice_way(x, y, lattice)) return std::nullopt;
  lattice.push_back(end);
  Way found{{lattice.front()}, joins_at};
  for (std::size_t i = 0; i + 1 < lattice.size();) {
    std::size_t next = i;
    for (std::size_t j = i + 1; j < lattice.size(); ++j)
      if (is_clear(lattice[i], lattice[j])) next = j;
    if (next == i) return std::nullopt;  // it touches a wall between two points
    found.points.push_back(lattice[next]);
    i = next;
  }
  return found;
}

}  // namespace throng::crowd
