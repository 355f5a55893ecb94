#include "navmesh/graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <tuple>

#include "navmesh/arc.hpp"
#include "navmesh/cells.hpp"
#include "navmesh/node_of_sites.hpp"
#include "navmesh/piece.hpp"

namespace throng::navmesh {
namespace {

class GraphMaker {
 public:
  GraphMaker(const AxisDraft& draft, Mesh& mesh) : draft_(draft), mesh_(mesh) {}

  std::string make() {
    order_sites();
    find_incidences();
    place_nodes();
    order_nodes();
    add_edges();
    add_edge_ends();
    measure_edges();
    return link_cells();
  }

 private:
  struct Chain {
    std::size_t first, count;  ///< in chain_arcs_
    Index to;
    Index left, right;  ///< sites of its first arc
  };

  void order_sites() {
    std::vector<Index> order;
    order.reserve(draft_.sites.size());
    for (Index i = 0; i < draft_.sites.size(); ++i)
      if (!draft_.sites[i].removed) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](Index l, Index r) {
      const DraftSite& a = draft_.sites[l];
      const DraftSite& b = draft_.sites[r];
      return std::tie(a.layer, a.a, a.b) < std::tie(b.layer, b.a, b.b);
    });
    site_index_.assign(draft_.sites.size(), none);
    mesh_.sites.reserve(order.size());
    for (const Index old : order) {
      const DraftSite& site = draft_.sites[old];
      site_index_[old] = Index(mesh_.sites.size());
      mesh_.sites.push_back({mesh_.grid.to_world(site.a), mesh_.grid.to_world(site.b), site.layer, 0, 0});
    }
  }

  void find_incidences() {
    incidence_start_.assign(draft_.nodes.size() + 1, 0);
    for (const DraftArc& arc : draft_.arcs)
      if (arc.alive())
        for (const Index node : arc.node) ++incidence_start_[node + 1];
    for (std::size_t i = 1; i < incidence_start_.size(); ++i) incidence_start_[i] += incidence_start_[i - 1];
    incidences_.resize(incidence_start_.back());
    std::vector<Index> next(incidence_start_.begin(), incidence_start_.end() - 1);
    for (Index i = 0; i < draft_.arcs.size(); ++i)
      if (draft_.arcs[i].alive())
        for (const Index end : {0u, 1u}) incidences_[next[draft_.arcs[i].node[end]]++] = 2 * i + end;
  }

  [[nodiscard]] std::span<const Index> incidences(Index node) const {
    return std::span(incidences_).subspan(incidence_start_[node], incidence_start_[node + 1] - incidence_start_[node]);
  }
  [[nodiscard]] Index degree(Index node) const { return incidence_start_[node + 1] - incidence_start_[node]; }

  [[nodiscard]] Index first_site(Index node) const {
    Index smallest = none;
    for (const Index i : incidences(node))
      for (const Index site : draft_.arcs[i / 2].site) smallest = std::min(smallest, site_index_[site]);
    return smallest;
  }

  /// Where the draft has its nodes is a guess: what they are follows from their sites (node_of_sites.hpp).
  void place_nodes() {
    nodes_ = draft_.nodes;
    std::vector<Index> numbers;
    std::vector<const BoundarySite*> sites;
    for (Index i = 0; i < nodes_.size(); ++i) {
      if (degree(i) < 2) continue;  // in a corner of the free space
      numbers.clear(), sites.clear();
      for (const Index incidence : incidences(i))
        for (const Index site : draft_.arcs[incidence / 2].site) numbers.push_back(site);
      std::sort(numbers.begin(), numbers.end(), [&](Index l, Index r) { return site_index_[l] < site_index_[r]; });
      numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
      for (const Index site : numbers) sites.push_back(&draft_.sites[site]);
      const NodePlace place = node_of_sites(sites, nodes_[i].point);
      nodes_[i].point = place.point, nodes_[i].clearance = place.clearance;
    }
  }

  void order_nodes() {
    struct Key {
      Index layer;
      Vec2 point;
      Index node;
    };
    std::vector<Key> keys;
    keys.reserve(draft_.nodes.size());
    for (Index i = 0; i < draft_.nodes.size(); ++i)
      if (degree(i) > 0) keys.push_back({nodes_[i].layer, mesh_.grid.to_world(nodes_[i].point), i});
    std::sort(keys.begin(), keys.end(), [&](const Key& l, const Key& r) {
      if (l.layer != r.layer) return l.layer < r.layer;
      if (l.point.x != r.point.x) return l.point.x < r.point.x;
      if (l.point.y != r.point.y) return l.point.y < r.point.y;
      return l.node != r.node && first_site(l.node) < first_site(r.node);
    });
    node_index_.assign(draft_.nodes.size(), none);
    node_order_.reserve(keys.size());
    mesh_.nodes.reserve(keys.size());
    for (const Key& key : keys) {
      node_index_[key.node] = Index(mesh_.nodes.size());
      node_order_.push_back(key.node);
      const DraftNode& node = nodes_[key.node];
      mesh_.nodes.push_back({key.point, mesh_.grid.to_metres(node.clearance), node.layer, 0, 0});
    }
  }

