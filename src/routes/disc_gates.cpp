#include "routes/disc_gates.hpp"

#include <algorithm>
#include <utility>

namespace throng::routes {

namespace {

/// The bits of a number with room for others between them.
std::uint64_t spread_bits(std::uint32_t bits) {
  std::uint64_t x = bits;
  x = (x | x << 16) & 0x0000FFFF0000FFFF;
  x = (x | x << 8) & 0x00FF00FF00FF00FF;
  x = (x | x << 4) & 0x0F0F0F0F0F0F0F0F;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

}  // namespace

class DiscGates::Builder {
 public:
  Builder(const DiscTiles& disc_tiles, DiscGates& gates)
      : disc_tiles_(disc_tiles), tiles_(disc_tiles.tiles()), mesh_(disc_tiles.mesh()), gates_(gates) {
    gates_.arc_count_ = Index(mesh_.arc_count());
    gates_.at_.assign(gates_.arc_count_ + tiles_.size(), none);
    const std::vector<Index> nodes = nodes_by_place();
    for (const Index node : nodes) add_node(node);
    add_arcs(nodes);
    link();
  }

 private:
  /// Tiles of nodes along a Z-shaped curve.
  [[nodiscard]] std::vector<Index> nodes_by_place() const {
    std::vector<std::pair<std::uint64_t, Index>> nodes;
    for (Index tile = gates_.arc_count_; tile < tiles_.size(); ++tile) {
      const geometry::GridPoint at = mesh_.grid.snap(tiles_.gates(tile)[0].right.point);
      // The sign as the highest bit, so that small numbers come before large ones.
      const auto bits = [](std::int32_t coordinate) { return std::uint32_t(coordinate) ^ 0x80000000u; };
      nodes.emplace_back(spread_bits(bits(at.x)) | spread_bits(bits(at.y)) << 1, tile);
    }
    std::sort(nodes.begin(), nodes.end());
    std::vector<Index> sorted;
    for (const auto& [place, tile] : nodes) sorted.push_back(tile);
    return sorted;
  }

  /// All gates that lead on, twice, so that after each follow all others.
  void add_node(Index tile) {
    const std::span<const TileGate> gates = tiles_.gates(tile);
    gates_.at_[gates_.arc_count_ + tile] = Index(gates_.node_entries_.size());
    std::vector<Index> listed;
    for (Index number = 0; number < gates.size(); ++number)
      if (disc_tiles_.leads_on(tile, gates[number])) listed.push_back(number);
    const Index first = Index(gates_.node_exits_.size());
    for (int time = 0; time < 2; ++time)
      for (const Index number : listed)
        gates_.node_exits_.push_back({ends_of(gates[number]), {gates[number].tile, gates[number].back}});
    for (Index number = 0; number < gates.size(); ++number) {
      const auto self = std::find(listed.begin(), listed.end(), number);
      const Index is_listed = self != listed.end() ? 1 : 0;
      gates_.node_entries_.push_back(
          {number, first + is_listed * (Index(self - listed.begin()) + 1), Index(listed.size()) - is_listed});
    }
  }

  [[nodiscard]] DiscGate ends_of(const TileGate& gate) const {
    return {gate.right_for(disc_tiles_.disc()), gate.left_for(disc_tiles_.disc())};
  }

  void add_arcs(const std::vector<Index>& nodes) {
    gates_.arc_exits_.reserve(2 * mesh_.arc_count());
    for (const Index node : nodes)
      for (const TileGate& gate : tiles_.gates(node)) add_chain(gate.tile, 1 - gate.back);
    // Those of rings, and before ends without a gate.
    for (Index arc = 0; arc < gates_.arc_count_; ++arc)
      for (const Index exit : {0u, 1u}) add_chain(arc, exit);
  }

  /// Arc after arc, up to a node.
  void add_chain(Index tile, Index number) {
    while (tile != none && gates_.is_arc(tile) && gates_.at_[2 * tile + number] == none) {
      gates_.at_[2 * tile + number] = Index(gates_.arc_exits_.size());
      const TileGate& gate = tiles_.gates(tile)[number];
      ArcExit exit{.gate = ends_of(gate), .entry = 1 - number};
      if (disc_tiles_.leads_on(tile, gate)) exit.behind.tile = gate.tile;
      const auto at_side = [&](Index side, Index& corner, Vec2& centre) {
        const Index site = mesh_.arc(tile).site[side];
        if (mesh_.site(site).is_corner()) corner = site, centre = mesh_.site(site).a;
      };
      at_side(1 - number, exit.right_corner, exit.right_centre);
      at_side(number, exit.left_corner, exit.left_centre);
      gates_.arc_exits_.push_back(exit);
      tile = gate.tile;
      number = 1 - gate.back;
    }
  }

  /// Now that all have their places.
  void link() {
    for (Index tile = 0; tile < gates_.arc_count_; ++tile)
      for (const Index number : {0u, 1u}) {
        BehindGate& behind = gates_.arc_exits_[gates_.at_[2 * tile + number]].behind;
        if (behind.tile != none) behind = gates_.entering(behind.tile, tiles_.gates(tile)[number].back);
      }
    for (NodeExit& exit : gates_.node_exits_)  // `at` is the number of the gate behind so far
      exit.behind = gates_.entering(exit.behind.tile, exit.behind.at);
  }

  const DiscTiles& disc_tiles_;
  const CorridorTiles& tiles_;
  const navmesh::Mesh& mesh_;
  DiscGates& gates_;
};

DiscGates::DiscGates(const DiscTiles& tiles) : tiles_(tiles) { Builder(tiles, *this); }

DiscGates::Exit DiscGates::way_out(Index tile, Index number) const {
  const TileGate& gate = tiles_.tiles().gates(tile)[number];
  const double disc = tiles_.disc();
  return {{gate.right_for(disc), gate.left_for(disc)},
          tiles_.leads_on(tile, gate) ? entering(gate.tile, gate.back) : BehindGate{}};
}

}  // namespace throng::routes
