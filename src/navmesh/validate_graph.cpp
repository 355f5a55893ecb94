// Laws 1, 7, 9, 11 and 12: indices, connectedness, degrees, passages, order.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "navmesh/arc.hpp"
#include "navmesh/boundary.hpp"
#include "navmesh/validate_parts.hpp"

namespace throng::navmesh {
namespace {

using geometry::GridPoint;

bool finite(Vec2 p) { return std::isfinite(p.x) && std::isfinite(p.y); }

bool arcs_in_range(const Mesh& m, Findings& findings) {
  bool good = true;
  for (Index i = 0; i < m.arcs.size(); ++i) {
    const Arc& a = m.arcs[i];
    const bool fits = std::max(a.from, a.to) < m.nodes.size() && std::max(a.site[0], a.site[1]) < m.sites.size() &&
                      a.edge < m.edges.size() && a.from != a.to && a.site[0] != a.site[1];
    if (!fits) good = false, findings.add(fmt::format("arc {}", i), "names what does not exist");
  }
  for (const Index cell : m.site_cells)
    if (cell >= m.cell_count()) good = false, findings.add("site_cells", "names a cell that does not exist");
  for (const EdgeEnd& end : m.edge_ends)
    if (end.edge >= m.edges.size()) good = false, findings.add("edge_ends", "names an edge that does not exist");
  for (const Passage& p : m.passages)
    if (p.arc >= m.arcs.size() || std::max(p.region[0], p.region[1]) >= m.region_count || !finite(p.point))
      good = false, findings.add("passages", "names what does not exist");
  for (const Straddle& s : m.straddles)
    if (s.cell >= m.cell_count() || s.connection >= m.connections.size())
      good = false, findings.add("straddles", "names what does not exist");
  return good;
}

bool nodes_and_sites_in_range(const Mesh& m, Findings& findings) {
  bool good = true;
  for (Index i = 0; i < m.sites.size(); ++i) {
    const Site& s = m.sites[i];
    const bool fits = s.layer < m.layers.size() && std::uint64_t{s.first_cell} + s.cell_count <= m.site_cells.size();
    if (!fits || !finite(s.a) || !finite(s.b)) good = false, findings.add(fmt::format("site {}", i), "is out of range");
  }
  for (Index i = 0; i < m.nodes.size(); ++i) {
    const Node& n = m.nodes[i];
    const bool fits = n.layer < m.layers.size() && std::uint64_t{n.first_edge_end} + n.degree <= m.edge_ends.size();
    if (!fits || !finite(n.point) || !(n.clearance >= 0) || !std::isfinite(n.clearance))
      good = false, findings.add(fmt::format("node {}", i), "is out of range");
  }
  for (const Connection& c : m.connections)
    if (std::max(c.left_layer, c.right_layer) >= m.layers.size() || !finite(c.a) || !finite(c.b))
      good = false, findings.add("connections", "names a layer that does not exist");
  return good;
}

bool edges_are_chains(const Mesh& m, Findings& findings) {
  bool good = true;
  const auto bad = [&](Index edge, const char* why) { good = false, findings.add(fmt::format("edge {}", edge), why); };
  std::uint64_t next_arc = 0;
  std::vector<Index> owner(m.nodes.size(), none);
  for (Index i = 0; i < m.edges.size(); ++i) {
    const Edge& e = m.edges[i];
    if (e.first_arc != next_arc || e.arc_count == 0 || std::uint64_t{e.first_arc} + e.arc_count > m.arcs.size() ||
        e.from >= m.nodes.size() || e.to >= m.nodes.size() || !std::isfinite(e.length) || !(e.min_clearance >= 0))
      return bad(i, "does not follow the one before it, or is out of range"), false;
    next_arc += e.arc_count;
    Index at = e.from;
    for (Index k = e.first_arc; k < e.first_arc + e.arc_count; ++k) {
      if (m.arcs[k].edge != i || m.arcs[k].from != at) bad(i, "has arcs that are not head to tail");
      at = m.arcs[k].to;
      if (k + 1 == e.first_arc + e.arc_count) break;
      if (m.nodes[at].degree != 0 || owner[at] != none) bad(i, "shares an inner node");
      owner[at] = i;
    }
    if (at != e.to) bad(i, "does not end at its end");
  }
  if (next_arc != m.arcs.size()) bad(Index(m.edges.size()), "arcs are left over");
  return good;
}

/// Euler characteristic of the free space of a layer: rings and walls are closed sets cut out of open discs, and the
/// characteristic with compact supports adds up over parts.
std::int64_t euler_characteristic(const environment::CleanLayer& layer) {
  std::int64_t sum = 0;
  std::set<GridPoint> on_rings;
  for (const environment::GridPolygon& polygon : layer.free) {
    const std::set<GridPoint> outer(polygon.outer.begin(), polygon.outer.end());
    std::set<GridPoint> inner;
    sum += 1 - std::int64_t(polygon.holes.size());
    for (const environment::GridRing& hole : polygon.holes) {
      sum += std::int64_t(hole.size());
      for (const GridPoint p : hole)
        if (!outer.contains(p)) inner.insert(p);
    }
    sum -= std::int64_t(inner.size());
    on_rings.insert(outer.begin(), outer.end());
    on_rings.insert(inner.begin(), inner.end());
  }
  std::set<GridPoint> on_walls;
  for (const environment::Wall& wall : layer.walls) {
    sum += std::int64_t(wall.points.size()) - 1;
    for (const GridPoint p : wall.points)
      if (!on_rings.contains(p)) on_walls.insert(p);
  }
  return sum - std::int64_t(on_walls.size());
}

class Components {
 public:
  explicit Components(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), Index{0}); }
  Index of(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void unite(Index a, Index b) { parent_[of(a)] = of(b); }

 private:
  std::vector<Index> parent_;
};

/// Ends of connections at which no boundary is left in any of the layers joined there: points of the free space.
std::int64_t free_connection_ends(const Mesh& m) {
  if (m.connections.empty()) return 0;
  std::set<std::pair<Vec2, Index>> held;
  for (const Site& site : m.sites) held.insert({site.a, site.layer}), held.insert({site.b, site.layer});
  std::map<Vec2, std::vector<const Connection*>> meeting;
  for (const Connection& c : m.connections) meeting[c.a].push_back(&c), meeting[c.b].push_back(&c);
  std::int64_t count = 0;
  for (const auto& [point, connections] : meeting) {
    Components joined(m.layers.size());
    std::set<Index> free;
    for (const Connection* c : connections) joined.unite(c->left_layer, c->right_layer);
    for (const Connection* c : connections) free.insert(joined.of(c->left_layer));
    for (Index layer = 0; layer < m.layers.size(); ++layer)
      if (held.contains({point, layer})) free.erase(joined.of(layer));
    count += std::int64_t(free.size());
  }
  return count;
}

/// Clearance at points along an edge: nodes and places in between.
struct Sample {
  Index arc;
  Vec2 point;
  double clearance;
};

std::vector<Sample> sample_edge(const Mesh& m, const Edge& edge) {
  std::vector<Sample> samples;
  for (Index i = edge.first_arc; i < edge.first_arc + edge.arc_count; ++i) {
    const ArcCurve curve(m, i);
    const Site& site = m.sites[m.arcs[i].site[0]];
    for (int k = i == edge.first_arc ? 0 : 1; k <= 8; ++k) {
      const Vec2 p = curve.point(k / 8.0);
      samples.push_back({i, p, length(p - nearest_on(site, p))});
    }
  }
  return samples;
}

void check_passages_of(const Subject& s, Index index, Index first, Index last, Findings& findings) {
  const Edge& edge = s.mesh.edges[index];
  const std::vector<Sample> samples = sample_edge(s.mesh, edge);
  Index next = first;
  bool falling = false;
  std::size_t low = 0;  // where clearance was smallest since it fell
  for (std::size_t i = 1; i < samples.size(); ++i) {
    const double change = samples[i].clearance - samples[low].clearance;
    if (change < -4 * s.tolerance) {
      falling = true;
      low = i;
    } else if (change > 4 * s.tolerance) {
      if (falling) {
        const bool here = next < last && s.mesh.passages[next].arc + 1 >= samples[low].arc &&
                          s.mesh.passages[next].arc <= samples[i].arc;
        if (!here)
          return findings.add(fmt::format("edge {}", index),
                              fmt::format("no passage at ({}, {})", samples[low].point.x, samples[low].point.y));
        ++next;
      }
      falling = false;
      low = i;
    }
  }
}

/// What is joined along the boundary is joined in the graph: segments that follow each other at a vertex of two sides have cells in one
/// component. At the end of a connection they need not: where a wall closes off a corner there, its sides are of different rooms.
void check_joined_along_boundary(const Subject& s, Findings& findings) {
  Components components(s.mesh.nodes.size());
  for (const Arc& arc : s.mesh.arcs) components.unite(arc.from, arc.to);
  struct AtVertex {
    int starts = 0, ends = 0;
    Index leaving = none, arriving = none;  ///< components
  };
  std::map<std::pair<Index, Vec2>, AtVertex> vertices;
  for (const Site& site : s.mesh.sites) {
    if (site.cell_count == 0 || site.is_corner()) continue;
    const Index component = components.of(s.mesh.arcs[s.mesh.site_cells[site.first_cell] / 2].from);
    AtVertex& start = vertices[{site.layer, site.a}];
    ++start.starts, start.leaving = component;
    AtVertex& end = vertices[{site.layer, site.b}];
    ++end.ends, end.arriving = component;
  }
  for (const Connection& c : s.mesh.connections)
    for (const Index layer : {c.left_layer, c.right_layer})
      for (const Vec2 p : {c.a, c.b}) vertices.erase({layer, p});
  for (const auto& [vertex, at] : vertices)
    if (at.starts == 1 && at.ends == 1 && at.leaving != at.arriving)
      findings.add(fmt::format("boundary vertex ({}, {})", vertex.second.x, vertex.second.y),
                   "joins two components of the graph");
}

}  // namespace

