#include "routes/ground_prune.hpp"

#include <algorithm>
#include <cmath>

#include "routes/ground_walk.hpp"

namespace throng::routes {

namespace {

using ground::GroundCosts;
using ground::Surface;
using navmesh::Index;
using navmesh::none;

/// Distances that differ by no more than this, in metres, are equal; lines that turn by less do not bend.
constexpr double tie = 1e-9;

class Keeper {
 public:
  explicit Keeper(const Surface& surface) : surface_(surface), kept_(surface.edges().size(), false) {}

  void keep(Index edge) { kept_[edge] = true; }
  void keep_triangle(Index t) {
    for (const Index e : surface_.triangles()[t].edge) keep(e);
  }
  void keep_via(LinkVia via) {
    if (!via.along) return keep_triangle(via.index);
    for (const Index t : surface_.edges()[via.index].triangle)
      if (t != none) keep_triangle(t);
  }
  /// Whatever else is near lies beyond an edge of the place's own triangle.
  void keep_closest_edges(const Surface::Located& at) {
    std::vector<LinkVia> around;
    around_place(surface_, at, around);
    if (around.size() > 1) {
      for (const LinkVia via : around)
        if (via.along) keep(via.index);
      return;
    }
    const auto away = [&](Index e) {
      const auto& edge = surface_.edges()[e];
      return distance_between(at.point, at.point, surface_.point(edge.a), surface_.point(edge.b));
    };
    const auto& edges = surface_.triangles()[at.triangle].edge;
    const double least = std::min({away(edges[0]), away(edges[1]), away(edges[2])});
    for (const Index e : edges)
      if (away(e) <= least + tie) keep(e);
  }
  void keep_closest_vertices(Vec2 p) {
    double least = unreachable;
    for (const auto& v : surface_.vertices()) least = std::min(least, squared_length(v.point - p));
    const double within = std::sqrt(least) + tie;
    for (Index v = 0; v < surface_.vertices().size(); ++v)
      if (squared_length(surface_.point(v) - p) <= within * within)
        for (const Index e : surface_.edges_at(v)) keep(e);
  }
  std::vector<bool> take() && { return std::move(kept_); }

 private:
  const Surface& surface_;
  std::vector<bool> kept_;
};

}  // namespace

std::vector<bool> kept_edges(const Surface& surface, const GroundCosts& costs, const Surface::Located& start,
                             std::span<const Vec2> way, Pruning pruning) {
  Keeper keeper(surface);
  Surface::Located at = start;
  keeper.keep_triangle(start.triangle);
  for (std::size_t i = 1; i < way.size(); ++i) {
    StraightWalk walk;
    const auto end = walk_straight(surface, costs, at, way[i], &walk);
    if (!end) break;
    at = *end;
    for (const Index e : walk.crossed) keeper.keep(e);
    for (const GroundPath::Leg& piece : walk.pieces)
      if (pruning == Pruning::triangle || piece.via.along) keeper.keep_via(piece.via);
    if (i + 1 == way.size()) break;
    if (pruning == Pruning::edge) keeper.keep_closest_edges(at);
    // The lines from the start to the grid and from it to the goal are no part of the grid path: bends there are none.
    const bool bends = i > 1 && i + 2 < way.size() && std::abs(cross(way[i] - way[i - 1], way[i + 1] - way[i])) > tie;
    if (pruning == Pruning::vertex && bends) keeper.keep_closest_vertices(way[i]);
  }
  keeper.keep_triangle(at.triangle);
  return std::move(keeper).take();
}

}  // namespace throng::routes
