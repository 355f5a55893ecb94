// Cheapest ways over ground that has a price. Jaklin 2016, 3 to 5.
//
// A search over the points of a graph (ground_graph.hpp: rough, or the Steiner points of SPM) gives a path, which GroundPath pulls
// taut. Grids (ground_grid.hpp) and lower bounds (ground_bound.hpp) stand beside it; methods by name are to be put together of these.
//
// Laws
// 1. A path is found exactly if there is one over the graph between the two places.
// 2. searched_cost() is what the search found before the path was pulled taut.
// 3. The same query gives the same bits, whatever was searched before.
// Thread-safety: one object a thread; surfaces are only read.
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