bool check_structure(const Mesh& m, Findings& findings) {
  return nodes_and_sites_in_range(m, findings) && arcs_in_range(m, findings) && edges_are_chains(m, findings);
}

void check_connectedness(const Subject& s, Findings& findings) {
  std::int64_t surface = free_connection_ends(s.mesh) - std::int64_t(s.mesh.connections.size());
  for (const environment::CleanLayer& layer : s.environment.layers) surface += euler_characteristic(layer);
  std::int64_t graph = -std::int64_t(s.mesh.edges.size());
  for (const Node& node : s.mesh.nodes) graph += node.degree > 0;
  if (graph != surface)
    findings.add("the graph", fmt::format("has Euler characteristic {}, the free space {}", graph, surface));
  check_joined_along_boundary(s, findings);
}

void check_degrees(const Subject& s, Findings& findings) {
  std::vector<Index> count(s.mesh.nodes.size(), 0);
  for (const Edge& edge : s.mesh.edges) ++count[edge.from], ++count[edge.to];
  for (Index i = 0; i < s.mesh.nodes.size(); ++i) {
    const Node& node = s.mesh.nodes[i];
    if (count[i] != node.degree)
      findings.add(name_node(s.mesh, i), fmt::format("has {} edge ends, not {}", count[i], node.degree));
    bool own = true, loop = false;
    for (Index k = 0; k < node.degree; ++k) {
      const EdgeEnd& end = s.mesh.edge_ends[node.first_edge_end + k];
      const Edge& edge = s.mesh.edges[end.edge];
      own &= (end.at_to ? edge.to : edge.from) == i;
      loop |= edge.from == edge.to;
    }
    if (!own) findings.add(name_node(s.mesh, i), "lists an edge end that is not its own");
    if (node.degree == 2 && !loop) findings.add(name_node(s.mesh, i), "is a vertex of degree 2");
  }
}

