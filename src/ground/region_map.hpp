// Regions of an environment as walkers feel them: along a line, or under a disc that slides along it, which type counts where.
// Jaklin 2016, 2.3, 6.3, 7.2.
//
// Kinds of ground (kinds.hpp) are numbered in order of their types; `plain` ground is number 0 and weighs 1 unless a table says otherwise.
// On layers that rise, what they are made of is felt everywhere, under regions too.
//
// Laws
// 1. weighted_length(a, b, 0) is the integral of the weight of the region under the point; along a border of two types the smaller
//    weight counts, along an obstacle that of the ground beside it.
// 2. weighted_length(a, b, r) is that of the dearest region that the open disc of radius r overlaps, plain ground included, what
//    lies in obstacles not; touching does not count. It is never below that of the point.
// 3. A line from one layer to another feels each layer's regions up to the connections it crosses, a disc those beyond a connection
//    from a radius before it on. What lies behind a connection that the line does not cross is not felt.
//
// 4. weighted_arc() is the same along an arc of one layer: exact where the arc enters and leaves what is felt. Regions beyond a
//    connection are not felt from an arc.
//
// A disc overlaps a region where its centre is inside or an edge is nearer than the radius, and each edge is near along one
// interval of the line; so unlike Jaklin 2016, 7.2 no triangles are needed.
// Complexity: O(log n + edges of regions near the line); type_at() reads the squares (border_squares.hpp) from the place to the next border.
// No allocation once buffers have grown.
// Thread-safety: the map is immutable; scratch memory is the caller's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
#include "geometry/box_index.hpp"
#include "ground/border_squares.hpp"
#include "ground/kinds.hpp"
#include "navmesh/mesh.hpp"

namespace throng::ground {

/// Rows of weights (kinds.hpp), one a profile.
struct WeightTable {
  std::size_t types = 1;  ///< numbers a row
  std::vector<double> weights;
  [[nodiscard]] const double* row(std::size_t i) const { return weights.data() + i * types; }
};

class RegionMap {
 public:
  explicit RegionMap(const environment::CleanEnvironment& environment);

  [[nodiscard]] const GroundKinds& kinds() const { return kinds_; }
  /// Names of the types of kinds; types()[0] is "" for plain ground.
  [[nodiscard]] const std::vector<std::string>& types() const { return kinds_.names(); }
  [[nodiscard]] bool empty() const { return kinds_.size() <= 1; }

  /// Where along a line, as a part of it, a type begins (+1) or ceases (-1) to be felt.
  struct Change {
    double t = 0;
    navmesh::Index type = 0;
    int by = 0;
  };
  /// Buffers of one caller.
  struct Scratch {
    std::vector<Change> changes;
    std::vector<double> stops;
    std::vector<int> count;  ///< by type; all 0 between calls
    std::vector<std::uint32_t> near;
    std::vector<std::uint32_t> in_row;                       ///< borders of squares beside each other
    std::vector<std::uint32_t> along;                        ///< edges that the line runs along
    std::vector<std::pair<Vec2, Vec2>> segments;             ///< uneven borders near a strip
    std::vector<double> row;                                 ///< weights in the line's direction
    std::vector<std::pair<double, navmesh::Index>> crossed;  ///< where a line crosses borders, and the kind behind them
  };

  /// Length of the line times what is felt along it. `weights` is a row of a table with this map's kinds. `metres`, where it is not
  /// empty, has a place for each type: the length on which it is the dearest that is felt is added there.
  double weighted_length(const navmesh::Place& from, const navmesh::Place& to, double radius, const double* weights,
                         Scratch& scratch, std::span<double> metres = {}) const;
  /// The same along an arc that begins at `from` and turns around `centre` by `turn` radians, counterclockwise where that is above 0.
  double weighted_arc(const navmesh::Place& from, Vec2 centre, double turn, double radius, const double* weights,
                      Scratch& scratch, std::span<double> metres = {}) const;
  /// What lies around a place, for whoever weighs many lines from there: the borders within a box, found once.
  struct Vicinity {
    Vicinity() = default;  // no aggregate: a place in braces is none
    navmesh::Place from;
    Vec2 low, high;
    navmesh::Index here = 0;            ///< the kind under the place
    std::vector<std::uint32_t> border;  ///< those in the box on whose sides the ground weighs differently
    bool is_plane = false;              ///< no connection in the box, no rise: borders say all
    std::vector<std::uint32_t> listed;  ///< by border: when it was met last
    std::uint32_t now = 0;
  };
  void look_around(const navmesh::Place& from, Vec2 low, Vec2 high, const double* weights, Vicinity& vicinity) const;
  /// The same as weighted_length() from the place to another within the box: crossed borders tell what lies behind them, so nothing has to
  /// be located. `weights`, here and below, are those of look_around(). O(borders in the box).
  double weighted_length(const Vicinity& vicinity, const navmesh::Place& to, double radius, const double* weights,
                         Scratch& scratch) const;
  /// Between any two places within the box; `kind`: what lies under the first.
  double weighted_length(const Vicinity& vicinity, Vec2 from, navmesh::Index kind, Vec2 to, double radius,
                         const double* weights, Scratch& scratch) const;
  /// Whether everything in a triangle, one of whose corners is the place, weighs the same in all directions. Sometimes it does though the answer
  /// is false.
  [[nodiscard]] bool is_even(const Vicinity& vicinity, Vec2 b, Vec2 c) const;
  /// Whether everything in the box weighs the same; as above.
  [[nodiscard]] static bool is_even(const Vicinity& vicinity) { return vicinity.is_plane && vicinity.border.empty(); }

