#include "routes/route_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "navmesh/arc.hpp"

namespace throng::routes {

namespace {

using navmesh::Mesh;
using navmesh::Site;

double distance(const Site& site, Vec2 p) { return std::sqrt(squared_length(p - navmesh::nearest_on(site, p))); }

/// Where between p and q, as a fraction, the bisector of two sites comes nearest to them: clearance along an arc is convex, and
/// its lowest point is where the arc crosses the line between the sites. Nothing for two segments, where it is linear.
bool lowest_point(const Site& s, const Site& t, Vec2& at) {
  if (s.is_corner() && t.is_corner()) return at = (s.a + t.a) / 2, true;
  if (s.is_corner() == t.is_corner()) return false;
  const Site& corner = s.is_corner() ? s : t;
  const Site& segment = s.is_corner() ? t : s;
  const Vec2 d = segment.b - segment.a;
  const Vec2 foot = segment.a + d * (dot(corner.a - segment.a, d) / squared_length(d));
  return at = (corner.a + foot) / 2, true;
}

std::vector<geometry::GridBox> site_boxes(const Mesh& mesh) {
  std::vector<geometry::GridBox> boxes;
  boxes.reserve(mesh.site_count());
  for (const Site& site : mesh.all_sites()) {
    const geometry::GridPoint a = mesh.grid.snap(site.a);
    const geometry::GridPoint b = mesh.grid.snap(site.b);
    boxes.push_back({{std::min(a.x, b.x), std::min(a.y, b.y)}, {std::max(a.x, b.x), std::max(a.y, b.y)}});
  }
  return boxes;
}

ArcBorder border_of(const Mesh& mesh, Index arc) {
  const navmesh::Arc& a = mesh.arc(arc);
  const Vec2 from = mesh.node(a.from).point;
  const Vec2 to = mesh.node(a.to).point;
  ArcBorder border;
  for (const int side : {0, 1}) {
    const Site& site = mesh.site(a.site[side]);
    border.at_from[side] = navmesh::nearest_on(site, from);
    border.at_to[side] = navmesh::nearest_on(site, to);
    if (site.is_corner()) border.corner[side] = a.site[side];
  }
  border.clearance = arc_clearance_between(mesh, arc, from, to);
  return border;
}

}  // namespace

double arc_clearance_between(const Mesh& mesh, Index arc, Vec2 p, Vec2 q) {
  const Site& left = mesh.site(mesh.arc(arc).site[0]);
  const Site& right = mesh.site(mesh.arc(arc).site[1]);
  const double at_ends = std::min(distance(left, p), distance(left, q));
  Vec2 lowest;
  if (!lowest_point(left, right, lowest)) return at_ends;
  // The curve runs along the line it is symmetric to at its lowest point, so projections decide what lies between.
  const Vec2 along = perpendicular(left.is_corner() ? lowest - left.a : lowest - right.a);
  const double from = dot(p - lowest, along);
  const double to = dot(q - lowest, along);
  return from * to < 0 ? std::min(at_ends, distance(left, lowest)) : at_ends;
}

RouteGraph::RouteGraph(navmesh::MeshPtr mesh) : mesh_(std::move(mesh)), site_index_(site_boxes(*mesh_)) {
  const Mesh& m = *mesh_;
  borders_.reserve(m.arc_count());
  for (Index a = 0; a < m.arc_count(); ++a) borders_.push_back(border_of(m, a));
  arc_offset_.resize(m.arc_count());
  for (const navmesh::Edge& edge : m.all_edges()) {
    double offset = 0;
    for (Index a = edge.first_arc; a < edge.first_arc + edge.arc_count; ++a) {
      arc_offset_[a] = offset;
      offset += navmesh::ArcCurve(m, a).length();
    }
  }
  first_passage_.assign(m.arc_count() + 1, 0);
  for (const navmesh::Passage& passage : m.all_passages()) ++first_passage_[passage.arc + 1];
  std::partial_sum(first_passage_.begin(), first_passage_.end(), first_passage_.begin());
  peel();
  draw_chains();
  number_components();
}

void RouteGraph::number_components() {
  const Mesh& m = *mesh_;
  component_of_.assign(m.edge_count(), none);
  std::vector<Index> open;
  Index count = 0;
  for (Index first = 0; first < m.edge_count(); ++first) {
    if (component_of_[first] != none) continue;
    component_of_[first] = count;
    open.push_back(first);
    while (!open.empty()) {
      const navmesh::Edge& edge = m.edge(open.back());
      open.pop_back();
      for (Index v : {edge.from, edge.to}) {
        for (const navmesh::EdgeEnd end : m.edge_ends_at(v)) {
          const Index next = end.edge;
          if (component_of_[next] != none) continue;
          component_of_[next] = count;
          open.push_back(next);
        }
      }
    }
    ++count;
  }
}

void RouteGraph::peel() {
  const Mesh& m = *mesh_;
  core_degree_.resize(m.node_count());
  towards_core_.assign(m.node_count(), Step{});
  chain_of_.assign(m.edge_count(), none);
  place_in_chain_.assign(m.edge_count(), 0);
  std::vector<bool> peeled(m.edge_count(), false);
  std::vector<Index> ends;
  for (Index v = 0; v < m.node_count(); ++v) {
    core_degree_[v] = m.node(v).degree;
    if (core_degree_[v] == 1) ends.push_back(v);
  }
  // First in, first out: of a tree something near its middle remains, not the tip of a dead end.
  for (std::size_t next = 0; next < ends.size(); ++next) {
    const Index v = ends[next];
    if (core_degree_[v] != 1) continue;  // the last vertex of a tree
    for (const navmesh::EdgeEnd end : m.edge_ends_at(v)) {
      if (peeled[end.edge]) continue;
      peeled[end.edge] = true;
      towards_core_[v] = {end.edge, !end.at_to};
      core_degree_[v] = 0;
      const Index other = end_of(m, towards_core_[v]);
      if (--core_degree_[other] == 1) ends.push_back(other);
      break;
    }
  }
  core_edge_at_.assign(m.node_count(), none);
  for (Index e = 0; e < m.edge_count(); ++e)
    if (!peeled[e]) core_edge_at_[m.edge(e).from] = core_edge_at_[m.edge(e).to] = e;
}

void RouteGraph::draw_chains() {
  const Mesh& m = *mesh_;
  junction_at_.assign(m.node_count(), none);
  const auto add_junction = [&](Index v) {
    junction_at_[v] = Index(junction_node_.size());
    junction_node_.push_back(v);
  };
  for (Index v = 0; v < m.node_count(); ++v) {
    const bool root_of_tree = m.node(v).degree > 0 && core_degree_[v] == 0 && towards_core_[v].edge == none;
    if (core_degree_[v] >= 3 || root_of_tree) add_junction(v);
  }
  const auto walk_from = [&](Index v) {
    for (const navmesh::EdgeEnd end : m.edge_ends_at(v)) {
      const Step step{end.edge, !end.at_to};
      const bool in_core =
          core_edge_at_[v] != none && core_degree_[v] > 0 && towards_core_[end_of(m, step)] != reversed(step);
      if (in_core && chain_of_[end.edge] == none) walk_chain(junction_at_[v], step);
    }
  };
  for (Index j = 0; j < junction_node_.size(); ++j) walk_from(junction_node_[j]);
  // A loop without any junction (a ring of rooms) gets one, at its first vertex.
  for (Index v = 0; v < m.node_count(); ++v) {
    if (core_degree_[v] != 2 || chain_of_[core_edge_at_[v]] != none) continue;
    add_junction(v);
    walk_from(v);
  }

  first_chain_end_.assign(junction_node_.size() + 1, 0);
  for (const Chain& chain : chains_) ++first_chain_end_[chain.from + 1], ++first_chain_end_[chain.to + 1];
  std::partial_sum(first_chain_end_.begin(), first_chain_end_.end(), first_chain_end_.begin());
  chain_ends_.resize(2 * chains_.size());
  std::vector<Index> next(first_chain_end_.begin(), first_chain_end_.end() - 1);
  for (Index c = 0; c < chains_.size(); ++c) {
    const Chain& chain = chains_[c];
    chain_ends_[next[chain.from]++] = {chain.to, 2 * c, chain.length, chain.clearance};
    chain_ends_[next[chain.to]++] = {chain.from, 2 * c + 1, chain.length, chain.clearance};
  }
  for (const Index node : junction_node_) junction_point_.push_back(m.node(node).point);
}

void RouteGraph::walk_chain(Index junction, Step first) {
  const Mesh& m = *mesh_;
  Chain chain{junction, none, Index(steps_.size()), 0, 0, unreachable};
  for (Step step = first;;) {
    chain_of_[step.edge] = Index(chains_.size());
    place_in_chain_[step.edge] = chain.step_count++;
    steps_.push_back(step);
    chain.length += m.edge(step.edge).length;
    chain.clearance = std::min(chain.clearance, m.edge(step.edge).min_clearance);
    const Index v = end_of(m, step);
    if (junction_at_[v] != none) {
      chain.to = junction_at_[v];
      break;
    }
    for (const navmesh::EdgeEnd end : m.edge_ends_at(v)) {
      const Step onward{end.edge, !end.at_to};
      if (onward == reversed(step) || towards_core_[end_of(m, onward)] == reversed(onward)) continue;
      step = onward;
      break;
    }
  }
  chains_.push_back(chain);
}

std::size_t RouteGraph::bytes() const {
  const auto held = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof *this + held(junction_node_) + held(junction_at_) + held(chains_) + held(steps_) + held(chain_ends_) +
         held(first_chain_end_) + held(chain_of_) + held(place_in_chain_) + held(towards_core_) + held(core_edge_at_) +
         held(core_degree_) + held(component_of_) + held(borders_) + held(junction_point_) + held(arc_offset_) +
         held(first_passage_);
}

}  // namespace throng::routes
