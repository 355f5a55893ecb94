#include "routes/axis_path.hpp"

#include <algorithm>
#include <cmath>

#include "navmesh/arc.hpp"

namespace throng::routes {

namespace {

using navmesh::Mesh;

/// Metres: nearer to a node than this, a point of the axis is at it.
constexpr double at_node = 1e-9;

}  // namespace

double position_on_edge(const RouteGraph& graph, const OnAxis& at) {
  const Mesh& mesh = graph.mesh();
  const navmesh::Arc& arc = mesh.arc(at.arc);
  const Vec2 from = mesh.node(arc.from).point;
  const navmesh::ArcCurve before(mesh.site(arc.site[0]), mesh.site(arc.site[1]), from, at.point);
  const double length = squared_length(at.point - from) < at_node * at_node ? 0 : before.length();
  return graph.arc_offset(at.arc) + length;
}

void list_arcs(const RouteGraph& graph, const OnAxis& start, const OnAxis& goal, AxisPath& path) {
  const Mesh& mesh = graph.mesh();
  path.arcs.clear();
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const Step step = path.steps[i];
    const navmesh::Edge& edge = mesh.edge(step.edge);
    const bool first = i == 0;
    const bool last = i + 1 == path.steps.size();
    if (step.forward) {
      const Index begin = first ? start.arc : edge.first_arc;
      const Index end = last ? goal.arc : edge.first_arc + edge.arc_count - 1;
      for (Index a = begin; a <= end; ++a) path.arcs.push_back(2 * a);
    } else {
      const Index begin = first ? start.arc : edge.first_arc + edge.arc_count - 1;
      const Index end = last ? goal.arc : edge.first_arc;
      for (Index a = begin + 1; a-- > end;) path.arcs.push_back(2 * a + 1);
    }
  }
}

AxisPathFinder::AxisPathFinder(const RouteGraph& graph) : graph_(&graph), marks_(graph.mesh().node_count()) {}

bool AxisPathFinder::find(const OnAxis& start, const OnAxis& goal, double radius, AxisPath& path, double weight) {
  begin(start, goal, radius);
  if (advance(~std::size_t{0}, weight) != SearchStatus::found) return false;
  collect(path);
  return true;
}

void AxisPathFinder::begin(const OnAxis& start, const OnAxis& goal, double radius) {
  radius_ = radius;
  direct_ = {};
  walk_from(start_, start);
  walk_from(goal_, goal);
  try_one_edge();
  try_meeting();
  search_.begin(graph_->junction_count(), exits(start_, starts_), exits(goal_, ends_), direct_.cost);
}

SearchStatus AxisPathFinder::advance(std::size_t budget, double weight) {
  const Vec2 goal = goal_.at.point;
  const auto distance = [&](Index junction) { return std::sqrt(squared_length(graph_->point_of(junction) - goal)); };
  const SearchStatus status = search_.advance(WideChains{*graph_, radius_}, distance, weight, budget);
  return status == SearchStatus::no_path && direct_.cost < unreachable ? SearchStatus::found : status;
}

/// Smallest clearance from a point to the end of its edge.
double AxisPathFinder::clearance_ahead(const OnAxis& at, bool forward) const {
  const Mesh& mesh = graph_->mesh();
  const navmesh::Arc& arc = mesh.arc(at.arc);
  const navmesh::Edge& edge = mesh.edge(arc.edge);
  double clearance = arc_clearance_between(mesh, at.arc, at.point, mesh.node(forward ? arc.to : arc.from).point);
  if (forward)
    for (Index a = at.arc + 1; a < edge.first_arc + edge.arc_count; ++a)
      clearance = std::min(clearance, graph_->arc_clearance(a));
  else
    for (Index a = edge.first_arc; a < at.arc; ++a) clearance = std::min(clearance, graph_->arc_clearance(a));
  return clearance;
}

bool AxisPathFinder::take(Walk& walk, Step step, double length, double clearance) const {
  if (clearance < radius_) return false;
  walk.cost.push_back((walk.cost.empty() ? 0 : walk.cost.back()) + length);
  walk.steps.push_back(step);
  walk.junction = graph_->junction_at(end_of(graph_->mesh(), step));
  return true;
}

void AxisPathFinder::walk_from(Side& side, const OnAxis& at) {
  const Mesh& mesh = graph_->mesh();
  side.at = at;
  side.count = 0;
  const Index edge = edge_of(at);
  const double before = position_on_edge(*graph_, at);
  for (bool forward : {true, false}) {
    Walk& walk = side.walks[side.count];
    walk.steps.clear(), walk.cost.clear(), walk.junction = none;
    const double length = forward ? std::max(0.0, mesh.edge(edge).length - before) : before;
    if (take(walk, {edge, forward}, length, clearance_ahead(at, forward))) go_on(side, side.count++);
  }
}