  void add_edges() {
    visited_.assign(draft_.arcs.size(), 0);
    mesh_.arcs.reserve(draft_.arcs.size());
    for (const Index node : node_order_)
      if (degree(node) != 2) add_edges_from(node);
    for (const Index node : node_order_)  // what is left are closed loops without a graph vertex
      if (degree(node) == 2 && !visited_[incidences(node)[0] / 2]) add_edges_from(node);
  }

  void add_edges_from(Index node) {
    chains_.clear();
    chain_arcs_.clear();
    for (const Index incidence : incidences(node))
      if (!visited_[incidence / 2]) chains_.push_back(walk(node, incidence));
    std::sort(chains_.begin(), chains_.end(), [](const Chain& l, const Chain& r) {
      return std::tie(l.to, l.left, l.right) < std::tie(r.to, r.left, r.right);
    });
    for (const Chain& chain : chains_) emit(node_index_[node], chain);
  }

  /// Follows arcs from a node, leaving by one of its incidences, to the next graph vertex or back to the node.
  Chain walk(Index node, Index incidence) {
    Chain chain{chain_arcs_.size(), 0, none, none, none};
    Index at = node;
    do {
      visited_[incidence / 2] = 1;
      chain_arcs_.push_back(incidence);
      at = draft_.arcs[incidence / 2].node[1 - incidence % 2];
      if (degree(at) != 2) break;
      const auto both = incidences(at);
      const Index arrived = incidence ^ 1;
      incidence = both[0] == arrived ? both[1] : both[0];
    } while (at != node);
    chain.count = chain_arcs_.size() - chain.first;
    chain.to = node_index_[at];
    if (at == node) orient_loop(chain);
    chain.left = outgoing_site(chain_arcs_[chain.first], 0);
    chain.right = outgoing_site(chain_arcs_[chain.first], 1);
    return chain;
  }

  /// Site left (0) or right (1) of an arc that leaves a node by this incidence.
  [[nodiscard]] Index outgoing_site(Index incidence, Index side) const {
    return site_index_[draft_.arcs[incidence / 2].site[side ^ (incidence % 2)]];
  }

  void orient_loop(const Chain& chain) {
    const auto begin = chain_arcs_.begin() + std::ptrdiff_t(chain.first);
    const Index forward = *begin;
    const Index backward = chain_arcs_.back() ^ 1;
    const auto key = [&](Index i) { return std::pair(outgoing_site(i, 0), outgoing_site(i, 1)); };
    if (key(forward) <= key(backward)) return;
    std::reverse(begin, chain_arcs_.end());
    for (auto i = begin; i != chain_arcs_.end(); ++i) *i ^= 1;
  }

  void emit(Index from, const Chain& chain) {
    Edge edge{from, chain.to, Index(mesh_.arcs.size()), Index(chain.count), 0, 0};
    for (std::size_t i = chain.first; i < chain.first + chain.count; ++i) {
      const Index incidence = chain_arcs_[i];
      const DraftArc& arc = draft_.arcs[incidence / 2];
      const Index start = incidence % 2;
      mesh_.arcs.push_back({node_index_[arc.node[start]],
                            node_index_[arc.node[1 - start]],
                            {outgoing_site(incidence, 0), outgoing_site(incidence, 1)},
                            Index(mesh_.edges.size())});
    }
    mesh_.edges.push_back(edge);
  }

  void add_edge_ends() {
    for (const Edge& edge : mesh_.edges) ++mesh_.nodes[edge.from].degree, ++mesh_.nodes[edge.to].degree;
    Index next = 0;
    for (Node& node : mesh_.nodes) {
      node.first_edge_end = next;
      next += node.degree;
    }
    mesh_.edge_ends.resize(next);
    std::vector<Index> filled(mesh_.nodes.size(), 0);
    const auto put = [&](Index node, EdgeEnd end) {
      mesh_.edge_ends[mesh_.nodes[node].first_edge_end + filled[node]++] = end;
    };
    for (Index i = 0; i < mesh_.edges.size(); ++i) {
      put(mesh_.edges[i].from, {i, false});
      put(mesh_.edges[i].to, {i, true});
    }
    for (const Node& node : mesh_.nodes)
      if (node.degree > 2) sort_counterclockwise(node);
  }

