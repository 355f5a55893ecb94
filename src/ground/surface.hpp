// The ground as a body of one size walks and feels it: triangles, each with the
// set of types under a disc centred in it. Jaklin 2016, 2.3 and 7.2.
//
// Words
//   hard radius  how far the centre keeps from obstacles: free space is shrunk
//   by it. felt radius  how far a body feels ground around its centre: the area
//   of each type, plain ground (type 0) included, is grown by
//                it. 0: a point feels what is under it.
//   set          types felt together, sorted. A profile's weight of a set is
//   the largest of its types' weights, so one surface
//                serves every profile.
//
// Laws
// 1. Triangles run counterclockwise, meet in whole edges, and lie in the free
// space shrunk by the hard radius; what of it they
//    leave out is within 3.6 % of the radius, plus `rounding()`, of the rim
//    around a corner of an obstacle.
// 2. A triangle's set holds every type that the open disc of the felt radius
// around a point of it overlaps; it holds no type farther
//    away than 1.036 times the felt radius plus `rounding()`. With felt radius 0
//    it holds one type. So what a line costs here is never less than what
//    RegionMap says, and for points the same.
// 3. Edges that can be crossed have a triangle on either side, perhaps of
// different layers: layers are joined along connections. A
//    vertex belongs to one fan of triangles that follow each other across such
//    edges: where walls touch there are several vertices at one point, and
//    nobody slips through.
// 4. Near a connection, ground and walls of the layer beyond are felt from its
// line on, whether or not a path crosses it: the surface
//    may count more there than RegionMap, never less.
// 5. The same environment gives the same bits.
// 6. Slivers: where regions and walls, or two regions, miss each other by less than 5 mm or three units of the snap grid, what lies
//    between counts as the ground that it shares most of its border with. So nobody walks for little in a gap that no survey meant.
// Cost: O(n log n). Thread-safety: immutable.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "environment/clean/clean.hpp"
#include "geometry/box_index.hpp"
#include "ground/kinds.hpp"
#include "navmesh/mesh.hpp"
#include "throng/result.hpp"

namespace throng::ground {

using navmesh::Index;
using navmesh::none;
using navmesh::Place;

struct SurfaceRadii {
  double hard = 0;  ///< m
  double felt = 0;  ///< m
  friend auto operator<=>(const SurfaceRadii&, const SurfaceRadii&) = default;
};

class Surface {
 public:
  struct Vertex {
    Vec2 point;
    Index rim = none;  ///< of the arc that this corner stands for, into rim_centres()
  };
  struct Triangle {
    std::array<Index, 3> vertex = {};
    std::array<Index, 3> beyond = {none, none, none};  ///< across the edge opposite vertex i; none: an obstacle
    std::array<Index, 3> edge = {};
    Index set = 0;
    Index layer = 0;

    [[nodiscard]] int corner_of(Index v) const {
      return vertex[0] == v ? 0 : vertex[1] == v ? 1 : vertex[2] == v ? 2 : -1;
    }
    [[nodiscard]] int side_of(Index e) const { return edge[0] == e ? 0 : edge[1] == e ? 1 : 2; }
  };
  struct Edge {
    Index a = 0, b = 0;                            ///< vertices
    std::array<Index, 2> triangle = {none, none};  ///< left of a->b and right of it; [0] is always there or [1] is
    double length = 0;
  };

  [[nodiscard]] static Result<Surface> make(const environment::CleanEnvironment& world, const SurfaceRadii& radii);

  [[nodiscard]] const SurfaceRadii& radii() const { return radii_; }
  [[nodiscard]] std::span<const Vertex> vertices() const { return vertices_; }
  [[nodiscard]] std::span<const Triangle> triangles() const { return triangles_; }
  [[nodiscard]] std::span<const Edge> edges() const { return edges_; }
  [[nodiscard]] std::span<const Vec2> rim_centres() const { return rim_centres_; }
  /// Kinds of ground, as in RegionMap.
  [[nodiscard]] const GroundKinds& kinds() const { return kinds_; }
  /// Their types; [0] is "", plain.
  [[nodiscard]] const std::vector<std::string>& types() const { return kinds_.names(); }
  [[nodiscard]] std::span<const std::vector<Index>> sets() const { return sets_; }
  /// How far anything may lie from where it should, in metres.
  [[nodiscard]] double rounding() const { return rounding_; }

