// Where a place is on the mesh: its cell, its nearest obstacle point and its clearance.
//
// From scratch: a grid over each layer lists, for every square, the sites whose region meets it; the nearest of those is the
// nearest of all, and a site's cells are in order along it (Jaklin 2016, 11.2.5 lists cells instead; sites are fewer and their distance
// is the answer). Squares with many sites have a grid of their own, so that crowded corners of a large world stay quick.
// From a known cell: test it, then step to the neighbour on whichever side the place lies, then start from scratch.
//
// Laws
// 1. locate() finds every place of the closed free space, also on borders of cells, on the axis and on nodes, and nothing that
//    lies farther than `tolerance()` inside an obstacle.
// 2. `clearance` is the distance to the nearest boundary point that can be seen from the place in a straight line, across
//    connections too; `nearest` is that point.
// 3. locate_from() gives the same clearance as locate(), whatever the hint; on a border of cells it may name the other cell.
//
// Complexity: O(sites a square) from scratch, O(1) from a cell near by. No allocation. Thread-safety: read-only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "navmesh/mesh.hpp"
#include "navmesh/piece.hpp"

namespace throng::navmesh {

struct Located {
  Index cell = none;
  Index site = none;     ///< the cell's
  double clearance = 0;  ///< distance to `nearest`
  Vec2 nearest = {};     ///< nearest obstacle point

  /// False: the place is not walkable, or its layer does not exist.
  explicit operator bool() const { return cell != none; }
};

[[nodiscard]] Located locate(const Mesh& mesh, const Place& place);
/// `hint` is any cell of this mesh, best one near the place; `none` locates from scratch.
[[nodiscard]] Located locate_from(const Mesh& mesh, Index hint, const Place& place);

/// Connections that run through a cell: few cells have any.
[[nodiscard]] std::span<const Straddle> straddles_of(const Mesh& mesh, Index cell);
/// The layer a point of a cell belongs to: connections may run through the cell.
[[nodiscard]] Index layer_at(const Mesh& mesh, Index cell, Vec2 p);

/// The first layer in which the point is walkable; what a place without a layer means on the command line.
[[nodiscard]] std::optional<Place> first_walkable(const Mesh& mesh, Vec2 p);

class AreaSums;  // random_point.hpp

/// Everything that is derived from a mesh to answer queries quickly. Rebuilt, never saved.
class Locator {
 public:
  explicit Locator(const Mesh& mesh);
  ~Locator();
  Locator(const Locator&) = delete;
  Locator& operator=(const Locator&) = delete;

  /// Sites of which one is nearest to the place, if it is walkable at all.
  [[nodiscard]] std::span<const Index> candidates(const Place& place) const;
  [[nodiscard]] const Piece& piece(Index cell) const { return pieces_[cell]; }
  [[nodiscard]] const Beside& beside(Index cell) const { return beside_[cell]; }
  /// Asks for a cell's piece and neighbours to be brought near, for those who will read them soon.
  void prefetch(Index cell) const {
    __builtin_prefetch(&pieces_[cell]);
    __builtin_prefetch(&beside_[cell]);
  }
  /// How far a place may lie off the free space by rounding and still count as on its border, in metres.
  [[nodiscard]] double tolerance() const { return tolerance_; }
  [[nodiscard]] const AreaSums& areas() const { return *areas_; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class LocatorBuilder;
  /// A rectangle of squares. Slots of a layer's grid may refer to a finer grid.
  struct Grid {
    Vec2 origin = {};
    Vec2 per_metre = {};  ///< squares a metre
    std::uint32_t columns = 0, rows = 0;
    std::uint32_t first_slot = 0;
    /// A point in squares from the origin.
    [[nodiscard]] Vec2 squares(Vec2 p) const {
      return {(p.x - origin.x) * per_metre.x, (p.y - origin.y) * per_metre.y};
    }
  };
  struct Slot {
    std::uint32_t first = 0;  ///< into entries_, or a grid's number
    std::uint32_t count = 0;  ///< of entries, or `finer`
  };
  static constexpr std::uint32_t finer = ~std::uint32_t{0};

  std::vector<Piece> pieces_;
  std::vector<Beside> beside_;
  std::vector<Grid> grids_;  ///< one for each layer, then the finer ones
  std::size_t layer_count_ = 0;
  std::vector<Slot> slots_;
  std::vector<Index> entries_;
  double tolerance_ = 0;
  std::unique_ptr<const AreaSums> areas_;
};

/// What `Mesh::locator` is set to; the last step of building or loading a mesh. O(n).
[[nodiscard]] std::shared_ptr<const Locator> make_locator(const Mesh& mesh);

}  // namespace throng::navmesh