  /// What is within `aside` metres of a line from a place, as far as `length`: all of it weighs the same in all directions.
  struct Strip {
    double length = 0;  ///< 0: there is none
    double aside = 0;
  };
  /// The strip along a direction of length 1 that is wider than `aside` and as long as `least` at least; at most as long as `most`, and
  /// half as wide as there would be room for.
  [[nodiscard]] Strip even_strip(const navmesh::Place& from, Vec2 ahead, double least, double most, double aside,
                                 const double* weights, Scratch& scratch) const;

  /// No border of a region and no connection of the layer is nearer than this; at most `most`, and 0 on layers that rise.
  [[nodiscard]] double to_border(const navmesh::Place& place, double most) const;

  /// The kind under a point: that of the region there, or the layer's base.
  [[nodiscard]] navmesh::Index type_at(const navmesh::Place& place, Scratch& scratch) const;
  /// No way between two places over ground of a kind is shorter: by boxes of its regions, in the plane. Infinite where there is none.
  [[nodiscard]] double least_way_by(navmesh::Index kind, Vec2 from, Vec2 to) const;
  /// Whether any region of any layer may be within `reach` of the point: by boxes, so sometimes without need.
  [[nodiscard]] bool any_near(Vec2 point, double reach) const;

 private:
  using Index = navmesh::Index;
  /// The region lies left of a->b.
  struct Edge {
    Vec2 a, b;
    Index type = 0;
    Index polygon = 0;  ///< into the layer's boxes
    Index beyond = 0;   ///< the kind on the other side; none: an obstacle
  };
  /// Edges of neighbours that are the same but for their direction are one border.
  struct Border {
    Vec2 a, b;
    Index left = 0, right = 0;  ///< kinds; none on the right: an obstacle
  };
  [[nodiscard]] bool is_uneven(const Border& border, const double* weights) const {
    return border.right != none && (weights[border.left] != weights[border.right] || kinds_[border.left].slopes() ||
                                    kinds_[border.right].slopes());
  }
  struct LayerRegions {
    Index base = 0;
    std::vector<Edge> edges;
    geometry::BoxIndex edge_index;  ///< for long lines
    std::vector<Border> borders;
    BorderSquares squares;                 ///< over the borders
    std::vector<Index> kind_of_square;     ///< none: a border comes into it
    std::vector<geometry::GridBox> boxes;  ///< of polygons
    std::vector<Index> kind_of_box;
    geometry::BoxIndex box_index;
  };
  struct Line;
  struct Arc;

  [[nodiscard]] geometry::GridBox grid_box(Vec2 min, Vec2 max) const;
  [[nodiscard]] LayerRegions layer_of(const environment::CleanLayer& layer) const;
  static void find_borders(LayerRegions& regions);
  static void find_kinds_of_squares(LayerRegions& regions);
  [[nodiscard]] static std::optional<Index> kind_left_of_borders(const LayerRegions& regions, Vec2 p);
  [[nodiscard]] Index kind_by_parity(const LayerRegions& regions, Vec2 p, Scratch& scratch) const;
  void find_far_sides(const environment::CleanLayer& layer, Index number);
  /// Adds what a stretch of the line in one layer feels.
  void feel(Index layer, const Line& line, double from, double to, double radius, const double* weights,
            Scratch& scratch) const;
  void feel_centre(Index layer, const Line& line, double from, double to, const double* weights,
                   Scratch& scratch) const;
  [[nodiscard]] Index centre_type(Index layer, const Line& line, double t, const double* weights,
                                  Scratch& scratch) const;
  void stop_arc_at(const LayerRegions& regions, const Arc& arc, double felt, Scratch& scratch) const;
  void stop_arc_at_slopes(const Arc& arc, Scratch& scratch) const;
  [[nodiscard]] const double* in_direction(const double* weights, Vec2 along, Scratch& scratch) const;
  [[nodiscard]] Index dearest_at(Index layer, Vec2 point, double felt, const double* weights, Scratch& scratch) const;
  /// visit(layer, from, to) for the stretches of a line that begins in `layer`, cut at the connections it crosses.
  template <class Visit>
  void for_each_stretch(Index layer, const Line& line, Visit&& visit) const;

  geometry::SnapGrid grid_;
  GroundKinds kinds_;
  std::vector<LayerRegions> layers_;
  std::vector<navmesh::Connection> connections_;
};

}  // namespace throng::ground
