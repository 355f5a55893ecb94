// The way of a curve along the axis, and what follows from it: the class of the curve and the passages that it crosses.
//
// Every place of the free space has one point of the axis that it is retracted to, straight away from its nearest obstacle, and
// that point moves on without a jump as the place does (only on an obstacle's corner it has no direction). So a curve becomes a
// way along the axis, and what goes there and back along the axis can be cancelled without crossing an obstacle: what is left is
// the same for two curves between the same ends exactly if one can be pulled into the other, over layers too, and with bridges.
//
// Words
//   trace     that way: arcs and the nodes between them, reduced, from the arc that the start is retracted to up to the goal's.
//   marker    a place in the middle of a chain (route_graph.hpp). Cut at all markers the axis falls apart into trees, a junction
//             each, so a trace is known from the markers that it passes.
//   class     the directed chains whose markers are passed, in order: the word of a homotopy class (methods for congestion and
//             detours compare ways by it; Zwiers 7.1). Twigs have no markers: a visit to a dead end says nothing.
//
// Laws
// 1. Two curves between the same ends have equal classes exactly if one can be pulled into the other, ends kept, without crossing
//    an obstacle. Curves with other ends have classes that say nothing about each other.
// 2. The class of a curve is that of its parts, joined (joined()); the class of the way back is reversed().
// 3. It does not depend on how a curve is cut into lines, or on who planned it.
// 4. Passages are those that the curve crosses, directed; crossing one and turning back leaves neither.
// 5. Places that the curve only ends at are on one side of a passage: what lies on it counts as before it.
// Complexity: linear in the cells passed. Thread-safety: pure functions; a tracer a thread.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "routes/route.hpp"
#include "routes/route_graph.hpp"

namespace throng::routes {

/// The class of a way: 2 * chain + (1 if walked from the chain's `to`), no chain next to its inverse.
using ChainWord = std::vector<Index>;

/// A way along the axis, reduced.
struct AxisTrace {
  /// A node, and the arc that the way goes on along.
  struct Passed {
    Index node = none;
    Index arc = none;
    friend bool operator==(const Passed&, const Passed&) = default;
  };
  navmesh::Place start, goal;
  Index start_cell = none, goal_cell = none;  ///< as locate() gives them
  std::vector<Passed> passed;

  [[nodiscard]] Index last_arc() const { return passed.empty() ? start_cell / 2 : passed.back().arc; }
  /// Goes on over a node into an arc, and cancels what that takes back.
  void pass(Index node, Index arc);
};

/// Follows a curve from line to line. What a curve of planned pieces or walked steps is made of is free, to rounding.
class AxisTracer {
 public:
  explicit AxisTracer(const navmesh::Mesh& mesh) : mesh_(&mesh) {}

  /// False where the place is not walkable.
  bool begin(const navmesh::Place& start);
  /// On in a straight line. False, and of no more use, where that leads through an obstacle.
  bool line_to(const navmesh::Place& to);
  /// Along the pieces of a route.
  bool along(const Route& route);
  /// Ends the trace where the curve has come to, which is this place. False where it is another.
  bool finish(const navmesh::Place& goal);

  [[nodiscard]] const AxisTrace& trace() const { return trace_; }

 private:
  /// A cell of a search around a point.
  struct Beside {
    Index cell = none;
    Index parent = none;  ///< into the list
    Index node = none;    ///< passed on the way from the parent; none: across the arc
  };
  bool walk(Vec2 to);
  bool walk_back(const navmesh::Place& to);
  bool in_parts(const navmesh::Place& to, int depth);
  bool turn_to(Index cell, Vec2 at);
  bool along_site(Index cell);
  bool around(Index cell, Vec2 at, double reach);
  void enter(Index cell, Index node);

  const navmesh::Mesh* mesh_;
  AxisTrace trace_;
  Index cell_ = none;  ///< where the curve is
  navmesh::Place at_;
  std::vector<Beside> beside_;
  std::vector<AxisTrace::Passed> back_;
};

/// The trace of a route, of a curve through points by straight lines. Nothing where the curve leads through an obstacle.
[[nodiscard]] std::optional<AxisTrace> trace_of(const navmesh::Mesh& mesh, const Route& route);
[[nodiscard]] std::optional<AxisTrace> trace_of(const navmesh::Mesh& mesh, std::span<const navmesh::Place> points);

[[nodiscard]] ChainWord class_of(const RouteGraph& graph, const AxisTrace& trace);
/// Directed passages: 2 * passage, + 1 against its arc.
[[nodiscard]] std::vector<Index> passages_of(const RouteGraph& graph, const AxisTrace& trace);

/// What a way passes, left and right of which obstacles: all that is kept of it beside its geometry.
struct RouteTopology {
  ChainWord chains;             ///< its class
  std::vector<Index> passages;  ///< directed passages crossed
  friend bool operator==(const RouteTopology&, const RouteTopology&) = default;
};
/// Of a route of any method. Nothing where it leads through an obstacle, as no planned route does.
[[nodiscard]] std::optional<RouteTopology> topology_of(const RouteGraph& graph, const Route& route);
/// That of a way that goes on with another: what the second takes back is cancelled.
[[nodiscard]] RouteTopology joined(const RouteTopology& first, const RouteTopology& second);

/// Appends a directed chain, or passage; cancels it where it takes back the last one.
void append_reduced(std::vector<Index>& word, Index directed);
/// The class of a way that goes on with another.
[[nodiscard]] ChainWord joined(ChainWord first, std::span<const Index> second);
/// The class of the way back.
[[nodiscard]] ChainWord reversed(std::span<const Index> word);
/// As text: "12+ 7-", a chain walked along or against its direction; empty for the class of ways that pass no marker.
[[nodiscard]] std::string text_of(std::span<const Index> word);

/// The arc in whose middle a chain has its marker, as 2 * arc + (1 if the chain runs against it).
[[nodiscard]] Index marker_of(const RouteGraph& graph, Index chain);
/// The junction around which a place lies once all chains are cut at their markers: the class of a way is a walk over chains from
/// that of its start to that of its goal.
struct Home {
  Index junction = none;
  Index chain = none;  ///< that leads there; none where a dead end does
  bool before = true;  ///< the place lies before the chain's marker, and the junction is the chain's `from`
};
/// `cell` is the place's own.
[[nodiscard]] Home home_of(const RouteGraph& graph, Index cell, Vec2 point);

}  // namespace throng::routes
