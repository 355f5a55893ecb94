// Routes for bodies of any radius on one mesh. Jaklin 2016, 2.2, 11.2.3, 11.3.2; van Toll, Pettre 2019, A.2.1; Geraerts 2010.
//
// `short`: the cheapest way along the axis among edges wide enough, and the tightest path in the corridor around it: lines
// tangent to arcs around obstacle corners. `clearance` is the distance from obstacles the body would like to keep; at each corner
// the route keeps as much of it as the corridor there allows, and never less than the radius.
//
// Laws
// 1. A route is found exactly if one of the given radius exists between the (adjusted) end points.
// 2. No point of a route is nearer to an obstacle than the radius (Route, law 4).
// 3. Within its corridor a `short` route is the shortest that keeps the radius of each corner it turns around. Rarely the tightest
//    path comes out wrong where the corridor turns back on itself, or between many corners for a wide body; then the
//    route runs along the axis.
// 4. The same query gives the same bits, whatever was planned before, on any thread.
//
// Which distance is kept at a corner: the smallest clearance of the axis along the corner's cells, at most the clearance asked
// for, so that discs left and right of the axis never overlap; it grows along the corridor no faster than the way between
// corners, so that no disc swallows another. Walls need no discs: a tight path turns at corners only, and stays as far from
// a wall as from the corners at its ends.
//
// An end point that is not walkable, or nearer to an obstacle than the radius, is moved to the nearest valid point straight away
// from that obstacle, if that is within `adjust` metres; otherwise there is no route, and the reason says which end.
//
// `shortest`: the shortest of all that keep the radius, whatever corridor it runs in (shortest_finder.hpp); `clearance` does not count.
// Never longer than `short`, to rounding. It is looked for with a limit that labels let one hope for; where nothing is found within
// it, `short` is planned, and its length is the limit.
//
// `medial`: along the axis. `left`, `right`: at the clearance asked for from the obstacles on that side, on the axis where there is
// no room for it. `given`: a line through points, see given_route.
//
// Alternatives (plan_alternatives): the shortest routes of the best classes, as in alternatives_finder.hpp; the first is that of `shortest`.
//
// Complexity: O(log n) A* expansions as a rule, then linear in the corridor. No allocation but the route's own once buffers have
// grown. Thread-safety: one Planner a thread, any number on one RouteGraph.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "navmesh/locate.hpp"
#include "navmesh/queries.hpp"
#include "navmesh/visibility.hpp"
#include "routes/axis_path.hpp"
#include "routes/funnel.hpp"
#include "routes/route.hpp"
#include "routes/route_graph.hpp"
#include "throng/result.hpp"

namespace throng::routes {

class ShortestFinder;  // shortest_finder.hpp
struct ShortestWay;

/// `visibility` and `voronoi_sites` are those of WaypointGraph (waypoints.hpp): a Planner takes them for bad queries.
enum class RouteMethod { shortest_in_corridor, medial, left, right, shortest, visibility, voronoi_sites };
inline constexpr std::string_view route_method_names[] = {"short",    "medial",     "left",         "right",
                                                          "shortest", "visibility", "voronoi_sites"};

struct RouteQuery {
  navmesh::Place from, to;
  double radius = 0.25;
  double clearance = 0;  ///< preferred distance of the centre from obstacles; below the radius: the radius
  RouteMethod method = RouteMethod::shortest_in_corridor;
  double adjust = 1.0;  ///< how far an end point may be moved to become valid
  /// For `shortest`: bounded by the labels of a class of radii, made where there are none yet, or by the straight line. The same route.
  bool by_labels = true;
};

enum class NoRoute {
  found,
  bad_query,         ///< NaN, a negative radius, an infinite coordinate
  start_blocked,     ///< the start is in an obstacle, or too near to one, and no valid point is close enough
  goal_blocked,      ///< the same for the goal
  not_connected,     ///< start and goal lie in parts of the world that are not joined, for a body of any size
  too_narrow,        ///< they are joined, but only by ways narrower than the body
  too_long,          ///< the search was given up: it took more expansions than it was allowed
  forbidden_ground,  ///< all ways lead over ground that a profile never enters
  not_as_told,       ///< there are ways, but each passes an obstacle on the side it was told not to (decided_route.hpp)
};
[[nodiscard]] std::string_view reason_of(NoRoute reason);

class Planner {
 public:
  explicit Planner(std::shared_ptr<const RouteGraph> graph);
  ~Planner();
  Planner(Planner&&) noexcept;
  Planner& operator=(Planner&&) = delete;

  /// Plans into `route`, whose buffers are reused. On anything but `found` the route is empty.
  NoRoute plan(const RouteQuery& query, Route& route);

  /// The `count` best ways that no two of can be pulled into each other without crossing an obstacle, each as short as can be, shortest
  /// first; fewer where there are no more. The query's method and clearance do not count. Costs a flow field.
  /// `complete` is false where the search was given up with fewer than asked for, though there may be more.
  struct Alternatives {
    std::vector<Route> routes;
    bool complete = true;
    std::size_t expansions = 0;
  };
  NoRoute plan_alternatives(const RouteQuery& query, std::size_t count, Alternatives& found);

  /// What finds a way along the axis, for a body of a radius, between two points of it; false where there is none.
  using PathFinder = std::function<bool(const OnAxis& from, const OnAxis& to, double radius, AxisPath& path)>;
  /// Plans `short`, `medial`, `left` or `right` along a way that somebody else finds, at costs of their own (chain_search.hpp). The
  /// route's cost is the path's length.
  NoRoute plan_by(const RouteQuery& query, const PathFinder& find, Route& route);
  /// The same in a given corridor: the route of a class (axis_trace.hpp), pulled tight. `bad_query` where the chains do not lead from
  /// start to goal, `too_narrow` where the body does not fit through.
  NoRoute plan_along(const RouteQuery& query, std::span<const Index> chains, Route& route);

