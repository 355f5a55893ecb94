// How much of the ground bodies cover (Jaklin 9.3.1): by axis edge, and on squares of 1, 4 or 9 square metres. Whole square millimetres, kept
// up as people come, change cells and leave.
//
// Laws
// 1. The same people give the same bits, in whatever order they came and went.
// 2. A fraction is covered area over ground: of the cells along an edge, or of the whole square, whatever walls take of it. People who overlap count
//    twice, so that it may exceed 1.
// Complexity: O(1) a change. Thread-safety: one writer, or any number of readers.
#pragma once

#include <cstdint>
#include <vector>

#include "fields/lattice.hpp"
#include "navmesh/mesh.hpp"

namespace throng::fields {

inline constexpr double units_a_square_metre = 1e6;
/// The area that a body covers, in whole square millimetres.
[[nodiscard]] std::int64_t covered_by(double radius);

/// By edge of the axis: occupied fraction, people, and their mean velocity.
class EdgeOccupancy {
 public:
  explicit EdgeOccupancy(const navmesh::Mesh& mesh);

  /// Somebody in a cell; velocities in whole millimetres a second.
  struct Presence {
    Index cell = none;
    std::int64_t area = 0;  ///< covered_by()
    std::int32_t velocity_x = 0, velocity_y = 0;
    friend bool operator==(const Presence&, const Presence&) = default;
  };
  void add(const Presence& who) { count(who, 1); }
  void remove(const Presence& who) { count(who, -1); }
  /// Nobody is there any more.
  void clear();

  [[nodiscard]] Index edge_of(Index cell) const { return edge_of_[cell / 2]; }
  [[nodiscard]] double fraction(Index edge) const;
  /// Whole square millimetres.
  [[nodiscard]] std::int64_t covered(Index edge) const { return edges_[edge].area; }
  [[nodiscard]] std::int64_t people(Index edge) const { return edges_[edge].people; }
  /// Persons a square metre of the edge's cells.
  [[nodiscard]] double density(Index edge) const;
  /// Metres a second; 0 where nobody is.
  [[nodiscard]] Vec2 velocity(Index edge) const;
  /// Square metres.
  [[nodiscard]] double ground(Index edge) const { return edges_[edge].ground; }
  [[nodiscard]] std::size_t bytes() const {
    return edge_of_.capacity() * sizeof(Index) + edges_.capacity() * sizeof(Edge);
  }

 private:
  struct Edge {
    double ground = 0;
    std::int64_t area = 0, people = 0, moving_x = 0, moving_y = 0;
  };
  void count(const Presence& who, std::int64_t sign);

  std::vector<Index> edge_of_;  ///< of each arc
  std::vector<Edge> edges_;
};

/// On squares of 1, 2 or 3 metres.
class GridOccupancy {
 public:
  explicit GridOccupancy(double side) : side_(side) {}

  void add(const navmesh::Place& place, std::int64_t area) { squares_[square_at(place, side_)] += area; }
  void remove(const navmesh::Place& place, std::int64_t area) { squares_[square_at(place, side_)] -= area; }
  [[nodiscard]] double side() const { return side_; }
  [[nodiscard]] double fraction(const navmesh::Place& place) const {
    return double(squares_.at(square_at(place, side_))) / (1e6 * side_ * side_);
  }
  [[nodiscard]] std::size_t bytes() const { return squares_.bytes(); }

 private:
  double side_;
  SparseSquares<std::int64_t> squares_;
};

}  // namespace throng::fields
