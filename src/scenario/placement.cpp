#include "scenario/placement.hpp"

#include <algorithm>
#include <cmath>

#include "navmesh/locate.hpp"

namespace throng::scenario {
namespace {

double squared_distance_to(const navmesh::Connection& connection, Vec2 p) {
  const Vec2 d = connection.b - connection.a;
  const double part = std::clamp(dot(p - connection.a, d) / squared_length(d), 0.0, 1.0);
  return squared_length(p - (connection.a + d * part));
}

}  // namespace

Occupancy::Cell Occupancy::cell_of(Vec2 p) {
  return {std::int64_t(std::floor(p.x / cell_size)), std::int64_t(std::floor(p.y / cell_size))};
}

void Occupancy::add(const navmesh::Place& place, double radius) {
  cells_[cell_of(place.point)].push_back(std::uint32_t(bodies_.size()));
  bodies_.push_back({place, radius});
  largest_ = std::max(largest_, radius);
}

void Occupancy::remove_last(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    cells_[cell_of(bodies_.back().place.point)].pop_back();
    bodies_.pop_back();
  }
}

bool Occupancy::fits(const navmesh::Place& place, double radius, double gap) const {
  return clear_of_walls(place, radius) && !overlaps_anybody(place, radius, gap);
}

bool Occupancy::clear_of_walls(const navmesh::Place& place, double radius) const {
  const navmesh::Located at = navmesh::locate(mesh_, place);
  return at && at.clearance >= radius;
}

bool Occupancy::overlaps_anybody(const navmesh::Place& place, double radius, double gap) const {
  const double reach = radius + largest_ + gap;
  const Cell low = cell_of(place.point - Vec2{reach, reach}), high = cell_of(place.point + Vec2{reach, reach});
  for (std::int64_t x = low.first; x <= high.first; ++x)
    for (auto at = cells_.lower_bound({x, low.second}); at != cells_.end() && at->first <= Cell{x, high.second}; ++at)
      for (const std::uint32_t i : at->second)
        if (in_the_way(bodies_[i], place, bodies_[i].radius + radius + gap)) return true;
  return false;
}

bool Occupancy::in_the_way(const Body& body, const navmesh::Place& place, double reach) const {
  if (squared_length(body.place.point - place.point) >= reach * reach) return false;
  if (body.place.layer == place.layer) return true;
  return std::any_of(
      mesh_.all_connections().begin(), mesh_.all_connections().end(), [&](const navmesh::Connection& connection) {
        const bool joins = (connection.left_layer == body.place.layer && connection.right_layer == place.layer) ||
                           (connection.right_layer == body.place.layer && connection.left_layer == place.layer);
        return joins && squared_distance_to(connection, place.point) < reach * reach;
      });
}

}  // namespace throng::scenario