  /// The same in portions: begin, advance while it is running, finish.
  NoRoute begin(const RouteQuery& query);
  SearchStatus advance(std::size_t budget);
  NoRoute finish(bool found, Route& route);
  [[nodiscard]] std::size_t expansions() const {
    return exact_expansions_ + (stage_ == Stage::exact || stage_ == Stage::found_exact ? 0 : finder_.expansions());
  }
  /// What was looked at for the last `shortest` route: windows and circles. Of the expansions.
  [[nodiscard]] std::size_t exact_expansions() const { return exact_expansions_; }

  [[nodiscard]] const RouteGraph& graph() const { return *graph_; }

 private:
  /// Where a query's end point is once it is valid.
  struct End {
    navmesh::Place place;
    OnAxis on_axis;
    Index site = none;     ///< nearest obstacle
    Index cell = none;     ///< that the place lies in, where it is known
    bool on_left = false;  ///< of the axis, as the path goes
  };
  /// One arc of the path, or what of it lies between the end points, as it is walked.
  struct PathArc {
    Index left = none, right = none;  ///< sites
    Vec2 from, to;
  };
  /// A corner of the corridor and the arcs of the path along which it is the nearest obstacle on its side.
  struct Corner {
    Index site = none;
    Vec2 point;
    double clearance = unreachable;  ///< smallest along those arcs
    double radius = 0;               ///< kept by the route
  };
  /// One end of a gate: a corner, or a point of a wall.
  struct Post {
    Vec2 point;
    Index corner = none;  ///< into corners_ of its side
  };
  /// A gate of the corridor at a node of the axis.
  struct Gate {
    Post left, right;
    Index arc = none;  ///< directed; the node is its end
  };

  [[nodiscard]] std::optional<End> validated(const navmesh::Place& place) const;
  [[nodiscard]] std::optional<End> moved_from_wall(const navmesh::Place& place, const navmesh::Located& at) const;
  [[nodiscard]] std::optional<End> nearest_valid(const navmesh::Place& place, bool walkable) const;
  void list_gates();
  [[nodiscard]] Index corner_of(bool left, Index directed_arc);
  void set_radii(std::vector<Corner>& corners, double keep) const;
  void write_method(Route& route);
  bool write_tightest(double keep, Route& route);
  /// Within half of tolerance::route_clearance, 5e-8 m: tangents and arcs that touch a disc are on it to rounding only (about 1e-9 m on a map
  /// of a kilometre), so none would pass without a tolerance, and what passes here must pass whoever checks law 4 of Route
  /// with the whole slack and rounding of their own.
  [[nodiscard]] bool keeps_radius(const Route& route) const;
  [[nodiscard]] bool is_suspect(const Route& route) const;
  [[nodiscard]] bool passes_gates(const Route& route) const;
  [[nodiscard]] bool cuts_corner(const Gate& gate, Vec2 from, Vec2 to) const;
  void mend(Route& route);
  [[nodiscard]] bool begin_exact(std::optional<double> most);
  SearchStatus advance_exact(std::size_t budget);
  void write_way(const ShortestWay& way, Route& route);
  void write_exact(const ShortestWay& way, Route& route);
  void write_ends(Route& route) const;
  void write_along_path(Route& route);
  void begin_along_axis();
  void pull_tight(double keep);
  [[nodiscard]] double reach_of(const Gate& gate) const;
  [[nodiscard]] bool tells_little(const Post& post, const Post& last, const std::vector<Corner>& corners) const;
  [[nodiscard]] bool reaches_over(const Gate& gate, Vec2 p, double ahead) const;
  void list_corners(std::size_t begin, std::size_t end);
  void write_bends(std::span<const Bend> bends, Route& route) const;
  [[nodiscard]] PathArc path_arc(std::size_t i) const;
  void write_axis(Route& route) const;
  void write_side(Route& route, bool on_left, double keep) const;
  [[nodiscard]] bool are_connected() const;

  std::shared_ptr<const RouteGraph> graph_;
  AxisPathFinder finder_;
  AxisPath path_;
  Funnel funnel_;
  std::unique_ptr<ShortestFinder> shortest_;  ///< made when first needed
  std::unique_ptr<ShortestWay> way_;          ///< the same
  /// Of the search for a route: what comes next, or was found.
  enum class Stage { exact, along_axis, exact_within, found_exact, found_along_axis };
  Route along_axis_;  ///< what a shortest way is not longer than
  Stage stage_ = Stage::along_axis;
  std::size_t exact_expansions_ = 0;
  RouteQuery query_;
  End start_, goal_;
  std::vector<Gate> gates_;
  std::size_t told_from_ = 0, told_to_ = 0;  ///< the gates that lie between the end points
  std::vector<Corner> left_corners_, right_corners_;
  std::vector<Bend> beside_;  ///< corners near an end point
  double wall_radius_ = 0;    ///< of walls' points in the funnel
  bool every_gate_ = false;   ///< the funnel is told of all gates, not only where the corridor turns
};

/// The route through given points by straight lines (Jaklin 2016, 6.2: routes drawn by hand). Refused with the first line that comes nearer to
/// an obstacle than the radius, and with fewer than two points.
[[nodiscard]] Result<Route> given_route(const navmesh::Mesh& mesh, const std::vector<navmesh::Place>& points,
                                        double radius);

}  // namespace throng::routes
