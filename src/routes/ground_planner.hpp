// Cheapest ways over ground that has a price, for bodies of any size, by four methods. Jaklin 2016, 3 to 5, 7.2.
//
//   weighted  a rough search over few points an edge, its path pulled taut (ground_path.hpp); the `short` route where that is cheaper.
//             Where all ground that occurs weighs the same, the `shortest` route.
//   spm       the Steiner-point method: a search over points graded towards vertices, then pulled taut.
//   vbp       spm on the edges around a grid path (ground_prune.hpp).
//   grid      the cheapest way over a grid (ground_grid.hpp), as it is.
//
// Laws
// 1. A route is found exactly if Planner finds one, unless types are left out of the search (`never`): where a coarse grid finds no way, a
//    finer one is tried, then spm; where the surface has none (its rims are up to 3.6 % of the radius too wide) the `short` route is taken.
// 2. No point of a route is nearer to an obstacle than the radius (Route, law 4). Corners of obstacles are arcs; at each the route keeps as
//    much of the clearance asked for as fits (ground_route.hpp).
//    Whoever stands on ground that is left out gets the way over the least of it, and nothing else of it is entered: what it is walked on
//    there costs its `weight`.
// 3. cost is what RegionMap says of the route: the weighted length felt by the centre, or by the whole body.
// 4. bound, with `prove`: cost <= bound x the cheapest way over the surface, by intervals (ground_bound.hpp). Without it there is none.
// 5. The same query gives the same bits, whatever was planned before, split into any portions, on any thread.
//
// In portions: begin, advance while it is running, finish. Making a surface, the points of `spm` and a grid is not counted.
// Complexity: `weighted` expands some thousands of points in a town; the surface is made once a size of body.
// Thread-safety: one GroundPlanner a thread, any number on one GroundAtlas.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "routes/ground_atlas.hpp"
#include "routes/ground_grid.hpp"
#include "routes/ground_path.hpp"
#include "routes/ground_prune.hpp"
#include "routes/ground_search.hpp"
#include "routes/planner.hpp"

namespace throng::routes {

enum class GroundMethod { weighted, spm, vbp, grid };
inline constexpr std::string_view ground_method_names[] = {"weighted", "spm", "vbp", "grid"};
inline constexpr std::string_view grid_nodes_names[] = {"centres", "corners"};
inline constexpr std::string_view pruning_names[] = {"triangle", "edge", "vertex"};
inline constexpr std::string_view placement_names[] = {"rough", "published", "proven"};

struct GroundNumbers {
  GroundMethod method = GroundMethod::weighted;
  double eps = 0.1;                                ///< (0, 0.5]
  double cell = 1;                                 ///< m: of `grid`, and of the grid that guides `vbp`
  GridNodes nodes = GridNodes::centres;            ///< of either grid
  Pruning prune = Pruning::vertex;                 ///< of `vbp`
  PointPlacement points = PointPlacement::proven;  ///< of `spm` and `vbp`
  bool body = false;                               ///< the whole disc feels the ground; else the centre
  bool prove = false;
  friend bool operator==(const GroundNumbers&, const GroundNumbers&) = default;
};

struct GroundQuery {
  navmesh::Place from, to;
  double radius = 0.25;
  double clearance = 0;  ///< preferred distance of the centre from obstacles; below the radius: the radius
  GroundRow row;
  GroundNumbers numbers;
  /// Many will ask with this row: `weighted` looks ahead by distances to landmarks, which are made once for it (a fraction of a second in a
  /// town) and kept. Costs are the same to a millionth, searches some ten times smaller.
  bool landmarks = false;
  double adjust = 1.0;  ///< how far an end point may be moved to become valid, in metres
};

enum class GroundVerdict {
  found,
  bad_query,
  start_blocked,
  goal_blocked,
  not_connected,
  too_narrow,
  forbidden_ground,  ///< the start or the goal is on ground that is left out, or all ways lead over some
  too_many_cells,
  too_crowded,  ///< no surface could be made
  not_as_told,
};
[[nodiscard]] std::string_view reason_of(GroundVerdict verdict);
[[nodiscard]] GroundVerdict verdict_of(NoRoute reason);

struct GroundAnswer {
  GroundVerdict verdict = GroundVerdict::found;
  Route route;  ///< its cost is `cost`
  double cost = 0;
  double searched_cost = 0;  ///< what the search found, as its graph counts, before the path was pulled taut
  std::optional<double> bound;
  std::vector<double> metres;         ///< by type: of several under a body the dearest counts
  std::size_t explored = 0;           ///< nodes expanded, of all searches together
  std::vector<GroundPath::Leg> legs;  ///< over the surface; none where the route is Planner's
  std::vector<Vec2> grid_way;         ///< of `vbp` and `grid`
};

class GroundPlanner {
 public:
  explicit GroundPlanner(std::shared_ptr<const GroundAtlas> atlas);
  ~GroundPlanner();