  /// Between two consecutive nearest points around a vertex one edge leaves; the one on its right gives its place.
  void sort_counterclockwise(const Node& node) {
    const std::span ends = std::span(mesh_.edge_ends).subspan(node.first_edge_end, node.degree);
    places_.clear();
    for (const EdgeEnd& end : ends) {
      const Edge& edge = mesh_.edges[end.edge];
      const Arc& arc = mesh_.arcs[end.at_to ? edge.first_arc + edge.arc_count - 1 : edge.first_arc];
      const Vec2 foot = nearest_on(mesh_.sites[arc.site[end.at_to ? 0 : 1]], node.point);
      places_.push_back({turn_of(foot - node.point), end});
    }
    std::sort(places_.begin(), places_.end(), [](const auto& l, const auto& r) { return l.first < r.first; });
    for (std::size_t i = 0; i < ends.size(); ++i) ends[i] = places_[i].second;
  }

  void measure_edges() {
    for (Edge& edge : mesh_.edges) {
      edge.min_clearance = mesh_.nodes[edge.from].clearance;
      for (Index i = edge.first_arc; i < edge.first_arc + edge.arc_count; ++i) {
        edge.length += length_of(i);
        edge.min_clearance = std::min(edge.min_clearance, min_clearance(mesh_, i));
      }
    }
  }

  [[nodiscard]] double length_of(Index index) const {
    const Arc& arc = mesh_.arcs[index];
    const bool parabola = mesh_.sites[arc.site[0]].is_corner() != mesh_.sites[arc.site[1]].is_corner();
    return parabola ? ArcCurve(mesh_, index).length() : length(mesh_.nodes[arc.to].point - mesh_.nodes[arc.from].point);
  }

  std::string link_cells() {
    for (const Arc& arc : mesh_.arcs)
      for (const Index site : arc.site) ++mesh_.sites[site].cell_count;
    Index next = 0;
    for (Site& site : mesh_.sites) {
      site.first_cell = next;
      next += std::exchange(site.cell_count, 0);
    }
    mesh_.site_cells.resize(next);
    for (Index cell = 0; cell < mesh_.cell_count(); ++cell) {
      Site& site = mesh_.sites[mesh_.site_of(cell)];
      mesh_.site_cells[site.first_cell + site.cell_count++] = cell;
    }
    cell_leaving_.assign(mesh_.nodes.size(), none);
    reached_by_.assign(mesh_.nodes.size(), none);
    for (Index i = 0; i < mesh_.sites.size(); ++i)
      if (!link_site(i))
        return fmt::format("the cells of the site at ({}, {}) are not contiguous", mesh_.sites[i].a.x,
                           mesh_.sites[i].a.y);
    return {};
  }

  /// With the site on the left, the arc of a cell runs from here ...
  [[nodiscard]] Index cell_from(Index cell) const { return right_node(mesh_, cell); }
  /// ... to here.
  [[nodiscard]] Index cell_to(Index cell) const { return left_node(mesh_, cell); }

  bool link_site(Index index) {
    const Site& site = mesh_.sites[index];
    const std::span cells = std::span(mesh_.site_cells).subspan(site.first_cell, site.cell_count);
    if (cells.size() < 2) return true;
    for (const Index cell : cells) {
      cell_leaving_[cell_from(cell)] = cell;
      reached_by_[cell_to(cell)] = index;
    }
    Index cell = none;
    for (const Index candidate : cells)
      if (reached_by_[cell_from(candidate)] != index) cell = candidate;
    if (cell == none) return false;
    std::size_t placed = 0;
    while (true) {
      cells[placed++] = cell;
      const Index at = cell_to(cell);
      if (placed == cells.size()) break;
      if (cell_leaving_[at] == none || mesh_.site_of(cell_leaving_[at]) != index) return false;
      cell = cell_leaving_[at];
    }
    // Free space is left of a->b, so around the region one walks from b to a.
    if (!site.is_corner()) std::reverse(cells.begin(), cells.end());
    return true;
  }

  const AxisDraft& draft_;
  Mesh& mesh_;
  std::vector<DraftNode> nodes_;                ///< of the draft, in their places
  std::vector<Index> site_index_, node_index_;  ///< draft to mesh
  std::vector<Index> node_order_;               ///< mesh to draft
  std::vector<Index> incidence_start_;
  std::vector<Index> incidences_;  ///< 2 * arc + end, grouped by node
  std::vector<std::uint8_t> visited_;
  std::vector<Chain> chains_;
  std::vector<std::pair<double, EdgeEnd>> places_;
  std::vector<Index> chain_arcs_;  ///< incidences by which arcs are left
  std::vector<Index> cell_leaving_, reached_by_;
};

}  // namespace

std::string assemble_graph(const AxisDraft& draft, Mesh& mesh) { return GraphMaker(draft, mesh).make(); }

}  // namespace throng::navmesh
