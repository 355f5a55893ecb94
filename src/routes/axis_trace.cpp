#include "routes/axis_trace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "navmesh/arc.hpp"
#include "navmesh/locate.hpp"
#include "navmesh/ray_walk.hpp"
#include "routes/path_decisions.hpp"

namespace throng::routes {

namespace {

using navmesh::Mesh;
using navmesh::Place;

/// Metres beside a point within which borders of cells count as through it: doubled until the cells meet, so the first is far below what
/// rounding can do, and the last is what no rounding does.
constexpr double first_reach = 1e-9, last_reach = 1e-2;
/// How often a line is halved that cannot be followed from either end: along an edge of the axis a look may get lost.
constexpr int most_halvings = 6;
/// Radians of an arc that one chord stands for: between the two nothing lies but the disc around the corner turned around.
constexpr double chord_angle = 1;

/// Whether a point of a cell lies before a point of the cell's arc: on which side of the line from there to the nearest point of the
/// cell's site.
bool is_before(const Mesh& mesh, Index cell, Vec2 p, Vec2 on_arc) {
  const Vec2 foot = navmesh::nearest_on(mesh.site(mesh.site_of(cell)), on_arc);
  const double side = cross(foot - on_arc, p - on_arc);
  return cell % 2 == 0 ? side >= 0 : side <= 0;
}

/// The same for a passage, whose two nearest points and axis point are on one line.
bool is_before(const navmesh::Passage& passage, Vec2 p) {
  return cross(passage.right - passage.left, p - passage.left) <= 0;
}

/// Calls visit(arc, from, to) for the arcs of a trace: where it begins and ends on them, -1 at the arc's `from`, 1 at its `to`, 0 where
/// the trace's own start or goal is.
template <class Visit>
void for_each_arc(const Mesh& mesh, const AxisTrace& trace, Visit&& visit) {
  const auto end_at = [&](Index arc, Index node) { return mesh.arc(arc).to == node ? 1 : -1; };
  Index arc = trace.start_cell / 2;
  int from = 0;
  for (const AxisTrace::Passed& next : trace.passed) {
    visit(arc, from, end_at(arc, next.node));
    arc = next.arc;
    from = end_at(arc, next.node);
  }
  visit(arc, from, 0);
}

/// Which side of a place on its arc the ends of a part of a trace lie on: true before it.
struct Sides {
  bool from = true, to = true;
};

}  // namespace

void AxisTrace::pass(Index node, Index arc) {
  if (arc == last_arc()) return;  // around a dead end
  if (passed.empty() || passed.back().node != node) {
    passed.push_back({node, arc});
    return;
  }
  passed.pop_back();
  if (arc != last_arc()) passed.push_back({node, arc});
}

bool AxisTracer::begin(const Place& start) {
  trace_.passed.clear();
  trace_.start = at_ = start;
  trace_.start_cell = cell_ = navmesh::locate(*mesh_, start).cell;
  return cell_ != none;
}

void AxisTracer::enter(Index cell, Index node) {
  if (node != none) trace_.pass(node, cell / 2);
  cell_ = cell;
}

bool AxisTracer::line_to(const Place& to) {
  if (to.point == at_.point) return true;
  const auto mark = trace_.passed;
  const Index cell = cell_;
  if (walk(to.point)) return at_ = to, true;
  trace_.passed = mark, cell_ = cell;
  if (walk_back(to)) return at_ = to, true;
  trace_.passed = mark, cell_ = cell;
  return in_parts(to, most_halvings);
}

namespace {

/// Follows a line and calls visit(cell, node) for each cell entered and the node that was passed, none across an arc. False where the
/// line meets an obstacle.
template <class Begin, class Visit>
bool follow(const Mesh& mesh, Index cell, Vec2 from, Vec2 to, Begin&& begin, Visit&& visit) {
  navmesh::RayWalk walk(mesh, cell, from, to, mesh.locator->tolerance());
  if (!begin(walk.cell())) return false;
  const std::size_t most_steps = mesh.cell_count() + 16;  // each cell once; more means that rounding leads around
  for (std::size_t step = 0; step < most_steps; ++step) {
    if (walk.ends_here()) return true;
    const Index last = walk.cell();
    const navmesh::Border exit = walk.exit_border();
    if (exit == navmesh::Border::site) return false;
    walk.advance();
    visit(walk.cell(), exit == navmesh::Border::arc     ? none
                       : exit == navmesh::Border::right ? navmesh::right_node(mesh, last)
                                                        : navmesh::left_node(mesh, last));
  }
  return false;
}

}  // namespace

bool AxisTracer::walk(Vec2 to) {
  return follow(
      *mesh_, cell_, at_.point, to, [&](Index first) { return turn_to(first, at_.point); },
      [&](Index cell, Index node) { enter(cell, node); });
}

/// The same line looked along from its end.
bool AxisTracer::walk_back(const Place& to) {
  const Index end = navmesh::locate(*mesh_, to).cell;
  if (end == none) return false;
  back_.clear();
  Index first = none, last = none;
  const bool free = follow(
      *mesh_, end, to.point, at_.point, [&](Index cell) { return first = last = cell, true; },
      [&](Index cell, Index node) {
        if (node != none) back_.push_back({node, last / 2});
        last = cell;
      });
  if (!free || !turn_to(last, at_.point)) return false;
  for (std::size_t i = back_.size(); i-- > 0;) trace_.pass(back_[i].node, back_[i].arc);
  cell_ = first;
  return turn_to(end, to.point);
}

bool AxisTracer::in_parts(const Place& to, int depth) {
  const Vec2 middle = (at_.point + to.point) / 2;
  if (depth == 0 || middle == at_.point || middle == to.point) return false;
  // Only the first layer that fits can be meant: what lies above is not reached by the line.
  for (const Index layer : {at_.layer, to.layer}) {
    const auto mark = trace_;
    const Index cell = cell_;
    const Place from = at_;
    const auto go = [&](const Place& end) {
      const auto before = trace_.passed;
      const Index in = cell_;
      if (walk(end.point)) return at_ = end, true;
      trace_.passed = before, cell_ = in;
      if (walk_back(end)) return at_ = end, true;
      trace_.passed = before, cell_ = in;
      return in_parts(end, depth - 1);
    };
    if (go({middle, layer}) && go(to)) return true;
    trace_ = mark, cell_ = cell, at_ = from;
  }
  return false;
}

/// To another cell that holds the point too, to rounding.
bool AxisTracer::turn_to(Index cell, Vec2 at) {
  if (cell / 2 == cell_ / 2) return cell_ = cell, true;
  if (mesh_->site_of(cell) == mesh_->site_of(cell_) && along_site(cell)) return true;
  for (double reach = std::max(first_reach, mesh_->locator->tolerance()); reach <= last_reach; reach *= 2)
    if (around(cell, at, reach)) return true;
  return false;
}

/// The cells of a site are in a row, so there is one way from one to the other.
bool AxisTracer::along_site(Index cell) {
  const navmesh::Locator& locator = *mesh_->locator;
  const Index site = mesh_->site_of(cell);
  const Index count = mesh_->site(site).cell_count;
  for (const bool to_the_right : {true, false}) {
    const auto next = [&](Index c) { return to_the_right ? locator.beside(c).right : locator.beside(c).left; };
    Index end = cell_;
    for (Index i = 0; i < count && end != cell && mesh_->site_of(end) == site; ++i) end = next(end);
    if (end != cell) continue;
    while (cell_ != cell)
      enter(next(cell_), to_the_right ? navmesh::right_node(*mesh_, cell_) : navmesh::left_node(*mesh_, cell_));
    return true;
  }
  return false;
}

/// Over borders of cells that run through the point, or hardly beside it.
bool AxisTracer::around(Index cell, Vec2 at, double reach) {
  const navmesh::Locator& locator = *mesh_->locator;
  beside_.assign(1, {cell_, none, none});
  const auto add = [&](Index next, Index parent, Index node) {
    const bool known = std::any_of(beside_.begin(), beside_.end(), [&](const Beside& b) { return b.cell == next; });
    if (!known) beside_.push_back({next, parent, node});
  };
  const auto is_near = [&](Vec2 foot, Vec2 node) {
    return squared_length(at - navmesh::nearest_on({.a = foot, .b = node}, at)) <= reach * reach;
  };
  for (Index i = 0; i < beside_.size(); ++i) {
    const Index from = beside_[i].cell;
    if (from == cell) {
      std::vector<Index> way;
      for (Index k = i; k != none; k = beside_[k].parent) way.push_back(k);
      for (std::size_t k = way.size(); k-- > 0;) enter(beside_[way[k]].cell, beside_[way[k]].node);
      return true;
    }
    const navmesh::Piece& piece = locator.piece(from);
    add(navmesh::across_arc(from), i, none);
    if (is_near(piece.foot_right, piece.node_right))
      add(locator.beside(from).right, i, navmesh::right_node(*mesh_, from));
    if (is_near(piece.foot_left, piece.node_left)) add(locator.beside(from).left, i, navmesh::left_node(*mesh_, from));
  }
  return false;
}

bool AxisTracer::along(const Route& route) {
  for (const Piece& piece : route.pieces) {
    const int parts = piece.is_arc() ? 1 + int(std::abs(piece.turn) / chord_angle) : 1;
    for (int i = 1; i < parts; ++i)
      if (!line_to({piece.at(piece.length * i / parts), piece.layer})) return false;
    if (!line_to({piece.to, piece.layer})) return false;
  }
  return true;
}

bool AxisTracer::finish(const Place& goal) {
  trace_.goal = goal;
  trace_.goal_cell = navmesh::locate(*mesh_, goal).cell;
  return trace_.goal_cell != none && turn_to(trace_.goal_cell, goal.point);
}

std::optional<AxisTrace> trace_of(const Mesh& mesh, const Route& route) {
  AxisTracer tracer(mesh);
  if (!tracer.begin(route.start) || !tracer.along(route) || !tracer.finish(route.goal)) return std::nullopt;
  return tracer.trace();
}

std::optional<AxisTrace> trace_of(const Mesh& mesh, std::span<const Place> points) {
  AxisTracer tracer(mesh);
  if (points.empty() || !tracer.begin(points.front())) return std::nullopt;
  for (const Place& point : points)
    if (!tracer.line_to(point)) return std::nullopt;
  if (!tracer.finish(points.back())) return std::nullopt;
  return tracer.trace();
}

Index marker_of(const RouteGraph& graph, Index chain) {
  const std::span<const Step> steps = graph.steps_of(graph.chains()[chain]);
  const Step middle = steps[steps.size() / 2];
  const navmesh::Edge& edge = graph.mesh().edge(middle.edge);
  return 2 * (edge.first_arc + edge.arc_count / 2) + (middle.forward ? 0 : 1);
}

namespace {

Vec2 marker_point(const Mesh& mesh, Index arc) { return navmesh::ArcCurve(mesh, arc).point(0.5); }

/// The chain that has its marker on an arc; none where no chain has.
Index chain_with_marker(const RouteGraph& graph, Index arc) {
  const Index chain = graph.chain_of(graph.mesh().arc(arc).edge);
  return chain != none && marker_of(graph, chain) / 2 == arc ? chain : none;
}

}  // namespace

ChainWord class_of(const RouteGraph& graph, const AxisTrace& trace) {
  const Mesh& mesh = graph.mesh();
  ChainWord word;
  for_each_arc(mesh, trace, [&](Index arc, int from, int to) {
    const Index chain = chain_with_marker(graph, arc);
    if (chain == none) return;
    const auto before = [&](int end, Index cell, const Place& place) {
      return end == 0 ? is_before(mesh, cell, place.point, marker_point(mesh, arc)) : end < 0;
    };
    const Sides sides{before(from, trace.start_cell, trace.start), before(to, trace.goal_cell, trace.goal)};
    if (sides.from != sides.to) append_reduced(word, 2 * chain + (Index(!sides.from) ^ marker_of(graph, chain) % 2));
  });
  return word;
}

std::vector<Index> passages_of(const RouteGraph& graph, const AxisTrace& trace) {
  const Mesh& mesh = graph.mesh();
  std::vector<Index> crossed;
  for_each_arc(mesh, trace, [&](Index arc, int from, int to) {
    const Index begin = graph.first_passage(arc), end = graph.first_passage(arc + 1);
    const std::size_t first = crossed.size();
    for (Index p = begin; p < end; ++p) {
      const auto before = [&](int at, const Place& place) {
        return at == 0 ? is_before(mesh.passage(p), place.point) : at < 0;
      };
      const Sides sides{before(from, trace.start), before(to, trace.goal)};
      if (sides.from != sides.to) crossed.push_back(2 * p + (sides.from ? 0 : 1));
    }
    // Against the arc the last of its passages comes first.
    if (crossed.size() > first && crossed.back() % 2 == 1)
      std::reverse(crossed.begin() + std::ptrdiff_t(first), crossed.end());
  });
  return crossed;
}

std::vector<Index> decision_passages(const Mesh& mesh, const navmesh::Obstacles& obstacles, const AxisTrace& trace) {
  std::vector<Index> crossed, here;
  for_each_arc(mesh, trace, [&](Index arc, int from, int to) {
    here.clear();
    obstacles.for_each_passage_on(arc, [&](Index p) {
      const navmesh::Passage& passage = obstacles.passage(p);
      const auto before = [&](int at, Index cell, const Place& place) {
        if (at != 0) return at < 0;
        // A widest place is no straight line from wall to wall, as a narrowest one is.
        return p < mesh.passage_count() ? is_before(passage, place.point)
                                        : is_before(mesh, cell, place.point, passage.point);
      };
      const Sides sides{before(from, trace.start_cell, trace.start), before(to, trace.goal_cell, trace.goal)};
      if (sides.from != sides.to) here.push_back(2 * p + (sides.from ? 0 : 1));
    });
    if (!here.empty() && here.back() % 2 == 1) std::reverse(here.begin(), here.end());
    for (const Index p : here) append_reduced(crossed, p);
  });
  return crossed;
}

std::optional<RouteTopology> topology_of(const RouteGraph& graph, const Route& route) {
  const std::optional<AxisTrace> trace = trace_of(graph.mesh(), route);
  if (!trace) return std::nullopt;
  return RouteTopology{class_of(graph, *trace), passages_of(graph, *trace)};
}

RouteTopology joined(const RouteTopology& first, const RouteTopology& second) {
  return {joined(first.chains, second.chains), joined(first.passages, second.passages)};
}

void append_reduced(std::vector<Index>& word, Index directed) {
  if (!word.empty() && word.back() == (directed ^ 1))
    word.pop_back();
  else
    word.push_back(directed);
}

ChainWord joined(ChainWord first, std::span<const Index> second) {
  for (const Index chain : second) append_reduced(first, chain);
  return first;
}

ChainWord reversed(std::span<const Index> word) {
  ChainWord back(word.rbegin(), word.rend());
  for (Index& chain : back) chain ^= 1;
  return back;
}

std::string text_of(std::span<const Index> word) {
  std::string text;
  for (const Index chain : word)
    text += fmt::format("{}{}{}", text.empty() ? "" : " ", chain / 2, chain % 2 == 0 ? '+' : '-');
  return text;
}

Home home_of(const RouteGraph& graph, Index cell, Vec2 point) {
  const Mesh& mesh = graph.mesh();
  const Index edge = mesh.arc(cell / 2).edge;
  Index node = none;  // on the way to the junction
  if (graph.is_twig(edge)) {
    node = graph.towards_core(mesh.edge(edge).from).edge == edge ? mesh.edge(edge).to : mesh.edge(edge).from;
    for (Step step = graph.towards_core(node); step.edge != none; step = graph.towards_core(node))
      node = end_of(mesh, step);
    if (graph.junction_at(node) != none) return {graph.junction_at(node)};
  }
  const Index core_edge = node == none ? edge : graph.core_edge_at(node);
  const Index chain = graph.chain_of(core_edge);
  const std::span<const Step> steps = graph.steps_of(graph.chains()[chain]);
  const Index marker = marker_of(graph, chain);
  const Index marker_place = Index(steps.size() / 2);
  const Index place = graph.place_in_chain(core_edge);
  bool before = place < marker_place;
  if (node != none) {
    // The place beside the chain where its dead end branches off.
    before = start_of(mesh, steps[place]) == node ? place <= marker_place : place + 1 <= marker_place;
  } else if (place == marker_place) {
    const Index arc = cell / 2;
    const bool before_on_arc =
        arc == marker / 2 ? is_before(mesh, cell, point, marker_point(mesh, arc)) : arc < marker / 2;
    before = before_on_arc == (marker % 2 == 0);
  }
  return {before ? graph.chains()[chain].from : graph.chains()[chain].to, chain, before};
}

}  // namespace throng::routes
