#include "routes/chain_corridor.hpp"

#include <algorithm>
#include <cmath>

namespace throng::routes {

namespace {

using navmesh::Mesh;

/// Appends an edge walked whole, or takes back the last one. The first edge is there in part: taken back whole, the rest of it is left.
void append(std::vector<Step>& steps, Step step) {
  if (steps.empty() || steps.back() != reversed(step))
    steps.push_back(step);
  else if (steps.size() == 1)
    steps.back() = step;
  else
    steps.pop_back();
}

/// Smallest clearance of a path, its first and last arc from and to the ends only.
double narrowest(const RouteGraph& graph, const OnAxis& start, const OnAxis& goal, const AxisPath& path) {
  const Mesh& mesh = graph.mesh();
  const auto end_of_arc = [&](Index directed, bool far) {
    const navmesh::Arc& arc = mesh.arc(directed / 2);
    return mesh.node((directed % 2 == 0) == far ? arc.to : arc.from).point;
  };
  double least = unreachable;
  for (std::size_t i = 0; i < path.arcs.size(); ++i) {
    const Index directed = path.arcs[i];
    const bool first = i == 0, last = i + 1 == path.arcs.size();
    const Vec2 from = first ? start.point : end_of_arc(directed, false);
    const Vec2 to = last ? goal.point : end_of_arc(directed, true);
    const double here =
        first || last ? arc_clearance_between(mesh, directed / 2, from, to) : graph.arc_clearance(directed / 2);
    least = std::min(least, here);
  }
  return least;
}

double length_of(const RouteGraph& graph, const OnAxis& start, const OnAxis& goal, const std::vector<Step>& steps) {
  const Mesh& mesh = graph.mesh();
  const double from = position_on_edge(graph, start), to = position_on_edge(graph, goal);
  if (steps.size() == 1) return std::abs(to - from);
  const auto length = [&](Step step) { return mesh.edge(step.edge).length; };
  double sum = steps.front().forward ? std::max(0.0, length(steps.front()) - from) : from;
  for (std::size_t i = 1; i + 1 < steps.size(); ++i) sum += length(steps[i]);
  return sum + (steps.back().forward ? to : std::max(0.0, length(steps.back()) - to));
}

/// The way from a point to the junction that it lies around.
std::vector<Step> way_home(const RouteGraph& graph, const OnAxis& at, Index& junction) {
  const ChainPlace place = place_on_chains(graph, at);
  const Home home = home_of(graph, 2 * at.arc, at.point);
  std::vector<Step> steps = place.way_out;
  junction = home.junction;
  if (place.junction == none) append_steps_from(graph, place, !home.before, steps);
  return steps;
}

}  // namespace

ChainPlace place_on_chains(const RouteGraph& graph, const OnAxis& at) {
  const Mesh& mesh = graph.mesh();
  ChainPlace place;
  const Index edge = mesh.arc(at.arc).edge;
  const double position = position_on_edge(graph, at);
  Index node = none;
  if (graph.is_twig(edge)) {
    const Index outer =
        graph.towards_core(mesh.edge(edge).from).edge == edge ? mesh.edge(edge).from : mesh.edge(edge).to;
    for (Step step = graph.towards_core(outer); step.edge != none; step = graph.towards_core(node)) {
      const bool first = place.way_out.empty();
      const double length = mesh.edge(step.edge).length;
      place.way_out_length += !first ? length : step.forward ? std::max(0.0, length - position) : position;
      place.way_out.push_back(step);
      node = end_of(mesh, step);
    }
    place.junction = graph.junction_at(node);
    if (place.junction != none) return place;
  }
  const Index on = node == none ? edge : graph.core_edge_at(node);
  place.chain = graph.chain_of(on);
  const std::span<const Step> steps = graph.steps_of(graph.chains()[place.chain]);
  const Index which = graph.place_in_chain(on);
  for (Index i = 0; i < which; ++i) place.along += mesh.edge(steps[i].edge).length;
  const double length = mesh.edge(on).length;
  if (node == none) {
    place.on_chain = steps[which];
    place.along += steps[which].forward ? position : std::max(0.0, length - position);
  } else if (end_of(mesh, steps[which]) == node) {
    place.along += length;
  }
  return place;
}

void append_steps_from(const RouteGraph& graph, const ChainPlace& place, bool forward, std::vector<Step>& steps) {
  const Mesh& mesh = graph.mesh();
  const std::span<const Step> all = graph.steps_of(graph.chains()[place.chain]);
  Index next = 0;  // the first step ahead, the point's own included
  if (place.on_chain.edge != none) {
    next = graph.place_in_chain(place.on_chain.edge);
    if (!forward) ++next;
  } else {
    const Index node = end_of(mesh, place.way_out.back());
    const Index edge = graph.core_edge_at(node);
    next = graph.place_in_chain(edge) + (end_of(mesh, all[graph.place_in_chain(edge)]) == node ? 1 : 0);
  }
  if (forward)
    for (Index i = next; i < all.size(); ++i) steps.push_back(all[i]);
  else
    for (Index i = next; i-- > 0;) steps.push_back(reversed(all[i]));
}

bool path_over(const RouteGraph& graph, const OnAxis& start, std::span<const Step> from_start,
               std::span<const Step> between, const OnAxis& goal, std::span<const Step> from_goal, double radius,
               AxisPath& path) {
  path.steps.clear();
  for (const Step step : from_start) append(path.steps, step);
  for (const Step step : between) append(path.steps, step);
  for (std::size_t i = from_goal.size(); i-- > 1;) append(path.steps, reversed(from_goal[i]));
  // The last edge is walked in part: where the whole of it was, the goal lies on it.
  if (path.steps.back() != from_goal[0]) path.steps.push_back(reversed(from_goal[0]));
  if (path.steps.size() == 1) path.steps[0].forward = position_on_edge(graph, start) <= position_on_edge(graph, goal);
  list_arcs(graph, start, goal, path);
  path.length = length_of(graph, start, goal, path.steps);
  return narrowest(graph, start, goal, path) >= radius;
}

bool path_along(const RouteGraph& graph, const OnAxis& start, const OnAxis& goal, std::span<const Index> word,
                double radius, AxisPath& path) {
  Index at = none, end = none;
  const std::vector<Step> from_start = way_home(graph, start, at), from_goal = way_home(graph, goal, end);
  std::vector<Step> between;
  for (const Index directed : word) {
    if (directed / 2 >= graph.chains().size()) return false;
    const Chain& chain = graph.chains()[directed / 2];
    if (at != (directed % 2 == 0 ? chain.from : chain.to)) return false;
    at = directed % 2 == 0 ? chain.to : chain.from;
    const std::span<const Step> steps = graph.steps_of(chain);
    if (directed % 2 == 0)
      between.insert(between.end(), steps.begin(), steps.end());
    else
      for (std::size_t i = steps.size(); i-- > 0;) between.push_back(reversed(steps[i]));
  }
  return at == end && path_over(graph, start, from_start, between, goal, from_goal, radius, path);
}

}  // namespace throng::routes