  /// Square metres of slivers that were counted as the ground beside them: law 6.
  [[nodiscard]] double absorbed_area() const { return absorbed_area_; }

  /// Edges that end in a vertex, counterclockwise; around a vertex at an
  /// obstacle from one border of it to the other.
  [[nodiscard]] std::span<const Index> edges_at(Index vertex) const {
    return {around_.data() + first_around_[vertex], first_around_[vertex + 1] - first_around_[vertex]};
  }

  /// Where a place is: its triangle, or the nearest point of the surface within
  /// `reach` metres and that point's triangle.
  struct Located {
    Index triangle = none;
    Vec2 point;
  };
  [[nodiscard]] std::optional<Located> locate(const Place& place, double reach) const;

  [[nodiscard]] Vec2 point(Index vertex) const { return vertices_[vertex].point; }
  [[nodiscard]] std::size_t bytes() const;

 private:
  friend class SurfaceMaker;
  [[nodiscard]] geometry::GridBox box_around(Vec2 p, double reach) const;
  void index_triangles(std::size_t layer_count);

  SurfaceRadii radii_;
  std::vector<Vertex> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<Edge> edges_;
  std::vector<Vec2> rim_centres_;
  GroundKinds kinds_;
  std::vector<std::vector<Index>> sets_;
  std::vector<Index> around_, first_around_;
  double rounding_ = 0, absorbed_area_ = 0;
  double fine_area_ = 0;  ///< square metres of a square fine unit
  geometry::SnapGrid grid_;
  std::vector<geometry::BoxIndex> by_layer_;
  std::vector<Index> first_of_layer_;  ///< triangles come layer by layer
};

/// What a row of weights (kinds.hpp) makes of a surface. `forbidden` kinds are left out of the search.
class GroundCosts {
 public:
  GroundCosts(const Surface& surface, std::span<const double> row, const std::vector<bool>& forbidden = {});

  /// A metre at its dearest, whatever the direction; of a set without slopes, any metre.
  [[nodiscard]] double of_set(Index set) const { return most_of_set_[set]; }
  [[nodiscard]] double of_triangle(Index t) const { return most_of_set_[surface_->triangles()[t].set]; }
  /// A metre at its cheapest.
  [[nodiscard]] double least_of_triangle(Index t) const { return least_of_set_[surface_->triangles()[t].set]; }
  /// What a step in a triangle costs: the largest gauge of those felt. Convex in the step, 0 for none.
  [[nodiscard]] double of_step(Index t, Vec2 step) const {
    const Index set = surface_->triangles()[t].set;
    const double size = std::sqrt(squared_length(step));
    return !directed_ || gauges_[set].empty() ? most_of_set_[set] * size : steepest(set, step, size);
  }
  /// What a step along an edge costs: that on the cheaper of its sides.
  [[nodiscard]] double of_step_along(Index edge, Vec2 step) const;
  /// The smaller weight of an edge's two sides, each at its dearest.
  [[nodiscard]] double along(Index edge) const;
  /// The same, each at its cheapest.
  [[nodiscard]] double least_along(Index edge) const;
  /// Smallest and largest finite weight that occur.
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double most() const { return most_; }
  /// Whether any costs hang on directions.
  [[nodiscard]] bool directed() const { return directed_; }
  /// Infinite: no part of the search space.
  [[nodiscard]] bool open(Index t) const { return of_triangle(t) < unbounded; }
  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  /// across |d| + linear d.uphill + bent |d.uphill|
  struct Gauge {
    double across = 0, linear = 0, bent = 0;
    Vec2 uphill;
    [[nodiscard]] double of(Vec2 step, double size) const {
      const double rise = dot(step, uphill);
      return across * size + linear * rise + bent * std::abs(rise);
    }
  };
  /// Of a triangle's set, all that are felt; none where nothing of it slopes.
  [[nodiscard]] std::span<const Gauge> gauges(Index t) const { return gauges_[surface_->triangles()[t].set]; }

 private:
  [[nodiscard]] double steepest(Index set, Vec2 step, double size) const;

  const Surface* surface_;
  std::vector<double> most_of_set_, least_of_set_;
  std::vector<std::vector<Gauge>> gauges_;  ///< by set
  double least_ = unbounded, most_ = 0;
  bool directed_ = false;
};

}  // namespace throng::ground
