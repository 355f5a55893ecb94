#include "routes/corner_distances.hpp"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>
#include <utility>

#include "geometry/elementary.hpp"
#include "routes/open_list.hpp"

namespace throng::routes {

namespace {

/// Trees of shortest ways that are counted to tell which corners are on many.
constexpr std::size_t sampled_trees = 128;
/// A way by hubs that is longer by this share of it, and by metres, is as good.
constexpr double same_share = 2e-7;
constexpr double same_metres = 2e-6;

/// Corners and the straight ways between them.
struct CornerGraph {
  struct Way {
    Index to;
    float length;
  };
  std::vector<Way> ways;
  std::vector<Index> first;       ///< of each corner, one more at the end
  std::vector<Index> last_tight;  ///< of each corner: before it are those that a way can bend into
  std::vector<Index> site;        ///< of each corner

  [[nodiscard]] std::size_t size() const { return site.size(); }
  [[nodiscard]] std::span<const Way> from(Index corner) const {
    return {ways.data() + first[corner], first[corner + 1] - first[corner]};
  }
  /// Those that a shortest way which comes from elsewhere can leave by: along lines that pass the corner, not away from it.
  [[nodiscard]] std::span<const Way> tight_from(Index corner) const {
    return {ways.data() + first[corner], last_tight[corner] - first[corner]};
  }
};

/// The walls beside a corner, as directions away from it; what lies between them, counterclockwise from the first, is free.
struct Wedge {
  Vec2 first, second;
};

/// From a corner to the node where one of its cells begins or ends, counterclockwise.
Vec2 outward(const CorridorTiles& tiles, Index cell, bool begins) {
  // Counterclockwise around its left site one walks along an arc, from gate 1 to gate 0.
  const Index side = cell % 2;
  const Index gate = begins ? 1 - side : side;
  const TileGate& at = tiles.gates(cell / 2)[gate];
  return side == gate ? at.left.inward : at.right.inward;
}

Wedge wedge_of(const CorridorTiles& tiles, const navmesh::Site& site) {
  const navmesh::Mesh& mesh = tiles.graph().mesh();
  return {-perpendicular(outward(tiles, mesh.site_cells[site.first_cell], true)),
          perpendicular(outward(tiles, mesh.site_cells[site.first_cell + site.cell_count - 1], false))};
}

/// Whether a line that leaves a corner passes it: both walls lie on one side.
bool passes(const Wedge& wedge, Vec2 line) {
  const double beside = 1e-6 * std::sqrt(squared_length(line));
  const double first = cross(line, wedge.first);
  const double second = cross(line, wedge.second);
  return (first <= beside && second <= beside) || (first >= -beside && second >= -beside);
}

/// What a corner sees: bundles of straight lines from points just off it, spread from tile to tile.
class CornerView {
 public:
  explicit CornerView(const DiscTiles& tiles) : tiles_(tiles), geometry_(tiles) {}

  /// A point off a corner sees what the corner does in the half plane away from it, and all of it where it is before both walls.
  void look(Index corner, std::vector<Index>& seen) {
    const std::vector<double> sectors = sectors_of(corner);
    const double whole = std::accumulate(sectors.begin(), sectors.end(), 0.0);
    if (whole < before_both_walls) {
      look_along(corner, sectors, whole / 2, seen);
    } else {
      const int parts = int(std::ceil(whole / quarter_turn));
      for (int i = 0; i <= parts; ++i) look_along(corner, sectors, whole * i / parts, seen);
    }
  }

 private:
  /// Radians of the circle around the corner that are in each of its cells, counterclockwise.
  [[nodiscard]] std::vector<double> sectors_of(Index corner) const {
    const navmesh::Site& site = tiles_.mesh().sites[corner];
    std::vector<double> sectors;
    for (Index c = site.first_cell; c < site.first_cell + site.cell_count; ++c) {
      const Index cell = tiles_.mesh().site_cells[c];
      const Vec2 from = outward(tiles_.tiles(), cell, true), to = outward(tiles_.tiles(), cell, false);
      sectors.push_back(std::max(0.0, geometry::arc_tangent(cross(from, to), dot(from, to))));
    }
    return sectors;
  }

