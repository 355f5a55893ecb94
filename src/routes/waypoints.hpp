// Routes over waypoints, as older simulators plan them (Parsons 2010, 5.1): points of the world, lines between those that see each other,
// and Dijkstra's algorithm. What the mesh's own routes are compared with.
//
// `visibility` (Parsons 2010, 5.1.1): a point beside every corner of the obstacles and of the border, moved off both its walls by the body's radius;
// the matrix of which see each other holds their distances.
// `voronoi_sites` (Parsons 2010, 5.1.2): the vertices and edges of the Voronoi diagram of the buildings' middles, cut off at a perimeter inside the
// world's box, edges through buildings left out. Large buildings have several sites, evenly spaced (Parsons sets them by hand: three and
// two), as many as the median building fits into them.
//
// Laws
// 1. Every line of a graph, and every route, keeps the radius from obstacles.
// 2. A route is the shortest over its graph, its ends joined to all waypoints they see; a straight line where they see each other.
// 3. Where the graph does not lead to the goal (its points do not fit into narrow places, Voronoi lines may be cut) plan() says
//    not_connected, though there may be a way: callers fall back on the planner.
// 4. The same world and radius give the same bits.
// Complexity: visibility O(n^2) rays for n corners; voronoi O(n log n), a ray an edge. A route: a ray to every waypoint from both ends,
// then Dijkstra. Thread-safety: immutable once made.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "navmesh/mesh.hpp"
#include "routes/planner.hpp"
#include "routes/route.hpp"
#include "routes/search.hpp"

namespace throng::routes {

/// Whether a route method is one of waypoints.
[[nodiscard]] constexpr bool uses_waypoints(RouteMethod method) { return method >= RouteMethod::visibility; }

class WaypointGraph {
 public:
  /// `method` is one of those of waypoints.
  WaypointGraph(navmesh::MeshPtr mesh, RouteMethod method, double radius);

  [[nodiscard]] double radius() const { return radius_; }
  [[nodiscard]] const std::vector<navmesh::Place>& points() const { return points_; }
  [[nodiscard]] std::size_t line_count() const { return lines_.size() / 2; }
  [[nodiscard]] std::size_t bytes() const;

  // What Search asks for.
  [[nodiscard]] std::size_t node_count() const { return points_.size(); }
  template <class Visit>
  void for_each_neighbour(Index node, Visit&& visit) const {
    for (Index i = first_line_[node]; i < first_line_[node + 1]; ++i) visit(lines_[i].to, lines_[i].length, i);
  }

  /// Plans for a body of at most the graph's radius. `search` is scratch.
  NoRoute plan(const RouteQuery& query, Search& search, Route& route) const;

 private:
  struct Line {
    Index to = 0;
    double length = 0;
  };
  /// Lines between points, by their numbers, the lower first.
  using Pairs = std::vector<std::pair<Index, Index>>;

  void join_all_that_see_each_other();
  void add_voronoi();
  void keep_lines(const Pairs& pairs);
  [[nodiscard]] std::vector<Terminal> seen_from(const navmesh::Place& place, double radius) const;

  navmesh::MeshPtr mesh_;
  double radius_ = 0;
  std::vector<navmesh::Place> points_;
  std::vector<Line> lines_;        ///< by the point they leave
  std::vector<Index> first_line_;  ///< of each point, one more at the end
};

/// Graphs by method and class of radius (whole centimetres, rounded up), made when they are first needed.
class WaypointGraphs {
 public:
  /// Makes the graph that find() gives for this radius, if it is not there. Another mesh: everything anew.
  void make(const navmesh::MeshPtr& mesh, RouteMethod method, double radius);
  /// Null where it was not made.
  [[nodiscard]] const WaypointGraph* find(RouteMethod method, double radius) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  navmesh::MeshPtr mesh_;
  std::map<std::pair<RouteMethod, double>, std::shared_ptr<const WaypointGraph>> graphs_;
};

/// Plans by waypoints where the query says so and the graph was made, and otherwise, or where that leads nowhere, by the planner's
/// `short`. Adds what was expanded to `expansions`.
NoRoute plan_by_method(const RouteQuery& query, const WaypointGraphs& graphs, Planner& planner, Search& search,
                       Route& route, std::size_t& expansions);

/// The place, moved straight away from its nearest obstacle where it is too near to it; nothing where there is no room within `most`.
[[nodiscard]] std::optional<navmesh::Place> with_room(const navmesh::Mesh& mesh, const navmesh::Place& place,
                                                      double radius, double most);

/// Where outlines of obstacles turn, as one walks along them with the free space on the left.
struct OutlineCorner {
  navmesh::Place place;
  Vec2 ahead, back;  ///< unit directions along the wall that leaves the corner and back along the one that reaches it
};
[[nodiscard]] std::vector<OutlineCorner> outline_corners(const navmesh::Mesh& mesh);

/// Closed outlines of obstacles that stand in free space: buildings. By layer and lowest corner.
struct Building {
  Index layer = 0;
  std::vector<Vec2> outline;
};
[[nodiscard]] std::vector<Building> buildings_of(const navmesh::Mesh& mesh);

/// Sites for a Voronoi diagram of buildings.
[[nodiscard]] std::vector<Vec2> voronoi_sites_of(const std::vector<Building>& buildings);

}  // namespace throng::routes
