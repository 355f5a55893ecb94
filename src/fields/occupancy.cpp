#include "fields/occupancy.hpp"

#include <cmath>
#include <numbers>

#include "navmesh/cells.hpp"

namespace throng::fields {

std::int64_t covered_by(double radius) {
  return std::int64_t(std::floor(std::numbers::pi * radius * radius * units_a_square_metre + 0.5));
}

EdgeOccupancy::EdgeOccupancy(const navmesh::Mesh& mesh) : edges_(mesh.edge_count()) {
  edge_of_.reserve(mesh.arc_count());
  for (Index arc = 0; arc < mesh.arc_count(); ++arc) edge_of_.push_back(mesh.arc(arc).edge);
  for (Index cell = 0; cell < mesh.cell_count(); ++cell)
    edges_[edge_of_[cell / 2]].ground += navmesh::cell_area(mesh, cell);
}

void EdgeOccupancy::count(const Presence& who, std::int64_t sign) {
  Edge& edge = edges_[edge_of_[who.cell / 2]];
  edge.area += sign * who.area;
  edge.people += sign;
  edge.moving_x += sign * who.velocity_x;
  edge.moving_y += sign * who.velocity_y;
}

void EdgeOccupancy::clear() {
  for (Edge& edge : edges_) edge = {.ground = edge.ground};
}

double EdgeOccupancy::fraction(Index edge) const {
  const Edge& e = edges_[edge];
  return e.ground > 0 ? double(e.area) / (units_a_square_metre * e.ground) : 0;
}

double EdgeOccupancy::density(Index edge) const {
  const Edge& e = edges_[edge];
  return e.ground > 0 ? double(e.people) / e.ground : 0;
}

Vec2 EdgeOccupancy::velocity(Index edge) const {
  const Edge& e = edges_[edge];
  return e.people > 0 ? Vec2{double(e.moving_x), double(e.moving_y)} / (1000 * double(e.people)) : Vec2{};
}

}  // namespace throng::fields