void AxisPathFinder::go_on(Side& side, std::size_t which) {
  const Mesh& mesh = graph_->mesh();
  while (side.walks[which].junction == none) {
    Walk& walk = side.walks[which];
    const Step last = walk.steps.back();
    const Index node = end_of(mesh, last);
    Step onward = graph_->towards_core(node);
    if (onward == reversed(last)) return;  // into a dead end: the other side may come out of it, but nothing else does
    if (onward.edge == none) {
      // On a chain, between its ends.
      const Index middle = graph_->core_edge_at(node);
      const Chain& chain = graph_->chains()[graph_->chain_of(middle)];
      const std::span<const Step> steps = graph_->steps_of(chain);
      Index place = graph_->place_in_chain(middle);
      if (start_of(mesh, steps[place]) == node)
        --place;  // steps[place] arrives at the node, steps[place + 1] leaves it
      if (graph_->is_twig(last.edge)) {
        // Out of a dead end: from here it goes both ways.
        Walk& back = side.walks[side.count];
        back.steps.assign(walk.steps.begin(), walk.steps.end());
        back.cost.assign(walk.cost.begin(), walk.cost.end());
        back.junction = none;
        const Step reverse = reversed(steps[place]);
        const navmesh::Edge& edge = mesh.edge(reverse.edge);
        if (take(back, reverse, edge.length, edge.min_clearance)) go_on(side, side.count++);
        onward = steps[place + 1];
      } else {
        onward = steps[place].edge == last.edge ? steps[place + 1] : reversed(steps[place]);
      }
    }
    const navmesh::Edge& edge = mesh.edge(onward.edge);
    if (!take(side.walks[which], onward, edge.length, edge.min_clearance)) return;
  }
}

void AxisPathFinder::try_one_edge() {
  const Mesh& mesh = graph_->mesh();
  const Index edge = edge_of(start_.at);
  if (edge != edge_of(goal_.at)) return;
  const double from = position_on_edge(*graph_, start_.at);
  const double to = position_on_edge(*graph_, goal_.at);
  const bool forward = from <= to;
  const OnAxis& first = forward ? start_.at : goal_.at;
  const OnAxis& second = forward ? goal_.at : start_.at;
  double clearance;
  if (first.arc == second.arc) {
    clearance = arc_clearance_between(mesh, first.arc, first.point, second.point);
  } else {
    clearance =
        std::min(arc_clearance_between(mesh, first.arc, first.point, mesh.node(mesh.arc(first.arc).to).point),
                 arc_clearance_between(mesh, second.arc, mesh.node(mesh.arc(second.arc).from).point, second.point));
    for (Index a = first.arc + 1; a < second.arc; ++a) clearance = std::min(clearance, graph_->arc_clearance(a));
  }
  if (clearance < radius_) return;
  direct_.cost = std::abs(to - from);
  direct_.on_one_edge = true;
  direct_.step = {edge, forward};
}

void AxisPathFinder::try_meeting() {
  const Mesh& mesh = graph_->mesh();
  ++run_;
  for (std::size_t w = 0; w < start_.count; ++w) {
    const Walk& walk = start_.walks[w];
    for (std::size_t i = 0; i < walk.steps.size(); ++i) {
      Mark& mark = marks_[end_of(mesh, walk.steps[i])];
      if (mark.run != run_ || walk.cost[i] < mark.cost) mark = {run_, walk.cost[i], w, i + 1};
    }
  }
  for (std::size_t w = 0; w < goal_.count; ++w) {
    const Walk& walk = goal_.walks[w];
    for (std::size_t i = 0; i < walk.steps.size(); ++i) {
      const Mark& mark = marks_[end_of(mesh, walk.steps[i])];
      if (mark.run != run_ || mark.cost + walk.cost[i] >= direct_.cost) continue;
      direct_ = {mark.cost + walk.cost[i], mark.walk, mark.steps, w, i + 1, false, {}};
    }
  }
}

std::vector<Terminal>& AxisPathFinder::exits(const Side& side, std::vector<Terminal>& into) {
  into.clear();
  for (std::size_t w = 0; w < side.count; ++w)
    if (side.walks[w].junction != none) into.push_back({side.walks[w].junction, side.walks[w].cost.back()});
  return into;
}

const AxisPathFinder::Walk& AxisPathFinder::walk_to(const Side& side, Index junction) {
  const Walk* best = nullptr;
  for (std::size_t w = 0; w < side.count; ++w) {
    const Walk& walk = side.walks[w];
    if (walk.junction == junction && (best == nullptr || walk.cost.back() < best->cost.back())) best = &walk;
  }
  return *best;
}

void AxisPathFinder::collect(AxisPath& path) const {
  path.steps.clear();
  const auto append = [&](const Walk& walk, std::size_t count) {
    path.steps.insert(path.steps.end(), walk.steps.begin(), walk.steps.begin() + std::ptrdiff_t(count));
  };
  const auto append_reversed = [&](const Walk& walk, std::size_t count) {
    for (std::size_t i = count; i-- > 0;) path.steps.push_back(reversed(walk.steps[i]));
  };
  if (search_.last_node() == none) {
    path.length = direct_.cost;
    if (direct_.on_one_edge) {
      path.steps.push_back(direct_.step);
    } else {
      append(start_.walks[direct_.start_walk], direct_.start_steps);
      append_reversed(goal_.walks[direct_.goal_walk], direct_.goal_steps);
    }
  } else {
    path.length = search_.cost();
    // Backwards from the last junction; reversed in place afterwards.
    Index junction = search_.last_node();
    for (; search_.parent(junction) != none; junction = search_.parent(junction)) {
      const Index end = search_.via(junction);
      const std::span<const Step> steps = graph_->steps_of(graph_->chains()[end / 2]);
      for (std::size_t i = 0; i < steps.size(); ++i)
        path.steps.push_back(end % 2 == 0 ? steps[steps.size() - 1 - i] : reversed(steps[i]));
    }
    const Walk& first = walk_to(start_, junction);
    for (std::size_t i = first.steps.size(); i-- > 0;) path.steps.push_back(first.steps[i]);
    std::reverse(path.steps.begin(), path.steps.end());
    const Walk& last = walk_to(goal_, search_.last_node());
    append_reversed(last, last.steps.size());
  }
  list_arcs(*graph_, start_.at, goal_.at, path);
}

}  // namespace throng::routes
