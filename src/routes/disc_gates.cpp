#include "routes/disc_gates.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "geometry/elementary.hpp"

namespace throng::routes {

namespace {

/// Tiles of a row: all circles ahead are looked at each time that one of them is seen.
constexpr std::size_t most_tiles = 16;
/// Of fewer it is not worth the memory.
constexpr std::size_t least_tiles = 4;
/// Cosine of the angle by which gates of a row may be turned from its first.
constexpr double most_turned = 0.5;
/// Metres of a gate whose direction is well defined.
constexpr double least_span = 1e-3;
/// Radians of a circle from whose ends it is clear what lies between.
constexpr double almost_half_a_turn = 0.9 * std::numbers::pi;

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
    gates_.arc_count_ = Index(mesh_.arcs.size());
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

  /// All gates that lead on, twice, so that after each follow all others; those into dead ends by themselves.
  void add_node(Index tile) {
    const std::span<const TileGate> gates = tiles_.gates(tile);
    const Index first_entry = Index(gates_.node_entries_.size());
    gates_.at_[gates_.arc_count_ + tile] = first_entry;
    gates_.node_entries_.resize(first_entry + gates.size());
    std::vector<Index> listed;
    for (const bool in_core : {true, false}) {
      listed.clear();
      for (Index number = 0; number < gates.size(); ++number)
        if ((gates[number].twig == none) == in_core && disc_tiles_.leads_on(tile, gates[number]))
          listed.push_back(number);
      const Index first = Index(gates_.node_exits_.size());
      for (int time = 0; time < 2; ++time)
        for (const Index number : listed)
          gates_.node_exits_.push_back(
              {ends_of(gates[number]), {gates[number].tile, gates[number].back}, gates[number].twig});
      for (Index number = 0; number < gates.size(); ++number) {
        NodeEntry& entry = gates_.node_entries_[first_entry + number];
        entry.number = number;
        const auto self = std::find(listed.begin(), listed.end(), number);
        const bool is_listed = self != listed.end();
        (in_core ? entry.in_core : entry.into_twigs) = first + (is_listed ? Index(self - listed.begin()) + 1 : 0);
        (in_core ? entry.core_count : entry.twig_count) = Index(listed.size()) - (is_listed ? 1 : 0);
      }
    }
  }

  [[nodiscard]] DiscGate ends_of(const TileGate& gate) const {
    return {gate.right_for(disc_tiles_.disc()), gate.left_for(disc_tiles_.disc())};
  }

  void add_arcs(const std::vector<Index>& nodes) {
    gates_.arc_exits_.reserve(2 * mesh_.arcs.size());
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
        const Index site = mesh_.arcs[tile].site[side];
        if (mesh_.sites[site].is_corner()) corner = site, centre = mesh_.sites[site].a;
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
    // Backwards: chains follow each other in the order they are walked.
    for (auto exit = gates_.arc_exits_.rbegin(); exit != gates_.arc_exits_.rend(); ++exit)
      if (exit->behind.tile != none)
        exit->next_node =
            gates_.is_arc(exit->behind.tile) ? gates_.arc_exits_[exit->behind.at].next_node : exit->behind.at;
  }

  const DiscTiles& disc_tiles_;
  const CorridorTiles& tiles_;
  const navmesh::Mesh& mesh_;
  DiscGates& gates_;
};

/// Finds rows of tiles, from junction to junction.
class DiscGates::RowBuilder {
 public:
  RowBuilder(const DiscTiles& disc_tiles, DiscGates& gates)
      : disc_tiles_(disc_tiles), tiles_(disc_tiles.tiles()), mesh_(disc_tiles.mesh()), gates_(gates) {
    gates_.through_.assign(tiles_.size(), {none, none});
    for (const NodeEntry& entry : gates_.node_entries_)
      if (entry.core_count != 1)
        for (const NodeExit& exit : gates_.core_exits(entry)) walk(exit.behind);
    // What begins behind a narrow place, and rings.
    for (Index tile = 0; tile < gates_.arc_count_; ++tile)
      for (const Index entry : {0u, 1u}) walk(gates_.entering(tile, entry));
    for (ArcExit& exit : gates_.arc_exits_) link(exit.behind);
    for (NodeExit& exit : gates_.node_exits_) link(exit.behind);
    for (RowStep& step : gates_.steps_) link(step.behind);
  }

 private:
  /// A tile on the way.
  struct Tile {
    BehindGate entered;
    const TileGate* entry = nullptr;  ///< as seen by who leaves by it
    const TileGate* exit = nullptr;
    BehindGate behind;
  };

  /// Whether there is only one way on from a tile, if dead ends do not count, and it is not part of a row yet.
  [[nodiscard]] bool only_way(const BehindGate& entered, Tile& tile) const {
    if (entered.tile == none || gates_.step_at(entered.tile, entered.at) != none) return false;
    const std::span<const TileGate> all = tiles_.gates(entered.tile);
    if (gates_.is_arc(entered.tile)) {
      const ArcExit& exit = gates_.arc_exit(entered.at);
      tile = {entered, &all[exit.entry], &all[1 - exit.entry], exit.behind};
      return exit.behind.tile != none && !tiles_.graph().is_twig(mesh_.arcs[entered.tile].edge);
    }
    const NodeEntry& entry = gates_.node_entry(entered.at);
    if (entry.core_count != 1 || all[entry.number].twig != none) return false;
    const BehindGate& behind = gates_.core_exits(entry)[0].behind;
    const auto exit = std::find_if(all.begin(), all.end(), [&](const TileGate& gate) {
      return gate.tile == behind.tile && gates_.entering(gate.tile, gate.back).at == behind.at;
    });
    tile = {entered, &all[entry.number], &*exit, behind};
    return true;
  }

