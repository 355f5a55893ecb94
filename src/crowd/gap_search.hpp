// A way between people who stand, for somebody who is stuck before them (ours): on a lattice of 0.1 m, within 6 m, or coarser and farther, standing
// people as discs.
//
// Laws
// 1. Every point of the way has the radius's clearance from walls, or the start's if that is less, and its distance from standing people, but for
//    those that the person touches already.
//    Where there is a way with more room, it has that.
// 2. It joins the person's way behind the last that stands on it within reach. Nothing is found where nobody stands on it, or nobody of that
//    width gets through on the lattice.
// 3. It depends on those within reach only.
// Complexity: O(lattice) once at most, about 11,000 points. Thread-safety: a value.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "navmesh/visibility.hpp"
#include "routes/route.hpp"

namespace throng::crowd {

class GapSearch {
 public:
  static constexpr double usual_reach = 6, usual_spacing = 0.1;  ///< metres
  /// Metres: bodies that touch are not in each other's way; who touches already comes no nearer, but for this.
  static constexpr double touch = 0.02, nearer = 1e-3;
  /// Metres that one keeps off those who stand, where there is so much room.
  static constexpr double spare = 0.15;

  /// `scale`: so many times the usual reach, on a lattice that is as much coarser.
  GapSearch(const navmesh::Mesh& mesh, const navmesh::Standpoint& from, double radius, double scale = 1);
  [[nodiscard]] double reach() const { return usual_reach * scale_; }
  /// Somebody who stands, in the person's layer.
  void add_standing(Vec2 place, double radius);

  struct Way {
    std::vector<Vec2> points;  ///< the person's own first, then where lines meet, then the place on the way
    double joins_at = 0;       ///< metres along the way
  };
  [[nodiscard]] std::optional<Way> find(const routes::Route& way, double from);

 private:
  static constexpr int across = 60;  ///< points from the middle to the rim
  static constexpr int side = 2 * across + 1;
  struct Lattice;
  struct Standing {
    Vec2 place;
    double radii = 0;
    double apart = 0;
  };
  [[nodiscard]] std::optional<Way> find_with(const routes::Route& way, double from, double spare);
  [[nodiscard]] static std::size_t number(int x, int y) { return std::size_t((y + across) * side + (x + across)); }
  [[nodiscard]] static std::pair<int, int> place_of(std::size_t number) {
    return {int(number % side) - across, int(number / side) - across};
  }
  [[nodiscard]] double spacing() const { return usual_spacing * scale_; }
  [[nodiscard]] Vec2 point(int x, int y) const { return from_.place.point + Vec2{x * spacing(), y * spacing()}; }
  [[nodiscard]] bool is_free(int x, int y);
  [[nodiscard]] bool is_taken(Vec2 p) const;
  [[nodiscard]] bool is_clear(Vec2 a, Vec2 b) const;
  [[nodiscard]] bool finds_lattice_way(int goal_x, int goal_y, std::vector<Vec2>& points);

  const navmesh::Mesh& mesh_;
  navmesh::Standpoint from_;
  double radius_, scale_;
  std::vector<Standing> standing_;
  enum class Known : std::uint8_t { no, free, blocked };
  std::vector<Known> known_;
};

}  // namespace throng::crowd
