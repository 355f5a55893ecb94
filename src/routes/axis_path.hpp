// The way along the axis: from a point of it to another, over edges wide enough for a body, cheapest by length.
//
// From either point one walks to the next junctions: out of a dead end, along the chain. If the walks meet, that is a way; A*
// between junctions finds the others.
// Law: a path is found exactly if one exists along which clearance is at least the radius. Ties go to the lower number.
// No allocation once buffers have grown. Thread-safety: one AxisPathFinder a thread, any number on one graph.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "routes/route_graph.hpp"
#include "routes/search.hpp"

namespace throng::routes {

/// A point of the axis.
struct OnAxis {
  Vec2 point;
  Index arc = none;
};

struct AxisPath {
  /// Edges in order of travel. The first is left from the start point, the last is entered up to the goal point.
  std::vector<Step> steps;
  double length = 0;  ///< or what else its search minimised
  /// Arcs in order of travel, as 2 * arc + (1 if walked against its direction). Never empty once found.
  std::vector<Index> arcs;
};

/// Metres along its edge of a point of the axis, from the edge's `from`.
[[nodiscard]] double position_on_edge(const RouteGraph& graph, const OnAxis& at);
/// Lists the arcs of a path whose steps are known.
void list_arcs(const RouteGraph& graph, const OnAxis& start, const OnAxis& goal, AxisPath& path);

class AxisPathFinder {
 public:
  explicit AxisPathFinder(const RouteGraph& graph);

  /// Finds the path at once. `weight` above 1: weighted A*, at most that much longer.
  bool find(const OnAxis& start, const OnAxis& goal, double radius, AxisPath& path, double weight = 1);

  /// The same in portions of at most `budget` expansions: begin, advance until it is not running, collect if found.
  void begin(const OnAxis& start, const OnAxis& goal, double radius);
  SearchStatus advance(std::size_t budget, double weight = 1);
  void collect(AxisPath& path) const;
  [[nodiscard]] std::size_t expansions() const { return search_.expansions(); }

 private:
  /// A walk from a point of the axis, one edge after the other, without a choice.
  struct Walk {
    std::vector<Step> steps;
    std::vector<double> cost;  ///< at the end of each step
    Index junction = none;     ///< where it ends; none: in a dead end, or where it gets too narrow
  };
  /// Both ways from a point on a chain; out of a dead end there is one way, then two.
  struct Side {
    OnAxis at;
    std::array<Walk, 3> walks;
    std::size_t count = 0;
  };
  /// A way without the search: along one edge, or by two walks that meet.
  struct Direct {
    double cost = unreachable;
    std::size_t start_walk = 0, start_steps = 0;
    std::size_t goal_walk = 0, goal_steps = 0;
    bool on_one_edge = false;
    Step step;
  };

  void walk_from(Side& side, const OnAxis& at);
  void go_on(Side& side, std::size_t walk);
  bool take(Walk& walk, Step step, double length, double clearance) const;
  [[nodiscard]] Index edge_of(const OnAxis& at) const { return graph_->mesh().arc(at.arc).edge; }
  [[nodiscard]] double clearance_ahead(const OnAxis& at, bool forward) const;
  void try_one_edge();
  void try_meeting();
  [[nodiscard]] static std::vector<Terminal>& exits(const Side& side, std::vector<Terminal>& into);
  [[nodiscard]] static const Walk& walk_to(const Side& side, Index junction);

  struct Mark {
    std::size_t run = 0;
    double cost = 0;
    std::size_t walk = 0, steps = 0;
  };

  const RouteGraph* graph_;
  Search search_;
  Side start_, goal_;
  double radius_ = 0;
  Direct direct_;
  std::vector<Terminal> starts_, ends_;
  std::vector<Mark> marks_;  ///< of each node: how the start's walks get there
  std::size_t run_ = 0;
};

}  // namespace throng::routes