  void look_along(Index corner, const std::vector<double>& sectors, double angle, std::vector<Index>& seen) {
    const navmesh::Site& site = tiles_.mesh().sites[corner];
    std::size_t number = 0;
    while (number + 1 < sectors.size() && angle > sectors[number]) angle -= sectors[number++];
    const Index cell = tiles_.mesh().site_cells[site.first_cell + number];
    const Vec2 first = outward(tiles_.tiles(), cell, true);
    const Vec2 turn = geometry::unit_direction(angle / (2 * std::numbers::pi));
    const Vec2 off = first * turn.x + perpendicular(first) * turn.y;
    if (squared_length(off) == 0) return;
    spread(corner, cell, site.a + off * eye_distance, seen);
  }

  void spread(Index corner, Index cell, Vec2 eye, std::vector<Index>& seen) {
    const navmesh::Mesh& mesh = tiles_.mesh();
    const Index tile = tiles_.tiles().tile_at(cell, eye, tiles_.disc());
    const TangentRoot root{.bend = {eye, 0}};
    const TangentWindow all{.root = 0, .right_open = true, .left_open = true, .side = tiles_.side_of(tile, eye)};
    open_.assign(1, {tile, none, all, 0, eye, eye});
    while (!open_.empty()) {
      const WindowEntry entry = open_.back();
      open_.pop_back();
      if (tiles_.tiles().is_arc(entry.tile))
        for (const Index other : mesh.arcs[entry.tile].site)
          if (mesh.sites[other].is_corner() && other != corner && holds(entry.window, mesh.sites[other].a - eye))
            seen.push_back(other);
      for (Index g = 0; g < tiles_.tiles().gates(entry.tile).size(); ++g)
        if (g != entry.gate) geometry_.pass(root, entry, g, open_);
    }
  }

  /// Metres off the corner: far enough to be on a side of everything.
  static constexpr double eye_distance = 1e-6;
  /// Radians: who is almost seen counts as seen, which makes distances shorter, if anything.
  static constexpr double almost = 1e-6;
  static constexpr double before_both_walls = 2.6;
  static constexpr double quarter_turn = 1.5;

  static bool holds(const TangentWindow& window, Vec2 line) {
    const double length = std::sqrt(squared_length(line));
    const double beside = almost * length + eye_distance;
    return (window.right_open || cross(window.right, line) >= -beside) &&
           (window.left_open || cross(line, window.left) >= -beside);
  }

  const DiscTiles& tiles_;
  WindowGeometry geometry_;
  std::vector<WindowEntry> open_;
};

CornerGraph visible_corners(const std::shared_ptr<const CorridorTiles>& tiles) {
  const navmesh::Mesh& mesh = tiles->graph().mesh();
  const DiscTiles point_tiles(tiles, 0);
  CornerGraph graph;
  std::vector<Index> number(mesh.sites.size(), none);
  for (Index site = 0; site < mesh.sites.size(); ++site)
    if (mesh.sites[site].is_corner() && mesh.sites[site].cell_count > 0)
      number[site] = Index(graph.size()), graph.site.push_back(site);
  std::vector<std::vector<Index>> seen(graph.size());
  // On its own: a thread that waits for its share must not begin a plan of others meanwhile, which would wait for these labels.
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, graph.size(), 64), [&](const auto& range) {
      CornerView view(point_tiles);
      for (std::size_t i = range.begin(); i != range.end(); ++i) view.look(graph.site[i], seen[i]);
    });
  });
  // Both ways, also where rounding lets one corner see the other but not be seen by it.
  std::vector<std::pair<Index, Index>> lines;
  for (Index from = 0; from < graph.size(); ++from)
    for (const Index site : seen[from]) lines.emplace_back(from, number[site]), lines.emplace_back(number[site], from);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  auto next = lines.begin();
  std::vector<CornerGraph::Way> loose;
  for (Index from = 0; from < graph.size(); ++from) {
    const navmesh::Site& site = mesh.sites[graph.site[from]];
    const Wedge wedge = wedge_of(*tiles, site);
    graph.first.push_back(Index(graph.ways.size()));
    loose.clear();
    for (; next != lines.end() && next->first == from; ++next) {
      const Vec2 line = mesh.sites[graph.site[next->second]].a - site.a;
      (passes(wedge, line) ? graph.ways : loose).push_back({next->second, float(std::sqrt(squared_length(line)))});
    }
    graph.last_tight.push_back(Index(graph.ways.size()));
    graph.ways.insert(graph.ways.end(), loose.begin(), loose.end());
  }
  graph.first.push_back(Index(graph.ways.size()));
  return graph;
}