  /// Row after row, as far as it goes without a choice, or once around.
  void walk(const BehindGate& begin) {
    Tile tile;
    BehindGate at = begin;
    do {
      if (!only_way(at, tile)) return;
      gather(at);
      const bool is_worth_it = row_.size() >= least_tiles;
      if (is_worth_it) add();
      at = is_worth_it ? row_.back().behind : tile.behind;  // one by one, or the beginning could be passed over
    } while (at.tile != begin.tile || at.at != begin.at);
  }

  /// The longest row that begins with a tile.
  void gather(BehindGate at) {
    row_.clear();
    Tile tile;
    while (row_.size() < most_tiles && only_way(at, tile)) {
      const bool is_around = !row_.empty() && at.tile == row_.front().entered.tile;
      const TileGate& first = *(row_.empty() ? tile : row_.front()).entry;
      if (is_around || !is_ahead(first, first, 1) || !is_ahead(first, *tile.exit, -1)) return;
      row_.push_back(tile);
      at = tile.behind;
    }
  }

  /// Whether a gate is wide enough to have a direction, and about that of the first, which is seen by who leaves the row backwards.
  [[nodiscard]] bool is_ahead(const TileGate& first, const TileGate& gate, double sign) const {
    const Vec2 across = gate.across();
    const double span2 = squared_length(gate.left_for(disc_tiles_.disc()) - gate.right_for(disc_tiles_.disc()));
    return span2 > least_span * least_span &&
           sign * dot(first.across(), across) >
               most_turned * std::sqrt(squared_length(first.across()) * squared_length(across));
  }

  void add() {
    const Index first = Index(gates_.steps_.size());
    const double disc = disc_tiles_.disc();
    for (const auto& [entered, entry, exit, behind] : row_) {
      const Index number = Index(gates_.steps_.size());
      (gates_.is_arc(entered.tile) ? gates_.arc_exits_[entered.at].step : gates_.node_entries_[entered.at].step) =
          number;
      Through& through = gates_.through_[entered.tile];
      (through[0] == none ? through[0] : through[1]) = number;
      gates_.steps_.push_back({{exit->right_for(disc), exit->left_for(disc)}, behind, first + Index(row_.size())});
    }
    list_circles(first, false);
    list_circles(first, true);
  }

  /// Those on one side of a row.
  void list_circles(Index first, bool at_left) {
    std::vector<PassedCircle>& circles = gates_.passed_circles_;
    const Index first_circle = Index(circles.size());
    double turned = 0;
    Index last = none;
    last_beside_.clear();
    for (Index i = 0; i < row_.size(); ++i) {
      const Tile& tile = row_[i];
      const bool is_arc = gates_.is_arc(tile.entered.tile);  // those of nodes have no circles
      const ArcExit* exit = is_arc ? &gates_.arc_exit(tile.entered.at) : nullptr;
      const Index corner = is_arc ? (at_left ? exit->left_corner : exit->right_corner) : none;
      if (corner != none) {
        const Vec2 from = (at_left ? tile.entry->right : tile.entry->left).inward;
        const Vec2 to = (at_left ? tile.exit->left : tile.exit->right).inward;
        if (corner != last) {
          circles.push_back({at_left ? exit->left_centre : exit->right_centre, rough(from), {}, corner, first + i});
          turned = 0;
          last_beside_.push_back(none);
        }
        last_beside_.back() = i;
        turned += angle_between(from, to);
        circles.back().last = rough(to);
        if (turned > almost_half_a_turn) circles.back().first = circles.back().last = {};
      }
      if (is_arc) last = corner;
    }
    for (Index i = 0, passed = 0; i < row_.size(); ++i) {
      while (passed < last_beside_.size() && last_beside_[passed] < i) ++passed;
      RowStep& step = gates_.steps_[first + i];
      (at_left ? step.left_begin : step.right_begin) = first_circle + passed;
      (at_left ? step.left_end : step.right_end) = Index(circles.size());
    }
  }

  static RoughVec rough(Vec2 v) { return {float(v.x), float(v.y)}; }

  static double angle_between(Vec2 from, Vec2 to) {
    if (from == Vec2{} || to == Vec2{}) return 2 * std::numbers::pi;  // not known
    return std::abs(geometry::arc_tangent(cross(from, to), dot(from, to)));
  }

  void link(BehindGate& behind) const {
    if (behind.tile != none) behind.step = gates_.step_at(behind.tile, behind.at);
  }

  const DiscTiles& disc_tiles_;
  const CorridorTiles& tiles_;
  const navmesh::Mesh& mesh_;
  DiscGates& gates_;
  std::vector<Tile> row_;
  std::vector<Index> last_beside_;  ///< of each circle on a side of the row
};

DiscGates::DiscGates(const DiscTiles& tiles) : tiles_(tiles) {
  Builder(tiles, *this);
  RowBuilder(tiles, *this);
}

DiscGates::Exit DiscGates::way_out(Index tile, Index number) const {
  const TileGate& gate = tiles_.tiles().gates(tile)[number];
  const double disc = tiles_.disc();
  return {{gate.right_for(disc), gate.left_for(disc)},
          tiles_.leads_on(tile, gate) ? entering(gate.tile, gate.back) : BehindGate{}};
}

}  // namespace throng::routes
