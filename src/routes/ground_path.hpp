// A path over a ground surface by the edges it bends on, and the cheapest one that crosses the same edges: "pulled taut".
//
// For a fixed sequence of edges the cost, a sum of weights times distances between points that slide on them, is convex; at its least
// every bend obeys Snell's law, w1 sin a1 = w2 sin a2, and a stretch along an edge (a crawl: two bends on one edge) is entered and left at
// the critical angle. On slopes a leg costs its gauge (ground/kinds.hpp), convex too: all holds but Snell's formula. Found by Newton's method on the tridiagonal system, bends held at the ends of their edges where the slope says
// so; lengths are smoothed by a size that shrinks far below the tolerance, since |d| has no slope at 0. Where bends end on a vertex,
// the sequence that passes it on its other side is tried, and kept where it is cheaper.
//
// Laws
// 1. tighten() never makes a path dearer.
// 2. cost() is the sum over legs of weight x length, each leg in one triangle or along one edge: what the surface says, exactly.
// Complexity: O(bends) a round, a few tens of rounds; as many again for each vertex passed. Thread-safety: pure functions of the path's
// own state.
#pragma once

#include <vector>

#include "routes/ground_points.hpp"

namespace throng::routes {

struct GroundBend {
  Index edge = 0;
  double t = 0;  ///< 0 at the edge's a, 1 at its b
};

class GroundPath {
 public:
  /// From node to node as a search found them; `vias` has one more: from the start to the first, ..., from the last to the goal.
  GroundPath(const SteinerPoints& points, const ground::GroundCosts& costs, Vec2 start, Vec2 goal,
             const std::vector<Index>& nodes, const std::vector<LinkVia>& vias);

  void tighten();

  [[nodiscard]] double cost() const;
  struct Leg {
    Vec2 from, to;
    LinkVia via;
    Index vertex = none;  ///< that `from` lies on
  };
  /// Legs of some length, in order.
  [[nodiscard]] std::vector<Leg> legs() const;
  [[nodiscard]] const std::vector<GroundBend>& bends() const { return bends_; }
  [[nodiscard]] const std::vector<LinkVia>& vias() const { return vias_; }
  [[nodiscard]] double weight(LinkVia via) const { return weight_of(*costs_, via); }
  [[nodiscard]] double cost_of_leg(LinkVia via, Vec2 step) const { return cost_of(*costs_, via, step); }

 private:
  struct Run {
    std::size_t first = 0, last = 0;  ///< bends
    Index vertex = none;
  };
  [[nodiscard]] Vec2 at(const GroundBend& bend) const {
    const auto& e = surface_->edges()[bend.edge];
    return surface_->point(e.a) + (surface_->point(e.b) - surface_->point(e.a)) * bend.t;
  }
  [[nodiscard]] Index vertex_of(const GroundBend& bend) const;
  /// Bends and vias that lead around a vertex from one link to another; false:
  /// an obstacle is in the way.
  bool lead_around(Index vertex, LinkVia in, LinkVia out, bool counterclockwise, std::vector<GroundBend>& bends,
                   std::vector<LinkVia>& vias) const;
  [[nodiscard]] double angle_around(Index vertex, LinkVia in, LinkVia out, bool counterclockwise) const;
  void pass_vertex(Index vertex, LinkVia in, LinkVia out);
  void drop_needless_bends();
  void slide();
  [[nodiscard]] std::vector<Run> runs_at_vertices() const;
  bool try_other_side(const Run& run);

  const ground::Surface* surface_;
  const ground::GroundCosts* costs_;
  Vec2 start_, goal_;
  std::vector<GroundBend> bends_;
  std::vector<LinkVia> vias_;  ///< of legs: one more than bends
};

}  // namespace throng::routes
