// Who stands where, while people are placed: discs in a grid.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "navmesh/mesh.hpp"

namespace throng::scenario {

/// Bodies that stand already. Bodies of different layers are in each other's way near a connection of the two only.
class Occupancy {
 public:
  explicit Occupancy(const navmesh::Mesh& mesh) : mesh_(mesh) {}

  void add(const navmesh::Place& place, double radius);
  /// Takes back the last `count` bodies.
  void remove_last(std::size_t count);
  /// Whether a body keeps its radius from walls and `gap` from everybody.
  [[nodiscard]] bool fits(const navmesh::Place& place, double radius, double gap) const;
  /// Whether a body keeps its radius from walls.
  [[nodiscard]] bool clear_of_walls(const navmesh::Place& place, double radius) const;
  [[nodiscard]] bool overlaps_anybody(const navmesh::Place& place, double radius, double gap) const;

 private:
  struct Body {
    navmesh::Place place;
    double radius = 0;
  };
  using Cell = std::pair<std::int64_t, std::int64_t>;
  static constexpr double cell_size = 1.0;  ///< metres

  [[nodiscard]] static Cell cell_of(Vec2 p);
  [[nodiscard]] bool in_the_way(const Body& body, const navmesh::Place& place, double reach) const;

  const navmesh::Mesh& mesh_;
  std::vector<Body> bodies_;
  std::map<Cell, std::vector<std::uint32_t>> cells_;
  double largest_ = 0;
};

}  // namespace throng::scenario