  [[nodiscard]] GroundAnswer plan(const GroundQuery& query);

  /// Makes what the query needs and what does not depend on its ends: the surface, the points of `spm`, the grid.
  GroundVerdict prepare(const GroundQuery& query);
  /// `found`: goes on. Anything else is the answer.
  GroundVerdict begin(const GroundQuery& query);
  SearchStatus advance(std::size_t budget);
  [[nodiscard]] GroundAnswer finish();

  [[nodiscard]] const GroundAtlas& atlas() const { return *atlas_; }
  /// Of the last query.
  [[nodiscard]] const ground::Surface& surface() const { return sheet_->surface; }
  [[nodiscard]] const ground::GroundCosts& costs() const { return *costs_; }
  /// Those that were searched over: rough, of `spm`, or what pruning left of them.
  [[nodiscard]] const SteinerPoints& points() const { return *points_; }
  [[nodiscard]] const std::vector<bool>& kept() const { return kept_; }

 private:
  using Located = ground::Surface::Located;
  enum class Stage { grid, search, along_axis, done };

  [[nodiscard]] static bool is_valid(const GroundQuery& query, const ground::GroundKinds& kinds);
  [[nodiscard]] std::optional<Located> located(const navmesh::Place& place, navmesh::Place& end) const;
  void begin_search();
  /// What the search counts: as asked, or where the start is on ground that is left out, that as very dear.
  [[nodiscard]] const ground::GroundCosts& searched_costs() const { return leaving_ ? *leaving_ : *costs_; }
  void begin_leaving();
  [[nodiscard]] bool only_leaves(const std::vector<GroundPath::Leg>& legs) const;
  [[nodiscard]] bool is_on_left_out(const Route& route);
  void after_grid(SearchStatus status);
  void search_all_points();
  void plan_along_axis(GroundAnswer& answer, RouteMethod method);
  void write_path(GroundAnswer& answer);
  void write_grid_way(GroundAnswer& answer);
  void take_short_if_cheaper(GroundAnswer& answer, double felt);
  [[nodiscard]] double on_surface(const std::vector<GroundPath::Leg>& legs) const;
  void prove(GroundAnswer& answer);
  [[nodiscard]] GroundPath path_found();

  std::shared_ptr<const GroundAtlas> atlas_;
  GroundSheetPtr sheet_;
  std::shared_ptr<const GroundLandmarks> landmarks_;  ///< of the sheet and the row, where the query wants them
  GroundQuery query_;
  std::optional<ground::GroundCosts> costs_;
  std::optional<ground::GroundCosts> leaving_;  ///< while the start is on ground that is left out
  std::optional<SteinerPoints> graded_;         ///< of the row and placement that follow
  GroundRow graded_row_;
  SteinerPlacement graded_placement_;
  std::optional<SteinerPoints> pruned_;
  std::vector<bool> kept_;
  std::optional<GroundGrid> grid_;
  GroundRow grid_row_;
  GridNodes grid_nodes_ = GridNodes::centres;
  double grid_cell_ = 0;
  int halvings_ = 0;
  const SteinerPoints* points_ = nullptr;
  Stage stage_ = Stage::done;
  Located from_, to_;
  navmesh::Place start_, goal_;
  GroundSearch search_;
  std::size_t explored_ = 0;
  double grid_cost_ = 0;
  std::vector<Vec2> grid_way_;
  std::unique_ptr<Planner> planner_;  ///< made when first needed
  ground::RegionMap::Scratch scratch_;
  std::vector<Index> nodes_;
  std::vector<LinkVia> vias_;
};

}  // namespace throng::routes
