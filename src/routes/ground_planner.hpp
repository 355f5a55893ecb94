// Cheapest ways over ground that has a price. Jaklin 2016, 3 to 5.
//
//   weighted  a rough search over few points an edge, pulled taut
//   (ground_path.hpp). The one people use. spm       the Steiner-point method
//   (ground_graph.hpp): within 1 + eps of the best over its points; then pulled
//   taut. vbp       vertex-based pruning: a grid path guides, edges near it are
//   kept, spm runs on those (ground_pruning.hpp). grid      eight neighbours
//   over highest weights (ground_grid.hpp).
//
// Laws
// 1. A route is found exactly if there is a way over the surface between the
// adjusted ends.
// 2. `cost` is what the surface says of the route, leg by leg; `searched_cost`
// what the search found before the path was pulled taut.
// 3. `bound`, where it was asked for, is proven: cost <= bound x the cheapest
// of all ways over the surface.
// 4. The same query gives the same bits, whatever was planned before.
// Two designs were weighed. Refining points where a lower bound asks for it
// until cost and bound meet proves what it finds, but the bound is of first
// order in the interval and takes many times longer than the way itself; a
// coarse search and the convex optimum of its edges is of second order in what
// it misses (Rowe, Richbourg 1990; today's practical best). So people get the
// second, and whoever wants the proof pays for it. Thread-safety: one object a
// thread; surfaces and costs are only read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "routes/ground_graph.hpp"
#include "routes/ground_path.hpp"
#include "routes/route.hpp"
#include "routes/search.hpp"

namespace throng::routes {

enum class GroundMethod { weighted, spm, vbp, grid };
enum class GridNodes { centres, corners };
enum class Pruning { triangle, edge, vertex };

struct GroundNumbers {
  GroundMethod method = GroundMethod::weighted;
  double eps = 0.1;                      ///< (0, 0.5]
  double cell = 1;                       ///< m: of `grid`, and of the grid that guides `vbp`
  GridNodes nodes = GridNodes::centres;  ///< of the grid
  Pruning prune = Pruning::vertex;
  bool prove = false;
};

struct GroundRoute {
  std::vector<GroundPath::Leg> legs;
  double cost = 0;
  double searched_cost = 0;
  std::optional<double> bound;
  std::vector<double> metres;  ///< by type: of several under a body the dearest counts
  std::size_t explored = 0;    ///< nodes expanded
  navmesh::Place start, goal;  ///< after adjusting
};

enum class GroundFailure { no_start, no_goal, no_way, too_many_cells };

class GroundPlanner {
 public:
  /// Both are to outlive the planner. `weights` by type, for what is reported.
  GroundPlanner(const ground::Surface& surface, std::vector<double> weights, std::vector<bool> forbidden = {});

  [[nodiscard]] const ground::Surface& surface() const { return surface_; }
  [[nodiscard]] const ground::GroundCosts& costs() const { return costs_; }
  /// The points of a method; kept from one query to the next.
  [[nodiscard]] GroundGraph& graph(const SteinerPlacement& placement);
  /// The cheapest path over a graph's points, before it is pulled taut.
  [[nodiscard]] std::optional<GroundPath> search(const GroundGraph& graph, const ground::Surface::Located& from,
                                                 const ground::Surface::Located& to);
  [[nodiscard]] double searched_cost() const { return searched_cost_; }
  [[nodiscard]] std::size_t explored() const { return explored_; }
  [[nodiscard]] GroundRoute described(const GroundPath& path) const;

 private:
  const ground::Surface& surface_;
  std::vector<double> weights_;
  ground::GroundCosts costs_;
  std::optional<GroundGraph> graph_;
  SteinerPlacement placement_;
  Search search_;
  std::vector<Terminal> starts_, ends_;
  double searched_cost_ = 0;
  std::size_t explored_ = 0;
};

/// The route that a body follows: corners of obstacles as arcs of its radius,
/// pieces by layer.
[[nodiscard]] Route route_over_ground(const ground::Surface& surface, const GroundRoute& way, double radius);

}  // namespace throng::routes