void check_passages(const Subject& s, Findings& findings) {
  const Mesh& m = s.mesh;
  for (std::size_t i = 0; i < m.passages.size(); ++i) {
    const Passage& p = m.passages[i];
    const std::string name = fmt::format("passage {} at ({}, {})", i, p.point.x, p.point.y);
    if (i > 0 && m.passages[i - 1].arc > p.arc) findings.add(name, "is out of order");
    if (!(length((p.left + p.right) * 0.5 - p.point) <= 4 * s.tolerance))
      findings.add(name, "is not between its nearest points");
    const Edge& edge = m.edges[m.arcs[p.arc].edge];
    if (!(p.clearance >= edge.min_clearance - s.tolerance) || !(p.clearance > s.tolerance))
      findings.add(name, "has a wrong clearance");
    for (const Index node : {m.arcs[p.arc].from, m.arcs[p.arc].to})
      if (!(m.nodes[node].clearance >= p.clearance - 4 * s.tolerance))
        findings.add(name, "is wider than the axis beside it");
  }
  Index first = 0;
  for (Index i = 0; i < m.edges.size(); ++i) {
    Index last = first;
    while (last < m.passages.size() && m.arcs[m.passages[last].arc].edge == i) ++last;
    check_passages_of(s, i, first, last, findings);
    first = last;
  }
}

void check_order(const Subject& s, Findings& findings) {
  const Mesh& m = s.mesh;
  const auto key = [](const Site& site) { return std::tie(site.layer, site.a, site.b); };
  for (Index i = 1; i < m.sites.size(); ++i)
    if (key(m.sites[i - 1]) >= key(m.sites[i])) findings.add(name_site(m, i), "is out of order");
  for (Index i = 1; i < m.nodes.size(); ++i)
    if (std::tie(m.nodes[i - 1].layer, m.nodes[i - 1].point) > std::tie(m.nodes[i].layer, m.nodes[i].point))
      findings.add(name_node(m, i), "is out of order");
  for (Index i = 0; i < m.edges.size(); ++i)
    if (m.edges[i].from > m.edges[i].to)
      findings.add(fmt::format("edge {}", i), "runs from the larger node to the smaller");
  for (std::size_t i = 1; i < m.straddles.size(); ++i) {
    const Straddle &a = m.straddles[i - 1], &b = m.straddles[i];
    if (std::tie(a.cell, a.connection) >= std::tie(b.cell, b.connection))
      findings.add(fmt::format("straddle {}", i), "is out of order");
  }
}

}  // namespace throng::navmesh
