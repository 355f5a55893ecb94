#include "routes/corridor_tiles.hpp"
#include "geometry/tolerances.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace throng::routes {

namespace {

using navmesh::Mesh;

/// Gates of an arc's tile.
constexpr Index at_to = 0;
constexpr Index at_from = 1;

bool same(const GatePost& a, const GatePost& b) {
  return squared_length(a.point - b.point) <= tolerance::same * tolerance::same;
}

}  // namespace

class CorridorTiles::Builder {
 public:
  explicit Builder(CorridorTiles& tiles) : tiles_(tiles), mesh_(tiles.graph_->mesh()), ends_(mesh_.arc_count()) {
    place_posts();
    for (Index a = 0; a < mesh_.arc_count(); ++a) {
      tiles_.first_gate_.push_back(Index(tiles_.gates_.size()));
      tiles_.gates_.insert(tiles_.gates_.end(), ends_[a].begin(), ends_[a].end());
    }
    for (const Index node : wide_nodes_) add_node_tile(node);
    tiles_.first_gate_.push_back(Index(tiles_.gates_.size()));
  }

 private:
  /// An arc's end at a node.
  struct End {
    Index arc;
    Index gate;
  };

  GatePost post(Index site, Vec2 node) const {
    const navmesh::Site& s = mesh_.site(site);
    const Vec2 point = navmesh::nearest_on(s, node);
    const double away = std::sqrt(squared_length(node - point));
    return {point, s.is_corner() ? site : none, away > tolerance::same ? (node - point) / away : Vec2{}};
  }

  TileGate gate_of(End end) const {
    const navmesh::Arc& arc = mesh_.arc(end.arc);
    const navmesh::Node& node = mesh_.node(end.gate == at_to ? arc.to : arc.from);
    const GatePost left = post(arc.site[0], node.point);
    const GatePost right = post(arc.site[1], node.point);
    // Whoever leaves by `from` walks against the arc.
    return {end.gate == at_to ? right : left, end.gate == at_to ? left : right, node.clearance, none, none};
  }

  void place_posts() {
    std::vector<std::vector<End>> at_node(mesh_.node_count());
    for (Index a = 0; a < mesh_.arc_count(); ++a) {
      for (const Index g : {at_to, at_from}) ends_[a][g] = gate_of({a, g});
      at_node[mesh_.arc(a).to].push_back({a, at_to});
      at_node[mesh_.arc(a).from].push_back({a, at_from});
    }
    for (Index node = 0; node < mesh_.node_count(); ++node) {
      unite_posts(at_node[node]);
      if (!join(node, at_node[node]) && at_node[node].size() > 1) wide_nodes_.push_back(node);
    }
    at_node_ = std::move(at_node);
  }

  /// Posts of one node that are one point get the same bits, and where one of them is a corner, all are.
  void unite_posts(const std::vector<End>& ends) {
    std::vector<GatePost*> posts;
    for (const End& end : ends)
      for (GatePost* p : {&ends_[end.arc][end.gate].right, &ends_[end.arc][end.gate].left}) posts.push_back(p);
    std::stable_partition(posts.begin(), posts.end(), [](const GatePost* p) { return p->corner != none; });
    for (std::size_t i = 0; i < posts.size(); ++i)
      for (std::size_t k = 0; k < i; ++k)
        if (same(*posts[k], *posts[i])) {
          *posts[i] = *posts[k];
          break;
        }
  }

  /// At an event point two arcs share one gate.
  bool join(Index node, const std::vector<End>& ends) {
    if (mesh_.node(node).degree != 0 || ends.size() != 2) return false;
    TileGate& a = ends_[ends[0].arc][ends[0].gate];
    TileGate& b = ends_[ends[1].arc][ends[1].gate];
    if (a.right.point != b.left.point || a.left.point != b.right.point) return false;
    a.tile = ends[1].arc, a.back = ends[1].gate;
    b.tile = ends[0].arc, b.back = ends[0].gate;
    return true;
  }

  void add_node_tile(Index node) {
    const Index tile = Index(tiles_.first_gate_.size());
    tiles_.first_gate_.push_back(Index(tiles_.gates_.size()));
    Index number = 0;
    for (const End& end : at_node_[node]) {
      TileGate& in = tiles_.gates_[tiles_.first_gate_[end.arc] + end.gate];
      in.tile = tile, in.back = number++;
      tiles_.gates_.push_back({in.left, in.right, in.clearance, end.arc, end.gate});
    }
  }

  CorridorTiles& tiles_;
  const Mesh& mesh_;
  std::vector<std::array<TileGate, 2>> ends_;
  std::vector<std::vector<End>> at_node_;
  std::vector<Index> wide_nodes_;  ///< those with a tile of their own
};

CorridorTiles::CorridorTiles(std::shared_ptr<const RouteGraph> graph) : graph_(std::move(graph)) { Builder(*this); }

Index CorridorTiles::tile_at(Index cell, Vec2 p, double radius) const {
  Index tile = cell / 2;
  for (std::size_t step = 0; step < size(); ++step) {  // more than there are tiles: rounding leads in a circle
    const TileGate* beyond = nullptr;
    for (const TileGate& gate : gates(tile))
      if (gate.tile != none && gate.lets_through(radius) && gate.inside(p, radius) < 0) beyond = &gate;
    if (beyond == nullptr) break;
    tile = beyond->tile;
  }
  return tile;
}

double CorridorTiles::bottleneck(Index arc) const {
  const Mesh& mesh = graph_->mesh();
  const navmesh::Arc& at = mesh.arc(arc);
  const bool at_left = mesh.site(at.site[0]).is_corner();
  if (!at_left && !mesh.site(at.site[1]).is_corner()) return unreachable;
  const Vec2 corner = mesh.site(at.site[at_left ? 0 : 1]).a;
  const Vec2 opposite = navmesh::nearest_on(mesh.site(at.site[at_left ? 1 : 0]), corner);
  const Vec2 across = opposite - corner, middle = (corner + opposite) / 2;
  // The ends of the arc lie on different sides of the line across.
  const double from = cross(across, mesh.node(at.from).point - middle);
  const double to = cross(across, mesh.node(at.to).point - middle);
  if (from * to > 0) return unreachable;
  return std::sqrt(squared_length(across)) / 2;
}

std::size_t CorridorTiles::bytes() const {
  const auto held = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  return sizeof *this + held(gates_) + held(first_gate_);
}

}  // namespace throng::routes
