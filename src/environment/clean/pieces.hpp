// A layer's boundary in pieces that have nothing to do with each other, so that a change redoes only those that it touches.
//
// A piece is a set of rings and lines of features, such that whatever is within `reach` of one of them belongs to it, too. Snap rounding moves
// nothing by more than `usual_drift` units but where features crowd, and leads an edge through a pixel less than a unit away: what
// is farther apart than `reach` never meets. So a piece lies in one face of everything else; what covers that face is found for one
// point of the piece, and then its free polygons, its holes in what is free around it, and its walls are cut out of it alone.
//
// Laws
// 1. boundary_of(pieces) is the layer's boundary as clean() gives it, to the byte; where features crowd, or where anything else
//    is in doubt, there are no pieces.
// 2. The pieces do not depend on the order of changes that led to the features.
// Thread-safety: plain values; pieces are shared by the versions of a plan.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "environment/clean/clean_layer.hpp"
#include "geometry/box_index.hpp"

namespace throng::environment {

/// In units. Twice the usual drift and half a pixel's diagonal are 3.3.
inline constexpr std::int32_t reach = 5;

/// A polygon or a line of a feature, on the grid.
struct Drawing {
  std::size_t key = 0;  ///< of its feature: ascending in the plan's order
  Kind kind = Kind::obstacle;
  bool is_line = false;
  std::vector<GridRing> rings;  ///< of a line: its points
};

/// A ring of a polygon, or a line.
struct Shape {
  std::shared_ptr<const Drawing> drawing;
  std::size_t ring = 0;
  geometry::GridBox box;

  [[nodiscard]] const GridRing& points() const { return drawing->rings[ring]; }
};

struct Piece {
  std::vector<Shape> shapes;  ///< by key
  geometry::GridBox box;
  PieceBoundary boundary;
};
using Pieces = std::vector<std::shared_ptr<const Piece>>;

/// What of a feature bounds free space.
[[nodiscard]] std::vector<Shape> shapes_of(const geometry::SnapGrid& grid, const Feature& feature, std::size_t key);

/// One layer of a plan, and the keys of all features of the plan.
struct LayerOfPlan {
  const CleanContext& context;
  const std::vector<std::size_t>& keys;
  std::size_t layer = 0;
  const Neighbours& neighbours;
};

/// The pieces of a whole layer; nothing where it has none.
[[nodiscard]] std::optional<Pieces> pieces_of(const LayerOfPlan& plan);

/// What an exchange came to.
struct Exchanged {
  std::size_t pieces = 0;  ///< cut anew
  std::vector<geometry::GridBox>
      moved;  ///< of edges of the boundary that went or came: also old ones that bend elsewhere now
};

/// Exchanges what features of the keys `gone` drew for what `come` draw. Nothing where it cannot be done; the pieces are then good for
/// nothing.
[[nodiscard]] std::optional<Exchanged> exchange(Pieces& pieces, const LayerOfPlan& plan,
                                                const std::set<std::size_t>& gone, const std::vector<Shape>& come);

/// The boundary that the pieces make together; nothing where a hole lies in nothing free.
[[nodiscard]] std::optional<PieceBoundary> boundary_of(const Pieces& pieces);

/// Whether two boxes are within `reach` of each other.
[[nodiscard]] bool near(const geometry::GridBox& a, const geometry::GridBox& b);

}  // namespace throng::environment