/// Dijkstra's algorithm from one corner after the other; what it touched is forgotten between them.
class Spread {
 public:
  explicit Spread(const CornerGraph& graph) : graph_(graph), distance_(graph.size(), unreachable) {}

  /// Calls visit(corner, distance) in order of distance; where that says no, nothing is looked at behind the corner.
  template <class Visit>
  void run(Index from, Visit&& visit) {
    reach(from, 0);
    while (!open_.empty()) {
      const auto [distance, cost, corner] = open_.pop();
      if (distance > distance_[corner] || !visit(corner, distance)) continue;
      const auto ways = corner == from ? graph_.from(corner) : graph_.tight_from(corner);
      for (const CornerGraph::Way& way : ways) reach(way.to, distance + double(way.length));
    }
    for (const Index corner : reached_) distance_[corner] = unreachable;
    reached_.clear();
  }

 private:
  void reach(Index corner, double distance) {
    if (distance >= distance_[corner]) return;
    if (distance_[corner] == unreachable) reached_.push_back(corner);
    distance_[corner] = distance;
    open_.push({distance, distance, corner});
  }

  const CornerGraph& graph_;
  std::vector<double> distance_;
  OpenList open_;
  std::vector<Index> reached_;
};

/// A tree of shortest ways from one corner, of which parts are cut off.
struct WayTree {
  std::vector<Index> parent;   ///< of each corner; none: the root, or not reached
  std::vector<Index> child;    ///< the first of each corner
  std::vector<Index> sibling;  ///< the next of each corner
  std::vector<Index> below;    ///< of each corner: how many ways lead to it or through it that are not cut off

  void grow(const CornerGraph& graph, Index root) {
    parent.assign(graph.size(), none);
    child.assign(graph.size(), none);
    sibling.assign(graph.size(), none);
    below.assign(graph.size(), 0);
    std::vector<Index> order;
    std::vector<double> distance(graph.size(), unreachable);
    Spread spread(graph);
    spread.run(root, [&](Index corner, double at) {
      order.push_back(corner);
      distance[corner] = at;
      return true;
    });
    for (std::size_t i = order.size(); i-- > 1;) {
      const Index corner = order[i];
      ++below[corner];
      for (const CornerGraph::Way& way : graph.from(corner))  // the way back, tight or not
        if (distance[way.to] + double(way.length) <= distance[corner] && distance[way.to] < distance[corner]) {
          parent[corner] = way.to;
          sibling[corner] = child[way.to];
          child[way.to] = corner;
          below[way.to] += below[corner];
          break;
        }
    }
    below[root] = 0;
  }
  /// Cuts off what lies behind a corner; `lost(corner, count)` hears how many ways each loses.
  template <class Lost>
  void cut(Index corner, Lost&& lost) {
    const Index count = below[corner];
    if (count == 0) return;
    for (Index up = parent[corner]; up != none; up = parent[up])
      if (below[up] > 0) below[up] -= count, lost(up, count);
    open_.assign(1, corner);
    while (!open_.empty()) {
      const Index at = open_.back();
      open_.pop_back();
      lost(at, below[at]);
      below[at] = 0;
      for (Index c = child[at]; c != none; c = sibling[c])
        if (below[c] > 0) open_.push_back(c);
    }
  }

 private:
  std::vector<Index> open_;
};

/// The corners, those first that lead most shortest ways that none before them is on: estimated from trees of shortest ways.
std::vector<Index> by_usefulness(const CornerGraph& graph) {
  std::vector<WayTree> trees(std::min(sampled_trees, graph.size()));
  tbb::this_task_arena::isolate([&] {
    tbb::parallel_for(std::size_t{0}, trees.size(),
                      [&](std::size_t t) { trees[t].grow(graph, Index(t * graph.size() / trees.size())); });
  });
  std::vector<std::uint64_t> use(graph.size(), 0);
  for (const WayTree& tree : trees)
    for (Index corner = 0; corner < graph.size(); ++corner) use[corner] += tree.below[corner];
  struct Candidate {
    std::uint64_t use;
    std::size_t ways;
    Index corner;
    bool operator<(const Candidate& o) const {
      return use != o.use ? use < o.use : ways != o.ways ? ways < o.ways : corner > o.corner;
    }
  };
  std::vector<Candidate> heap;
  for (Index corner = 0; corner < graph.size(); ++corner)
    heap.push_back({use[corner], graph.from(corner).size(), corner});
  std::make_heap(heap.begin(), heap.end());
  std::vector<Index> ranked;
  while (!heap.empty()) {
    std::pop_heap(heap.begin(), heap.end());
    Candidate& next = heap.back();
    if (next.use != use[next.corner]) {  // it has lost some since
      next.use = use[next.corner];
      std::push_heap(heap.begin(), heap.end());
      continue;
    }
    const Index corner = next.corner;
    heap.pop_back();
    ranked.push_back(corner);
    for (WayTree& tree : trees) tree.cut(corner, [&](Index at, Index count) { use[at] -= count; });
  }
  return ranked;
}

}  // namespace

CornerDistances::CornerDistances(std::shared_ptr<const CorridorTiles> tiles) : tiles_(std::move(tiles)) {
  const CornerGraph graph = visible_corners(tiles_);
  const std::vector<Index> hubs = by_usefulness(graph);
  hub_count_ = hubs.size();
  std::vector<std::vector<HubDistance>> labels(graph.size());
  std::vector<float> from_hub(hubs.size(), float(unreachable));  // of the hub at hand, to those before it
  Spread spread(graph);
  for (Index hub = 0; hub < hubs.size(); ++hub) {
    for (const HubDistance& known : labels[hubs[hub]]) from_hub[known.hub] = known.distance;
    spread.run(hubs[hub], [&](Index corner, double distance) {
      const double enough = distance * (1 + same_share) + same_metres;
      for (const HubDistance& known : labels[corner])
        if (double(known.distance) + double(from_hub[known.hub]) <= enough) return false;
      labels[corner].push_back({hub, float(distance)});
      return true;
    });
    for (const HubDistance& known : labels[hubs[hub]]) from_hub[known.hub] = float(unreachable);
  }
  const std::size_t sites = tiles_->graph().mesh().sites.size();
  std::vector<Index> corner_at(sites, none);
  for (Index corner = 0; corner < graph.size(); ++corner) corner_at[graph.site[corner]] = corner;
  std::size_t entries = 0;
  for (const std::vector<HubDistance>& label : labels) entries += label.size();
  labels_.reserve(entries);
  first_.reserve(sites + 1);
  for (Index site = 0; site < sites; ++site) {
    first_.push_back(Index(labels_.size()));
    if (corner_at[site] == none) continue;
    const std::vector<HubDistance>& label = labels[corner_at[site]];
    labels_.insert(labels_.end(), label.begin(), label.end());
    std::sort(labels_.begin() + first_.back(), labels_.end(), [](const HubDistance& a, const HubDistance& b) {
      return std::tie(a.distance, a.hub) < std::tie(b.distance, b.hub);
    });
  }
  first_.push_back(Index(labels_.size()));
  nearest_.assign(sites, float(unreachable));
  for (Index corner = 0; corner < graph.size(); ++corner)
    for (const CornerGraph::Way& way : graph.from(corner))
      nearest_[graph.site[corner]] = std::min(nearest_[graph.site[corner]], way.length);
}

float CornerDistances::least_sum(Index corner, std::span<const float> by_hub) const {
  // Several at a time: none has to wait for the one before it. Hubs farther away than the least sum so far cannot make it less.
  constexpr std::size_t lanes = 8;
  float least[lanes];
  std::fill_n(least, lanes, float(unreachable));
  float so_far = float(unreachable);
  const std::span<const HubDistance> hubs = label(corner);
  std::size_t i = 0;
  for (; i + lanes <= hubs.size() && hubs[i].distance < so_far; i += lanes) {
    for (std::size_t k = 0; k < lanes; ++k)
      least[k] = std::min(least[k], hubs[i + k].distance + by_hub[hubs[i + k].hub]);
    if (i % (2 * lanes) == 0) so_far = *std::min_element(least, least + lanes);
  }
  so_far = *std::min_element(least, least + lanes);
  for (; i < hubs.size() && hubs[i].distance < so_far; ++i)
    so_far = std::min(so_far, hubs[i].distance + by_hub[hubs[i].hub]);
  return so_far;
}

std::size_t CornerDistances::bytes() const {
  return sizeof *this + labels_.capacity() * sizeof(HubDistance) + first_.capacity() * sizeof(Index) +
         nearest_.capacity() * sizeof(float);
}

}  // namespace throng::routes
